package sources

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/taxonomy"
)

// Baseline is what versions of a source or a store are compared with.
type Baseline struct {
	Store taxonomy.Store
	Ref   taxonomy.Ref // or zero for the last version before each
}

// Release returns the release to compare a version with: the newest older stable one of
// its type or, if there is none, the newest older one. It returns nil if none is older.
func (b *Baseline) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	x, err := b.Store.Index(ctx)
	if err != nil {
		return nil, err
	}
	if b.Ref != (taxonomy.Ref{}) {
		if b.Ref.Type() != v.Type() {
			return nil, advice.Add(fmt.Errorf("--against %s: not a version of %s, so %s can't be compared with it", b.Ref, v.Type(), v),
				"Name the directory of %s in the source, or a store.", b.Ref.Type())
		}
		e, ok := x.Lookup(b.Ref)
		if !ok {
			return nil, Unlisted(x, b.Ref)
		}
		return b.Store.Release(ctx, e.ID)
	}
	entries := older(x, v)
	if len(entries) == 0 {
		return nil, nil
	}
	stable := slices.IndexFunc(entries, func(e taxonomy.Entry) bool { return e.ID.Status() == taxonomy.Stable })
	return b.Store.Release(ctx, entries[max(0, stable)].ID)
}

// Live returns the releases of all older versions of a type without a sunset on or before a day, the newest
// first.
func (b *Baseline) Live(ctx context.Context, v taxonomy.Version, day string) (all []*taxonomy.Release, err error) {
	x, err := b.Store.Index(ctx)
	if err != nil {
		return nil, err
	}
	for _, e := range older(x, v) {
		if e.Sunset != "" && e.Sunset <= day {
			continue
		}
		r, err := b.Store.Release(ctx, e.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}

// Older returns the releases of all older versions of a type in some stores, each once. It skips
// versions of a source that do not compile.
func Older(ctx context.Context, v taxonomy.Version, stores ...taxonomy.Store) (all []*taxonomy.Release, err error) {
	known := make(map[taxonomy.Version]bool)
	for _, store := range stores {
		x, err := store.Index(ctx)
		if err != nil {
			return nil, err
		}
		for _, e := range older(x, v) {
			if known[e.ID] {
				continue
			}
			r, err := store.Release(ctx, e.ID)
			if _, broken := errors.AsType[*BrokenError](err); broken {
				continue // lint reports why
			}
			if err != nil {
				return nil, err
			}
			known[e.ID], all = true, append(all, r)
		}
	}
	return all, nil
}

// older returns the older versions of the type of a version, the newest first.
func older(x *taxonomy.Index, v taxonomy.Version) []taxonomy.Entry {
	return slices.DeleteFunc(x.Entries(), func(e taxonomy.Entry) bool { return e.ID.Type() != v.Type() || e.ID.Date() >= v.Date() })
}
