//go:build linux || darwin

package fsstore

import (
	"fmt"
	"io/fs"
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
