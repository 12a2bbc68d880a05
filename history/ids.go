package history

import (
	"iter"
	"slices"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// Item is something with an id that documents or suggestions use.
type Item struct {
	Kind taxonomy.IDKind
	// In is the element or category that has a variable, option or context value, and
	// Variable the variable that has an option.
	In, Variable string
	ID           string
	// Title is the title, name or label that it has in its release.
	Title taxonomy.Localized

	description taxonomy.Localized
	element     bool // In is an element: a category can have the same id
	valueType   taxonomy.VariableType
}

// Key returns what a [History] knows the item by.
func (i *Item) Key() ID {
	return ID{Kind: i.Kind, In: i.In, OfElement: i.element, Variable: i.Variable, ID: i.ID}
}

// String names the item for messages.
func (i *Item) String() string {
	switch i.Kind {
	case codes.IDOption:
		return "The option " + i.ID + " of the variable " + i.Variable + " of " + i.In
	case codes.IDVariable:
		return "The variable " + i.ID + " of " + i.In
	case codes.IDContextValue:
		return "The context value " + i.ID + " of " + i.In
	}
	return "The " + string(i.Kind) + " " + i.ID
}

// Items yields all ids of a release. What elements inherit belongs to their category.
func Items(r *taxonomy.Release) iter.Seq[Item] { return items(r, nil) }

// items is [Items], with variables that elements inherit for these as well if they are
// among the given ones.
func items(r *taxonomy.Release, expanded map[string]bool) iter.Seq[Item] {
	return func(yield func(Item) bool) {
		for _, c := range r.Categories() {
			if !yield(Item{Kind: codes.IDCategory, ID: c.ID, Title: c.Name, description: c.Description}) {
				return
			}
			for _, v := range c.Context.Values {
				if !yield(Item{Kind: codes.IDContextValue, In: c.ID, ID: v.ID, Title: v.Label, description: v.Description}) {
					return
				}
			}
			for i := range c.Variables {
				if !variableItems(Item{In: c.ID}, &c.Variables[i], yield) {
					return
				}
			}
			for _, e := range r.ElementsOf(c.ID) {
				if !yield(Item{Kind: codes.IDElement, ID: e.ID, Title: e.Title, description: e.Description}) {
					return
				}
				for i := range e.Variables {
					v := &e.Variables[i]
					if (!has(c.Variables, v.ID) || expanded[v.ID]) && !variableItems(Item{In: e.ID, element: true}, v, yield) {
						return
					}
				}
			}
		}
	}
}

// has reports whether a list has a variable with an id.
func has(list []taxonomy.Variable, id string) bool {
	return slices.ContainsFunc(list, func(v taxonomy.Variable) bool { return v.ID == id })
}

// variableItems yields a variable of an owner with its options.
func variableItems(of Item, v *taxonomy.Variable, yield func(Item) bool) bool {
	of.Kind, of.ID, of.Title, of.valueType = codes.IDVariable, v.ID, v.Label, v.Type
	if !yield(of) {
		return false
	}
	of.Kind, of.Variable = codes.IDOption, v.ID
	for _, o := range v.Options {
		of.ID, of.Title, of.description = o.ID, o.Label, o.Description
		if !yield(of) {
			return false
		}
	}
	return true
}

// now returns the id that something of an older version has in a release, if there is one and
// the evolution does not say that it was removed.
func now(h History, of ID) (string, bool) {
	id, removed := h.CurrentID(of)
	return id, id != "" && !removed
}

// became returns the key of what an item of an older version is in a release, and false
// if nothing says so. Ids that were removed are explained as well.
func became(h History, i *Item) (k ID, explained bool) {
	k, ok := h.Owned(i.Key())
	if !ok {
		return k, true // as its owner is, or the owner is reported
	}
	id, removed := h.CurrentID(k)
	if k.ID = id; removed { // what has the id is something else
		k.ID = ""
	}
	return k, id != "" || removed
}

// Unexplained returns the items of an older version that a release does not have, although
// nothing says what became of them. What belongs to something that was removed is not listed, also
// if something else took its place.
func Unexplained(before, after *taxonomy.Release) []Item {
	var missing []Item
	h := Of(before.Version(), after)
	for i := range Items(before) {
		if _, explained := became(h, &i); explained {
			continue
		}
		if removal := h.Element(i.In).Removal; i.element && removal != nil && !removal.Renamed {
			continue
		}
		missing = append(missing, i)
	}
	return missing
}

// HasOwner reports whether ids of a kind belong to an element or a category.
func HasOwner(k taxonomy.IDKind) bool { return k != codes.IDCategory && k != codes.IDElement }

// Before returns the version that a version is compared with to find the ids that it lacks: the
// next older one or, for a stable version, the next older stable one, if there is one. What only
// beta versions tried out needs no explanation. It returns nil if no version is older.
func Before(r *taxonomy.Release, others []*taxonomy.Release) (last *taxonomy.Release) {
	for _, stable := range []bool{true, false} {
		for _, o := range others {
			older := o.Version().Type() == r.Version().Type() && o.Version().Compare(r.Version()) > 0
			if older && (!stable || r.Version().Status() == taxonomy.Stable && o.Version().Status() == taxonomy.Stable) &&
				(last == nil || o.Version().Compare(last.Version()) < 0) {
				last = o
			}
		}
		if last != nil {
			break
		}
	}
	return last
}
