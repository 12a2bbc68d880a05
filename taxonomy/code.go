package taxonomy

import "slices"

// Code names a kind of [Issue]. Codes are stable: a new one may be added, but
// renaming or removing one breaks whoever matches on it.
type Code string

// CodeInfo is what the registry knows of a [Code].
type CodeInfo struct {
	Code Code
	// Severity is what the code usually comes with.
	Severity Severity
	// RaisedBy names the operation that gives the code.
	RaisedBy string
	// Meaning says in a sentence what is wrong.
	Meaning string
	// Example shows something that gives the code.
	Example string
}

// Codes returns the registry: every code that this module raises, in the order
// of the documentation. The slice is the caller's.
func Codes() []CodeInfo {
	return slices.Clone(codes)
}

// LookupCode returns what the registry knows of a code.
func LookupCode(c Code) (CodeInfo, bool) {
	for _, info := range codes {
		if info.Code == c {
			return info, true
		}
	}
	return CodeInfo{}, false
}

// Codes of schema lint: reading the source.
const (
	CodeSourceUnreadable   Code = "source_unreadable"
	CodeSourceTooLarge     Code = "source_too_large"
	CodeSourceSyntax       Code = "source_syntax"
	CodeSourceDuplicateKey Code = "source_duplicate_key"
	CodeSourceFileMissing  Code = "source_file_missing"
	CodeSourceFileUnknown  Code = "source_file_unknown"
	CodeVersionMalformed   Code = "version_malformed"
	CodeTooManyFindings    Code = "too_many_findings"
)

// Codes of schema lint: fields.
const (
	CodeFieldUnknown Code = "field_unknown"
	CodeFieldMissing Code = "field_missing"
	CodeFieldType    Code = "field_type"
	CodeFieldValue   Code = "field_value"
)

// Codes of schema lint: ids, names and references.
const (
	CodeIDMalformed           Code = "id_malformed"
	CodeIDDuplicate           Code = "id_duplicate"
	CodeIDCaseConflict        Code = "id_case_conflict"
	CodeIDReserved            Code = "id_reserved"
	CodeDatachainTypeMismatch Code = "datachain_type_mismatch"
	CodeAliasMalformed        Code = "alias_malformed"
	CodeAliasConflict         Code = "alias_conflict"
	CodeCategoryUnknown       Code = "category_unknown"
	CodeCategoryUnlisted      Code = "category_unlisted"
	CodeCategoryEmpty         Code = "category_empty"
	CodeElementUnknown        Code = "element_unknown"
	CodeSymbolMissing         Code = "symbol_missing"
	CodeSymbolUnused          Code = "symbol_unused"
)

// Codes of schema lint: texts and their languages.
const (
	CodeLocaleMalformed         Code = "locale_malformed"
	CodeLocaleNotAllowed        Code = "locale_not_allowed"
	CodeLocaleDuplicate         Code = "locale_duplicate"
	CodeLocalizedEmpty          Code = "localized_empty"
	CodeTranslationMissing      Code = "translation_missing"
	CodePlaceholderUndeclared   Code = "placeholder_undeclared"
	CodePlaceholderUntranslated Code = "placeholder_untranslated"
)

// Codes of schema lint: colours and symbols.
const (
	CodeColorMalformed   Code = "color_malformed"
	CodeContrastLow      Code = "contrast_low"
	CodeSymbolMalformed  Code = "symbol_malformed"
	CodeSymbolRoot       Code = "symbol_root"
	CodeSymbolViewBox    Code = "symbol_viewbox"
	CodeSymbolUnsafe     Code = "symbol_unsafe"
	CodeSymbolNotAllowed Code = "symbol_not_allowed"
	CodeSymbolDropped    Code = "symbol_dropped"
)

// CodeStableChanged is given by a store over authoring source.
const CodeStableChanged Code = "stable_changed"

