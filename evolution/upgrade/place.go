package upgrade

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// placed is a placement on its way.
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

// sameTitle compares titles in the first language of the new version that both have.
func (m *upgrader) sameTitle(before, now taxonomy.Localized) bool {
	for _, locale := range m.to.Locales() {
		a, ok := before.Get(locale)
		if b, both := now.Get(locale); ok && both {
			return wording.SameWords(a, b)
		}
	}
	return true
}

// isReused reports whether something with an id is not what had the id before: it has
// another title, what left its title to another id, a version between lacks the id or an
// evolution says that it was removed, and none says that it came back on purpose.
func (m *upgrader) isReused(k taxonomy.IDKind, id string, removed bool, before, now taxonomy.Localized, left func() bool, lacks func(*taxonomy.Release) bool, owners ...string) bool {
	return !m.sameTitle(before, now) &&
		!slices.ContainsFunc(owners, func(owner string) bool { return m.to.Revived(k, owner, id, m.since) }) &&
		(removed || left() || slices.ContainsFunc(m.between(), lacks))
}

// leftTo reports whether another item of a list has the title that one had before, and did
// not have it then.
func leftTo[T any](m *upgrader, title taxonomy.Localized, before, now []T, of itemOf[T]) bool {
	for i := range now {
		id, is := of(&now[i])
		if m.text(is) == "" || m.text(is) != m.text(title) {
			continue
		}
		k := 0
		for k < len(before) {
			if old, was := of(&before[k]); old == id && m.text(was) == m.text(is) {
				break
			}
			k++
		}
		if k == len(before) {
			return true
		}
	}
	return false
}

// text returns a text in the first language of the new version.
func (m *upgrader) text(l taxonomy.Localized) string {
	text, _ := l.Get(m.to.Locales()[0])
	return text
}

// newTitles returns the titles of elements that did not have them before.
func (m *upgrader) newTitles() map[string]bool {
	if m.retitled == nil {
		m.retitled = make(map[string]bool)
		for _, e := range m.to.Elements() {
			if old, ok := m.oldElement(e.ID); !ok || m.text(old.Title) != m.text(e.Title) {
				m.retitled[m.text(e.Title)] = true
			}
		}
	}
	return m.retitled
}

// reuse reports something that has the id of what the document means.
func (m *upgrader) reuse(at document.Value, thing string, before, now taxonomy.Localized) {
	m.ask(kindIDReused, at, "", "use what says the same in the new version, or remove it",
		"%s was removed or renamed%s, and its id now stands for something else%s.",
		wording.Sentence(thing), m.parens(before), m.parens(now))
}

