package fsstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// publisher is one who may change a store: it holds the lock.
type publisher struct {
	dir  string
	root *os.Root
	fsys fs.FS
	disk disk
	lock *flock.Flock
	// writers is how many files are written at a time.
	writers int

	// index is the index as found, and text its bytes, nil where there was
	// none.
	index *taxonomy.Index
	text  []byte
}

// lockDelay is how often a publisher looks whether another one is done.
const lockDelay = 20 * time.Millisecond

// defaultWriters is more than there are processors: a writer mostly waits until
// its file is on disk, and disks do that for several at once.
const defaultWriters = 8

// begin locks the store in a folder, made if that is asked for, and reads its
// index. The caller ends what it has begun.
func begin(ctx context.Context, dir string, create bool, newDisk func(*os.Root) disk) (*publisher, error) {
	p := &publisher{dir: dir, writers: defaultWriters}
	if err := p.begin(ctx, create, newDisk); err != nil {
		p.end()
		return nil, p.explain(err)
	}
	return p, nil
}

func (p *publisher) begin(ctx context.Context, create bool, newDisk func(*os.Root) disk) (err error) {
	if err := ctx.Err(); err != nil {
		return err
	}
	if create {
		if err := makeDir(p.dir); err != nil {
			return err
		}
	}
	if p.root, err = os.OpenRoot(p.dir); err != nil {
		return err
	}
	p.fsys, p.disk = p.root.FS(), newDisk(p.root)
	p.lock = flock.New(filepath.Join(p.dir, lockFile), flock.SetPermissions(0o644))
	if _, err := p.lock.TryLockContext(ctx, lockDelay); err != nil {
		return fmt.Errorf("lock for publishing: %w", err)
	}
	return p.readIndex()
}

// makeDir makes a folder and those that it is in, and sees them to the disk.
func makeDir(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := makeDir(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	root, err := os.OpenRoot(parent)
	if err != nil {
		return err
	}
	defer closeRead(root)
	return rootDisk{root}.syncDir(".")
}

// end gives up the lock. Nothing is left to be done about an error.
func (p *publisher) end() {
	if p.lock != nil {
		_ = p.lock.Close()
	}
	if p.root != nil {
		closeRead(p.root)
	}
}

func (p *publisher) readIndex() (err error) {
	p.index = new(taxonomy.Index)
	p.text, _, err = readFile(p.fsys, indexFile, maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		p.index, err = taxonomy.DecodeIndex(p.text)
	}
	if err != nil {
		return fmt.Errorf("%s: %w (it says what is published: repair or restore it first)", indexFile, err)
	}
	return nil
}

// replaceIndex puts an index in place and reports whether it is another one.
// Everything that it names must be on disk.
func (p *publisher) replaceIndex(ctx context.Context, index *taxonomy.Index) (changed bool, err error) {
	text, err := document.MarshalCanonical(index)
	switch {
	case err != nil:
		return false, err
	case bytes.Equal(text, p.text):
		return false, nil
	case len(text) > maxIndex:
		return false, tooLarge(indexFile, int64(len(text)), maxIndex)
	case ctx.Err() != nil:
		return false, ctx.Err()
	}
	if err := p.touchReplaced(index); err != nil {
		return false, err
	}
	temp := newPrefix + indexFile
	if err := p.disk.removeAll(temp); err != nil {
		return false, err
	}
	err = createFile(p.disk, temp, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
	if err == nil {
		err = p.disk.rename(temp, indexFile)
	}
	if err != nil {
		_ = p.disk.removeAll(temp) // if that fails, too, the next publisher does it
		return false, err
	}
	return true, p.disk.syncDir(".")
}

// touchReplaced gives the folders that an index no longer names the time of
// now: from then on they are kept for a while.
func (p *publisher) touchReplaced(index *taxonomy.Index) error {
	for _, old := range p.index.Entries() {
		if e, listed := index.Lookup(old.ID.Ref()); listed && e.ContentHash == old.ContentHash {
			continue
		}
		err := p.disk.touch(releaseDir(old.ID, old.ContentHash))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// createFile writes a file and sees it to the disk.
func createFile(d disk, name string, write func(io.Writer) error) error {
	f, err := d.create(name)
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}

// distinctTypes refuses datachain types that differ only in case: on some file
// systems they would share a folder.
func distinctTypes(index *taxonomy.Index) error {
	types := make(map[string]string)
	for _, e := range index.Entries() {
		typ := e.ID.Type()
		if other, taken := types[strings.ToLower(typ)]; taken && other != typ {
			return fmt.Errorf("the datachain types %s and %s differ only in case, so they can't be in one store", other, typ)
		}
		types[strings.ToLower(typ)] = typ
	}
	return nil
}

// explain adds to an error where it happened and, where that helps, what to do.
func (p *publisher) explain(err error) error {
	const again = ", then try again"
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("fsstore: %s: %w (free some space there%s)", p.dir, err, again)
	case errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("fsstore: %s: %w (make the folder writable for this user%s)", p.dir, err, again)
	}
	return fmt.Errorf("fsstore: %s: %w", p.dir, err)
}
