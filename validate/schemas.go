package validate

import (
	"bytes"
	"embed"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/document"
)

//go:embed schemas/*.schema.json
var schemaFiles embed.FS

// schemaBase is the start of the $id of each schema; the file name follows.
const schemaBase = "https://github.com/datachain-go/datachain/schemas/"

const schemaSuffix = ".schema.json"

// JSONSchemaNames returns the names of the JSON Schemas in alphabetical order: those
// of datachains (instance, resolved), of the resources of a schema version (manifest,
// datachain_type, category, element, release, index), of authoring files
// (authoring_schema, authoring_category, authoring_elements, authoring_evolution), and of
// their parts.
func JSONSchemaNames() []string {
	files, err := schemaFiles.ReadDir("schemas")
	if err != nil {
		panic(err) // the directory is embedded
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), schemaSuffix)
	}
	slices.Sort(names)
	return names
}

// JSONSchema returns a JSON Schema (2020-12) by name, for editors and programs in
// other languages. It is self-contained: the schemas that it refers to are in $defs.
// Its formats have a pattern; datachain-version and datachain-timestamp require in
// addition that dates and times exist.
func JSONSchema(name string) ([]byte, bool) {
	if !slices.Contains(JSONSchemaNames(), name) {
		return nil, false
	}
	b := bundler{root: name, wanted: []string{name}}
	root := readSchema(name).Root()
	text := b.members([]byte("{"), name, root)
	defs := []byte("{")
	if own, ok := root.Get("$defs"); ok {
		defs = b.members(defs, name, own)
	}
	for i := 1; i < len(b.wanted); i++ { // each may want more
		defs = b.append(b.key(defs, b.wanted[i]), b.wanted[i], readSchema(b.wanted[i]).Root())
	}
	if len(defs) > len("{") {
		text = append(append(b.key(text, "$defs"), defs...), '}')
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, append(text, '}'), "", "  "); err != nil {
		panic(err) // the parts are JSON
	}
	indented.WriteByte('\n')
	return indented.Bytes(), true
}

// bundler writes a schema and the schemas that it refers to into one text. References
// become pointers into $defs, and the parts lose their $id: common editors don't find it
// there, although the standard allows it, and fetch the URL instead.
type bundler struct {
	root   string
	wanted []string // the schemas to include, the root first
}

// append appends a value of the schema with the name.
func (b *bundler) append(dst []byte, name string, v document.Value) []byte {
	switch v.Kind() {
	case '{':
		return append(b.members(append(dst, '{'), name, v), '}')
	case '[':
		dst = append(dst, '[')
		for item := range v.All() {
			if dst[len(dst)-1] != '[' {
				dst = append(dst, ',')
			}
			dst = b.append(dst, name, item)
		}
		return append(dst, ']')
	}
	return append(dst, v.Raw()...)
}

// members appends the members of an object, without those that only the root of the
// bundle has.
func (b *bundler) members(dst []byte, name string, v document.Value) []byte {
	top := len(v.Path()) == 0
	for m := range v.All() {
		switch key := m.Key(); {
		case top && (key == "$id" || key == "$schema") && name != b.root, top && key == "$defs" && name == b.root:
		case key == "$ref":
			dst = append(b.key(dst, key), quote(b.pointer(name, m.Text()))...)
		default:
			dst = b.append(b.key(dst, key), name, m)
		}
	}
	return dst
}

// key appends the key of the next member.
func (b *bundler) key(dst []byte, key string) []byte {
	if dst[len(dst)-1] != '{' {
		dst = append(dst, ',')
	}
	return append(append(dst, quote(key)...), ':')
}

// pointer returns a reference in a schema as a pointer into the bundle, and adds the schema
// that it refers to.
func (b *bundler) pointer(name, ref string) string {
	name, fragment := splitRef(name, ref)
	if name == b.root {
		return "#" + fragment
	}
	if !slices.Contains(b.wanted, name) {
		b.wanted = append(b.wanted, name)
	}
	return "#/$defs/" + name + fragment
}

// splitRef returns the schema of a $ref in another schema, and the JSON pointer.
func splitRef(from, ref string) (name, fragment string) {
	file, fragment, _ := strings.Cut(ref, "#")
	if file == "" {
		return from, fragment
	}
	return strings.TrimSuffix(file, schemaSuffix), fragment
}

// readSchema returns an embedded schema.
func readSchema(name string) *document.Document {
	text, err := schemaFiles.ReadFile("schemas/" + name + schemaSuffix)
	if err != nil {
		panic(err) // a broken reference
	}
	doc, err := document.Parse(text)
	if err != nil {
		panic("validate: schema " + strconv.Quote(name) + ": " + err.Error())
	}
	return doc
}
