package upgrade

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// placement is a placement that is being upgraded.
type placement struct {
	index int
	at    document.Value
	given *taxonomy.Placement
	// target is the element that the new document places. It can be unknown.
	target string
	// old and element are the element in the old version and the target in the
	// new one, or nil if they are unknown there.
	old, element *taxonomy.Element
	category     *taxonomy.Category // of element, or nil
	outcome      history.ElementOutcome
	dropped      bool
	// others are the elements that take the place together with target.
	others []*taxonomy.Element
	// reused reports that the target has the id of the placed element, which it is
	// not.
	reused bool
	// renamed are the new ids of variables; "" means that one was dropped.
	renamed map[string]string
}

// moved reports whether the placement has another element.
func (p *placement) moved() bool { return p.target != p.given.ElementID }

// member returns a member of the placement.
func (p *placement) member(key string) document.Value {
	v, _ := p.at.Get(key)
	return v
}

// decide finds the element that takes the place of the placed one.
func (u *upgrader) decide(p *placement) {
	id := p.given.ElementID
	p.old, _ = u.oldElement(id)
	if p.old != nil || u.oldUnknown {
		p.outcome = u.history.Element(id)
	}
	if p.old == nil && p.outcome.Removal == nil { // it may be of another version than the document says
		p.outcome = history.Of(taxonomy.Version{}, u.to).Element(id)
	}
	f := &p.outcome
	if f.Same != nil && (!f.Split || f.Elements[0].ID == id) {
		p.reused = f.Removed && (p.old == nil || !u.sameTitle(p.old.Title, f.Same.Title))
		u.setElement(p, f.Same)
		return
	}
	if s := u.suggested[id]; s != nil {
		p.old, p.element, p.category = s.element, s.element, s.category
		return
	}
	if len(f.Renamed) > 0 || f.Split {
		for i, next := range f.Elements {
			e, _ := u.to.Element(next.ID)
			if i > 0 {
				p.others = append(p.others, e)
				continue
			}
			p.target = next.ID
			u.setElement(p, e)
		}
		return
	}
	p.dropped = u.opts.Drop && len(f.Elements) == 0 && (f.Removal != nil || p.old != nil)
}

func (u *upgrader) setElement(p *placement, e *taxonomy.Element) {
	p.element = e
	p.category, _ = u.to.Category(e.CategoryID)
}

// place edits a placement.
func (u *upgrader) place(p *placement) {
	elements, _ := u.doc.Root().Get("elements")
	switch {
	case p.dropped:
		u.edit.Remove(elements, p.index)
		u.noteRemoved(kindElementDropped, p.at, "Dropped the placement of %s, which has no successor: %s", u.title(p.given.ElementID, p.old), excerpt(p.at))
		return
	case p.element == nil:
		u.noElement(p)
		return
	case p.moved():
		u.edit.Replace(p.member("element_id"), quote(p.target))
		u.done(kindElementReplaced, p.member("element_id"), "Replaced the element %s with its successor %s.%s%s",
			u.title(p.given.ElementID, p.old), u.title(p.target, p.element), u.sentence(p.outcome.Removal.Note), u.sentence(p.outcome.Elements[0].Note))
		for _, e := range p.others {
			u.split(p, e)
		}
	case p.reused:
		u.reuse(p.member("element_id"), "the element "+u.title(p.given.ElementID, p.old), nil, p.element.Title)
	default:
		u.rewordedElement(p)
	}
	if p.element.Deprecated() {
		u.deprecated(p)
	}
	u.context(p)
	u.variables(p)
}

