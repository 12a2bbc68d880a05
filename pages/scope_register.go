package pages

import (
	"html/template"
	"strings"
	"time"

	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/changes"
	"github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/taxonomy"
)

// What templates say about documents.

// Document returns the document of the page, and CurrentEdition its current edition, or nil if it
// has none.
func (s *scope) Document() *register.Document { return s.request.document }

func (s *scope) CurrentEdition() *register.Edition {
	e, _ := s.request.document.Edition(s.request.document.Current)
	return e
}

// DocumentURL returns the address of the page of a document, and DocumentPattern that of any one
// for the script, with %s for its slug.
func (s *scope) DocumentURL(d *register.Document) string { return s.To(documentPrefix + d.Slug) }

func (s *scope) DocumentPattern() string {
	if !s.Live() {
		return "d/%s.html"
	}
	return strings.Replace(s.To(documentPrefix+"slug"), "/slug", "/%s", 1)
}

// ListURL returns the address of the documents of the page in a format, and With that of the
// page with another parameter.
func (s *scope) ListURL(f lists.Format) string { return s.request.to(formatPath(f), s.State) }

func (s *scope) With(name, value string) string {
	return s.request.to(s.Path, with(s.State, name, value))
}

// SuggestURL returns the form that changes the document, or "".
func (s *scope) SuggestURL() string { return s.request.suggestURL(s.request.document) }

// Label returns a text that an author wrote, and DayOf the day of a time.
func (s *scope) Label(l taxonomy.Label) text { return s.request.label(l) }
func (s *scope) DayOf(t time.Time) string    { return s.request.day(t) }

// DocumentIcon, Purposes, DataLevel, SystemStatus and VersionNote say what a list has of a document.
func (s *scope) DocumentIcon(d *register.Document) template.HTML { return s.request.documentIcon(d) }
func (s *scope) Purposes(d *register.Document) []text            { return s.request.purposes(d) }
func (s *scope) DataLevel(d *register.Document) *level           { return s.request.dataLevel(d) }
func (s *scope) SystemStatus(d *register.Document) template.HTML { return s.request.systemStatus(d) }
func (s *scope) VersionNote(d *register.Document) string         { return s.request.versionNote(d) }

// Where returns the organisation and the first place of a document, if it has another name.
func (s *scope) Where(d *register.Document) (names []text) {
	organisation := s.Label(d.Organisation().Name).unmarked()
	if !organisation.Empty() {
		names = append(names, organisation)
	}
	if len(d.Details.Places) > 0 {
		if place := s.Label(d.Details.Places[0].Name).unmarked(); !place.Empty() && place.Plain != organisation.Plain {
			names = append(names, place)
		}
	}
	return names
}

// Successor returns the version to use instead of one, or nil.
func (s *scope) Successor(v taxonomy.Version) *taxonomy.Version {
	if next, known := s.request.index.Successor(v); known {
		return &next
	}
	return nil
}

// Changed puts a change between two editions into words.
func (s *scope) Changed(c *changes.Change) changedTexts { return s.request.changed(c) }
