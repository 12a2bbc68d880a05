package derived

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// Bounds that keep the schema of a large release usable: editors read all of it.
const (
	// maxTexts is how many bytes the descriptions of elements have together. Each
	// is cut to its share.
	maxTexts = 1 << 20
	// maxDescription is the share if there is room for more.
	maxDescription = 600
	// fewElements is up to how many elements a release gets a snippet and a limit
	// of placements for each of them.
	fewElements = 500
	// maxConditions is for how many different lists of variables there are
	// conditions: an editor checks all of them for each placement.
	maxConditions = 1000
)

// base is the start of the $id, which is that of the schemas of package validate.
const base = "https://github.com/datachain-go/datachain/schemas/"

// JSONSchema returns a JSON Schema (2020-12) of the documents of a release, for editors in
// which nothing is installed. It is self-contained, and the same bytes for the same release
// and locale.
//
// It is the schema of the shape of documents, [validate.JSONSchema] with the name instance,
// and in addition has what the release says: the ids of elements with their titles and
// descriptions in one language, the contexts, variables and options of each, and how often
// categories are placed. Texts that the release does not have in the locale, and all if it is
// empty, are in the first locale of the release. The schema uses the annotations of
// vscode-json-languageservice (enumDetails, markdownEnumDescriptions, defaultSnippets,
// errorMessage), which other readers ignore.
//
// A document that [validate.Instance] accepts fits the schema. The reverse does not hold:
// JSON Schema can't express every rule, so only package validate has the verdict.
//
// It does not restrict schema_version, since a document that pins another version gets
// a warning only, nor what a resolved document places, which its snapshot defines.
func JSONSchema(r *taxonomy.Release, locale string) []byte {
	b := &builder{release: r, locales: r.Locales(), few: len(r.Elements()) <= fewElements, named: make(map[string]string)}
	if locale != "" {
		b.locales = append([]string{locale}, b.locales...)
	}
	b.share = maxDescription
	if n := len(r.Elements()); n > 0 {
		b.share = min(b.share, maxTexts/n)
	}
	root := general()
	adapt(root)
	b.defs = root.at("$defs")
	b.describe(root)
	b.simplify(root)
	root.with("if", obj("$comment", "The snapshot of a resolved document says what it can place.").with("required", list{"schema_snapshot"}))
	root.with("else", obj("properties", obj("elements", b.placements()).with("subchain_instances", b.subchains())))
	root.remove("$defs")
	root.with("$defs", b.defs) // last, since it is long
	return append(appendLines(nil, root, ""), '\n')
}

// general returns the schema of the documents of all versions, which is embedded.
func general() *object {
	text, _ := validate.JSONSchema("instance")
	doc, err := document.Parse(text)
	if err != nil {
		panic(err)
	}
	root, ok := tree(doc.Root()).(*object)
	if !ok {
		panic("derived: the schema of instances is not an object")
	}
	return root
}

// builder makes the schema of one release.
type builder struct {
	release *taxonomy.Release
	locales []string // the wanted one first
	share   int      // the bytes of a description
	few     bool     // see fewElements
	defs    *object
	named   map[string]string // the names of definitions by their content
}

// describe gives the root the name of the version.
func (b *builder) describe(root *object) {
	r := b.release
	id := base + r.Version().String() + "/instance.schema.json"
	if b.locales[0] != r.Locales()[0] {
		id += "?locale=" + url.QueryEscape(b.locales[0])
	}
	root.with("$id", id)
	root.with("title", b.text(r.Manifest().Title)+" ("+r.Version().String()+")")
	root.with("description", b.text(r.Manifest().Description))
}

// simplify replaces what the schema of all versions can only describe in general. What
// depends on the element is suggested once that is known.
func (b *builder) simplify(root *object) {
	version := root.at("$defs", "version")
	pin := root.at("properties", "schema_version")
	pin.remove("allOf")
	version.remove("title")
	version.remove("description")
	*pin = append(*pin, *version...)
	pin.with("default", b.release.Version().String())
	b.defs.remove("version")

	for _, key := range []string{"title", "description"} { // [] is no suggestion
		root.at("properties", key).remove("default")
	}
	placement := b.defs.at("placement", "properties")
	placement.at("variables").remove("default")
	for _, key := range []string{"element_id", "context_type_id", "variables"} {
		placement.at(key).with("doNotSuggest", true)
	}
	for _, key := range []string{"id", "value"} {
		b.defs.at("variable_value", "properties", key).with("doNotSuggest", true)
	}
	b.defs.at("subchain_instance", "properties", "subchain_id").with("doNotSuggest", true)

	localized := b.defs.at("localized")
	localized.at("items", "properties", "locale").with("examples", texts(b.release.Locales()))
	localized.withSome("defaultSnippets", b.textSnippets())
	b.defs.at("timestamp").with("examples", list{"2026-06-01T10:00Z"})
}

// adapt prepares the schema of all versions for editors. It removes examples, which are
// about no version: editors suggest them as values. A description beside a reference
// moves the reference into allOf, since vscode-json-languageservice would replace it by
// that of the definition.
func adapt(value any) {
	switch v := value.(type) {
	case *object:
		v.remove("examples")
		for i := range *v {
			m := &(*v)[i]
			adapt(m.value)
			if m.key == "$ref" && v.has("description") {
				*m = member{"allOf", list{obj("$ref", m.value)}}
			}
		}
	case list:
		for _, item := range v {
			adapt(item)
		}
	}
}

// subchains is the schema of subchain_instances.
func (b *builder) subchains() *object {
	var c choices
	for _, s := range b.release.Type().Subchains {
		c.add(s.ID, b.text(s.Name), b.text(s.Name))
	}
	if len(c.ids) == 0 {
		return obj("maxItems", 0)
	}
	return obj("items", obj("properties", obj("subchain_id", c.schema("The subchain of the datachain type."))))
}

// Snippets are in the syntax of TextMate: $1 is where the cursor stops first, and
// ${1|a,b|} lets the author choose. Only ids without special characters are in them.

// stop counts the places where the cursor stops.
type stop int

// blank is a place to write.
func (s *stop) blank() string {
	*s++
	return "$" + strconv.Itoa(int(*s))
}

// choice is a place to choose one of some ids, or false if an id has special
// characters.
func (s *stop) choice(ids []string) (string, bool) {
	for _, id := range ids {
		if !prose.IsID(id) {
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
		case !prose.IsID(locale):
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
	all, at := list{}, new(stop)
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
	at := new(stop)
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
func (b *builder) variableSnippet(e *taxonomy.Element, v *taxonomy.Variable, at *stop) (*object, bool) {
	locales := b.writing()
	if !prose.IsID(v.ID) || len(locales) == 0 {
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