// noElement reports an element that the new version does not have, and for which there
// is not exactly one successor. One that is in neither version is a finding, and nothing
// more.
func (u *upgrader) noElement(p *placement) {
	id, f := p.given.ElementID, &p.outcome
	n := note{at: p.member("element_id"), codes: []issue.Code{codes.InstanceElementUnknown, codes.UnknownElementID}}
	removed := fmt.Sprintf("The element %s was removed", u.title(id, p.old))
	if f.Removal != nil && !f.Removal.Since.IsZero() {
		removed += " in " + f.Removal.Since.String()
	}
	drop := "place another element, or remove the placement"
	if u.opts.Drop {
		drop += "; it was not dropped, because a document needs one"
	}
	switch {
	case len(f.Elements) > 0:
		names, ids := make([]string, len(f.Elements)), make([]string, len(f.Elements))
		for i, next := range f.Elements {
			names[i], ids[i] = u.successor(next.ID, next.Note), next.ID
		}
		n.Kind, n.Class = kindElementChoice, NeedsPerson
		n.Message = removed + ". Choose its successor: " + wording.Or(clipNames(names)) + "." + u.sentence(f.Removal.Note)
		if f.Incomplete || f.Cycle != nil {
			n.Message = removed + ", and so were some of its successors. Those that are left: " + wording.Or(clipNames(names)) + "." + u.sentence(f.Removal.Note)
		}
		n.FixHint = "write " + wording.Or(clipNames(ids)) + ", or remove the placement"
	case f.Cycle != nil:
		n.Kind, n.Class = kindElementCycle, Cannot
		n.Message = removed + ", and its successors lead in a circle: " + strings.Join(clipNames(f.Cycle), ", ") + "."
		n.FixHint = drop + "; tell the authors of the schema"
	case f.Removal != nil && len(f.Removal.ReplacedBy) > 0:
		n.Kind, n.Class = kindElementRemoved, Cannot
		n.Message = removed + ", and so were its successors, without others." + u.sentence(f.Removal.Note)
		n.FixHint = drop
	case f.Removal != nil:
		n.Kind, n.Class = kindElementRemoved, Cannot
		n.Message = removed + " and has no successor." + u.sentence(f.Removal.Note)
		n.FixHint = drop
	case p.old != nil:
		n.Kind, n.Class = kindElementRemoved, Cannot
		n.Message = fmt.Sprintf("The element %s is not in %s, and nothing says what takes its place.", u.title(id, p.old), u.to.Version())
		n.FixHint = drop
	default:
		return
	}
	u.note(n)
}

// deprecated reports a deprecated element.
func (u *upgrader) deprecated(p *placement) {
	n := note{at: p.member("element_id"), codes: []issue.Code{codes.InstanceElementDeprecated}, ReportEntry: ReportEntry{
		Kind: kindElementDeprecated, Class: Review,
		Message: fmt.Sprintf("The element %s is deprecated.", u.title(p.target, p.element)),
	}}
	var ids []string
	for _, next := range p.element.ReplacedBy {
		ids = append(ids, u.successor(next.ID, next.Note))
	}
	if len(ids) > 0 {
		n.FixHint = "consider " + wording.Or(clipNames(ids))
	}
	u.note(n)
}

// countPlacements returns how often the new document places each element.
func (u *upgrader) countPlacements() map[string]int {
	count := make(map[string]int)
	for i := range u.placements {
		if !u.placements[i].dropped {
			count[u.placements[i].target]++
			for _, e := range u.placements[i].others {
				count[e.ID]++
			}
		}
	}
	return count
}

// reportMerged reports elements that are placed more often than before, because they are the
// successors of others.
func (u *upgrader) reportMerged() {
	count := u.countPlacements()
	reported := make(map[string]bool)
	for i := range u.placements {
		p := &u.placements[i]
		if p.dropped || !p.moved() || count[p.target] < 2 || reported[p.target] {
			continue
		}
		reported[p.target] = true
		u.review(kindElementMerged, p.at, "keep each placement that adds something, and remove the others",
			"The element %s is now placed %d times, since it takes the place of others.", u.title(p.target, p.element), count[p.target])
	}
}

// context moves the context value of a placement.
func (u *upgrader) context(p *placement) {
	id := p.given.ContextTypeID
	if id == "" || p.category == nil {
		return // a missing one is found when the new document is validated
	}
	var before *taxonomy.ContextValue
	if p.old != nil {
		if c, ok := u.oldCategory(p.old.CategoryID); ok {
			before, _ = c.Context.Value(id)
		}
	}
	f := u.history.ContextValue(p.category, id)
	renamed := f.Renamed
	at := p.member("context_type_id")
	switch {
	case f.Same != nil:
		u.rewordedContext(p, before, f.Same, f.Removed)
	case len(renamed) == 1:
		u.edit.Replace(at, quote(renamed[0].ID))
		u.done(kindContextRenamed, at, "Changed the context value %s of %s to %s.", ident.Name(id), ident.Name(p.target), ident.Name(renamed[0].ID))
		u.rewordedContext(p, before, renamed[0], false)
	case before == nil && p.old != nil:
		// It was not a context value before. This is found later, too.
	case u.opts.Drop && len(renamed) == 0:
		u.edit.RemoveMember(p.at, "context_type_id")
		u.noteRemoved(kindContextDropped, at, "Dropped the context value %s%s of %s, which no longer exists.", ident.Name(id), label(u, before, ofContext), ident.Name(p.target))
	default:
		hint := "remove context_type_id"
		if ids := choices(p.category.Context.Values, renamed, ofContext); len(ids) > 0 {
			hint = "write " + wording.Or(clipNames(ids))
		}
		u.ask(kindContextRemoved, at, codes.ContextTypeUnknown, hint, "The category %s has no context value %s%s.%s",
			ident.Name(p.category.ID), ident.Name(id), label(u, before, ofContext),
			u.sentence(u.history.Lineage.RemovalNote(codes.IDContextValue, id, u.since, p.category.ID)))
	}
}
