package storetest_test

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// model is a store that does what it must, as plainly as can be.
type model struct {
	mu        sync.Mutex
	index     *taxonomy.Index
	releases  []*taxonomy.Release
	listeners []chan struct{}
}

func newModel(c storetest.Content) *model {
	m := new(model)
	m.update(c)
	return m
}

func (m *model) update(c storetest.Content) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.index, m.releases = c.Index, slices.Clone(c.Releases)
	for _, l := range m.listeners {
		select {
		case l <- struct{}{}:
		default:
		}
	}
}

func (m *model) Index(ctx context.Context) (*taxonomy.Index, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.index, nil
}

func (m *model) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.releases {
		if r.Version() == v {
			return r, nil
		}
	}
	return nil, fmt.Errorf("model: %s: %w", v, taxonomy.ErrNotFound)
}

func (m *model) Icon(ctx context.Context, _ *taxonomy.Release, elementID, _ string) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("model: icon of %s: %w", elementID, taxonomy.ErrNotFound)
}

func (m *model) Changes(ctx context.Context) <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	l := make(chan struct{}, 1)
	m.listeners = append(m.listeners, l)
	context.AfterFunc(ctx, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.listeners = slices.DeleteFunc(m.listeners, func(other chan struct{}) bool { return other == l })
		close(l)
	})
	return l
}

// defective is a model with some of its methods replaced.
type defective struct {
	*model
	index    func(context.Context) (*taxonomy.Index, error)
	release  func(context.Context, taxonomy.Version) (*taxonomy.Release, error)
	icon     func(ctx context.Context, elementID, variant string) ([]byte, error)
	changes  func(context.Context) <-chan struct{}
	onUpdate func(c storetest.Content)
}

func (d *defective) Index(ctx context.Context) (*taxonomy.Index, error) {
	if d.index != nil {
		return d.index(ctx)
	}
	return d.model.Index(ctx)
}

func (d *defective) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	if d.release != nil {
		return d.release(ctx, v)
	}
	return d.model.Release(ctx, v)
}

func (d *defective) Icon(ctx context.Context, r *taxonomy.Release, elementID, variant string) ([]byte, error) {
	if d.icon != nil {
		return d.icon(ctx, elementID, variant)
	}
	return d.model.Icon(ctx, r, elementID, variant)
}

func (d *defective) Changes(ctx context.Context) <-chan struct{} {
	if d.changes != nil {
		return d.changes(ctx)
	}
	return d.model.Changes(ctx)
}

func (d *defective) update(c storetest.Content) {
	if d.onUpdate != nil {
		d.onUpdate(c)
		return
	}
	d.model.update(c)
}

// editIndex is the index of a model with its entries edited.
func editIndex(ctx context.Context, d *defective, edit func([]taxonomy.Entry) []taxonomy.Entry) (*taxonomy.Index, error) {
	x, err := d.model.Index(ctx)
	if err != nil {
		return nil, err
	}
	return x.WithVersions(edit(x.Entries()), x.Retired())
}
