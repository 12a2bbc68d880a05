// Package contactsheet draws contact sheets, which show every icon of a release on one web page.
package contactsheet

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/taxonomy"
)

// page is the content of a contact sheet.
type page struct {
	Locale, Dir     string
	Title           string
	Version, Hash   string
	Elements, Drawn int // the numbers of elements and of their icons
	Categories      []category
	Icons           []icon

	set   *icons.Set
	known map[string]string // ids of icons by SVG
	pick  func(taxonomy.Localized) string

	fallback string // the locale of texts that are missing in Locale
}

// icon is an icon, which the page has once and refers to by its id.
type icon struct {
	ID  string
	SVG template.HTML
}

type category struct {
	ID, Name, Description, Shape string
	Context                      string // its name, or ""
	Variants                     []variant
	Elements                     []element
}

type variant struct {
	ID, Label string
	// Color is the colour of the context value, or "". Contrast is the lowest
	// contrast of a symbol of the category with the fill.
	Color, Contrast string
}

type element struct {
	ID, Title string
	Icons     []string // ids, by variant
}

// newPage returns the page with the icons of a release.
func newPage(r *taxonomy.Release, wanted string) (*page, error) {
	set, err := icons.NewSet(r, nil)
	if err != nil {
		return nil, err
	}
	p := &page{
		Version: r.Version().String(), Hash: r.ContentHash().String(),
		Elements: len(r.ElementIDs()), set: set, known: map[string]string{},
	}
	p.Locale = r.Locales()[0]
	for _, locale := range r.Locales() {
		if strings.EqualFold(locale, wanted) {
			p.Locale = locale
		}
	}
	p.Dir = i18n.Direction(p.Locale)
	p.fallback = r.Locales()[0]
	p.pick = func(l taxonomy.Localized) string { return l.Pick(p.Locale, p.fallback) }
	p.Title = p.pick(r.Manifest().Title)
	for _, c := range r.Categories() {
		if elements := r.ElementsOf(c.ID); len(elements) > 0 {
			shown, err := p.category(c, elements)
			if err != nil {
				return nil, err
			}
			p.Categories = append(p.Categories, shown)
		}
	}
	return p, nil
}

func (p *page) category(c *taxonomy.Category, elements []*taxonomy.Element) (category, error) {
	shown := category{
		ID: c.ID, Name: p.pick(c.Name), Description: p.pick(c.Description), Shape: string(c.Shape),
		Context: p.pick(c.Context.Name),
	}
	for _, e := range elements {
		row := element{ID: e.ID, Title: e.FillIn(e.Title, nil, p.Locale, p.fallback)}
		for _, id := range e.IconVariants {
			svg, err := p.set.Icon(e.ID, id)
			if err != nil {
				return shown, fmt.Errorf("contactsheet: icon of %s in variant %s: %w", e.ID, id, err)
			}
			row.Icons = append(row.Icons, p.draw(string(svg)))
			p.Drawn++
		}
		shown.Elements = append(shown.Elements, row)
	}
	for _, id := range c.IconVariants() {
		shown.Variants = append(shown.Variants, p.variant(c, id, elements))
	}
	return shown, nil
}

func (p *page) variant(c *taxonomy.Category, id string, elements []*taxonomy.Element) variant {
	colors, _ := icons.ColorsOf(c, id)
	worst := colors.Ink.Contrast(colors.Fill)
	for _, e := range elements {
		if symbol, err := p.set.Symbol(e.SymbolID); err == nil { // its icons have been drawn
			worst = min(worst, symbol.Contrast(colors))
		}
	}
	// Rounded down, so a contrast that is too low never looks sufficient.
	v := variant{ID: id, Label: id, Contrast: fmt.Sprintf("%.1f : 1", math.Floor(worst*10+1e-9)/10)}
	if value, ok := c.Context.Value(id); ok {
		v.Label = cmp.Or(p.pick(value.Label), id)
		if value.Color != "" {
			v.Color = colors.Fill.String()
		}
	}
	return v
}

// draw adds an icon to the page unless it has it, and returns its id.
func (p *page) draw(svg string) string {
	id, known := p.known[svg]
	if !known {
		id = fmt.Sprintf("icon-%d", len(p.Icons)+1)
		p.known[svg] = id
		p.Icons = append(p.Icons, icon{id, template.HTML(svg)}) //nolint:gosec // composed of sanitized symbols
	}
	return id
}

//go:embed sheet.html
var htmlSource string

var htmlPage = sync.OnceValue(func() *template.Template {
	use := func(id, label string) any { return struct{ ID, Label string }{id, label} }
	return template.Must(template.New("sheet").Funcs(template.FuncMap{"use": use}).Parse(htmlSource))
})

// HTML returns a contact sheet as a self-contained web page: every icon of a release, in every variant,
// on light and dark backgrounds. The same release gives the same bytes.
//
// Names and titles are in a locale of the release, or in its first one if that is missing or they have no
// text in it.
func HTML(r *taxonomy.Release, locale string) ([]byte, error) {
	p, err := newPage(r, locale)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := htmlPage().Execute(&b, p); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
