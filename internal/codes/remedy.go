package codes

import (
	"slices"
)

// Remedy says how to fix what a code reports, in words and by an example.
type Remedy struct {
	// Advice is an instruction, of one or two sentences.
	Advice string
	// Bad is the smallest part of a document, a source file or a request that is
	// reported, and Good the same part after the fix. Good is "" if there is
	// nothing to write instead, as when a request has to be repeated.
	Bad, Good string
}

// LookupRemedy returns the remedy of a code. Every code of the registry has one.
func LookupRemedy(code string) (Remedy, bool) {
	for _, list := range [][]remedy{sourceRemedies, evolutionRemedies, changeRemedies, textRemedies, documentRemedies, requestRemedies} {
		if i := slices.IndexFunc(list, func(r remedy) bool { return r.code == code }); i >= 0 {
			return list[i].Remedy, true
		}
	}
	return Remedy{}, false
}

// remedy is an entry of the tables of remedies. They are apart from the registry, so that
// programs which only report codes do not carry them.
type remedy struct {
	code string
	Remedy
}

// documentRemedies are those of documents, thin and resolved.
var documentRemedies = []remedy{
	{ParseError, Remedy{
		"Add the field, or give it a value of the form that the message names.",
		`"elements": []`,
		`"elements": [{"element_id": "purpose.safety"}]`,
	}},
	{SchemaVersionMismatch, Remedy{
		"Validate against the version that the document pins, or pin the version that you mean.",
		`POST …/schemas/ai@2026-11-01-beta/validate

"schema_version": "ai@2026-09-01-stable"`,
		`POST …/schemas/ai@2026-09-01-stable/validate

"schema_version": "ai@2026-09-01-stable"`,
	}},
	{UnknownField, Remedy{
		"Correct the name of the field. If it is your own field, nothing has to be done: it is kept.",
		`"titel": [{"locale": "en", "value": "Air quality"}]`,
		`"title": [{"locale": "en", "value": "Air quality"}]`,
	}},
	{RegisterInvalid, Remedy{
		"Give the field of the object register a value of the form that the message names.",
		`"register": {"status": "in use", "since": "May 2026"}`,
		`"register": {"status": "in_use", "since": "2026-05-01"}`,
	}},
	{RegisterDate, Remedy{
		"Set updated_at to the time of the change.",
		`"updated_at": "2062-11-15T10:00:00Z"`,
		`"updated_at": "2026-11-15T10:00:00Z"`,
	}},
	{RegisterConflict, Remedy{
		"Give each document an id and a slug of its own, and each new content of a document a later updated_at.",
		`a.json: "id": "camera-1", "register": {"slug": "camera"}
b.json: "id": "camera-2", "register": {"slug": "camera"}`,
		`a.json: "id": "camera-1", "register": {"slug": "camera"}
b.json: "id": "camera-2", "register": {"slug": "camera-2"}`,
	}},
	{SnapshotNotChecked, Remedy{
		"Validate the document as a resolved one: validate_resolved in REST and MCP, `Service.Validate` in Go. The command does so by itself.",
		`POST …/schemas/ai@2026-11-15-stable/validate

"schema_snapshot": {…}`,
		`POST …/schemas/ai@2026-11-15-stable/validate_resolved

"schema_snapshot": {…}`,
	}},
	{SchemaVersionDeprecated, Remedy{
		"Upgrade the document to the version that the hint names (`datachain upgrade`), which also moves what was renamed. It stays valid until the version is retired.",
		`"schema_version": "ai@2026-09-01-stable"`,
		`"schema_version": "ai@2026-11-15-stable"`,
	}},
	{InstanceElementUnknown, Remedy{
		"Write the id of an element of the version that the document pins; search for it by words. Ids can't be guessed.",
		`{"element_id": "purpose.saftey"}`,
		`{"element_id": "purpose.safety"}`,
	}},
	{InstanceElementDeprecated, Remedy{
		"Place one of the elements that the hint names instead. The document stays valid until you do, but a later version may remove the element.",
		`{"element_id": "purpose.old"}`,
		`{"element_id": "purpose.safety"}`,
	}},
	{RequiredCategoryMissing, Remedy{
		"Place an element of the category that the message names.",
		`"elements": [
  {"element_id": "device.camera"}
]`,
		`"elements": [
  {"element_id": "purpose.safety"},
  {"element_id": "device.camera"}
]`,
	}},
	{ElementRequired, Remedy{
		"Place more elements of the category, until it has its minimum.",
		`"elements": [
  {"element_id": "rights.explanation"}
]`,
		`"elements": [
  {"element_id": "rights.explanation"},
  {"element_id": "rights.challenge"}
]`,
	}},
	{InstanceCategoryTooMany, Remedy{
		"Remove placements of the category, and keep those that matter most to readers.",
		`"elements": [
  {"element_id": "purpose.safety"},
  {"element_id": "purpose.traffic"},
  {"element_id": "purpose.environment"},
  {"element_id": "purpose.planning"}
]`,
		`"elements": [
  {"element_id": "purpose.safety"},
  {"element_id": "purpose.traffic"},
  {"element_id": "purpose.environment"}
]`,
	}},
	{InstanceElementTooMany, Remedy{
		"Keep one placement, and say in its variables what the others said.",
		`{"element_id": "accountable.operator"},
{"element_id": "accountable.operator"}`,
		`{"element_id": "accountable.operator"}`,
	}},
	{ContextTypeUnknown, Remedy{
		"Write the id of a context value of the category, which the hint lists, or omit the field if the category has none.",
		`{"element_id": "data.faces", "context_type_id": "identifies_peopel"}`,
		`{"element_id": "data.faces", "context_type_id": "identifies_people"}`,
	}},
	{ContextTypeMissing, Remedy{
		"Add context_type_id with one of the values that the hint lists: it says how the statement applies, and colours the icon.",
		`{"element_id": "device.camera"}`,
		`{"element_id": "device.camera", "context_type_id": "always_on"}`,
	}},
	{PlacementLabelEmpty, Remedy{
		"Write a label, or omit the field: the title of the element is shown then.",
		`{"element_id": "device.camera", "label": ""}`,
		`{"element_id": "device.camera", "label": "North entrance"}`,
	}},
	{InstanceSourceURLInvalid, Remedy{
		"Write the whole URL, with https:// or http://.",
		`{"title": "Policy", "url": "www.example.org/policy"}`,
		`{"title": "Policy", "url": "https://www.example.org/policy"}`,
	}},

	{InstanceElementInstanceIDDuplicate, Remedy{
		"Give each placement an element_instance_id of its own.",
		`{"element_id": "device.camera", "element_instance_id": "camera-1"},
{"element_id": "device.camera", "element_instance_id": "camera-1"}`,
		`{"element_id": "device.camera", "element_instance_id": "camera-1"},
{"element_id": "device.camera", "element_instance_id": "camera-2"}`,
	}},
	{InstanceElementInstanceIDCollides, Remedy{
		"Choose an element_instance_id that is not the id of an element: otherwise references would be ambiguous.",
		`{"element_id": "device.camera", "element_instance_id": "device.camera"}`,
		`{"element_id": "device.camera", "element_instance_id": "camera-1"}`,
	}},
	{InstanceSubchainUnknown, Remedy{
		"Write the id of a subchain of the datachain type.",
		`"subchain_instances": [{"id": "run-1", "subchain_id": "colect"}]`,
		`"subchain_instances": [{"id": "run-1", "subchain_id": "collect"}]`,
	}},
	{InstanceSubchainInstanceUnknown, Remedy{
		"Write the id of an entry of subchain_instances, or add the entry.",
		`"subchain_instances": [{"id": "run-1", "subchain_id": "collect"}],
"elements": [{"element_id": "device.camera", "subchain_instance_id": "run-2"}]`,
		`"subchain_instances": [{"id": "run-1", "subchain_id": "collect"}],
"elements": [{"element_id": "device.camera", "subchain_instance_id": "run-1"}]`,
	}},
	{InstanceSubchainInstanceIDDuplicate, Remedy{
		"Give each subchain instance an id of its own.",
		`"subchain_instances": [
  {"id": "run-1", "subchain_id": "collect"},
  {"id": "run-1", "subchain_id": "collect"}
]`,
		`"subchain_instances": [
  {"id": "run-1", "subchain_id": "collect"},
  {"id": "run-2", "subchain_id": "collect"}
]`,
	}},
	{InstanceSubchainHeadUnknown, Remedy{
		"Write the element_instance_id of a placement, an element_id that is placed once, or the id of a subchain instance.",
		`{"id": "run-1", "subchain_id": "collect", "head_refs": ["camera-9"]}`,
		`{"id": "run-1", "subchain_id": "collect", "head_refs": ["camera-1"]}`,
	}},

	{InstanceRequiredVariableMissing, Remedy{
		"Fill in the variable.",
		`{"element_id": "accountable.operator"}`,
		`{
  "element_id": "accountable.operator",
  "variables": [
    {"id": "organisation", "value": [{"locale": "en", "value": "Town of Lindenau"}]}
  ]
}`,
	}},
	{InstanceVariableUnknown, Remedy{
		"Write the id of a variable of the element, or remove the entry.",
		`"variables": [{"id": "contcat", "value": [{"locale": "en", "value": "Town hall"}]}]`,
		`"variables": [{"id": "contact", "value": [{"locale": "en", "value": "Town hall"}]}]`,
	}},
	{InstanceVariableDuplicate, Remedy{
		"Keep one entry. Texts in several languages are items of one value.",
		`"variables": [
  {"id": "contact", "value": [{"locale": "en", "value": "Town hall"}]},
  {"id": "contact", "value": [{"locale": "fr", "value": "Mairie"}]}
]`,
		`"variables": [
  {"id": "contact", "value": [
    {"locale": "en", "value": "Town hall"},
    {"locale": "fr", "value": "Mairie"}
  ]}
]`,
	}},
	{InstanceVariableValueShape, Remedy{
		"Write a list of texts with their languages for a text variable, and a list of option ids for a select variable.",
		`{"id": "contact", "value": ["Town hall"]}`,
		`{"id": "contact", "value": [{"locale": "en", "value": "Town hall"}]}`,
	}},
	{InstanceVariableValueEmpty, Remedy{
		"Fill in the value, or remove the entry if the variable is optional.",
		`{"id": "contact", "value": []}`,
		`{"id": "contact", "value": [{"locale": "en", "value": "Town hall"}]}`,
	}},
	{InstanceVariableValueDuplicate, Remedy{
		"Name each option once.",
		`{"id": "duration", "value": ["days_7", "days_7"]}`,
		`{"id": "duration", "value": ["days_7"]}`,
	}},
	{InstanceVariableOptionUnknown, Remedy{
		"Write the id of an option of the variable, which the hint lists.",
		`{"id": "duration", "value": ["yaer_1"]}`,
		`{"id": "duration", "value": ["year_1"]}`,
	}},
	{InstanceVariableOptionNotApplicable, Remedy{
		"Choose an option that applies to the element: one without applies_to, or one that lists it there.",
		`{"element_id": "storage.remote", "variables": [{"id": "duration", "value": ["overwritten"]}]}`,
		`{"element_id": "storage.remote", "variables": [{"id": "duration", "value": ["days_30"]}]}`,
	}},
	{InstanceLocaleNotAllowed, Remedy{
		"Use a language of the schema version. The text is kept, but pages in other languages do not offer it.",
		`{"locale": "eng", "value": "Town hall"}`,
		`{"locale": "en", "value": "Town hall"}`,
	}},
	{InstanceLocaleDuplicate, Remedy{
		"Keep one text for each language.",
		`[{"locale": "en", "value": "Town hall"}, {"locale": "EN", "value": "City hall"}]`,
		`[{"locale": "en", "value": "Town hall"}]`,
	}},

	{ElementProvenanceUnknownElement, Remedy{
		"Write the element_instance_id or the element_id of a placement, or remove the entry.",
		`"element_provenance": {"purpose.nothing": {"rationale": "…"}}`,
		`"element_provenance": {"purpose.safety": {"rationale": "…"}}`,
	}},
	{ElementProvenanceAmbiguous, Remedy{
		"Give the placements an element_instance_id each, and use that as the key.",
		`"element_provenance": {"device.camera": {"rationale": "…"}}`,
		`"element_provenance": {"camera-1": {"rationale": "…"}}`,
	}},
	{VariableRationaleUnknownVariable, Remedy{
		"Write the id of a variable of the placed element.",
		`"variable_rationale": {"contcat": "From the imprint."}`,
		`"variable_rationale": {"contact": "From the imprint."}`,
	}},
	{UnknownProvenanceKind, Remedy{
		"Write human or ai_generated, unless your own kind is intended.",
		`"authoring_provenance": {"kind": "robot"}`,
		`"authoring_provenance": {"kind": "ai_generated"}`,
	}},

	{UnknownElementID, Remedy{
		"Correct the id, or resolve the thin document again. An element that the taxonomy lacks belongs in suggested_elements.",
		`{"element_id": "purpose.saftey"}`,
		`{"element_id": "purpose.safety"}`,
	}},
	{ElementIDCollision, Remedy{
		"Give the suggested element an id of its own.",
		`"suggested_elements": [{"id": "purpose.safety"}]`,
		`"suggested_elements": [{"id": "purpose.school_safety"}]`,
	}},
	{ProvenanceRequired, Remedy{
		"Set kind to ai_generated, which tells readers where suggestions come from, or remove the suggested elements.",
		`"authoring_provenance": {"kind": "human"},
"suggested_elements": [{"id": "purpose.school_safety"}]`,
		`"authoring_provenance": {"kind": "ai_generated"},
"suggested_elements": [{"id": "purpose.school_safety"}]`,
	}},
	{SnapshotDrift, Remedy{
		"Resolve the thin document again instead of editing its snapshot.",
		`"schema_snapshot": {"elements": [{"id": "purpose.safety", "title": "edited by hand"}]}`,
		"datachain resolve chain.json",
	}},
	{SnapshotNotCompared, Remedy{
		"Correct the version that the document pins. If that version was retired, upgrade the document, or verify the snapshot by a proof (`datachain verify`).",
		`"schema_version": "ai@2020-01-01-stable"`,
		`"schema_version": "ai@2026-11-15-stable"`,
	}},
}

