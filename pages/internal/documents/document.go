package documents

import (
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/changes"
	"github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// suggestURL is where a change of a document is suggested, or "" if the register takes none.
func (q *request) suggestURL(d *register.Document) string {
	if to := q.Register.Settings().Contribute; to.Email == "" && to.Repository == "" || d.Removed() || !q.Links.Live() || !q.Has(core.ComposePath) {
		return ""
	}
	return q.To(core.ComposePath, url.Values{core.ChangeParam: {d.Slug}})
}

const documentPattern = core.DocumentPrefix + "{id}"

// documentPages are the pages about one document.
func (d *Documents) documentPages() []*core.Page {
	html := func(path string, params []string, build func(*request) (*core.Content, error)) *core.Page {
		return &core.Page{Pattern: documentPattern + path, Params: params, Register: true, Heavy: true, Languages: d.pageLanguages, Build: d.page(build)}
	}
	return []*core.Page{
		d.file(".resolved.json", core.TypeJSON, textAs(register.Resolved)),
		d.file(".json", core.TypeJSON, textAs(register.Thin)),
		d.file(".jsonld", lists.JSONLD.ContentType(), func(q *request) ([]byte, error) {
			return lists.AppendJSONLD(nil, q.Register.Settings(), q.document, q.Site.PublicURL())
		}),
		d.file(".md", "text/markdown; charset=utf-8", func(q *request) ([]byte, error) {
			shown, err := q.Site.Register.Present(q.Ctx, q.document, q.document.Current)
			if err != nil {
				return nil, err
			}
			body, _, err := view.AppendText(nil, shown, view.Markdown, q.viewOptions())
			return body, err
		}),
		html("", []string{"s"}, buildDocument),
		html("/history", nil, buildHistory),
		html("/history/{edition}", nil, buildEdition),
	}
}

// file is a form of the current edition of a document.
func (d *Documents) file(extension, mediaType string, body func(*request) ([]byte, error)) *core.Page {
	coded := extension != ".md" // has no language
	return &core.Page{
		Pattern: documentPattern + extension, File: true, Extension: extension, Register: true, Unlocalized: coded, Heavy: true, Languages: d.languages,
		Build: d.current(func(q *request) (*core.Content, error) {
			text, err := body(q)
			return &core.Content{Path: q.documentPath() + extension, Type: mediaType, Caching: caching, Body: text}, err
		}),
	}
}

// textAs returns the text of the current edition in a form.
func textAs(form register.TextKind) func(*request) ([]byte, error) {
	return func(q *request) ([]byte, error) {
		return q.Site.Register.Text(q.Ctx, q.document, q.document.Current, form)
	}
}

// current returns what builds a page or a file of the current edition of a document. If the document is
// gone, people get its page instead, and programs a failure.
func (d *Documents) current(build func(*request) (*core.Content, error)) func(*core.Request) (*core.Content, error) {
	return d.page(func(q *request) (*core.Content, error) {
		switch extension := q.Page.Extension; {
		case !q.document.Removed():
			return build(q)
		case extension == "" || extension == ".html":
			return buildDocument(q)
		}
		return &core.Content{
			Path: q.documentPath(), Type: core.TypeJSON, Caching: caching, Status: http.StatusGone, Unlocalized: true,
			Body: core.Envelope(issue.Issue{
				Code: codes.Gone, Message: "The document is not published any more.", FixHint: "see " + q.Site.Base + q.documentPath() + "/history for what was published",
			}),
		}, nil
	})
}

// documentPath is the path of the document of the request.
func (q *request) documentPath() string { return core.DocumentPrefix + q.document.Slug }

// documentData is what the register adds to a document.
type documentData struct {
	// Erased is set if the edition was erased. The page has nothing else then.
	Erased *register.Erasure
	// Sign says what has changed since a sign was printed, and Changes lists it.
	Sign    string
	Changes []changes.Change
	Facts   []documentFact
	// BasedOn is the product that the document is based on, or nil.
	BasedOn *basedOn
	// Sheet reports whether there is a page that prints a sign, and Drawings are its files.
	Sheet    bool
	Drawings []core.Choice
}

// documentFact is something that the register says about a document: values, or entries of which
// More says how many the page does not show.
type documentFact struct {
	Name    string
	Values  []phrases.Text
	Rest    []phrases.Text // values that are folded, after RestName
	Entries []documentEntry
	More    phrases.Text
}

// RestName says how many values are folded.
func (f *documentFact) RestName(lang string) string {
	return fmt.Sprintf(phrases.In(lang).More, len(f.Rest))
}

// basedOn is what a document says about the product that it is based on.
type basedOn struct {
	// Product names it with its supplier, and Edition says which edition it is, and who says so.
	Product, Edition template.HTML
	// Address is where it is published, "" if that is not known.
	Address string
}

// basedOn returns the product that the document is based on, nil if there is none.
func (q *request) basedOn() *basedOn {
	b := q.document.Details.BasedOn
	if b == nil {
		return nil
	}
	html := func(t phrases.Text) template.HTML { return t.HTML() }
	name := html(q.label(b.Title))
	if b.Version != "" {
		name += " " + html(q.Raw(b.Version))
	}
	author := q.label(q.document.Organisation().Name)
	return &basedOn{
		Product: q.Words.WordHTML("register.basedof", name, html(q.label(b.Supplier.Name))),
		Edition: q.Words.WordHTML("register.basededition", html(q.Raw(product.Short(b.Edition))), html(author)),
		Address: b.URL,
	}
}

func buildDocument(q *request) (*core.Content, error) {
	d := q.document
	data := new(documentData)
	c := &core.Content{Path: q.documentPath(), Caching: caching, Expires: midnight(), Template: documentTemplate, Data: data}
	if d.Removed() {
		c.Status, c.Unlisted = http.StatusGone, true
	} else if sign := q.Params.Get("s"); sign != "" {
		if err := q.sinceSign(data, sign); err != nil {
			return nil, err
		}
		c.Sign = sign
	}
	return q.documentPage(c, data, d.Current)
}

func buildEdition(q *request) (*core.Content, error) {
	e, ok := q.document.FindEdition(q.Edition)
	if !ok {
		return nil, core.NoPage()
	}
	data := new(documentData)
	c := &core.Content{Path: q.documentPath() + "/history/" + e.Short(), Caching: editionCaching, Unlisted: true, Template: documentTemplate, Data: data}
	return q.documentPage(c, data, e.Hash)
}

// day writes the day of a time.
func (q *request) day(t time.Time) string { return q.Day(t.UTC().Format(time.DateOnly)) }

// documentPage makes the page of an edition, or one that says that it was erased.
func (q *request) documentPage(c *core.Content, data *documentData, edition taxonomy.Hash) (*core.Content, error) {
	c.Section = core.RegisterPath
	e, ok := q.document.Edition(edition)
	if ok && e.Erased != nil {
		c.Status, c.Unlisted, c.Title = http.StatusGone, true, q.Word("register.gone")
		data.Erased = e.Erased
		return c, nil
	}
	shown, err := q.Site.Register.Present(q.Ctx, q.document, edition)
	if errors.Is(err, taxonomy.ErrNotFound) { // it was erased in the meantime, or its text is lost
		return nil, core.NoPage()
	}
	if err != nil {
		return nil, err
	}
	if edition != q.document.Current {
		q.earlier, q.document = e, q.asOf(shown)
	}
	var purposes []string
	for _, t := range q.purposes(q.document) {
		purposes = append(purposes, t.Value)
	}
	c.Title, c.Description = q.Name(q.document.Title, q.document.ID).Value, phrases.Join(purposes)
	data.Facts, data.BasedOn = q.documentFacts(), q.basedOn()
	if q.earlier == nil {
		q.addFiles(c, data)
	}
	o := q.viewOptions()
	if err := q.addToSite(c, o.Site); err != nil {
		return nil, err
	}
	if ok && q.Site.Absolute() {
		o.Address = q.printedAddress()
		code, err := sheet.CodeSVG(sheet.EditionAddress(o.Address, e.Time, e.Hash))
		if err != nil {
			return nil, err
		}
		o.Code = template.HTML(code) //nolint:gosec // our own drawing
	}
	c.Missing = view.Missing(shown.Datachain, q.Locales)
	var article strings.Builder
	if _, err = view.Fragment(&article, shown, o); err != nil {
		return nil, err
	}
	c.Article = template.HTML(article.String()) //nolint:gosec // escaped
	c.Styles, c.Scripts = []string{documentStyle}, []string{documentScript}
	return c, nil
}

// asOf returns the document with what an earlier edition says.
func (q *request) asOf(shown *datachain.Presentation) *register.Document {
	d, instance := *q.document, &shown.Datachain.Instance
	d.Content = &register.Content{Title: instance.Title, Description: instance.Description}
	d.Details, _ = register.DetailsOf(instance) // fields may have had other values when it was published
	d.Version, _ = taxonomy.ParseVersion(instance.SchemaVersion)
	d.Summary = *summary.Of(shown.Datachain, shown.Release, q.Register.Settings().Roles[d.Version.Type()])
	_, listed := q.Index.Lookup(d.Version.Ref())
	d.Unpublished, d.Outdated = shown.Release == nil && !listed, shown.Release == nil && listed
	return &d
}

// viewOptions are those of the page of a document: with the roles of the register, and the
// publisher as the one to report errors to, if the document names no contact.
func (q *request) viewOptions() *view.Options {
	settings := q.Register.Settings()
	contact := &settings.Publisher.Contact
	o := &view.Options{
		Locale: q.Locale, MaxBytes: core.MaxPage, Interrupt: q.Ctx.Err, Roles: settings.Roles[q.document.Version.Type()],
		Site: &view.Site{Answered: q.document.Details.Answered, Contact: view.Contact{Email: contact.Email, Phone: contact.Phone, Address: q.Text(contact.Address).Value}},
	}
	if q.Site.Absolute() {
		o.Page = q.printedAddress()
	}
	if p, ok := q.document.Summary.Point(codes.RoleAccountable); !ok || len(p.Entries) == 0 || len(p.Entries[0].Contact) == 0 {
		o.Report = settings.Publisher.Contact.Email
	}
	return o
}

// addToSite adds to what the register says about a document.
func (q *request) addToSite(c *core.Content, added *view.Site) error {
	c.Dot = q.dot
	for name, to := range map[string]*template.HTML{"above": &added.Above, "facts": &added.Facts, "dated": &added.History, "links": &added.Links, "technical": &added.Technical} {
		b, err := q.RenderPart(c, name)
		if err != nil {
			return err
		}
		*to = template.HTML(b) //nolint:gosec // made by a template
	}
	return nil
}

// addFiles adds the files that the register has of the current edition, and its sign.
func (q *request) addFiles(c *core.Content, data *documentData) {
	w, path := q.Words, q.documentPath()
	for _, form := range q.signForms() {
		if form == "html" {
			data.Sheet = true
		} else {
			data.Drawings = append(data.Drawings, core.Choice{Name: w.Word("register.sign") + " (" + strings.ToUpper(form) + ")", URL: q.To(path+"/sign."+form, nil)})
		}
	}
	if q.document.Removed() {
		return
	}
	file := func(extension, mediaType, name string) {
		c.Feeds = append(c.Feeds, core.Choice{Name: name, Note: mediaType, URL: q.To(path+extension, nil)})
	}
	file(".json", "application/json", w.Word("register.authored"))
	file(".resolved.json", "application/json", w.Word("register.resolved"))
	file(".jsonld", "application/ld+json", w.Word("register.linked"))
	file(".md", "text/markdown", w.Word("register.markdown"))
}

// documentFacts are what the object register of a document says.
func (q *request) documentFacts() (facts []documentFact) {
	details, w := &q.document.Details, q.Words
	add := func(name string, values ...phrases.Text) {
		if values = slices.DeleteFunc(values, phrases.Text.Empty); len(values) > 0 {
			facts = append(facts, documentFact{Name: name, Values: values})
		}
	}
	organisation := q.document.Organisation()
	name, unit := q.label(organisation.Name), q.label(organisation.Unit)
	if !unit.Empty() || name.Value != q.accountable() {
		add(w.Word("register.organisation"), name, unit)
	}
	add(w.Word("register.owner"), q.label(organisation.Owner))
	var themes, withheld []phrases.Text
	for _, t := range details.Themes {
		themes = append(themes, q.label(t))
	}
	for i := range details.Withheld {
		withheld = append(withheld, q.label(details.Withheld[i].What), q.label(details.Withheld[i].Reason))
	}
	if places := q.places(); len(places) > 0 {
		shown := min(maxPlaces, len(places))
		facts = append(facts, documentFact{Name: w.Word("register.place"), Values: places[:shown], Rest: places[shown:]})
	}
	add(w.Word("register.theme"), themes...)
	for _, date := range []struct{ name, day string }{{w.Word("register.until"), details.Until}, {w.Word("register.reviewby"), details.ReviewBy}} {
		if date.day != "" {
			add(date.name, q.Own(q.Day(date.day)))
		}
	}
	add(w.Word("register.withheld"), withheld...)
	return append(facts, q.administrative()...)
}

// accountable is the name of who answers for the system, as the summary has it.
func (q *request) accountable() string {
	p, ok := q.document.Summary.Point(codes.RoleAccountable)
	if !ok || len(p.Entries) == 0 {
		return ""
	}
	return phrases.NewPoint(p, q.Chooser()).Entries[0]
}
