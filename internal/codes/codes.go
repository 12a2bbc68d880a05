// Package codes defines names that JSON has: codes of findings and of requests that fail, the
// roles, relations, orders, statuses and kinds of the model, and the names of its fields. Package
// issue has the registry of all codes. The constants have no type, so that packages issue and
// taxonomy can give them their own.
package codes

// Codes of schema lint: reading the source.
const (
	SourceUnreadable   = "source_unreadable"
	SourceTooLarge     = "source_too_large"
	SourceSyntax       = "source_syntax"
	SourceDuplicateKey = "source_duplicate_key"
	SourceFileMissing  = "source_file_missing"
	SourceFileUnknown  = "source_file_unknown"
	VersionMalformed   = "version_malformed"
)

// Codes of schema lint: fields.
const (
	FieldUnknown = "field_unknown"
	FieldMissing = "field_missing"
	FieldType    = "field_type"
	FieldValue   = "field_value"
	FieldEmpty   = "field_empty"
)

// Codes of schema lint: ids, names and references.
const (
	IDMalformed            = "id_malformed"
	IDDuplicate            = "id_duplicate"
	IDCaseConflict         = "id_case_conflict"
	IDReserved             = "id_reserved"
	DatachainTypeMismatch  = "datachain_type_mismatch"
	AliasMalformed         = "alias_malformed"
	AliasConflict          = "alias_conflict"
	CategoryUnknown        = "category_unknown"
	CategoryUnlisted       = "category_unlisted"
	CategoryEmpty          = "category_empty"
	ElementUnknown         = "element_unknown"
	CardinalityUnreachable = "cardinality_unreachable"
	OptionNoneApplies      = "option_none_applies"
	OptionsMissing         = "options_missing"
	SymbolMissing          = "symbol_missing"
	SymbolUnused           = "symbol_unused"
	LeadAmbiguous          = "lead_ambiguous"
	RoleDuplicate          = "role_duplicate"
	RoleUnused             = "role_unused"
	SchemeUnknown          = "scheme_unknown"
	SchemeUnused           = "scheme_unused"
)

// Codes of schema lint: what changed since earlier versions.
const (
	SuccessorUnknown     = "successor_unknown"
	SuccessorCycle       = "successor_cycle"
	SuccessorRemoved     = "successor_removed"
	SuccessorDeprecated  = "successor_deprecated"
	SuccessorMissing     = "successor_missing"
	ElementNotDeprecated = "element_not_deprecated"
	RemovedExists        = "removed_exists"
	SinceInvalid         = "since_invalid"
	RenameConflict       = "rename_conflict"
	IDReused             = "id_reused"
	SynonymsMalformed    = "synonyms_malformed"
)

// Codes of schema lint: texts and their languages.
const (
	LocaleMalformed         = "locale_malformed"
	LocaleNotAllowed        = "locale_not_allowed"
	LocaleDuplicate         = "locale_duplicate"
	LocalizedEmpty          = "localized_empty"
	TranslationMissing      = "translation_missing"
	PlaceholderUndeclared   = "placeholder_undeclared"
	PlaceholderBraces       = "placeholder_braces"
	PlaceholderUntranslated = "placeholder_untranslated"
)

// Codes of schema lint: colours and symbols.
const (
	ColorMalformed   = "color_malformed"
	ContrastLow      = "contrast_low"
	SymbolMalformed  = "symbol_malformed"
	SymbolRoot       = "symbol_root"
	SymbolViewBox    = "symbol_viewbox"
	SymbolUnsafe     = "symbol_unsafe"
	SymbolNotAllowed = "symbol_not_allowed"
	SymbolDropped    = "symbol_dropped"
	SymbolBlank      = "symbol_blank"
	SymbolTooComplex = "symbol_too_complex"
)

// Codes of what has changed since the last stable version: a translation, in schema
// lint, and intended changes, in schema breaking.
const (
	TranslationStale     = "translation_stale"
	AllowedChangeUnknown = "allowed_change_unknown"
	AllowedChangeUnused  = "allowed_change_unused"
)

// StableChanged is reported by a store that serves authoring source.
const StableChanged = "stable_changed"

// Codes of failed calls of MCP tools.
const (
	InvalidArguments  = "invalid_arguments"
	UnknownVersion    = "unknown_version"
	ElementNotFound   = "element_not_found"
	ElementIDsTooMany = "element_ids_too_many"
	UnknownVariant    = "unknown_variant"
)

// TooManyFindings is reported by schema lint and validate.
const TooManyFindings = "too_many_findings"

