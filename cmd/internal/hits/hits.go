// Package hits searches schema versions for elements, and writes what was found as text or JSON.
package hits

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// Search searches a version in the locale that matches best. If none is asked for, the first one of
// the version is used. Categories that the version does not have are ignored. A query without text
// lists the elements of its categories.
func Search(ctx context.Context, schema *datachain.Schema, asked string, q search.Query) (Version, error) {
	r := schema.Release()
	v := Version{ID: r.Version(), Elements: len(r.ElementIDs()), Hits: []Hit{}}
	locale, err := taxonomy.MatchLocale(r.Locales(), cmp.Or(asked, lists.DefaultLocale))
	switch {
	case err != nil:
		return v, err
	case locale == "" && (asked != "" || len(r.Locales()) == 0):
		v.Locales, v.asked = r.Locales(), asked
		return v, nil
	case locale == "":
		locale = r.Locales()[0]
	}
	v.Locale = locale
	if len(q.Categories) > 0 {
		q.Categories = slices.DeleteFunc(slices.Clone(q.Categories), func(id string) bool { _, ok := r.Category(id); return !ok })
		if len(q.Categories) == 0 {
			v.Otherwise = otherwise(ctx, schema, locale, q)
			return v, nil
		}
	}
	if q.Text == "" {
		v.list(r, q)
		return v, nil
	}
	result, x, err := schema.Search(ctx, locale, q)
	if err != nil {
		return v, err
	}
	v.Total, v.DidYouMean = result.Total, result.DidYouMean
	for _, h := range result.Hits {
		v.Hits = append(v.Hits, newHit(r, locale, h, x.Places(h.Element, q)))
	}
	if v.Total == 0 {
		v.Otherwise = otherwise(ctx, schema, locale, q)
	}
	return v, nil
}

// list adds the elements of categories, in their order.
func (v *Version) list(r *taxonomy.Release, q search.Query) {
	for i, e := range r.Elements() {
		if !slices.Contains(q.Categories, e.CategoryID) {
			continue
		}
		if v.Total++; q.Limit < 0 || len(v.Hits) < q.Limit {
			v.Hits = append(v.Hits, newHit(r, v.Locale, search.Hit{Element: e, Position: i}, nil))
		}
	}
}

// otherwise returns a query that finds something: in any category, or in another language.
func otherwise(ctx context.Context, schema *datachain.Schema, locale string, q search.Query) *Otherwise {
	if q.Categories != nil {
		if found, _, err := schema.Search(ctx, locale, search.Query{Text: q.Text}); err == nil && found.Total > 0 {
			return &Otherwise{Locale: locale, AnyCategory: true, Total: found.Total}
		}
		if len(q.Categories) == 0 { // the version has none of them in any language
			return nil
		}
	}
	for _, other := range schema.Release().Locales() {
		if found, _, err := schema.Search(ctx, other, q); err == nil && found.Total > 0 {
			return &Otherwise{Locale: other, Total: found.Total}
		}
	}
	return nil
}

// Answer is what was found in some versions, as `datachain search --format json` prints it.
type Answer struct {
	// OK reports whether something was found.
	OK       bool      `json:"ok"`
	Query    string    `json:"query"`
	Versions []Version `json:"versions"`
}

// Version is what was found in a version.
type Version struct {
	ID taxonomy.Version `json:"version"`
	// Locale is the language that was searched; it is empty if none matches.
	Locale string `json:"locale"`
	// Elements is how many the version has and Total how many were found, of
	// which Hits are the best.
	Elements int   `json:"elements"`
	Total    int   `json:"total"`
	Hits     []Hit `json:"hits"`
	// DidYouMean is the query with misspelt words replaced by those that were found instead.
	DidYouMean string `json:"did_you_mean,omitempty"`
	// Locales are those of the version, if none matches.
	Locales []string `json:"locales,omitempty"`
	// Otherwise says what finds something, if nothing was found.
	Otherwise *Otherwise `json:"otherwise,omitempty"`

	asked string // the language that was typed, if none matches
}

// Otherwise is how many elements the same words would find in a language, in
// the same categories or in any.
type Otherwise struct {
	Locale      string `json:"locale"`
	AnyCategory bool   `json:"any_category"`
	Total       int    `json:"total"`
}

// hint returns what to do if nothing was found.
func (v *Version) hint() string {
	switch o := v.Otherwise; {
	case v.asked != "":
		return fmt.Sprintf("; it has texts in %[2]s, not in %[1]s", v.asked, strings.Join(v.Locales, ", "))
	case o == nil:
		return ""
	case o.AnyCategory:
		return fmt.Sprintf("; try without --category (%d found)", o.Total)
	default:
		return fmt.Sprintf("; try --locale %s (%d found)", o.Locale, o.Total)
	}
}

