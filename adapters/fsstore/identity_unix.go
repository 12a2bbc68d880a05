//go:build linux || darwin

package fsstore

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"time"
)

// identity identifies a file of the operating system, and returns when its content or its
// properties last changed. Programs can't set that time, other than the modification time.
func identity(info fs.FileInfo) (id string, changed time.Time, ok bool) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "", time.Time{}, false
	}
	return fmt.Sprintf("%d/%d", stat.Dev, stat.Ino), changeTime(stat), true
}

// private reports whether a directory belongs to the user, and nobody else may write to
// it.
func private(dir string) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm()&0o022 != 0 {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
