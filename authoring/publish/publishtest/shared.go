package publishtest

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"sync"

	"github.com/datachain-go/datachain/authoring/publish"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// variant returns options that pack a release in one of many ways.
func variant(i int) *publish.Options {
	o := options(publish.LayoutPack)
	o.KeepFor = 0
	o.SearchIndex = func(*taxonomy.Release, string) ([]byte, error) { return fmt.Appendf(nil, "index %d", i), nil }
	return o
}

// packOf returns the pack that the index names for a release.
func (t *target) packOf(ctx context.Context, r *taxonomy.Release) (taxonomy.Hash, error) {
	index, err := t.decoded(ctx)
	if err != nil {
		return taxonomy.Hash{}, err
	}
	e, _ := index.Lookup(r.Version().Ref())
	return e.Pack, nil
}

// hasPack checks that a pack is stored.
func (t *target) hasPack(ctx context.Context, r *taxonomy.Release, sum taxonomy.Hash) error {
	name := published.Dir(r.Version(), r.ContentHash()) + "/" + published.PackOf(sum)
	data, err := t.read(ctx, name)
	if err == nil && taxonomy.Hash(sha256.Sum256(data)) != sum {
		err = fmt.Errorf("%s has other bytes", name)
	}
	return err
}

// checkPacks packs a release in several ways. Readers of an older index find its pack
// until it is collected.
func checkPacks(ctx context.Context, t *target) error {
	pubs := storetest.Publications()[:1]
	r := pubs[0].Release
	var old []taxonomy.Hash
	for i := range 3 {
		if _, err := publish.Publish(ctx, t.Target, pubs, variant(i)); err != nil {
			return err
		}
		sum, err := t.packOf(ctx, r)
		if err != nil {
			return err
		}
		old = append(old, sum)
		for _, sum := range old {
			if err := t.hasPack(ctx, r, sum); err != nil {
				return fmt.Errorf("after packing %d times: %w", i+1, err)
			}
		}
	}
	// The usual options remove the other packs.
	return t.publishes(ctx, pubs, pubs, pubs)
}

// checkPackUsedAgain shows that a pack is not removed after a publisher has touched
// its release to use it again.
func checkPackUsedAgain(ctx context.Context, t *target) error {
	stored, _ := t.Target.(publish.Shared)
	_, before, err := t.fill(ctx)
	if err != nil {
		return err
	}
	others := []string{published.Dir(version, newer), published.Dir(promoted, hash)}
	pack := file(published.PackOf(hash), "pack")
	if err := t.renewed(ctx, "Add", others, before, func() error { return t.Add(ctx, dir, pack) }); err != nil {
		return err
	}
	first, err := t.lists(ctx, append(others[:2:2], dir)...)
	if err != nil {
		return err
	}
	if len(first.Packs) != 1 || first.Packs[0] != hash {
		return fmt.Errorf("Stored lists the packs %v, want %s", first.Packs, hash)
	}
	if err := t.renewed(ctx, "Touch", others, first, func() error { return t.Touch(ctx, dir) }); err != nil {
		return err
	}
	if err := wants("RemovePacks after Touch", stored.RemovePacks(ctx, first, hash), publish.ErrConflict); err != nil {
		return err
	}
	if err := t.contains(ctx, dir, file(published.ReleaseFile, dir), pack); err != nil {
		return err
	}
	now, err := t.lists(ctx, append(others[:2:2], dir)...)
	if err != nil {
		return err
	}
	if err := stored.RemovePacks(ctx, now, hash); err != nil {
		return fmt.Errorf("RemovePacks: %w", err)
	}
	return t.contains(ctx, dir, file(published.ReleaseFile, dir))
}

// checkSeveralPacks lets publishers pack one release in different ways at the same
// time. The pack that the index names is always there.
func checkSeveralPacks(ctx context.Context, open OpenFunc) error {
	pubs := storetest.Publications()[:1]
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() {
			errs[i] = using(ctx, open, func(t publish.Target) error {
				opened, _ := t.(publish.Shared)
				for n := range 3 {
					if _, err := publish.Publish(ctx, watched{opened, pubs[0].Release}, pubs, variant(3*i+n)); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
	wg.Wait()
	return errors.Join(errs...)
}

// watched is a target in which the pack of a release is looked for whenever the index
// is replaced.
type watched struct {
	publish.Shared
	release *taxonomy.Release
}

func (w watched) ReplaceIndex(ctx context.Context, text []byte, rev publish.Revision) error {
	t := &target{Target: w.Shared}
	if rev != "" {
		sum, err := t.packOf(ctx, w.release)
		if err == nil {
			err = t.hasPack(ctx, w.release, sum)
		}
		if err != nil {
			return fmt.Errorf("the pack that the index names: %w", err)
		}
	}
	return w.Shared.ReplaceIndex(ctx, text, rev)
}
