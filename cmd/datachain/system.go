package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"time"

	"golang.org/x/term"

	"github.com/datachain-go/datachain/internal/report"
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
	// environ lists the environment; nil for none.
	environ func() []string
	// dir is the working directory.
	dir string
	// uid is the user, or negative if there are none.
	uid int
	// cacheDir is the cache directory of the user, or "".
	cacheDir string
	now      func() time.Time
	// signLimit limits the time of --sign-command; 0 is the default.
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
		getenv: os.Getenv, environ: os.Environ, dir: dir, uid: os.Getuid(), cacheDir: cacheDir, now: time.Now, browse: browse, build: build,
		assets: installedAssets(program),
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

// outWidth and errWidth are the widths of standard output and standard error. They are
// 0, which means any, if these are not terminals.
func (s *system) outWidth() int { return onTerminal(s.stdoutTerminal, s.stdoutWidth) }

func (s *system) errWidth() int { return onTerminal(s.stderrTerminal, s.stderrWidth) }

// minWidth is the narrowest terminal that text is laid out for.
const minWidth = 20

func onTerminal(terminal bool, width int) int {
	if !terminal || width < minWidth {
		return 0
	}
	return width
}

// path returns the path that the user typed, from the working directory.
func (s *system) path(typed string) string {
	if filepath.IsAbs(typed) {
		return filepath.Clean(typed)
	}
	return filepath.Join(s.dir, typed)
}

// shown returns a path as the user would type it: relative if they typed a
// relative one.
func (s *system) shown(path, typed string) string {
	if filepath.IsAbs(typed) {
		return path
	}
	if rel, err := filepath.Rel(s.dir, path); err == nil {
		return rel
	}
	return path
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
