// Package style provides the design of all pages: one style sheet of tokens and components, and
// the markup of components that show levels.
package style

import (
	_ "embed"
	"html"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// CSS is the style sheet: tokens, and components. Pages add layout to it, not looks.
//
//   - Layout: .wrap (page width), .columns (content, and from 960 px an aside), .stack (space between)
//   - Text: .lead, .meta (14 px, muted), .quiet (muted), code, mark, .language-tag, .visually-hidden
//   - Controls: button and .button, which are primary (one on a page), .second (outline) or .quiet
//     (underlined); .field (label, .hint, control); .pick (box or radio with its label);
//     .search (field and button)
//   - Lists: .rows (lines between items); .rows.icons (icon and text); a.cover (the link covers its row);
//     .facts (a dl with a pair per line); .chips (links or buttons in a row)
//   - Levels: .tag (fill, bars, label), .swatch (a small box, where one chooses); see Tag and Swatch
//   - States: .status (glyph and word), .badge (word), .notice, .notice.warn, .notice.bad
//   - Folding: details.fold; .fold.wide is open from 960 px and on paper; details.menu drops a list down
//
// It is part of every page, so this description is not in it.
//
//go:embed style.css
var CSS string

// Tag returns a context value in its colour, with bars for its rank if the values of the context
// are ordered. The label is HTML. The level is what screen readers hear, with %d for the rank and
// the number of values, and is escaped.
func Tag(c *taxonomy.Context, v *taxonomy.ContextValue, label, level string) string {
	fill, ink := colors(v)
	var b strings.Builder
	b.WriteString(`<span class="tag ` + ink + `">`)
	if fill != "" {
		b.WriteString(`<svg class="fill" viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true"><rect width="1" height="1" fill="` + fill + `"/></svg>`)
	}
	rank, of := Rank(c, v)
	if of > 0 {
		b.WriteString(`<svg class="bars" viewBox="0 0 ` + strconv.Itoa(5*of) + ` 12" aria-hidden="true">`)
		writeBars(&b, 0, 12, rank, of, "currentColor")
		b.WriteString("</svg>")
	}
	b.WriteString("<span>" + label + "</span>")
	if of > 0 && level != "" {
		level = strings.Replace(strings.Replace(level, "%d", strconv.Itoa(rank), 1), "%d", strconv.Itoa(of), 1)
		b.WriteString(`<span class="visually-hidden"> ` + html.EscapeString(level) + `</span>`)
	}
	b.WriteString("</span>")
	return b.String()
}

// Swatch returns the colour of a context value, with its bars, as a small box before plain text.
// It is "" for values without a colour.
func Swatch(c *taxonomy.Context, v *taxonomy.ContextValue) string {
	fill, ink := colors(v)
	if fill == "" {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<svg class="swatch" viewBox="0 0 28 20" aria-hidden="true"><rect x=".5" y=".5" width="27" height="19" rx="3.5" fill="` + fill + `" stroke="#777"/>`)
	if rank, of := Rank(c, v); of > 0 {
		writeBars(&b, (29-5*of)/2, 15, rank, of, ink)
	}
	b.WriteString("</svg>")
	return b.String()
}

// Rank returns the place of a value among the values of its context, from 1 for the lowest, and
// their number. Both are 0 if they have no order, or are too many to be counted at a glance.
func Rank(c *taxonomy.Context, v *taxonomy.ContextValue) (rank, of int) {
	if c == nil || c.Order == "" || len(c.Values) < 2 || len(c.Values) > 5 {
		return 0, 0
	}
	for i := range c.Values {
		if c.Values[i].ID != v.ID {
			continue
		}
		if c.Order == codes.Falling {
			return len(c.Values) - i, len(c.Values)
		}
		return i + 1, len(c.Values)
	}
	return 0, 0
}

// colors returns the colour of a value, or "", and that of text on it with the higher contrast.
func colors(v *taxonomy.ContextValue) (fill, ink string) {
	parsed, ok := icons.ParseColor(v.Color)
	if !ok {
		return "", ""
	}
	colors := icons.FilledColors(parsed)
	if colors.Ink == icons.DarkColors().Ink {
		return colors.Fill.String(), "white"
	}
	return colors.Fill.String(), "black"
}

// Bars returns the heights of so many bars that rise.
func Bars(of int) []int {
	heights := make([]int, of)
	for i := range heights {
		heights[i] = 4 + 8*(i+1)/of - 8/of
	}
	return heights
}

// writeBars writes bars that rise from left to right and end at the bottom: those up to the rank
// are filled, the others outlined.
func writeBars(b *strings.Builder, left, bottom, rank, of int, ink string) {
	for i, height := range Bars(of) {
		inside := "none"
		if i < rank {
			inside = ink
		}
		b.WriteString(`<rect x="` + strconv.Itoa(left+5*i) + `.5" y="` + strconv.Itoa(bottom-height) + `.5" width="3" height="` + strconv.Itoa(height-1) + `" fill="` + inside + `" stroke="` + ink + `"/>`)
	}
}
