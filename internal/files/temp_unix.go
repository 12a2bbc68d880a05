//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"errors"
	"io/fs"
	"os"
	"syscall"
)

// lock marks a temporary file as in use.
func lock(f *os.File) lockState {
	conn, err := f.SyscallConn()
	if err != nil {
		return lockUnknown
	}
	var failed error
	if err := conn.Control(func(fd uintptr) { failed = syscall.Flock(int(fd), syscall.LOCK_EX|syscall.LOCK_NB) }); err != nil {
		return lockUnknown
	}
	switch {
	case failed == nil:
		return lockHeld
	case errors.Is(failed, syscall.EWOULDBLOCK):
		return lockBusy
	}
	return lockUnknown
}

// sweep removes a temporary file that is not in use. It opens it without following
// a link, and without waiting for the other end of a pipe.
func sweep(path string) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return
	}
	is := lock(f)
	if (is == lockHeld || is == lockUnknown && isOld(path)) && isPresent(path, f) {
		_ = os.RemoveAll(path) // the next run tries again
	}
	_ = f.Close() // only read
}

// rename gives a temporary file its name. It stays locked until then.
func rename(temp *os.File, path string) error {
	if err := os.Rename(temp.Name(), path); err != nil {
		return err
	}
	_ = temp.Close() // its content was synced, so nothing can be lost
	return nil
}

// keepOwner gives a file the owner and the group of another.
func keepOwner(f *os.File, of fs.FileInfo) error {
	want, ok := of.Sys().(*syscall.Stat_t)
	if !ok {
		return nil
	}
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if have, ok := info.Sys().(*syscall.Stat_t); ok && have.Uid == want.Uid && have.Gid == want.Gid {
		return nil
	}
	return f.Chown(int(want.Uid), int(want.Gid))
}
