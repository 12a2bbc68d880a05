package history

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// Lineage is what became of the ids that older versions have, in one release: what its content says
// and, as far as it concerns this version or older ones, what an evolution says. It is a
// [taxonomy.Lineage], and safe for concurrent use.
type Lineage struct {
	release  *taxonomy.Release
	removals removalIndex
	renames  *renames // of an evolution, or nil
	revived  []Revival
}

var _ taxonomy.Lineage = (*Lineage)(nil)

// New returns the lineage of a release by its content and by an evolution of its datachain type, which
// can be nil.
func New(r *taxonomy.Release, e *Evolution) *Lineage {
	l := &Lineage{release: r}
	if e.isEmpty() {
		l.indexRemovals(nil)
		return l
	}
	l.revived = e.Revived
	l.indexRemovals(e.removals(r.Version().Date()))
	l.renames = newRenames(l, e)
	return l
}

// With returns a release with the lineage by an evolution.
func With(r *taxonomy.Release, e *Evolution) *taxonomy.Release { return r.WithLineage(New(r, e)) }

// From returns the lineage that a release has, or one by its content alone, which takes time in
// proportion to the elements that the release records as removed.
func From(r *taxonomy.Release) *Lineage {
	if l, ok := r.Lineage().(*Lineage); ok {
		return l
	}
	return New(r, nil)
}

// For returns the lineage of a release by the published text of an evolution, which can be nil: it is
// the Lineage of the options of package datachain. If the text can't be decoded, the error wraps
// [taxonomy.ErrRefused].
func For(r *taxonomy.Release, evolution []byte) (taxonomy.Lineage, error) {
	e, err := Decode(r.Version().Type(), evolution)
	if err != nil {
		return nil, err
	}
	return New(r, e), nil
}

// Release returns the release.
func (l *Lineage) Release() *taxonomy.Release { return l.release }

// Fate returns what became of an element that the release lacks or deprecates.
func (l *Lineage) Fate(elementID string) (taxonomy.Fate, bool) {
	var f taxonomy.Fate
	if e, there := l.release.Element(elementID); there {
		if !e.Deprecated() {
			return f, false
		}
	} else {
		removal, ok := l.Removed(elementID)
		if !ok {
			return f, false
		}
		f.Removal = &removal.Removal
	}
	s := l.Succession(elementID)
	next, _ := s.Single()
	f.Successors, f.Replacement = s.Elements, next.ID
	return f, true
}

// Renamed returns the id in the release of what had another one in the version since, if an
// evolution has that. The owners are the ids in the release of the
// element, the category or both that have it. The zero Version stands for an unknown one.
// If the release also has the old id, it is an unrelated object. The new id is "" if it was
// removed; see [Lineage.RemovalNote].
func (l *Lineage) Renamed(k taxonomy.IDKind, id string, since taxonomy.Version, owners ...string) (now string, ok bool) {
	if l.renames == nil {
		return id, false
	}
	now, _, ok = l.renames.follow(k, id, since.Folder(), owners)
	return now, ok
}

// RemovalNote returns what an evolution says about the removal of an id for which
// [Lineage.Renamed] returns "", as plain text.
func (l *Lineage) RemovalNote(k taxonomy.IDKind, id string, since taxonomy.Version, owners ...string) taxonomy.Localized {
	if l.renames == nil {
		return nil
	}
	_, note, _ := l.renames.follow(k, id, since.Folder(), owners)
	return note
}

// Revived reports whether an evolution says that an id was intentionally used again after the
// version since, up to that of the release. The owner is "" for elements and
// categories. An id that is removed again must be revived again.
func (l *Lineage) Revived(k taxonomy.IDKind, owner, id string, since taxonomy.Version) bool {
	return slices.ContainsFunc(l.revived, func(e Revival) bool {
		return e.Kind == k && e.ID == id && (e.In == "" || e.In == owner) && e.Since.Date() > since.Date() && e.Since.Date() <= l.release.Version().Date()
	})
}

// Formerly returns the ids that an evolution adds to RenamedFrom of what has an id in the release, the
// last one first. Something else may have one of them now.
func (l *Lineage) Formerly(k taxonomy.IDKind, id string, owners ...string) []string {
	if l.renames == nil {
		return nil
	}
	return l.renames.from(k, id, nil, func(string) bool { return false }, owners...)
}

// Category returns a category of the release with the old ids that an evolution adds to RenamedFrom
// of the category and of what it has: a copy, unless the evolution says nothing about them.
func (l *Lineage) Category(c *taxonomy.Category) *taxonomy.Category {
	if l.renames == nil || len(l.renames.steps) == 0 {
		return c
	}
	return l.renames.category(l.release, c)
}

// Element is [Lineage.Category] for an element.
func (l *Lineage) Element(e *taxonomy.Element) *taxonomy.Element {
	if l.renames == nil || !l.renames.kinds[taxonomy.IDVariable] && !l.renames.kinds[taxonomy.IDOption] {
		return e
	}
	return l.renames.element(e)
}
