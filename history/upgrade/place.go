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

// placed is a placement that is being upgraded.
type placed struct {
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
	// also are the elements that take the place together with target.
	also []*taxonomy.Element
	// reused reports that the target has the id of the placed element, which it is
	// not.
	reused bool
	// renamed are the new ids of variables; "" means that one was dropped.
	renamed map[string]string
}

// moved reports whether the placement has another element.
func (p *placed) moved() bool { return p.target != p.given.ElementID }

// member returns a member of the placement.
func (p *placed) member(key string) document.Value {
	v, _ := p.at.Get(key)
	return v
}

// decide finds the element that takes the place of the placed one.
func (m *upgrader) decide(p *placed) {
	id := p.given.ElementID
	p.old, _ = m.oldElement(id)
	if p.old != nil || m.oldUnknown {
		p.outcome = m.past.Element(id)
	}
	if p.old == nil && p.outcome.Removal == nil { // it may be of another version than the document says
		p.outcome = history.Of(taxonomy.Version{}, m.to).Element(id)
	}
	f := &p.outcome
	if f.Same != nil && (!f.Split || f.Elements[0].ID == id) {
		p.reused = f.Removed && (p.old == nil || !m.sameTitle(p.old.Title, f.Same.Title))
		m.setElement(p, f.Same)
		return
	}
	if s := m.suggested[id]; s != nil {
		p.old, p.element, p.category = s.element, s.element, s.category
		return
	}
	if len(f.Renamed) > 0 || f.Split {
		for i, next := range f.Elements {
			e, _ := m.to.Element(next.ID)
			if i > 0 {
				p.also = append(p.also, e)
				continue
			}
			p.target = next.ID
			m.setElement(p, e)
		}
		return
	}
	p.dropped = m.opts.Drop && len(f.Elements) == 0 && (f.Removal != nil || p.old != nil)
}

func (m *upgrader) setElement(p *placed, e *taxonomy.Element) {
	p.element = e
	p.category, _ = m.to.Category(e.CategoryID)
}

// place edits a placement.
func (m *upgrader) place(p *placed) {
	elements, _ := m.doc.Root().Get("elements")
	switch {
	case p.dropped:
		m.edit.Remove(elements, p.index)
		m.noteRemoved(kindElementDropped, p.at, "Dropped the placement of %s, which has no successor: %s", m.title(p.given.ElementID, p.old), excerpt(p.at))
		return
	case p.element == nil:
		m.noElement(p)
		return
	case p.moved():
		m.edit.Replace(p.member("element_id"), quote(p.target))
		m.done(kindElementReplaced, p.member("element_id"), "Replaced the element %s with its successor %s.%s%s",
			m.title(p.given.ElementID, p.old), m.title(p.target, p.element), m.sentence(p.outcome.Removal.Note), m.sentence(p.outcome.Elements[0].Note))
		for _, e := range p.also {
			m.split(p, e)
		}
	case p.reused:
		m.reuse(p.member("element_id"), "the element "+m.title(p.given.ElementID, p.old), nil, p.element.Title)
	default:
		m.rewordedElement(p)
	}
	if p.element.Deprecated() {
		m.deprecated(p)
	}
	m.context(p)
	m.variables(p)
}

// noElement reports an element that the new version does not have, and for which there
// is not exactly one successor. One that is in neither version is a finding, and nothing
// more.
func (m *upgrader) noElement(p *placed) {
	id, f := p.given.ElementID, &p.outcome
	n := note{at: p.member("element_id"), codes: []issue.Code{codes.InstanceElementUnknown, codes.UnknownElementID}}
	removed := fmt.Sprintf("The element %s was removed", m.title(id, p.old))
	if f.Removal != nil && !f.Removal.Since.IsZero() {
		removed += " in " + f.Removal.Since.String()
	}
	drop := "place another element, or remove the placement"
	if m.opts.Drop {
		drop += "; it was not dropped, because a document needs one"
	}
	switch {
	case len(f.Elements) > 0:
		names, ids := make([]string, len(f.Elements)), make([]string, len(f.Elements))
		for i, next := range f.Elements {
			names[i], ids[i] = m.successor(next.ID, next.Note), next.ID
		}
		n.Kind, n.Class = kindElementChoice, NeedsPerson
		n.Message = removed + ". Choose its successor: " + wording.Or(some(names)) + "." + m.sentence(f.Removal.Note)
		if f.Incomplete || f.Cycle != nil {
			n.Message = removed + ", and so were some of its successors. Those that are left: " + wording.Or(some(names)) + "." + m.sentence(f.Removal.Note)
		}
		n.FixHint = "write " + wording.Or(some(ids)) + ", or remove the placement"
	case f.Cycle != nil:
		n.Kind, n.Class = kindElementCycle, Cannot
		n.Message = removed + ", and its successors lead in a circle: " + strings.Join(some(f.Cycle), ", ") + "."
		n.FixHint = drop + "; tell the authors of the schema"
	case f.Removal != nil && len(f.Removal.ReplacedBy) > 0:
		n.Kind, n.Class = kindElementRemoved, Cannot
		n.Message = removed + ", and so were its successors, without others." + m.sentence(f.Removal.Note)
		n.FixHint = drop
	case f.Removal != nil:
		n.Kind, n.Class = kindElementRemoved, Cannot
		n.Message = removed + " and has no successor." + m.sentence(f.Removal.Note)
		n.FixHint = drop
	case p.old != nil:
		n.Kind, n.Class = kindElementRemoved, Cannot
		n.Message = fmt.Sprintf("The element %s is not in %s, and nothing says what takes its place.", m.title(id, p.old), m.to.Version())
		n.FixHint = drop
	default:
		return
	}
	m.note(n)
}

