package fsstore

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// A release.json is read completely and kept in memory, a pack as far as it is needed.
// Neither is mapped: a file that a careless copy truncates would end the process, and a
// mapping could never be removed, since texts of a release are used after the release.

// source is an open file that is read at any position.
type source struct {
	io.ReaderAt
	file fs.File
	info fs.FileInfo
}

// openSource opens a regular file of at most limit bytes. The caller closes it.
func openSource(fsys fs.FS, name string, limit int64) (*source, error) {
	f, info, err := openFile(fsys, name)
	if err != nil {
		return nil, err
	}
	if info.Size() > limit {
		return nil, errors.Join(published.TooLarge(name, info.Size(), limit), f.Close())
	}
	at, ok := f.(io.ReaderAt)
	if !ok {
		data := make([]byte, info.Size())
		if _, err := io.ReadFull(f, data); err != nil {
			return nil, errors.Join(err, f.Close())
		}
		at = bytes.NewReader(data)
	}
	return &source{at, f, info}, nil
}

// Size returns the size that the file had when it was opened.
func (s *source) Size() int64 { return s.info.Size() }

// unchanged reports whether the file certainly is as it was when it was opened.
func (s *source) unchanged() bool {
	now, err := s.file.Stat()
	return err == nil && same(s.info, now)
}

// same reports whether two descriptions are certainly of the same file with the same
// content.
func same(a, b fs.FileInfo) bool {
	_, before, ok := identity(a)
	_, after, known := identity(b)
	return ok && known && before.Equal(after) && os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}

// readPacked reads a packed release. If its files were verified before, it reads only what
// is needed.
func (s *Store) readPacked(fsys fs.FS, e taxonomy.Entry) (*published.Opened, error) {
	dir := published.Dir(e.ID, e.ContentHash)
	text, err := openSource(fsys, path.Join(dir, published.ReleaseFile), s.opt.MaxRelease)
	if err != nil {
		return nil, err
	}
	defer closeRead(text.file)
	name := path.Join(dir, published.PackFile)
	file, err := openSource(fsys, name, s.opt.MaxRelease)
	if errors.Is(err, fs.ErrNotExist) {
		// A bucket that was copied into a directory has the pack under another name.
		other := path.Join(dir, published.PackOf(e.Pack))
		if found, otherErr := openSource(fsys, other, s.opt.MaxRelease); otherErr == nil {
			name, file, err = other, found, nil
		}
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s", err, published.Republish)
	case err != nil:
		return nil, err
	}
	defer closeRead(file.file)
	remembered := verified{s.opt.VerifiedDir}
	key := remembered.key(s.name, e, text.info, file.info)
	if remembered.has(key) {
		if o, err := published.OpenVerified(text, file, e, name, s.opt.MaxSVG); err == nil {
			o.Pack = o.Pack.From(&reopened{s, name, file.info})
			return o, nil
		}
	}
	if !file.unchanged() { // files have no identity here: keep what is verified
		data := make(published.Memory, file.Size())
		if n, err := file.ReadAt(data, 0); n < len(data) {
			return nil, err
		}
		return published.Verify(text, data, e, name, s.opt.MaxSVG)
	}
	o, err := published.Verify(text, file, e, name, s.opt.MaxSVG)
	if err != nil {
		return nil, err
	}
	if o.Formed && text.unchanged() && file.unchanged() {
		remembered.add(key)
	}
	o.Pack = o.Pack.From(&reopened{s, name, file.info})
	return o, nil
}

// reopened is a file that is opened for each read. An open file would keep a directory
// from being unmounted, and on some systems a publisher from replacing the file.
type reopened struct {
	store *Store
	name  string
	info  fs.FileInfo
}

// ReadAt reads at a position. The error wraps [taxonomy.ErrNotFound] if the file is gone
// or is another one now.
func (f *reopened) ReadAt(data []byte, at int64) (int, error) {
	where, _ := f.store.enter() // if the directory is missing, Index fails
	defer where.leave()
	file, err := openSource(where.fsys, f.name, f.store.opt.MaxRelease)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, fmt.Errorf("%s: %w", f.name, taxonomy.ErrNotFound)
	}
	if err != nil {
		return 0, err
	}
	defer closeRead(file.file)
	if !same(f.info, file.info) {
		return 0, fmt.Errorf("%s was replaced: %w", f.name, taxonomy.ErrNotFound)
	}
	return file.ReadAt(data, at)
}
