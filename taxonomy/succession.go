package taxonomy

import (
	"slices"
	"strings"
	"sync"
)

// Successor is an element that takes the place of another one. Several successors of
// an element are alternatives to choose from.
type Successor struct {
	// ID is the id of an element of the same release. It need not exist in a
	// release of another author: see [Release.Succession].
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
	// Split reports that all successors take the place together, and are not
	// alternatives. It is set if an [Evolution] says so.
	Split bool `json:"-"`
	// Renamed reports that the successor is the same element with another id, which is in Since.
	// It is set if an [Evolution] says so.
	Renamed bool `json:"-"`
}

// Removed returns what is known about the last removal of an element. It takes constant time
// unless the evolution revives ids.
func (r *Release) Removed(id string) (*Removal, bool) {
	all := r.past.removals[id]
	if len(all) == 0 || r.Revived(IDElement, "", id, all[len(all)-1].Since) {
		return nil, false
	}
	return all[len(all)-1], true
}

// RemovedAfter returns what is known about the removal of an element that a version has: the
// first removal after that version. An earlier one is about another element with the same id.
// For the zero Version, which stands for an unknown one, it returns what [Release.Removed]
// returns if the release does not have the element.
func (r *Release) RemovedAfter(id string, v Version) (*Removal, bool) {
	if !v.IsZero() {
		gone := r.past.removedAfter(id, v)
		return gone, gone != nil
	}
	if r.HasElement(id) {
		return nil, false
	}
	return r.Removed(id)
}

// past is what a release knows about removed elements.
type past struct {
	// removals has the removals of an id, in the order of their versions: an id can
	// come back and be removed again.
	removals map[string][]*Removal
	// ends has, for each removal in a chain of elements with one successor each, the
	// last removal of the chain, or nil if it leads into a cycle. Without it, following
	// each element of a chain would take quadratic time.
	ends func() map[*Removal]*Removal
}

// removedAfter returns the first removal of an id after a version, or nil.
func (p *past) removedAfter(id string, v Version) *Removal {
	for _, gone := range p.removals[id] {
		if gone.Since.Folder() > v.Folder() {
			return gone
		}
	}
	return nil
}

// setPast indexes removals by id: those of an evolution, or those of the manifest for other
// ids. Of two in the manifest with the same id the first counts.
func (r *Release) setPast(recorded []*Removal) {
	if len(r.manifest.Removed)+len(recorded) == 0 {
		return
	}
	r.past.removals = make(map[string][]*Removal, len(r.manifest.Removed)+len(recorded))
	for _, gone := range recorded {
		r.past.removals[gone.ID] = append(r.past.removals[gone.ID], gone)
	}
	for _, all := range r.past.removals {
		slices.SortStableFunc(all, func(a, b *Removal) int { return strings.Compare(a.Since.Folder(), b.Since.Folder()) })
	}
	for i := range r.manifest.Removed {
		if gone := &r.manifest.Removed[i]; r.past.removals[gone.ID] == nil {
			r.past.removals[gone.ID] = []*Removal{gone}
		}
	}
	r.past.ends = sync.OnceValue(r.findChainEnds)
}

// next returns the removal of a successor after the removal that names it, or nil if the
// release has the successor. One that does not exist and was not removed later may have been
// removed in the same version or, according to a manifest, earlier.
func (r *Release) next(named *Removal, id string) *Removal {
	if gone := r.past.removedAfter(id, named.Since); gone != nil {
		return gone
	}
	if r.HasElement(id) {
		return nil
	}
	gone, _ := r.Removed(id)
	return gone
}

// ambiguous reports whether a successor that the release has may be another element: one with
// that id was removed in the version of the removal that names it. Only an evolution tells
// whether that version had the id again: the id is the new one of a rename, or was revived in
// that version.
func (r *Release) ambiguous(named *Removal, id string) bool {
	date := named.Since.Date()
	if named.Renamed || slices.ContainsFunc(r.revived, func(e Revival) bool { return e.Kind == IDElement && e.ID == id && e.Since.Date() == date }) {
		return false
	}
	return date != r.version.Date() && slices.ContainsFunc(r.past.removals[id], func(gone *Removal) bool { return gone.Since.Date() == date })
}

