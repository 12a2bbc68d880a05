package diff

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// placed reports whether documents can place elements that a category had and still
// has.
func (p *pair) placed(category string) bool {
	return slices.ContainsFunc(p.before.ElementsOf(p.renames.was[category]), func(e *taxonomy.Element) bool {
		after, ok := p.after.Element(e.ID)
		return ok && after.CategoryID == category && p.placeable(e)
	})
}

// lowered returns the consequence of a lower maximum.
func lowered(what string, before, after int) string {
	if before == unlimited {
		return fmt.Sprintf("%s is now %d (before: no limit)", what, after)
	}
	return fmt.Sprintf("%s is now %d (before: %d)", what, after, before)
}

func (p *pair) elementRemoved(c *Change) bool {
	if e, _ := p.before.Element(c.ID); !p.placeable(e) {
		return false
	}
	var succession history.Succession
	if removal, ok := p.history.Lineage.RemovedAfter(c.ID, p.before.Version()); ok {
		succession = p.history.Lineage.SuccessionOf(removal)
	}
	for _, next := range succession.Elements {
		c.Successors = append(c.Successors, next.ID)
	}
	next, single := succession.Single()
	switch {
	case succession.Split:
		c.Consequence += "; 'datachain upgrade' replaces it by " + wording.And(c.Successors)
	case single:
		c.Consequence += "; 'datachain upgrade' replaces it by " + next.ID
	case len(c.Successors) > 0:
		c.Consequence += "; replace it by " + wording.Or(c.Successors)
	}
	return true
}

// successors returns the ids of the elements that replace an element in a release.
func successors(r *taxonomy.Release, id string) []string {
	var ids []string
	for _, s := range history.From(r).Succession(id).Elements {
		ids = append(ids, s.ID)
	}
	return ids
}

// categoriesOf returns the categories that an element had and has, or nil if documents
// can't place it.
func (p *pair) categoriesOf(id string) (before, after *taxonomy.Category) {
	old := p.oldElement(id)
	now, _ := p.after.Element(id)
	if !p.placeable(old) {
		return nil, nil
	}
	before, _ = p.before.Category(old.CategoryID)
	after, _ = p.after.Category(now.CategoryID)
	return before, after
}

// contextsLost compares the contexts that placements of an element can have in its
// old category and in its new one.
func (p *pair) contextsLost(c *Change) bool {
	before, after := p.categoriesOf(c.ID)
	if before == nil {
		return false
	}
	var lost []string
	for _, v := range before.Context.Values {
		if _, still := after.Context.Value(v.ID); !still {
			lost = append(lost, v.ID)
		}
	}
	switch {
	case len(lost) > 0:
		c.Consequence = fmt.Sprintf("placements with a context value become invalid, because the category %s does not have it: %s",
			after.ID, strings.Join(lost, ", "))
	case needsContext(after) && !needsContext(before):
		c.Consequence = "placements must now have a context value of the category " + after.ID
	default:
		return false
	}
	return true
}

// variables returns the variable of an element that a change is about, as it was and
// as it is, or nil if there is none or documents can't place the element.
func (p *pair) variables(c *Change) (before, after *taxonomy.Variable) {
	if !p.placeable(p.oldElement(c.ID)) {
		return nil, nil
	}
	return p.itemsOf(c.ID).variables.of(c, 1)
}

// usesVariable reports whether documents can use the variable that a change removes. One that can't
// have a value can still have a rationale.
func (p *pair) usesVariable(c *Change) bool {
	before, _ := p.variables(c)
	if before != nil && !fillable(p.oldElement(c.ID).ID, before) {
		c.Consequence = "documents with a rationale for the variable become invalid"
	}
	return before != nil
}

// elementReworded finds texts that say something else. A text that names a variable by
// its new id does not.
func (p *pair) elementReworded(c *Change) bool {
	old := p.oldElement(c.ID)
	now, _ := p.after.Element(c.ID)
	became := p.itemsOf(c.ID).variables.became
	text := func(e *taxonomy.Element) string {
		list := e.Description
		if c.Path[0].Name() == "title" {
			list = e.Title
		}
		text, _ := list.Get(c.Path[1].Name())
		return text
	}
	keep := func(id string) string { return id }
	return !wording.SameWords(ident.RenameVariables(text(now), keep), ident.RenameVariables(text(old), func(id string) string {
		return cmp.Or(became[id], id)
	}))
}

