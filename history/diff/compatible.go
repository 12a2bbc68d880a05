package diff

import (
	"reflect"

	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/taxonomy"
)

// compatibleRules apply to what no other rule applies to; the last one to everything.
var compatibleRules = []rule{
	compatible("category-renamed", "A category has a new id.",
		"documents stay valid: they name elements, not categories", on(Category, Renamed, "")),
	compatible("unused-removed",
		"Something was removed that no valid document uses: "+
			"an element that can't be placed, or what belongs only to such elements.",
		"no valid document is affected", on(Element, Removed, ""), on("", Removed, "variables.*"),
		on("", Removed, "variables.*.options.*"), on(Category, Removed, "context.values.*"),
		on(DatachainType, Removed, "subchains.*")),
	compatible("unused-renamed", "Something has a new id that no valid document uses.", "no valid document is affected",
		on("", Renamed, "**")),
	compatible("category-added", "A category was added.", "documents can place its elements", on(Category, Added, "")),
	compatible("category-removed", "A category was removed. What happens to its elements is reported for each of them.",
		"documents stay valid: they name elements, not categories", on(Category, Removed, "")),
	compatible("element-added", "An element was added.", "documents can place the element", on(Element, Added, "")),
	compatible("element-moved", "An element moved to another category, which allows what documents have.",
		"placements of the element count for its new category", on(Element, "", "category_id")),
	compatible("element-reinstated", "An element is no longer deprecated.",
		"placements of the element no longer get a warning", on(Element, "", "status")),
	compatible("context-value-added", "A context value was added.", "placements can have the context value",
		on(Category, Added, "context.values.*")),
	compatible("variable-added", "An optional variable was added.", "placements can have a value for the variable",
		on("", Added, "variables.*")),
	compatible("option-added", "An option of a variable was added.", "placements can choose the option",
		on("", Added, "variables.*.options.*")),
	compatible("subchain-added", "A subchain was added to the datachain type.", "documents can use the subchain",
		on(DatachainType, Added, "subchains.*")),
	compatible("subchain-changed", "The categories of a subchain have changed.", nothing,
		on(DatachainType, "", "subchains.*.categories.**")),
	compatible("locale-added", "The schema version has another locale.", "documents can have texts in the locale",
		on(Manifest, Added, "locales.*")),
	compatible("limits-changed",
		"What documents must or may contain has changed in a way that keeps all valid documents valid, "+
			"such as a limit that was raised.",
		"all valid documents stay valid", on(Category, "", "required"), on(Category, "", "cardinality.**"),
		on(Category, "", "context.required"), on(Element, "", "max_placements"), on("", "", "variables.*.required"),
		on("", "", "variables.*.type"), on("", "", "variables.*.options.*.applies_to.**")),
	compatible("order-changed", "Categories, elements or items of a list are in another order.",
		"documents stay valid; lists and pages have another order", on("", Reordered, "**"), on(Element, "", "order")),
	compatible("symbol-added", "A symbol was added.", nothing, on(Symbol, Added, "")),
	compatible("symbol-removed", "A symbol was removed.", nothing, on(Symbol, Removed, "")),
	compatible("symbol-changed", "A symbol was redrawn.", "documents stay valid; icons look different",
		on(Symbol, Changed, "")),
	compatible("icon-changed", "The symbol of an element, the shape of a category, or a colour has changed.",
		"documents stay valid; icons look different", on(Element, "", "symbol_id"), on(Element, "", "icon_variants.**"),
		on(Category, "", "shape"), on(Category, "", "context.values.*.color")),
	compatible("successor-changed", "Other elements are named as successors of a deprecated or removed element.",
		"'datachain upgrade' uses the new successors", on(Element, "", "replaced_by.**"),
		on(Manifest, "", "removed.**")),
	compatible("rename-recorded", "The ids that something had in older versions have changed.",
		"'datachain upgrade' follows these ids", renameRecords...),
	compatible("search-changed", "Keywords of an element or synonyms have changed.",
		"documents stay valid; searches find something else", on(Element, "", "keywords.**"),
		on(Manifest, "", "synonyms.**")),
	compatible("guidance-changed", "The prompt, the guidance or the examples for authors have changed.",
		"documents stay valid; their authors read another text", on("", "", "prompt.**"),
		on("", "", "authoring_guidance.**"), on(Element, "", "examples.**")),
	compatible("role-changed", "A role, a lead or the order of context values has changed.",
		"documents stay valid; their summaries may say something else first", on(Category, "", "role"),
		on(Category, "", "context.role"), on(Category, "", "context.order"), on(Category, "", "context.values.*.lead"),
		on(Element, "", "lead"), on("", "", "variables.*.role")),
	compatible("sources-changed", "The sources of a category, an element, a variable or an option have changed.",
		nothing, on("", "", "sources.**"), on("", "", "variables.*.sources.**"),
		on("", "", "variables.*.options.*.sources.**")),
	compatible("mappings-changed",
		"The schemes of the schema version, or the entries that a category or an element is mapped to, have changed.",
		"documents stay valid; crosswalks list something else", on(Manifest, "", "schemes.**"),
		on(Category, "", "mappings.**"), on(Element, "", "mappings.**")),
	compatible("licence-changed", "The licence or the attribution of the schema version has changed.", nothing,
		on(Manifest, "", "licence"), on(Manifest, "", "attribution")),
	compatible("notes-changed", "The notes on the schema version have changed.", nothing, on(Manifest, "", "notes.**")),
	compatible("text-added", "A text was added, such as a translation.", shownText, texts(Added)...),
	compatible("text-removed", "A text was removed, such as a translation.",
		"documents stay valid; pages show the text in another language, or none", texts(Removed)...),
	compatible("placeholder-changed", "A text of an element names a variable in another way, such as by its new id.",
		"documents stay valid and say the same", on(Element, Changed, "title.*"),
		on(Element, Changed, "description.*")),
	compatible("category-reworded", "The name or description of a category was reworded.", shownText,
		on(Category, Changed, "name.*"), on(Category, Changed, "description.*")),
	compatible("version-reworded",
		"The title or description of the schema version, its datachain type or a subchain was reworded.",
		shownText, on(Manifest, Changed, "title.*"), on(Manifest, Changed, "description.*"),
		on(DatachainType, Changed, "name.*"), on(DatachainType, Changed, "description.*"),
		on(DatachainType, Changed, "subchains.*.name.*")),
	compatible("other-changed", "Something else has changed, such as a field that this program does not know.",
		nothing, on("", "", "**")),
}

