package pages

import (
	"errors"
	"html/template"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/changes"
	"github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const documentPattern = documentPrefix + "{id}"

// documentPages are the pages about one document.
func documentPages() []*page {
	raw := func(extension, mediaType string, body func(*request) ([]byte, error)) *page {
		coded := extension != ".md" // has no language
		return &page{name: "raw", pattern: documentPattern + extension, extension: extension, register: true, unlocalized: coded, heavy: true, build: func(q *request) (*content, error) {
			text, err := body(q)
			return &content{Path: q.documentPath() + extension, Type: mediaType, Caching: registerCaching, Body: text}, err
		}}
	}
	text := func(form register.TextKind) func(*request) ([]byte, error) {
		return func(q *request) ([]byte, error) {
			return q.handler.register.Text(q.ctx, q.document, q.document.Current, form)
		}
	}
	const typeJSON = "application/json; charset=utf-8"
	return []*page{
		raw(".resolved.json", typeJSON, text(register.Resolved)),
		raw(".json", typeJSON, text(register.Thin)),
		raw(".jsonld", lists.JSONLD.ContentType(), func(q *request) ([]byte, error) {
			return lists.AppendJSONLD(nil, q.state.Settings(), q.document, q.handler.baseURL())
		}),
		raw(".md", "text/markdown; charset=utf-8", func(q *request) ([]byte, error) {
			shown, err := q.handler.register.Present(q.ctx, q.document, q.document.Current)
			if err != nil {
				return nil, err
			}
			body, _, err := view.AppendText(nil, shown, view.Markdown, q.viewOptions())
			return body, err
		}),
		{name: "document", pattern: documentPattern, params: []string{"s"}, register: true, heavy: true, build: buildDocument},
		{name: "history", pattern: documentPattern + "/history", register: true, heavy: true, build: buildHistory},
		{name: "document", pattern: documentPattern + "/history/{edition}", register: true, heavy: true, build: buildEdition},
	}
}

// documentPath is the path of the document of the request.
func (q *request) documentPath() string { return documentPrefix + q.document.Slug }

// goneFile is what programs get instead of any form of a document that is gone.
var goneFile = page{name: "raw", register: true, unlocalized: true, build: func(q *request) (*content, error) {
	return &content{
		Path: q.documentPath(), Type: "application/json; charset=utf-8", Caching: registerCaching, Status: http.StatusGone,
		Body: envelope(issue.Issue{
			Code: codes.Gone, Message: "The document is not published any more.", FixHint: "see " + q.handler.base + q.documentPath() + "/history for what was published",
		}),
	}, nil
}}

// documentData is what the register adds to a document.
type documentData struct {
	// Edition is nil on the page of the document itself, which shows the current one.
	Edition *register.Edition
	// Erased is set if the edition was erased. The page has nothing else then.
	Erased *register.Erasure
	// Sign says what has changed since a sign was printed, and Changes lists it.
	Sign    string
	Changes []changes.Change
	Facts   []documentFact
	// Sheet reports whether there is a page that prints a sign, and Drawings are its files.
	Sheet    bool
	Drawings []choice
}

// documentFact is something that the register says about a document.
type documentFact struct {
	Name   string
	Values []text
}

func buildDocument(q *request) (*content, error) {
	d := q.document
	data := new(documentData)
	c := &content{Path: q.documentPath(), Caching: registerCaching, Expires: midnight(), Data: data}
	if d.Gone() {
		c.Status, c.Unlisted = http.StatusGone, true
	} else if sign := q.params.Get("s"); sign != "" {
		if err := q.sinceSign(data, sign); err != nil {
			return nil, err
		}
		c.Sign = sign
	}
	return q.documentPage(c, data, d.Current)
}

func buildEdition(q *request) (*content, error) {
	e, ok := q.document.FindEdition(q.edition)
	if !ok {
		return nil, noPage()
	}
	data := &documentData{Edition: e}
	c := &content{Path: q.documentPath() + "/history/" + e.Short(), Caching: editionCaching, Unlisted: true, Data: data}
	return q.documentPage(c, data, e.Hash)
}

// day writes the day of a time.
func (q *request) day(t time.Time) string { return q.words.Day(t.UTC().Format(time.DateOnly)) }

// documentPage makes the page of an edition, or one that says that it was erased.
func (q *request) documentPage(c *content, data *documentData, edition taxonomy.Hash) (*content, error) {
	d := q.document
	c.Section = registerPath
	e, ok := d.Edition(edition)
	if ok && e.Erased != nil {
		c.Status, c.Unlisted, c.Title = http.StatusGone, true, q.words.Word("register.gone")
		data.Erased = e.Erased
		return c, nil
	}
	var purposes []string
	for _, t := range q.purposes(d) {
		purposes = append(purposes, t.Plain)
	}
	c.Title, c.Description = q.name(d.Title, d.ID).Plain, phrases.Join(purposes)
	shown, err := q.handler.register.Present(q.ctx, d, edition)
	if errors.Is(err, taxonomy.ErrNotFound) { // it was erased in the meantime, or its text is lost
		return nil, noPage()
	}
	if err != nil {
		return nil, err
	}
	q.addRegistered(c, data)
	o := q.viewOptions()
	if o.Site, err = q.site(c); err != nil {
		return nil, err
	}
	if ok && q.handler.absolute() {
		o.Address = q.printedAddress()
		code, err := sheet.CodeSVG(sheet.EditionAddress(o.Address, e.Time, e.Hash))
		if err != nil {
			return nil, err
		}
		o.Code = template.HTML(code) //nolint:gosec // our own drawing
	}
	var article strings.Builder
	if _, err = view.Fragment(&article, shown, o); err != nil {
		return nil, err
	}
	c.Article = template.HTML(article.String()) //nolint:gosec // escaped
	c.Styles = []string{documentStyle}
	return c, nil
}

// viewOptions are those of the page of a document: with the roles of the register, and the
// publisher as the one to report errors to, if the document names no contact.
func (q *request) viewOptions() *view.Options {
	settings := q.state.Settings()
	o := &view.Options{Locale: q.locale, MaxBytes: maxPage, Interrupt: q.ctx.Err, Roles: settings.Roles[q.document.Version.Type()]}
	if q.handler.absolute() {
		o.Page = q.printedAddress()
	}
	if p, ok := q.document.Summary.Point(codes.RoleAccountable); !ok || len(p.Entries) == 0 || len(p.Entries[0].Contact) == 0 {
		o.Report = settings.Publisher.Contact.Email
	}
	return o
}

// site makes what the register adds to a document.
func (q *request) site(c *content) (*view.Site, error) {
	added := new(view.Site)
	for name, to := range map[string]*template.HTML{"above": &added.Above, "facts": &added.Facts, "dated": &added.History, "links": &added.Links, "technical": &added.Technical} {
		b, err := q.renderPart(c, name)
		if err != nil {
			return nil, err
		}
		*to = template.HTML(b) //nolint:gosec // made by a template
	}
	return added, nil
}

// addRegistered adds what the register says about a document, and the files it has of it.
func (q *request) addRegistered(c *content, data *documentData) {
	w, path := q.words, q.documentPath()
	data.Facts = q.documentFacts()
	for _, form := range q.signForms() {
		if form == "html" {
			data.Sheet = true
		} else {
			data.Drawings = append(data.Drawings, choice{Name: w.Word("register.sign") + " (" + strings.ToUpper(form) + ")", URL: q.to(path+"/sign."+form, nil)})
		}
	}
	if q.document.Gone() {
		return
	}
	file := func(extension, mediaType, name string) {
		c.Feeds = append(c.Feeds, choice{Name: name, Note: mediaType, URL: q.to(path+extension, nil)})
	}
	file(".json", "application/json", w.Word("register.authored"))
	file(".resolved.json", "application/json", w.Word("register.resolved"))
	file(".jsonld", "application/ld+json", w.Word("register.linked"))
	file(".md", "text/markdown", w.Word("register.markdown"))
}

// documentFacts are what the object register of a document says.
func (q *request) documentFacts() (facts []documentFact) {
	details, w := &q.document.Details, q.words
	add := func(name string, values ...text) {
		if values = slices.DeleteFunc(values, text.Empty); len(values) > 0 {
			facts = append(facts, documentFact{name, values})
		}
	}
	organisation := q.document.Organisation()
	name, unit := q.label(organisation.Name), q.label(organisation.Unit)
	if !unit.Empty() || name.Plain != q.accountable() {
		add(w.Word("register.organisation"), name, unit)
	}
	var places, themes, withheld []text
	for i := range details.Places {
		p := &details.Places[i]
		places = append(places, q.label(p.Name), q.label(p.Address))
		if p.Mobile {
			places = append(places, q.own(w.Word("register.mobile")))
		}
	}
	for _, t := range details.Themes {
		themes = append(themes, q.label(t))
	}
	for i := range details.Withheld {
		withheld = append(withheld, q.label(details.Withheld[i].What), q.label(details.Withheld[i].Reason))
	}
	add(w.Word("register.place"), places...)
	add(w.Word("register.theme"), themes...)
	for _, date := range []struct{ name, day string }{{w.Word("register.until"), details.Until}, {w.Word("register.reviewby"), details.ReviewBy}} {
		if date.day != "" {
			add(date.name, q.own(q.words.Day(date.day)))
		}
	}
	add(w.Word("register.withheld"), withheld...)
	return facts
}

// accountable is the name of who answers for the system, as the summary has it.
func (q *request) accountable() string {
	p, ok := q.document.Summary.Point(codes.RoleAccountable)
	if !ok || len(p.Entries) == 0 {
		return ""
	}
	return phrases.NewPoint(p, q.chooser()).Entries[0]
}
