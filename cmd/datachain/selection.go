package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/cmd/datachain/internal/stores"
	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// selection is the versions that a command checks.
type selection struct {
	versions []taxonomy.Version
	// store has all versions of the source or store.
	store taxonomy.Store
	// source is nil for versions of a store.
	source *sources.Source
}

// choose returns the versions that an argument stands for: a version of a location if it
// has an @, otherwise the newest version of each type in a directory or, without an
// argument, of the location. The samples have to be named, unless they are allowed.
func (p *program) choose(cmd *cobra.Command, args []string, samples bool) (*selection, error) {
	from := p.from
	typed := strings.Join(args, "")
	version := ""
	if _, err := os.Stat(p.path(typed)); strings.Contains(typed, "@") {
		_, invalid := taxonomy.ParseRef(typed)
		if invalid == nil {
			version = typed
		} else if err != nil {
			return nil, invalid
		}
	}
	switch {
	case version != "":
	case typed != "" && strings.HasPrefix(from.By, "--"):
		return nil, badUsage(cmd, "%s can't be used with the directory %s; name a version, such as ai@latest", from.By, typed)
	case typed != "" && location.IsStore(p.path(typed)):
		from = location.Location{Store: typed, By: "--store"}
	case typed != "", from.Samples && from.By == "" && !samples:
		from = location.Location{Schemas: dirArgument(args)}
	}
	if from.Schemas == "" {
		return p.chooseStored(cmd.Context(), version, from)
	}
	a, err := p.openSourceAt(from)
	if err != nil {
		return nil, err
	}
	if typed == "" || version != "" {
		p.announceLocation(from)
	}
	chosen := &selection{store: a, source: a}
	if version != "" {
		v, err := a.Find(version)
		chosen.versions = []taxonomy.Version{v}
		return chosen, err
	}
	versions, _, err := a.Versions()
	if err != nil {
		return nil, err
	}
	if chosen.versions = sources.Newest(versions); len(versions) == 0 {
		return nil, fmt.Errorf("%s: %w", from.Schemas, sources.ErrNoSource)
	}
	return chosen, nil
}

// chooseStored returns a version of a store, or the newest of each type.
func (p *program) chooseStored(ctx context.Context, version string, from location.Location) (*selection, error) {
	schemas, err := p.openAt(ctx, from)
	if err != nil {
		return nil, err
	}
	if version != "" {
		schema, err := schemas.Open(ctx, version)
		if err != nil {
			return nil, err
		}
		return &selection{versions: []taxonomy.Version{schema.Release().Version()}, store: schemas.store}, nil
	}
	x, err := schemas.Versions(ctx)
	if err != nil {
		return nil, err
	}
	var all []taxonomy.Version
	for _, e := range x.Entries() {
		all = append(all, e.ID)
	}
	if len(all) == 0 {
		return nil, errNoVersions
	}
	return &selection{versions: sources.Newest(all), store: schemas.store}, nil
}

// chosenVersion is a version that a command checks.
type chosenVersion struct {
	release *taxonomy.Release
	// allowed, accepted and places are what a source says about the version besides.
	allowed  []source.Allowance
	accepted []review.Acceptance
	places   *source.Locator
}

// load reads a version.
func (s *selection) load(ctx context.Context, v taxonomy.Version) (*chosenVersion, error) {
	if s.source != nil {
		return loadVersion(ctx, s.source, v)
	}
	r, err := s.store.Release(ctx, v)
	return &chosenVersion{release: r}, err
}

// loadVersion reads a version of a source.
func loadVersion(ctx context.Context, a *sources.Source, v taxonomy.Version) (*chosenVersion, error) {
	c, err := await(ctx, func() (*source.Compiled, error) { return a.Load(v) })
	if err != nil {
		return nil, err
	}
	places, err := source.NewLocator(a.Root.FS(), v, nil)
	return &chosenVersion{c.Release, c.Allowed, c.Accepted, places}, err
}

// position returns the place of a change in the source.
func (c *chosenVersion) position(change *diff.Change) issue.Position {
	if change.Subject == diff.Element && change.Kind == diff.Removed && len(change.Path) == 0 {
		return c.find(diff.Manifest, "", issue.Root.Key("removed").Key(change.ID))
	}
	return c.find(change.Subject, change.ID, change.Path)
}

// find returns the place of a part of a release in the source.
func (c *chosenVersion) find(subject diff.Subject, id string, path issue.Path) issue.Position {
	if c.places == nil {
		return issue.Position{}
	}
	switch subject {
	case diff.Category:
		return c.places.Find(source.KindCategory, id, path)
	case diff.Element:
		return c.places.Find(source.KindElement, id, path)
	case diff.Symbol:
		return c.places.Find(source.KindSymbol, id, path)
	case diff.DatachainType:
		return c.places.Find("", "", append(issue.Root.Key("datachain_type"), path...))
	}
	return c.places.Find("", "", path)
}

// baseline is what a version is compared with: a version of a store, or the last one.
type baseline struct {
	store taxonomy.Store
	ref   taxonomy.Ref // zero for the last version
}

// openBaseline opens what --against names: a version of own, a store, or if it is
// empty, the last version of own.
func (p *program) openBaseline(ctx context.Context, typed string, own taxonomy.Store) (*baseline, error) {
	if ref, err := taxonomy.ParseRef(typed); err == nil {
		return &baseline{own, ref}, nil
	}
	if typed == "" {
		return &baseline{store: own}, nil
	}
	s, err := p.openStore(ctx, location.Location{Store: typed, By: "--against"})
	if errors.Is(err, stores.ErrNoStore) {
		return nil, fmt.Errorf("--against %s: not a version id such as ai@latest, and %w", typed, stores.ErrNoStore)
	}
	if err != nil {
		return nil, err
	}
	return &baseline{store: s.Store}, nil
}

// release returns the release to compare a version with: the newest older stable one of
// its type or, if there is none, the newest older one. It returns nil if none is older.
func (b *baseline) release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	x, err := b.store.Index(ctx)
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
			return nil, sources.Unlisted(x, b.ref)
		}
		return readRelease(ctx, b.store, e.ID)
	}
	var last taxonomy.Version
	for _, e := range older(x, v) {
		if e.ID.Status() == taxonomy.Stable {
			return readRelease(ctx, b.store, e.ID)
		}
		if last.IsZero() {
			last = e.ID
		}
	}
	if last.IsZero() {
		return nil, nil
	}
	return readRelease(ctx, b.store, last)
}

// older returns the older versions of the type of a version, the newest first.
func older(x *taxonomy.Index, v taxonomy.Version) []taxonomy.Entry {
	return slices.DeleteFunc(x.Entries(), func(e taxonomy.Entry) bool { return e.ID.Type() != v.Type() || e.ID.Date() >= v.Date() })
}

// readRelease reads a version until ctx ends.
func readRelease(ctx context.Context, s taxonomy.Store, v taxonomy.Version) (*taxonomy.Release, error) {
	return await(ctx, func() (*taxonomy.Release, error) { return s.Release(ctx, v) })
}

// live returns the releases of all older versions of a type that are not past their sunset
// on a day, the newest first.
func (b *baseline) live(ctx context.Context, v taxonomy.Version, day string) ([]*taxonomy.Release, error) {
	x, err := b.store.Index(ctx)
	if err != nil {
		return nil, err
	}
	var all []*taxonomy.Release
	for _, e := range older(x, v) {
		if e.Sunset != "" && e.Sunset <= day {
			continue
		}
		r, err := readRelease(ctx, b.store, e.ID)
		if err != nil {
			return nil, err
		}
		all = append(all, r)
	}
	return all, nil
}
