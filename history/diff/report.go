package diff

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Report lists the changes between two releases. It marshals to JSON.
type Report struct {
	Old taxonomy.Version `json:"old"`
	New taxonomy.Version `json:"new"`
	// Changes are sorted by subject (manifest, datachain type, categories,
	// elements, symbols), then by the declaration order of the old release.
	// New parts follow in the order of the new release.
	Changes []Change `json:"changes"`
}

// Empty reports whether the releases have the same content.
func (r *Report) Empty() bool { return len(r.Changes) == 0 }

// With returns the changes of a severity; it never returns nil.
func (r *Report) With(s Severity) []Change {
	return slices.DeleteFunc(append([]Change{}, r.Changes...), func(c Change) bool { return c.Severity != s })
}

// Warnings returns the compatible changes that can give documents a new warning.
func (r *Report) Warnings() []Change {
	return slices.DeleteFunc(append([]Change{}, r.Changes...), func(c Change) bool { return !c.Warns })
}

// Kind is the kind of a [Change].
type Kind string

// The kinds of changes.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
	// Renamed means that a category, element, variable, option or context value has a
	// new id, as its renamed_from or the evolution of its type says. Old and New are the ids as JSON strings; the
	// path and the ID of the change have the new one. What else has changed in it
	// is reported under its new id.
	Renamed Kind = "renamed"
	// Reordered means that the items of a list are in another order. Old and
	// New are the ids of the items that both lists have.
	Reordered Kind = "reordered"
	// Kept is the kind of a [Span] that both texts have. No change has it.
	Kept Kind = "kept"
)

// Severity is what a [Change] means for documents that move from the old version to
// the new one by changing their schema_version and nothing else.
type Severity string

// The severities, the most serious first.
const (
	// Breaking means that some valid document becomes invalid.
	Breaking Severity = "breaking"
	// Notable means that documents stay valid, but mean something else, or that
	// those of older versions can no longer follow.
	Notable Severity = "notable"
	// Compatible means that documents stay valid and mean the same. They can get a
	// new warning; see [Change.Warns].
	Compatible Severity = "compatible"
)

// Severities returns the severities, the most serious first.
func Severities() []Severity { return []Severity{Breaking, Notable, Compatible} }

// Subject is the kind of part that a [Change] is about.
type Subject string

// The parts of a release.
const (
	Manifest      Subject = "manifest"
	DatachainType Subject = "datachain_type"
	Category      Subject = "category"
	Element       Subject = "element"
	Symbol        Subject = "symbol"
)

// Change is one difference between two releases.
type Change struct {
	// Rule is the rule that applies to the change; see [Rules]. It decides
	// Severity and Warns.
	Rule     RuleID   `json:"rule"`
	Severity Severity `json:"severity"`
	// Warns means that documents can get a new warning.
	Warns   bool    `json:"warns,omitzero"`
	Kind    Kind    `json:"kind"`
	Subject Subject `json:"subject"`
	// ID is the id of the category, element or symbol. It is empty for the
	// manifest and the datachain type.
	ID string `json:"id,omitempty"`
	// Path is the field, or [issue.Root] for the whole part. It names the
	// item of a list by its id, its locale or its value, as in
	// variables.contact.required, title.fr and locales.fr.
	Path issue.Path `json:"path"`
	// Old and New are canonical JSON, or nil if there is no value. A text in
	// one language is a string, and so is the SVG of a symbol.
	Old json.RawMessage `json:"old,omitzero"`
	New json.RawMessage `json:"new,omitzero"`
	// Inherited is the number of elements that inherit the change from their
	// category. It is not reported for them again.
	Inherited int `json:"inherited,omitzero"`
	// Successors are the ids of the elements that replace a removed or deprecated
	// element, alternatives if there are several.
	Successors []string `json:"successors,omitempty"`
	// Consequence says what happens to documents.
	Consequence string `json:"consequence"`
}

// Place returns the part and the field that have changed, in the words of people:
// "element purpose.safety" or "category data: context.values.named".
func (c *Change) Place() string {
	place := string(c.Subject)
	if c.ID != "" {
		place += " " + c.ID
	}
	if len(c.Path) > 0 {
		place += ": " + c.Path.String()
	}
	return place
}

// Words returns how a text was reworded, or nil if the change is of another kind.
func (c *Change) Words() []Span {
	var before, after string
	if c.Kind != Changed || c.Subject == Symbol || len(c.Path) < 2 ||
		json.Unmarshal(c.Old, &before) != nil || json.Unmarshal(c.New, &after) != nil {
		return nil
	}
	return Words(before, after)
}

// unquoted returns a JSON value that is a string, otherwise its text.
func unquoted(value json.RawMessage) string {
	return cmp.Or(Text(value), string(value))
}

// String returns the change without its values, for logs and tests.
func (c Change) String() string {
	var b strings.Builder
	b.WriteString(string(c.Kind) + " " + c.Place())
	switch {
	case c.Severity != Compatible:
		b.WriteString(" (" + string(c.Severity) + ": " + c.Consequence + ")")
	case c.Warns:
		b.WriteString(" (warning: " + c.Consequence + ")")
	}
	return b.String()
}

// Text returns a value of a change that is a string, otherwise "".
func Text(value json.RawMessage) string {
	if len(value) > 0 && value[0] == '"' {
		return jcs.Unquote(value)
	}
	return ""
}
