package history

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

// step is a rename or a removal of an id in a version. If it was removed, To is "".
type step struct {
	Rename
	note taxonomy.Localized
}

// renames is what an evolution says about ids other than those of elements.
type renames struct {
	// steps has the steps from an id, in the order of their versions. before has the
	// old ids that lead to an id, the last one first.
	steps  map[renamed][]step
	before map[renamed][]string
	kinds  map[taxonomy.IDKind]bool
}

// renamed is an id that was renamed. The owner is "" if it is the same for all owners.
type renamed struct {
	kind      taxonomy.IDKind
	owner, id string
}

func newRenames(l *Lineage, e *Evolution) *renames {
	n := &renames{steps: make(map[renamed][]step), before: make(map[renamed][]string), kinds: make(map[taxonomy.IDKind]bool)}
	var sorted []step
	for _, one := range e.Renamed {
		sorted = append(sorted, step{Rename: one})
	}
	for _, removal := range e.Removed {
		if removal.Kind != "" {
			sorted = append(sorted, step{Rename{Kind: removal.Kind, From: removal.ID, In: removal.In, Since: removal.Since}, removal.Note})
		}
	}
	slices.SortStableFunc(sorted, func(a, b step) int { return strings.Compare(a.Since.Folder(), b.Since.Folder()) })
	for _, owned := range []bool{false, true} { // owners may have been renamed since
		for _, step := range sorted {
			if step.Kind == taxonomy.IDElement || (step.Kind != taxonomy.IDCategory) != owned || step.Since.Date() > l.release.Version().Date() {
				continue
			}
			owners := []string{""}
			if owned && step.In != "" {
				owners = n.owners(l, step.In, step.Since)
			}
			for _, owner := range owners {
				key := renamed{step.Kind, owner, step.From}
				n.steps[key] = append(n.steps[key], step)
			}
			n.kinds[step.Kind] = true
		}
	}
	given := make(map[renamed][]step)
	for key, steps := range n.steps {
		for _, step := range steps {
			if l.Revived(key.kind, key.owner, step.From, step.Since) {
				continue // the id means something else now
			}
			now, _, _ := n.follow(key.kind, step.To, step.Since.Folder(), []string{key.owner})
			end := renamed{key.kind, key.owner, now}
			given[end] = append(given[end], step)
		}
	}
	for end, steps := range given {
		slices.SortFunc(steps, func(a, b step) int {
			return cmp.Or(strings.Compare(b.Since.Folder(), a.Since.Folder()), strings.Compare(a.From, b.From))
		})
		for _, step := range steps {
			n.before[end] = append(n.before[end], step.From)
		}
	}
	return n
}

// owners returns the ids that an owner has now: several if an element was split, or has
// alternative successors. An entry can also name it by an id that it lost in the same version.
func (n *renames) owners(l *Lineage, id string, since taxonomy.Version) []string {
	removal := l.removals.after(id, since)
	if removal == nil && !l.release.HasElement(id) {
		removal, _ = l.Removed(id)
	}
	if removal != nil {
		var ids []string
		for _, next := range l.SuccessionOf(removal).Elements {
			ids = append(ids, next.ID)
		}
		if ids != nil {
			return ids
		}
	}
	after := since.Folder()
	if _, ok := l.release.Category(id); !ok && n.step(renamed{taxonomy.IDCategory, "", id}, after) == nil {
		after = ""
	}
	now, _, _ := n.follow(taxonomy.IDCategory, id, after, nil)
	return []string{now}
}

// follow returns what an id became after a version, given as [Version.Folder]: "" and a note
// if it was removed. It terminates, since each step is later than the one before.
func (n *renames) follow(k taxonomy.IDKind, id, after string, owners []string) (now string, note taxonomy.Localized, ok bool) {
	for {
		step := n.step(renamed{k, "", id}, after)
		for _, owner := range owners {
			if own := n.step(renamed{k, owner, id}, after); own != nil && (step == nil || own.Since.Folder() < step.Since.Folder()) {
				step = own
			}
		}
		if step == nil {
			return id, note, ok
		}
		id, after, note, ok = step.To, step.Since.Folder(), step.note, true
	}
}

// step returns the first step of an id after a version, or nil.
func (n *renames) step(key renamed, after string) *step {
	steps := n.steps[key]
	for i := range steps {
		if steps[i].Since.Folder() > after {
			return &steps[i]
		}
	}
	return nil
}

// from returns renamed_from of an id: what the author wrote, and what the evolution adds. An
// id that is in use is not an old one.
func (n *renames) from(k taxonomy.IDKind, id string, written []string, used func(string) bool, owners ...string) []string {
	all := written
	for _, owner := range append(owners, "") {
		for _, old := range n.before[renamed{k, owner, id}] {
			if old != id && !used(old) && !slices.Contains(all, old) {
				all = append(slices.Clip(all), old)
			}
		}
	}
	return all
}

// category returns a category with its old ids.
func (n *renames) category(r *taxonomy.Release, c *taxonomy.Category) *taxonomy.Category {
	next := new(*c)
	next.RenamedFrom = n.from(taxonomy.IDCategory, c.ID, c.RenamedFrom, func(id string) bool { _, used := r.Category(id); return used })
	next.Variables = n.variables(c.Variables, c.ID)
	if n.kinds[taxonomy.IDContextValue] {
		used := usedIDs(c.Context.Values, func(v *taxonomy.ContextValue) string { return v.ID })
		next.Context.Values = slices.Clone(c.Context.Values)
		for i := range next.Context.Values {
			v := &next.Context.Values[i]
			v.RenamedFrom = n.from(taxonomy.IDContextValue, v.ID, v.RenamedFrom, used, c.ID)
		}
	}
	return next
}

// element returns an element with the old ids of what it has.
func (n *renames) element(e *taxonomy.Element) *taxonomy.Element {
	next := new(*e)
	next.Variables = n.variables(e.Variables, e.ID, e.CategoryID)
	return next
}

func (n *renames) variables(list []taxonomy.Variable, owners ...string) []taxonomy.Variable {
	if len(list) == 0 || !n.kinds[taxonomy.IDVariable] && !n.kinds[taxonomy.IDOption] {
		return list
	}
	next := slices.Clone(list)
	used := usedIDs(list, func(v *taxonomy.Variable) string { return v.ID })
	for i := range next {
		v := &next[i]
		v.RenamedFrom = n.from(taxonomy.IDVariable, v.ID, v.RenamedFrom, used, owners...)
		if !n.kinds[taxonomy.IDOption] || len(v.Options) == 0 {
			continue
		}
		used := usedIDs(v.Options, func(o *taxonomy.Option) string { return o.ID })
		v.Options = slices.Clone(v.Options)
		for j := range v.Options {
			o := &v.Options[j]
			o.RenamedFrom = n.from(taxonomy.IDOption, o.ID, o.RenamedFrom, used, owners...)
		}
	}
	return next
}

// usedIDs returns a function that reports whether a list has an id.
func usedIDs[T any](list []T, id func(*T) string) func(string) bool {
	ids := sync.OnceValue(func() map[string]bool {
		ids := make(map[string]bool, len(list))
		for i := range list {
			ids[id(&list[i])] = true
		}
		return ids
	})
	return func(id string) bool { return ids()[id] }
}
