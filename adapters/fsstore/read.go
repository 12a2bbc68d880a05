package fsstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// read reads a release for the loader.
func (s *Store) read(_ context.Context, e taxonomy.Entry) (*published.Archive, error) {
	for {
		at, err := s.enter()
		var a *published.Archive
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
	at, err := s.enter()
	defer at.leave()
	if err != nil {
		return nil, "", s.wrap(err)
	}
	stamp := func(info fs.FileInfo) string {
		id, changed, _ := identity(info)
		if time.Since(info.ModTime()) < settle {
			return "" // it can change again without a new time
		}
		return fmt.Sprint(id, changed.UnixNano(), info.Size(), info.ModTime().UnixNano())
	}
	if tag != "" {
		if info, err := fs.Stat(at.fsys, name); err == nil && stamp(info) == tag {
			return nil, tag, nil
		}
	}
	text, info, err := published.ReadFile(at.fsys, name, limit)
	if err != nil {
		return nil, "", s.wrap(err)
	}
	return text, stamp(info), nil
}

// readRelease reads the release of an index entry. One that is not what the entry names wraps
// [taxonomy.ErrHashMismatch].
func (s *Store) readRelease(fsys fs.FS, e taxonomy.Entry) (*published.Archive, error) {
	data, _, err := published.ReadFile(fsys, published.ArchiveFile(e), s.opt.MaxRelease)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%w: %s", err, published.Republish)
	case err != nil:
		return nil, err
	}
	return published.Open(e, data)
}
