package mcp

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy/lists"
)

// Argument is what a [Tool] takes: how it is described to a model, and how it is checked. A model
// that passes another value is told what is allowed.
type Argument struct {
	Name        string
	Description string
	Kind        Kind
	Required    bool
	// Example is JSON. An argument without an example, such as an id that differs between taxonomies,
	// has Find instead, which is the end of a hint: "list_elements finds it".
	Example, Find string
	// Former is a name that is accepted with a warning, or "".
	Former string
}

// suggestion ends a hint: what to use, or where to find it.
func (a *Argument) suggestion() string {
	if a.Example != "" {
		return ", such as " + a.Example
	}
	if a.Find != "" {
		return "; " + a.Find
	}
	return ""
}

// Kind is the type of an [Argument]: as JSON Schema for clients, in words for messages, and as a
// check. The functions that return one are listed below it; each has a schema that accepts exactly
// what the check does.
type Kind struct {
	schema  string // without braces
	allowed string // completes "must be …"
	// wrong reports whether a value is not of the kind; item is the index of
	// the item at fault, or -1.
	wrong func(v *value) (item int, wrong bool)
	// isVersion means that a value is the id of a version, which is opened before the call, and
	// isDocument that it is a datachain, which the service validates itself.
	isVersion, isDocument bool
}

// Default returns the kind with a default, as JSON, in its schema. Only clients see it: a tool that
// gets no value uses the same one.
func (k Kind) Default(value string) Kind {
	k.schema += `,"default":` + value
	return k
}

// Text returns the kind of a string with at least minimum bytes. Allowed completes the message "must
// be …".
func Text(allowed string, minimum int) Kind {
	schema := `"type":"string"`
	if minimum > 0 {
		schema += `,"minLength":` + strconv.Itoa(minimum)
	}
	return Kind{schema: schema, allowed: allowed, wrong: func(v *value) (int, bool) { return -1, v.kind != '"' || len(v.text) < minimum }}
}

// Choice returns the kind of a string that is one of the names.
func Choice(names ...string) Kind {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = strconv.Quote(name)
	}
	schema := `"type":"string","enum":[` + strings.Join(quoted, ",") + `]`
	return Kind{schema: schema, allowed: strings.Join(quoted, " or "), wrong: func(v *value) (int, bool) { return -1, v.kind != '"' || !slices.Contains(names, v.text) }}
}

// Choices returns the kind of a list of strings, each one of the names.
func Choices(names ...string) Kind {
	one := Choice(names...)
	return Kind{schema: `"type":"array","items":{` + one.schema + `}`, allowed: "a list of " + one.allowed, wrong: func(v *value) (int, bool) {
		item := slices.IndexFunc(v.items, func(v value) bool { _, wrong := one.wrong(&v); return wrong })
		return item, v.kind != '[' || item >= 0
	}}
}

// TextList returns the kind of a list with at least minimum strings, none of them empty. Allowed
// completes the message "must be …".
func TextList(allowed string, minimum int) Kind {
	schema := `"type":"array","items":{"type":"string","minLength":1}`
	if minimum > 0 {
		schema = fmt.Sprintf(`"type":"array","minItems":%d,"items":{"type":"string","minLength":1}`, minimum)
	}
	return Kind{schema: schema, allowed: allowed, wrong: func(v *value) (int, bool) {
		item := slices.IndexFunc(v.items, func(v value) bool { return v.kind != '"' || v.text == "" })
		return item, v.kind != '[' || item >= 0 || len(v.items) < minimum
	}}
}

// FieldNames returns the kind of a list of field names, or "all".
func FieldNames() Kind {
	list := TextList(`a list of field names, or "`+lists.AllFields+`"`, 0)
	schema := `"anyOf":[{` + list.schema + `},{"type":"string","enum":["` + lists.AllFields + `"]}]`
	return Kind{schema: schema, allowed: list.allowed, wrong: func(v *value) (int, bool) {
		_, wrong := list.wrong(v)
		return -1, wrong && (v.kind != '"' || v.text != lists.AllFields)
	}}
}

// Integer returns the kind of an integer from 1 to maximum.
func Integer(maximum int) Kind {
	schema := `"type":"integer","minimum":1,"maximum":` + strconv.Itoa(maximum)
	return Kind{schema: schema, allowed: "an integer from 1 to " + strconv.Itoa(maximum), wrong: func(v *value) (int, bool) {
		n := v.number()
		return -1, v.kind != '0' || n != float64(int(n)) || n < 1 || n > float64(maximum)
	}}
}

// Boolean returns the kind of true or false.
func Boolean() Kind {
	return Kind{schema: `"type":"boolean"`, allowed: "true or false", wrong: func(v *value) (int, bool) { return -1, v.kind != 't' && v.kind != 'f' }}
}

