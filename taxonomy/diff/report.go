package diff

import (
	"encoding/json"
	"slices"
	"strings"

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

// Breaking returns the changes that can make documents invalid that move from
// the old version to the new one.
func (r *Report) Breaking() []Change {
	return r.filter(func(c *Change) bool { return c.Breaking })
}

// Notable returns the changes after which such documents stay valid, but mean
// something else.
func (r *Report) Notable() []Change {
	return r.filter(func(c *Change) bool { return c.Notable })
}

// Warnings returns the changes that do not break such documents, but can give
// them a new warning.
func (r *Report) Warnings() []Change {
	return r.filter(func(c *Change) bool { return !c.Breaking && !c.Notable && c.Reason != "" })
}

func (r *Report) filter(keep func(*Change) bool) []Change {
	return slices.DeleteFunc(append([]Change{}, r.Changes...), func(c Change) bool { return !keep(&c) })
}

// Kind is the kind of a [Change].
type Kind string

// The kinds of changes.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
	// Reordered means that the items of a list are in another order. Old and
	// New are the ids of the items that both lists have.
	Reordered Kind = "reordered"
	// Kept is the kind of a [Span] that both texts have. No change has it.
	Kept Kind = "kept"
)

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
	// Breaking means that some valid document of the old version is invalid
	// under the new one, and Notable that such documents stay valid but mean
	// something else.
	Breaking bool `json:"breaking"`
	Notable  bool `json:"notable,omitzero"`
	// Reason says what happens to such documents. It is set for breaking and
	// notable changes, and for those that only cause warnings.
	Reason string `json:"reason,omitempty"`
}

// String returns the change without its values, for logs and tests.
func (c Change) String() string {
	var b strings.Builder
	b.WriteString(string(c.Kind) + " " + string(c.Subject))
	if c.ID != "" {
		b.WriteString(" " + c.ID)
	}
	if len(c.Path) > 0 {
		b.WriteString(": " + c.Path.String())
	}
	if c.Reason != "" {
		word := "warning"
		switch {
		case c.Breaking:
			word = "breaking"
		case c.Notable:
			word = "notable"
		}
		b.WriteString(" (" + word + ": " + c.Reason + ")")
	}
	return b.String()
}
