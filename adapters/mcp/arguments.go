package mcp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy/lists"
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

// choices is a list of some strings.
func choices(names ...string) kind {
	one := choice(names...)
	return kind{`"type":"array","items":{` + one.schema + `}`, "a list of " + one.allowed, func(v *value) (int, bool) {
		item := slices.IndexFunc(v.items, func(v value) bool { _, wrong := one.wrong(&v); return wrong })
		return item, v.kind != '[' || item >= 0
	}}
}

// textList is a list with at least that many strings, none of them empty.
func textList(allowed string, least int) kind {
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
	list := textList(`a list of field names, or "`+lists.AllFields+`"`, 0)
	return kind{`"anyOf":[{` + list.schema + `},{"type":"string","enum":["` + lists.AllFields + `"]}]`, list.allowed, func(v *value) (int, bool) {
		_, wrong := list.wrong(v)
		return -1, wrong && (v.kind != '"' || v.text != lists.AllFields)
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
		name: "locales", kind: textList("a list of languages", 0), example: `["en"]`,
		description: "Languages to keep in texts, such as [\"en\"]. The default is all; asking for one keeps answers short.",
	}
	argFields = argument{
		name: "fields", kind: fieldNames(), example: `["id","title","description"]`,
		description: "Which fields of an element to return: a list of names (" + strings.Join(lists.ElementFields(), ", ") + "), or \"all\". The id is always included.",
	}
	argElementID = argument{
		name: "element_id", required: true, kind: text("the id of an element", 1), find: "list_elements finds it",
		description: "The id of an element, exactly as list_elements returns it.",
	}
	argElementIDs = argument{
		name: "element_ids", required: true, kind: textList("a list of element ids, at least one", 1), find: "list_elements finds them",
		description: "The ids of elements, at most 100 different ones.",
	}
	argLimit = argument{
		name: "limit", kind: number(lists.MaxPage).byDefault(strconv.Itoa(lists.DefaultPage)), example: strconv.Itoa(lists.DefaultPage),
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
		`"meta":{"type":"object","properties":{"version":{"type":"string"},"content_hash":{"type":"string"},"total":{"type":"integer"},"returned":{"type":"integer"},"did_you_mean":{"type":"string"},"next_cursor":{"type":["string","null"]},"warnings":{"type":"array","items":` + issue + `},"notice":{"type":"string"}}}},` +
		`"required":["ok","meta"]}`)
}

// argDatachain is a document. Its description helps models to write one at the
// first attempt. The schema accepts any object, since the service validates it with
// better messages.
var argDatachain = argument{
	name: "datachain", required: true,
	kind: kind{allowed: "a JSON object", wrong: func(v *value) (int, bool) { return -1, v.kind != '{' }, schema: `"type": "object", "properties": {
		"id": {"type": "string", "description": "Required. An id for this document, of your choice."},
		"schema_version": {"type": "string", "description": "Required. The id of the version, <type>@<date>-<status>, as in list_schema_versions and meta.version. An alias is not allowed here."},
		"created_at": {"type": "string", "description": "Required. Date and time with a time zone, such as 2026-06-01T10:00:00Z."},
		"title": ` + localized("What the system is called, in languages of the manifest.") + `,
		"description": ` + localized("What the system does, in plain words.") + `,
		"elements": {"type": "array", "description": "Required, not empty. The placements: one for each statement.", "items": {"type": "object", "properties": {
			"element_id": {"type": "string", "description": "Required. The id of an element, as list_elements returns it."},
			"context_type_id": {"type": "string", "description": "A context value of the category of the element (context.values[].id), if it has any."},
			"variables": {"type": "array", "description": "Values for the variables of the element; get_elements returns which it has.", "items": {"type": "object", "properties": {
				"id": {"type": "string", "description": "The id of the variable."},
				"value": {"type": "array", "description": "For a variable of type text a localized string, [{\"locale\": \"en\", \"value\": \"…\"}]; for one of type select a list of option ids.", "items": {"anyOf": [{"type": "object"}, {"type": "string"}]}}}}},
			"element_instance_id": {"type": "string", "description": "An id for this placement, needed if an element is placed twice. It must not be the id of an element."},
			"label": {"type": ["string", "array"], "description": "A few words that distinguish the placement: a string or, in several languages, a localized string."},
			"priority": {"type": "integer", "description": "0 or more; lower numbers are shown first."},
			"subchain_instance_id": {"type": "string", "description": "The id of an entry of subchain_instances."},
			"actions": {"type": "array", "description": "What a reader can do.", "items": {"type": "object", "properties": {
				"type": {"type": "string", "enum": ["email", "url", "phone", "form", "postal"]}, "label": {"type": ["string", "array"], "description": "A string or a localized string."}, "target": {"type": "string", "description": "The address or number."}}}},
			"sources": ` + sources("What the placement is based on.") + `,
			"citation": {"type": "string", "description": "The passage that the placement is based on, or its location."}}}},
		"subchain_instances": {"type": "array", "description": "If the datachain type has subchains.", "items": {"type": "object", "properties": {
			"id": {"type": "string"}, "subchain_id": {"type": "string"}, "order": {"type": "integer"},
			"head_refs": {"type": "array", "description": "element_instance_id or element_id of the placements that it begins with.", "items": {"type": "string"}}}}},
		"sources": ` + sources("What the document is based on.") + `,
		"authoring_provenance": {"type": "object", "description": "Who wrote it, and why.", "properties": {
			"kind": {"type": "string", "description": "human, or ai_generated if a model wrote it."},
			"model": {"type": "string"}, "generated_at": {"type": "string", "description": "Date and time with a time zone."},
			"element_provenance": {"type": "object", "description": "By element_instance_id, or by element_id if that is placed once: {\"rationale\": why it is placed, \"confidence\": high, medium or low, \"source_references\": [{\"quote\": …, \"context\": …}], \"variable_rationale\": {variable id: why it has that value}}."}}},
		"schema_snapshot": {"type": "object", "description": "Only in a resolved datachain: the part of the taxonomy that it uses. resolve_datachain writes it; never write it yourself."},
		"suggested_elements": {"type": "array", "description": "Only in a resolved datachain: elements that the taxonomy lacks and a model proposes, each with id, category_id, title, description and symbol_id.", "items": {"type": "object"}}
	}`},
	description: `The datachain: a JSON object, not a string that holds JSON. Its form, with <…> for what must be looked up: ` +
		`{"id":"my-system","schema_version":"<id of a version>","created_at":"2026-06-01T10:00:00Z","title":[{"locale":"en","value":"…"}],` +
		`"elements":[{"element_id":"<id of an element>","context_type_id":"<id of a context value of its category>",` +
		`"variables":[{"id":"<id of a text variable>","value":[{"locale":"en","value":"…"}]},{"id":"<id of a select variable>","value":["<id of an option>"]}]}]}`,
	find: "the description of the argument shows its form",
}

// argDatachainInWords is a document in tools that only refer to its schema: models and
// hosts read the list of tools in each conversation.
var argDatachainInWords = argument{
	name: argDatachain.name, required: true, find: "validate_datachain describes its form",
	kind:        kind{`"type": "object"`, argDatachain.allowed, argDatachain.wrong},
	description: "The datachain: a JSON object, not a string that holds JSON, in the form that the argument datachain of validate_datachain describes.",
}

// localized is the schema of a localized string.
func localized(description string) string {
	return `{"type": "array", "description": "` + description + `", "items": {"type": "object", "properties": {"locale": {"type": "string"}, "value": {"type": "string"}}}}`
}

// sources is the schema of a list of sources.
func sources(description string) string {
	return `{"type": "array", "description": "` + description + `", "items": {"type": "object", "properties": {
		"type": {"type": "string", "description": "A word, such as document."}, "title": {"type": "string"}, "url": {"type": "string"}, "citation": {"type": "string"}}}}`
}
