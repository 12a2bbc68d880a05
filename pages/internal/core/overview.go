package core

import (
	"context"
	"net/url"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/internal/words"
	"github.com/datachain-go/datachain/taxonomy"
)

// Ending says that a version is deprecated.
type Ending struct {
	// Version is set if the page is about several.
	Version               string
	Since, Sunset, Reason string
	// Next is the version to upgrade to, and Compare leads to what changes with it; both
	// may be empty.
	Next    *Choice
	Compare string
}

// Ending returns what readers of a version should know if it is deprecated, or nil.
func (q *Request) Ending(v taxonomy.Version) *Ending {
	e, _ := q.Index.Lookup(v.Ref())
	if e.Deprecated == "" {
		return nil
	}
	w := q.Words
	end := &Ending{Since: w.Word("catalog.deprecated", w.Day(e.Deprecated)), Reason: e.Reason}
	if e.Sunset != "" {
		end.Sunset = w.Word("catalog.sunset", w.Day(e.Sunset))
	}
	if next, known := q.Index.Successor(v); known {
		end.Next = &Choice{Name: next.String(), URL: q.To(CatalogPath(next), nil)}
		if q.Has(ComparePath) {
			end.Compare = q.To(ComparePath, url.Values{"old": {v.String()}, "new": {next.String()}})
		}
	}
	return end
}

// StatusNote returns the status of a version, and whether it is deprecated.
func (q *Request) StatusNote(e taxonomy.Entry) string {
	status := q.StatusName(e.ID.Status())
	if e.Deprecated != "" {
		status += ", " + q.Word("layout.deprecated")
	}
	return status
}

// FirstPair returns the versions to compare first: of the first type that has two, the
// newest stable one and the newest other one after it, or else the two newest.
func (q *Request) FirstPair() (before, after string) {
	for _, t := range byType(q.Index) {
		if len(t.Entries) < 2 {
			continue
		}
		stable := slices.IndexFunc(t.Entries, func(e taxonomy.Entry) bool { return e.ID.Status() == taxonomy.Stable })
		if stable > 0 {
			return t.Entries[stable].ID.String(), t.Entries[0].ID.String()
		}
		return t.Entries[1].ID.String(), t.Entries[0].ID.String()
	}
	return "", ""
}

// StatusName names the status of a version.
func (q *Request) StatusName(s taxonomy.Status) string {
	if s == taxonomy.Beta {
		return q.Word("layout.beta")
	}
	return q.Word("layout.stable")
}

// Overview is what an index lists, by datachain type.
type Overview struct {
	index *taxonomy.Index
	Types []*PublishedType
	// Locales are the languages of the words of pages and of the latest versions, and
	// Translated those of the latest versions, or English.
	Locales, Translated []string
}

// PublishedType is the versions of a datachain type.
type PublishedType struct {
	ID      string
	Entries []taxonomy.Entry // newest first
	Latest  taxonomy.Entry
	Schema  *datachain.Schema // of the latest version, or nil if it can't be read
}

// First returns the version to write new documents for: the newest stable one, or else the
// latest.
func (p *PublishedType) First() taxonomy.Version {
	for _, e := range p.Entries {
		if e.ID.Status() == taxonomy.Stable {
			return e.ID
		}
	}
	return p.Latest.ID
}

// Overview returns the overview of an index. It is kept until the index changes, if all
// latest versions could be read.
func (s *Site) Overview(ctx context.Context, index *taxonomy.Index) *Overview {
	if kept := s.overviews.Load(); kept != nil && kept.index.Equal(index) {
		return kept
	}
	o := &Overview{index: index, Types: byType(index), Locales: slices.Clone(words.Languages().Languages)}
	complete, translated := true, make(map[string]bool)
	for _, t := range o.Types {
		schema, err := s.Service.Open(ctx, t.Latest.ID.String())
		if err != nil {
			complete = false
			continue
		}
		t.Schema = schema
		complete = complete && schema.Release().ContentHash() == t.Latest.ContentHash
		for _, locale := range schema.Release().Locales() {
			translated[locale] = true
			if !slices.Contains(o.Locales, locale) {
				o.Locales = append(o.Locales, locale)
			}
		}
	}
	o.Translated = slices.DeleteFunc(slices.Clone(o.Locales), func(locale string) bool { return !translated[locale] })
	if len(o.Translated) == 0 {
		o.Translated = o.Locales[:1]
	}
	if complete {
		s.overviews.Store(o)
	}
	return o
}

// byType groups the versions of an index, which are sorted by type, then newest first.
func byType(index *taxonomy.Index) []*PublishedType {
	var list []*PublishedType
	for _, entry := range index.Entries() {
		if len(list) == 0 || list[len(list)-1].ID != entry.ID.Type() {
			list = append(list, &PublishedType{ID: entry.ID.Type(), Latest: entry})
		}
		t := list[len(list)-1]
		t.Entries = append(t.Entries, entry)
		if IsLatest(entry) {
			t.Latest = entry
		}
	}
	return list
}

// IsLatest reports whether a version is the latest one of its type.
func IsLatest(e taxonomy.Entry) bool {
	return slices.Contains(e.Aliases, e.ID.Type()+"@"+codes.AliasLatest)
}

// Siblings returns the versions of the same type as the one of the request.
func (q *Request) Siblings() []taxonomy.Entry {
	typ := q.Release().Version().Type()
	return slices.DeleteFunc(q.Index.Entries(), func(e taxonomy.Entry) bool { return e.ID.Type() != typ })
}

// Released returns the date of a version: the one on which it was released, or else the
// one in its id.
func (q *Request) Released(v taxonomy.Version) string {
	if e, ok := q.Index.Lookup(v.Ref()); ok && e.Released != "" {
		return e.Released
	}
	return v.Date()
}
