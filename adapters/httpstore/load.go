package httpstore

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
)

// read reads a release for the loader.
func (s *Store) read(ctx context.Context, e taxonomy.Entry) (*published.Opened, error) {
	r, err := s.obtain(ctx, e)
	if err != nil {
		return nil, err
	}
	return &published.Opened{Release: r}, nil
}

// obtain returns the release of an entry from its copy or from the server. A
// version may be changed or retired between the response with the index and that
// with the release; then the index is requested again, and decides.
func (s *Store) obtain(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, error) {
	ctx, cancel := context.WithTimeout(ctx, s.opt.ReleaseTimeout)
	defer cancel()
	r, err := s.cache.release(e.ID, e.ContentHash)
	if err != nil {
		s.noteCache(err)
	} else if r != nil {
		return r, nil
	}
	for range 3 {
		r, text, err := s.fetch(ctx, e.ID)
		if missing := statusOf(err) == http.StatusNotFound; err != nil && !missing {
			return nil, err
		}
		if err == nil && r.ContentHash() == e.ContentHash {
			s.keep(r, text)
			return r, nil
		}
		st, stErr := s.current(ctx, true)
		if stErr != nil {
			return nil, errors.Join(err, stErr)
		}
		now, listed := st.index.Lookup(e.ID.Ref())
		switch {
		case !listed:
			return nil, s.notFound(e.ID)
		case err == nil && now.ContentHash == r.ContentHash():
			s.keep(r, text)
			return r, nil
		case now.ContentHash == e.ContentHash && err == nil:
			return nil, fmt.Errorf("httpstore: %s: %w: the content is %s, but the index lists %s: contact the operator of the server",
				s.releaseURL(e.ID).Redacted(), taxonomy.ErrHashMismatch, r.ContentHash(), e.ContentHash)
		case now.ContentHash == e.ContentHash:
			return nil, fmt.Errorf("the index lists %s, but there is no release: %w", e.ID, err)
		}
		e = now
	}
	return nil, fmt.Errorf("httpstore: %s: the content changes faster than it can be read: try again later", s.releaseURL(e.ID).Redacted())
}

// keep stores a copy of what the server sent. If that fails, the release is
// served all the same.
func (s *Store) keep(r *taxonomy.Release, text []byte) {
	if s.cache != nil {
		s.noteCache(s.cache.putRelease(r, text))
	}
}
