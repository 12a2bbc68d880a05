package storetest_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/storetest"
)

// The names of the clauses.
const (
	index      = "index lists what was published"
	releases   = "releases are what was published"
	unknown    = "unknown versions are not found"
	aliases    = "aliases open"
	canceled   = "ended contexts end calls"
	itself     = "callers can't change the store"
	concurrent = "concurrent calls agree"
	empty      = "an empty store is empty"
	states     = "states are kept"
	kept       = "retired versions are kept"
	evolutions = "evolutions are kept"
	notifier   = "notifications end with their context"
	icons      = "unknown icons are not found"
	bare       = "releases without symbols are what was published"
	fields     = "unknown fields of the index are kept"

	changedBeta = "a changed beta is served at the next call"
	newVersion  = "a new version takes over aliases"
	retired     = "a retired version is not found"
	oldStays    = "what was read before does not change"
	forward     = "callers do not see the old state again"
	follow      = "states, retired versions and evolutions follow"
	reported    = "changes are reported"
	alsoTold    = "changes of states, retired versions and evolutions are reported"
)

// defect is a broken store, with the clauses that catch it.
type defect struct {
	name   string
	caught []string
	// only is set if the other clauses would trip the race detector, and wait if
	// the clauses fail after waiting.
	only, wait bool
	store      func(d *defective)
}

// defects are all of them.
var defects = slices.Concat(storeDefects, indexDefects, updateDefects)

