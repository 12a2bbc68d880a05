package history

import (
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// Removal is the removal of an element, as a release or an evolution records it.
type Removal struct {
	taxonomy.Removal
	// Split reports that all successors take the place together, and are not
	// alternatives.
	Split bool
	// Renamed reports that the successor is the same element with another id, which is in Since.
	Renamed bool
}

// Removed returns what is known about the last removal of an element. It takes constant time
// unless the evolution revives ids.
func (l *Lineage) Removed(id string) (*Removal, bool) {
	all := l.removals.byID[id]
	if len(all) == 0 || l.Revived(taxonomy.IDElement, "", id, all[len(all)-1].Since) {
		return nil, false
	}
	return all[len(all)-1], true
}

// RemovedAfter returns what is known about the removal of an element that a version has: the
// first removal after that version. An earlier one is about another element with the same id.
// For the zero Version, which stands for an unknown one, it returns what [Lineage.Removed]
// returns if the release does not have the element.
func (l *Lineage) RemovedAfter(id string, v taxonomy.Version) (*Removal, bool) {
	if !v.IsZero() {
		removal := l.removals.after(id, v)
		return removal, removal != nil
	}
	if l.release.HasElement(id) {
		return nil, false
	}
	return l.Removed(id)
}

// removalIndex is what a release knows about removed elements.
type removalIndex struct {
	// byID has the removals of an id, in the order of their versions: an id can
	// come back and be removed again.
	byID map[string][]*Removal
	// chainEnds has, for each removal in a chain of elements with one successor each, the
	// last removal of the chain, or nil if it leads into a cycle. Without it, following
	// each element of a chain would take quadratic time.
	chainEnds func() map[*Removal]*Removal
}

// after returns the first removal of an id after a version, or nil.
func (x *removalIndex) after(id string, v taxonomy.Version) *Removal {
	for _, removal := range x.byID[id] {
		if removal.Since.Folder() > v.Folder() {
			return removal
		}
	}
	return nil
}

// indexRemovals indexes removals by id: those of an evolution, or those of the manifest for other
// ids. Of two in the manifest with the same id the first counts.
func (l *Lineage) indexRemovals(recorded []*Removal) {
	removed := l.release.Manifest().Removed
	if len(removed)+len(recorded) == 0 {
		return
	}
	l.removals.byID = make(map[string][]*Removal, len(removed)+len(recorded))
	for _, removal := range recorded {
		l.removals.byID[removal.ID] = append(l.removals.byID[removal.ID], removal)
	}
	for _, all := range l.removals.byID {
		slices.SortStableFunc(all, func(a, b *Removal) int { return strings.Compare(a.Since.Folder(), b.Since.Folder()) })
	}
	for i := range removed {
		if removal := (&Removal{Removal: removed[i]}); l.removals.byID[removal.ID] == nil {
			l.removals.byID[removal.ID] = []*Removal{removal}
		}
	}
	l.removals.chainEnds = sync.OnceValue(l.findChainEnds)
}

// next returns the removal of a successor after the removal that names it, or nil if the
// release has the successor. One that does not exist and was not removed later may have been
// removed in the same version or, according to a manifest, earlier.
func (l *Lineage) next(named *Removal, id string) *Removal {
	if removal := l.removals.after(id, named.Since); removal != nil {
		return removal
	}
	if l.release.HasElement(id) {
		return nil
	}
	removal, _ := l.Removed(id)
	return removal
}

// ambiguous reports whether a successor that the release has may be another element: one with
// that id was removed in the version of the removal that names it. Only an evolution tells
// whether that version had the id again: the id is the new one of a rename, or was revived in
// that version.
func (l *Lineage) ambiguous(named *Removal, id string) bool {
	date := named.Since.Date()
	if named.Renamed || slices.ContainsFunc(l.revived, func(e Revival) bool { return e.Kind == taxonomy.IDElement && e.ID == id && e.Since.Date() == date }) {
		return false
	}
	return date != l.release.Version().Date() && slices.ContainsFunc(l.removals.byID[id], func(removal *Removal) bool { return removal.Since.Date() == date })
}

// findChainEnds returns the chain ends of the index.
func (l *Lineage) findChainEnds() map[*Removal]*Removal {
	ends := make(map[*Removal]*Removal)
	for _, all := range l.removals.byID {
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
				to := l.next(at, at.ReplacedBy[0].ID)
				if to == nil {
					break
				}
				at = to
			}
			for _, removal := range chain {
				ends[removal] = at
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
	Elements []taxonomy.Successor
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
func (s Succession) Single() (taxonomy.Successor, bool) {
	if len(s.Elements) != 1 || s.Incomplete || s.Cycle != nil {
		return taxonomy.Successor{}, false
	}
	return s.Elements[0], true
}

// Succession returns what takes the place of an element that was removed or is
// deprecated. It is zero if the release says nothing about the element. An element that
// was removed more than once has no single successor.
func (l *Lineage) Succession(id string) Succession {
	removal, ok := l.Removed(id)
	if e, there := l.release.Element(id); there {
		w := l.newWalk()
		if len(e.ReplacedBy) > 0 {
			w.follow(&Removal{Removal: taxonomy.Removal{ID: id, ReplacedBy: e.ReplacedBy, Since: l.release.Version()}})
		}
		return w.found
	}
	if !ok {
		return Succession{}
	}
	s := l.SuccessionOf(removal)
	s.Incomplete = s.Incomplete || len(l.removals.byID[id]) > 1
	return s
}

// SuccessionOf returns what takes the place of an element, according to one of its
// removals; see [Lineage.RemovedAfter].
func (l *Lineage) SuccessionOf(removal *Removal) Succession {
	if l.removals.chainEnds != nil {
		if end := l.removals.chainEnds()[removal]; end != nil && end != removal {
			if s := l.walk(end); s.Cycle == nil { // a cycle begins where it was entered
				return s
			}
		}
	}
	return l.walk(removal)
}

func (l *Lineage) walk(removal *Removal) Succession {
	w := l.newWalk()
	w.follow(removal)
	w.found.Split = removal.Split && !w.alternatives && !w.found.Incomplete && w.found.Cycle == nil && len(w.found.Elements) > 1
	return w.found
}

// successorWalk follows successors, through each element once. Removals accumulate from
// version to version, so a successor can itself have been removed.
type successorWalk struct {
	lineage *Lineage
	found   Succession
	path    []string // the ids from the start to the current element
	// depth has the elements that were reached: their position in path, from 1, or 0
	// if they are not in it.
	depth map[string]int
	taken map[string]bool // the ids of found.Elements
	// alternatives reports that a removal has several successors to choose from.
	alternatives bool
}

func (l *Lineage) newWalk() *successorWalk {
	return &successorWalk{lineage: l, depth: make(map[string]int), taken: make(map[string]bool)}
}

// follow follows the successors of a removed element.
func (w *successorWalk) follow(removal *Removal) {
	w.path = append(w.path, removal.ID)
	w.depth[removal.ID] = len(w.path)
	for i := range removal.ReplacedBy {
		w.step(removal, &removal.ReplacedBy[i])
	}
	if len(removal.ReplacedBy) == 0 {
		w.found.Incomplete = true
	}
	w.alternatives = w.alternatives || len(removal.ReplacedBy) > 1 && !removal.Split
	w.path, w.depth[removal.ID] = w.path[:len(w.path)-1], 0
}

// step follows one successor.
func (w *successorWalk) step(from *Removal, to *taxonomy.Successor) {
	removal := w.lineage.next(from, to.ID)
	depth, reached := w.depth[to.ID]
	switch {
	case removal == nil && w.lineage.release.HasElement(to.ID):
		if !w.taken[to.ID] {
			w.taken[to.ID] = true
			w.found.Elements = append(w.found.Elements, *to)
		}
		w.found.Incomplete = w.found.Incomplete || w.lineage.ambiguous(from, to.ID)
	case depth > 0:
		w.found.Cycle = append(slices.Clone(w.path[depth-1:]), to.ID)
	case reached:
	case removal == nil:
		w.depth[to.ID] = 0
		w.found.Incomplete = true
	default:
		w.follow(removal)
	}
}
