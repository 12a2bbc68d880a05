package fsstore

import (
	"io"
	"os"
	"runtime"
	"time"
)

// disk is every way in which a publisher changes a folder, so that tests can
// make each of them fail. Names are relative to the folder, with slashes.
type disk interface {
	// mkdir makes a folder; its parent must be there.
	mkdir(name string) error
	// create makes a file, which must not be there.
	create(name string) (file, error)
	rename(from, to string) error
	// removeAll removes what is there, if anything is.
	removeAll(name string) error
	// touch sets the time of a folder to now.
	touch(name string) error
	// syncDir makes sure that the names in a folder survive a power cut.
	syncDir(name string) error
}

// file is a file that is being written.
type file interface {
	io.WriteCloser
	// Sync makes sure that what was written survives a power cut.
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
		return nil // Windows can't, and need not
	}
	f, err := d.root.Open(name)
	if err != nil {
		return err
	}
	defer closeRead(f)
	return f.Sync()
}