// Codes of documents: shape and version.
const (
	ParseError              = "parse_error"
	SchemaVersionMismatch   = "schema_version_mismatch"
	SchemaVersionDeprecated = "SCHEMA_VERSION_DEPRECATED"
	UnknownField            = "unknown_field"
)

// Codes of documents: the object register, and registers of documents.
const (
	RegisterInvalid  = "REGISTER_INVALID"
	RegisterDate     = "REGISTER_DATE"
	RegisterConflict = "REGISTER_CONFLICT"
	ProfileInvalid   = "PROFILE_INVALID"
)

// Codes of documents: placements.
const (
	InstanceElementUnknown    = "INSTANCE_ELEMENT_UNKNOWN"
	InstanceElementDeprecated = "INSTANCE_ELEMENT_DEPRECATED"
	RequiredCategoryMissing   = "REQUIRED_CATEGORY_MISSING"
	ElementRequired           = "element_required"
	InstanceCategoryTooMany   = "INSTANCE_CATEGORY_TOO_MANY"
	InstanceElementTooMany    = "INSTANCE_ELEMENT_TOO_MANY"
	ContextTypeUnknown        = "CONTEXT_TYPE_UNKNOWN"
	ContextTypeMissing        = "CONTEXT_TYPE_MISSING"
	PlacementLabelEmpty       = "placement_label_empty"
	InstanceSourceURLInvalid  = "INSTANCE_SOURCE_URL_INVALID"

	InstanceElementInstanceIDDuplicate = "INSTANCE_ELEMENT_INSTANCE_ID_DUPLICATE"
	InstanceElementInstanceIDCollides  = "INSTANCE_ELEMENT_INSTANCE_ID_COLLIDES_WITH_ELEMENT_ID"

	InstanceSubchainUnknown             = "INSTANCE_SUBCHAIN_UNKNOWN"
	InstanceSubchainInstanceUnknown     = "INSTANCE_SUBCHAIN_INSTANCE_UNKNOWN"
	InstanceSubchainInstanceIDDuplicate = "INSTANCE_SUBCHAIN_INSTANCE_ID_DUPLICATE"
	InstanceSubchainHeadUnknown         = "INSTANCE_SUBCHAIN_HEAD_UNKNOWN"
)

// Codes of documents: variables and texts.
const (
	InstanceRequiredVariableMissing     = "INSTANCE_REQUIRED_VARIABLE_MISSING"
	InstanceVariableUnknown             = "INSTANCE_VARIABLE_UNKNOWN"
	InstanceVariableDuplicate           = "INSTANCE_VARIABLE_DUPLICATE"
	InstanceVariableValueShape          = "INSTANCE_VARIABLE_VALUE_SHAPE"
	InstanceVariableValueEmpty          = "INSTANCE_VARIABLE_VALUE_EMPTY"
	InstanceVariableValueDuplicate      = "INSTANCE_VARIABLE_VALUE_DUPLICATE"
	InstanceVariableOptionUnknown       = "INSTANCE_VARIABLE_OPTION_UNKNOWN"
	InstanceVariableOptionNotApplicable = "INSTANCE_VARIABLE_OPTION_NOT_APPLICABLE"
	InstanceLocaleNotAllowed            = "INSTANCE_LOCALE_NOT_ALLOWED"
	InstanceLocaleDuplicate             = "INSTANCE_LOCALE_DUPLICATE"
)

// Codes of documents: provenance.
const (
	ElementProvenanceUnknownElement  = "element_provenance_unknown_element"
	ElementProvenanceAmbiguous       = "element_provenance_ambiguous"
	VariableRationaleUnknownVariable = "variable_rationale_unknown_variable"
	UnknownProvenanceKind            = "unknown_provenance_kind"
)

// Codes of resolved documents.
const (
	UnknownElementID    = "unknown_element_id"
	UnknownCategoryID   = "unknown_category_id"
	ElementIDCollision  = "element_id_collision"
	ProvenanceRequired  = "provenance_required"
	SnapshotDrift       = "snapshot_drift"
	SnapshotNotChecked  = "SNAPSHOT_NOT_CHECKED"
	SnapshotNotCompared = "SNAPSHOT_NOT_COMPARED"
)

// Codes of requests that fail as a whole.
const (
	BadRequest         = "bad_request"
	NotFound           = "not_found"
	Forbidden          = "forbidden"
	PayloadTooLarge    = "payload_too_large"
	RateLimited        = "rate_limited"
	Overloaded         = "overloaded"
	MethodNotAllowed   = "method_not_allowed"
	Gone               = "gone"
	PreconditionFailed = "precondition_failed"
	ExpectationFailed  = "expectation_failed"
	Timeout            = "timeout"
	UpstreamError      = "upstream_error"
	InternalError      = "internal_error"
)
