package history

import (
	"fmt"
	"maps"
	"slices"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Evolution is what became of the ids of a datachain type, in all of its versions. It is
// not part of the content of a version, so it can be corrected at any time. A
// [taxonomy.Index] has its text; see [For].
type Evolution struct {
	// Removed are ids that were removed. [taxonomy.Removal.Since] is the first version without
	// the id.
	Removed []RemovedID `json:"removed,omitempty"`
	Renamed []Rename    `json:"renamed,omitempty"`
	Split   []Split     `json:"split,omitempty"`
	Revived []Revival   `json:"revived,omitempty"`
}

// RemovedID is an id that was removed. Only elements have successors; another id with a
// successor is a [Rename].
type RemovedID struct {
	// Kind is "" for an element.
	Kind taxonomy.IDKind `json:"kind,omitempty"`
	// In is that of a [Rename].
	In string `json:"in,omitempty"`
	taxonomy.Removal
}

// Rename is an id that was replaced by another one for the same thing.
type Rename struct {
	Kind taxonomy.IDKind `json:"kind"`
	From string          `json:"from"`
	To   string          `json:"to"`
	// In is the element or category that has the variable, option or context value,
	// as it was called in Since. "" means all that have it.
	In string `json:"in,omitempty"`
	// Since is the first version with the new id.
	Since taxonomy.Version `json:"since"`
}

// Split is an element that several others replace together.
type Split struct {
	From string   `json:"from"`
	To   []string `json:"to"`
	// Since is the first version without the element.
	Since taxonomy.Version `json:"since"`
}

// Revival is a removed id that was intentionally used again.
type Revival struct {
	Kind taxonomy.IDKind `json:"kind"`
	ID   string          `json:"id"`
	// In is that of a [Rename].
	In string `json:"in,omitempty"`
	// Since is the first version that has the id again.
	Since taxonomy.Version `json:"since"`
	// Reason says why, as plain text.
	Reason string `json:"reason"`
}

// isEmpty reports whether an evolution is nil or has no entries.
func (e *Evolution) isEmpty() bool {
	return e == nil || len(e.Removed)+len(e.Renamed)+len(e.Split)+len(e.Revived) == 0
}

// Text returns the published text of an evolution, its canonical JSON, or nil if it is nil or has no
// entries.
func (e *Evolution) Text() ([]byte, error) {
	if e.isEmpty() {
		return nil, nil
	}
	return document.MarshalCanonical(e)
}

// Texts returns the published texts of evolutions by datachain type.
func Texts(evolutions map[string]*Evolution) (map[string][]byte, error) {
	texts := make(map[string][]byte, len(evolutions))
	for typ, e := range evolutions {
		text, err := e.Text()
		if err != nil {
			return nil, fmt.Errorf("evolution of %s: %w", typ, err)
		}
		texts[typ] = text
	}
	return texts, nil
}

// Record returns an index with an evolution in place of that of a datachain type. One without entries
// removes it.
func Record(x *taxonomy.Index, typ string, e *Evolution) (*taxonomy.Index, error) {
	text, err := e.Text()
	if err != nil {
		return nil, fmt.Errorf("evolution of %s: %w", typ, err)
	}
	return x.WithEvolution(typ, text), nil
}

// Decode decodes the published text of the evolution of a datachain type. It returns nil for a nil
// text. An error wraps [taxonomy.ErrRefused].
func Decode(typ string, text []byte) (*Evolution, error) {
	if text == nil {
		return nil, nil
	}
	e := new(Evolution)
	err := json.Unmarshal(text, e)
	for since := range e.versions() {
		if err == nil && since.Type() != typ {
			err = fmt.Errorf("since is %s, which is not a version of %s", wording.Quote(since.String()), typ)
		}
	}
	if err != nil {
		return nil, &damagedError{typ, err}
	}
	return e, nil
}

// damagedError is the error for the text of an evolution that can't be decoded.
type damagedError struct {
	typ string
	err error
}

func (e *damagedError) Error() string { return "evolution of " + e.typ + ": " + e.err.Error() }

// Unwrap returns the cause, and that the text is refused.
func (e *damagedError) Unwrap() []error { return []error{taxonomy.ErrRefused, e.err} }

// Check refuses an index with an evolution that can't be decoded. Servers keep the last good index then:
// it can be the Check of the options of package laststore.
func Check(x *taxonomy.Index) error {
	for _, typ := range slices.Sorted(maps.Keys(x.Record().Evolutions)) {
		if _, err := Decode(typ, x.EvolutionJSON(typ)); err != nil {
			return err
		}
	}
	return nil
}

// versions yields the versions that the entries name.
func (e *Evolution) versions() func(func(taxonomy.Version) bool) {
	return func(yield func(taxonomy.Version) bool) {
		for _, r := range e.Removed {
			if !yield(r.Since) {
				return
			}
		}
		for _, r := range e.Renamed {
			if !yield(r.Since) {
				return
			}
		}
		for _, s := range e.Split {
			if !yield(s.Since) {
				return
			}
		}
		for _, r := range e.Revived {
			if !yield(r.Since) {
				return
			}
		}
	}
}

// removals returns the removals of elements up to a date: those that are listed, renames
// and splits.
func (e *Evolution) removals(date string) []*Removal {
	var all []*Removal
	add := func(r Removal) {
		if r.Since.Date() <= date {
			all = append(all, &r)
		}
	}
	for _, r := range e.Renamed {
		if r.Kind == taxonomy.IDElement {
			add(Removal{Removal: taxonomy.Removal{ID: r.From, ReplacedBy: []taxonomy.Successor{{ID: r.To}}, Since: r.Since}, Renamed: true})
		}
	}
	for _, s := range e.Split {
		r := Removal{Removal: taxonomy.Removal{ID: s.From, Since: s.Since}, Split: true}
		for _, id := range s.To {
			r.ReplacedBy = append(r.ReplacedBy, taxonomy.Successor{ID: id})
		}
		add(r)
	}
	for _, r := range e.Removed {
		if r.Kind == "" || r.Kind == taxonomy.IDElement {
			add(Removal{Removal: r.Removal})
		}
	}
	return all
}