// requestRemedies are those of requests and of calls of tools.
var requestRemedies = []remedy{
	{BadRequest, Remedy{
		"Correct the part of the URL or of the body that the message names.",
		"GET /api/v2/schemas/ai/manifest",
		"GET /api/v2/schemas/ai@latest/manifest",
	}},
	{NotFound, Remedy{
		"Use a name that the hint lists, or one of GET /api/v2/schemas. A document must pin a published version.",
		"GET /api/v2/schemas/ai@next/manifest",
		"GET /api/v2/schemas/ai@latest/manifest",
	}},
	{MethodNotAllowed, Remedy{
		"Use a method that the Allow header lists. The service is read-only.",
		"PUT /api/v2/schemas",
		"GET /api/v2/schemas",
	}},
	{Gone, Remedy{
		"Remove your link to the document, or read its history, which says when and why.",
		"GET /api/v2/documents/old-camera",
		"GET /api/v2/documents/old-camera/history",
	}},
	{PreconditionFailed, Remedy{
		"Read the resource again without If-Match, and use the ETag of that response.",
		"GET /api/v2/schemas\nIf-Match: \"of-yesterday\"",
		"GET /api/v2/schemas",
	}},
	{ExpectationFailed, Remedy{
		"Remove the Expect header, or send Expect: 100-continue.",
		"Expect: tea",
		"Expect: 100-continue",
	}},
	{PayloadTooLarge, Remedy{
		"Send a smaller document: place fewer elements, shorten texts, or split it into several that refer to each other with linked_instance_ids.",
		"a datachain of 2 MB",
		"two datachains of 500 KB",
	}},
	{RateLimited, Remedy{
		"Wait as many seconds as Retry-After says, then go on at a lower rate. Services behind one address can name themselves with Service-Client.",
		"429 Too Many Requests\nRetry-After: 12",
		"",
	}},
	{Overloaded, Remedy{
		"Try again after as many seconds as Retry-After says.",
		"503 Service Unavailable\nRetry-After: 1",
		"",
	}},
	{Timeout, Remedy{
		"Try again. If it is the document, send a smaller one; if it is the server, tell its operator.",
		"504 Gateway Timeout",
		"",
	}},
	{UpstreamError, Remedy{
		"Try again later. Operators: the log says which file of the store can't be read.",
		"502 Bad Gateway",
		"",
	}},
	{InternalError, Remedy{
		"Report it with the X-Request-Id of the response, by which the operator finds the cause in the log.",
		"500 Internal Server Error\nX-Request-Id: 5f1c9a",
		"",
	}},

	{InvalidArguments, Remedy{
		"Call the tool again with the argument as its description says; the hint names the nearest valid one.",
		`{"version": "ai@latest", "limit": "ten"}`,
		`{"version": "ai@latest", "limit": 10}`,
	}},
	{UnknownVersion, Remedy{
		"Use a version that list_schema_versions returns.",
		`{"version": "ai@next"}`,
		`{"version": "ai@latest"}`,
	}},
	{ElementNotFound, Remedy{
		"Find the element with list_elements, by words or by category.",
		`{"version": "sensor@latest", "element_id": "purpose.saftey"}`,
		`{"version": "sensor@latest", "element_id": "purpose.safety"}`,
	}},
	{ElementIDsTooMany, Remedy{
		"Split the ids into several calls of at most 100.",
		`{"version": "ai@latest", "element_ids": ["…", "and 100 more"]}`,
		`{"version": "ai@latest", "element_ids": ["…", "and 99 more"]}`,
	}},
	{UnknownVariant, Remedy{
		"Use one of the icon_variants of the element, which the hint lists.",
		`{"version": "sensor@latest", "element_id": "purpose.safety", "variant": "drak"}`,
		`{"version": "sensor@latest", "element_id": "purpose.safety", "variant": "dark"}`,
	}},
}