// Consequences that several compatible rules share.
const (
	nothing   = "documents stay valid and mean the same"
	shownText = "documents stay valid; pages show the new text"
)

// texts returns the patterns of the localized texts of the model, each in any language.
func texts(k Kind) (all []pattern) {
	var add func(t reflect.Type, path string)
	add = func(t reflect.Type, path string) {
		switch {
		case t == reflect.TypeFor[taxonomy.Localized]():
			all = append(all, on("", k, path+".*"))
		case t.Kind() == reflect.Slice:
			add(t.Elem(), path+".*")
		case t.Kind() == reflect.Struct:
			list, _ := jsonfields.Of(t)
			for _, f := range list {
				add(f.Type, path+"."+f.Name)
			}
		}
	}
	add(reflect.TypeFor[taxonomy.Manifest](), "")
	add(reflect.TypeFor[taxonomy.Type](), "")
	add(reflect.TypeFor[taxonomy.Category](), "")
	add(reflect.TypeFor[taxonomy.Element](), "")
	return all
}

// compatible returns a rule for changes that keep documents valid and their meaning.
func compatible(id RuleID, meaning, consequence string, patterns ...pattern) rule {
	return rule{Rule: Rule{ID: id, Severity: Compatible, Meaning: meaning, Consequence: consequence}, on: patterns}
}
