package documents

import (
	"html/template"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/board"
	"github.com/datachain-go/datachain/register/changes"
	"github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/taxonomy"
)

// dot is the dot of the templates.
type dot struct {
	*core.Scope

	request *request
}

// Below returns the dot for a part of the data.
func (v *dot) Below(data any) *dot { return &dot{v.Scope.Below(data), v.request} }

// Heading is the title of the register above its list. A long one is smaller, so that results
// begin on the first screen.
func (v *dot) Heading() template.HTML {
	const long = 30 // letters
	if title := v.SiteName(); i18n.Letters(title.Value) > long {
		return title.As("h1", "long")
	}
	return v.SiteName().As("h1")
}

// What templates say about documents.

// Document returns the document of the page, Earlier the edition that the page shows instead of the
// current one, or nil, and CurrentEdition the current one, or nil if there is none.
func (v *dot) Document() *register.Document { return v.request.document }

func (v *dot) Earlier() *register.Edition { return v.request.earlier }

func (v *dot) CurrentEdition() *register.Edition {
	e, _ := v.request.document.Edition(v.request.document.Current)
	return e
}

// DocumentURL returns the address of the page of a document, and DocumentPattern that of any one
// for the script, with %s for its slug.
func (v *dot) DocumentURL(d *register.Document) string { return v.To(core.DocumentPrefix + d.Slug) }

func (v *dot) DocumentPattern() string {
	if !v.Live() {
		return "d/%s.html"
	}
	return strings.Replace(v.To(core.DocumentPrefix+"slug"), "/slug", "/%s", 1)
}

// ListURL returns the address of the documents of the page in a format, and With that of the
// page with another parameter.
func (v *dot) ListURL(f lists.Format) string {
	return v.Request.To(core.FormatPath(string(f)), v.request.registerState())
}

func (v *dot) With(name, value string) string {
	return v.Request.To(v.Path, core.With(v.State, name, value))
}

// box is the box before a row of the list.
type box struct {
	Slug, Name string
	Checked    bool
	URL        string // with the other choice, "" if there is no room for another document
}

// Box returns the box before a row.
func (v *dot) Box(s *selection, d *register.Document) box {
	return box{d.Slug, v.Word("register.compare") + v.Word("colon") + " " + v.Name(d.Title, d.ID).Value, s.Has(d.Slug), s.Toggle(d.Slug)}
}

// Choose says how many documents can be compared.
func (v *dot) Choose() string {
	return v.Word("register.boardchoose", v.Number(board.Max))
}

// CompareURL returns the list, to choose what the document is compared with, or "".
func (v *dot) CompareURL() string {
	d := v.request.document
	if d.Removed() || !v.Live() || v.request.room.statsOf(v.Register).Published < board.Min {
		return ""
	}
	return v.To(core.RegisterPath, selectParam, "1", core.BoardParam, d.Slug)
}

// SuggestURL returns the form that changes the document, or "".
func (v *dot) SuggestURL() string { return v.request.suggestURL(v.request.document) }

// Band says what readers of a document should know of the status of its system, or is "".
func (v *dot) Band() string {
	if d := v.request.document; v.request.startPassed(d) {
		return v.Word("register.band.passed")
	}
	return v.Word("register.band." + string(v.request.document.Details.Status))
}

// Label returns a text that an author wrote, and DayOf the day of a time.
func (v *dot) Label(l taxonomy.Label) phrases.Text { return v.request.label(l) }

func (v *dot) DayOf(t time.Time) string { return v.request.day(t) }

// DocumentIcon, Purposes, DataLevel, SystemStatus and VersionNote say what a list has of a document.
func (v *dot) DocumentIcon(d *register.Document) template.HTML { return v.request.documentIcon(d) }

func (v *dot) Purposes(d *register.Document) []phrases.Text { return v.request.purposes(d) }

func (v *dot) DataLevel(d *register.Document) *level { return v.request.dataLevel(d) }

func (v *dot) SystemStatus(d *register.Document) template.HTML { return v.request.systemStatus(d) }

func (v *dot) VersionNote(d *register.Document) string { return v.request.versionNote(d) }

// Where returns the organisation and the first place of a document, if it has another name.
func (v *dot) Where(d *register.Document) (names []phrases.Text) {
	organisation := v.Label(d.Organisation().Name).Unmarked()
	if !organisation.Empty() {
		names = append(names, organisation)
	}
	if len(d.Details.Places) > 0 {
		if place := v.Label(d.Details.Places[0].Name).Unmarked(); !place.Empty() && place.Value != organisation.Value {
			names = append(names, place)
		}
	}
	return names
}

// Successor returns the version to use instead of one, or nil.
func (v *dot) Successor(of taxonomy.Version) *taxonomy.Version {
	if next, known := v.Index.Successor(of); known {
		return &next
	}
	return nil
}

// Changed puts a change between two editions into words.
func (v *dot) Changed(c *changes.Change) changedTexts { return v.request.changed(c) }