var storeDefects = []defect{
	{
		name: "needs symbols", caught: []string{bare},
		store: func(d *defective) {
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				r, err := d.model.Release(ctx, v)
				if err == nil && len(r.SymbolIDs()) == 0 {
					return nil, errors.New("the release has no symbols")
				}
				return r, err
			}
		},
	},
	{
		name: "forgets declared aliases", caught: []string{index, aliases, itself, concurrent, fields, changedBeta, newVersion, retired, oldStays, follow, reported},
		store: func(d *defective) {
			d.index = func(ctx context.Context) (*taxonomy.Index, error) {
				return editIndex(ctx, d, func(e []taxonomy.Entry) []taxonomy.Entry {
					for i := range e {
						e[i].Aliases = nil
					}
					return e
				})
			}
		},
	},
	{
		name: "forgets the day of a release", caught: []string{index, itself, concurrent, fields, changedBeta, newVersion, retired, oldStays, follow, reported},
		store: func(d *defective) {
			d.index = func(ctx context.Context) (*taxonomy.Index, error) {
				return editIndex(ctx, d, func(e []taxonomy.Entry) []taxonomy.Entry {
					for i := range e {
						e[i].Released = ""
					}
					return e
				})
			}
		},
	},
	{
		name: "lists a version too few", caught: []string{index, aliases, itself, concurrent, states, bare, fields, changedBeta, newVersion, retired, oldStays, forward, follow, reported},
		store: func(d *defective) {
			d.index = func(ctx context.Context) (*taxonomy.Index, error) {
				return editIndex(ctx, d, func(e []taxonomy.Entry) []taxonomy.Entry { return e[min(1, len(e)):] })
			}
		},
	},
	{
		name: "lists another hash", caught: []string{index, itself, concurrent, bare, fields, changedBeta, newVersion, retired, oldStays, forward, follow, reported},
		store: func(d *defective) {
			d.index = func(ctx context.Context) (*taxonomy.Index, error) {
				return editIndex(ctx, d, func(e []taxonomy.Entry) []taxonomy.Entry {
					for i := range e {
						e[i].ContentHash[0]++
					}
					return e
				})
			}
		},
	},
	{
		name: "files releases by hash alone", caught: []string{releases, aliases, itself, concurrent, changedBeta, newVersion, retired, oldStays},
		store: func(d *defective) {
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				r, err := d.model.Release(ctx, v)
				if err != nil {
					return nil, err
				}
				d.mu.Lock()
				defer d.mu.Unlock()
				for _, other := range d.releases {
					if other.ContentHash() == r.ContentHash() {
						return other, nil
					}
				}
				return r, nil
			}
		},
	},
	{
		name: "gives other content", caught: []string{releases, itself, concurrent, bare, changedBeta, newVersion, retired, oldStays, forward},
		store: func(d *defective) {
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				r, err := d.model.Release(ctx, v)
				if err != nil {
					return nil, err
				}
				return taxonomy.NewRelease(v, taxonomy.Content{
					Locales: r.Locales(), Type: taxonomy.Type{ID: v.Type(), Categories: []string{}, Subchains: []taxonomy.Subchain{}},
				})
			}
		},
	},
	{
		name: "gives nothing, not even an error", caught: []string{unknown, empty, retired},
		store: func(d *defective) {
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				r, err := d.model.Release(ctx, v)
				if errors.Is(err, taxonomy.ErrNotFound) {
					return nil, nil
				}
				return r, err
			}
		},
	},
	{
		name: "says not found in words of its own", caught: []string{unknown, empty, retired},
		store: func(d *defective) {
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				r, err := d.model.Release(ctx, v)
				if errors.Is(err, taxonomy.ErrNotFound) {
					return nil, errors.New("not found")
				}
				return r, err
			}
		},
	},
	{
		name: "gives the next best beside the error", caught: []string{unknown},
		store: func(d *defective) {
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				r, err := d.model.Release(ctx, v)
				if v.Type() == "nope" {
					return d.releases[0], err
				}
				return r, err
			}
		},
	},
	{
		name: "takes a beta for the stable version", caught: []string{unknown},
		store: func(d *defective) {
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				r, err := d.model.Release(ctx, v)
				if !errors.Is(err, taxonomy.ErrNotFound) || v.IsZero() {
					return r, err
				}
				other, err := taxonomy.NewVersion(v.Type(), v.Date(), taxonomy.Stable)
				if err != nil {
					return nil, err
				}
				return d.model.Release(ctx, other)
			}
		},
	},
	{
		name: "Index does not look at the context", caught: []string{canceled},
		store: func(d *defective) {
			d.index = func(ctx context.Context) (*taxonomy.Index, error) { return d.model.Index(context.WithoutCancel(ctx)) }
		},
	},
	{
		name: "Release does not look at the context", caught: []string{canceled},
		store: func(d *defective) {
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				return d.model.Release(context.WithoutCancel(ctx), v)
			}
		},
	},
	{
		name: "Release looks at the context at the first read only", caught: []string{canceled},
		store: func(d *defective) {
			var read sync.Map
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				if _, ok := read.Load(v); ok {
					ctx = context.WithoutCancel(ctx)
				}
				r, err := d.model.Release(ctx, v)
				if err == nil {
					read.Store(v, true)
				}
				return r, err
			}
		},
	},
	{
		name: "remembers that a caller gave up", caught: []string{canceled},
		store: func(d *defective) {
			var failed atomic.Pointer[error]
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				if err := failed.Load(); err != nil {
					return nil, *err
				}
				r, err := d.model.Release(ctx, v)
				if ctx.Err() != nil {
					failed.Store(&err)
				}
				return r, err
			}
		},
	},
	{
		name: "keeps the slices of the caller", caught: []string{itself},
		store: func(d *defective) {
			d.onUpdate = func(c storetest.Content) {
				d.model.update(c)
				d.mu.Lock()
				defer d.mu.Unlock()
				d.releases = c.Releases
			}
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				d.mu.Lock()
				missing := slices.Contains(d.releases, nil)
				d.mu.Unlock()
				if missing {
					return nil, errors.New("a release is missing")
				}
				return d.model.Release(ctx, v)
			}
		},
	},
	{
		name: "can take one caller at a time", caught: []string{concurrent, forward},
		store: func(d *defective) {
			var inside atomic.Int32
			d.release = func(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
				defer inside.Add(-1)
				if inside.Add(1) > 1 {
					return nil, errors.New("busy")
				}
				time.Sleep(time.Millisecond) // so that others come
				return d.model.Release(ctx, v)
			}
		},
	},
	{
		name: "has no index while it is empty", caught: []string{empty, oldStays},
		store: func(d *defective) {
			d.index = func(ctx context.Context) (*taxonomy.Index, error) {
				x, err := d.model.Index(ctx)
				if err == nil && x.Len() == 0 {
					return nil, nil
				}
				return x, err
			}
		},
	},
	{
		name: "fails while it is empty", caught: []string{empty, oldStays},
		store: func(d *defective) {
			d.index = func(ctx context.Context) (*taxonomy.Index, error) {
				x, err := d.model.Index(ctx)
				if err == nil && x.Len() == 0 {
					return nil, taxonomy.ErrNotFound
				}
				return x, err
			}
		},
	},
	{
		name: "never ends notifications", caught: []string{notifier}, wait: true,
		store: func(d *defective) {
			d.changes = func(ctx context.Context) <-chan struct{} { return d.model.Changes(context.WithoutCancel(ctx)) }
		},
	},
	{
		name: "ends all notifications at once", caught: []string{notifier, reported, alsoTold},
		store: func(d *defective) {
			closed := make(chan struct{})
			close(closed)
			d.changes = func(context.Context) <-chan struct{} { return closed }
		},
	},
	{
		name: "reports nothing", caught: []string{reported}, wait: true,
		store: func(d *defective) {
			d.changes = func(ctx context.Context) <-chan struct{} {
				silent := make(chan struct{})
				context.AfterFunc(ctx, func() { close(silent) })
				return silent
			}
		},
	},
	{
		name: "reports to one of its listeners", caught: []string{reported}, wait: true,
		store: func(d *defective) {
			d.onUpdate = func(c storetest.Content) {
				d.mu.Lock()
				all := d.listeners
				d.listeners = all[:min(1, len(all))]
				d.mu.Unlock()
				d.model.update(c)
				d.mu.Lock()
				d.listeners = all
				d.mu.Unlock()
			}
		},
	},
	{
		name: "has an icon for everything", caught: []string{icons},
		store: func(d *defective) {
			d.icon = func(ctx context.Context, _, _ string) ([]byte, error) { return []byte("<svg/>"), ctx.Err() }
		},
	},
	{
		name: "follows the name of an icon", caught: []string{icons},
		store: func(d *defective) {
			d.icon = func(ctx context.Context, elementID, variant string) ([]byte, error) {
				if elementID == "../symbols" {
					return []byte("<svg/>"), nil
				}
				return d.model.Icon(ctx, nil, elementID, variant)
			}
		},
	},
	{
		name: "Icon does not look at the context", caught: []string{icons},
		store: func(d *defective) {
			d.icon = func(ctx context.Context, elementID, variant string) ([]byte, error) {
				return d.model.Icon(context.WithoutCancel(ctx), nil, elementID, variant)
			}
		},
	},
	{
		name: "gives no release and no error", caught: []string{releases, unknown, aliases, canceled, itself, concurrent, empty, icons, bare, changedBeta, newVersion, retired, oldStays, forward},
		store: func(d *defective) {
			d.release = func(context.Context, taxonomy.Version) (*taxonomy.Release, error) { return nil, nil }
		},
	},
	{
		name: "gives no index and no error", caught: []string{index, aliases, canceled, itself, concurrent, empty, states, kept, evolutions, bare, fields, changedBeta, newVersion, retired, oldStays, forward, follow, reported},
		store: func(d *defective) {
			d.index = func(context.Context) (*taxonomy.Index, error) { return nil, nil }
		},
	},
	{
		name: "has no channel", caught: []string{notifier, reported, alsoTold},
		store: func(d *defective) {
			d.changes = func(context.Context) <-chan struct{} { return nil }
		},
	},
}
