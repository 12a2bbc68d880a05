package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/export/lists"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// searchOptions are the flags of search.
type searchOptions struct {
	format     *string
	versions   *[]string
	locale     *string
	categories []string
	limit      int
}

func (p *program) searchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "search WORDS...",
		Short: "Search for elements",
		Long: `Search for elements that have any of the words in their title, description or
keywords. The best matches are shown, up to where the scores fall off; use --limit to
see more. The last word may be incomplete, and typing errors are tolerated.

By default, the latest version of each datachain type is searched; see --schemas and
--store.

The exit code is 1 if nothing is found.`,
		Example: `  datachain search how long is it kept
  datachain search données personnelles --locale fr --schema-version ai@latest
  datachain search camera --category device --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			words := strings.Join(args, " ")
			switch {
			case strings.TrimSpace(words) == "":
				return badUsage(cmd, "missing WORDS")
			case !search.HasWord(words):
				return badUsage(cmd, "%q has no letters or digits to search for", words)
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	p.reads(cmd)
	o := &searchOptions{
		format: formatFlag(cmd, formatText, formatJSON), versions: versionsFlag(cmd, "search this version, an id or an alias; can be repeated", p.completeVersions(-1)),
		locale: localeFlag(cmd, "language of the words, such as fr or pt-BR (default en, or the first one of the version)"),
	}
	flags.Add(cmd,
		flags.New("category", "only elements of the category with this id; can be repeated", flags.List(&o.categories, flags.ID)),
		flags.New("limit", "maximum number of elements to show per version", flags.Integer(&o.limit, 2<<20).Default("10")),
	)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.search(cmd, strings.Join(args, " "), o) }
	return cmd
}

func (p *program) search(cmd *cobra.Command, words string, o *searchOptions) error {
	schemas, err := p.open(cmd.Context())
	if err != nil {
		return err
	}
	versions, err := schemas.versions(cmd.Context(), *o.versions, schemas.latest)
	if err != nil {
		return err
	}
	if err := checkCategories(cmd, versions, o.categories); err != nil {
		return err
	}
	answer := searchAnswer{Query: words, Versions: []versionHits{}}
	for _, schema := range versions {
		v, err := searchVersion(cmd.Context(), schema, words, o)
		if err != nil {
			return err
		}
		answer.OK = answer.OK || v.Total > 0
		answer.Versions = append(answer.Versions, v)
	}
	return p.answer(*o.format, answer, answer.OK, func() error {
		printer := &hitPrinter{style: p.outStyle(), width: p.outWidth(), all: cmd.Flags().Changed("limit")}
		printer.answer(&answer)
		return p.printf("%s", printer.String())
	})
}

// checkCategories refuses a category that no version has.
func checkCategories(cmd *cobra.Command, versions []*datachain.Schema, ids []string) error {
	var all []string
	for _, schema := range versions {
		for _, c := range schema.Release().Categories() {
			if !slices.Contains(all, c.ID) {
				all = append(all, c.ID)
			}
		}
	}
	for _, id := range ids {
		if !slices.Contains(all, id) {
			return badUsage(cmd, "--category %q: no searched version has it%s", id, cmp.Or(meant(id, all), known(all)))
		}
	}
	return nil
}

// searchVersion searches a version in the language that matches best. If no
// language was typed, the first one of the version will do.
func searchVersion(ctx context.Context, schema *datachain.Schema, words string, o *searchOptions) (versionHits, error) {
	r := schema.Release()
	v := versionHits{Version: r.Version(), Elements: len(r.ElementIDs()), Hits: []hitAnswer{}}
	locale, err := search.Match(r.Locales(), cmp.Or(*o.locale, lists.DefaultLocale))
	switch {
	case err != nil:
		return v, err
	case locale == "" && (*o.locale != "" || len(r.Locales()) == 0):
		v.Locales, v.asked = r.Locales(), *o.locale
		return v, nil
	case locale == "":
		locale = r.Locales()[0]
	}
	q := search.Query{Text: words, Categories: o.categories, Limit: o.limit}
	result, x, err := schema.Search(ctx, locale, q)
	if err != nil {
		return v, err
	}
	v.Locale, v.Total = locale, result.Total
	for _, h := range result.Hits {
		v.Hits = append(v.Hits, newHitAnswer(r, locale, h, x.Places(h.Element, q)))
	}
	if v.Total == 0 {
		v.Otherwise = otherwise(ctx, schema, locale, q)
	}
	return v, nil
}

// otherwise returns how the words would find something: in any category, or in
// another language.
func otherwise(ctx context.Context, schema *datachain.Schema, locale string, q search.Query) *otherwiseAnswer {
	if q.Categories != nil {
		if found, _, err := schema.Search(ctx, locale, search.Query{Text: q.Text}); err == nil && found.Total > 0 {
			return &otherwiseAnswer{Locale: locale, AnyCategory: true, Total: found.Total}
		}
	}
	for _, other := range schema.Release().Locales() {
		if found, _, err := schema.Search(ctx, other, q); err == nil && found.Total > 0 {
			return &otherwiseAnswer{Locale: other, Total: found.Total}
		}
	}
	return nil
}

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

// hitPrinter prints what was found for people, with matches in bold.
type hitPrinter struct {
	strings.Builder
	style report.Style
	width int
	// all prints all hits, not only the best.
	all bool
}

func (p *hitPrinter) answer(a *searchAnswer) {
	for i, v := range a.Versions {
		if i > 0 {
			p.WriteByte('\n')
		}
		p.version(&v)
	}
}

func (p *hitPrinter) version(v *versionHits) {
	if v.Total == 0 {
		fmt.Fprintf(&p.Builder, "%s: nothing found%s\n", v.Version, wording.Line(v.hint()))
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
	heading := fmt.Sprintf("%s, %s: %s", p.style.Bold(v.Version.String()), v.Locale, found)
	fmt.Fprintln(&p.Builder, report.Wrap(heading, p.width))
	for _, h := range hits {
		p.hit(&h)
	}
}

const (
	// cliff is the fall from one score to the next that ends the best hits, floor
	// the fall from the first one.
	cliff = 0.6
	floor = 0.3
	// alwaysShown hits are shown whatever their scores.
	alwaysShown = 3
)

// best returns the hits before the scores fall off. What follows has only some of the
// words, or matches by a word that many elements have.
func best(hits []hitAnswer) []hitAnswer {
	for i := alwaysShown; i < len(hits); i++ {
		if hits[i].Score < cliff*hits[i-1].Score || hits[i].Score < floor*hits[0].Score {
			return hits[:i]
		}
	}
	return hits
}

// snippetLength is the most characters of a text that are shown, and snippetIndent
// how many spaces are before them.
const (
	snippetLength = 100
	snippetIndent = 8
)

// room returns how many characters of a text fit beside a label, with an ellipsis on
// each side.
func (p *hitPrinter) room(label string) int {
	return min(snippetLength, max(minWidth, p.width-snippetIndent-2)-len(label))
}

func (p *hitPrinter) hit(a *hitAnswer) {
	s := p.style
	fmt.Fprintf(&p.Builder, "\n%s  %s  %s\n", s.Dim(fmt.Sprintf("%6.2f", a.Score)), a.ID, s.Dim("("+wording.Line(a.category)+")"))
	for _, f := range []struct {
		text  string
		field search.Field
		label string
	}{
		{a.Title, search.Title, ""}, {a.Description, search.Description, ""}, {a.Keywords, search.Keywords, "keywords: "},
	} {
		places := a.in(f.field)
		if f.text != "" && (f.label == "" || len(places) > 0) {
			fmt.Fprintf(&p.Builder, "%*s%s%s\n", snippetIndent, "", s.Dim(f.label), snippet(s, f.text, places, p.room(f.label)))
		}
	}
}

// snippet returns a text on one line, with places in bold. A text with more than
// most characters is cut around the first place, between words if possible.
func snippet(s report.Style, text string, places []placeAnswer, most int) string {
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

// around returns where to cut a text so that at most so many characters remain,
// among them the one at first and a few before it.
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
