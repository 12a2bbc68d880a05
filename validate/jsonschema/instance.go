package jsonschema

import (
	"net/url"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// Options configure a schema. The zero value and nil are the defaults.
type Options struct {
	// Locale is the language of titles and descriptions. Texts that the release
	// does not have in it, and all if it is empty, are in the first locale of the
	// release.
	Locale string
}

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

// Instance returns the JSON Schema (2020-12) of the documents of a release. It is
// self-contained, and the same bytes for the same release and locale.
//
// It does not restrict schema_version, since a document that pins another version gets
// a warning only, nor what a resolved document places, which its snapshot defines.
func Instance(r *taxonomy.Release, o *Options) []byte {
	b := &builder{release: r, locales: r.Locales(), few: len(r.Elements()) <= fewElements, named: make(map[string]string)}
	if o != nil && o.Locale != "" {
		b.locales = append([]string{o.Locale}, b.locales...)
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
		panic("jsonschema: the schema of instances is not an object")
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
