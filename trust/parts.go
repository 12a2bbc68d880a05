package trust

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// parts are what a resolved document has of a release.
type parts struct {
	version    string
	typ        document.Value
	categories map[string]document.Value
	elements   map[string]document.Value
	symbols    map[string]document.Value // nil if the document has none

	placements int
	suggested  []string
}

// partsOf returns the parts of a document. It refuses a snapshot that resolving would not
// have written: with other members, out of order, with a part twice or one missing, since
// the proof of the parts does not cover that. The error wraps [taxonomy.ErrProof].
func partsOf(doc *document.Document) (*parts, error) {
	p := new(parts)
	pinned, _ := doc.Root().Get("schema_version")
	p.version = pinned.Text()
	snapshot, ok := doc.Root().Get(keySnapshot)
	if !ok {
		return nil, unusable("the document has no %s: resolve it first", keySnapshot)
	}
	p.typ, _ = snapshot.Get("datachain_type")
	categories, _ := snapshot.Get("categories")
	elements, _ := snapshot.Get("elements")
	var err error
	if snapshot.Len() != 3 || p.typ.Kind() != '{' || categories.Kind() != '[' || elements.Kind() != '[' {
		err = fmt.Errorf("%s must have datachain_type, categories and elements, and nothing else", keySnapshot)
	}
	if err == nil {
		err = p.addSnapshot(categories, elements)
	}
	if err == nil {
		err = p.addSymbols(doc.Root())
	}
	if err == nil {
		err = p.addPlacements(doc.Root())
	}
	if err != nil {
		return nil, fmt.Errorf("%w: the document: %w", taxonomy.ErrProof, err)
	}
	return p, nil
}

// text returns a member that is a string, or "".
func text(v document.Value, key string) string {
	m, _ := v.Get(key)
	if m.Kind() != '"' {
		return ""
	}
	return m.Text()
}

// addSnapshot adds categories and elements, which must be in the order of a release.
func (p *parts) addSnapshot(categories, elements document.Value) error {
	p.categories, p.elements = make(map[string]document.Value, categories.Len()), make(map[string]document.Value, elements.Len())
	list, _ := p.typ.Get("categories")
	ranks := make(map[string]int, list.Len())
	for id := range list.All() {
		ranks[id.Text()] = len(ranks) + 1
	}
	last := 0
	for c := range categories.All() {
		id := text(c, "id")
		if ranks[id] <= last {
			return fmt.Errorf("%s: the category is out of order, or not one of the datachain type", c.Path())
		}
		last, p.categories[id] = ranks[id], c
	}
	type place struct {
		category, order int
		id              string
	}
	before, used := place{}, 0 // categories that have elements
	for e := range elements.All() {
		order, _ := e.Get("order")
		number, err := strconv.Atoi(cmp.Or(string(order.Raw()), "0"))
		category := text(e, "category_id")
		at := place{ranks[category], number, text(e, "id")}
		after := cmp.Or(cmp.Compare(at.category, before.category), cmp.Compare(at.order, before.order), cmp.Compare(at.id, before.id)) > 0
		if _, known := p.categories[category]; !known || !after || err != nil {
			return fmt.Errorf("%s: the element is out of order, or its category is missing", e.Path())
		}
		if _, twice := p.elements[at.id]; twice {
			return fmt.Errorf("%s: the element is there twice", e.Path())
		}
		if at.category != before.category {
			used++
		}
		before, p.elements[at.id] = at, e
	}
	if used != len(p.categories) {
		return fmt.Errorf("%s: there is a category without elements", categories.Path())
	}
	return nil
}

// addSymbols adds the symbols, which must be those of the elements at least.
func (p *parts) addSymbols(root document.Value) error {
	symbols, ok := root.Get(keySymbols)
	if !ok {
		return nil
	}
	if symbols.Kind() != '{' {
		return errors.New("symbols must be an object of SVG texts by symbol id")
	}
	p.symbols = make(map[string]document.Value, symbols.Len())
	for s := range symbols.All() {
		if s.Kind() != '"' {
			return fmt.Errorf("%s must be an SVG text", s.Path())
		}
		p.symbols[s.Key()] = s
	}
	for _, e := range p.elements {
		id := text(e, "symbol_id")
		if _, known := p.symbols[id]; id != "" && !known {
			return fmt.Errorf("%s: there is no symbol %s", symbols.Path(), wording.Quote(id))
		}
	}
	return nil
}

// addPlacements checks that everything that is placed is in the snapshot or suggested, and
// nothing in both: a reader could not know which of the two was meant, and only one is proven.
func (p *parts) addPlacements(root document.Value) error {
	list, _ := root.Get("suggested_elements")
	suggested := make(map[string]bool)
	for e := range list.All() {
		id := text(e, "id")
		if _, known := p.elements[id]; known {
			return fmt.Errorf("%s: the snapshot has an element with the same id, %s", e.Path(), wording.Quote(id))
		}
		suggested[id] = true
	}
	p.suggested = slices.Sorted(maps.Keys(suggested))
	placements, _ := root.Get("elements")
	for placement := range placements.All() {
		id := text(placement, "element_id")
		if _, known := p.elements[id]; !known && !suggested[id] {
			return fmt.Errorf("%s: the snapshot has no element %s", placement.Path(), wording.Quote(id))
		}
		p.placements++
	}
	return nil
}

// bodies returns the parts by name.
func (p *parts) bodies() map[string]document.Value {
	bodies := map[string]document.Value{"datachain_type": p.typ}
	for prefix, values := range map[string]map[string]document.Value{"category/": p.categories, "element/": p.elements, "symbol/": p.symbols} {
		for id, v := range values {
			bodies[prefix+id] = v
		}
	}
	return bodies
}
