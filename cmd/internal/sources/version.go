package sources

import (
	"context"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Version is a release to check. One of a source also has what its authors allowed, and the places of
// its parts.
type Version struct {
	Release *taxonomy.Release
	Allowed []source.Allowance

	places *source.Locator
}

// Version returns a version, which must compile.
func (s *Source) Version(v taxonomy.Version) (*Version, error) {
	c, err := s.Load(v)
	if err != nil {
		return nil, err
	}
	places, err := source.NewLocator(s.fsys(), v, nil)
	return &Version{c.Release, c.Allowed, places}, err
}

// Find returns the place of a part of the release in the source, if it has one.
func (v *Version) Find(subject diff.Subject, id string, path issue.Path) issue.Position {
	kind := source.Kind("")
	switch subject {
	case diff.Category:
		kind = source.KindCategory
	case diff.Element:
		kind = source.KindElement
	case diff.Symbol:
		kind = source.KindSymbol
	case diff.DatachainType:
		id, path = "", append(issue.Root.Key("datachain_type"), path...)
	case diff.Manifest:
		id = ""
	}
	if v.places == nil {
		return issue.Position{}
	}
	return v.places.Find(kind, id, path)
}

// Item returns the place of something with an id in the source, if it has one.
func (v *Version) Item(i *history.Item) issue.Position {
	if v.places == nil {
		return issue.Position{}
	}
	return v.places.Item(i)
}

// Selection is the versions that a command checks.
type Selection struct {
	Versions []taxonomy.Version
	// Store has all versions of the source or store.
	Store taxonomy.Store
	// Source is nil for versions of a store.
	Source *Source
}

// Load reads a version.
func (s *Selection) Load(ctx context.Context, v taxonomy.Version) (*Version, error) {
	if s.Source != nil {
		return s.Source.Version(v)
	}
	r, err := s.Store.Release(ctx, v)
	return &Version{Release: r}, err
}
