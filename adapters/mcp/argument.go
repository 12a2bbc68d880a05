package mcp

import (
	"encoding/json"
	"strconv"

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
	// example is JSON.
	example string
}

// The arguments that tools share.
var (
	argVersion = argument{
		name: "version", required: true,
		schema:      `"type":"string","minLength":1`,
		description: "The schema version: an id or an alias that list_schema_versions returns, such as ai@latest.",
		allowed:     "the id or an alias of a schema version",
		example:     `"ai@latest"`,
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
		description: "Which fields of an element to return: a list of names (id, title, description, category_id, symbol_id, icon_variants, variables, keywords, max_placements, authoring_guidance, sources), or \"all\". The id is always there.",
		allowed:     "a list of names of fields, or \"all\"",
		example:     `["id","title","description"]`,
	}
	argElementID = argument{
		name: "element_id", required: true,
		schema:      `"type":"string","minLength":1`,
		description: "The id of an element, as list_elements returns it, such as purpose.triage.",
		allowed:     "the id of an element",
		example:     `"purpose.triage"`,
	}
	argDatachain = argument{
		name: "datachain", required: true,
		schema: `"type":"object","properties":{` +
			`"id":{"description":"Required string: an id for this document."},` +
			`"schema_version":{"description":"Required string: the canonical id of the version, such as ai@2026-09-01-stable. An alias is not allowed here."},` +
			`"created_at":{"description":"Required string: date and time with a zone, such as 2026-06-01T10:00:00Z."},` +
			`"title":{"description":"Localized string: [{\"locale\": \"en\", \"value\": \"…\"}]."},` +
			`"description":{"description":"Localized string: what the system does, in plain words."},` +
			`"elements":{"description":"Required non-empty list of placements: {\"element_id\": …, \"context_type_id\": a context value of the category of the element, \"variables\": [{\"id\": …, \"value\": localized string, or a list of option ids for a select variable}]}. Optional in a placement: element_instance_id (an id of its own, needed where one element is placed twice), label (a few words that tell it apart), priority (whole number, less is shown first), subchain_instance_id (the id of a subchain_instances entry), actions (what a reader can do: [{\"type\": email, url, phone, form or postal, \"label\": …, \"target\": …}]), sources (as those of the document) and citation (a string)."},` +
			`"subchain_instances":{"description":"Optional list, where the datachain type has subchains: {\"id\": …, \"subchain_id\": …, \"order\": whole number, \"head_refs\": [element_instance_id or element_id of placements that it begins with]}."},` +
			`"sources":{"description":"Optional list of what the document rests on: {\"type\": …, \"title\": …, \"url\": …, \"citation\": …}."},` +
			`"authoring_provenance":{"description":"Optional: {\"kind\": human, or ai_generated where a model wrote it, \"model\": …, \"generated_at\": …, \"element_provenance\": {element_instance_id, or element_id if placed once: {\"rationale\": why it is placed, \"confidence\": high, medium or low, \"source_references\": [{\"quote\": …, \"context\": …}]}}}."}}`,
		description: "The datachain: a JSON object, not a string that holds JSON.",
		allowed:     "a JSON object",
		example:     `{"id":"my-system","schema_version":"ai@2026-09-01-stable","created_at":"2026-06-01T10:00:00Z","elements":[{"element_id":"purpose.triage"}]}`,
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
		b = append(append(append(b, a.schema...), `,"examples":[`+a.example...), "]}"...)
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
		`"meta":{"type":"object","properties":{"version":{"type":"string"},"content_hash":{"type":"string"},"next_cursor":{"type":["string","null"]},"warnings":{"type":"array","items":` + issue + `}}}},` +
		`"required":["ok","meta"]}`)
}
