package upgrade

import (
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Class says who has to do something about an [Entry].
type Class string

// The classes, from the most serious to the least.
const (
	// Cannot is what has no solution in the new version, such as an element that
	// was removed without a successor.
	Cannot Class = "cannot"
	// NeedsPerson is what makes the document invalid until a person decides or
	// fills in something.
	NeedsPerson Class = "needs_person"
	// Review is what is valid but worth a look, such as a reworded element.
	Review Class = "review"
	// Done is a change that was made.
	Done Class = "done"
)

// Classes returns the classes, from the most serious to the least.
func Classes() []Class { return []Class{Cannot, NeedsPerson, Review, Done} }

// Report says what upgrading a document did, and what is left to do.
type Report struct {
	// From is the version that the document is moved from: that of the old
	// release or, if there is none, the one that the document pinned.
	From string `json:"from"`
	// To is the new version.
	To taxonomy.Version `json:"to"`
	// Changed reports whether the text of the document changed.
	Changed bool `json:"changed"`
	// Form is "thin" or "resolved", the form of the new document.
	Form string `json:"form"`
	// Counts count all entries, also those that are not listed.
	Counts Counts `json:"counts"`
	// Entries are in the order of the document. At most [MaxEntries] are listed,
	// what was dropped and the most serious ones if there are more, and a last one
	// says so.
	Entries []Entry `json:"entries"`
}

// The forms of a document.
const (
	Thin     = "thin"
	Resolved = "resolved"
)

// OK reports whether nothing is left that a person has to do.
func (r *Report) OK() bool { return r.Counts.Cannot+r.Counts.NeedsPerson == 0 }

// Counts count entries by class.
type Counts struct {
	Done        int `json:"done"`
	Review      int `json:"review"`
	NeedsPerson int `json:"needs_person"`
	Cannot      int `json:"cannot"`
}

// Add adds other counts.
func (c *Counts) Add(other Counts) {
	c.Done += other.Done
	c.Review += other.Review
	c.NeedsPerson += other.NeedsPerson
	c.Cannot += other.Cannot
}

// of returns the count of a class.
func (c *Counts) of(class Class) *int {
	switch class {
	case Cannot:
		return &c.Cannot
	case NeedsPerson:
		return &c.NeedsPerson
	case Review:
		return &c.Review
	}
	return &c.Done
}

// Entry is one thing that was done, or that is left to do.
type Entry struct {
	// Kind is what it is; see [Kinds].
	Kind Kind `json:"kind"`
	// Class says who has to do something about it.
	Class Class `json:"class"`
	// Path is the place in the new document, or nil if it is not there any more.
	Path issue.Path `json:"path,omitzero"`
	// OldPath is the place in the original document, if that is another one.
	OldPath issue.Path `json:"old_path,omitzero"`
	// Position is the place of Path in the text of the new document.
	Position issue.Position `json:"position,omitzero"`
	// Message says what was done or found, with the ids that it is about.
	Message string `json:"message"`
	// FixHint says what to do, if there is something to do.
	FixHint string `json:"fix_hint,omitempty"`
	// Code is that of the finding that validating the new document gives for this
	// entry, or would give if it were resolved; "" if there is none.
	Code issue.Code `json:"code,omitempty"`
}

// MaxEntries is how many entries a report lists.
const MaxEntries = 1000
