package diff

// Consequences that several compatible rules share.
const (
	nothing   = "documents stay valid and mean the same"
	shownText = "documents stay valid; pages show the new text"
)

// warningRules are for compatible changes after which documents can get a warning.
var warningRules = []rule{
	{
		Rule{"locale-removed", Compatible, true, "The schema version no longer has a locale.", "texts in this locale get a warning, because the schema no longer lists it", ""},
		[]pattern{on(Manifest, Removed, "locales", anyStep)},
		nil,
	},
	{
		Rule{"element-deprecated", Compatible, true, "An element was deprecated.", "placements of the element get a warning", ""},
		[]pattern{on(Element, Added, "status"), on(Element, Changed, "status")},
		elementDeprecated,
	},
}

// compatibleRules apply to what no other rule applies to; the last one to everything.
var compatibleRules = []rule{
	{
		Rule{"category-renamed", Compatible, false, "A category has a new id.", "documents stay valid: they name elements, not categories", ""},
		[]pattern{on(Category, Renamed)},
		nil,
	},
	{
		Rule{"unused-removed", Compatible, false, "Something was removed that no valid document uses: an element that can't be placed, or what belongs only to such elements.", "no valid document is affected", ""},
		[]pattern{
			on(Element, Removed), on("", Removed, "variables", anyStep), on("", Removed, "variables", anyStep, "options", anyStep),
			on(Category, Removed, "context", "values", anyStep), on(DatachainType, Removed, "subchains", anyStep),
		},
		nil,
	},
	{
		Rule{"unused-renamed", Compatible, false, "Something has a new id that no valid document uses.", "no valid document is affected", ""},
		[]pattern{on("", Renamed, anyRest)},
		nil,
	},

	{
		Rule{"category-added", Compatible, false, "A category was added.", "documents can place its elements", ""},
		[]pattern{on(Category, Added)},
		nil,
	},
	{
		Rule{"category-removed", Compatible, false, "A category was removed. What happens to its elements is reported for each of them.", "documents stay valid: they name elements, not categories", ""},
		[]pattern{on(Category, Removed)},
		nil,
	},
	{
		Rule{"element-added", Compatible, false, "An element was added.", "documents can place the element", ""},
		[]pattern{on(Element, Added)},
		nil,
	},
	{
		Rule{"element-moved", Compatible, false, "An element moved to another category, which allows what documents have.", "placements of the element count for its new category", ""},
		[]pattern{on(Element, "", "category_id")},
		nil,
	},
	{
		Rule{"element-reinstated", Compatible, false, "An element is no longer deprecated.", "placements of the element no longer get a warning", ""},
		[]pattern{on(Element, "", "status")},
		nil,
	},
	{
		Rule{"context-value-added", Compatible, false, "A context value was added.", "placements can have the context value", ""},
		[]pattern{on(Category, Added, "context", "values", anyStep)},
		nil,
	},
	{
		Rule{"variable-added", Compatible, false, "An optional variable was added.", "placements can have a value for the variable", ""},
		[]pattern{on("", Added, "variables", anyStep)},
		nil,
	},
	{
		Rule{"option-added", Compatible, false, "An option of a variable was added.", "placements can choose the option", ""},
		[]pattern{on("", Added, "variables", anyStep, "options", anyStep)},
		nil,
	},
	{
		Rule{"subchain-added", Compatible, false, "A subchain was added to the datachain type.", "documents can use the subchain", ""},
		[]pattern{on(DatachainType, Added, "subchains", anyStep)},
		nil,
	},
	{
		Rule{"subchain-changed", Compatible, false, "The categories of a subchain have changed.", nothing, ""},
		[]pattern{on(DatachainType, "", "subchains", anyStep, "categories", anyRest)},
		nil,
	},
	{
		Rule{"locale-added", Compatible, false, "The schema version has another locale.", "documents can have texts in the locale", ""},
		[]pattern{on(Manifest, Added, "locales", anyStep)},
		nil,
	},
	{
		Rule{"limits-changed", Compatible, false, "What documents must or may contain has changed in a way that keeps all valid documents valid, such as a limit that was raised.", "all valid documents stay valid", ""},
		[]pattern{
			on(Category, "", "required"), on(Category, "", "cardinality", anyRest), on(Category, "", "context", "required"),
			on(Element, "", "max_placements"), on("", "", "variables", anyStep, "required"), on("", "", "variables", anyStep, "type"),
			on("", "", "variables", anyStep, "options", anyStep, "applies_to", anyRest),
		},
		nil,
	},

	{
		Rule{"order-changed", Compatible, false, "Categories, elements or items of a list are in another order.", "documents stay valid; lists and pages have another order", ""},
		[]pattern{on("", Reordered, anyRest), on(Element, "", "order")},
		nil,
	},
	{
		Rule{"symbol-added", Compatible, false, "A symbol was added.", nothing, ""},
		[]pattern{on(Symbol, Added)},
		nil,
	},
	{
		Rule{"symbol-removed", Compatible, false, "A symbol was removed.", nothing, ""},
		[]pattern{on(Symbol, Removed)},
		nil,
	},
	{
		Rule{"symbol-changed", Compatible, false, "A symbol was redrawn.", "documents stay valid; icons look different", ""},
		[]pattern{on(Symbol, Changed)},
		nil,
	},
	{
		Rule{"icon-changed", Compatible, false, "The symbol of an element, the shape of a category, or a colour has changed.", "documents stay valid; icons look different", ""},
		[]pattern{
			on(Element, "", "symbol_id"), on(Element, "", "icon_variants", anyRest),
			on(Category, "", "shape"), on(Category, "", "context", "values", anyStep, "color"),
		},
		nil,
	},

	{
		Rule{"successor-changed", Compatible, false, "Other elements are named as successors of a deprecated or removed element.", "'datachain upgrade' uses the new successors", ""},
		[]pattern{on(Element, "", "replaced_by", anyRest), on(Manifest, "", "removed", anyRest)},
		nil,
	},
	{
		Rule{"rename-recorded", Compatible, false, "The ids that something had in older versions have changed.", "'datachain upgrade' follows these ids", ""},
		renameRecords,
		nil,
	},
	{
		Rule{"search-changed", Compatible, false, "Keywords of an element or synonyms have changed.", "documents stay valid; searches find something else", ""},
		[]pattern{on(Element, "", "keywords", anyRest), on(Manifest, "", "synonyms", anyRest)},
		nil,
	},
	{
		Rule{"guidance-changed", Compatible, false, "The prompt, the guidance or the examples for authors have changed.", "documents stay valid; their authors read another text", ""},
		[]pattern{on("", "", "prompt", anyRest), on("", "", "authoring_guidance", anyRest), on(Element, "", "examples", anyRest)},
		nil,
	},
	{
		Rule{"role-changed", Compatible, false, "A role, a lead or the order of context values has changed.", "documents stay valid; their summaries may say something else first", ""},
		[]pattern{
			on(Category, "", "role"), on(Category, "", "context", "role"), on(Category, "", "context", "order"),
			on(Category, "", "context", "values", anyStep, "lead"), on(Element, "", "lead"), on("", "", "variables", anyStep, "role"),
		},
		nil,
	},
	{
		Rule{"sources-changed", Compatible, false, "The sources of a category, an element, a variable or an option have changed.", nothing, ""},
		[]pattern{
			on("", "", "sources", anyRest), on("", "", "variables", anyStep, "sources", anyRest),
			on("", "", "variables", anyStep, "options", anyStep, "sources", anyRest),
		},
		nil,
	},
	{
		Rule{"mappings-changed", Compatible, false, "The schemes of the schema version, or the entries that a category or an element is mapped to, have changed.", "documents stay valid; crosswalks list something else", ""},
		[]pattern{on(Manifest, "", "schemes", anyRest), on(Category, "", "mappings", anyRest), on(Element, "", "mappings", anyRest)},
		nil,
	},
	{
		Rule{"licence-changed", Compatible, false, "The licence or the attribution of the schema version has changed.", nothing, ""},
		[]pattern{on(Manifest, "", "licence"), on(Manifest, "", "attribution")},
		nil,
	},
	{
		Rule{"notes-changed", Compatible, false, "The notes on the schema version have changed.", nothing, ""},
		[]pattern{on(Manifest, "", "notes", anyRest)},
		nil,
	},

	{Rule{"text-added", Compatible, false, "A text was added, such as a translation.", shownText, ""}, texts(Added), nil},
	{Rule{"text-removed", Compatible, false, "A text was removed, such as a translation.", "documents stay valid; pages show the text in another language, or none", ""}, texts(Removed), nil},
	{
		Rule{"placeholder-changed", Compatible, false, "A text of an element names a variable in another way, such as by its new id.", "documents stay valid and say the same", ""},
		[]pattern{on(Element, Changed, "title", anyStep), on(Element, Changed, "description", anyStep)},
		nil,
	},
	{
		Rule{"category-reworded", Compatible, false, "The name or description of a category was reworded.", shownText, ""},
		[]pattern{on(Category, Changed, "name", anyStep), on(Category, Changed, "description", anyStep)},
		nil,
	},
	{
		Rule{"version-reworded", Compatible, false, "The title or description of the schema version, its datachain type or a subchain was reworded.", shownText, ""},
		[]pattern{
			on(Manifest, Changed, "title", anyStep), on(Manifest, Changed, "description", anyStep),
			on(DatachainType, Changed, "name", anyStep), on(DatachainType, Changed, "description", anyStep), on(DatachainType, Changed, "subchains", anyStep, "name", anyStep),
		},
		nil,
	},
	{
		Rule{"other-changed", Compatible, false, "Something else has changed, such as a field that this program does not know.", nothing, ""},
		[]pattern{on("", "", anyRest)},
		nil,
	},
}

// texts returns the patterns of localized texts, each in any language.
func texts(k Kind) []pattern {
	var patterns []pattern
	for _, path := range [][]string{
		{"title"},
		{"name"},
		{"description"},
		{"subchains", anyStep, "name"},
		{"context", "name"},
		{"context", "description"},
		{"context", "values", anyStep, "label"},
		{"context", "values", anyStep, "description"},
		{"variables", anyStep, "label"},
		{"variables", anyStep, "options", anyStep, "label"},
		{"variables", anyStep, "options", anyStep, "description"},
	} {
		patterns = append(patterns, on("", k, append(path, anyStep)...))
	}
	return patterns
}
