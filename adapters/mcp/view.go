package mcp

import (
	"context"
	"encoding/base64"
	"errors"
	"html/template"
	"slices"
	"sync"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
)

// View shows datachains as pages, for the tool render_datachain and the resource that hosts show.
type View interface {
	// Render returns the page of a datachain for a reader of a language, which can be "" or one
	// that the datachain does not have. It returns [ErrPageTooLarge] if the page would have more
	// than [MaxPage] bytes.
	Render(ctx context.Context, p *datachain.Presentation, locale string) (*Page, error)
	// Placeholder returns the page that a host shows until there is one. Its title is
	// "datachain (awaiting tool call)".
	Placeholder() []byte
}

// Page is a datachain as a [View] shows it.
type Page struct {
	// HTML is a document that loads nothing: hosts show it in a frame without network.
	HTML []byte
	// Meta is added to the _meta of the result. It is for the host and the script of the
	// placeholder, not for the model.
	Meta map[string]string
	// Locale is the language of the page.
	Locale string
	// Sections is the number of categories, Elements the number of placements.
	Sections, Elements int
}

// MaxPage is the size in bytes of the largest page that a session keeps.
const MaxPage = 4 << 20

// ErrPageTooLarge is returned by a [View]. A small document can have a huge page, because it can
// repeat a long text many times.
var ErrPageTooLarge = errors.New("the page would be too large")

// plainView is the default: titles, descriptions, values and icons, without a script.
type plainView struct{}

// awaitingTitle is the title of the placeholder.
const awaitingTitle = "datachain (awaiting tool call)"

// plainTemplate asks for each text when it is written, so that the limit of the output also limits
// the work.
var plainTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Parse(`<!doctype html>
<html lang="{{.Locale}}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{{.Title}}</title>
</head>
<body dir="auto">
<main>
<h1>{{.Title}}</h1>
<p>{{.Description}}</p>
{{range .Sections}}<h2>{{.Name}}</h2>
{{range .Placements}}<h3>{{with .Icon}}<img src="{{.}}" alt="" width="36" height="36"> {{end}}{{.Title}}</h3>
<p>{{.Description}}</p>
{{range .Facts}}<p>{{.Name}}: {{.Value}}</p>
{{end}}{{end}}{{end}}</main>
</body>
</html>
`))
})

// Placeholder returns a page that says that there is nothing yet.
func (plainView) Placeholder() []byte {
	return []byte("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>" + awaitingTitle +
		"</title>\n</head>\n<body>\n<p>Nothing has been rendered yet.</p>\n</body>\n</html>\n")
}

// Render returns the page.
func (plainView) Render(ctx context.Context, p *datachain.Presentation, locale string) (*Page, error) {
	show := newPlainPage(p, locale)
	html := &pageWriter{ctx: ctx}
	if err := plainTemplate().Execute(html, show); err != nil {
		return nil, err
	}
	return &Page{HTML: html.text, Locale: show.Locale, Sections: len(show.Sections), Elements: len(p.Datachain.Elements)}, nil
}

// pageWriter refuses more than a page may have.
type pageWriter struct {
	ctx  context.Context
	text []byte
}

// Write adds to the page.
func (p *pageWriter) Write(b []byte) (int, error) {
	if len(p.text)+len(b) > MaxPage {
		return 0, ErrPageTooLarge
	}
	p.text = append(p.text, b...)
	return len(b), p.ctx.Err()
}

// plainPage is the data of the template.
type plainPage struct {
	*datachain.Presentation
	Locale   string
	Sections []*plainSection // with placements, in the order of the categories
	locales  []string        // that texts are picked from
}

type plainSection struct {
	page       *plainPage
	id         string
	category   *taxonomy.Category // nil if it is not known
	Placements []plainPlacement
}

type plainPlacement struct {
	page *plainPage
	*taxonomy.Placement
	element *taxonomy.Element
}

type plainFact struct{ Name, Value string }

func newPlainPage(p *datachain.Presentation, locale string) *plainPage {
	known := p.Locales()
	page := &plainPage{Presentation: p, Locale: known[0]}
	if near := inLanguage(locale, known); near != "" {
		page.Locale = near
	}
	page.locales = append([]string{page.Locale}, known...)
	snapshot := &p.Datachain.SchemaSnapshot
	sections := make(map[string]*plainSection)
	section := func(id string) *plainSection {
		if sections[id] == nil {
			sections[id] = &plainSection{page: page, id: id}
			page.Sections = append(page.Sections, sections[id])
		}
		return sections[id]
	}
	for i := range snapshot.Categories {
		section(snapshot.Categories[i].ID).category = &snapshot.Categories[i]
	}
	elements := make(map[string]*taxonomy.Element)
	for _, list := range [][]taxonomy.Element{p.Datachain.SuggestedElements, snapshot.Elements} {
		for i := range list {
			elements[list[i].ID] = &list[i]
		}
	}
	for i := range p.Datachain.Elements {
		placed := &p.Datachain.Elements[i]
		element := elements[placed.ElementID] // the document is valid, so there is one
		s := section(element.CategoryID)
		s.Placements = append(s.Placements, plainPlacement{page, placed, element})
	}
	page.Sections = slices.DeleteFunc(page.Sections, func(s *plainSection) bool { return len(s.Placements) == 0 })
	return page
}

func (p *plainPage) pick(l taxonomy.Localized) string { return oneLine(l.Pick(p.locales...)) }

// Title returns the title of the datachain, or its id.
func (p *plainPage) Title() string {
	if title := p.pick(p.Datachain.Title); title != "" {
		return title
	}
	return oneLine(p.Datachain.ID)
}

// Description returns the description of the datachain.
func (p *plainPage) Description() string { return p.pick(p.Datachain.Description) }

// Name returns the name of the category.
func (p *plainSection) Name() string {
	if p.category == nil {
		return oneLine(p.id)
	}
	return p.page.pick(p.category.Name)
}

func (p plainPlacement) fillIn(l taxonomy.Localized) string {
	return oneLine(p.element.FillIn(l, p.Variables, p.page.locales...))
}

// Title returns the title of the element.
func (p plainPlacement) Title() string { return p.fillIn(p.element.Title) }

// Description returns the description of the element.
func (p plainPlacement) Description() string { return p.fillIn(p.element.Description) }

// Facts returns the values of the variables, by their labels.
func (p plainPlacement) Facts() []plainFact {
	var facts []plainFact
	for _, v := range p.element.Variables {
		given := slices.ContainsFunc(p.Variables, func(value taxonomy.VariableValue) bool { return value.ID == v.ID })
		if given {
			value := taxonomy.Localized{{Locale: p.page.Locale, Value: "{{" + v.ID + "}}"}}
			facts = append(facts, plainFact{p.page.pick(v.Label), p.fillIn(value)})
		}
	}
	return facts
}

// Icon returns the icon of the placement as a data URL.
func (p plainPlacement) Icon() template.URL {
	variant := p.ContextTypeID
	if variant == "" {
		variant = taxonomy.VariantDefault
	}
	svg, ok := p.page.AppendIcon(nil, p.element, variant, nil)
	if !ok {
		return ""
	}
	return template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString(svg)) //nolint:gosec // drawn by us
}
