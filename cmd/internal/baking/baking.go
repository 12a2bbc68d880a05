// Package baking draws the icons of releases, for publishing and as plain files.
package baking

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// Icons returns a function that draws the icons of releases as they are
// published. Icons that elements share are drawn once, as far as they fit into
// memory.
func Icons() publish.IconFunc {
	var mu sync.Mutex
	sets := make(map[taxonomy.Hash]*icons.Set)
	return func(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
		mu.Lock()
		set := sets[r.ContentHash()]
		var err error
		if set == nil {
			set, err = icons.NewSet(r, nil)
			sets[r.ContentHash()] = set
		}
		mu.Unlock()
		if err != nil {
			return nil, err
		}
		return set.Icon(e.ID, variant)
	}
}

// Result says what was baked of a version.
type Result struct {
	ID    taxonomy.Version `json:"id"`
	Icons int              `json:"icons"`
	// Result is "baked", or "unchanged" if the icons were there already.
	Result string `json:"result"`
}

// NewResult counts the icons of a release.
func NewResult(r *taxonomy.Release, baked bool) Result {
	v := Result{ID: r.Version(), Result: "unchanged"}
	if baked {
		v.Result = "baked"
	}
	for _, c := range r.Categories() {
		begin, end := r.CategoryRange(c.ID)
		v.Icons += (end - begin) * len(c.IconVariants())
	}
	return v
}

// Write writes every variant of every icon of a release as ELEMENT/VARIANT.svg into a directory.
func Write(ctx context.Context, r *taxonomy.Release, dir string, progress func(done, total int)) error {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }() // nothing is written through it
	elements := r.Elements()
	set, err := icons.NewSet(r, &icons.SetOptions{CacheBytes: -1})
	if err != nil {
		return err
	}
	var done atomic.Int64
	return parallel.Each(ctx, runtime.GOMAXPROCS(0), len(elements), func(_, i int) error {
		e := elements[i]
		if err := root.Mkdir(e.ID, 0o777); err != nil && !errors.Is(err, os.ErrExist) {
			return err
		}
		for _, variant := range e.IconVariants {
			svg, err := set.Icon(e.ID, variant)
			if err != nil {
				return err
			}
			if err := root.WriteFile(filepath.Join(e.ID, variant+".svg"), svg, 0o666); err != nil {
				return err
			}
		}
		progress(int(done.Add(1)), len(elements))
		return nil
	})
}
