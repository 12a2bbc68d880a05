package taxonomy

// ElementStatus says whether an element is still recommended.
type ElementStatus string

const (
	// ElementActive is the default. It is never part of the JSON of a release, and
	// an element that was decoded has the empty status instead.
	ElementActive ElementStatus = "active"
	// ElementDeprecated elements can still be placed, but should not be.
	ElementDeprecated ElementStatus = "deprecated"
)

// ElementStatuses returns the statuses, the default first.
func ElementStatuses() []ElementStatus { return []ElementStatus{ElementActive, ElementDeprecated} }

// IsZero reports whether the status is the default, so that it is omitted from JSON.
func (s ElementStatus) IsZero() bool { return s == "" || s == ElementActive }

// Successor is an element that takes the place of another one. Several successors of
// an element are alternatives to choose from.
type Successor struct {
	// ID is the id of an element of the same release. It need not exist in a
	// release of another author: see [Release.Successors].
	ID string `json:"id"`
	// Note says when to choose this successor, as plain text.
	Note Localized `json:"note,omitempty"`
}

// Removal is an element that earlier versions of the datachain type have, and this
// one has not.
type Removal struct {
	ID         string      `json:"id"`
	ReplacedBy []Successor `json:"replaced_by,omitempty"`
	// Note says why the element was removed or what to do instead, as plain text.
	Note Localized `json:"note,omitempty"`
	// Since is the first version without the element.
	Since Version `json:"since"`
}

// Synonyms are words of one language that find one another in search.
type Synonyms struct {
	Locale string `json:"locale"`
	// Groups are lists of at least two words or phrases with the same meaning.
	Groups [][]string `json:"groups"`
}

// Deprecated reports whether documents should no longer place the element.
func (e *Element) Deprecated() bool { return e.Status == ElementDeprecated }

// Removed returns what the release says about an element that was removed. It takes
// constant time.
func (r *Release) Removed(id string) (*Removal, bool) {
	i, ok := r.removed[id]
	if !ok {
		return nil, false
	}
	return &r.manifest.Removed[i], true
}

// indexRemoved indexes the removed elements by id. Of two with the same id the first
// counts.
func (r *Release) indexRemoved() {
	if len(r.manifest.Removed) == 0 {
		return
	}
	r.removed = make(map[string]int, len(r.manifest.Removed))
	for i, gone := range r.manifest.Removed {
		if _, twice := r.removed[gone.ID]; !twice {
			r.removed[gone.ID] = i
		}
	}
}

// maxSuccessors limits the successors of one element, and the removals that are
// followed to find them.
const maxSuccessors = 1000

// Successors returns the elements of the release that take the place of an element
// that was removed or is deprecated, in the order in which the author lists them. A
// successor that was itself removed stands for its own successors, with their notes.
// Successors that do not exist and cycles lead to nothing.
func (r *Release) Successors(id string) []Successor {
	s := successorSearch{release: r, seen: map[string]bool{id: true}}
	if gone, ok := r.Removed(id); ok && !r.HasElement(id) {
		s.follow(gone.ReplacedBy)
	} else if e, ok := r.Element(id); ok {
		s.follow(e.ReplacedBy)
	}
	return s.found
}

// HasElement reports whether the release has an element with the id.
func (r *Release) HasElement(id string) bool {
	_, ok := r.elements.ids.find(id)
	return ok
}

// successorSearch follows removals to elements that exist, each once.
type successorSearch struct {
	release *Release
	seen    map[string]bool
	found   []Successor
}

func (s *successorSearch) follow(to []Successor) {
	for _, next := range to {
		if s.seen[next.ID] || len(s.seen) > maxSuccessors {
			continue
		}
		s.seen[next.ID] = true
		if s.release.HasElement(next.ID) {
			s.found = append(s.found, next)
		} else if gone, ok := s.release.Removed(next.ID); ok {
			s.follow(gone.ReplacedBy)
		}
	}
}
