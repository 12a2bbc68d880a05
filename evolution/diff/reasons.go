package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// subchainRemoved concerns every kind of document.
func subchainRemoved(k *counts, _ *Change) string {
	return ifTrue(k.old().satisfiable, "documents that use the subchain become invalid")
}

func ifTrue(applies bool, consequence string) string {
	if !applies {
		return ""
	}
	return consequence
}

// placed reports whether documents can place elements that a category had and still
// has.
func (k *counts) placed(category string) bool {
	return slices.ContainsFunc(k.before.ElementsOf(k.oldID(category)), func(e *taxonomy.Element) bool {
		after, ok := k.after.Element(e.ID)
		return ok && after.CategoryID == category && k.old().placeable(e)
	})
}

func contextValueRemoved(k *counts, c *Change) string {
	return ifTrue(k.placed(c.ID), "placements with the context value become invalid")
}

func contextValueRenamed(k *counts, c *Change) string {
	return ifTrue(k.placed(c.ID), "placements with the context value become invalid; 'datachain upgrade' renames it")
}

// minimumRaised considers required and cardinality together: a required category
// needs one placement at least.
func minimumRaised(k *counts, c *Change) string {
	after, _ := k.after.Category(c.ID)
	if !k.raised(after) || !k.tooFew(after) {
		return ""
	}
	return fmt.Sprintf("the minimum number of placements of its elements is now %d (before: %d)", minimum(after), k.of(after).fewest)
}

func maximumLowered(k *counts, c *Change) string {
	after, _ := k.after.Category(c.ID)
	if !k.lowered(after) || !k.tooMany(after) {
		return ""
	}
	return lowered("the maximum number of placements of its elements", k.of(after).most, maximum(after))
}

func placementsLowered(k *counts, c *Change) string {
	before, _ := k.before.Element(c.ID)
	after, _ := k.after.Element(c.ID)
	if k.old().placements(before) <= limit(after.MaxPlacements) {
		return ""
	}
	return lowered("the maximum number of its placements", k.old().placements(before), limit(after.MaxPlacements))
}

// lowered compares maxima.
func lowered(what string, before, after int) string {
	if before == unlimited {
		return fmt.Sprintf("%s is now %d (before: no limit)", what, after)
	}
	return fmt.Sprintf("%s is now %d (before: %d)", what, after, before)
}

func contextRequired(k *counts, c *Change) string {
	before, _ := k.before.Category(k.oldID(c.ID))
	after, _ := k.after.Category(c.ID)
	needed := needsContext(after) && !needsContext(before)
	return ifTrue(needed && k.placed(c.ID), "placements must now have a context value")
}

func elementRemoved(k *counts, c *Change) string {
	if e, _ := k.before.Element(c.ID); !k.old().placeable(e) {
		return ""
	}
	const invalid = "documents that place the element become invalid"
	var succession taxonomy.Succession
	if gone, ok := k.after.RemovedAfter(c.ID, k.before.Version()); ok {
		succession = k.after.SuccessionOf(gone)
	}
	for _, next := range succession.Elements {
		c.Successors = append(c.Successors, next.ID)
	}
	if succession.Split {
		return fmt.Sprintf("%s; 'datachain upgrade' replaces it by %s", invalid, wording.And(c.Successors))
	}
	if next, ok := succession.Single(); ok {
		return fmt.Sprintf("%s; 'datachain upgrade' replaces it by %s", invalid, next.ID)
	}
	if len(c.Successors) == 0 {
		return invalid
	}
	return fmt.Sprintf("%s; replace it by %s", invalid, wording.Or(c.Successors))
}

func elementDeprecated(k *counts, c *Change) string {
	e, _ := k.after.Element(c.ID)
	if !e.Deprecated() {
		return ""
	}
	const warned = "placements of the element get a warning"
	c.Successors = successors(k.after, c.ID)
	if len(c.Successors) == 0 {
		return warned
	}
	return fmt.Sprintf("%s; it is replaced by %s", warned, wording.Or(c.Successors))
}

// successors returns the ids of the elements that replace an element in a release.
func successors(r *taxonomy.Release, id string) []string {
	var ids []string
	for _, s := range r.Succession(id).Elements {
		ids = append(ids, s.ID)
	}
	return ids
}

// categories returns the categories that an element had and has, or nil if documents
// can't place it.
func (k *counts) categories(id string) (before, after *taxonomy.Category) {
	old, _ := k.before.Element(id)
	now, _ := k.after.Element(id)
	if !k.old().placeable(old) {
		return nil, nil
	}
	before, _ = k.before.Category(old.CategoryID)
	after, _ = k.after.Category(now.CategoryID)
	return before, after
}

// contextsLost compares the contexts that placements of an element can have in its
// old category and in its new one.
func contextsLost(k *counts, c *Change) string {
	before, after := k.categories(c.ID)
	if before == nil {
		return ""
	}
	var lost []string
	for _, v := range before.Context.Values {
		if !slices.ContainsFunc(after.Context.Values, func(w taxonomy.ContextValue) bool { return w.ID == v.ID }) {
			lost = append(lost, v.ID)
		}
	}
	switch {
	case len(lost) > 0:
		return fmt.Sprintf("placements with a context value become invalid, because the category %s does not have it: %s", after.ID, strings.Join(lost, ", "))
	case needsContext(after) && !needsContext(before):
		return fmt.Sprintf("placements must now have a context value of the category %s", after.ID)
	}
	return ""
}

// categoryLeft finds documents that need the element in the category that it left.
func categoryLeft(k *counts, c *Change) string {
	before, _ := k.categories(c.ID)
	if before == nil {
		return ""
	}
	left, ok := k.after.Category(k.newID(before.ID))
	if !ok || k.raised(left) || !k.tooFew(left) {
		return ""
	}
	return fmt.Sprintf("placements no longer count for the category %s, which needs %d", left.ID, minimum(left))
}

