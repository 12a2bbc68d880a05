package taxonomy

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// IDKind says what an id of an [Evolution] is the id of.
type IDKind string

// The kinds of ids.
const (
	IDCategory     IDKind = "category"
	IDElement      IDKind = "element"
	IDVariable     IDKind = "variable"
	IDOption       IDKind = "option"
	IDContextValue IDKind = "context_value"
)

// Evolution is what became of the ids of a datachain type, in all of its versions. It is
// not part of the content of a version, so it can be corrected at any time; see
// [Release.Evolved]. It belongs to the [Index], since releases are opened with it: findings
// about removed and renamed ids come from there.
type Evolution struct {
	// Removed are ids that were removed. [Removal.Since] is the first version without
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
	Kind IDKind `json:"kind,omitempty"`
	// In is that of a [Rename].
	In string `json:"in,omitempty"`
	Removal
}

// Rename is an id that was replaced by another one for the same thing.
type Rename struct {
	Kind IDKind `json:"kind"`
	From string `json:"from"`
	To   string `json:"to"`
	// In is the element or category that has the variable, option or context value,
	// as it was called in Since. "" means all that have it.
	In string `json:"in,omitempty"`
	// Since is the first version with the new id.
	Since Version `json:"since"`
}

// Split is an element that several others replace together.
type Split struct {
	From string   `json:"from"`
	To   []string `json:"to"`
	// Since is the first version without the element.
	Since Version `json:"since"`
}

// Revival is a removed id that was intentionally used again.
type Revival struct {
	Kind IDKind `json:"kind"`
	ID   string `json:"id"`
	// In is that of a [Rename].
	In string `json:"in,omitempty"`
	// Since is the first version that has the id again.
	Since Version `json:"since"`
	// Reason says why, as plain text.
	Reason string `json:"reason"`
}

// isEmpty reports whether an evolution is nil or has no entries.
func (e *Evolution) isEmpty() bool {
	return e == nil || len(e.Removed)+len(e.Renamed)+len(e.Split)+len(e.Revived) == 0
}

// decodeEvolution decodes the published text of an evolution. If its SHA-256 is not the
// expected one, the error wraps [ErrHashMismatch].
func decodeEvolution(text []byte, t evolvedType) (*Evolution, error) {
	if got := Hash(sha256.Sum256(text)); got != t.Evolution {
		return nil, fmt.Errorf("%w: its SHA-256 is %s, not %s", ErrHashMismatch, got, t.Evolution)
	}
	e := new(Evolution)
	if err := json.Unmarshal(text, e); err != nil {
		return nil, err
	}
	for since := range e.versions() {
		if since.Type() != t.ID {
			return nil, fmt.Errorf("since is %s, which is not a version of %s", wording.Quote(since.String()), t.ID)
		}
	}
	return e, nil
}

// versions yields the versions that the entries name.
func (e *Evolution) versions() func(func(Version) bool) {
	return func(yield func(Version) bool) {
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
		if r.Kind == IDElement {
			add(Removal{ID: r.From, ReplacedBy: []Successor{{ID: r.To}}, Since: r.Since, Renamed: true})
		}
	}
	for _, s := range e.Split {
		r := Removal{ID: s.From, Since: s.Since, Split: true}
		for _, id := range s.To {
			r.ReplacedBy = append(r.ReplacedBy, Successor{ID: id})
		}
		add(r)
	}
	for _, r := range e.Removed {
		if r.Kind == "" || r.Kind == IDElement {
			add(r.Removal)
		}
	}
	return all
}

// Evolved returns the release with an evolution of its datachain type, as far as that concerns
// this version or older ones. [Release.Removed], [Release.Succession], [Release.Renamed] and
// the fields RenamedFrom then include it. The content of the release, its JSON and its hash
// stay the same. An evolution replaces an earlier one; with a nil or empty one, the release is
// as it was published.
func (r *Release) Evolved(e *Evolution) *Release {
	if r.original != nil {
		r = r.original
	}
	if e.isEmpty() {
		return r
	}
	next := new(*r)
	next.original, next.revived = r, e.Revived
	next.setPast(e.removals(r.version.Date()))
	next.renames = newRenames(next, e)
	if len(next.renames.steps) == 0 {
		return next
	}
	next.categories = make([]*Category, len(r.categories))
	for i, c := range r.categories {
		next.categories[i] = next.renames.category(r, c)
	}
	if next.renames.kinds[IDVariable] || next.renames.kinds[IDOption] {
		next.elements = make([]*Element, len(r.elements))
		for i, e := range r.elements {
			next.elements[i] = next.renames.element(e)
		}
	}
	return next
}