// appeared reports something that the old version does not have, although the document
// uses it, and the new one has: a document that was written unfinished may mean what an
// even older version has. If there is none that has the id, the document follows what an upgrade
// asked for.
func (m *upgrader) appeared(at document.Value, thing string, k taxonomy.IDKind, id string, now taxonomy.Localized, has func(*taxonomy.Release) bool, owners ...string) {
	if m.oldUnknown {
		return
	}
	_, recorded := m.to.Renamed(k, id, taxonomy.Version{}, owners...)
	if k == codes.IDElement {
		_, recorded = m.to.Removed(id)
	}
	if m.older != nil && !recorded && !slices.ContainsFunc(m.older(), has) {
		return
	}
	m.review(kindIDReused, at, "check that it says what is meant", "%s is new in %s%s, but the document has it already.",
		wording.Sentence(thing), m.to.Version(), m.parens(now))
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

// split adds a placement of another element that takes the place of the placed one. It
// says what the original placement says, as far as the element has a place for it.
func (m *upgrader) split(p *placed, e *taxonomy.Element) {
	text := []byte{'{'}
	add := func(key string, value []byte) {
		if len(text) > 1 {
			text = append(text, ',')
		}
		text = append(append(append(text, quote(key)...), ':'), value...)
	}
	category, _ := m.to.Category(e.CategoryID)
	for member := range p.at.All() {
		switch key := member.Key(); key {
		case "element_id":
			add(key, quote(e.ID))
		case "element_instance_id": // which is that of one placement
		case "context_type_id":
			if now := m.past.ContextValue(category, member.Text()).Current(); now != nil {
				add(key, quote(now.ID))
			}
		case "variables": // which follow
		default:
			add(key, member.Raw())
		}
	}
	var values [][]byte
	taken := make(map[string]bool)
	for entry := range p.member("variables").All() {
		if v, value := m.splitVariable(entry, e); v != nil {
			values, taken[v.ID] = append(values, value), true
		}
	}
	filled, gaps := len(values), m.gaps(p, e, taken)
	for _, v := range gaps {
		values = append(values, gapEntry(v))
	}
	if len(values) > 0 {
		add("variables", append(append([]byte{'['}, bytes.Join(values, []byte{','})...), ']'))
	}
	elements, _ := m.doc.Root().Get("elements")
	at := issue.Root.Index(m.edit.Add(elements, "", append(text, '}')))
	m.note(note{at: elements, below: at, ReportEntry: ReportEntry{
		Kind: kindElementSplit, Class: Done,
		Message: fmt.Sprintf("Added a placement of %s, which takes the place of %s together with %s.", m.title(e.ID, e), m.title(p.given.ElementID, p.old), m.title(p.target, p.element)),
	}})
	for i, v := range gaps {
		m.noteGap(e.ID, v, elements, at.Key("variables").Index(filled+i))
	}
}

// splitVariable returns the variable of another element that an entry of variables is about,
// and the entry as that has it. It is nil if there is no such variable, or not the options.
func (m *upgrader) splitVariable(entry document.Value, e *taxonomy.Element) (*taxonomy.Variable, []byte) {
	id, _ := entry.Get("id")
	v := m.variableOf(e, id.Text())
	if v == nil {
		return nil, nil
	}
	given, _ := entry.Get("value")
	value := given.Raw()
	for i := range given.Len() {
		item, _ := given.At(i)
		if isOption := item.Kind() == '"'; isOption != (v.Type == taxonomy.SelectVariable) {
			return nil, nil
		} else if !isOption {
			continue
		}
		o := m.past.Option(history.ElementOwner(e), v, item.Text()).Current()
		if o == nil {
			return nil, nil
		}
		if i == 0 {
			value = []byte{'['}
		} else {
			value = append(value, ',')
		}
		if value = append(value, quote(o.ID)...); i == given.Len()-1 {
			value = append(value, ']')
		}
	}
	return v, append(append(append(append([]byte(`{"id":`), quote(v.ID)...), `,"value":`...), value...), '}')
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
		if f.Lost || f.Cycle != nil {
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

// merged reports elements that are placed more often than before, because they are the
// successors of others.
func (m *upgrader) merged() {
	count := m.placements()
	said := make(map[string]bool)
	for i := range m.placed {
		p := &m.placed[i]
		if p.dropped || !p.moved() || count[p.target] < 2 || said[p.target] {
			continue
		}
		said[p.target] = true
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
			m.sentence(m.to.RemovalNote(codes.IDContextValue, id, m.since, p.category.ID)))
	}
}

// suggestion is a suggested element. It is kept, and only its category follows.
type suggestion struct {
	at      document.Value
	element *taxonomy.Element
	// category is that of the new version, or nil if it has none.
	category *taxonomy.Category
	renamed  bool // the category has another id
	placed   bool
}

// readSuggestions collects the suggested elements by id. Of two with the same id the
// first counts.
func (m *upgrader) readSuggestions(elements []taxonomy.Element) {
	list, _ := m.doc.Root().Get("suggested_elements")
	m.suggested = make(map[string]*suggestion, len(elements))
	for i := range elements {
		e := &elements[i]
		if m.suggested[e.ID] != nil {
			continue
		}
		s := &suggestion{element: e}
		s.at, _ = list.At(i)
		s.category = m.past.Category(e.CategoryID).Current()
		s.renamed = s.category != nil && s.category.ID != e.CategoryID
		m.suggested[e.ID] = s
	}
	for i := range m.instance.Elements {
		if s := m.suggested[m.instance.Elements[i].ElementID]; s != nil {
			s.placed = true
		}
	}
}

// suggestions moves the suggested elements.
func (m *upgrader) suggestions() {
	list, _ := m.doc.Root().Get("suggested_elements")
	for item := range list.All() {
		id, _ := item.Get("id")
		s := m.suggested[id.Text()]
		if s == nil || s.at != item {
			continue // a wrong shape, or a second one with this id
		}
		at, _ := item.Get("category_id")
		switch {
		case s.renamed:
			m.edit.Replace(at, quote(s.category.ID))
			m.done(kindCategoryRenamed, at, "Changed the category of the suggested element %s from %s to %s.", ident.Name(s.element.ID), ident.Name(s.element.CategoryID), ident.Name(s.category.ID))
		case s.category == nil:
			m.review(kindCategoryRemoved, at, "write a category of the version",
				"The category %s of the suggested element %s is not in %s.%s", ident.Name(s.element.CategoryID), ident.Name(s.element.ID),
				m.to.Version(), m.sentence(m.to.RemovalNote(codes.IDCategory, s.element.CategoryID, m.since)))
		}
		if e, ok := m.to.Element(s.element.ID); ok {
			n := note{at: id, codes: []issue.Code{codes.ElementIDCollision}, ReportEntry: ReportEntry{
				Kind: kindSuggestionPublished, Class: Review,
				Message: fmt.Sprintf("The element %s is now published, and still suggested.", m.title(e.ID, e)),
				FixHint: "remove the suggestion if both mean the same; otherwise give it another id",
			}}
			if s.placed && m.embedded { // the same id twice
				n.Class, n.Code = NeedsPerson, codes.ElementIDCollision
			}
			m.note(n)
		}
	}
}
