package command

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

// system is what the program uses of the operating system, so that a test can
// replace it.
type system struct {
	console.System
	host
}

// host is the part of it that only this program uses.
type host struct {
	// name is that of the program.
	name string
	// redis connects servers, or is nil.
	redis Redis
	// environ is the environment.
	environ []string
	// signLimit limits the time of --key-command; 0 is the default.
	signLimit time.Duration
	// browse opens a file in a browser.
	browse func(ctx context.Context, path string) error
	// assets is the directory of web assets that was installed with the program, or "".
	assets string
}

func thisSystem(p Program) system {
	program, err := os.Executable()
	if err != nil {
		program = "" // it is not needed otherwise
	}
	sys := system{
		console.ThisSystem(),
		host{name: p.Name, redis: p.Redis, environ: os.Environ(), browse: browse, assets: installedAssets(program)},
	}
	sys.Buckets = p.Buckets
	return sys
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
