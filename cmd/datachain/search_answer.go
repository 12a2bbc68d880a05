package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ansi"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// searchAnswer is the output of `datachain search --format json`.
type searchAnswer struct {
	// OK reports whether something was found.
	OK       bool          `json:"ok"`
	Query    string        `json:"query"`
	Versions []versionHits `json:"versions"`
}

// versionHits is what was found in a version.
type versionHits struct {
	Version taxonomy.Version `json:"version"`
	// Locale is the language that was searched; it is empty if none matches.
	Locale string `json:"locale"`
	// Elements is how many the version has and Total how many were found, of
	// which Hits are the best.
	Elements int         `json:"elements"`
	Total    int         `json:"total"`
	Hits     []hitAnswer `json:"hits"`
	// Locales are those of the version, if none matches.
	Locales []string `json:"locales,omitempty"`
	// Otherwise is what would find something, if nothing was found.
	Otherwise *otherwiseAnswer `json:"otherwise,omitempty"`

	asked string // the language that was typed, if none matches
}

// otherwiseAnswer is how many elements the same words would find in a language, in
// the same categories or in any.
type otherwiseAnswer struct {
	Locale      string `json:"locale"`
	AnyCategory bool   `json:"any_category"`
	Total       int    `json:"total"`
}

// hint returns what to do if nothing was found.
func (v *versionHits) hint() string {
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

// hitAnswer is an element that was found, with the texts that were searched.
type hitAnswer struct {
	ID          string        `json:"id"`
	Score       float64       `json:"score"`
	CategoryID  string        `json:"category_id"`
	Title       string        `json:"title"`
	Description string        `json:"description"`
	Keywords    string        `json:"keywords,omitempty"`
	Places      []placeAnswer `json:"places"`

	category string
}

// placeAnswer is a match in a text: the bytes from Start to before End.
type placeAnswer struct {
	Field search.Field `json:"field"`
	Start int          `json:"start"`
	End   int          `json:"end"`
}

func newHitAnswer(r *taxonomy.Release, locale string, h search.Hit, places []search.Place) hitAnswer {
	e := h.Element
	a := hitAnswer{ID: e.ID, Score: h.Score, CategoryID: e.CategoryID, Places: []placeAnswer{}, category: e.CategoryID}
	a.Title, _ = e.Title.Get(locale)
	a.Description, _ = e.Description.Get(locale)
	a.Keywords, _ = e.Keywords.Get(locale)
	if c, ok := r.Category(e.CategoryID); ok {
		a.category = c.Name.Pick(locale)
	}
	for _, p := range places {
		a.Places = append(a.Places, placeAnswer(p))
	}
	return a
}

// in returns the places of a field.
func (a *hitAnswer) in(f search.Field) []placeAnswer {
	return slices.DeleteFunc(slices.Clone(a.Places), func(p placeAnswer) bool { return p.Field != f })
}

// writeText writes the answer for people, with matches in bold.
func (a *searchAnswer) writeText(w io.Writer, s ansi.Style) error {
	var b strings.Builder
	for i, v := range a.Versions {
		if i > 0 {
			b.WriteByte('\n')
		}
		v.write(&b, s)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func (v *versionHits) write(b *strings.Builder, s ansi.Style) {
	if v.Total == 0 {
		fmt.Fprintf(b, "%s: nothing found%s\n", v.Version, prose.Line(v.hint()))
		return
	}
	found := prose.Count(v.Total, "element")
	if len(v.Hits) < v.Total {
		found = fmt.Sprintf("%d of %s", len(v.Hits), found)
	}
	fmt.Fprintf(b, "%s, %s: %s\n", s.Bold(v.Version.String()), v.Locale, found)
	for _, h := range v.Hits {
		h.write(b, s)
	}
}

// snippetLength is the most characters of a text that are shown.
const snippetLength = 100

func (a *hitAnswer) write(b *strings.Builder, s ansi.Style) {
	fmt.Fprintf(b, "\n%s  %s  %s\n", s.Dim(fmt.Sprintf("%6.2f", a.Score)), a.ID, s.Dim("("+prose.Line(a.category)+")"))
	for _, f := range []struct {
		text  string
		field search.Field
		label string
	}{
		{a.Title, search.Title, ""}, {a.Description, search.Description, ""}, {a.Keywords, search.Keywords, "keywords: "},
	} {
		places := a.in(f.field)
		if f.text != "" && (f.label == "" || len(places) > 0) {
			fmt.Fprintf(b, "        %s%s\n", s.Dim(f.label), snippet(s, f.text, places, snippetLength))
		}
	}
}
