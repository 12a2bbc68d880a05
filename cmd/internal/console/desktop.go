package console

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// InstalledAssets returns the directory of web assets that archives and packages have:
// share/datachain, beside the directory of the program. What `go run` and `go install` build
// has none.
func InstalledAssets(program string) string {
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
