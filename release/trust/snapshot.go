package trust

import (
	"bytes"
	"fmt"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// text returns a member that is a string, or "".
func text(v document.Value, key string) string {
	m, _ := v.Get(key)
	if m.Kind() != '"' {
		return ""
	}
	return m.Text()
}

// checkSnapshot returns an error that wraps [ErrSnapshot] unless the snapshot and the symbols of a
// document are parts of a release, in its order, and all that the document places is among them.
func checkSnapshot(doc *document.Document, r *taxonomy.Release) error {
	c := &snapshotCheck{release: r, root: doc.Root()}
	if snapshot, ok := c.root.Get(keySnapshot); ok {
		c.snapshot(snapshot)
		c.placements()
	}
	if symbols, ok := c.root.Get(keySymbols); ok {
		c.symbols(symbols)
	}
	return c.err
}

// snapshotCheck is the work of [checkSnapshot]. It keeps the first error.
type snapshotCheck struct {
	release *taxonomy.Release
	root    document.Value
	// categories and elements are the ids of those in the snapshot.
	categories, elements map[string]bool
	err                  error
}

func (c *snapshotCheck) fail(at issue.Path, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%w: %s: %s", ErrSnapshot, at, fmt.Sprintf(format, args...))
	}
}

func (c *snapshotCheck) snapshot(snapshot document.Value) {
	for m := range snapshot.All() {
		if key := m.Key(); key != "datachain_type" && key != "categories" && key != "elements" {
			c.fail(m.Path(), "a snapshot can't have this field")
		}
	}
	typ, _ := snapshot.Get("datachain_type")
	categories, _ := snapshot.Get("categories")
	elements, _ := snapshot.Get("elements")
	if typ.Kind() != '{' || categories.Kind() != '[' || elements.Kind() != '[' {
		c.fail(issue.Root.Key(keySnapshot), "it must have the object datachain_type and the lists categories and elements")
		return
	}
	c.equal(typ, c.release.TypeJSON())
	c.categories = c.parts("category", categories, c.release.Type().Categories, c.release.CategoryJSON)
	c.elements = c.parts("element", elements, c.release.ElementIDs(), c.release.ElementJSON)
	for e := range elements.All() {
		if id := text(e, "category_id"); !c.categories[id] {
			c.fail(e.Path(), "its category %s is missing in the snapshot", wording.Quote(id))
		}
	}
}

// parts compares a list with parts of the release, whose ids are given in their order, and returns
// the ids in the list.
func (c *snapshotCheck) parts(what string, list document.Value, order []string, body func(id string) string) map[string]bool {
	seen := make(map[string]bool, list.Len())
	for part := range list.All() {
		id := text(part, "id")
		want := body(id)
		if want == "" {
			c.fail(part.Path(), "%s has no %s %s", c.release.Version(), what, wording.Quote(id))
			break
		}
		c.equal(part, want)
		for len(order) > 0 && order[0] != id {
			order = order[1:]
		}
		if len(order) == 0 {
			c.fail(part.Path(), "the %s %s is there twice or out of order", what, wording.Quote(id))
			break
		}
		seen[id], order = true, order[1:]
	}
	return seen
}

// placements checks that everything that is placed is in the snapshot or suggested, and nothing in
// both: a reader could not know which of the two was meant.
func (c *snapshotCheck) placements() {
	suggested := make(map[string]bool)
	list, _ := c.root.Get("suggested_elements")
	for e := range list.All() {
		id := text(e, "id")
		if c.elements[id] {
			c.fail(e.Path(), "the snapshot has an element with the same id, %s", wording.Quote(id))
		}
		suggested[id] = true
	}
	placed, _ := c.root.Get("elements")
	for p := range placed.All() {
		if id := text(p, "element_id"); !c.elements[id] && !suggested[id] {
			c.fail(p.Path(), "the element %s is missing in the snapshot", wording.Quote(id))
		}
	}
}

func (c *snapshotCheck) symbols(symbols document.Value) {
	if symbols.Kind() != '{' {
		c.fail(symbols.Path(), "it must be an object of SVG texts by symbol id")
	}
	for s := range symbols.All() {
		switch svg, ok := c.release.Symbol(s.Key()); {
		case !ok:
			c.fail(s.Path(), "%s has no symbol %s", c.release.Version(), wording.Quote(s.Key()))
		case s.Kind() != '"' || s.Text() != svg:
			c.fail(s.Path(), "it differs from what %s has", c.release.Version())
		}
	}
}

// equal checks that a value is a part of the release, whose canonical JSON is given.
func (c *snapshotCheck) equal(v document.Value, canonical string) {
	if c.err != nil || string(v.AppendCanonical(nil)) == canonical {
		return
	}
	want, err := document.Parse([]byte(canonical))
	if err != nil {
		panic(err) // the parts of a release are canonical
	}
	c.fail(difference(v, want.Root()), "it differs from what %s has", c.release.Version())
}

// difference returns where a value differs from another one first.
func difference(v, want document.Value) issue.Path {
	equal := func(a, b document.Value) bool { return bytes.Equal(a.AppendCanonical(nil), b.AppendCanonical(nil)) }
	switch {
	case v.Kind() != want.Kind():
	case v.Kind() == '{':
		for m := range v.All() {
			if other, ok := want.Get(m.Key()); !ok {
				return m.Path()
			} else if !equal(m, other) {
				return difference(m, other)
			}
		}
		for m := range want.All() {
			if _, ok := v.Get(m.Key()); !ok {
				return v.Path().Key(m.Key())
			}
		}
	case v.Kind() == '[' && v.Len() == want.Len():
		for i := range v.Len() {
			a, _ := v.At(i)
			b, _ := want.At(i)
			if !equal(a, b) {
				return difference(a, b)
			}
		}
	}
	return v.Path()
}
