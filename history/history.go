// Package history finds what became of the ids of an older version of a taxonomy: what a
// release has now in place of what the older version had under an id. Linting, comparing
// versions, upgrading documents and comparing documents all use it, so that they agree.
//
// What became of ids is recorded in the [Evolution] of a datachain type, whose text an index
// carries, and in the content of a release. [New] returns the [Lineage] of a release by both. With
// [For] in the options of package datachain, a service opens releases with it, and its findings
// follow elements through several removals; with [Check] in those of package laststore, an index with
// a text that can't be decoded is refused.
//
// [Of] returns the [History] of an older version in a release, by its lineage. The first of these
// rules that applies decides:
//
//   - If the id was renamed since the older version, it is the last new id, even if something
//     else has the old id now. An id that was revived on purpose is what it was.
//   - What has the same id is the same thing, even if something else lists the id in
//     renamed_from.
//   - What lists the id in renamed_from is the same thing, unless the evolution says that the id
//     was removed, or that something else had it before the older version. If several things list
//     the id, a person has to choose.
//
// Elements have successors instead: see [Lineage.SuccessionOf].
//
// [Unexplained] and [ReusedIDs] find the ids that a new version lost without an explanation,
// and those that came back with another meaning. [Propose] proposes what to record about
// them.
//
// # Experimental
//
// This package may change in a minor version.
package history

