package mcp

// argDatachain is a document. Its description helps models to write one at the
// first attempt. The schema accepts any object, since the service judges it with
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
