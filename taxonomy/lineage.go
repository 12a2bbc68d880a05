package taxonomy

// Successor is an element that takes the place of another one. Several successors of
// an element are alternatives to choose from.
type Successor struct {
	// ID is the id of an element of the same release. It need not exist in a
	// release of another author.
	ID string `json:"id"`
	// Note says when to choose this successor, as plain text.
	Note Localized `json:"note,omitempty"`
}

// Removal is an element that earlier versions of the datachain type have, but this one does
// not have.
type Removal struct {
	ID         string      `json:"id"`
	ReplacedBy []Successor `json:"replaced_by,omitempty"`
	// Note says why the element was removed or what to do instead, as plain text.
	Note Localized `json:"note,omitempty"`
	// Since is the first version without the element.
	Since Version `json:"since"`
}

// IDKind says what an id is the id of.
type IDKind string

// The kinds of ids.
const (
	IDCategory     IDKind = "category"
	IDElement      IDKind = "element"
	IDVariable     IDKind = "variable"
	IDOption       IDKind = "option"
	IDContextValue IDKind = "context_value"
)

// Fate is what became of an element.
type Fate struct {
	// Removal says how the element was removed. It is nil for a deprecated element.
	Removal *Removal
	// Successors are the elements of the release that take its place, each once: either one of
	// them, as alternatives, or all of them together.
	Successors []Successor
	// Replacement is the id of the only element that can take its place without a decision
	// of a person, or "".
	Replacement string
}

// Lineage is what a program knows about the past of a release besides its content. Package history
// implements it. It must be safe for concurrent use.
type Lineage interface {
	// Fate returns what became of an element that earlier versions have and the release lacks, or
	// of a deprecated one. It replaces what the release says about the element.
	Fate(elementID string) (Fate, bool)
	// Formerly returns the ids in earlier versions of something that the release has under id,
	// besides those in its RenamedFrom. The owners of a variable, an option or a context value are
	// the ids of its element, its category or both.
	Formerly(k IDKind, id string, owners ...string) []string
}

// WithLineage returns the release with what is known about its past, in place of what was known
// before. It may be nil. The content of the release, its JSON and its hash stay the same.
func (r *Release) WithLineage(l Lineage) *Release {
	next := new(*r)
	next.lineage = l
	return next
}

// Lineage returns the lineage that [Release.WithLineage] has set, or nil.
func (r *Release) Lineage() Lineage { return r.lineage }

// Fate returns what became of an element that the release lacks or deprecates, if that is known.
// Without a lineage, it is what the manifest or the element says, without successors that were removed
// as well.
func (r *Release) Fate(elementID string) (Fate, bool) {
	if r.lineage != nil {
		return r.lineage.Fate(elementID)
	}
	f := Fate{Removal: r.removed[elementID]}
	var successors []Successor
	switch e, exists := r.Element(elementID); {
	case exists && !e.Deprecated():
		return Fate{}, false
	case exists:
		f.Removal, successors = nil, e.ReplacedBy
	case f.Removal == nil:
		return Fate{}, false
	default:
		successors = f.Removal.ReplacedBy
	}
	incomplete, seen := false, make(map[string]bool)
	for _, s := range successors {
		switch {
		case !r.HasElement(s.ID):
			incomplete = true
		case !seen[s.ID]:
			seen[s.ID] = true
			f.Successors = append(f.Successors, s)
		}
	}
	if len(f.Successors) == 1 && !incomplete {
		f.Replacement = f.Successors[0].ID
	}
	return f, true
}

// removals returns the removals of a manifest by id. If two have the same id, the first counts.
func removals(m *Manifest) map[string]*Removal {
	if len(m.Removed) == 0 {
		return nil
	}
	all := make(map[string]*Removal, len(m.Removed))
	for i := range m.Removed {
		if removal := &m.Removed[i]; all[removal.ID] == nil {
			all[removal.ID] = removal
		}
	}
	return all
}