// Hit is an element that was found, with the texts that were searched.
type Hit struct {
	ID          string         `json:"id"`
	Score       float64        `json:"score,omitzero"` // of a search
	CategoryID  string         `json:"category_id"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	Keywords    string         `json:"keywords,omitempty"`
	Places      []search.Place `json:"places"`

	category string
}

func newHit(r *taxonomy.Release, locale string, h search.Hit, places []search.Place) Hit {
	e := h.Element
	a := Hit{ID: e.ID, Score: h.Score, CategoryID: e.CategoryID, Places: []search.Place{}, category: e.CategoryID}
	a.Title, _ = e.Title.Get(locale)
	a.Description, _ = e.Description.Get(locale)
	a.Keywords, _ = e.Keywords.Get(locale)
	if c, ok := r.Category(e.CategoryID); ok {
		a.category = c.Name.Pick(locale)
	}
	if len(places) > 0 {
		a.Places = places
	}
	return a
}

// Text returns what was found for people, with matches in bold: all hits, or only the best of a
// search.
func (a *Answer) Text(style report.Style, width int, all bool) string {
	p := &printer{style: style, width: width, all: all || a.Query == ""}
	for i := range a.Versions {
		if i > 0 {
			p.WriteByte('\n')
		}
		p.version(&a.Versions[i])
	}
	return p.String()
}

type printer struct {
	strings.Builder
	style report.Style
	width int
	all   bool
}

func (p *printer) version(v *Version) {
	if v.Total == 0 {
		fmt.Fprintf(&p.Builder, "%s: nothing found%s\n", v.ID, wording.Line(v.hint()))
		return
	}
	hits := v.Hits
	if !p.all {
		hits = best(hits)
	}
	found := wording.Count(v.Total, "element")
	switch {
	case len(hits) < len(v.Hits):
		found = fmt.Sprintf("best %d of %s; use --limit for more", len(hits), found)
	case len(hits) < v.Total:
		found = fmt.Sprintf("%d of %s", len(hits), found)
	}
	heading := fmt.Sprintf("%s, %s: %s", p.style.Bold(v.ID.String()), v.Locale, found)
	fmt.Fprintln(&p.Builder, report.Wrap(heading, p.width))
	if v.DidYouMean != "" {
		fmt.Fprintln(&p.Builder, report.Wrap("Did you mean "+p.style.Bold(wording.Line(v.DidYouMean))+"?", p.width))
	}
	for _, h := range hits {
		p.hit(&h)
	}
}

const (
	// minOfLast and minOfFirst are the shares of the last and of the first score that a hit must have
	// to be one of the best.
	minOfLast  = 0.6
	minOfFirst = 0.3
	// alwaysShown is how many hits are shown whatever their scores.
	alwaysShown = 3
)

// best returns the hits before scores drop sharply. Those after it have only some of the words, or
// match by a word that many elements have.
func best(hits []Hit) []Hit {
	for i := alwaysShown; i < len(hits); i++ {
		if hits[i].Score < minOfLast*hits[i-1].Score || hits[i].Score < minOfFirst*hits[0].Score {
			return hits[:i]
		}
	}
	return hits
}

// snippetLength is how many characters of a text are shown at most, snippetIndent how many spaces
// come before them, and narrowest how many columns a text takes on any terminal.
const (
	snippetLength = 100
	snippetIndent = 8
	narrowest     = 20
)

// available returns how many characters of a text fit beside a label, with an ellipsis on
// each side.
func (p *printer) available(label string) int {
	return min(snippetLength, max(narrowest, p.width-snippetIndent-2)-len(label))
}

func (p *printer) hit(a *Hit) {
	s := p.style
	score := strings.Repeat(" ", snippetIndent-2)
	if a.Score > 0 {
		score = s.Dim(fmt.Sprintf("%6.2f", a.Score))
	}
	fmt.Fprintf(&p.Builder, "\n%s  %s  %s\n", score, a.ID, s.Dim("("+wording.Line(a.category)+")"))
	for _, f := range []struct {
		text  string
		field search.Field
		label string
	}{
		{a.Title, search.Title, ""}, {a.Description, search.Description, ""}, {a.Keywords, search.Keywords, "keywords: "},
	} {
		places := slices.DeleteFunc(slices.Clone(a.Places), func(p search.Place) bool { return p.Field != f.field })
		if f.text != "" && (f.label == "" || len(places) > 0) {
			fmt.Fprintf(&p.Builder, "%*s%s%s\n", snippetIndent, "", s.Dim(f.label), snippet(s, f.text, places, p.available(f.label)))
		}
	}
}

// snippet returns a text on one line, with places in bold. A text with more than
// most characters is cut around the first place, between words if possible.
func snippet(s report.Style, text string, places []search.Place, most int) string {
	first := 0
	if len(places) > 0 {
		first = places[0].Start
	}
	start, end := around(text, first, most)
	var b strings.Builder
	if start > 0 {
		b.WriteString("…")
	}
	at := start
	for _, p := range places {
		if p.Start >= end || p.End <= at {
			continue
		}
		b.WriteString(flat(text[at:max(at, p.Start)]))
		b.WriteString(s.Bold(flat(text[max(at, p.Start):min(p.End, end)])))
		at = min(p.End, end)
	}
	b.WriteString(flat(text[at:end]))
	if end < len(text) {
		b.WriteString("…")
	}
	return b.String()
}

// around returns where to cut a text to at most so many characters, between words if possible. The
// one at first remains, with some before it.
func around(text string, first, most int) (start, end int) {
	length := utf8.RuneCountInString(text)
	if length <= most {
		return 0, len(text)
	}
	before := utf8.RuneCountInString(text[:first])
	skip := min(max(0, before-most/4), length-most)
	start = offset(text, skip)
	if space := strings.IndexFunc(text[start:first], unicode.IsSpace); skip > 0 && space >= 0 {
		start = first - len(strings.TrimLeftFunc(text[start+space:first], unicode.IsSpace))
	}
	end = start + offset(text[start:], most)
	if space := strings.LastIndexFunc(text[start:end], unicode.IsSpace); end < len(text) && space > 0 && start+space > first {
		end = start + space
	}
	return start, end
}

// offset returns the offset of the n-th character of a text, or its end.
func offset(text string, n int) int {
	for i := range text {
		if n == 0 {
			return i
		}
		n--
	}
	return len(text)
}

// flat turns a text into one line.
func flat(text string) string {
	return wording.Line(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, text))
}
