//go:build unix

package stores

import (
	"io/fs"
	"syscall"
)

// belongs reports whether a file belongs to a user. It does if the user is negative.
func belongs(info fs.FileInfo, uid int) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return uid < 0 || ok && int(stat.Uid) == uid
}
