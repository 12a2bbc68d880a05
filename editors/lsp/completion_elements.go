package lsp

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// elements offers the elements that can still be placed, as ids or as whole placements. It
// reports whether there may be more.
func (q *query) elements(ctx context.Context, at document.Cursor, whole bool) ([]proposal, bool, error) {
	if q.schema == nil {
		return nil, false, nil
	}
	left := q.newCapacity(at)
	ranked, more, err := q.rank(ctx, at.Prefix, left)
	if err != nil {
		return nil, false, err
	}
	indent := "" // editors indent the lines of snippets themselves
	if !q.session.client.snippets {
		indent = string(indentation(q.text.content, at.Offset))
	}
	line := q.text.line(indent)
	proposals := make([]proposal, len(ranked))
	for i, t := range ranked {
		e := t.Element
		proposals[i] = proposal{
			id: e.ID, title: t.title, description: q.fillIn(e, e.Description), kind: itemValue, found: true, deprecated: e.Deprecated(),
		}
		if c := q.category(e.CategoryID); c != nil {
			proposals[i].group = q.pick(c.Name)
		}
		if whole {
			proposals[i].kind, proposals[i].text = itemSnippet, q.placement(q.snippet(), e, line)
		}
	}
	return proposals, more, nil
}

// placement adds a placement of an element with its required variables. If it has any, it is
// written over several lines, unless line is nil.
func (q *query) placement(s *snippet, e *taxonomy.Element, line *line) *snippet {
	var required []*taxonomy.Variable
	for i := range e.Variables {
		if v := &e.Variables[i]; v.Required {
			required = append(required, v)
		}
	}
	if len(required) == 0 {
		line = nil
	}
	s.raw("{" + line.after("", 1)).key("element_id").quoted(e.ID)
	if c := q.category(e.CategoryID); c != nil && len(c.Context.Values) > 0 {
		s.raw(line.after(",", 1)).key("context_type_id").value('"')
	}
	for i, v := range required {
		if i == 0 {
			s.raw(line.after(",", 1)).key("variables").raw("[" + line.after("", 2))
		} else {
			s.raw(line.after(",", 2))
		}
		q.variableText(s, v)
	}
	if len(required) > 0 {
		s.raw(line.after("", 1) + "]" + line.after("", 0))
	}
	return s.raw("}")
}

// line is the line on which something is inserted: its end, with the indentation of the next
// one, and what one more level of indentation is.
type line struct{ end, unit string }

// line returns a line with an indentation, or nil if no line of the document is indented.
func (t *text) line(indent string) *line {
	for row := range bytes.Lines(t.content) {
		row = bytes.TrimRight(row, " \t\r\n")
		if unit := indentation(row, len(row)); len(unit) > 0 {
			newline := "\n"
			if bytes.Contains(t.content, []byte("\r\n")) {
				newline = "\r\n"
			}
			return &line{newline + indent, string(unit)}
		}
	}
	return nil
}

// indentation returns the white space with which the line of an offset begins, up to it.
func indentation(text []byte, offset int) []byte {
	line := text[bytes.LastIndexByte(text[:offset], '\n')+1 : offset]
	return line[:len(line)-len(bytes.TrimLeft(line, " \t"))]
}

// after returns what follows a comma or nothing: a line break with so many levels of
// indentation, or a space after the comma if there are no lines.
func (l *line) after(comma string, levels int) string {
	switch {
	case l != nil:
		return comma + l.end + strings.Repeat(l.unit, levels)
	case comma != "":
		return comma + " "
	}
	return ""
}

// capacity tells what can still be placed.
type capacity struct {
	elements, categories map[string]int // how often each is placed elsewhere
	schema               *datachain.Schema
}

func (q *query) newCapacity(at document.Cursor) *capacity {
	r := &capacity{elements: make(map[string]int), categories: make(map[string]int), schema: q.schema}
	self := -1
	if len(at.Path) > 1 {
		self, _ = at.Path[1].IsIndex()
	}
	list, _ := q.document().Get("elements")
	index := -1
	for p := range list.All() {
		if index++; index == self && (len(at.Path) > 2 || p == at.Value) {
			continue
		}
		id, _ := p.Get("element_id")
		if e := q.element(id.Text()); e != nil {
			r.elements[e.ID]++
			r.categories[e.CategoryID]++
		}
	}
	return r
}

// allows reports whether an element can still be placed.
func (r *capacity) allows(e *taxonomy.Element) bool {
	if e.MaxPlacements > 0 && r.elements[e.ID] >= e.MaxPlacements {
		return false
	}
	c, ok := r.schema.Release().Category(e.CategoryID)
	return !ok || c.Cardinality.Max == 0 || r.categories[c.ID] < c.Cardinality.Max
}

// needed reports whether a document must still place an element of a category.
func (r *capacity) needed(id string) bool {
	c, ok := r.schema.Release().Category(id)
	return ok && (c.Required && r.categories[id] == 0 || r.categories[id] < c.Cardinality.Min)
}

