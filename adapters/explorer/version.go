package explorer

import (
	"net/url"
	"slices"

	"github.com/datachain-go/datachain/taxonomy"
)

// versionHead is what all pages of a version begin with.
type versionHead struct {
	// Title is that of the taxonomy.
	Title              text
	URL, ID            string
	Status, StatusName string
	Released           string
	Versions           []choice
	// Beta is set if the version may change, and Stable is then the newest stable
	// version, if there is one.
	Beta   bool
	Stable *choice
}

// head describes the version of the request.
func (q *request) head() *versionHead {
	r := q.release()
	v := r.Version()
	h := &versionHead{
		Title: q.name(r.Manifest().Title, v.Type()), URL: q.to(catalogPath(v), nil), ID: v.String(),
		Status: string(v.Status()), StatusName: q.status(v.Status()), Released: q.releasedOn(v),
		Beta: v.Status() == taxonomy.Beta,
	}
	for _, e := range q.siblings() {
		c := choice{Name: q.words.Day(q.released(e.ID)), Note: q.status(e.ID.Status()), URL: q.to(catalogPath(e.ID), nil), Current: e.ID == v}
		if h.Stable == nil && e.ID.Status() == taxonomy.Stable {
			h.Stable = &choice{Name: e.ID.String(), URL: c.URL}
		}
		if slices.Contains(e.Aliases, v.Type()+"@"+taxonomy.AliasLatest) {
			c.Note += ", " + q.words.Layout.Latest
		}
		h.Versions = append(h.Versions, c)
	}
	return h
}

// releasedOn says when a version was released.
func (q *request) releasedOn(v taxonomy.Version) string {
	return q.words.Fill(q.words.Home.Released, q.words.Day(q.released(v)))
}

// since is how a version differs from the last stable one.
type since struct {
	Before, URL string
	Text        string
	CompareURL  string // or ""
}

// since describes a comparison, or returns nil if there is nothing to say.
func (q *request) since(c *comparison) *since {
	if c == nil {
		return nil
	}
	w := q.words
	s := &since{
		Before: c.before.String(), URL: q.to(catalogPath(c.before), nil),
		Text: w.Fill(w.Catalog.Since, w.Day(q.released(c.before)), w.Number(c.added), w.Number(c.changed), w.Number(c.removed)),
	}
	if q.has("/compare") {
		s.CompareURL = q.to("/compare", url.Values{"old": {c.before.String()}, "new": {q.release().Version().String()}})
	}
	return s
}
