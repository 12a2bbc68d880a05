package main

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// changeSet is the changes between two releases with what people need to read them.
type changeSet struct {
	*diff.Report
	before, after *taxonomy.Release
	// locale is the language of titles.
	locale string
	// released is the day on which the new version was released, or "".
	released string
}

// changeGroup is the changes of a category and its elements, or of the version as a
// whole, or of symbols.
type changeGroup struct {
	id, title string // of the category; "" for others
	subject   diff.Subject
	changes   []diff.Change
}

// heading returns the name of the group.
func (g *changeGroup) heading() string {
	switch g.subject {
	case diff.Manifest:
		return "Schema version"
	case diff.Symbol:
		return "Symbols"
	}
	return named(g.title, g.id)
}

// named returns a title with the id that it belongs to.
func named(title, id string) string {
	if title == "" {
		return id
	}
	return title + " (" + id + ")"
}

// groups sorts changes by category: the version as a whole comes first, and symbols
// last.
func (s *changeSet) groups(changes []diff.Change) []changeGroup {
	order := map[string]int{}
	for _, r := range []*taxonomy.Release{s.after, s.before} {
		for _, c := range r.Categories() {
			if _, known := order[c.ID]; !known {
				order[c.ID] = len(order)
			}
		}
	}
	var list []changeGroup
	at := map[string]int{}
	for _, c := range changes {
		g := s.groupOf(&c)
		key := string(g.subject) + " " + g.id
		i, known := at[key]
		if !known {
			i = len(list)
			at[key], list = i, append(list, g)
		}
		list[i].changes = append(list[i].changes, c)
	}
	rank := func(g *changeGroup) int {
		return slices.Index([]diff.Subject{diff.Manifest, diff.Category, diff.Symbol}, g.subject)
	}
	slices.SortStableFunc(list, func(a, b changeGroup) int {
		return cmp.Or(cmp.Compare(rank(&a), rank(&b)), cmp.Compare(order[a.id], order[b.id]))
	})
	return list
}

// groupOf returns the group of a change, without changes.
func (s *changeSet) groupOf(c *diff.Change) changeGroup {
	switch c.Subject {
	case diff.Manifest, diff.DatachainType:
		return changeGroup{subject: diff.Manifest}
	case diff.Symbol:
		return changeGroup{subject: diff.Symbol}
	case diff.Category:
		return changeGroup{subject: diff.Category, id: c.ID, title: s.categoryName(c.ID)}
	}
	id := ""
	if e := s.element(c.ID); e != nil {
		id = s.newCategory(e.CategoryID)
	}
	return changeGroup{subject: diff.Category, id: id, title: s.categoryName(id)}
}

// newCategory returns the id that a category has now, if it was renamed.
func (s *changeSet) newCategory(id string) string {
	for i := range s.Changes {
		if c := &s.Changes[i]; c.Kind == diff.Renamed && c.Subject == diff.Category && len(c.Path) == 0 && textOf(c.Old) == id {
			return c.ID
		}
	}
	return id
}

// element returns an element of the new release or, if it was removed, of the old one.
func (s *changeSet) element(id string) *taxonomy.Element {
	if e, ok := s.after.Element(id); ok {
		return e
	}
	e, _ := s.before.Element(id)
	return e
}

func (s *changeSet) elementTitle(id string) string {
	e := s.element(id)
	if e == nil {
		return ""
	}
	return prose.Line(e.Title.Pick(s.locale))
}

func (s *changeSet) categoryName(id string) string {
	for _, r := range []*taxonomy.Release{s.after, s.before} {
		if c, ok := r.Category(id); ok {
			return prose.Line(c.Name.Pick(s.locale))
		}
	}
	return ""
}

// what returns the part that a change is about and, if it has one, the field, for a
// line below the heading of its group.
func (s *changeSet) what(c *diff.Change) string {
	var parts []string
	switch c.Subject {
	case diff.Element:
		parts = append(parts, named(s.elementTitle(c.ID), c.ID))
	case diff.Category:
		if len(c.Path) == 0 {
			parts = append(parts, "the category")
		}
	case diff.DatachainType:
		parts = append(parts, "datachain type")
	case diff.Symbol:
		parts = append(parts, c.ID)
	}
	if len(c.Path) > 0 {
		parts = append(parts, c.Path.String())
	}
	return prose.Line(strings.Join(parts, ": "))
}

// textOf returns a JSON value that is a string, otherwise "".
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

// telling reports whether the consequence of a change says more than the heading of its
// severity.
func telling(c *diff.Change) bool {
	rule, _ := diff.LookupRule(c.Rule)
	return c.Severity == diff.Breaking || c.Severity == diff.Notable && c.Consequence != rule.Consequence || c.Warns
}
