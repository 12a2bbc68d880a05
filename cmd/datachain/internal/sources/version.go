package sources

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/datachain-go/datachain/authoring/review"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Version is a release to check. One of a source has more: what its authors allowed and accepted,
// and its places.
type Version struct {
	Release  *taxonomy.Release
	Allowed  []source.Allowance
	Accepted []review.Acceptance

	places *source.Locator
}

// Version returns a version, which must compile.
func (s *Source) Version(v taxonomy.Version) (*Version, error) {
	c, err := s.Load(v)
	if err != nil {
		return nil, err
	}
	places, err := source.NewLocator(s.Root.FS(), v, nil)
	return &Version{c.Release, c.Allowed, c.Accepted, places}, err
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
			const advice = "Name the directory of %s in the source, or a store."
			return nil, fmt.Errorf("--against %s: not a version of %s, so %s can't be compared with it\n%s", b.Ref, v.Type(), v, fmt.Sprintf(advice, b.Ref.Type()))
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

// Live returns the releases of all older versions of a type that are not past their sunset
// on a day, the newest first.
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

// Older returns the releases of all older versions of a type in some stores, each once, without
// those of a source that do not compile.
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

// Place returns a place with its file as the user would type it. Of a store, which is no source,
// there are none.
func (s *Source) Place(at issue.Position) issue.Position {
	if s != nil && at.File != "" {
		at.File = filepath.ToSlash(s.Shown(at.File))
	}
	return at
}

// Located returns findings with their places as the user would type them.
func (s *Source) Located(issues issue.Issues) issue.Issues {
	shown := append(issue.Issues{}, issues...)
	for i := range shown {
		shown[i].Position = s.Place(shown[i].Position)
	}
	return shown
}

// Report returns findings by file, with the texts of the files. Those of a store have no file.
func (s *Source) Report(issues issue.Issues) *report.Report {
	r := new(report.Report)
	last := "?" // the name of no file
	for _, i := range issues {
		if name := i.Position.File; name != last {
			last = name
			r.Files = append(r.Files, report.File{})
			if name != "" {
				r.Files[len(r.Files)-1] = report.File{Name: s.Shown(name), Path: filepath.Join(s.Root.Name(), filepath.FromSlash(name)), Text: s.Text(name)}
			}
		}
		f := &r.Files[len(r.Files)-1]
		f.Findings = append(f.Findings, report.Finding{Issue: i})
	}
	return r
}
