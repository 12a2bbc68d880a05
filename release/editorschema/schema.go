// Package editorschema writes the JSON Schema of a version, with which editors complete and check
// documents.
//
// # Experimental
//
// This package may change in a minor version.
package editorschema

import (
	"net/url"
	"strconv"

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

// New returns a JSON Schema (2020-12) of the documents of a release, for editors in
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
func New(r *taxonomy.Release, locale string) []byte {
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
		panic("editorschema: the schema of instances is not an object")
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

	for _, key := range []string{"title", "description"} { // [] suggests nothing
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

// Snippets are in the syntax of TextMate: $1 is where the cursor stops first, and
// ${1|a,b|} lets the author choose. Only ids without special characters are in them.

// choices are ids to choose from, with what an editor shows beside them.
type choices struct {
	ids, titles, descriptions []string
	seen                      map[string]bool
}

// add adds an id, unless it is there already: a release can have a variable or an
// option twice, of which the first one counts.
func (c *choices) add(id, title, description string) {
	if c.seen == nil {
		c.seen = make(map[string]bool)
	}
	if !c.seen[id] {
		c.seen[id] = true
		c.ids, c.titles, c.descriptions = append(c.ids, id), append(c.titles, title), append(c.descriptions, description)
	}
}

// schema returns the schema of a value that is one of the ids. Nothing fits if there
// are none.
func (c *choices) schema(description string) any {
	if len(c.ids) == 0 {
		return false
	}
	return obj("description", description).with("enum", texts(c.ids)).
		with("enumDetails", texts(c.titles)).with("markdownEnumDescriptions", texts(c.descriptions))
}

// hasID returns the schema of an object whose member is one of some ids. Editors use
// it for conditions, not for suggestions.
func hasID(key string, ids *object) *object {
	return obj("properties", obj(key, ids.with("doNotSuggest", true))).with("required", list{key})
}

// oneOf returns the schema of one of some ids.
func oneOf(ids []string) *object {
	if len(ids) == 1 {
		return obj("const", ids[0])
	}
	return obj("enum", texts(ids))
}

// define returns a reference to a definition, which it adds unless there is one with
// the same content.
func (b *builder) define(kind string, schema *object) *object {
	content := string(appendTree(nil, schema))
	name, known := b.named[content]
	if !known {
		name = kind + "." + strconv.Itoa(len(b.named)+1) // no name of package validate has a period
		b.named[content] = name
		*b.defs = append(*b.defs, member{name, schema})
	}
	return obj("$ref", "#/$defs/"+name)
}
