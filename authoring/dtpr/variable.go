package dtpr

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// variables takes over the variables of a category or an element.
func (v *version) variables(o object, key string) []taxonomy.Variable {
	ids := newNamer(v.notes, "variable", taxonomy.ValidID)
	var list []taxonomy.Variable
	for _, item := range o.items(key) {
		variable := taxonomy.Variable{
			ID: ids.define(item.string("id"), spotOf(item.get("id"))), Label: v.label(item),
			Required: item.bool("required"), Type: taxonomy.TextVariable, Sources: v.sources(item),
		}
		kind := "kind"
		if !item.get(kind).Exists() {
			kind = "type"
		}
		switch stated := item.string(kind); stated {
		case "", "localized_text", "text":
		case "multi_select_enum", "select":
			variable.Type = taxonomy.SelectVariable
			variable.Options = v.options(item)
		default:
			v.notes.at(Changed, item.get(kind), stated+" -> text", "the kind of variable is not known, so it is a text")
		}
		v.rest(item, "id", "label", "name", "required", "kind", "type", "options", "sources",
			"default: a document has a value or none")
		list = append(list, variable)
	}
	return list
}

// options takes over the options of a variable.
func (v *version) options(o object) []taxonomy.Option {
	ids := newNamer(v.notes, "option", taxonomy.ValidID)
	var list []taxonomy.Option
	for _, item := range o.items("options") {
		option := taxonomy.Option{
			ID: ids.define(item.string("id"), spotOf(item.get("id"))), Label: v.label(item),
			Description: item.text("description"), Sources: v.sources(item),
		}
		for _, at := range item.strings("applies_to") {
			name, _ := at.Scalar()
			if id, ok := v.elements.refer(name); !ok {
				v.notes.at(Dropped, at, name, "the element does not exist")
			} else if !slices.Contains(option.AppliesTo, id) {
				option.AppliesTo = append(option.AppliesTo, id)
			}
		}
		v.rest(item, "id", "name", "label", "description", "applies_to", "sources",
			"authoring_guidance: only categories and elements have it", "examples: only elements have examples")
		list = append(list, option)
	}
	return list
}

// color returns the colour of a context value.
func (v *version) color(o object) string {
	stated := o.string("color")
	if c, ok := icons.ParseColor(stated); ok {
		return c.String()
	}
	v.notes.at(Dropped, o.get("color"), stated, "the colour is not #RRGGBB")
	return ""
}

// sources takes over the sources of an object.
func (v *version) sources(o object) []taxonomy.Source {
	var list []taxonomy.Source
	for _, item := range o.items("sources") {
		s := taxonomy.Source{
			Type: item.string("type"), Title: item.string("title"), Citation: item.string("citation"),
			URL: item.string("url"), Licence: item.string("licence"), Attribution: item.string("attribution"),
		}
		if s.Type == "" {
			s.Type = "other"
			v.notes.at(Filled, item.main(), s.Title, "the source has no type, so it is other")
		}
		if u, err := url.Parse(s.URL); s.URL != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
			v.notes.at(Dropped, item.get("url"), s.URL, "the URL is not that of a web page")
			s.URL = ""
		}
		if licence := licenceIn(s.Citation); s.Licence == "" && licence != "" {
			s.Licence = licence
			v.notes.at(Changed, item.get("citation"), licence, "the licence that the citation names is also the licence of the source")
		}
		v.rest(item, "type", "title", "url", "citation", "licence", "attribution")
		if s.Title == "" {
			v.notes.at(Dropped, item.main(), s.Citation, "the source has no title")
			continue
		}
		list = append(list, s)
	}
	return list
}

// creativeCommons finds the name of a Creative Commons licence.
var creativeCommons = regexp.MustCompile(`\bCC[ -]BY((?:-(?:NC|SA|ND))*)[ -](\d\.\d)\b`)

// licenceIn returns the SPDX identifier of the licence that a citation names, or "".
func licenceIn(citation string) string {
	m := creativeCommons.FindStringSubmatch(citation)
	if m == nil {
		return ""
	}
	return "CC-BY" + m[1] + "-" + m[2]
}

// singleBraces finds {variable}, but not {{variable}}.
var singleBraces = regexp.MustCompile(`(^|[^{])\{\s*([a-zA-Z0-9_-]+)\s*\}($|[^}])`)

// braces writes {variable} as {{variable}} in the texts of the older layout.
func (v *version) braces(l taxonomy.Localized, variables ...[]taxonomy.Variable) taxonomy.Localized {
	if !v.oldBraces {
		return l
	}
	declared := slices.Concat(variables...)
	for i := range l {
		l[i].Value = singleBraces.ReplaceAllStringFunc(l[i].Value, func(found string) string {
			m := singleBraces.FindStringSubmatch(found)
			if !slices.ContainsFunc(declared, func(d taxonomy.Variable) bool { return d.ID == m[2] }) {
				return found
			}
			return m[1] + "{{" + m[2] + "}}" + m[3]
		})
	}
	return l
}

// firstLine returns a text without line breaks.
func firstLine(s string) string { return strings.Join(strings.Fields(s), " ") }