// titledElement is an element with its id and title as they are compared with what was typed.
type titledElement struct {
	*taxonomy.Element
	title string
	low   string // the id and the title in lower case, on two lines
	idEnd int    // in low
}

func (t *titledElement) lowID() string { return t.low[:t.idEnd] }

// maxTitled is how many elements a session keeps the titles of.
const maxTitled = 400_000

// titled returns the elements of a version with their titles. They are kept, since
// each key that a user presses needs them again.
func (q *query) titled(ctx context.Context) ([]titledElement, error) {
	r := q.schema.Release()
	return q.session.titles.Do(ctx, r, func() ([]titledElement, int64, error) {
		list := make([]titledElement, 0, len(r.Elements()))
		for _, e := range r.Elements() {
			id, title := strings.ToLower(e.ID), q.title(e)
			list = append(list, titledElement{Element: e, title: title, low: id + "\n" + strings.ToLower(title), idEnd: len(id)})
		}
		return list, int64(len(list)), nil
	})
}

// rank returns the best elements for what was typed, at most maxItems. First come those whose id
// or title begins with it, then those that contain it or, if none does, those that it may be a
// misspelling of, then those that search finds. If nothing was typed, those of required categories
// that have no placement come first. Deprecated elements come last.
func (q *query) rank(ctx context.Context, typed string, left *capacity) (list []titledElement, more bool, err error) {
	all, err := q.titled(ctx)
	if err != nil {
		return nil, false, err
	}
	typed = strings.ToLower(strings.TrimSpace(typed))
	seen := make(map[string]bool)
	for _, class := range left.classes(all, typed) {
		for _, t := range class {
			if len(list) == maxItems {
				return list, true, nil
			}
			list = append(list, t)
			seen[t.ID] = true
		}
	}
	if typed == "" {
		return list, false, nil
	}
	if len(list) == 0 { // it may be misspelled
		for _, t := range nearest(typed, all, (*titledElement).lowID) {
			if left.allows(t.Element) {
				list = append(list, *t)
				seen[t.ID] = true
			}
		}
	}
	found, err := q.search(ctx, typed)
	for _, e := range found {
		if !seen[e.ID] && left.allows(e) && len(list) < maxItems {
			list = append(list, titledElement{Element: e, title: q.title(e)})
		}
	}
	slices.SortStableFunc(list, func(a, b titledElement) int { return deprecation(a.Element) - deprecation(b.Element) })
	return list, true, err // what is typed next may find others
}

// deprecation is 1 for a deprecated element and 0 for others.
func deprecation(e *taxonomy.Element) int {
	if e.Deprecated() {
		return 1
	}
	return 0
}

// classes returns the elements that can be placed and fit what was typed, the best
// class first, deprecated elements last, each at most maxItems and one.
func (r *capacity) classes(all []titledElement, typed string) [4][]titledElement {
	needed := make(map[string]bool)
	for _, c := range r.schema.Release().Categories() {
		needed[c.ID] = r.needed(c.ID)
	}
	var classes [4][]titledElement
	for i := range all {
		t := &all[i]
		class := 1
		if typed != "" {
			class = match(typed, t)
		} else if needed[t.CategoryID] {
			class = 0
		}
		if class >= 0 && t.Deprecated() {
			class = len(classes) - 1
		}
		if class >= 0 && len(classes[class]) <= maxItems && r.allows(t.Element) {
			classes[class] = append(classes[class], *t)
		}
	}
	return classes
}

// match returns the class of an element: 0 if its id or title begins with what was typed, 1
// if a word does, 2 if one of them contains all of it, and -1 otherwise.
func match(typed string, t *titledElement) int {
	best := -1
	if !strings.Contains(t.low, typed) { // as in most elements
		return best
	}
	for _, text := range [2]string{t.lowID(), t.low[t.idEnd+1:]} {
		at := strings.Index(text, typed)
		class := 2
		switch {
		case at < 0:
			continue
		case at == 0:
			return 0
		case strings.ContainsRune(" ._-(", rune(text[at-1])):
			class = 1
		}
		if best < 0 || class < best {
			best = class
		}
	}
	return best
}

// maxFound is how many elements that only search finds are offered.
const maxFound = 10

// search returns the elements that search finds in the user's language.
func (q *query) search(ctx context.Context, typed string) ([]*taxonomy.Element, error) {
	locale := q.schema.Release().Locales()[0]
	for _, preferred := range q.locales {
		if slices.ContainsFunc(q.schema.Release().Locales(), func(l string) bool { return strings.EqualFold(l, preferred) }) {
			locale = preferred
			break
		}
	}
	page, err := q.schema.Elements(ctx, datachain.ElementQuery{Lenient: true, Text: typed, Locale: locale, Limit: maxFound})
	if err != nil {
		return nil, err
	}
	return page.Elements, nil
}
