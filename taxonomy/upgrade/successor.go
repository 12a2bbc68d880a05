package upgrade

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// fate is what became of an element that the new version does not have.
type fate struct {
	// listed reports whether the new version says anything about the element.
	listed bool
	// removal is what it says about the element itself.
	removal *taxonomy.Removal
	// ends are the elements that its successors lead to, each once, in order.
	ends []end
	// dead reports that a successor leads nowhere: it was removed without a
	// successor, or it does not exist.
	dead bool
	// circle has the ids of a circle of successors, or is nil.
	circle []string
}

// end is an element of the new version, with what was said on the way to it.
type end struct {
	id   string
	note taxonomy.Localized
}

// single returns the only element that can take the place, if there is no choice left:
// every successor that was ever named leads to it.
func (f *fate) single() (end, bool) {
	if len(f.ends) != 1 || f.dead || f.circle != nil {
		return end{}, false
	}
	return f.ends[0], true
}

// fates follows the successors of removed elements. Removals accumulate from version to
// version, so a successor can itself have been removed.
type fates struct {
	to    *taxonomy.Release
	known map[string]*fate
}

func (f *fates) of(id string) *fate {
	if known := f.known[id]; known != nil {
		return known
	}
	w := walk{to: f.to, seen: make(map[string]bool)}
	w.fate.removal, w.fate.listed = f.to.Removed(id)
	if w.fate.listed {
		w.follow(id)
	}
	if f.known == nil {
		f.known = make(map[string]*fate)
	}
	f.known[id] = &w.fate
	return &w.fate
}

// walk goes along successors, through each removed element once.
type walk struct {
	to   *taxonomy.Release
	fate fate
	seen map[string]bool
	way  []string // from the start to here
}

// follow goes on from a removed element.
func (w *walk) follow(id string) {
	w.seen[id] = true
	w.way = append(w.way, id)
	gone, _ := w.to.Removed(id)
	if gone == nil || len(gone.ReplacedBy) == 0 {
		w.fate.dead = true
	} else {
		for i := range gone.ReplacedBy {
			w.step(&gone.ReplacedBy[i])
		}
	}
	w.way = w.way[:len(w.way)-1]
}

// step takes one successor.
func (w *walk) step(next *taxonomy.Successor) {
	if _, there := w.to.Element(next.ID); there {
		if !slices.ContainsFunc(w.fate.ends, func(e end) bool { return e.id == next.ID }) {
			w.fate.ends = append(w.fate.ends, end{next.ID, next.Note})
		}
		return
	}
	if i := slices.Index(w.way, next.ID); i >= 0 {
		w.fate.circle = append(slices.Clone(w.way[i:]), next.ID)
		return
	}
	if !w.seen[next.ID] {
		w.follow(next.ID)
	}
}

// An item of a schema that can be renamed.
type renamable interface {
	taxonomy.Variable | taxonomy.Option | taxonomy.ContextValue | taxonomy.Category
}

// named returns the item with an id, or else the items that were renamed from it. An
// item that still exists was not renamed, whatever others say.
func named[T renamable](list []T, id string, of func(*T) (string, []string)) (same *T, renamed []*T) {
	for i := range list {
		now, before := of(&list[i])
		if now == id {
			return &list[i], nil
		}
		if slices.Contains(before, id) {
			renamed = append(renamed, &list[i])
		}
	}
	return nil, renamed
}

func ofVariable(v *taxonomy.Variable) (string, []string)    { return v.ID, v.RenamedFrom }
func ofOption(o *taxonomy.Option) (string, []string)        { return o.ID, o.RenamedFrom }
func ofContext(v *taxonomy.ContextValue) (string, []string) { return v.ID, v.RenamedFrom }
