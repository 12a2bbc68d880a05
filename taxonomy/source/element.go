package source

import (
	"github.com/datachain-go/datachain/taxonomy"
)

// element is an element with the places that later checks need. There may be
// very many, so it keeps no nodes.
type element struct {
	taxonomy.Element
	at       reference // its id
	category reference
	symbol   reference
	appliers []applier
}

// applier is the applies_to list of an option: ids of elements, which are
// known only when all elements have been read.
type applier struct {
	owner    string // how messages call the option
	elements []reference
}

// elements reads a file of elements/: one element, or a list of them.
// categories are those that were read, by id.
func (d *decoder) elements(root *node, categories map[string]*category) []element {
	nodes := []*node{root}
	if root.kind == list {
		nodes = root.items
	}
	all := make([]element, 0, len(nodes))
	for _, n := range nodes {
		if e, ok := d.element(n, categories); ok {
			all = append(all, e)
		}
	}
	return all
}

func (d *decoder) element(n *node, categories map[string]*category) (element, bool) {
	var e element
	f, ok := d.fields(n, thing("element", n), "!id", "!title", "!description", "!category_id", "!symbol_id",
		"variables", "keywords", "max_placements", "order", "authoring_guidance", "sources")
	if !ok {
		return e, false
	}
	e.ID = f.id("id", taxonomy.ValidElementID)
	e.Title = f.localized("title")
	e.Description = f.localized("description")
	e.CategoryID = f.string("category_id")
	e.SymbolID = f.string("symbol_id")
	e.Variables, e.appliers = f.variables()
	e.Keywords = f.localized("keywords")
	e.MaxPlacements = f.int("max_placements", 1)
	e.Order = f.int("order", -1_000_000_000)
	e.AuthoringGuidance = f.guidance("authoring_guidance")
	e.Sources = f.sources()

	own := categories[e.CategoryID]
	if own != nil {
		e.Variables = effective(own.Variables, e.Variables)
		f.checkVariableCase(e.Variables)
	}
	if own != nil || e.CategoryID == "" {
		// With a wrong category the variables are unknown, and one finding
		// is enough.
		f.checkPlaceholders("title", e.Title, e.Variables)
		f.checkPlaceholders("description", e.Description, e.Variables)
	}
	if e.ID == "" || e.CategoryID == "" || e.SymbolID == "" {
		return e, false
	}
	e.at = d.reference(e.ID, f.get("id"))
	e.category = d.reference(e.CategoryID, f.get("category_id"))
	e.symbol = d.reference(e.SymbolID, f.get("symbol_id"))
	return e, true
}

// sources reads a list of sources.
func (f fields) sources() []taxonomy.Source {
	var sources []taxonomy.Source
	for item := range f.list("sources") {
		s, ok := f.d.fields(item, f.what+": "+name(item), "!type", "!title", "url", "citation")
		if !ok {
			continue
		}
		sources = append(sources, taxonomy.Source{
			Type: s.string("type"), Title: s.string("title"), URL: s.string("url"), Citation: s.string("citation"),
		})
	}
	return sources
}
