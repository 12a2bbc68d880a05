package explorer

import (
	"html/template"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// successor is an element to place instead of another one.
type successor struct {
	Title, Note text
	URL         string
	Icon        template.HTML
}

// successors describes the elements that take the place of one.
func (q *request) successors(id string) []*successor {
	r := q.release()
	var list []*successor
	for _, s := range r.Successors(id) {
		if e, ok := r.Element(s.ID); ok {
			list = append(list, &successor{
				Title: q.titled(e, nil), Note: q.text(s.Note), URL: q.to(elementPath(r.Version(), s.ID), nil), Icon: q.icon(q.schema, e),
			})
		}
	}
	return list
}

// examples describes the examples of an element.
func (q *request) examples(list []taxonomy.Localized) []text {
	var shown []text
	for _, l := range list {
		if t := q.text(l); !t.Empty() {
			shown = append(shown, t)
		}
	}
	return shown
}

// licence is a licence: a name, with a link if it is a URL.
type licence struct{ Name, URL string }

// newLicence describes a licence, or returns nil if there is none.
func newLicence(s string) *licence {
	if s == "" {
		return nil
	}
	if link := weblink.New(s, "https", "http"); link.URL != "" {
		return &licence{link.Host, link.URL}
	}
	return &licence{Name: texts.Clean(s)}
}

// goneError is an element that the version no longer has, but says what became of.
type goneError struct {
	cause   *datachain.Error
	removal *taxonomy.Removal
}

// Error returns the message of the cause.
func (e *goneError) Error() string { return e.cause.Error() }

// Unwrap returns the error as programs get it.
func (e *goneError) Unwrap() error { return e.cause }

// gone returns the error for an element that is not there: one that says what to place
// instead, if the version knows.
func (q *request) gone(err error) error {
	r := q.release()
	removal, ok := r.Removed(q.id)
	if !ok {
		return err
	}
	known := &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: "The element " + q.id + " was removed in " + removal.Since.String() + "."},
		Kind:  datachain.KindUnknown, Param: "element_id", Err: taxonomy.ErrNotFound,
	}
	for _, s := range r.Successors(q.id) {
		known.Known = append(known.Known, s.ID)
	}
	return &goneError{known, removal}
}
