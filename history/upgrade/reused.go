package upgrade

import (
	"slices"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// sameTitle compares titles in the first language of the new version that both have.
func (u *upgrader) sameTitle(before, now taxonomy.Localized) bool {
	for _, locale := range u.to.Locales() {
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
func (u *upgrader) isReused(k taxonomy.IDKind, id string, removed bool, before, now taxonomy.Localized, left func() bool, lacks func(*taxonomy.Release) bool, owners ...string) bool {
	return !u.sameTitle(before, now) &&
		!slices.ContainsFunc(owners, func(owner string) bool { return u.history.Lineage.Revived(k, owner, id, u.since) }) &&
		(removed || left() || slices.ContainsFunc(u.between(), lacks))
}

// leftTo reports whether another item of a list has the title that one had before, and did
// not have it then.
func leftTo[T any](u *upgrader, title taxonomy.Localized, before, now []T, of itemOf[T]) bool {
	for i := range now {
		id, is := of(&now[i])
		if u.text(is) == "" || u.text(is) != u.text(title) {
			continue
		}
		had := slices.ContainsFunc(before, func(item T) bool {
			old, was := of(&item)
			return old == id && u.text(was) == u.text(is)
		})
		if !had {
			return true
		}
	}
	return false
}

// text returns a text in the first language of the new version.
func (u *upgrader) text(l taxonomy.Localized) string {
	text, _ := l.Get(u.to.Locales()[0])
	return text
}

// newTitles returns the titles of elements that did not have them before.
func (u *upgrader) newTitles() map[string]bool {
	if u.retitled == nil {
		u.retitled = make(map[string]bool)
		for _, e := range u.to.Elements() {
			if old, ok := u.oldElement(e.ID); !ok || u.text(old.Title) != u.text(e.Title) {
				u.retitled[u.text(e.Title)] = true
			}
		}
	}
	return u.retitled
}

// reuse reports something that has the id of what the document means.
func (u *upgrader) reuse(at document.Value, thing string, before, now taxonomy.Localized) {
	u.ask(kindIDReused, at, "", "use what says the same in the new version, or remove it",
		"%s was removed or renamed%s, and its id now stands for something else%s.",
		wording.Sentence(thing), u.parens(before), u.parens(now))
}

// appeared reports something that the old version does not have, although the document
// uses it, and the new one has: a document that was written unfinished may mean what an
// even older version has. If there is none that has the id, the document follows what an upgrade
// asked for.
func (u *upgrader) appeared(at document.Value, thing string, k taxonomy.IDKind, id string, now taxonomy.Localized, has func(*taxonomy.Release) bool, owners ...string) {
	if u.oldUnknown {
		return
	}
	_, recorded := u.history.Lineage.Renamed(k, id, taxonomy.Version{}, owners...)
	if k == codes.IDElement {
		_, recorded = u.history.Lineage.Removed(id)
	}
	if u.older != nil && !recorded && !slices.ContainsFunc(u.older(), has) {
		return
	}
	u.review(kindIDReused, at, "check that it says what is meant", "%s is new in %s%s, but the document has it already.",
		wording.Sentence(thing), u.to.Version(), u.parens(now))
}
