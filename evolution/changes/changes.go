// Package changes presents the changes between two versions to people: by category, and
// as release notes in Markdown. Package diff finds and judges them.
package changes

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/taxonomy"
)

// Set is the changes between two releases. It is not safe for concurrent use.
type Set struct {
	*diff.Report
	before, after *taxonomy.Release
	became        map[string]string // the new ids of categories that were renamed
	order         map[string]int    // of categories
	users         map[string]string // an element for each symbol
}

// New returns the changes between two releases, which the report lists.
func New(before, after *taxonomy.Release, r *diff.Report) *Set {
	s := &Set{Report: r, before: before, after: after, became: make(map[string]string), order: make(map[string]int)}
	for i := range r.Changes {
		if c := &r.Changes[i]; c.Kind == diff.Renamed && c.Subject == diff.Category && len(c.Path) == 0 {
			s.became[Text(c.Old)] = c.ID
		}
	}
	for _, r := range []*taxonomy.Release{after, before} {
		for _, c := range r.Categories() {
			if _, known := s.order[c.ID]; !known {
				s.order[c.ID] = len(s.order) + 1
			}
		}
	}
	return s
}

// Group is the changes of a category, its elements and their symbols, or of the version
// itself.
type Group struct {
	Category string // or "" for the version itself
	Changes  []*diff.Change
}

// Groups sorts changes by category, in the order of the categories; the version itself
// comes first.
func (s *Set) Groups(list []diff.Change) []Group {
	var groups []Group
	at := make(map[string]int)
	for i := range list {
		id := s.CategoryOf(&list[i])
		k, known := at[id]
		if !known {
			k = len(groups)
			at[id], groups = k, append(groups, Group{Category: id})
		}
		groups[k].Changes = append(groups[k].Changes, &list[i])
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(s.order[a.Category], s.order[b.Category]) })
	return groups
}

// CategoryOf returns the category that a change belongs to, by its new id, or "" for the
// version itself. A symbol belongs to the first element that uses it.
func (s *Set) CategoryOf(c *diff.Change) string {
	id := c.ID
	switch c.Subject {
	case diff.Category:
		return id
	case diff.Symbol:
		id = s.UserOf(id)
	case diff.Element:
	default:
		return ""
	}
	e, _ := s.Element(id)
	if e == nil {
		return ""
	}
	return cmp.Or(s.became[e.CategoryID], e.CategoryID)
}

// Element returns an element as it is, or as it was if it was removed, and the release
// that has it; or nil.
func (s *Set) Element(id string) (*taxonomy.Element, *taxonomy.Release) {
	for _, r := range []*taxonomy.Release{s.after, s.before} {
		if e, ok := r.Element(id); ok {
			return e, r
		}
	}
	return nil, nil
}

// Category returns a category as it is, or as it was if it was removed, and the release
// that has it; or nil.
func (s *Set) Category(id string) (*taxonomy.Category, *taxonomy.Release) {
	for _, r := range []*taxonomy.Release{s.after, s.before} {
		if c, ok := r.Category(id); ok {
			return c, r
		}
	}
	return nil, nil
}

// UserOf returns the first element that uses a symbol, or "".
func (s *Set) UserOf(symbol string) string {
	if s.users == nil {
		s.users = make(map[string]string)
		for _, r := range []*taxonomy.Release{s.after, s.before} {
			for _, e := range r.Elements() {
				if s.users[e.SymbolID] == "" {
					s.users[e.SymbolID] = e.ID
				}
			}
		}
	}
	return s.users[symbol]
}

// Tells reports whether the consequence of a change says more than its severity.
func Tells(c *diff.Change) bool {
	rule, _ := diff.LookupRule(c.Rule)
	return c.Severity == diff.Breaking || c.Severity == diff.Notable && c.Consequence != rule.Consequence || c.Warns
}

// Text returns a value of a change that is a string, otherwise "".
func Text(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}
