package editorschema

import (
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// stops counts the places where the cursor stops.
type stops int

// blank is a place to write.
func (s *stops) blank() string {
	*s++
	return "$" + strconv.Itoa(int(*s))
}

// choice is a place to choose one of some ids, or false if an id has special
// characters.
func (s *stops) choice(ids []string) (string, bool) {
	for _, id := range ids {
		if !ident.IsID(id) {
			return "", false
		}
	}
	*s++
	return "${" + strconv.Itoa(int(*s)) + "|" + strings.Join(ids, ",") + "|}", len(ids) > 0
}

// writing returns the languages to write in, that of the schema first.
func (b *builder) writing() []string {
	var locales []string
	for _, locale := range b.release.Locales() {
		switch {
		case !ident.IsID(locale):
		case locale == b.locales[0]:
			locales = slices.Insert(locales, 0, locale)
		default:
			locales = append(locales, locale)
		}
	}
	return locales
}

// textSnippets are localized texts: in one language, and in all.
func (b *builder) textSnippets() list {
	all, at := list{}, new(stops)
	snippets := list{}
	for _, locale := range b.writing() {
		all = append(all, obj("locale", locale).with("value", at.blank()))
		snippets = append(snippets, obj("label", "text in "+locale).with("body", list{obj("locale", locale).with("value", "$1")}))
	}
	if len(all) > 1 {
		snippets = append(snippets, obj("label", "text in all languages").with("body", all))
	}
	return snippets
}

// placementSnippets are whole placements by the title of their element.
func (b *builder) placementSnippets() list {
	snippets := list{}
	for _, e := range b.release.Elements() {
		if body, ok := b.placementSnippet(e); ok {
			category, _ := b.release.Category(e.CategoryID)
			snippets = append(snippets, obj("label", e.FillIn(e.Title, nil, b.locales...)).
				with("description", b.text(category.Name)+" · "+e.ID).with("body", body))
		}
	}
	return snippets
}

// placementSnippet is a placement with a context and the required variables.
func (b *builder) placementSnippet(e *taxonomy.Element) (*object, bool) {
	at := new(stops)
	body := obj("element_id", e.ID)
	category, _ := b.release.Category(e.CategoryID)
	if values := category.Context.Values; len(values) > 0 {
		ids := make([]string, len(values))
		for i := range values {
			ids[i] = values[i].ID
		}
		choice, ok := at.choice(ids)
		if !ok {
			return nil, false
		}
		body.with("context_type_id", choice)
	}
	variables, seen := list{}, make(map[string]bool)
	for i := range e.Variables {
		v := &e.Variables[i]
		if !v.Required || seen[v.ID] {
			continue
		}
		seen[v.ID] = true
		variable, ok := b.variableSnippet(e, v, at)
		if !ok {
			return nil, false
		}
		variables = append(variables, variable)
	}
	if len(variables) > 0 {
		body.with("variables", variables)
	}
	return body, true
}

// variableSnippet is a variable with a place for its value.
func (b *builder) variableSnippet(e *taxonomy.Element, v *taxonomy.Variable, at *stops) (*object, bool) {
	locales := b.writing()
	if !ident.IsID(v.ID) || len(locales) == 0 {
		return nil, false
	}
	body := obj("id", v.ID)
	if v.Type != taxonomy.SelectVariable {
		return body.with("value", list{obj("locale", locales[0]).with("value", at.blank())}), true
	}
	usable := options(e, v)
	ids := make([]string, len(usable))
	for i, o := range usable {
		ids[i] = o.ID
	}
	choice, ok := at.choice(ids)
	return body.with("value", list{choice}), ok
}
