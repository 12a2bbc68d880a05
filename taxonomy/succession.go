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

// Removal is an element that earlier versions of the datachain type have, and this
// one has not.
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

	renamed bool // stands for a rename, whose new id is in Since
}

// Removed returns what is known about an element that was removed, the last time if it
// was removed more than once. It takes constant time, unless ids came back on purpose.
func (r *Release) Removed(id string) (*Removal, bool) {
	all := r.past.removals[id]
	if len(all) == 0 || r.Revived(IDElement, "", id, all[len(all)-1].Since) {
		return nil, false
	}
	return all[len(all)-1], true
}

// RemovedAfter returns what is known about the removal of an element that a version
// has: the first removal after that version. An earlier one is about something else that
// had the id. The zero Version stands for an unknown one: then it is what
// [Release.Removed] returns, if the release does not have the element.
func (r *Release) RemovedAfter(id string, v Version) (*Removal, bool) {
	if !v.IsZero() {
		gone := r.past.after(id, v)
		return gone, gone != nil
	}
	if r.HasElement(id) {
		return nil, false
	}
	return r.Removed(id)
}

// past is what is known about elements that were removed.
type past struct {
	// removals has the removals of an id, in the order of their versions: an id can
	// come back.
	removals map[string][]*Removal
	// ends has the last removals of chains of removed elements with one successor
	// each, by the removals in them, or nil for those that lead into a cycle. Without
	// them a chain would cost its length for each of its elements.
	ends func() map[*Removal]*Removal
}

// after returns the first removal of an id after a version, or nil.
func (p *past) after(id string, v Version) *Removal {
	for _, gone := range p.removals[id] {
		if gone.Since.Folder() > v.Folder() {
			return gone
		}
	}
	return nil
}

// setPast indexes removals by id: those of the manifest, or of an evolution if that has
// some for the id. Of two in the manifest with the same id the first counts.
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

// next returns what became of a successor, after the removal that names it: nil if the
// release has the element. A successor that does not exist, and was not removed later,
// may have been removed in the same version, or earlier as manifests have it.
func (r *Release) next(named *Removal, id string) *Removal {
	if gone := r.past.after(id, named.Since); gone != nil {
		return gone
	}
	if r.HasElement(id) {
		return nil
	}
	gone, _ := r.Removed(id)
	return gone
}

// doubtful reports whether a successor that the release has may be something else: an
// element with that id was removed in the version whose removal names it. Later versions do
// not tell whether that version had the id again, or a later one, unless the evolution
// says so: the id is the new one of a rename, or was revived in that version.
func (r *Release) doubtful(named *Removal, id string) bool {
	date := named.Since.Date()
	if named.renamed || slices.ContainsFunc(r.revived, func(e Revival) bool { return e.Kind == IDElement && e.ID == id && e.Since.Date() == date }) {
		return false
	}
	return date != r.version.Date() && slices.ContainsFunc(r.past.removals[id], func(gone *Removal) bool { return gone.Since.Date() == date })
}

func (r *Release) findChainEnds() map[*Removal]*Removal {
	ends := make(map[*Removal]*Removal)
	for _, all := range r.past.removals {
		for _, at := range all {
			var way []*Removal
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
				way, on[at] = append(way, at), true
				if len(at.ReplacedBy) != 1 {
					break
				}
				to := r.next(at, at.ReplacedBy[0].ID)
				if to == nil {
					break
				}
				at = to
			}
			for _, gone := range way {
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
	s.Lost = s.Lost || len(r.past.removals[id]) > 1
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
	w.found.Split = gone.Split && !w.alternatives && !w.found.Lost && w.found.Cycle == nil && len(w.found.Elements) > 1
	return w.found
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
	taken map[string]bool // the ids of found.Elements
	// alternatives reports that a removal on the way has several successors to
	// choose from.
	alternatives bool
}

func (r *Release) newWalk() *successorWalk {
	return &successorWalk{release: r, depth: make(map[string]int), taken: make(map[string]bool)}
}

// follow goes on from a removed element to its successors.
func (w *successorWalk) follow(gone *Removal) {
	w.way = append(w.way, gone.ID)
	w.depth[gone.ID] = len(w.way)
	for i := range gone.ReplacedBy {
		w.step(gone, &gone.ReplacedBy[i])
	}
	if len(gone.ReplacedBy) == 0 {
		w.found.Lost = true
	}
	w.alternatives = w.alternatives || len(gone.ReplacedBy) > 1 && !gone.Split
	w.way, w.depth[gone.ID] = w.way[:len(w.way)-1], 0
}

// step takes one successor.
func (w *successorWalk) step(from *Removal, to *Successor) {
	gone := w.release.next(from, to.ID)
	depth, reached := w.depth[to.ID]
	switch {
	case gone == nil && w.release.HasElement(to.ID):
		if !w.taken[to.ID] {
			w.taken[to.ID] = true
			w.found.Elements = append(w.found.Elements, *to)
		}
		w.found.Lost = w.found.Lost || w.release.doubtful(from, to.ID)
	case depth > 0:
		w.found.Cycle = append(slices.Clone(w.way[depth-1:]), to.ID)
	case reached:
	case gone == nil:
		w.depth[to.ID] = 0
		w.found.Lost = true
	default:
		w.follow(gone)
	}
}
