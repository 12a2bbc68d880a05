package mcp

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
)

// argument is what a tool takes: how it is described to a model, and how it is
// checked.
type argument struct {
	name     string
	required bool
	// schema is the JSON Schema without its braces and its description.
	schema      string
	description string
	// allowed says what the argument may be, for messages: "… must be
	// {allowed}".
	allowed string
	// example is JSON. Where none would be true of every taxonomy there is
	// none, and find says which tool knows what there is.
	example, find string
}

// suggestion ends a hint: what could be written, or where to find it.
func (a *argument) suggestion() string {
	if a.example != "" {
		return ", such as " + a.example
	}
	return "; " + a.find
}

// elementFields are the names of what an element holds.
var elementFields = []string{
	"id", "title", "description", "category_id", "symbol_id", "icon_variants", "variables",
	"keywords", "max_placements", "order", "authoring_guidance", "sources",
}

// The arguments that tools share.
var (
	argVersion = argument{
		name: "version", required: true,
		schema:      `"type":"string","minLength":1`,
		description: "The schema version: an id or an alias that list_schema_versions returns. Ids have the form <type>@<date>-<status>, and most types have the alias <type>@latest.",
		allowed:     "the id or an alias of a schema version",
		find:        "list_schema_versions returns what there is",
	}
	argLocales = argument{
		name:        "locales",
		schema:      `"type":"array","items":{"type":"string","minLength":1}`,
		description: "Languages to keep in texts, such as [\"en\"]. Every language if left out; asking for one keeps answers short.",
		allowed:     "a list of languages",
		example:     `["en"]`,
	}
	argFields = argument{
		name:        "fields",
		schema:      `"anyOf":[{"type":"array","items":{"type":"string","minLength":1}},{"type":"string","enum":["all"]}]`,
		description: "Which fields of an element to return: a list of names (" + strings.Join(elementFields, ", ") + "), or \"all\". The id is always there.",
		allowed:     "a list of names of fields, or \"all\"",
		example:     `["id","title","description"]`,
	}
	argElementID = argument{
		name: "element_id", required: true,
		schema:      `"type":"string","minLength":1`,
		description: "The id of an element, exactly as list_elements returns it.",
		allowed:     "the id of an element",
		find:        "list_elements finds it",
	}
	argLimit = argument{
		name:        "limit",
		schema:      `"type":"integer","minimum":1,"maximum":` + strconv.Itoa(datachain.MaxPage) + `,"default":` + strconv.Itoa(datachain.DefaultPage),
		description: "How many elements to return at most.",
		allowed:     "a whole number from 1 to " + strconv.Itoa(datachain.MaxPage),
		example:     strconv.Itoa(datachain.DefaultPage),
	}
)

// inputSchema is the JSON Schema of the arguments of a tool.
func inputSchema(arguments []argument) json.RawMessage {
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
	return append(appendJSON(b, required), `,"additionalProperties":false}`...)
}

// outputSchema is the JSON Schema of the answers of a tool, yes and no alike.
func outputSchema(data string) json.RawMessage {
	const issue = `{"type":"object","properties":{"code":{"type":"string"},"message":{"type":"string"},"path":{"type":"string"},"fix_hint":{"type":"string"},"severity":{"type":"string"}},"required":["code","message"]}`
	return json.RawMessage(`{"type":"object","properties":{` +
		`"ok":{"type":"boolean","description":"Whether the answer is yes; else errors say why not."},` +
		`"data":{"type":"object","description":` + strconv.Quote(data) + `},` +
		`"errors":{"type":"array","items":` + issue + `},` +
		`"meta":{"type":"object","properties":{"version":{"type":"string"},"content_hash":{"type":"string"},"total":{"type":"integer"},"returned":{"type":"integer"},"next_cursor":{"type":["string","null"]},"warnings":{"type":"array","items":` + issue + `},"notice":{"type":"string"}}}},` +
		`"required":["ok","meta"]}`)
}