// options returns the option that a change is about, as it was and as it is, or nil.
func (p *pair) options(c *Change) (before, after *taxonomy.Option) {
	if !p.placeable(p.oldElement(c.ID)) {
		return nil, nil
	}
	own, variable := p.itemsOf(c.ID), c.Path[1].Name()
	list := own.options[variable]
	if list == nil {
		before, after := own.variables.of(c, 1)
		list = newItems(choices(before), choices(after), func(o *taxonomy.Option) string { return o.ID },
			p.now(history.ID{Kind: codes.IDOption, In: c.ID, OfElement: true, Variable: variable}))
		own.options[variable] = list
	}
	return list.of(c, 3)
}

// usesOption reports whether documents can use the option that a change removes.
func (p *pair) usesOption(c *Change) bool {
	before, _ := p.options(c)
	return before != nil && before.Applies(p.oldElement(c.ID).ID)
}

// idReused finds ids that were given up and now stand for something else: an evolution
// records that, or a version between lacks the id.
func (p *pair) idReused(c *Change) bool {
	if c.Subject == Element && len(c.Path) == 2 && p.oldElement(c.ID).ID != c.ID {
		return false // the evolution says that it is the same element
	}
	of := history.ID{Kind: codes.IDElement, ID: c.ID}
	if c.Subject == Category {
		of.Kind = codes.IDCategory
	}
	if n := len(c.Path); n > 2 { // after the list and the item in it
		of, _ = listed(c.Subject, c.ID, c.Path[:n-3])
		of.ID = c.Path[n-3].Name()
	}
	now, removed := p.history.CurrentID(of)
	lacks := func(h history.History) bool {
		at, ok := h.Owned(of)
		there, _ := h.CurrentID(at)
		return ok && there == ""
	}
	givenUp := removed || of.Kind == codes.IDElement && now != of.ID || now == of.ID && slices.ContainsFunc(p.between, lacks)
	return givenUp && c.Path[len(c.Path)-1].Name() == p.after.Locales()[0] &&
		!p.history.Lineage.Revived(of.Kind, of.In, of.ID, p.before.Version())
}

// A version has to repeat what its predecessors recorded about removed and renamed
// things: documents are upgraded from any older version in one step, by what the newest
// one says. What it forgets affects no document of the version before.

// forgets reports whether the new release says less about a removed element than the old one: it no
// longer lists it, or no longer knows a successor.
func (p *pair) forgets(c *Change, id string) bool {
	_, was := history.From(p.before).Removed(id)
	_, is := p.history.Lineage.Removed(id)
	known := successors(p.before, id)
	switch {
	case !was || p.after.HasElement(id):
		return false
	case len(known) > 0 && len(successors(p.after, id)) == 0:
		c.Consequence = fmt.Sprintf("documents of older versions that place %s can no longer follow to %s", id, wording.Or(known))
		return true
	}
	c.Consequence = fmt.Sprintf("documents of older versions that place %s no longer learn that it was removed", id)
	return !is
}

// renameForgotten reports whether nothing in the new release has or had an id that the old one records.
func (p *pair) renameForgotten(c *Change) bool {
	n := slices.IndexFunc(c.Path, func(s issue.Step) bool { return s.Name() == "renamed_from" })
	of := history.ID{Kind: codes.IDCategory}
	if n > 0 { // after the list and the item in it
		of, _ = listed(c.Subject, c.ID, c.Path[:n-1])
	}
	ids := []string{Text(c.Old)}
	if ids[0] == "" {
		ids = nil
		_ = json.Unmarshal(c.Old, &ids) // all of them; anything else records nothing
	}
	for _, of.ID = range ids {
		if now, _ := history.Of(taxonomy.Version{}, p.after).CurrentID(of); now == "" {
			c.Consequence = fmt.Sprintf("documents of older versions that use %s can no longer follow to its new id", of.ID)
			return true
		}
	}
	return false
}
