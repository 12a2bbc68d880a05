package source

import (
	"fmt"
	"net/url"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// element is an element with the places that later checks report. There may be
// very many, so it keeps no nodes. Its Variables are only its own until the
// release is made.
type element struct {
	taxonomy.Element
	file     string
	index    int   // in the list of the file, or -1
	at       place // of the id, if it has one
	category place
	symbol   place
	status   place
	appliers []applier
	// successors are the ids of ReplacedBy, and explained is set if the source has
	// that, even if it is invalid.
	successors []reference
	explained  bool
}

// path returns the path of a key of the element in its file.
func (e *element) path(key string) issue.Path {
	if e.index < 0 {
		return issue.Root.Key(key)
	}
	return issue.Root.Index(e.index).Key(key)
}

// String names the element at the start of a message.
func (e *element) String() string {
	switch {
	case e.ID != "":
		return "Element " + e.ID
	case e.index >= 0:
		return fmt.Sprintf("Element %d", e.index+1)
	}
	return "Element"
}

// elements reads a file of elements/, which is one element or a list of them.
// categories has those that could be read.
func (d *decoder) elements(root *node, categories map[string]*category) []element {
	if root.kind != list {
		e := d.element(root, categories)
		e.index = -1
		return []element{e}
	}
	all := make([]element, 0, min(len(root.items), maxFindings))
	for i := range root.items {
		if d.moreErrors {
			d.lost = true // no more errors are listed
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
	f, ok := d.fields(n, named("Element", n), "!id", "!title", "!description", "!category_id", "!symbol_id",
		"variables", "keywords", "max_placements", "order", "authoring_guidance", "sources",
		"status", "replaced_by", "examples")
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
	if e.Status = taxonomy.ElementActive; f.get("status") != nil {
		e.Status = choice(f, "status", taxonomy.ElementStatuses()...)
	}
	e.ReplacedBy, e.successors = f.successors()
	e.explained = f.get("replaced_by") != nil
	e.Examples = f.examples()

	if own := categories[e.CategoryID]; own != nil { // else its variables are unknown
		f.checkVariableCase(e.Variables, own.Variables)
		f.checkOwnRenames(e.Variables, own.Variables)
		f.checkPlaceholders("title", e.Title, own.Variables, e.Variables)
		f.checkPlaceholders("description", e.Description, own.Variables, e.Variables)
	}
	d.lost = d.lost || e.ID == "" || e.CategoryID == "" || e.SymbolID == ""
	e.at, e.category, e.symbol, e.status = f.place("id"), f.place("category_id"), f.place("symbol_id"), f.place("status")
	return e
}

// sources reads a list of sources.
func (f fields) sources() []taxonomy.Source {
	var sources []taxonomy.Source
	for item := range f.list("sources", 0) {
		if s, ok := f.fields(item, f.what+": "+f.name(item), "!type", "!title", "url", "citation", "licence", "attribution"); ok {
			sources = append(sources, taxonomy.Source{
				Type: s.string("type"), Title: s.string("title"), URL: s.url("url"), Citation: s.string("citation"),
				Licence: s.credit("licence"), Attribution: s.credit("attribution"),
			})
		}
	}
	return sources
}

// url reads the URL of a web page, which readers will see as a link.
func (f fields) url(key string) string {
	s := f.string(key)
	if s == "" {
		return ""
	}
	if u, err := url.Parse(s); err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" {
		f.wrong(issue.CodeFieldValue, f.get(key), "write a URL that starts with https://", "%s must be the URL of a web page, not %s", key, prose.Quote(s))
	}
	return s
}
