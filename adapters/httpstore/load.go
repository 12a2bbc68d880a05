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
	ctx, cancel := context.WithTimeout(ctx, s.opt.ReleaseTimeout)
	defer cancel()
	if o := s.copies.Release(e); o != nil {
		return o, nil
	}
	r, text, err := s.obtain(ctx, e)
	if err != nil {
		return nil, err
	}
	s.copies.Put(taxonomy.Entry{ID: r.Version(), ContentHash: r.ContentHash()}, text)
	return &published.Opened{Release: r}, nil
}

// obtain requests the release of an entry, and returns its text, too. A
// version may be changed or retired between the response with the index and that
// with the release; then the index is requested again, and decides.
func (s *Store) obtain(ctx context.Context, e taxonomy.Entry) (*taxonomy.Release, []byte, error) {
	for range 3 {
		r, text, err := s.fetch(ctx, e.ID)
		if missing := statusOf(err) == http.StatusNotFound; err != nil && !missing {
			return nil, nil, err
		}
		if err == nil && r.ContentHash() == e.ContentHash {
			return r, text, nil
		}
		st, stErr := s.current(ctx, true)
		if stErr != nil {
			return nil, nil, errors.Join(err, stErr)
		}
		now, listed := st.index.Lookup(e.ID.Ref())
		switch {
		case !listed:
			return nil, nil, s.notFound(e.ID)
		case err == nil && now.ContentHash == r.ContentHash():
			return r, text, nil
		case now.ContentHash == e.ContentHash && err == nil:
			return nil, nil, fmt.Errorf("httpstore: %s: %w: the content is %s, but the index lists %s: contact the operator of the server",
				s.releaseURL(e.ID).Redacted(), taxonomy.ErrHashMismatch, r.ContentHash(), e.ContentHash)
		case now.ContentHash == e.ContentHash:
			return nil, nil, fmt.Errorf("the index lists %s, but there is no release: %w", e.ID, err)
		}
		e = now
	}
	return nil, nil, fmt.Errorf("httpstore: %s: the content changes faster than it can be read: try again later", s.releaseURL(e.ID).Redacted())
}