// Codes of operations that fail as a whole.
const (
	CodeBadRequest       Code = "bad_request"
	CodeNotFound         Code = "not_found"
	CodeMethodNotAllowed Code = "method_not_allowed"
	CodeTimeout          Code = "timeout"
	CodeUpstreamError    Code = "upstream_error"
	CodeInternalError    Code = "internal_error"
)

const (
	byLint    = "schema lint"
	byLive    = "live store"
	byService = "service"
)

// codes is the one table behind [Codes]; docs/codes.md is generated from it.
var codes = []CodeInfo{
	{CodeSourceUnreadable, SeverityError, byLint, "A file or folder of the source can't be read, is no regular file, or leads out of the tree.", "elements/purpose.yaml is a link to /etc/passwd"},
	{CodeSourceTooLarge, SeverityError, byLint, "A source file is larger than the limit, or the tree holds more than the limit.", "a symbol of 3 MB"},
	{CodeSourceSyntax, SeverityError, byLint, "A source file is not the YAML or JSON that the format allows: bad syntax or UTF-8, nesting over 64, a YAML tag, an alias that expands too far.", "id: !!binary aGk="},
	{CodeSourceDuplicateKey, SeverityError, byLint, "An object of a source file has the same key twice.", "{id: a, id: b}"},
	{CodeSourceFileMissing, SeverityError, byLint, "A file that every schema version needs is not there.", "a version folder without schema.yaml"},
	{CodeSourceFileUnknown, SeverityWarning, byLint, "A file stands in the source tree where nothing reads it.", "elements/purpose.txt"},
	{CodeVersionMalformed, SeverityError, byLint, "A folder does not name a datachain type or a <date>-<status>.", "ai/2026-13-01-stable"},
	{CodeTooManyFindings, SeverityError, byLint, "There are more findings than are listed; mend these first.", "a file of 10,000 empty elements"},

	{CodeFieldUnknown, SeverityError, byLint, "A key that the format does not know; the hint names the nearest one.", "tilte: {en: Purpose}"},
	{CodeFieldMissing, SeverityError, byLint, "A field that must be there is not.", "an element without category_id"},
	{CodeFieldType, SeverityError, byLint, "A field holds another kind of value than the format wants.", "required: \"yes\""},
	{CodeFieldValue, SeverityError, byLint, "A field holds a value outside what the format allows.", "shape: triangle"},

	{CodeIDMalformed, SeverityError, byLint, "An id holds characters that ids can't have, or too many.", "id: my category"},
	{CodeIDDuplicate, SeverityError, byLint, "Two things of one kind share an id, or a list names an id twice.", "two elements with the id purpose.safety"},
	{CodeIDCaseConflict, SeverityError, byLint, "Two ids of one kind differ only in case.", "purpose.Safety beside purpose.safety"},
	{CodeIDReserved, SeverityError, byLint, "A context value uses an id that is reserved for icon variants.", "context value id: dark"},
	{CodeDatachainTypeMismatch, SeverityError, byLint, "datachain_type.id differs from the name of the type's folder.", "datachain_type.id: robot in the folder ai"},
	{CodeAliasMalformed, SeverityError, byLint, "A declared alias is no well-formed alias of this datachain type.", "aliases: [latest!]"},
	{CodeAliasConflict, SeverityError, byLint, "Two releases claim one alias, or a release claims one that the builder assigns.", "ai@v1 declared by two versions"},
	{CodeCategoryUnknown, SeverityError, byLint, "A reference names a category that is not defined.", "category_id: purpos"},
	{CodeCategoryUnlisted, SeverityError, byLint, "A category is defined but absent from datachain_type.categories.", "categories/risk.yaml without risk in the list"},
	{CodeCategoryEmpty, SeverityWarning, byLint, "A category has no elements; an error where the category is required or has a minimum, since no document could satisfy it.", "a category that nothing refers to"},
	{CodeElementUnknown, SeverityError, byLint, "applies_to of an option names an element that the variable does not reach.", "applies_to: [purpose.saftey]"},
	{CodeSymbolMissing, SeverityError, byLint, "An element refers to a symbol that has no file.", "symbol_id: sheild without symbols/sheild.svg"},
	{CodeSymbolUnused, SeverityWarning, byLint, "No element uses a symbol.", "symbols/draft.svg"},

	{CodeLocaleMalformed, SeverityError, byLint, "A locale code is no well-formed language tag.", "locales: [english!]"},
	{CodeLocaleNotAllowed, SeverityError, byLint, "A text is given in a locale that schema.yaml does not list.", "title: {de: Zweck} with locales [en, fr]"},
	{CodeLocaleDuplicate, SeverityError, byLint, "A locale is given twice.", "locales: [en, EN]"},
	{CodeLocalizedEmpty, SeverityError, byLint, "A localized field has no text, or white space alone.", "title: {en: \"\"}"},
	{CodeTranslationMissing, SeverityWarning, byLint, "A text lacks one of the locales of the schema version.", "title: {en: Purpose} with locales [en, fr]"},
	{CodePlaceholderUndeclared, SeverityError, byLint, "A text holds {{name}}, and no variable of that name is declared for it.", "Kept for {{tme}}."},
	{CodePlaceholderUntranslated, SeverityWarning, byLint, "A translation lacks a {{name}} that the text in the fallback locale has.", "{en: \"Kept for {{time}}\", fr: \"Conservé\"}"},

	{CodeColorMalformed, SeverityError, byLint, "A colour is not written #RRGGBB.", "color: red"},
	{CodeContrastLow, SeverityWarning, byLint, "A symbol that brings its own colours contrasts less than 4.5 to 1 (WCAG AA) with the colour of a context value that it is drawn on.", "a grey symbol (#808080) on #777777"},
	{CodeSymbolMalformed, SeverityError, byLint, "A symbol is not well-formed XML, or is larger, deeper or longer than symbols may be.", "<svg><path></svg>"},
	{CodeSymbolRoot, SeverityError, byLint, "The root of a symbol is not <svg> in the SVG namespace.", "<html/>"},
	{CodeSymbolViewBox, SeverityError, byLint, "A symbol does not have the viewBox 0 0 36 36.", "viewBox=\"0 0 24 24\""},
	{CodeSymbolUnsafe, SeverityError, byLint, "A symbol holds active or external content: script, event attributes, foreign objects, animation, references out of the symbol, DOCTYPE, entities or processing instructions.", "<svg onload=\"…\">"},
	{CodeSymbolNotAllowed, SeverityError, byLint, "A symbol uses an element or a value that symbols may not use.", "<text>Hi</text>"},
	{CodeSymbolDropped, SeverityWarning, byLint, "A symbol holds something harmless that is left out when it is published, such as an editor's own attributes.", "inkscape:label=\"Layer 1\""},

	{CodeStableChanged, SeverityError, byLive, "The source of a stable version has changed since it was first served. The version goes on as it was: what is new needs a new version.", "an edit in ai/2026-09-01-stable while the server runs"},

	{CodeBadRequest, SeverityError, byService, "A version, an id or a parameter is malformed.", "GET /api/v2/schemas/ai/manifest"},
	{CodeNotFound, SeverityError, byService, "There is no such version, element or symbol.", "GET /api/v2/schemas/ai@next/manifest"},
	{CodeMethodNotAllowed, SeverityError, byService, "The address is right, but not for this method; Allow lists those that it takes.", "PUT /api/v2/schemas"},
	{CodeTimeout, SeverityError, byService, "The answer took longer than it may.", "a store that does not answer"},
	{CodeUpstreamError, SeverityError, byService, "The store of schema versions could not be read.", "a release whose content does not match its hash"},
	{CodeInternalError, SeverityError, byService, "Something went wrong that is not the caller's fault.", "a bug"},
}
