package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// editions are the versions of a source or a store, of which few are read.
type editions interface {
	Index(ctx context.Context) (*taxonomy.Index, error)
	Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error)
}

// sourceEditions are the versions of a schema source, compiled when they are needed.
type sourceEditions struct{ a *authoring }

// Index lists all versions of the source, also if only one was named.
func (s sourceEditions) Index(context.Context) (*taxonomy.Index, error) {
	versions, err := s.versions()
	if err != nil {
		return nil, err
	}
	return s.a.index(versions)
}

func (s sourceEditions) versions() ([]taxonomy.Version, error) {
	whole := *s.a
	whole.within = ""
	versions, _, err := whole.versions()
	return versions, err
}

func (s sourceEditions) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	c, err := await(ctx, func() (*source.Compiled, error) { return source.Compile(s.a.root.FS(), v, nil) })
	if err != nil {
		return nil, err
	}
	if c.Release == nil {
		return nil, s.a.uncompiled(c)
	}
	return c.Release, nil
}

// uncompiled says why a version has no release.
func (a *authoring) uncompiled(c *source.Compiled) error {
	return &uncompiledError{fmt.Sprintf("%s has %s; see 'datachain schema lint %s'", c.Version,
		prose.Count(c.Issues.Count(issue.SeverityError), "error"), a.shown(folder(c.Version)))}
}

// uncompiledError means that a version of a source has errors.
type uncompiledError struct{ message string }

func (e *uncompiledError) Error() string { return e.message }

// lintedEditions are the versions of a schema source of which some have been compiled.
type lintedEditions struct {
	sourceEditions
	tree    *source.Tree
	aliases bool // are needed, and so have to be valid
}

// Index lists all versions of the source.
func (l lintedEditions) Index(ctx context.Context) (*taxonomy.Index, error) {
	if l.aliases {
		return l.sourceEditions.Index(ctx)
	}
	versions, err := l.versions()
	if err != nil {
		return nil, err
	}
	return indexOf(versions)
}

// Release returns a version without compiling it again.
func (l lintedEditions) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	for _, c := range l.tree.Versions {
		switch {
		case c.Version != v:
		case c.Release == nil:
			return nil, l.a.uncompiled(c)
		default:
			return c.Release, nil
		}
	}
	return l.sourceEditions.Release(ctx, v)
}

// baseline is what a version is compared with: a version of some editions, or the last
// one.
type baseline struct {
	from editions
	ref  taxonomy.Ref // zero for the last version
}

// openBaseline opens what --against names: a version of own, a store, or if it is
// empty, the last version of own.
func (p *program) openBaseline(ctx context.Context, typed string, own editions) (*baseline, error) {
	if ref, err := taxonomy.ParseRef(typed); err == nil {
		return &baseline{own, ref}, nil
	}
	if typed == "" {
		return &baseline{from: own}, nil
	}
	s, err := p.openPublished(ctx, typed)
	if errors.Is(err, errNoStore) {
		return nil, fmt.Errorf("--against %s: not a version id such as ai@latest, and %w", typed, errNoStore)
	}
	if err != nil {
		return nil, err
	}
	return &baseline{from: s}, nil
}

// release returns the release to compare a version with: the newest older stable one of
// its type or, if there is none, the newest older one. It returns nil if none is older.
func (b *baseline) release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	x, err := b.from.Index(ctx)
	if err != nil {
		return nil, err
	}
	if b.ref != (taxonomy.Ref{}) {
		if b.ref.Type() != v.Type() {
			return nil, advise(fmt.Errorf("--against %s: not a version of %s, so %s can't be compared with it", b.ref, v.Type(), v),
				"Name the directory of "+b.ref.Type()+" in the source, or a store.")
		}
		e, ok := x.Lookup(b.ref)
		if !ok {
			return nil, unlisted(x, b.ref)
		}
		return b.from.Release(ctx, e.ID)
	}
	var last taxonomy.Version
	for _, e := range x.Entries() { // the newest first
		if e.ID.Type() != v.Type() || e.ID.Date() >= v.Date() {
			continue
		}
		if e.ID.Status() == taxonomy.Stable {
			return b.from.Release(ctx, e.ID)
		}
		if last.IsZero() {
			last = e.ID
		}
	}
	if last.IsZero() {
		return nil, nil
	}
	return b.from.Release(ctx, last)
}