// Object returns the kind of a JSON object. More of its schema, such as "properties": {…}, is for
// clients: what is in the object is not checked.
func Object(schema string) Kind {
	if schema != "" {
		schema = "," + schema
	}
	return Kind{schema: `"type":"object"` + schema, allowed: "a JSON object", wrong: func(v *value) (int, bool) { return -1, v.kind != '{' }}
}

// versionKind is the id or an alias of a version, which is opened.
func versionKind() Kind {
	k := Text("the id or an alias of a schema version", 1)
	k.isVersion = true
	return k
}

// The arguments that tools share.
var (
	argVersion = Argument{
		Name: "version", Required: true, Kind: versionKind(),
		Description: "The schema version: an id or an alias that list_schema_versions returns. Ids have the form <type>@<date>-<status>, and most types have the alias <type>@latest.",
		Find:        "list_schema_versions returns them",
	}
	argLocales = Argument{
		Name: "locales", Kind: TextList("a list of languages", 0), Example: `["en"]`,
		Description: "Languages to keep in texts, such as [\"en\"]. The default is all; asking for one keeps answers short.",
	}
	argFields = Argument{
		Name: "fields", Kind: FieldNames(), Example: `["id","title","description"]`,
		Description: "Which fields of an element to return: a list of names (" + strings.Join(lists.ElementFields(), ", ") + "), or \"all\". The id is always included.",
	}
	argElementID = Argument{
		Name: "element_id", Required: true, Kind: Text("the id of an element", 1), Find: "list_elements finds it",
		Description: "The id of an element, exactly as list_elements returns it.",
	}
	argElementIDs = Argument{
		Name: "element_ids", Required: true, Kind: TextList("a list of element ids, at least one", 1), Find: "list_elements finds them",
		Description: "The ids of elements, at most 100 different ones.",
	}
	argLimit = Argument{
		Name: "limit", Kind: Integer(lists.MaxPage).Default(strconv.Itoa(lists.DefaultPage)), Example: strconv.Itoa(lists.DefaultPage),
		Description: "The most elements to return.",
	}
)

// inputSchema is the JSON Schema of the arguments of a tool. It allows others, which
// are ignored with a warning: clients check the schema first.
func inputSchema(arguments []Argument) jsontext.Value {
	b := []byte(`{"type":"object","properties":{`)
	required := []string{}
	for i, a := range arguments {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(appendJSON(b, a.Name), `:{"description":`...)
		b = append(appendJSON(b, a.Description), ',')
		b = append(b, a.Kind.schema...)
		if a.Example != "" {
			b = append(b, `,"examples":[`+a.Example+`]`...)
		}
		b = append(b, '}')
		if a.Required {
			required = append(required, a.Name)
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
var argDatachain = Argument{
	Name: "datachain", Required: true,
	Kind: documentOf(Object(`"properties": {
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
	}`)),
	Description: `The datachain: a JSON object, not a string that holds JSON. Its form, with <…> for what must be looked up: ` +
		`{"id":"my-system","schema_version":"<id of a version>","created_at":"2026-06-01T10:00:00Z","title":[{"locale":"en","value":"…"}],` +
		`"elements":[{"element_id":"<id of an element>","context_type_id":"<id of a context value of its category>",` +
		`"variables":[{"id":"<id of a text variable>","value":[{"locale":"en","value":"…"}]},{"id":"<id of a select variable>","value":["<id of an option>"]}]}]}`,
	Find: "the description of the argument shows its form",
}

// argDatachainInWords is a document in tools that only refer to its schema: models and
// hosts read the list of tools in each conversation.
var argDatachainInWords = Argument{
	Name: argDatachain.Name, Required: true, Find: "validate_datachain describes its form",
	Kind:        documentOf(Object("")),
	Description: "The datachain: a JSON object, not a string that holds JSON, in the form that the argument datachain of validate_datachain describes.",
}

// documentOf makes a kind that of a datachain.
func documentOf(k Kind) Kind {
	k.isDocument = true
	return k
}

// VersionArgument returns the argument version. The version that it names is opened before the call
// as [ToolCall.Schema], and the answer names it. A program can give the argument another name.
func VersionArgument() Argument { return argVersion }

// DatachainArgument returns the argument datachain. Models that pass a string that holds JSON are
// understood. Answers list warnings, even if there are none.
func DatachainArgument() Argument { return argDatachainInWords }

// LocalesArgument returns the argument locales, with a warning of languages that the version does
// not have.
func LocalesArgument() Argument { return argLocales }

// localized is the schema of a localized string.
func localized(description string) string {
	return `{"type": "array", "description": "` + description + `", "items": {"type": "object", "properties": {"locale": {"type": "string"}, "value": {"type": "string"}}}}`
}

// sources is the schema of a list of sources.
func sources(description string) string {
	return `{"type": "array", "description": "` + description + `", "items": {"type": "object", "properties": {
		"type": {"type": "string", "description": "A word, such as document."}, "title": {"type": "string"}, "url": {"type": "string"}, "citation": {"type": "string"}}}}`
}
