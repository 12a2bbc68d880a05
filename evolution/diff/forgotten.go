package diff

import (
	"encoding/json"
	"fmt"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

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
		return fmt.Sprintf("documents of older versions that place %s can no longer follow to %s", id, prose.Or(known))
	}
	return ifTrue(!is, fmt.Sprintf("documents of older versions that place %s no longer learn that it was removed", id))
}

// renameForgotten applies if nothing in the new release has or had an id that the old
// one records.
func renameForgotten(k *counts, c *Change) string {
	known := k.listed(c)
	for _, id := range recorded(c.Old) {
		if !known[id] {
			return fmt.Sprintf("documents of older versions that use %s can no longer follow to its new id", id)
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

// lists are the lists of one part of the new release: for each, the ids that its items
// have or had.
type lists struct {
	subject Subject
	id      string
	byPlace map[string]map[string]bool
}

// listed returns the ids of the list with the item whose renamed_from has changed. The
// changes of a part follow one another, so the lists are kept for one.
func (k *counts) listed(c *Change) map[string]bool {
	if k.lists.subject != c.Subject || k.lists.id != c.ID {
		k.lists = lists{c.Subject, c.ID, make(map[string]map[string]bool)}
	}
	place := c.Path[0].Name()
	if len(c.Path) > 2 && c.Path[2].Name() == "options" {
		place += " " + c.Path[1].Name()
	}
	if known, ok := k.lists.byPlace[place]; ok {
		return known
	}
	ids := make(map[string]bool)
	for _, f := range k.siblings(c) {
		ids[f.id] = true
		for _, old := range f.from {
			ids[old] = true
		}
	}
	k.lists.byPlace[place] = ids
	return ids
}

// siblings returns the list of the new release with the item whose renamed_from has
// changed.
func (k *counts) siblings(c *Change) []former {
	var variables []taxonomy.Variable
	if c.Subject == Element {
		e, _ := k.after.Element(c.ID)
		variables = e.Variables
	} else {
		category, _ := k.after.Category(c.ID)
		switch c.Path[0].Name() {
		case "renamed_from":
			return formers(k.after.Categories(), formerCategory)
		case "context":
			return formers(category.Context.Values, formerContext)
		}
		variables = category.Variables
	}
	if c.Path[2].Name() != "options" {
		return formers(variables, formerVariable)
	}
	for i := range variables {
		if variables[i].ID == c.Path[1].Name() {
			return formers(variables[i].Options, formerOption)
		}
	}
	return nil
}