// deprecated reports a deprecated element.
func (m *upgrader) deprecated(p *placed) {
	n := note{at: p.member("element_id"), codes: []issue.Code{codes.InstanceElementDeprecated}, ReportEntry: ReportEntry{
		Kind: kindElementDeprecated, Class: Review,
		Message: fmt.Sprintf("The element %s is deprecated.", m.title(p.target, p.element)),
	}}
	var ids []string
	for _, next := range p.element.ReplacedBy {
		ids = append(ids, m.successor(next.ID, next.Note))
	}
	if len(ids) > 0 {
		n.FixHint = "consider " + wording.Or(some(ids))
	}
	m.note(n)
}

// placements returns how often the new document places each element.
func (m *upgrader) placements() map[string]int {
	count := make(map[string]int)
	for i := range m.placed {
		if !m.placed[i].dropped {
			count[m.placed[i].target]++
			for _, e := range m.placed[i].also {
				count[e.ID]++
			}
		}
	}
	return count
}

// reportMerged reports elements that are placed more often than before, because they are the
// successors of others.
func (m *upgrader) reportMerged() {
	count := m.placements()
	reported := make(map[string]bool)
	for i := range m.placed {
		p := &m.placed[i]
		if p.dropped || !p.moved() || count[p.target] < 2 || reported[p.target] {
			continue
		}
		reported[p.target] = true
		m.review(kindElementMerged, p.at, "keep each placement that adds something, and remove the others",
			"The element %s is now placed %d times, since it takes the place of others.", m.title(p.target, p.element), count[p.target])
	}
}

// context moves the context value of a placement.
func (m *upgrader) context(p *placed) {
	id := p.given.ContextTypeID
	if id == "" || p.category == nil {
		return // a missing one is found when the new document is validated
	}
	var before *taxonomy.ContextValue
	if p.old != nil {
		if c, ok := m.oldCategory(p.old.CategoryID); ok {
			before, _ = c.Context.Value(id)
		}
	}
	f := m.past.ContextValue(p.category, id)
	renamed := f.Renamed
	at := p.member("context_type_id")
	switch {
	case f.Same != nil:
		m.rewordedContext(p, before, f.Same, f.Removed)
	case len(renamed) == 1:
		m.edit.Replace(at, quote(renamed[0].ID))
		m.done(kindContextRenamed, at, "Changed the context value %s of %s to %s.", ident.Name(id), ident.Name(p.target), ident.Name(renamed[0].ID))
		m.rewordedContext(p, before, renamed[0], false)
	case before == nil && p.old != nil:
		// It was not a context value before. This is found later, too.
	case m.opts.Drop && len(renamed) == 0:
		m.edit.RemoveMember(p.at, "context_type_id")
		m.noteRemoved(kindContextDropped, at, "Dropped the context value %s%s of %s, which no longer exists.", ident.Name(id), label(m, before, ofContext), ident.Name(p.target))
	default:
		hint := "remove context_type_id"
		if ids := choices(p.category.Context.Values, renamed, ofContext); len(ids) > 0 {
			hint = "write " + wording.Or(some(ids))
		}
		m.ask(kindContextRemoved, at, codes.ContextTypeUnknown, hint, "The category %s has no context value %s%s.%s",
			ident.Name(p.category.ID), ident.Name(id), label(m, before, ofContext),
			m.sentence(m.past.Lineage.RemovalNote(codes.IDContextValue, id, m.since, p.category.ID)))
	}
}
