package source

import (
	"fmt"
	"net/url"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// element is an element with the places that later checks need. There may be
// very many, so it keeps no nodes. Its Variables are its own until a release
// is made of it.
type element struct {
	taxonomy.Element
	file     string
	index    int   // in the list of the file, or -1
	at       place // of the id, as far as there is one
	category place
	symbol   place
	appliers []applier
}

func (e *element) position(p place) issue.Position {
	return issue.Position{File: e.file, Line: p.line, Column: p.col}
}

// path returns the place of a key in the element's file.
func (e *element) path(key string) issue.Path {
	if e.index < 0 {
		return issue.Root.Key(key)
	}
	return issue.Root.Index(e.index).Key(key)
}

// what is how messages call the element.
func (e *element) what() string {
	if e.ID == "" {
		return "an element"
	}
	return "element " + e.ID
}

// applier is the applies_to list of an option: ids of elements, which are
// known only when all elements have been read.
type applier struct {
	variable reference // whose option it is
	owner    string    // how messages call the option
	elements []reference
}

// elements reads a file of elements/: one element, or a list of them.
// categories are those that were read, by id.
func (d *decoder) elements(root *node, categories map[string]*category) []element {
	if root.kind != list {
		e := d.element(root, categories)
		e.index = -1
		return []element{e}
	}
	all := make([]element, 0, min(len(root.items), maxFindings))
	for i := range root.items {
		if d.moreErrors {
			d.lost = true // nobody will hear of the rest
			break
		}
		if e := d.element(&root.items[i], categories); e.ID != "" || e.CategoryID != "" || e.SymbolID != "" {
			e.index = i
			all = append(all, e)
		}
	}
	return all
}

func (d *decoder) element(n *node, categories map[string]*category) element {
	e := element{file: d.file.name}
	f, ok := d.fields(n, thing("element", n), "!id", "!title", "!description", "!category_id", "!symbol_id",
		"variables", "keywords", "max_placements", "order", "authoring_guidance", "sources")
	if !ok {
		d.lost = true
		return e
	}
	e.ID = f.id(taxonomy.ValidElementID)
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

	if own := categories[e.CategoryID]; own != nil {
		// Without its category the variables are unknown, and one finding
		// is enough.
		f.checkVariableCase(e.Variables, own.Variables)
		f.checkPlaceholders("title", e.Title, own.Variables, e.Variables)
		f.checkPlaceholders("description", e.Description, own.Variables, e.Variables)
	}
	d.lost = d.lost || e.ID == "" || e.CategoryID == "" || e.SymbolID == ""
	e.at, e.category, e.symbol = f.place("id"), f.place("category_id"), f.place("symbol_id")
	return e
}

// place is where the value of a key stands, or nowhere.
func (f fields) place(key string) place {
	if n := f.get(key); n != nil {
		return n.place
	}
	return place{}
}

// sources reads a list of sources.
func (f fields) sources() []taxonomy.Source {
	var sources []taxonomy.Source
	for item := range f.list("sources", 0) {
		s, ok := f.d.fields(item, f.what+": "+f.name(item), "!type", "!title", "url", "citation")
		if !ok {
			continue
		}
		sources = append(sources, taxonomy.Source{
			Type: s.string("type"), Title: s.string("title"), URL: s.url("url"), Citation: s.string("citation"),
		})
	}
	return sources
}

// url reads the address of a web page. Others will show it as a link.
func (f fields) url(key string) string {
	s := f.string(key)
	if s == "" {
		return ""
	}
	if u, err := url.Parse(s); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		f.d.error(issue.CodeFieldValue, f.get(key), fmt.Sprintf("%s: %s is %q, which is no address of a web page", f.what, key, prose.Clip(s)), "write an address that begins with https://")
	}
	return s
}
