package diff

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// counts compares how many placements the documents of the old release have of a
// category of the new one with how many it allows. What a category is called does
// not matter: documents name elements.
type counts struct {
	before, after *taxonomy.Release
	renames
	model      *model // of the old release; made when it is needed
	byCategory map[string]count
	current    *parts // of the element that is compared
	lists      lists  // of the part that is compared
}

// count is what the old documents have of a category of the new release.
type count struct{ fewest, most int }

func newCounts(before, after *taxonomy.Release) *counts {
	return &counts{before: before, after: after, renames: newRenames(before, after), byCategory: make(map[string]count)}
}

// old returns the model of the old release.
func (k *counts) old() *model {
	if k.model == nil {
		k.model = newModel(k.before)
	}
	return k.model
}

// of returns the placements of a category of the new release.
func (k *counts) of(c *taxonomy.Category) count {
	known, ok := k.byCategory[c.ID]
	if ok {
		return known
	}
	var from []string // the categories that its elements had
	for _, e := range k.after.ElementsOf(c.ID) {
		if old, ok := k.before.Element(e.ID); ok && !slices.Contains(from, old.CategoryID) {
			from = append(from, old.CategoryID)
		}
	}
	var n count
	n.fewest, n.most = k.old().between(from, func(old *taxonomy.Element) bool {
		e, ok := k.after.Element(old.ID)
		return ok && e.CategoryID == c.ID
	})
	k.byCategory[c.ID] = n
	return n
}

// tooFew reports whether an old document can have too few placements of a category
// of the new release.
func (k *counts) tooFew(c *taxonomy.Category) bool {
	return k.old().satisfiable && minimum(c) > 0 && k.of(c).fewest < minimum(c)
}

// tooMany reports whether an old document can have too many placements of a category
// of the new release.
func (k *counts) tooMany(c *taxonomy.Category) bool {
	return k.old().satisfiable && k.of(c).most > maximum(c)
}

// raised reports whether the minimum of a category is higher than it was, and lowered
// whether its maximum is lower. A new category had no minimum and no maximum.
func (k *counts) raised(c *taxonomy.Category) bool {
	old, ok := k.before.Category(k.oldID(c.ID))
	return !ok || minimum(c) > minimum(old)
}

func (k *counts) lowered(c *taxonomy.Category) bool {
	old, ok := k.before.Category(k.oldID(c.ID))
	return !ok || maximum(c) < maximum(old)
}
