package issue

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
)

// Code identifies a kind of [Issue]. Codes are stable: new ones may be added, but
// none is renamed or removed, since programs match on them. [Codes] returns all, and
// docs/codes.md lists them. Those that a server answers requests with are constants.
type Code string

// CodeInfo is the entry of a [Code] in the registry.
type CodeInfo struct {
	Code Code
	// Severity is the usual severity of the code.
	Severity Severity
	// RaisedBy names the operation that reports the code.
	RaisedBy string
	// Meaning describes the problem in a sentence.
	Meaning string
	// Example shows something that is reported with the code.
	Example string
}

// Codes returns the registry: every code of this module, in the order of
// docs/codes.md, which is generated from it. The caller owns the slice.
func Codes() []CodeInfo { return slices.Clone(registry) }

// LookupCode returns the entry of a code.
func LookupCode(c Code) (CodeInfo, bool) {
	i := slices.IndexFunc(registry, func(info CodeInfo) bool { return info.Code == c })
	if i < 0 {
		return CodeInfo{}, false
	}
	return registry[i], true
}

// repositoryPage explains all codes.
const repositoryPage = "https://github.com/datachain-go/datachain/blob/main/docs/codes.md#"

// URL returns the address of the page that explains the code: that of a server with an
// explorer at a base URL, such as https://example.org/datachain, or that of the repository
// if base is "".
func (c Code) URL(base string) string {
	if base == "" {
		return repositoryPage + string(c)
	}
	return strings.TrimSuffix(base, "/") + "/codes/" + string(c)
}

// Codes of requests that fail as a whole. Those that only servers answer with are not constants.
const (
	CodeBadRequest      Code = codes.BadRequest
	CodeNotFound        Code = codes.NotFound
	CodePayloadTooLarge Code = codes.PayloadTooLarge
	CodeTimeout         Code = codes.Timeout
	CodeUpstreamError   Code = codes.UpstreamError
	CodeInternalError   Code = codes.InternalError
)

const (
	byLint     = "schema lint"
	byBoth     = "schema lint and validate"
	byBreaking = "schema breaking"
	byStale    = "schema lint across versions"
	byLive     = "live store"
	byValidate = "validate"
	byResolved = "validate_resolved"
	byStrict   = "validate in strict mode"
	byService  = "service"
	byTools    = "MCP tools"
	byRegister = "register of documents"
	byProfile  = "profile check"
)

