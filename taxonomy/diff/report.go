package diff

import (
	"encoding/json"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Report is what changed between two releases. It marshals to JSON.
type Report struct {
	Old taxonomy.Version `json:"old"`
	New taxonomy.Version `json:"new"`
	// Changes are in a fixed order: by subject (manifest, datachain type,
	// categories, elements, symbols), there in the declaration order of the
	// old release, and what is new at the end in that of the new one.
	Changes []Change `json:"changes"`
}

// Empty reports whether the releases have the same content.
func (r *Report) Empty() bool { return len(r.Changes) == 0 }

// Breaking returns the changes that make documents invalid which move from the
// old version to the new one.
func (r *Report) Breaking() []Change {
	return r.filter(func(c *Change) bool { return c.Breaking })
}

// Warnings returns the changes that break nothing, but give such documents a
// warning that they did not have.
func (r *Report) Warnings() []Change {
	return r.filter(func(c *Change) bool { return !c.Breaking && c.Reason != "" })
}

func (r *Report) filter(keep func(*Change) bool) []Change {
	kept := []Change{}
	for i := range r.Changes {
		if keep(&r.Changes[i]) {
			kept = append(kept, r.Changes[i])
		}
	}
	return kept
}

// Kind says what happened.
type Kind string

// The kinds of changes.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
	// Reordered is a list whose items stand in another order. Old and New
	// name the items that both have.
	Reordered Kind = "reordered"
)

// Subject says what kind of part a [Change] is about.
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
	// ID is the id of the category, element or symbol; the manifest and the
	// datachain type have none here.
	ID string `json:"id,omitempty"`
	// Path is the field, and [taxonomy.Root] where the whole part is meant.
	// An item of a list stands in it by its id, its locale or its word, as
	// in variables.contact.required, title.fr and locales.fr.
	Path issue.Path `json:"path"`
	// Old and New are canonical JSON; nil where there was or is nothing. A
	// text in one language is a string, a symbol the string of its SVG.
	Old json.RawMessage `json:"old,omitzero"`
	New json.RawMessage `json:"new,omitzero"`
	// Inherited is how many elements of the category have the same change;
	// they are not reported again.
	Inherited int `json:"inherited,omitzero"`
	// Breaking means that a valid document of the old version may be invalid
	// under the new one.
	Breaking bool `json:"breaking"`
	// Reason says what happens to such documents. It is set for breaking
	// changes and for those that only give warnings.
	Reason string `json:"reason,omitempty"`
}

// String prints the change on one line without its values, for logs and tests.
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
		if c.Breaking {
			word = "breaking"
		}
		b.WriteString(" (" + word + ": " + c.Reason + ")")
	}
	return b.String()
}
