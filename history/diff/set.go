package diff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// Set is the changes between two releases. It is not safe for concurrent use.
type Set struct {
	*Report
	before, after *taxonomy.Release
	became        map[string]string // the new ids of categories that were renamed
	order         map[string]int    // of categories
	users         map[string]string // an element for each symbol
}

// NewSet returns the changes between two releases, which the report lists.
func NewSet(before, after *taxonomy.Release, r *Report) *Set {
	s := &Set{Report: r, before: before, after: after, became: make(map[string]string), order: make(map[string]int)}
	for i := range r.Changes {
		if c := &r.Changes[i]; c.Kind == Renamed && c.Subject == Category && len(c.Path) == 0 {
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
	Changes  []*Change
}

// Groups sorts changes by category, in the order of the categories; the version itself
// comes first.
func (s *Set) Groups(list []Change) []Group {
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
func (s *Set) CategoryOf(c *Change) string {
	id := c.ID
	switch c.Subject {
	case Category:
		return id
	case Symbol:
		id = s.UserOf(id)
	case Element:
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

// Notation is how a format writes texts, and ids and paths of fields.
type Notation struct{ Text, Code func(string) string }

// named returns a title with the id that it belongs to.
func (n Notation) named(title, id string) string {
	if title == "" {
		return n.Code(id)
	}
	return n.Text(title) + " (" + n.Code(id) + ")"
}

// Heading returns the name of a category in a language, or that of a group without one.
func (s *Set) Heading(category, locale string, n Notation) string {
	c, _ := s.Category(category)
	if c == nil {
		return "Schema version"
	}
	return n.named(c.Name.Pick(locale), category)
}

// Describe returns the part that a change is about and, if it has one, the field, for a line below
// the heading of its group.
func (s *Set) Describe(c *Change, locale string, n Notation) string {
	var parts []string
	switch c.Subject {
	case Element:
		title := ""
		if e, _ := s.Element(c.ID); e != nil {
			title = e.Title.Pick(locale)
		}
		parts = append(parts, n.named(title, c.ID))
	case Symbol:
		parts = append(parts, "symbol "+n.Code(c.ID))
	case Category:
		if len(c.Path) == 0 {
			parts = append(parts, "the category")
		}
	case DatachainType:
		parts = append(parts, "datachain type")
	}
	if len(c.Path) > 0 {
		parts = append(parts, n.Code(c.Path.String()))
	}
	return strings.Join(parts, ": ")
}

// HasConsequence reports whether the consequence of a change says more than its severity does.
func HasConsequence(c *Change) bool {
	rule, _ := LookupRule(c.Rule)
	return c.Severity == Breaking || c.Severity == Notable && c.Consequence != rule.Consequence || c.Warns
}
