package fsstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/adapters/storekit/reader"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/taxonomy"
)

// read reads a release for the loader.
func (s *Store) read(_ context.Context, e taxonomy.Entry) (*reader.Archive, error) {
	for {
		at, err := s.enter()
		var a *reader.Archive
		if err == nil {
			a, err = s.readRelease(at.fsys, e)
		}
		at.leave()
		if err == nil {
			return a, nil
		}
		// The directory may have been replaced while it was read.
		now, replaced := s.enter()
		now.leave()
		if replaced != nil || now.folder == at.folder {
			return nil, s.wrap(fmt.Errorf("release %s: %w", e.ID, err))
		}
	}
}

// ReadFile reads a file besides the releases, such as a published document, of at most
// limit bytes. The tag that it returns changes with the content; if it is the given one,
// text is nil. If there is no such file, it wraps [fs.ErrNotExist].
func (s *Store) ReadFile(ctx context.Context, name, tag string, limit int64) (text []byte, newTag string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	if text, newTag, err = s.get(name, tag, limit); err != nil {
		err = s.wrap(err)
	}
	return text, newTag, err
}

// get reads a file. If it still has the tag, text is nil.
func (s *Store) get(name, tag string, limit int64) (text []byte, newTag string, err error) {
	at, err := s.enter()
	defer at.leave()
	if err != nil {
		return nil, "", err
	}
	if at.isUnchanged(name, tag) {
		return nil, tag, nil
	}
	text, info, err := files.ReadFile(at.fsys, name, limit)
	if err != nil {
		return nil, "", err
	}
	return text, stamp(info), nil
}

// settle is how old a file must be before its time can be relied on: a file written again
// within the resolution of the file system's clock keeps its time.
const settle = 2 * time.Second

// stamp returns what changes with a file, or "" if that is not certain, for example because the
// file system has no identities of files: then the file is read again.
func stamp(info fs.FileInfo) string {
	id, changed, ok := identity(info)
	if !ok || time.Since(info.ModTime()) < settle {
		return ""
	}
	return fmt.Sprint(id, changed.UnixNano(), info.Size(), info.ModTime().UnixNano())
}

// isUnchanged reports whether a file certainly still has a tag.
func (p place) isUnchanged(name, tag string) bool {
	if tag == "" {
		return false
	}
	info, err := fs.Stat(p.fsys, name)
	return err == nil && stamp(info) == tag
}

// readTimeout is the time limit for reading the index, and the log that proves it.
const readTimeout = time.Minute

// sameIndex reports whether the index certainly has the tag, and its log need not be read. It
// needs two calls to the file system: for the directory and for the file.
func (s *Store) sameIndex(tag string) bool {
	at, err := s.enter()
	defer at.leave()
	return err == nil && at.isUnchanged(layout.IndexFile, tag) && !s.guard.Due()
}

// getIndex reads the index.
func (s *Store) getIndex(_ context.Context, tag string) ([]byte, string, error) {
	text, newTag, err := s.get(layout.IndexFile, tag, layout.MaxIndex)
	if err != nil {
		err = fmt.Errorf("index: %w", err)
	}
	return text, newTag, err
}

// getEvolution reads the evolution of a datachain type.
func (s *Store) getEvolution(_ context.Context, typ string, h taxonomy.Hash) ([]byte, error) {
	text, _, err := s.get(layout.Evolution(typ, h), "", layout.MaxEvolution)
	return text, err
}

// readRelease reads the release of an index entry. One that is not what the entry names wraps
// [taxonomy.ErrHashMismatch].
func (s *Store) readRelease(fsys fs.FS, e taxonomy.Entry) (*reader.Archive, error) {
	data, _, err := files.ReadFile(fsys, layout.ArchiveFile(e), s.opt.MaxRelease)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s", err, reader.Republish)
	case err != nil:
		return nil, err
	}
	return reader.Open(e, data)
}
