package sources

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// Published are versions of a store that the source does not have, and the evolutions of
// its datachain types.
type Published struct {
	Releases   []*taxonomy.Release
	Evolutions map[string]*history.Evolution
}

// Published reads the versions of a store that the source lacks and that are older than one of its
// own. Of retired versions, the store keeps only the ids. Versions that can't be read are passed to
// skipped, with [ErrUnknownIDs] if the store never kept their ids. It is an error if the ids that it
// kept are lost or changed.
func (s *Source) Published(ctx context.Context, store taxonomy.Store, skipped func(v taxonomy.Version, err error)) (*Published, error) {
	own, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	x, err := store.Index(ctx)
	if err != nil {
		return nil, err
	}
	p := &Published{Evolutions: make(map[string]*history.Evolution)}
	newest := make(map[string]taxonomy.Version)
	for _, e := range own.Entries() {
		if typ := e.ID.Type(); newest[typ].IsZero() {
			newest[typ] = e.ID
			if p.Evolutions[typ], err = history.Decode(typ, x.EvolutionJSON(typ)); err != nil {
				return nil, err
			}
		}
	}
	missing := func(v taxonomy.Version) bool {
		_, has := own.Lookup(v.Ref())
		return !has && v.Date() < newest[v.Type()].Date()
	}
	for _, e := range x.Entries() {
		if !missing(e.ID) {
			continue
		}
		r, err := store.Release(ctx, e.ID)
		if err != nil {
			skipped(e.ID, err)
			continue
		}
		p.Releases = append(p.Releases, r)
	}
	files, ok := store.(register.Files)
	for _, retired := range x.Retired() {
		switch {
		case !missing(retired.ID):
		case !ok || retired.IDs.IsZero():
			skipped(retired.ID, ErrUnknownIDs)
		default:
			r, err := readRetired(ctx, files, retired)
			if err != nil {
				return nil, err
			}
			p.Releases = append(p.Releases, r)
		}
	}
	return p, nil
}

// ErrUnknownIDs means that a store does not have the ids of a retired version.
var ErrUnknownIDs = errors.New("it was retired before ids were kept")

// readRetired returns the ids of a retired version, which must be those that the index names.
func readRetired(ctx context.Context, files register.Files, v taxonomy.RetiredVersion) (r *taxonomy.Release, err error) {
	name := layout.IDs(v.ID.Type(), v.IDs)
	text, _, err := files.ReadFile(ctx, name, "", layout.MaxEvolution)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = fs.ErrNotExist // without the path on this machine
	case err == nil && taxonomy.Hash(sha256.Sum256(text)) != v.IDs:
		err = errors.New("its SHA-256 is not the one in its name")
	case err == nil:
		r, err = history.ReadOnlyIDs(text)
	}
	if err != nil {
		return nil, fmt.Errorf("the ids of the retired version %s are lost: %s: %w; restore the file from a copy of the store, "+
			"or publish the version again with --again and retire it again", v.ID, name, err)
	}
	return r, nil
}