// findChainEnds returns past.ends.
func (r *Release) findChainEnds() map[*Removal]*Removal {
	ends := make(map[*Removal]*Removal)
	for _, all := range r.past.removals {
		for _, at := range all {
			var chain []*Removal
			on := make(map[*Removal]bool)
			for {
				if end, known := ends[at]; known {
					at = end
					break
				}
				if on[at] {
					at = nil // a cycle has no end
					break
				}
				chain, on[at] = append(chain, at), true
				if len(at.ReplacedBy) != 1 {
					break
				}
				to := r.next(at, at.ReplacedBy[0].ID)
				if to == nil {
					break
				}
				at = to
			}
			for _, gone := range chain {
				ends[gone] = at
			}
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
	// Split reports that all of Elements take the place together, and are not
	// alternatives.
	Split bool
	// Incomplete reports that a successor is missing: it does not exist, or was removed
	// without a successor.
	Incomplete bool
	// Cycle has the ids of a cycle of successors, the first one again at the end.
	// It is nil if there is none.
	Cycle []string
}

// Single returns the only element that can take the place, if every successor that was ever
// named leads to it. If all but one of several successors were removed, it is not the remaining
// one: that was never chosen.
func (s Succession) Single() (Successor, bool) {
	if len(s.Elements) != 1 || s.Incomplete || s.Cycle != nil {
		return Successor{}, false
	}
	return s.Elements[0], true
}

// Succession returns what takes the place of an element that was removed or is
// deprecated. It is zero if the release says nothing about the element. An element that
// was removed more than once has no single successor.
func (r *Release) Succession(id string) Succession {
	gone, ok := r.Removed(id)
	if e, there := r.Element(id); there {
		w := r.newWalk()
		if len(e.ReplacedBy) > 0 {
			w.follow(&Removal{ID: id, ReplacedBy: e.ReplacedBy, Since: r.version})
		}
		return w.found
	}
	if !ok {
		return Succession{}
	}
	s := r.SuccessionOf(gone)
	s.Incomplete = s.Incomplete || len(r.past.removals[id]) > 1
	return s
}

// SuccessionOf returns what takes the place of an element, according to one of its
// removals; see [Release.RemovedAfter].
func (r *Release) SuccessionOf(gone *Removal) Succession {
	if r.past.ends != nil {
		if end := r.past.ends()[gone]; end != nil && end != gone {
			if s := r.walk(end); s.Cycle == nil { // a cycle begins where it was entered
				return s
			}
		}
	}
	return r.walk(gone)
}

func (r *Release) walk(gone *Removal) Succession {
	w := r.newWalk()
	w.follow(gone)
	w.found.Split = gone.Split && !w.alternatives && !w.found.Incomplete && w.found.Cycle == nil && len(w.found.Elements) > 1
	return w.found
}

// successorWalk follows successors, through each element once. Removals accumulate from
// version to version, so a successor can itself have been removed.
type successorWalk struct {
	release *Release
	found   Succession
	path    []string // the ids from the start to the current element
	// depth has the elements that were reached: their position in path, from 1, or 0
	// if they are not in it.
	depth map[string]int
	taken map[string]bool // the ids of found.Elements
	// alternatives reports that a removal has several successors to choose from.
	alternatives bool
}

func (r *Release) newWalk() *successorWalk {
	return &successorWalk{release: r, depth: make(map[string]int), taken: make(map[string]bool)}
}

// follow follows the successors of a removed element.
func (w *successorWalk) follow(gone *Removal) {
	w.path = append(w.path, gone.ID)
	w.depth[gone.ID] = len(w.path)
	for i := range gone.ReplacedBy {
		w.step(gone, &gone.ReplacedBy[i])
	}
	if len(gone.ReplacedBy) == 0 {
		w.found.Incomplete = true
	}
	w.alternatives = w.alternatives || len(gone.ReplacedBy) > 1 && !gone.Split
	w.path, w.depth[gone.ID] = w.path[:len(w.path)-1], 0
}

// step follows one successor.
func (w *successorWalk) step(from *Removal, to *Successor) {
	gone := w.release.next(from, to.ID)
	depth, reached := w.depth[to.ID]
	switch {
	case gone == nil && w.release.HasElement(to.ID):
		if !w.taken[to.ID] {
			w.taken[to.ID] = true
			w.found.Elements = append(w.found.Elements, *to)
		}
		w.found.Incomplete = w.found.Incomplete || w.release.ambiguous(from, to.ID)
	case depth > 0:
		w.found.Cycle = append(slices.Clone(w.path[depth-1:]), to.ID)
	case reached:
	case gone == nil:
		w.depth[to.ID] = 0
		w.found.Incomplete = true
	default:
		w.follow(gone)
	}
}
