package upgrade

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// fate is what became of an element that the new version does not have.
type fate struct {
	taxonomy.Succession
	// removal is what the new version says about the element, or nil.
	removal *taxonomy.Removal
}

// listed reports whether the new version says anything about the element.
func (f *fate) listed() bool { return f.removal != nil }

// fates remembers what became of elements: many placements can have the same one.
type fates struct {
	to    *taxonomy.Release
	known map[string]*fate
}

func (f *fates) of(id string) *fate {
	if known := f.known[id]; known != nil {
		return known
	}
	is := &fate{Succession: f.to.Succession(id)}
	is.removal, _ = f.to.Removed(id)
	if f.known == nil {
		f.known = make(map[string]*fate)
	}
	f.known[id] = is
	return is
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
