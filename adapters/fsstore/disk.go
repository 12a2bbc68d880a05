package fsstore

import (
	"io"
	"os"
	"runtime"
	"time"
)

// disk is every way in which a [Target] changes its directory, so that tests can
// make each of them fail. Names are relative to that, slash-separated.
type disk interface {
	// mkdir creates a directory, whose parent must exist.
	mkdir(name string) error
	// create creates a file, which must not exist.
	create(name string) (file, error)
	rename(from, to string) error
	// removeAll removes what is there, if anything.
	removeAll(name string) error
	// touch sets the modification time of a directory to now.
	touch(name string) error
	// syncDir makes the names in a directory survive a power failure.
	syncDir(name string) error
}

// file is a file that is being written.
type file interface {
	io.WriteCloser
	// Sync makes what was written survive a power failure.
	Sync() error
}

// rootDisk is the disk of the operating system. It does not follow links that
// lead out of the root.
type rootDisk struct{ root *os.Root }

func newRootDisk(root *os.Root) disk { return rootDisk{root} }

func (d rootDisk) mkdir(name string) error { return d.root.Mkdir(name, 0o755) }

func (d rootDisk) create(name string) (file, error) {
	return d.root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
}

func (d rootDisk) rename(from, to string) error { return d.root.Rename(from, to) }

func (d rootDisk) removeAll(name string) error { return d.root.RemoveAll(name) }

func (d rootDisk) touch(name string) error {
	now := time.Now()
	return d.root.Chtimes(name, now, now)
}

func (d rootDisk) syncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil // not possible there, and not needed
	}
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	defer closeRead(f)
	return f.Sync()
}
