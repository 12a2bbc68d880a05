package diff

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// counts compares how many placements the documents of the old release have of a
// category of the new one with how many it allows. What a category is called does
// not matter: documents name elements.
type counts struct {
	before, after *taxonomy.Release
	between       []*taxonomy.Release
	history       history.History
	renames       pairing // of the categories
	model         *model  // of the old release; made when it is needed
	byCategory    map[string]count
	current       *elementItems // of the element that is compared
}

// count is what the old documents have of a category of the new release.
type count struct{ fewest, most int }

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

// model says what valid documents of a release can contain. Placements are judged
// one by one, and counted by element and by category, so how often elements and
// categories can be placed describes all valid documents.
type model struct {
	release *taxonomy.Release
	// satisfiable reports whether there is a valid document at all.
	satisfiable bool
	// capacity is how often all elements of a category can be placed, before its
	// own maximum applies.
	capacity map[string]int
}

// unlimited is the maximum of what has none.
const unlimited = math.MaxInt

func newModel(r *taxonomy.Release) *model {
	m := &model{release: r, capacity: make(map[string]int)}
	for _, e := range r.Elements() {
		m.capacity[e.CategoryID] = plus(m.capacity[e.CategoryID], allowed(e))
	}
	for _, c := range r.Categories() {
		able := min(m.capacity[c.ID], maximum(c))
		if able < minimum(c) {
			m.satisfiable = false
			return m
		}
		// A document has at least one placement.
		m.satisfiable = m.satisfiable || able > 0
	}
	return m
}

// minimum is how many placements of its elements a category needs.
func minimum(c *taxonomy.Category) int {
	if c.Required {
		return max(c.Cardinality.Min, 1)
	}
	return c.Cardinality.Min
}

func maximum(c *taxonomy.Category) int { return limit(c.Cardinality.Max) }

// limit returns a maximum, for which 0 in a release means that there is none.
func limit(most int) int {
	if most == 0 {
		return unlimited
	}
	return most
}

// allowed is how often an element can be placed, before the maximum of its category
// applies. An element whose required variable has no option to choose can't be placed.
func allowed(e *taxonomy.Element) int {
	for i := range e.Variables {
		if v := &e.Variables[i]; v.Required && !fillable(e.ID, v) {
			return 0
		}
	}
	return limit(e.MaxPlacements)
}

// fillable reports whether a variable of an element can have a value.
func fillable(elementID string, v *taxonomy.Variable) bool {
	return v.Type != taxonomy.SelectVariable ||
		slices.ContainsFunc(v.Options, func(o taxonomy.Option) bool { return o.Applies(elementID) })
}

// needsContext reports whether placements of a category must have a context value.
func needsContext(c *taxonomy.Category) bool {
	return c.Context.Required && len(c.Context.Values) > 0
}

// placements returns how often a valid document can place an element.
func (m *model) placements(e *taxonomy.Element) int {
	c, known := m.release.Category(e.CategoryID)
	if !m.satisfiable || !known {
		return 0
	}
	return min(allowed(e), maximum(c))
}

// placeable reports whether a valid document can place an element.
func (m *model) placeable(e *taxonomy.Element) bool { return e != nil && m.placements(e) > 0 }

// between returns the fewest and the most placements of elements of a set in a valid
// document. The elements of the set belong to the given categories, and possibly some
// others of these categories do not belong to it.
func (m *model) between(categories []string, in func(*taxonomy.Element) bool) (fewest, most int) {
	for _, id := range categories {
		c, known := m.release.Category(id)
		if !known {
			continue
		}
		inside, outside := 0, 0
		for _, e := range m.release.ElementsOf(id) {
			if in(e) {
				inside = plus(inside, allowed(e))
			} else {
				outside = plus(outside, allowed(e))
			}
		}
		fewest = plus(fewest, max(0, minimum(c)-outside))
		most = plus(most, min(maximum(c), inside))
	}
	// A document has at least one placement, possibly of none but these elements.
	if fewest == 0 && !slices.ContainsFunc(m.release.Elements(), func(e *taxonomy.Element) bool { return !in(e) && m.placeable(e) }) {
		fewest = 1
	}
	return fewest, most
}

// plus adds numbers that can be unlimited.
func plus(a, b int) int {
	if a > unlimited-b {
		return unlimited
	}
	return a + b
}

// A version has to repeat what its predecessors recorded about removed and renamed
// things: documents are upgraded from any older version in one step, by what the newest
// one says. What it forgets affects no document of the version before.

// removalForgotten applies if the new release does not have an element that the old one
// lists as removed, and no longer lists it either, or no longer knows a successor.
func removalForgotten(k *counts, c *Change) string {
	if len(c.Path) > 1 {
		return k.forgotten(c.Path[1].Name())
	}
	for i := range k.before.Manifest().Removed { // a list that can't be compared item by item
		if consequence := k.forgotten(k.before.Manifest().Removed[i].ID); consequence != "" {
			return consequence
		}
	}
	return ""
}

// forgotten returns what it means that the new release says less about a removed element
// than the old one, or "" if it does not.
func (k *counts) forgotten(id string) string {
	_, was := k.before.Removed(id)
	_, is := k.after.Removed(id)
	known := successors(k.before, id)
	switch {
	case !was || k.after.HasElement(id):
		return ""
	case len(known) > 0 && len(successors(k.after, id)) == 0:
		return fmt.Sprintf("documents of older versions that place %s can no longer follow to %s", id, wording.Or(known))
	}
	return ifTrue(!is, fmt.Sprintf("documents of older versions that place %s no longer learn that it was removed", id))
}

// renameForgotten applies if nothing in the new release has or had an id that the old
// one records.
func renameForgotten(k *counts, c *Change) string {
	n := slices.IndexFunc(c.Path, func(s issue.Step) bool { return s.Name() == "renamed_from" })
	of := history.ID{Kind: codes.IDCategory}
	if n > 0 { // after the list and the item in it
		of, _ = listed(c.Subject, c.ID, c.Path[:n-1])
	}
	for _, of.ID = range recorded(c.Old) {
		if now, _ := history.Of(taxonomy.Version{}, k.after).Now(of); now == "" {
			return fmt.Sprintf("documents of older versions that use %s can no longer follow to its new id", of.ID)
		}
	}
	return ""
}

// recorded returns the ids in a part of renamed_from: one of them, or all.
func recorded(raw json.RawMessage) (ids []string) {
	var id string
	if json.Unmarshal(raw, &id) == nil {
		return []string{id}
	}
	_ = json.Unmarshal(raw, &ids) // anything else records nothing
	return ids
}
