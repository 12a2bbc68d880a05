// Package sheet draws contact sheets: one page with every icon of a release, in
// every variant, on light and on dark, to be looked at before it is published,
// and printed. [HTML] writes a page for browsers, [SVG] one picture.
//
// A sheet needs nothing from outside: no script, no font, no other file. The
// same release gives the same bytes.
package sheet

import (
	"cmp"
	"fmt"
	"math"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/direction"
	"github.com/datachain-go/datachain/taxonomy"
)

// Options say how a sheet is written. A nil *Options is the defaults.
type Options struct {
	// Locale is the language of names and titles; by default, and where the
	// release or a text lacks it, the first of the release.
	Locale string
	// Icons are the icons of the release, for a caller that has them already.
	Icons *icons.Set
}

// page is what a sheet shows.
type page struct {
	Locale, Dir     string // the language, and which way it is written
	Title           string
	Version, Hash   string
	Elements, Drawn int // how many elements, and icons of them
	Categories      []category
	Icons           []drawing

	set   *icons.Set
	known map[string]int // places in Icons by what is drawn
	pick  func(taxonomy.Localized) string
}

// drawing is an icon, which the page holds once however often it shows it.
type drawing struct {
	ID  string
	SVG string
}

type category struct {
	ID, Name, Description, Shape string
	Context                      string // its name, "" where it has none
	Variants                     []variant
	Elements                     []element
}

type variant struct {
	ID, Label string
	// Color is that of the context value, "" where it has none, and Contrast
	// is how far the symbols of the category stand out from the fill: that of
	// the one which does so least.
	Color, Contrast string
}

type element struct {
	ID, Title string
	Icons     []string // ids of drawings, by variant
}

// newPage composes the icons of a release and arranges them.
func newPage(r *taxonomy.Release, o *Options) (*page, error) {
	if o == nil {
		o = new(Options)
	}
	p := &page{
		Version: r.Version().String(), Hash: r.ContentHash().String(),
		Elements: len(r.Elements()), set: o.Icons, known: map[string]int{},
	}
	if p.set == nil {
		p.set = icons.NewSet(r, nil)
	}
	p.Locale = r.Locales()[0]
	for _, locale := range r.Locales() {
		if strings.EqualFold(locale, o.Locale) {
			p.Locale = locale
		}
	}
	p.Dir = direction.Of(p.Locale)
	p.pick = func(l taxonomy.Localized) string { return l.Pick(p.Locale, r.Locales()[0]) }
	p.Title = p.pick(r.Manifest().Title)
	for _, c := range r.Categories() {
		shown, err := p.category(c, r.ElementsOf(c.ID))
		if err != nil {
			return nil, err
		}
		if len(shown.Elements) > 0 {
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
	for _, id := range c.IconVariants() {
		v, err := p.variant(c, id, elements)
		if err != nil {
			return shown, err
		}
		shown.Variants = append(shown.Variants, v)
	}
	for _, e := range elements {
		row := element{ID: e.ID, Title: p.pick(e.Title)}
		for _, id := range e.IconVariants {
			svg, err := p.set.Icon(e.ID, id)
			if err != nil {
				return shown, fmt.Errorf("sheet: icon of %s as %s: %w", e.ID, id, err)
			}
			row.Icons = append(row.Icons, p.draw(svg))
			p.Drawn++
		}
		shown.Elements = append(shown.Elements, row)
	}
	return shown, nil
}

func (p *page) variant(c *taxonomy.Category, id string, elements []*taxonomy.Element) (variant, error) {
	look, _ := icons.LookOf(c, id)
	worst := look.Ink.Contrast(look.Fill)
	for _, e := range elements {
		symbol, err := p.set.Symbol(e.SymbolID)
		if err != nil {
			return variant{}, fmt.Errorf("sheet: icon of %s as %s: %w", e.ID, id, err)
		}
		worst = min(worst, symbol.Contrast(look))
	}
	// Rounded down, so that it never shows more than there is.
	v := variant{ID: id, Label: id, Contrast: fmt.Sprintf("%.1f : 1", math.Floor(worst*10+1e-9)/10)}
	if value, ok := c.Context.Value(id); ok {
		v.Label = cmp.Or(p.pick(value.Label), id)
		if value.Color != "" {
			v.Color = look.Fill.String()
		}
	}
	return v, nil
}

// draw notes an icon, once, and returns the id that it is shown by.
func (p *page) draw(svg []byte) string {
	i, known := p.known[string(svg)]
	if !known {
		i = len(p.Icons)
		p.known[string(svg)] = i
		p.Icons = append(p.Icons, drawing{fmt.Sprintf("icon-%d", i+1), string(svg)})
	}
	return p.Icons[i].ID
}

// columns returns the widest list of variants of a page.
func (p *page) columns() int {
	widest := 0
	for _, c := range p.Categories {
		widest = max(widest, len(c.Variants))
	}
	return widest
}