var registry = []CodeInfo{
	{codes.SourceUnreadable, SeverityError, byLint, "A file or directory of the source can't be read, is not a regular file, or is outside the source tree.", "elements/purpose.yaml is a symbolic link to /etc/passwd"},
	{codes.SourceTooLarge, SeverityError, byLint, "A source file, all files of a schema version together, or the release with everything that elements inherit from their categories is larger than the limit.", "a symbol of 3 MB"},
	{codes.SourceSyntax, SeverityError, byLint, "A source file is not the YAML or JSON that the format allows: invalid syntax or UTF-8, more than 64 levels, a second document, a YAML tag or merge key, or aliases that expand too far.", "id: !!binary aGk="},
	{codes.SourceDuplicateKey, SeverityError, byLint, "An object in a source file has the same key twice.", "{id: a, id: b}"},
	{codes.SourceFileMissing, SeverityError, byLint, "A file that every schema version needs is missing.", "a version directory without schema.yaml"},
	{codes.SourceFileUnknown, SeverityWarning, byLint, "The source tree contains a file that is never read, or a datachain type that is one level too deep.", "elements/purpose.txt"},
	{codes.VersionMalformed, SeverityError, byLint, "The name of a directory is neither a datachain type nor <date>-<status>.", "ai/2026-13-01-stable"},
	{codes.TooManyFindings, SeverityError, byBoth, "There are more findings than are listed; fix these first. A warning if only warnings were left out.", "a file of 10,000 empty elements"},

	{codes.FieldUnknown, SeverityError, byLint, "The format has no such key; the hint names the nearest one.", "tilte: {en: Purpose}"},
	{codes.FieldMissing, SeverityError, byLint, "A required field is missing.", "an element without category_id"},
	{codes.FieldType, SeverityError, byLint, "A field has a value of the wrong type.", "required: \"yes\""},
	{codes.FieldValue, SeverityError, byLint, "A field has a value that the format does not allow.", "shape: triangle"},
	{codes.FieldEmpty, SeverityWarning, byLint, "An optional key has no value; remove the key, or write null for no value. An error if the value was written without quotes and so became a comment.", "color: #C62828"},

	{codes.IDMalformed, SeverityError, byLint, "An id has characters that ids can't have, or is too long.", "id: my category"},
	{codes.IDDuplicate, SeverityError, byLint, "Two objects of the same kind share an id, or a list names an id twice.", "two elements with the id purpose.safety"},
	{codes.IDCaseConflict, SeverityError, byLint, "Two ids of the same kind differ only in case.", "purpose.Safety and purpose.safety"},
	{codes.IDReserved, SeverityError, byLint, "A context value has an id that is reserved for icon variants, or a datachain type one that stores use.", "context value id: dark"},
	{codes.DatachainTypeMismatch, SeverityError, byLint, "datachain_type.id differs from the name of the type's directory.", "datachain_type.id: robot in the directory ai"},
	{codes.AliasMalformed, SeverityError, byLint, "A declared alias is not a valid alias of this datachain type.", "aliases: [latest!]"},
	{codes.AliasConflict, SeverityError, byLint, "Two releases claim the same alias, or a release claims one that is assigned automatically.", "ai@v1 declared by two versions"},
	{codes.CategoryUnknown, SeverityError, byLint, "A reference names a category that is not defined.", "category_id: purpos"},
	{codes.CategoryUnlisted, SeverityError, byLint, "A category is defined but missing from datachain_type.categories.", "categories/risk.yaml without risk in the list"},
	{codes.CategoryEmpty, SeverityWarning, byLint, "A category has no elements; an error if the category is required or has a minimum, since no document could satisfy it.", "a category without elements"},
	{codes.CardinalityUnreachable, SeverityError, byLint, "The minimum of a category is higher than the sum of max_placements of its elements, so no document could satisfy it.", "cardinality: {min: 3} with two elements of max_placements 1"},
	{codes.ElementUnknown, SeverityError, byLint, "applies_to of an option names an element that does not have the variable.", "applies_to: [purpose.saftey]"},
	{codes.OptionNoneApplies, SeverityWarning, byLint, "A required variable of a category has no option that applies to one of its elements, so no document that places the element could be valid.", "applies_to: [data.face] in every option, and an element data.voice"},
	{codes.OptionsMissing, SeverityWarning, byLint, "A variable of type select has no options, so documents can't fill it in; an error if it is required.", "type: select without options"},
	{codes.SymbolMissing, SeverityError, byLint, "An element refers to a symbol that has no file.", "symbol_id: sheild without symbols/sheild.svg"},
	{codes.SymbolUnused, SeverityWarning, byLint, "No element uses the symbol.", "symbols/draft.svg"},
	{codes.LeadAmbiguous, SeverityWarning, byLint, "Two context values or two elements of a category are leads, so it is not clear which one summaries should show.", "lead: true on deployer and on vendor"},
	{codes.RoleDuplicate, SeverityWarning, byLint, "An element has two variables with the same role, of which summaries use only the first.", "role: name on title and on short_name"},
	{codes.RoleUnused, SeverityWarning, byLint, "A role or an order has no effect: a context with too few values, or a contact or link that is chosen from options.", "order: rising with one value"},
	{codes.SchemeUnknown, SeverityError, byLint, "A mapping names a scheme that the schema file does not list.", "mappings: [{scheme: gdrp, id: Art. 13, relation: close}]"},
	{codes.SchemeUnused, SeverityWarning, byLint, "A scheme is listed, but nothing is mapped to it.", "schemes: [{id: gdpr, …}] without a mapping to gdpr"},

	{codes.SuccessorUnknown, SeverityError, byLint, "replaced_by names an element that the version does not have, or one that was removed without a successor.", "replaced_by: purpose.saftey"},
	{codes.SuccessorCycle, SeverityError, byLint, "An element is replaced by itself, directly or through other elements.", "purpose.a replaced by purpose.b, and purpose.b by purpose.a"},
	{codes.SuccessorRemoved, SeverityWarning, byLint, "replaced_by names an element that was removed, too. Its successors are followed, but the entry should name them.", "replaced_by: purpose.b, if removed lists purpose.b with the successor purpose.c"},
	{codes.SuccessorDeprecated, SeverityWarning, byLint, "replaced_by names an element that is deprecated.", "replaced_by: purpose.b, if purpose.b has status: deprecated"},
	{codes.SuccessorMissing, SeverityWarning, byLint, "An element is deprecated without a successor, or was removed without a successor and without a note, so authors of documents don't know what to do. So is an id of the version before that no longer exists, without an entry in evolution.yaml.", "removed: [{id: purpose.fun, since: ai@2026-09-01-stable}]"},
	{codes.ElementNotDeprecated, SeverityWarning, byLint, "An element has replaced_by, but its status is not deprecated, so documents that place it get no warning.", "replaced_by without status: deprecated"},
	{codes.RemovedExists, SeverityError, byLint, "removed lists an element that the version has.", "removed: [{id: purpose.safety, …}] with an element purpose.safety"},
	{codes.SinceInvalid, SeverityError, byLint, "since of a removed element is not a version id, belongs to another datachain type, or is later than the version itself.", "since: sensor@2026-06-15-stable in a version of ai"},
	{codes.RenameConflict, SeverityError, byLint, "renamed_from names an id that something of the same kind still has, or that two of them claim.", "two options with renamed_from: [one_year]"},
	{codes.IDReused, SeverityError, byLint, "An id that was removed after an older version is back with another title, or the title that it had is that of another id now, such as that of an element with which it was exchanged: documents of the older version would say something else. So is an id that differs from an older one only in letter case, unless a rename is recorded. It is a warning if the title is the same, if the version is stable, or if evolution.yaml records the removal and no version is left that has the old title. Stable versions need not have what beta versions have, and the other way round. List the id under revived in evolution.yaml if its meaning is the same.", "an element camera, removed in 2026-06-01-stable, that is back as Audit"},
	{codes.SynonymsMalformed, SeverityError, byLint, "A group of synonyms has fewer than two words, an empty, overlong or repeated word, or more words than allowed.", "synonyms: {en: [[camera]]}"},

	{codes.LocaleMalformed, SeverityError, byLint, "A locale is not a valid language tag.", "locales: [english!]"},
	{codes.LocaleNotAllowed, SeverityError, byLint, "A text is in a locale that schema.yaml does not list.", "title: {de: Zweck} with locales [en, fr]"},
	{codes.LocaleDuplicate, SeverityError, byLint, "A locale is given twice.", "locales: [en, EN]"},
	{codes.LocalizedEmpty, SeverityError, byLint, "A localized field has no text, or only white space.", "title: {en: \"\"}"},
	{codes.TranslationMissing, SeverityWarning, byLint, "A text is missing in one of the locales of the schema version.", "title: {en: Purpose} with locales [en, fr]"},
	{codes.PlaceholderUndeclared, SeverityError, byLint, "A text contains {{name}}, but no variable of that name is declared.", "Kept for {{tme}}."},
	{codes.PlaceholderBraces, SeverityWarning, byLint, "A text contains {name} with single braces, although a variable of that name is declared: only {{name}} is replaced by its value.", "Kept for {time}."},
	{codes.PlaceholderUntranslated, SeverityWarning, byLint, "A translation lacks a {{name}} that the text in the fallback locale has.", "{en: \"Kept for {{time}}\", fr: \"Conservé\"}"},

	{codes.ColorMalformed, SeverityError, byLint, "A colour is not written as #RRGGBB.", "color: red"},
	{codes.ContrastLow, SeverityWarning, byLint, "A symbol with its own colours has a contrast below 4.5:1 (WCAG AA) with its background: white in the default icon, black in the dark icon, or the colour of a context value.", "a grey symbol (#808080) on #777777"},
	{codes.SymbolMalformed, SeverityError, byLint, "A symbol is not well-formed XML, or exceeds a limit on size, depth or length.", "<svg><path></svg>"},
	{codes.SymbolRoot, SeverityError, byLint, "The root element of a symbol is not <svg> in the SVG namespace.", "<html/>"},
	{codes.SymbolViewBox, SeverityError, byLint, "A symbol does not have the viewBox 0 0 36 36.", "viewBox=\"0 0 24 24\""},
	{codes.SymbolUnsafe, SeverityError, byLint, "A symbol has active or external content: scripts, event attributes, foreign objects, animation, references to anything outside the symbol, DOCTYPE, entities or processing instructions.", "<svg onload=\"…\">"},
	{codes.SymbolNotAllowed, SeverityError, byLint, "A symbol uses an element or a value that symbols can't use.", "<text>Hi</text>"},
	{codes.SymbolTooComplex, SeverityError, byLint, "A symbol would take too long to draw: with every reference followed, it has too many elements, masks, clip paths, opacities or dashes, or too much path data.", "1,900 shapes, each with mask=\"url(#m)\""},
	{codes.SymbolDropped, SeverityWarning, byLint, "A symbol has harmless content that is dropped when it is published, such as attributes of an editor.", "inkscape:label=\"Layer 1\""},
	{codes.SymbolBlank, SeverityWarning, byLint, "A symbol draws nothing visible, so its icons are empty shapes.", "<path fill=\"none\" …/> without a stroke"},

	{codes.TranslationStale, SeverityWarning, byStale, "The text in the fallback locale has changed since the last stable version, and its translation has not.", "title: {en: Public safety, fr: Sécurité}, if en was Safety"},
	{codes.AllowedChangeUnknown, SeverityError, byBreaking, "An entry of allowed-changes.yaml names a rule that does not exist or is not breaking.", "rule: element-remove"},
	{codes.AllowedChangeUnused, SeverityWarning, byBreaking, "An exception allows no change: there is no breaking change of that subject by that rule.", "subject: purpose.saftey"},

	{codes.StableChanged, SeverityError, byLive, "The source of a stable version has changed since it was first served. The original content is still served; publish the change as a new version.", "an edit in ai/2026-09-01-stable while the server is running"},

	{codes.ParseError, SeverityError, byValidate, "The text is JSON, but a field is missing or has a value of the wrong type or form.", `"elements": []`},
	{codes.SchemaVersionMismatch, SeverityWarning, byValidate, "The document pins another version than the one it is validated against; an error when resolving.", `"schema_version": "ai@2026-09-01-stable" validated against ai@2026-11-18-beta`},
	{codes.SnapshotNotChecked, SeverityWarning, byValidate, "The document has a schema_snapshot, but was validated as a thin one: nothing in the snapshot was checked.", "a resolved document sent to POST …/validate"},
	{codes.InstanceElementUnknown, SeverityError, byValidate, "A placement refers to an element that the schema version does not have.", `"element_id": "purpose.saftey"`},
	{codes.InstanceElementDeprecated, SeverityWarning, byValidate, "A placement refers to an element that is deprecated; the hint names the elements to place instead.", "a placement of an element with status deprecated"},
	{codes.RequiredCategoryMissing, SeverityError, byValidate, "A required category has no placement.", "a document without a purpose"},
	{codes.ElementRequired, SeverityError, byValidate, "A category has fewer placements than its minimum.", "one placement of rights, which needs two"},
	{codes.InstanceCategoryTooMany, SeverityError, byValidate, "A category has more placements than its maximum.", "four purposes, although three are allowed"},
	{codes.InstanceElementTooMany, SeverityError, byValidate, "An element is placed more often than its max_placements allows.", "an element with max_placements 1 placed twice"},
	{codes.ContextTypeUnknown, SeverityError, byValidate, "A placement names a context value that its category does not have.", `"context_type_id": "identifies_peopel"`},
	{codes.ContextTypeMissing, SeverityWarning, byValidate, "A placement does not name a context value of its category; an error if the context is required.", "a placement of input data without context_type_id"},
	{codes.InstanceVariableUnknown, SeverityError, byValidate, "A placement fills in a variable that its element does not have.", `{"id": "contcat", "value": […]}`},
	{codes.InstanceVariableDuplicate, SeverityError, byValidate, "A placement fills in a variable twice.", `two entries with "id": "contact"`},
	{codes.InstanceVariableValueShape, SeverityError, byValidate, "The value of a variable does not have the form of its type: a localized text for text, a list of option ids for select.", `"value": ["a text"] for a text variable`},
	{codes.InstanceVariableValueEmpty, SeverityError, byValidate, "A variable is given without a value.", `"value": []`},
	{codes.InstanceVariableValueDuplicate, SeverityError, byValidate, "A select variable names an option twice.", `"value": ["days_7", "days_7"]`},
	{codes.InstanceVariableOptionUnknown, SeverityError, byValidate, "A select variable does not have the option.", `"value": ["yaer_1"]`},
	{codes.InstanceVariableOptionNotApplicable, SeverityError, byValidate, "The option does not apply to the placed element.", "an option whose applies_to lists other elements"},
	{codes.InstanceRequiredVariableMissing, SeverityError, byValidate, "A placement lacks a variable that its element requires.", "a responsible organisation without its name"},
	{codes.InstanceLocaleNotAllowed, SeverityWarning, byValidate, "A text is in a locale that the schema version does not have.", `{"locale": "de", "value": "Zweck"} if the version has en and fr`},
	{codes.InstanceLocaleDuplicate, SeverityWarning, byValidate, "A text is given twice in one locale, ignoring case; the second is not shown.", `[{"locale": "en", …}, {"locale": "EN", …}]`},
	{codes.InstanceElementInstanceIDDuplicate, SeverityError, byValidate, "Two placements share an element_instance_id.", `"element_instance_id": "camera-1" twice`},
	{codes.InstanceElementInstanceIDCollides, SeverityError, byValidate, "An element_instance_id is also an element_id that is placed in the document.", `"element_instance_id": "device.camera" and "element_id": "device.camera"`},
	{codes.InstanceSubchainUnknown, SeverityError, byValidate, "A subchain instance refers to a subchain that the datachain type does not have.", `"subchain_id": "colect"`},
	{codes.InstanceSubchainInstanceIDDuplicate, SeverityError, byValidate, "Two subchain instances share an id.", `"id": "run-1" twice`},
	{codes.InstanceSubchainInstanceUnknown, SeverityError, byValidate, "A placement refers to a subchain instance that the document does not have.", `"subchain_instance_id": "run-2"`},
	{codes.InstanceSubchainHeadUnknown, SeverityWarning, byValidate, "An entry of head_refs is neither the element_instance_id of a placement, nor an element_id that is placed once, nor the id of a subchain instance.", `"head_refs": ["camera-9"]`},
	{codes.PlacementLabelEmpty, SeverityWarning, byValidate, "The label of a placement is empty.", `"label": ""`},
	{codes.InstanceSourceURLInvalid, SeverityWarning, byValidate, "The url of a source is not an absolute http or https URL, so pages can't link to it.", `"url": "www.example.org/policy"`},
	{codes.ElementProvenanceUnknownElement, SeverityError, byValidate, "A key of element_provenance does not match a placement.", `"element_provenance": {"purpose.nothing": {…}}`},
	{codes.ElementProvenanceAmbiguous, SeverityError, byValidate, "A key of element_provenance is an element_id that is placed more than once.", `"element_provenance": {"device.camera": {…}} with two cameras`},
	{codes.VariableRationaleUnknownVariable, SeverityError, byValidate, "A key of variable_rationale names a variable that the placed element does not have.", `"variable_rationale": {"contcat": "…"}`},

	{codes.RegisterInvalid, SeverityWarning, byValidate, "The object register of a document has a value of the wrong type or form, or the document has no address. A register does not publish it.", `"register": {"status": "in use"}`},
	{codes.RegisterDate, SeverityWarning, byRegister, "The updated_at of a document is in the future, or is the same as in the last edition although the content has changed.", `"updated_at": "2062-11-15T10:00:00Z"`},
	{codes.RegisterConflict, SeverityError, byRegister, "Two documents have the same id and time but different contents, or a document has a slug that belongs to another id.", "a copy of a document with another id and the same register.slug"},
	{codes.ProfileInvalid, SeverityError, byProfile, "A profile has an unknown key, role or field, a condition or a table that can't hold, or a template that can't be read.", `{name: title, from: [{pth: title}]}`},

	{codes.ElementIDCollision, SeverityError, byResolved, "A suggested element has the id of an element in the snapshot, or of another suggested element.", "purpose.safety in both lists"},
	{codes.ProvenanceRequired, SeverityError, byResolved, "A document has suggested elements, but its authoring_provenance is not ai_generated.", `suggested elements with "kind": "human"`},
	{codes.UnknownElementID, SeverityError, byResolved, "A placement refers to an element that is neither in the snapshot nor suggested.", `"element_id": "purpose.saftey"`},
	{codes.UnknownCategoryID, SeverityError, byResolved, "An element of the snapshot or a suggested element is in a category that neither the snapshot nor the published version has.", `"category_id": "purpsoe"`},
	{codes.SnapshotDrift, SeverityError, byResolved, "The snapshot differs from the published version that the document pins.", "a title that was changed in the snapshot"},
	{codes.SnapshotNotCompared, SeverityWarning, byResolved, "The snapshot was not compared with the version that the document pins, because that is not published: nothing proves that the snapshot is genuine.", `a snapshot with "schema_version": "ai@2020-01-01-stable"`},

	{codes.UnknownField, SeverityWarning, byStrict, "The format has no such field; the field is kept, but may be a typo.", `"titel": […]`},
	{codes.UnknownProvenanceKind, SeverityWarning, byStrict, "The kind of authoring_provenance is not a known kind.", `"kind": "robot"`},

	{CodeBadRequest, SeverityError, byService, "A version, an id or a parameter is malformed, or a document is not strict JSON.", "GET /api/v2/schemas/ai/manifest"},
	{CodeNotFound, SeverityError, byService, "There is no such version, element, symbol, variant, shape or path.", "GET /api/v2/schemas/ai@next/manifest"},
	{codes.Forbidden, SeverityError, byService, "A server that listens on this machine only got a request for another host, as from a page that attacks it by DNS.", "POST /mcp with Host: evil.example"},
	{codes.MethodNotAllowed, SeverityError, byService, "The path exists, but not for this method; the Allow header lists the methods.", "PUT /api/v2/schemas"},
	{codes.Gone, SeverityError, byService, "The document was withdrawn from the register, or its content was erased.", "GET /api/v2/documents/old-camera"},
	{codes.PreconditionFailed, SeverityError, byService, "The If-Match header does not name the current entity tag of the resource; read it again.", `If-Match: "of-yesterday"`},
	{codes.ExpectationFailed, SeverityError, byService, "The Expect header has a value other than 100-continue.", "Expect: tea"},
	{CodePayloadTooLarge, SeverityError, byService, "The request body or the resolved datachain is larger than the limit.", "a datachain of two megabytes"},
	{codes.RateLimited, SeverityError, byService, "The client has exceeded its requests per minute; the Retry-After header says how long to wait.", "400 reads in a minute"},
	{codes.Overloaded, SeverityError, byService, "The server is overloaded; the Retry-After header says how long to wait.", "thousands of requests at the same time"},
	{CodeTimeout, SeverityError, byService, "The request exceeded its time limit.", "a store that does not respond"},
	{CodeUpstreamError, SeverityError, byService, "The store of schema versions could not be read.", "a release whose content does not match its hash"},
	{CodeInternalError, SeverityError, byService, "The server failed; the request is not at fault.", "a bug"},
	{codes.SchemaVersionDeprecated, SeverityWarning, byService, "The document pins a version that is deprecated: the message says since when, until when it is served and why, and the hint what to upgrade to.", "a document that pins a version after datachain schema deprecate"},

	{codes.InvalidArguments, SeverityError, byTools, "An argument is missing, unknown, malformed or of the wrong type; a warning if its meaning was clear.", `"limit": "ten"`},
	{codes.UnknownVersion, SeverityError, byTools, "There is no such schema version.", `"version": "ai@next"`},
	{codes.ElementNotFound, SeverityError, byTools, "The version has no such element.", `"element_id": "purpose.saftey"`},
	{codes.ElementIDsTooMany, SeverityError, byTools, "A call asks for more than 100 different elements.", "get_elements with 101 ids"},
	{codes.UnknownVariant, SeverityError, byTools, "The element has no icon in that variant; the hint lists its variants.", `"variant": "drak"`},
}
