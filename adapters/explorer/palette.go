package explorer

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// palette is what the palette lists for what was typed.
type palette struct {
	Groups []*paletteGroup
}

// paletteGroup is the results of one kind.
type paletteGroup struct {
	ID      string // of the HTML element
	Of      text   // the taxonomy, if there are several
	Name    string
	Options []*option
}

// option is a result, or an element to place instead of another one.
type option struct {
	ID          string // of the HTML element
	URL         string
	Icon        template.HTML
	Title, Note text
}

// Sizes of groups.
const (
	maxFound      = 8
	maxFoundOther = 4
)

// PaletteURL is where the palette asks for what it lists: in the version of the page, or
// in the latest ones.
func (s *scope) PaletteURL() string { return s.To(s.palettePath()) }

func (s *scope) palettePath() string {
	if s.request.schema != nil {
		return catalogPath(s.request.release().Version())
	}
	return "/"
}

// palette finds elements, categories, codes and pages by title, id and keyword.
func (q *request) palette(typed string) *palette {
	p := new(palette)
	if q.schema != nil {
		q.findIn(p, q.schema, typed, text{})
	} else {
		for _, t := range q.explorer.overview(q.ctx, q.index).types {
			if t.schema != nil {
				own := q.about(t.schema.Release())
				own.findIn(p, t.schema, typed, own.name(t.schema.Release().Type().Name, t.id))
				q.icons = own.icons
			}
		}
	}
	q.findCodes(p, typed)
	q.findPages(p, typed)
	n := 0
	for i, g := range p.Groups {
		g.ID = "group-" + strconv.Itoa(i+1)
		for _, o := range g.Options {
			n++
			o.ID = "option-" + strconv.Itoa(n)
		}
	}
	return p
}

// add adds a group unless it is empty.
func (p *palette) add(name string, of text, options []*option) {
	if len(options) > 0 {
		p.Groups = append(p.Groups, &paletteGroup{Of: of, Name: name, Options: options})
	}
}

// findIn finds elements and categories of a version.
func (q *request) findIn(p *palette, schema *datachain.Schema, typed string, of text) {
	r := schema.Release()
	var categories []*option
	for _, c := range r.Categories() {
		name := q.name(c.Name, c.ID)
		if typed != "" && len(categories) < maxFoundOther && like(typed, c.ID, name.Plain) {
			categories = append(categories, &option{URL: q.to(categoryPath(r.Version(), c.ID), nil), Icon: shape(c.Shape), Title: name, Note: q.raw(c.ID)})
		}
	}
	var elements []*option
	for _, e := range q.findElements(schema, typed) {
		elements = append(elements, &option{
			URL: q.to(elementPath(r.Version(), e.ID), nil), Icon: q.icon(schema, e), Title: q.titled(e, nil), Note: q.raw(e.ID),
		})
	}
	p.add(q.words.Word("catalog.kindcategory"), of, categories)
	p.add(q.words.Word("catalog.kindelement"), of, elements)
}

// findElements finds elements by the beginning of their id, then by their words.
func (q *request) findElements(schema *datachain.Schema, typed string) []*taxonomy.Element {
	r := schema.Release()
	var list []*taxonomy.Element
	if typed == "" {
		return nil
	}
	for _, id := range r.ElementIDs() {
		if len(list) == maxFoundOther {
			break
		}
		if len(id) >= len(typed) && strings.EqualFold(id[:len(typed)], typed) {
			e, _ := r.Element(id)
			list = append(list, e)
		}
	}
	found, _, err := schema.Search(q.ctx, q.chooser().Locale, search.Query{Text: typed, Limit: maxFound})
	if err != nil {
		return list
	}
	for _, hit := range found.Hits {
		if len(list) < maxFound && !slices.ContainsFunc(list, func(e *taxonomy.Element) bool { return e.ID == hit.Element.ID }) {
			list = append(list, hit.Element)
		}
	}
	return list
}

// findCodes finds codes of findings, if there are pages for them.
func (q *request) findCodes(p *palette, typed string) {
	if typed == "" || !q.has("/codes/{id}") {
		return
	}
	var list []*option
	for _, info := range issue.Codes() {
		if len(list) < maxFoundOther && like(typed, string(info.Code)) {
			list = append(list, &option{URL: q.to("/codes/"+string(info.Code), nil), Title: q.raw(string(info.Code)), Note: q.in("en", short(info.Meaning, 80))})
		}
	}
	p.add(q.words.Word("catalog.kindcode"), text{}, list)
}

// findPages finds pages by their name in the navigation.
func (q *request) findPages(p *palette, typed string) {
	var list []*option
	for _, t := range (&scope{content: new(content), words: q.words, request: q}).Tabs() {
		if like(typed, t.Name) {
			list = append(list, &option{URL: t.URL, Title: q.raw(t.Name)})
		}
	}
	p.add(q.words.Word("catalog.kindpage"), text{}, list)
}

// like reports whether one of the names contains the typed text, ignoring case.
func like(typed string, names ...string) bool {
	typed = strings.ToLower(typed)
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(strings.ToLower(name), typed) })
}
