package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document/sketch"
)

// elements offers the elements that can still be placed, by id and by title: as ids, or
// as whole placements. First come those whose id or title begins with what was typed,
// then those that contain it, then those that search finds. If nothing was typed,
// those of required categories that have no placement come first.
func (q *query) elements(ctx context.Context, at sketch.Cursor, whole bool) ([]choice, bool, error) {
	if q.schema == nil {
		return nil, false, nil
	}
	free := q.newRoom(at)
	ranked, more, err := q.rank(ctx, at.Prefix, free)
	if err != nil {
		return nil, false, err
	}
	choices := make([]choice, len(ranked))
	for i, r := range ranked {
		e := r.element
		choices[i] = choice{id: e.ID, title: r.title, kind: itemValue, found: true, description: e.FillIn(e.Description, nil, q.session.client.locales...)}
		if c := q.category(e.CategoryID); c != nil {
			choices[i].group = q.pick(c.Name)
		}
		if whole {
			choices[i].kind, choices[i].text = itemSnippet, q.placement(e)
		}
	}
	return choices, more, nil
}

// placement returns a placement of an element with its required variables.
func (q *query) placement(e *taxonomy.Element) *snippet {
	s := q.snippet().raw("{").key("element_id").quoted(e.ID)
	if c := q.category(e.CategoryID); c != nil && len(c.Context.Values) > 0 {
		s.raw(", ").key("context_type_id").value('"')
	}
	first := true
	for i := range e.Variables {
		v := &e.Variables[i]
		if !v.Required {
			continue
		}
		if first {
			s.raw(", ").key("variables").raw("[")
		} else {
			s.raw(", ")
		}
		first = false
		q.variableText(s, v)
	}
	if !first {
		s.raw("]")
	}
	return s.raw("}")
}

// room tells what can still be placed.
type room struct {
	elements, categories map[string]int // how often each is placed elsewhere
	schema               *datachain.Schema
}

func (q *query) newRoom(at sketch.Cursor) *room {
	r := &room{elements: make(map[string]int), categories: make(map[string]int), schema: q.schema}
	self := -1
	if len(at.Path) > 1 {
		self, _ = at.Path[1].IsIndex()
	}
	list, _ := q.root().Get("elements")
	for p := range list.All() {
		if p.Index() == self && (len(at.Path) > 2 || p == at.Node) {
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

// has reports whether an element can still be placed.
func (r *room) has(e *taxonomy.Element) bool {
	if e.MaxPlacements > 0 && r.elements[e.ID] >= e.MaxPlacements {
		return false
	}
	c, ok := r.schema.Release().Category(e.CategoryID)
	return !ok || c.Cardinality.Max == 0 || r.categories[c.ID] < c.Cardinality.Max
}

// needed reports whether a document must still place an element of a category.
func (r *room) needed(id string) bool {
	c, ok := r.schema.Release().Category(id)
	return ok && (c.Required && r.categories[id] == 0 || r.categories[id] < c.Cardinality.Min)
}

// ranked is an element with its title and its rank; a lower one is better.
type ranked struct {
	element *taxonomy.Element
	title   string
	rank    int
}

// rank returns the best elements for what was typed, at most maxItems.
func (q *query) rank(ctx context.Context, typed string, free *room) (list []ranked, more bool, err error) {
	typed = strings.ToLower(strings.TrimSpace(typed))
	seen := make(map[string]bool)
	for i, e := range q.schema.Release().Elements() {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, false, ctx.Err()
		}
		r := ranked{element: e}
		if typed == "" {
			if !free.needed(e.CategoryID) {
				r.rank = 1
			}
		} else {
			r.title = q.title(e)
			r.rank = match(typed, e.ID, r.title)
		}
		if r.rank >= 0 && free.has(e) {
			list = append(list, r)
			seen[e.ID] = true
		}
	}
	slices.SortStableFunc(list, func(a, b ranked) int { return cmp.Compare(a.rank, b.rank) })
	if len(list) > maxItems {
		list, more = list[:maxItems], true
	}
	for i := range list {
		if list[i].title == "" {
			list[i].title = q.title(list[i].element)
		}
	}
	if typed == "" || more {
		return list, more, nil
	}
	found, err := q.search(ctx, typed)
	for _, e := range found {
		if !seen[e.ID] && free.has(e) && len(list) < maxItems {
			list = append(list, ranked{element: e, title: q.title(e)})
		}
	}
	return list, true, err // what is typed next may find others
}

// match ranks an element: 0 if its id or title begins with what was typed, 1 if a word
// does, 2 if it contains all of it, and -1 otherwise.
func match(typed, id, title string) int {
	id, title = strings.ToLower(id), strings.ToLower(title)
	best := -1
	for _, text := range []string{id, title} {
		at := strings.Index(text, typed)
		rank := 2
		switch {
		case at < 0:
			continue
		case at == 0:
			return 0
		case strings.ContainsRune(" ._-(", rune(text[at-1])):
			rank = 1
		}
		if best < 0 || rank < best {
			best = rank
		}
	}
	return best
}

// maxFound is how many elements that only search finds are offered.
const maxFound = 10

// search returns the elements that search finds in the user's language.
func (q *query) search(ctx context.Context, typed string) ([]*taxonomy.Element, error) {
	locale := q.schema.Release().Locales()[0]
	for _, preferred := range q.session.client.locales {
		if slices.ContainsFunc(q.schema.Release().Locales(), func(l string) bool { return strings.EqualFold(l, preferred) }) {
			locale = preferred
			break
		}
	}
	page, err := q.schema.Elements(ctx, datachain.ElementQuery{Text: typed, Locale: locale, Limit: maxFound})
	if err != nil {
		return nil, err
	}
	return page.Elements, nil
}
