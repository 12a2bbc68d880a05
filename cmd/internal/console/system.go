package console

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"golang.org/x/term"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/files"
)

// System is what a program uses of the operating system, so that a test can replace it.
type System struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Whether the two are terminals, and how many columns they have, if known.
	StdoutTerminal, StderrTerminal bool
	StdoutWidth, StderrWidth       int

	Getenv func(string) string
	// Environ is the whole environment, as NAME=VALUE.
	Environ []string
	// Dir is the working directory.
	Dir string
	// UID is the user, or negative if there are none.
	UID int
	// CacheDir is the cache directory of the user, or "".
	CacheDir string
	Now      func() time.Time
	// Buckets opens stores in buckets, or is nil.
	Buckets stores.Buckets
	// Build is the build information of the program, or nil.
	Build *debug.BuildInfo
	// SignLimit limits the time of --key-command; 0 is the default.
	SignLimit time.Duration
	// Browse opens a file in a browser.
	Browse func(ctx context.Context, path string) error
	// Assets is the directory of web assets that was installed with the program, or "".
	Assets string
}

// ThisSystem returns the system that the process runs on.
func ThisSystem() System {
	dir, err := os.Getwd()
	if err != nil {
		dir = "." // relative paths work anyway
	}
	cacheDir, err := os.UserCacheDir()
	if err != nil {
		cacheDir = "" // there is no home directory
	}
	program, err := os.Executable()
	if err != nil {
		program = "" // it is not needed otherwise
	}
	build, _ := debug.ReadBuildInfo()
	return System{
		Stdin:  os.Stdin,
		Stdout: os.Stdout, StdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())), StdoutWidth: widthOf(os.Stdout),
		Stderr: os.Stderr, StderrTerminal: term.IsTerminal(int(os.Stderr.Fd())), StderrWidth: widthOf(os.Stderr),
		Getenv: os.Getenv, Environ: os.Environ(), Browse: browse, Assets: InstalledAssets(program), Dir: dir, UID: os.Getuid(), CacheDir: cacheDir, Now: time.Now, Build: build,
	}
}

// widthOf returns how many columns a terminal has, or 0.
func widthOf(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// OutWidth returns how many columns standard output has: those of the terminal, or as many as text
// for people has.
func (s *System) OutWidth() int { return onTerminal(s.StdoutTerminal, s.StdoutWidth) }

// ErrWidth returns how many columns standard error has.
func (s *System) ErrWidth() int { return onTerminal(s.StderrTerminal, s.StderrWidth) }

// textWidth is how many columns text for people has, and minWidth is the narrowest terminal that
// text is laid out for.
const (
	textWidth = 80
	minWidth  = 20
)

func onTerminal(terminal bool, width int) int {
	if !terminal || width < minWidth {
		return textWidth
	}
	return width
}

// HelpWidth returns how many columns help has: fewer on a narrow terminal.
func (s *System) HelpWidth() int { return min(s.OutWidth(), textWidth) }

// OutExcerpt returns how much of a line fits on standard output with an ellipsis on both sides.
func (s *System) OutExcerpt() int { return excerpt(s.OutWidth()) }

// ErrExcerpt returns how much of a line fits on standard error.
func (s *System) ErrExcerpt() int { return excerpt(s.ErrWidth()) }

func excerpt(width int) int { return min(100, width-6) }

// Path returns the path that the user typed, from the working directory.
func (s *System) Path(typed string) string { return files.Absolute(s.Dir, typed) }

// Shown returns a path as the user would type it: relative if they typed a relative one.
func (s *System) Shown(path, typed string) string {
	if filepath.IsAbs(typed) {
		return path
	}
	return files.Relative(s.Dir, path)
}

// OutStyle returns the style of standard output.
func (s *System) OutStyle() report.Style { return report.Style(s.StdoutTerminal && s.colors()) }

// ErrStyle returns the style of standard error.
func (s *System) ErrStyle() report.Style { return report.Style(s.StderrTerminal && s.colors()) }

// colors honors NO_COLOR (no-color.org) and terminals without colors. Windows
// Terminal has them and sets no TERM.
func (s *System) colors() bool {
	if s.Getenv("NO_COLOR") != "" {
		return false
	}
	t := s.Getenv("TERM")
	return t != "dumb" && (t != "" || s.Getenv("WT_SESSION") != "")
}
