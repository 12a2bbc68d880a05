package fsstore

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// openFile opens a regular file. Anything else, such as a pipe that would never
// end, is not even opened.
func openFile(fsys fs.FS, name string) (fs.File, fs.FileInfo, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: is not a regular file", name)
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, nil, err
	}
	// The file may have been replaced between the two calls.
	if info, err = f.Stat(); err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

// closeRead closes what was only read, so that no error can lose anything.
func closeRead(c io.Closer) { _ = c.Close() }

// readFile reads a regular file of at most limit bytes.
func readFile(fsys fs.FS, name string, limit int64) ([]byte, fs.FileInfo, error) {
	f, info, err := openFile(fsys, name)
	if err != nil {
		return nil, nil, err
	}
	defer closeRead(f)
	if info.Size() > limit {
		return nil, nil, published.TooLarge(name, info.Size(), limit)
	}
	var data bytes.Buffer
	data.Grow(int(info.Size()) + bytes.MinRead)
	// The limit also holds for a file that grows meanwhile.
	if n, err := data.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, nil, err
	} else if n > limit {
		return nil, nil, published.TooLarge(name, n, limit)
	}
	return data.Bytes(), info, nil
}

// read reads a release for the loader.
func (s *Store) read(_ context.Context, e taxonomy.Entry) (*published.Opened, error) {
	for {
		at, err := s.enter()
		var o *published.Opened
		if err == nil {
			o, err = s.readRelease(at.fsys, e)
		}
		at.leave()
		if err == nil {
			return o, nil
		}
		// The directory may have been replaced while it was read.
		now, replaced := s.enter()
		now.leave()
		if replaced != nil || now.folder == at.folder {
			return nil, s.wrap(fmt.Errorf("release %s: %w", e.ID, err))
		}
	}
}

// file reads a file that a release may have besides its content.
func (s *Store) file(name string, limit int64) ([]byte, error) {
	at, _ := s.enter() // if the directory is missing, Index fails
	defer at.leave()
	data, _, err := readFile(at.fsys, name, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, taxonomy.ErrNotFound
	}
	return data, err
}

// readRelease reads the release of an index entry, with its pack if it has one. A
// release that is not the one that the entry names wraps
// [taxonomy.ErrHashMismatch].
func (s *Store) readRelease(fsys fs.FS, e taxonomy.Entry) (*published.Opened, error) {
	if !e.Pack.IsZero() {
		return s.readPacked(fsys, e)
	}
	dir := published.Dir(e.ID, e.ContentHash)
	text, _, err := readFile(fsys, path.Join(dir, published.ReleaseFile), s.opt.MaxRelease)
	if err != nil {
		return nil, err
	}
	symbols, err := readSymbols(fsys, path.Join(dir, published.Symbols), s.opt.MaxRelease-int64(len(text)), s.opt.MaxSVG)
	if err != nil {
		return nil, err
	}
	r, err := published.Decode(text, symbols, e)
	return &published.Opened{Release: r}, err
}

// readSymbols reads the symbols of a release, at most left bytes together. It
// ignores files that are not named like a symbol; the content hash shows whether
// a symbol is missing. The directory does not exist if there are no symbols.
func readSymbols(fsys fs.FS, dir string, left, maxEach int64) (map[string]string, error) {
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	symbols := make(map[string]string, len(entries))
	for _, entry := range entries {
		id, ok := published.SymbolID(entry.Name())
		if !ok {
			continue
		}
		svg, _, err := readFile(fsys, path.Join(dir, entry.Name()), min(left, maxEach))
		if err != nil {
			return nil, err
		}
		left -= int64(len(svg))
		symbols[id] = string(svg)
	}
	return symbols, nil
}
