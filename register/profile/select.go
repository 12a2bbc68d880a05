package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// subject is a document with what sources choose from.
type subject struct {
	shown     *datachain.Presentation
	document  any                           // decoded
	filing    any                           // that of the profile, or nil
	page      string                        // the address of the document, or ""
	publisher map[string]taxonomy.Localized // fields of register.yaml
	entries   []placed                      // placements, in the order of pages
	roles     *summary.Roles
	// categories are those of the taxonomy, as far as they are known.
	categories []*taxonomy.Category
}

// placed is a placement with its place in the document.
type placed struct {
	summary.Entry
	index int
	value any // decoded
}

// item is what a selector chooses: a placement, or an object or a text of a list.
type item struct {
	path  string
	value any     // decoded
	entry *placed // of a placement, or nil
}

// where names an item for people.
func (it *item) where() string {
	if it.entry != nil {
		return it.path + " (" + it.entry.Element.ID + ")"
	}
	return it.path
}

func newSubject(p *Profile, shown *datachain.Presentation, o *Options) *subject {
	settings := cmp.Or(o.Settings, new(register.Settings))
	publisher := settings.Publisher
	s := &subject{
		shown: shown, roles: o.roles(shown.Datachain.SchemaSnapshot.DatachainType.ID),
		publisher: map[string]taxonomy.Localized{
			"name": publisher.Name, "id": {{Value: publisher.ID}}, "contact.email": {{Value: publisher.Contact.Email}},
			"contact.phone": {{Value: publisher.Contact.Phone}}, "contact.url": {{Value: publisher.Contact.URL}}, "contact.address": publisher.Contact.Address,
		},
	}
	text, _ := json.Marshal(shown.Datachain.Instance) // which was decoded
	_ = json.Unmarshal(text, &s.document)             // which was encoded
	for _, a := range items(follow(s.document, "register.assessments")) {
		if a, ok := a.(map[string]any); ok && a["state"] == nil {
			a["state"] = "done"
		}
	}
	for _, f := range items(follow(s.document, "register.filings")) {
		if s.filing == nil && follow(f, "profile") == p.ID {
			s.filing = f
		}
	}
	if slug, err := register.SlugOf(shown.Datachain.ID, textOf(follow(s.document, "register.slug"))); err == nil && settings.URL != "" {
		s.page = settings.URL + "/d/" + slug + "/"
	}
	if shown.Release != nil {
		s.categories = shown.Release.Categories()
	} else {
		for i := range shown.Datachain.SchemaSnapshot.Categories {
			s.categories = append(s.categories, &shown.Datachain.SchemaSnapshot.Categories[i])
		}
	}
	s.place()
	return s
}

// place sorts the placements as pages show them: by category, then by priority.
func (s *subject) place() {
	order := make(map[string]int)
	for i, id := range s.shown.Datachain.SchemaSnapshot.DatachainType.Categories {
		order[id] = i
	}
	entries, _ := summary.Entries(s.shown.Datachain, s.shown.Release, s.roles)
	values := items(follow(s.document, "elements"))
	for i, e := range entries {
		if e.Element != nil {
			s.entries = append(s.entries, placed{e, i, values[i]})
		}
	}
	priority := func(e *placed) int {
		if e.Placement.Priority == nil {
			return 0
		}
		return *e.Placement.Priority
	}
	slices.SortStableFunc(s.entries, func(a, b placed) int {
		return cmp.Or(order[a.Element.CategoryID]-order[b.Element.CategoryID], cmp.Compare(priority(&a), priority(&b)))
	})
}

// choose returns what a selector chooses.
func (s *subject) choose(on *selector) (list []item) {
	switch {
	case on.list != "":
		for i, value := range items(follow(s.document, on.list)) {
			if !slices.ContainsFunc(on.where, func(w mapping) bool { return textOf(follow(value, w.from)) != w.to }) {
				list = append(list, item{fmt.Sprintf("%s[%d]", on.list, i), value, nil})
			}
		}
	case len(on.sources) > 0:
		list = appendSources(list, "", s.document, on.sources)
		for i, e := range items(follow(s.document, "elements")) {
			list = appendSources(list, fmt.Sprintf("elements[%d].", i), e, on.sources)
		}
	default:
		list = s.placements(on)
	}
	return list
}

// appendSources appends the sources of some types, of the document or a placement.
func appendSources(list []item, at string, of any, types []string) []item {
	for i, source := range items(follow(of, "sources")) {
		if slices.Contains(types, textOf(follow(source, "type"))) {
			list = append(list, item{fmt.Sprintf("%ssources[%d]", at, i), source, nil})
		}
	}
	return list
}

// placements returns the placements that a selector chooses, with lead the one that summaries
// have first.
func (s *subject) placements(on *selector) (list []item) {
	lead := -1
	for i := range s.entries {
		e := &s.entries[i]
		if !on.in(e.Element.CategoryID, e.Role) || !includes(on.elements, e.Element.ID) || !includes(on.contexts, e.Placement.ContextTypeID) {
			continue
		}
		if lead < 0 && e.Lead {
			lead = len(list)
		}
		list = append(list, item{fmt.Sprintf("elements[%d]", e.index), e.value, e})
	}
	if on.lead && len(list) > 0 {
		list = list[max(lead, 0):][:1]
	}
	return list
}

// knows reports whether the taxonomy has what a selector names, so that a document without such a
// placement says something by it: one of its context values, or else its elements or categories.
func (s *subject) knows(on *selector) bool {
	return slices.ContainsFunc(s.categories, func(c *taxonomy.Category) bool {
		return on.in(c.ID, cmp.Or(c.Role, s.roles.Categories[c.ID])) && on.hasContext(c) &&
			(len(on.elements) == 0 || slices.ContainsFunc(on.elements, func(id string) bool { return s.hasElement(id, c.ID) }))
	})
}

func (s *subject) hasElement(id, category string) bool {
	if s.shown.Release == nil {
		return slices.ContainsFunc(s.shown.Datachain.SchemaSnapshot.Elements, func(e taxonomy.Element) bool { return e.ID == id && e.CategoryID == category })
	}
	e, ok := s.shown.Release.Element(id)
	return ok && e.CategoryID == category
}

// follow returns what a path such as register.organisation.name leads to in a decoded value, or nil.
func follow(v any, path string) any {
	for key := range strings.SplitSeq(path, ".") {
		object, _ := v.(map[string]any)
		v = object[key]
	}
	return v
}

// items returns the items of a decoded list.
func items(v any) []any {
	list, _ := v.([]any)
	return list
}

// textOf returns a decoded text, number or boolean as text, or "".
func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// textsOf returns the texts of a decoded value: a text, whose language is not known, a localized text,
// or a list of either.
func textsOf(v any) (texts []taxonomy.Localized) {
	if text := textOf(v); text != "" {
		return []taxonomy.Localized{{{Value: text}}}
	}
	var l taxonomy.Localized
	for _, one := range items(v) {
		locale, ok := follow(one, "locale").(string)
		if value, text := follow(one, "value").(string); ok && text {
			l = append(l, taxonomy.Text{Locale: locale, Value: value})
		} else {
			texts = append(texts, textsOf(one)...)
		}
	}
	if len(l) > 0 {
		texts = append(texts, l)
	}
	return texts
}
