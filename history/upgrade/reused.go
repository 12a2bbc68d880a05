package upgrade

import (
	"slices"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

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
		!slices.ContainsFunc(owners, func(owner string) bool { return m.past.Lineage.Revived(k, owner, id, m.since) }) &&
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
		had := slices.ContainsFunc(before, func(item T) bool {
			old, was := of(&item)
			return old == id && m.text(was) == m.text(is)
		})
		if !had {
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
	_, recorded := m.past.Lineage.Renamed(k, id, taxonomy.Version{}, owners...)
	if k == codes.IDElement {
		_, recorded = m.past.Lineage.Removed(id)
	}
	if m.older != nil && !recorded && !slices.ContainsFunc(m.older(), has) {
		return
	}
	m.review(kindIDReused, at, "check that it says what is meant", "%s is new in %s%s, but the document has it already.",
		wording.Sentence(thing), m.to.Version(), m.parens(now))
}