// categoryEntered finds documents that have more placements than the category that
// the element entered can have.
func categoryEntered(k *counts, c *Change) string {
	_, entered := k.categories(c.ID)
	if entered == nil || k.lowered(entered) || !k.tooMany(entered) {
		return ""
	}
	return fmt.Sprintf("placements now count for the category %s, which can have at most %d", entered.ID, maximum(entered))
}

// variables returns the variable of an element that a change is about, as it was and
// as it is, or nil if there is none or documents can't place the element.
func (k *counts) variables(c *Change) (before, after *taxonomy.Variable) {
	old, _ := k.before.Element(c.ID)
	if !k.old().placeable(old) {
		return nil, nil
	}
	return k.itemsOf(c.ID).variables.of(c, 1)
}

func variableRemoved(k *counts, c *Change) string {
	before, _ := k.variables(c)
	return variableGone(c.ID, before)
}

// variableGone returns what happens to the documents that use a variable. One that can't
// have a value can have a rationale.
func variableGone(elementID string, v *taxonomy.Variable) string {
	switch {
	case v == nil:
		return ""
	case fillable(elementID, v):
		return "placements with a value for the variable become invalid"
	}
	return "documents with a rationale for the variable become invalid"
}

func variableRenamed(k *counts, c *Change) string {
	before, _ := k.variables(c)
	return ifTrue(before != nil, variableGone(c.ID, before)+"; 'datachain upgrade' renames it")
}

func variableRequired(k *counts, c *Change) string {
	before, after := k.variables(c)
	needed := after != nil && after.Required && (before == nil || !before.Required)
	return ifTrue(needed, "placements must now have a value for the variable")
}

func typeChanged(k *counts, c *Change) string {
	before, _ := k.variables(c)
	return ifTrue(before != nil && fillable(c.ID, before), "values of the variable have the wrong type")
}

// elementReworded finds texts that say something else. A text that names a variable by
// its new id does not.
func elementReworded(k *counts, c *Change) string {
	old, _ := k.before.Element(c.ID)
	now, _ := k.after.Element(c.ID)
	became := k.itemsOf(c.ID).variables.became
	text := func(e *taxonomy.Element) string {
		list := e.Description
		if c.Path[0].Name() == "title" {
			list = e.Title
		}
		text, _ := list.Get(c.Path[1].Name())
		return text
	}
	keep := func(id string) string { return id }
	same := wording.SameWords(ident.RenameVariables(text(now), keep), ident.RenameVariables(text(old), func(id string) string {
		return cmp.Or(became[id], id)
	}))
	return ifTrue(!same, "placements of the element now say something else")
}

// options returns the option that a change is about, as it was and as it is, or nil.
func (k *counts) options(c *Change) (before, after *taxonomy.Option) {
	if old, _ := k.before.Element(c.ID); !k.old().placeable(old) {
		return nil, nil
	}
	own, variable := k.itemsOf(c.ID), c.Path[1].Name()
	list := own.options[variable]
	if list == nil {
		before, after := own.variables.of(c, 1)
		list = newItems(choices(before), choices(after), func(o *taxonomy.Option) string { return o.ID },
			k.now(history.ID{Kind: codes.IDOption, In: c.ID, OfElement: true, Variable: variable}))
		own.options[variable] = list
	}
	return list.of(c, 3)
}

func optionRemoved(k *counts, c *Change) string {
	before, _ := k.options(c)
	return ifTrue(before != nil && before.Applies(c.ID), "placements with the option become invalid")
}

func optionRenamed(k *counts, c *Change) string {
	before, _ := k.options(c)
	return ifTrue(before != nil && before.Applies(c.ID), "placements with the option become invalid; 'datachain upgrade' renames it")
}

// optionNarrowed finds the two ways in which an option stops to apply to an
// element: the element is removed from the list, or an empty list, which means
// every element, gets entries without it.
func optionNarrowed(k *counts, c *Change) string {
	before, after := k.options(c)
	if before == nil || after == nil || !before.Applies(c.ID) || after.Applies(c.ID) {
		return ""
	}
	removed := c.Kind == Removed && c.Path[5].Name() == c.ID
	limited := c.Kind == Added && len(before.AppliesTo) == 0
	return ifTrue(removed || limited, "placements with the option become invalid, because it no longer applies to the element")
}

// idReused finds ids that were given up and now stand for something else: an evolution
// records that, or a version between lacks the id.
func idReused(k *counts, c *Change) string {
	of := history.ID{Kind: codes.IDElement, ID: c.ID}
	if c.Subject == Category {
		of.Kind = codes.IDCategory
	}
	if n := len(c.Path); n > 2 { // after the list and the item in it
		of, _ = listed(c.Subject, c.ID, c.Path[:n-3])
		of.ID = c.Path[n-3].Name()
	}
	now, removed := k.history.Now(of)
	lacks := func(r *taxonomy.Release) bool {
		at, ok := history.Of(k.before.Version(), r).Owned(of)
		there, _ := history.Of(k.before.Version(), r).Now(at)
		return ok && there == ""
	}
	givenUp := removed || of.Kind == codes.IDElement && now != of.ID || now == of.ID && slices.ContainsFunc(k.between, lacks)
	if !givenUp || c.Path[len(c.Path)-1].Name() != k.after.Locales()[0] || k.after.Revived(of.Kind, of.In, of.ID, k.before.Version()) {
		return ""
	}
	return "the id was given up and now stands for something else; use an id that no version has had"
}
