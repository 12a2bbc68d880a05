package mcp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/fields"
	"github.com/datachain-go/datachain/taxonomy"
)

// argument is what a tool takes: how it is described to a model, and how it is
// checked.
type argument struct {
	kind
	name        string
	former      string // a name that is accepted with a warning, or ""
	required    bool
	description string
	// example is JSON. An argument whose values differ between taxonomies has
	// none, and find names the tool that returns them.
	example, find string
}

// suggestion ends a hint: what to use, or where to find it.
func (a *argument) suggestion() string {
	if a.example != "" {
		return ", such as " + a.example
	}
	return "; " + a.find
}

// kind is the type of an argument: as JSON Schema for clients, in words for
// messages, and as a function. A test compares the schema with the function.
type kind struct {
	schema  string // without braces
	allowed string // completes "must be …"
	// wrong reports whether a value is not of the kind; item is the index of
	// the item at fault, or -1.
	wrong func(v *value) (item int, wrong bool)
}

// byDefault adds a default, which is JSON.
func (k kind) byDefault(value string) kind {
	k.schema += `,"default":` + value
	return k
}

// text is a string with at least that many characters.
func text(allowed string, least int) kind {
	schema := `"type":"string"`
	if least > 0 {
		schema += `,"minLength":` + strconv.Itoa(least)
	}
	return kind{schema, allowed, func(v *value) (int, bool) { return -1, v.kind != '"' || len(v.text) < least }}
}

// choice is one of some strings.
func choice(names ...string) kind {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	schema := `"type":"string","enum":[` + strings.Join(quoted, ",") + `]`
	return kind{schema, strings.Join(quoted, " or "), func(v *value) (int, bool) { return -1, v.kind != '"' || !slices.Contains(names, v.text) }}
}

// texts is a list with at least that many strings, none of them empty.
func texts(allowed string, least int) kind {
	schema := `"type":"array","items":{"type":"string","minLength":1}`
	if least > 0 {
		schema = fmt.Sprintf(`"type":"array","minItems":%d,"items":{"type":"string","minLength":1}`, least)
	}
	return kind{schema, allowed, func(v *value) (int, bool) {
		item := slices.IndexFunc(v.items, func(v value) bool { return v.kind != '"' || v.text == "" })
		return item, v.kind != '[' || item >= 0 || len(v.items) < least
	}}
}

// fieldNames is a list of strings, or "all".
func fieldNames() kind {
	list := texts(`a list of field names, or "`+datachain.AllFields+`"`, 0)
	return kind{`"anyOf":[{` + list.schema + `},{"type":"string","enum":["` + datachain.AllFields + `"]}]`, list.allowed, func(v *value) (int, bool) {
		_, wrong := list.wrong(v)
		return -1, wrong && (v.kind != '"' || v.text != datachain.AllFields)
	}}
}

// number is an integer from 1 to most.
func number(most int) kind {
	schema := `"type":"integer","minimum":1,"maximum":` + strconv.Itoa(most)
	return kind{schema, "an integer from 1 to " + strconv.Itoa(most), func(v *value) (int, bool) {
		n := v.number()
		return -1, v.kind != '0' || n != float64(int(n)) || n < 1 || n > float64(most)
	}}
}

// boolean is true or false.
func boolean() kind {
	return kind{`"type":"boolean"`, "true or false", func(v *value) (int, bool) { return -1, v.kind != 't' && v.kind != 'f' }}
}

// value is the value of an argument.
type value struct {
	kind jsontext.Kind
	// text is that of a string, and the JSON of other values that have no
	// members.
	text  string
	items []value // of an array; those within them are not read
}

// omitted reports whether there is no value, or null in its place.
func (v *value) omitted() bool { return v.kind == 0 || v.kind == 'n' }

func (v *value) number() float64 {
	n, _ := strconv.ParseFloat(v.text, 64) // too large is infinite, which no argument may be
	return n
}

// elementFields are the names of the fields of an element.
var elementFields = fields.Names[taxonomy.Element]()

// The arguments that tools share.
var (
	argVersion = argument{
		name: "version", required: true, kind: text("the id or an alias of a schema version", 1),
		description: "The schema version: an id or an alias that list_schema_versions returns. Ids have the form <type>@<date>-<status>, and most types have the alias <type>@latest.",
		find:        "list_schema_versions returns them",
	}
	// argTo is not named version, since models took that for the version that the
	// document pins.
	argTo = argument{
		name: "to", former: "version", required: true, kind: argVersion.kind, find: argVersion.find,
		description: "The schema version to move the datachain to: an id or an alias that list_schema_versions returns, such as <type>@latest.",
	}
	argLocales = argument{
		name: "locales", kind: texts("a list of languages", 0), example: `["en"]`,
		description: "Languages to keep in texts, such as [\"en\"]. The default is all; asking for one keeps answers short.",
	}
	argFields = argument{
		name: "fields", kind: fieldNames(), example: `["id","title","description"]`,
		description: "Which fields of an element to return: a list of names (" + strings.Join(elementFields, ", ") + "), or \"all\". The id is always included.",
	}
	argElementID = argument{
		name: "element_id", required: true, kind: text("the id of an element", 1), find: "list_elements finds it",
		description: "The id of an element, exactly as list_elements returns it.",
	}
	argElementIDs = argument{
		name: "element_ids", required: true, kind: texts("a list of element ids, at least one", 1), find: "list_elements finds them",
		description: "The ids of elements, at most 100 different ones.",
	}
	argLimit = argument{
		name: "limit", kind: number(datachain.MaxPage).byDefault(strconv.Itoa(datachain.DefaultPage)), example: strconv.Itoa(datachain.DefaultPage),
		description: "The most elements to return.",
	}
)

// inputSchema is the JSON Schema of the arguments of a tool. It allows others, which
// are ignored with a warning: clients check the schema first.
func inputSchema(arguments []argument) jsontext.Value {
	b := []byte(`{"type":"object","properties":{`)
	required := []string{}
	for i, a := range arguments {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendJSON(b, a.name), `:{"description":`...)
		b = append(appendJSON(b, a.description), ',')
		b = append(b, a.schema...)
		if a.example != "" {
			b = append(b, `,"examples":[`+a.example+`]`...)
		}
		b = append(b, '}')
		if a.required {
			required = append(required, a.name)
		}
	}
	b = append(b, `},"required":`...)
	return append(appendJSON(b, required), '}')
}

// outputSchema is the JSON Schema of the answers of a tool, failures included.
func outputSchema(data string) jsontext.Value {
	const issue = `{"type":"object","properties":{"code":{"type":"string"},"message":{"type":"string"},"path":{"type":"string"},"fix_hint":{"type":"string"},"severity":{"type":"string"}},"required":["code","message"]}`
	return jsontext.Value(`{"type":"object","properties":{` +
		`"ok":{"type":"boolean","description":"Whether the call succeeded and found nothing wrong; if not, see errors."},` +
		`"data":{"type":"object","description":` + strconv.Quote(data) + `},` +
		`"errors":{"type":"array","items":` + issue + `},` +
		`"meta":{"type":"object","properties":{"version":{"type":"string"},"content_hash":{"type":"string"},"total":{"type":"integer"},"returned":{"type":"integer"},"next_cursor":{"type":["string","null"]},"warnings":{"type":"array","items":` + issue + `},"notice":{"type":"string"}}}},` +
		`"required":["ok","meta"]}`)
}
