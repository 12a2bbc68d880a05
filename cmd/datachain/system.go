package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"golang.org/x/term"

	"github.com/datachain-go/datachain/cmd/internal/gcpace"
	"github.com/datachain-go/datachain/cmd/internal/location"
	"github.com/datachain-go/datachain/cmd/internal/report"
)

// system is what the program uses of the operating system, so that a test can
// replace it.
type system struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	// Whether the two are terminals, and how many columns they have, if known.
	stdoutTerminal, stderrTerminal bool
	stdoutWidth, stderrWidth       int

	getenv func(string) string
	// environ is the environment.
	environ []string
	// dir is the working directory.
	dir string
	// uid is the user, or negative if there are none.
	uid int
	// cacheDir is the cache directory of the user, or "".
	cacheDir string
	now      func() time.Time
	// pace sets the pace of the garbage collector for a command.
	pace func()
	// signLimit limits the time of --key-command; 0 is the default.
	signLimit time.Duration
	// browse opens a file in a browser.
	browse func(ctx context.Context, path string) error
	// build is the build information of the program, or nil.
	build *debug.BuildInfo
	// assets is the directory of web assets that was installed with the program, or "".
	assets string
}

func thisSystem() system {
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
	return system{
		stdin:  os.Stdin,
		stdout: os.Stdout, stdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())), stdoutWidth: widthOf(os.Stdout),
		stderr: os.Stderr, stderrTerminal: term.IsTerminal(int(os.Stderr.Fd())), stderrWidth: widthOf(os.Stderr),
		getenv: os.Getenv, environ: os.Environ(), dir: dir, uid: os.Getuid(), cacheDir: cacheDir, now: time.Now, browse: browse, build: build,
		assets: installedAssets(program), pace: func() { gcpace.Start(headroom) },
	}
}

// installedAssets returns the directory of web assets that archives and packages have:
// share/datachain, beside the directory of the program. What `go run` and `go install` build
// has none.
func installedAssets(program string) string {
	// Package managers link to the program from another directory.
	program, err := filepath.EvalSymlinks(program)
	if err != nil {
		return ""
	}
	dir := filepath.Join(filepath.Dir(program), "..", "share", "datachain")
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return ""
	}
	return dir
}

// widthOf returns how many columns a terminal has, or 0.
func widthOf(f *os.File) int {
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// outWidth and errWidth are how many columns standard output and standard error have: those of the
// terminal, or as many as text for people has.
func (s *system) outWidth() int { return onTerminal(s.stdoutTerminal, s.stdoutWidth) }

func (s *system) errWidth() int { return onTerminal(s.stderrTerminal, s.stderrWidth) }

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

// path returns the path that the user typed, from the working directory.
func (s *system) path(typed string) string { return location.Absolute(s.dir, typed) }

// shown returns a path as the user would type it: relative if they typed a
// relative one.
func (s *system) shown(path, typed string) string {
	if filepath.IsAbs(typed) {
		return path
	}
	return location.Relative(s.dir, path)
}

// outStyle and errStyle are the styles of standard output and standard error.
func (s *system) outStyle() report.Style { return report.Style(s.stdoutTerminal && s.colors()) }

func (s *system) errStyle() report.Style { return report.Style(s.stderrTerminal && s.colors()) }

// colors honors NO_COLOR (no-color.org) and terminals without colors. Windows
// Terminal has them and sets no TERM.
func (s *system) colors() bool {
	if s.getenv("NO_COLOR") != "" {
		return false
	}
	t := s.getenv("TERM")
	return t != "dumb" && (t != "" || s.getenv("WT_SESSION") != "")
}

// checkedWriter keeps the first error of its writer, so that a result that was
// not written is a failure.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil && c.err == nil {
		c.err = fmt.Errorf("can't write the output: %w", err)
	}
	return n, err
}

// browse opens a file in the browser of the desktop.
func browse(ctx context.Context, path string) error {
	path, err := filepath.Abs(path)
	if err != nil {
		return err
	}
	command := []string{"xdg-open", path}
	switch runtime.GOOS {
	case "darwin":
		command = []string{"open", path}
	case "windows":
		command = []string{"rundll32", "url.dll,FileProtocolHandler", path}
	}
	// The browser may outlive this program.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), command[0], command[1:]...) //nolint:gosec // the file is ours
	if err := cmd.Start(); err != nil {
		return errors.New("can't start a browser")
	}
	return cmd.Process.Release()
}