// Renamed returns the id in this release of what had another one in the version since, if an
// evolution has that; see [Release.Evolved]. The owners are the ids in this release of the
// element, the category or both that have it. The zero Version stands for an unknown one.
// Anything with the old id in this release is something else. The new id is "" if it was
// removed; see [Release.RemovalNote].
func (r *Release) Renamed(k IDKind, id string, since Version, owners ...string) (now string, ok bool) {
	if r.renames == nil {
		return id, false
	}
	now, _, ok = r.renames.follow(k, id, since.Folder(), owners)
	return now, ok
}

// RemovalNote returns what an evolution says about the removal of an id for which
// [Release.Renamed] returns "", as plain text.
func (r *Release) RemovalNote(k IDKind, id string, since Version, owners ...string) Localized {
	if r.renames == nil {
		return nil
	}
	_, note, _ := r.renames.follow(k, id, since.Folder(), owners)
	return note
}

// Revived reports whether an evolution says that an id was intentionally used again after the
// version since, up to this version; see [Release.Evolved]. The owner is "" for elements and
// categories. An id that is removed again must be revived again.
func (r *Release) Revived(k IDKind, owner, id string, since Version) bool {
	return slices.ContainsFunc(r.revived, func(e Revival) bool {
		return e.Kind == k && e.ID == id && (e.In == "" || e.In == owner) && e.Since.Date() > since.Date() && e.Since.Date() <= r.version.Date()
	})
}

// evolvedType is a datachain type of an index that has an evolution.
type evolvedType struct {
	ID        string `json:"id"`
	Evolution Hash   `json:"evolution"` // the SHA-256 of the published text
}

// loadedEvolution is an evolution with its published text.
type loadedEvolution struct {
	*Evolution
	text []byte
}

// Evolution returns what became of the ids of a datachain type, or nil if nothing is
// recorded.
func (x *Index) Evolution(typ string) *Evolution { return x.evolutions[typ].Evolution }

// EvolutionJSON returns the published text of [Index.Evolution], or nil.
func (x *Index) EvolutionJSON(typ string) []byte { return x.evolutions[typ].text }

// WithEvolution returns the index with an evolution in place of that of a datachain type. An
// empty one removes it.
func (x *Index) WithEvolution(typ string, e *Evolution) (*Index, error) {
	next := new(*x)
	next.types = slices.DeleteFunc(slices.Clone(x.types), func(t evolvedType) bool { return t.ID == typ })
	next.evolutions = maps.Clone(x.evolutions)
	delete(next.evolutions, typ)
	if e.isEmpty() {
		return next, nil
	}
	text, err := document.MarshalCanonical(e)
	if err != nil {
		return nil, fmt.Errorf("index: evolution of %s: %w", typ, err)
	}
	next.types = append(next.types, evolvedType{typ, Hash(sha256.Sum256(text))})
	slices.SortFunc(next.types, func(a, b evolvedType) int { return strings.Compare(a.ID, b.ID) })
	if next.evolutions == nil {
		next.evolutions = make(map[string]loadedEvolution)
	}
	next.evolutions[typ] = loadedEvolution{e, text}
	return next, nil
}

// LoadEvolutions returns the index with the evolutions that it names: a decoded index does
// not have them yet. read returns their published text. It is not called for those that last
// already has; last can be nil.
func (x *Index) LoadEvolutions(last *Index, read func(typ string, h Hash) ([]byte, error)) (*Index, error) {
	if len(x.types) == 0 {
		return x, nil
	}
	next := new(*x)
	next.evolutions = make(map[string]loadedEvolution, len(x.types))
	for _, t := range x.types {
		if last != nil && slices.Contains(last.types, t) && last.Evolution(t.ID) != nil {
			next.evolutions[t.ID] = last.evolutions[t.ID]
			continue
		}
		text, err := read(t.ID, t.Evolution)
		var e *Evolution
		if err == nil {
			e, err = decodeEvolution(text, t)
		}
		if err != nil {
			return nil, fmt.Errorf("index: evolution of %s: %w", t.ID, err)
		}
		next.evolutions[t.ID] = loadedEvolution{e, text}
	}
	return next, nil
}
