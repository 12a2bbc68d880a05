package taxonomy

import (
	"slices"
	"sync"
)

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
	r.chainEnds = sync.OnceValue(r.findChainEnds)
}

// findChainEnds returns where chains of removed elements with one successor each end, by
// the ids in them, or "" for those that lead into a cycle. Without them a chain would cost
// its length for each of its elements.
func (r *Release) findChainEnds() map[string]string {
	ends := make(map[string]string)
	next := func(id string) (string, bool) {
		gone, ok := r.Removed(id)
		if !ok || len(gone.ReplacedBy) != 1 || r.HasElement(gone.ReplacedBy[0].ID) {
			return "", false
		}
		return gone.ReplacedBy[0].ID, true
	}
	for _, gone := range r.manifest.Removed {
		var way []string
		at, on := gone.ID, make(map[string]bool)
		for {
			if end, known := ends[at]; known {
				at = end
				break
			}
			to, ok := next(at)
			if !ok {
				break
			}
			if on[at] {
				at = "" // a cycle has no end
				break
			}
			way, on[at] = append(way, at), true
			at = to
		}
		for _, id := range way {
			ends[id] = at
		}
	}
	return ends
}

// Succession is what a release says about what takes the place of an element.
type Succession struct {
	// Elements are the elements of the release that its successors lead to, each
	// once, in the order in which the author lists them. A successor that was
	// itself removed stands for its own successors, with their notes.
	Elements []Successor
	// Lost reports that a successor leads nowhere: it was removed without a
	// successor, or it does not exist.
	Lost bool
	// Cycle has the ids of a cycle of successors, the first one again at the end.
	// It is nil if there is none.
	Cycle []string
}

// Single returns the element that can take the place without asking anyone: every
// successor that was ever named leads to it. Several successors are alternatives, and
// which of them is meant is not decided by the others being removed.
func (s Succession) Single() (Successor, bool) {
	if len(s.Elements) != 1 || s.Lost || s.Cycle != nil {
		return Successor{}, false
	}
	return s.Elements[0], true
}

// Succession returns what takes the place of an element that was removed or is
// deprecated. It is zero if the release says nothing about the element.
func (r *Release) Succession(id string) Succession {
	if _, gone := r.Removed(id); gone && !r.HasElement(id) {
		if end := r.chainEnds()[id]; end != "" {
			if _, listed := r.Removed(end); !listed {
				return Succession{Lost: true}
			}
			if s := r.succession(end); s.Cycle == nil { // a cycle begins where it was entered
				return s
			}
		}
	}
	return r.succession(id)
}

func (r *Release) succession(id string) Succession {
	w := successorWalk{release: r, depth: make(map[string]int)}
	if e, ok := r.Element(id); ok {
		if len(e.ReplacedBy) > 0 {
			w.follow(id, e.ReplacedBy)
		}
	} else if gone, ok := r.Removed(id); ok {
		w.follow(id, gone.ReplacedBy)
	}
	return w.found
}

// Successors returns the elements of [Release.Succession].
func (r *Release) Successors(id string) []Successor { return r.Succession(id).Elements }

// HasElement reports whether the release has an element with the id.
func (r *Release) HasElement(id string) bool {
	_, ok := r.elements.ids.find(id)
	return ok
}

// successorWalk goes along successors, through each element once. Removals accumulate
// from version to version, so a successor can itself have been removed.
type successorWalk struct {
	release *Release
	found   Succession
	way     []string // from the start to here
	// depth has the elements that were reached: their number on the way, or 0 if
	// they are not on it.
	depth map[string]int
}

// follow goes on from an element to its successors.
func (w *successorWalk) follow(id string, to []Successor) {
	w.way = append(w.way, id)
	w.depth[id] = len(w.way)
	for i := range to {
		w.step(&to[i])
	}
	if len(to) == 0 {
		w.found.Lost = true
	}
	w.way, w.depth[id] = w.way[:len(w.way)-1], 0
}

// step takes one successor.
func (w *successorWalk) step(next *Successor) {
	depth, reached := w.depth[next.ID]
	switch {
	case depth > 0:
		w.found.Cycle = append(slices.Clone(w.way[depth-1:]), next.ID)
	case reached:
	case w.release.HasElement(next.ID):
		w.depth[next.ID] = 0
		w.found.Elements = append(w.found.Elements, *next)
	default:
		var to []Successor
		if gone, ok := w.release.Removed(next.ID); ok {
			to = gone.ReplacedBy
		}
		w.follow(next.ID, to)
	}
}