import (
	"iter"
	"slices"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// History is what a release says about the ids of an older version.
type History struct {
	Lineage *Lineage
	Since   taxonomy.Version // the older version; the zero Version is one that is not known
}

// Of returns the history of the ids of a version.
func Of(since taxonomy.Version, in *taxonomy.Release) History { return History{From(in), since} }

// Outcome is what became of something.
type Outcome[T any] struct {
	// Same has the id now, or is nil.
	Same *T
	// Renamed are the things that have another id now. A person has to choose one of several.
	Renamed []*T
	// Removed reports that the evolution says that the id was removed, or renamed to one that
	// the release lacks. If Same is not nil, the id is back, and only its title tells whether
	// it means the same.
	Removed bool
}

// Current returns what something is now, or nil if it was removed or a person has to choose.
func (f Outcome[T]) Current() *T {
	if len(f.Renamed) == 1 {
		return f.Renamed[0]
	}
	return f.Same
}

// ElementOutcome is what became of an element.
type ElementOutcome struct {
	// Renamed has the only successor.
	Outcome[taxonomy.Element]
	// Removal says how the element was removed, with its successors, or is nil.
	Removal *Removal
	Succession
}

// Element returns what became of an element.
func (h History) Element(id string) ElementOutcome {
	var f ElementOutcome
	f.Same, _ = h.Lineage.release.Element(id)
	if _, removed := h.Lineage.Removed(id); f.Same != nil && !removed {
		return f
	}
	removal, ok := h.Lineage.RemovedAfter(id, h.Since)
	if !ok {
		return f
	}
	f.Removal, f.Succession = removal, h.Lineage.SuccessionOf(removal)
	next, single := f.Single()
	if f.Removed = !single; single && next.ID != id {
		e, _ := h.Lineage.release.Element(next.ID)
		f.Same, f.Renamed = nil, []*taxonomy.Element{e}
	}
	return f
}

// Category returns what became of a category.
func (h History) Category(id string) Outcome[taxonomy.Category] {
	return find(h, codes.IDCategory, slices.Values(h.Lineage.release.Categories()), id, nil)
}

// ContextValue returns what became of a context value of a category, which is that of the
// release.
func (h History) ContextValue(in *taxonomy.Category, id string) Outcome[taxonomy.ContextValue] {
	return find(h, codes.IDContextValue, pointers(in.Context.Values), id, []string{in.ID})
}

// Owner is an element or a category of a release that has variables.
type Owner struct {
	Variables []taxonomy.Variable
	ids       []string // by which an evolution can name it
}

// ElementOwner returns an element as the owner of its variables.
func ElementOwner(e *taxonomy.Element) Owner { return Owner{e.Variables, []string{e.ID, e.CategoryID}} }

// CategoryOwner returns a category as the owner of its variables.
func CategoryOwner(c *taxonomy.Category) Owner { return Owner{c.Variables, []string{c.ID}} }

// Variable returns what became of a variable.
func (h History) Variable(in Owner, id string) Outcome[taxonomy.Variable] {
	return find(h, codes.IDVariable, pointers(in.Variables), id, in.ids)
}

// Option returns what became of an option of a variable, which is that of the release.
func (h History) Option(in Owner, v *taxonomy.Variable, id string) Outcome[taxonomy.Option] {
	return find(h, codes.IDOption, pointers(v.Options), id, in.ids)
}

// pointers yields pointers to the items of a list.
func pointers[T any](list []T) iter.Seq[*T] {
	return func(yield func(*T) bool) {
		for i := range list {
			if !yield(&list[i]) {
				return
			}
		}
	}
}

// ID is the id of something, and what has it.
type ID struct {
	Kind taxonomy.IDKind
	// In is the category that has a context value, a variable or an option or, if OfElement is
	// set, the element, since both can have the same id. Variable is the variable that has an
	// option.
	In        string
	OfElement bool
	Variable  string
	ID        string
}

// Owned returns an ID of the older version with In and Variable as they are in the release. It
// is false if what has the id was removed.
func (h History) Owned(of ID) (_ ID, ok bool) {
	if of.In == "" {
		return of, true
	}
	owner := ID{Kind: codes.IDCategory, ID: of.In}
	if of.OfElement {
		owner.Kind = codes.IDElement
	}
	var removed bool
	if of.In, removed = h.CurrentID(owner); of.In != "" && !removed && of.Variable != "" {
		of.Variable, removed = h.CurrentID(ID{Kind: codes.IDVariable, In: of.In, OfElement: of.OfElement, ID: of.Variable})
		return of, of.Variable != "" && !removed
	}
	return of, of.In != "" && !removed
}

// CurrentID returns the id that something has in the release, or "", and [Outcome.Removed]. In and
// Variable are those of the release; see [History.Owned].
func (h History) CurrentID(of ID) (now string, removed bool) {
	switch of.Kind {
	case codes.IDElement:
		return h.Element(of.ID).id()
	case codes.IDCategory:
		return h.Category(of.ID).id()
	}
	var owner Owner
	if c, ok := h.Lineage.release.Category(of.In); ok && !of.OfElement {
		if of.Kind == codes.IDContextValue {
			return h.ContextValue(c, of.ID).id()
		}
		owner = CategoryOwner(c)
	} else if e, ok := h.Lineage.release.Element(of.In); ok && of.OfElement {
		owner = ElementOwner(e)
	}
	if of.Kind == codes.IDVariable {
		return h.Variable(owner, of.ID).id()
	}
	for v := range pointers(owner.Variables) {
		if v.ID == of.Variable {
			return h.Option(owner, v, of.ID).id()
		}
	}
	return "", false
}

func (f Outcome[T]) id() (now string, removed bool) {
	if item := f.Current(); item != nil {
		now, _ = names(item)
	}
	return now, f.Removed
}

// find is the one rule; see the documentation of the package.
func find[T any](h History, k taxonomy.IDKind, list iter.Seq[*T], id string, owners []string) (f Outcome[T]) {
	now, recorded := h.Lineage.Renamed(k, id, h.Since, owners...)
	_, ever := h.Lineage.Renamed(k, id, taxonomy.Version{}, owners...)
	revived := h.Lineage.Revived(k, "", id, h.Since) || slices.ContainsFunc(owners, func(in string) bool { return h.Lineage.Revived(k, in, id, h.Since) })
	var next *T
	for item := range list {
		is, from := names(item)
		from = append(slices.Clip(from), h.Lineage.Formerly(k, is, owners...)...)
		switch {
		case is == id:
			f.Same = item
		case is == now:
			next = item
		}
		if slices.Contains(from, id) && (!ever || recorded && now != "") {
			f.Renamed = append(f.Renamed, item)
		}
	}
	switch {
	case next != nil && (!revived || f.Same == nil):
		return Outcome[T]{Renamed: []*T{next}}
	case f.Same != nil:
		f.Renamed = nil
	}
	// An entry does not say which variable of its owner has an option.
	f.Removed = recorded && now != id && !revived && (now == "" || k != codes.IDOption)
	return f
}

// names returns the id of something, and the ids that it had.
func names(item any) (id string, from []string) {
	switch item := item.(type) {
	case *taxonomy.Element:
		return item.ID, nil
	case *taxonomy.Category:
		return item.ID, item.RenamedFrom
	case *taxonomy.ContextValue:
		return item.ID, item.RenamedFrom
	case *taxonomy.Variable:
		return item.ID, item.RenamedFrom
	case *taxonomy.Option:
		return item.ID, item.RenamedFrom
	}
	return "", nil
}
