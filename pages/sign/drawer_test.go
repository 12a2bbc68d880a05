package sign_test

import (
	"bytes"
	"compress/zlib"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/sign"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// drawer uses the fonts of the program.
func drawer(t testing.TB) *sign.Drawer {
	t.Helper()
	d, err := newDrawer()
	require.NoError(t, err)
	return d
}

var newDrawer = sync.OnceValues(func() (*sign.Drawer, error) { return sign.New(nil) })

var day = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

// crossing is the subject of signs about a sample document, with a summary of its own, as in the
// tests of the sheet.
func crossing(t testing.TB) *sheet.Subject {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	sample, ok := documents.Find("crossing-camera.json")
	require.True(t, ok)
	verdict, p, err := service.Present(t.Context(), sample.Text)
	require.NoError(t, err)
	require.True(t, verdict.OK())
	points := []summary.Point{
		point(t, p, "purpose", "purpose"), point(t, p, "data", "data"),
		point(t, p, "responsible", "accountable"), point(t, p, "rights", "rights"),
	}
	points[0].Entries[0].Words = texts("en", "Counts people who cross, so that the lights stay green for long enough.", "fr", "Compte les personnes qui traversent, pour que le feu reste vert assez longtemps.")
	points[1].AtMost = true
	points[2].Entries[0].Name = texts("en", "Town of Lindenau")
	return &sheet.Subject{
		Presentation: p, Summary: &summary.Summary{Points: points},
		Address: "https://register.example.org/d/crossing/", Date: day,
	}
}

// point has the first placement of a category.
func point(t testing.TB, p *datachain.Presentation, category string, role taxonomy.Role) summary.Point {
	t.Helper()
	snapshot := &p.Datachain.SchemaSnapshot
	for i := range p.Datachain.Elements {
		placed := &p.Datachain.Elements[i]
		for j := range snapshot.Elements {
			e := &snapshot.Elements[j]
			if e.ID != placed.ElementID || e.CategoryID != category {
				continue
			}
			for k := range snapshot.Categories {
				if c := &snapshot.Categories[k]; c.ID == category {
					context, _ := c.Context.Value(placed.ContextTypeID)
					return summary.Point{Role: role, Category: c, Context: context, Entries: []summary.Entry{{Placement: placed, Element: e, Context: context}}}
				}
			}
		}
	}
	t.Fatalf("the document has no placement of %s", category)
	return summary.Point{}
}

// texts makes a text of locales and values.
func texts(pairs ...string) taxonomy.Localized {
	var l taxonomy.Localized
	for i := 0; i < len(pairs); i += 2 {
		l = append(l, taxonomy.Text{Locale: pairs[i], Value: pairs[i+1]})
	}
	return l
}

// outlines returns the least and the largest x of each path of an SVG that is not in an icon, and
// checks that it has no text and is well-formed.
func outlines(t *testing.T, svg []byte) (spans [][2]float64) {
	t.Helper()
	depth := 0
	for z := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := z.Token()
		if errors.Is(err, io.EOF) {
			return spans
		}
		require.NoError(t, err)
		if _, ok := token.(xml.EndElement); ok {
			depth--
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		depth++
		assert.NotEqual(t, "text", start.Name.Local)
		if start.Name.Local != "path" || depth != 2 || start.Attr[1].Value == "#FFFFFF" {
			continue
		}
		span := [2]float64{1e9, -1e9}
		for operation := range strings.FieldsFuncSeq(start.Attr[0].Value, unicode.IsUpper) {
			numbers := strings.Fields(operation) // the last two are where it ends
			x, err := strconv.ParseFloat(numbers[len(numbers)-2], 64)
			require.NoError(t, err)
			span = [2]float64{min(span[0], x), max(span[1], x)}
		}
		spans = append(spans, span)
	}
}

// TestDraw draws signs of all kinds and sizes: everything is on the sheet.
func TestDraw(t *testing.T) {
	d, subject := drawer(t), crossing(t)
	for _, kind := range sheet.Kinds() {
		for _, size := range sheet.Sizes() {
			for _, locales := range [][]string{{"en"}, {"fr", "en"}} {
				if (kind == sheet.Notice || kind == sheet.Sign) && size == sheet.A6 && len(locales) == 2 {
					continue // does not fit
				}
				o := &sheet.Options{Kind: kind, Size: size, Locales: locales, CutMarks: true}
				svg, err := d.SVG(t.Context(), subject, o)
				require.NoError(t, err, o)
				found := regexp.MustCompile(`<svg\s+width="([\d.]+)mm"\s+height="([\d.]+)mm"`).FindStringSubmatch(string(svg))
				require.NotNil(t, found)
				width, err := strconv.ParseFloat(found[1], 64)
				require.NoError(t, err)
				for _, span := range outlines(t, svg) {
					assert.GreaterOrEqual(t, span[0], 0.0, o)
					assert.LessOrEqual(t, span[1], width, o)
				}
				for _, want := range []string{"Counts people who cross", "Town of Lindenau"} {
					if len(locales) == 1 && (kind != sheet.Label || want != "Counts people who cross") {
						assert.Contains(t, string(svg), want, "the description has the texts")
					}
				}
				pdf, err := d.PDF(t.Context(), o, subject)
				require.NoError(t, err, o)
				box := regexp.MustCompile(`/MediaBox\[0 0 ([\d.]+) ([\d.]+)\]`).FindSubmatch(pdf)
				points, err := strconv.ParseFloat(string(box[1]), 64)
				require.NoError(t, err)
				assert.InDelta(t, width*72/25.4, points, 0.01)
			}
		}
	}
}

// TestDrawAnswers: signs say how long answers took.
func TestDrawAnswers(t *testing.T) {
	subject, days := crossing(t), 9
	subject.Answered = &phrases.Answered{Asked: 3, Answered: 2, Days: &days}
	for _, size := range sheet.Sizes() {
		svg, err := drawer(t).SVG(t.Context(), subject, &sheet.Options{Size: size})
		require.NoError(t, err)
		assert.Regexp(t, "Scan to [a-z ]+&#xA;Answers within 9 days&#xA;register", string(svg), size)
	}
}

// TestDrawLabel: two languages are two lines, not one that is twice as long, and so is a title that is longer
// than 40 letters.
func TestDrawLabel(t *testing.T) {
	subject := crossing(t)
	size := func(locales ...string) (width, height float64) {
		svg, err := drawer(t).SVG(t.Context(), subject, &sheet.Options{Kind: sheet.Label, Locales: locales})
		require.NoError(t, err)
		found := regexp.MustCompile(`width="([\d.]+)mm"\s+height="([\d.]+)mm"`).FindSubmatch(svg)
		require.NotNil(t, found)
		width, err = strconv.ParseFloat(string(found[1]), 64)
		require.NoError(t, err)
		height, err = strconv.ParseFloat(string(found[2]), 64)
		require.NoError(t, err)
		return width, height
	}
	en, high := size("en")
	fr, _ := size("fr")
	both, _ := size("en", "fr")
	assert.InDelta(t, max(en, fr), both, 20)
	title := &subject.Presentation.Datachain.Title
	*title = taxonomy.Localized{{Locale: "en", Value: strings.Repeat("e", 40)}}
	_, same := size("en")
	assert.InDelta(t, high, same, 0.01)
	*title = taxonomy.Localized{{Locale: "en", Value: strings.Repeat("e", 41)}}
	wide, higher := size("en")
	assert.Less(t, wide, en)
	assert.Greater(t, higher, high+3)
}

// TestDrawMany: each sign has a page.
func TestDrawMany(t *testing.T) {
	d, subject := drawer(t), crossing(t)
	one, err := d.PDF(t.Context(), nil, subject)
	require.NoError(t, err)
	three, err := d.PDF(t.Context(), nil, subject, subject, subject)
	require.NoError(t, err)
	assert.Equal(t, 1, bytes.Count(one, []byte("/Type/Page/")))
	assert.Equal(t, 3, bytes.Count(three, []byte("/Type/Page/")))
	assert.Contains(t, string(three), "/Count 3/")
	again, err := d.PDF(t.Context(), nil, subject)
	require.NoError(t, err)
	assert.Equal(t, one, again, "equal signs are equal files")
	_, err = d.PDF(t.Context(), nil)
	require.Error(t, err)
}

// TestDrawTooLong: what does not fit is named, and never made smaller.
func TestDrawTooLong(t *testing.T) {
	d := drawer(t)
	fields := func(err error) (names []string) {
		var fit *sheet.FitError
		require.ErrorAs(t, err, &fit)
		for _, l := range fit.Texts {
			names = append(names, l.Field)
			assert.Less(t, l.Limit, l.Length)
		}
		return names
	}
	long := strings.Repeat("word ", 400)
	for _, size := range sheet.Sizes() {
		subject := crossing(t)
		subject.Summary.Points[0].Entries[0].Words = texts("en", long)
		_, err := d.SVG(t.Context(), subject, &sheet.Options{Size: size})
		assert.Equal(t, []string{"purpose"}, fields(err), size)
		subject = crossing(t)
		subject.Summary.Points[2].Entries[0].Name = texts("en", long)
		_, err = d.PDF(t.Context(), &sheet.Options{Size: size}, subject)
		assert.Equal(t, []string{"accountable"}, fields(err), size)
	}
	// A word that can't be divided is named.
	subject := crossing(t)
	word := strings.Repeat("Strßtrkpfnckl", 4)
	subject.Summary.Points[2].Entries[0].Name = texts("de", "Amt für "+word)
	_, err := d.SVG(t.Context(), subject, &sheet.Options{Size: sheet.A6, Locales: []string{"de"}})
	assert.Equal(t, []string{"accountable"}, fields(err))
	require.ErrorContains(t, err, word)
}

// TestDrawAnswer: a page and a drawing give one answer to whether a text fits, in the same words,
// whatever its length.
func TestDrawAnswer(t *testing.T) {
	d := drawer(t)
	fits, refused := 0, 0
	for _, o := range []sheet.Options{
		{Size: sheet.A6},
		{Size: sheet.A4, Mono: true},
		{Kind: sheet.Notice, Size: sheet.A5},
		{Size: sheet.A5, Locales: []string{"en", "fr"}},
		{Kind: sheet.Notice, Size: sheet.Letter, Locales: []string{"fr", "en"}},
	} {
		for words := 1; words < 120; words += 7 {
			subject := crossing(t)
			subject.Publisher = texts("en", "Town of Lindenau")
			subject.Summary.Points[0].Entries[0].Words = texts("en", strings.Repeat("crossing ", words), "fr", strings.Repeat("traversée ", words))
			_, page := sheet.Append(nil, &o, subject)
			_, drawn := d.SVG(t.Context(), subject, &o)
			assert.Equal(t, page, drawn)
			if page == nil {
				fits++
			} else {
				refused++
			}
		}
	}
	assert.Positive(t, fits)
	assert.Positive(t, refused)
}

// TestDrawLongWords: words that are longer than a line are divided, not made smaller.
func TestDrawLongWords(t *testing.T) {
	const word = "Verkehrsüberwachungsanlagenbetriebsgenehmigungsverordnung"
	for _, size := range sheet.Sizes() {
		subject := crossing(t)
		subject.Summary.Points[0].Entries[0].Words = texts("de", "Prüft nach der "+word+".")
		subject.Summary.Points[2].Entries[0].Name = texts("de", "Amt für "+word)
		svg, err := drawer(t).SVG(t.Context(), subject, &sheet.Options{Size: size, Locales: []string{"de"}})
		require.NoError(t, err)
		assert.Contains(t, string(svg), "Amt für "+word, "the description has no hyphens")
		width, err := strconv.ParseFloat(regexp.MustCompile(`width="([\d.]+)mm"`).FindStringSubmatch(string(svg))[1], 64)
		require.NoError(t, err)
		for _, span := range outlines(t, svg) {
			assert.Less(t, span[1], width-3, size)
		}
	}
}

// TestDrawArabic: Arabic is set from right to left, in the same place for its digits.
func TestDrawArabic(t *testing.T) {
	d, subject := drawer(t), crossing(t)
	for i := range subject.Summary.Points {
		subject.Summary.Points[i].Entries[0].Words = texts("ar", "عدّ 12 شخصًا")
		subject.Summary.Points[i].Entries[0].Name = texts("ar", "بلدية Lindenau")
	}
	subject.Presentation.Datachain.Title = texts("ar", "كاميرا")
	latin, err := d.SVG(t.Context(), crossing(t), nil)
	require.NoError(t, err)
	arabic, err := d.SVG(t.Context(), subject, nil)
	require.NoError(t, err)
	// The first text begins after the icon, from the side where reading begins.
	const margin, width, beside = 9.0, 148, 16 + 0.6*9
	assert.InDelta(t, margin+beside, outlines(t, latin)[0][0], 1.5)
	assert.InDelta(t, width-margin-beside, outlines(t, arabic)[0][1], 1.5)
	assert.Contains(t, string(arabic), "عدّ 12 شخصًا")
	// Letters are joined: they have other forms with a non-joiner between them.
	for i := range subject.Summary.Points {
		subject.Summary.Points[i].Entries[0].Words = texts("ar", "ع\u200cدّ 12 ش\u200cخ\u200cص\u200cًا")
	}
	apart, err := d.SVG(t.Context(), subject, nil)
	require.NoError(t, err)
	assert.NotEqual(t, outlines(t, arabic)[1], outlines(t, apart)[1])
	// Addresses are below the name to which they belong.
	subject = crossing(t)
	subject.Summary.Points = subject.Summary.Points[2:3]
	subject.Summary.Points[0].Entries[0].Name = texts("ar", "بلدية")
	subject.Summary.Points[0].Entries[0].Contact = texts("ar", "roads@lindenau.example")
	subject.Presentation.Datachain.Title = texts("ar", "كاميرا")
	arabic, err = d.SVG(t.Context(), subject, &sheet.Options{Kind: sheet.Notice, Locales: []string{"ar"}})
	require.NoError(t, err)
	assert.InDelta(t, outlines(t, arabic)[0][1], outlines(t, arabic)[1][1], 0.5)
}

// TestDrawUnknownLetters: a sign never shows boxes instead of letters.
func TestDrawUnknownLetters(t *testing.T) {
	subject := crossing(t)
	subject.Summary.Points[2].Entries[0].Name = texts("en", "市役所")
	_, err := drawer(t).SVG(t.Context(), subject, nil)
	require.ErrorContains(t, err, "accountable (en): no font has the character '市'")
	require.ErrorContains(t, err, "add a TrueType font")
}

// TestDrawMono has no colours.
func TestDrawMono(t *testing.T) {
	d, subject := drawer(t), crossing(t)
	svg, err := d.SVG(t.Context(), subject, &sheet.Options{Mono: true})
	require.NoError(t, err)
	_, err = d.PDF(t.Context(), &sheet.Options{Mono: true}, subject)
	require.NoError(t, err)
	assert.NotRegexp(t, `#[0-9A-F]{6}[^0-9A-F"]|#[0-9A-F]{1,5}[^0-9A-F]`, string(svg), "colours have six digits")
	for _, c := range regexp.MustCompile(`"#([0-9A-F]{2})([0-9A-F]{2})([0-9A-F]{2})"`).FindAllSubmatch(svg, -1) {
		assert.Equal(t, c[1], c[2])
		assert.Equal(t, c[2], c[3])
	}
	subject.Logo = []byte(`<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z" fill="red"/></svg>`)
	svg, err = d.SVG(t.Context(), subject, &sheet.Options{Mono: true})
	require.NoError(t, err)
	assert.Contains(t, string(svg), `fill="#363636"`)
	assert.NotContains(t, string(svg), "#FF0000")
}

// TestDrawLevel: a level has its colour, and as many bars as its context has values. It is wide enough
// for its text, also in Arabic.
func TestDrawLevel(t *testing.T) {
	subject := crossing(t)
	level := func(o *sheet.Options) [][]string {
		svg, err := drawer(t).SVG(t.Context(), subject, o)
		require.NoError(t, err)
		return regexp.MustCompile(`<path d="[^"]*"\s+fill="([^"]*)" stroke="#000000"( stroke-opacity="0.4")? stroke-width="0`).FindAllStringSubmatch(string(svg), -1)
	}
	for _, o := range []*sheet.Options{nil, {Mono: true}, {Kind: sheet.Label}} {
		found := level(o)
		require.Len(t, found, 4)
		assert.Equal(t, o == nil || !o.Mono, found[0][1] != "none")
		assert.Equal(t, []string{"#000000", "#000000", "none"}, []string{found[1][1], found[2][1], found[3][1]})
	}
	subject.Summary.Points[1].Context = nil
	assert.Empty(t, level(nil))
}

// TestDrawNothingSaid has no optional parts.
func TestDrawNothingSaid(t *testing.T) {
	subject := crossing(t)
	for i := range subject.Summary.Points {
		subject.Summary.Points[i].Entries, subject.Summary.Points[i].Context = nil, nil
	}
	_, err := drawer(t).SVG(t.Context(), subject, nil)
	var unnamed *sheet.UnnamedError
	require.ErrorAs(t, err, &unnamed)
	subject.Organisation = texts("en", "Town of Lindenau")
	for _, kind := range sheet.Kinds() {
		svg, err := drawer(t).SVG(t.Context(), subject, &sheet.Options{Kind: kind})
		require.NoError(t, err)
		assert.Contains(t, string(svg), "Nothing is said about data.")
	}
}

// TestDrawLogo: logos are drawn as vectors.
func TestDrawLogo(t *testing.T) {
	subject := crossing(t)
	subject.Logo = []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><path d="M1 2h3v4z" fill="#123456" stroke="#654321" opacity=".5"/></svg>`)
	subject.Publisher = texts("en", "Town of Nowhere")
	svg, err := drawer(t).SVG(t.Context(), subject, nil)
	require.NoError(t, err)
	assert.Contains(t, string(svg), "<desc>Town of Nowhere&#xA;Cameras at")
	assert.NotContains(t, string(svg), "<image")
	assert.Contains(t, string(svg), `<path d="M1 2L4 2L4 6Z" opacity="0.5" fill="#123456" stroke="#654321"`)
	pdf, err := drawer(t).PDF(t.Context(), nil, subject)
	require.NoError(t, err)
	assert.NotContains(t, string(pdf), "/Image")
	assert.Contains(t, string(pdf), "/Group<</S/Transparency>>")
	assert.Contains(t, inflated(t, pdf), "1 2 m\n4 2 l\n4 6 l\nh\nf\n")

	subject.Logo = []byte(`<svg xmlns="http://www.w3.org/2000/svg"><path transform="scale(9000)" d="M.0001 0h.0123v.02z"/></svg>`)
	svg, err = drawer(t).SVG(t.Context(), subject, nil)
	require.NoError(t, err)
	assert.Contains(t, string(svg), `d="M0.0001 0L0.0124 0L0.0124 0.02Z" transform="matrix(9000 0 0 9000 0 0)"`)

	for want, wrong := range map[string]string{
		"the logo, line 1: it must not use <text> in <svg>":    `<svg xmlns="http://www.w3.org/2000/svg"><text>A</text></svg>`,
		"the logo, line 1: the drawing contains invalid UTF-8": "\x89PNG",
	} {
		subject.Logo = []byte(wrong)
		_, err := drawer(t).SVG(t.Context(), subject, nil)
		require.ErrorContains(t, err, want)
		_, err = drawer(t).PDF(t.Context(), nil, subject)
		require.ErrorContains(t, err, want)
	}
}

// inflated returns the contents of a PDF file.
func inflated(t *testing.T, pdf []byte) string {
	t.Helper()
	var all strings.Builder
	for _, stream := range regexp.MustCompile(`(?s)/FlateDecode/Length \d+>>\nstream\n(.*?)\nendstream`).FindAllSubmatch(pdf, -1) {
		z, err := zlib.NewReader(bytes.NewReader(stream[1]))
		require.NoError(t, err)
		text, err := io.ReadAll(z)
		require.NoError(t, err)
		all.Write(text)
	}
	return all.String()
}

// TestDrawSame: SVG and PDF have the same paths, with and without a logo.
func TestDrawSame(t *testing.T) {
	subject := crossing(t)
	for _, logo := range []string{"", `<svg xmlns="http://www.w3.org/2000/svg"><g clip-path="url(#a)"><path d="M0 0c1 1 2 2 3 3z"/></g><clipPath id="a"><circle r="9"/></clipPath></svg>`} {
		subject.Logo = []byte(logo)
		svg, err := drawer(t).SVG(t.Context(), subject, nil)
		require.NoError(t, err)
		pdf, err := drawer(t).PDF(t.Context(), nil, subject)
		require.NoError(t, err)
		curves := 0
		for _, path := range regexp.MustCompile(`<path d="([^"]*)"([^>]*)`).FindAllStringSubmatch(string(svg), -1) {
			times := 1
			if strings.Contains(path[2], "stroke=") && !strings.Contains(path[2], `fill="none"`) {
				times = 2
			}
			curves += times * strings.Count(path[1], "C")
		}
		assert.Greater(t, curves, 500)
		assert.Equal(t, curves, strings.Count(inflated(t, pdf), " c\n"))
	}
}

// TestDrawSymbols: a symbol that is not vectors only is refused, with what to do instead.
func TestDrawSymbols(t *testing.T) {
	subject := crossing(t)
	r := subject.Presentation.Release
	c := taxonomy.Content{
		Title: r.Manifest().Title, Locales: r.Locales(), Synonyms: r.Manifest().Synonyms, Schemes: r.Manifest().Schemes,
		Type: *r.Type(), Symbols: map[string]string{},
	}
	for _, one := range r.Categories() {
		c.Categories = append(c.Categories, *one)
	}
	for _, e := range r.Elements() {
		c.Elements = append(c.Elements, *e)
	}
	for _, id := range r.SymbolIDs() {
		c.Symbols[id] = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><linearGradient id="i1"><stop offset="1"/></linearGradient><path d="M9 9h9v9z" fill="url(#i1)"/></svg>`
	}
	shaded, err := taxonomy.NewRelease(r.Version(), c)
	require.NoError(t, err)
	store, err := memstore.New(listing.Publication{Release: shaded})
	require.NoError(t, err)
	service, err := datachain.New(store, nil)
	require.NoError(t, err)
	sample, _ := documents.Find("crossing-camera.json")
	verdict, p, err := service.Present(t.Context(), sample.Text)
	require.NoError(t, err)
	require.True(t, verdict.OK())
	subject.Presentation = p
	_, err = sheet.Append(nil, nil, subject)
	require.NoError(t, err, "browsers draw it")
	_, err = drawer(t).SVG(t.Context(), subject, nil)
	require.ErrorIs(t, err, sheet.ErrNotVector)
	require.ErrorContains(t, err, "<linearGradient> can't be drawn as vectors")
	require.ErrorContains(t, err, "print the sign as a page (.html) in a browser")
	_, again := drawer(t).PDF(t.Context(), nil, subject)
	assert.Equal(t, err, again)
}

func TestNewDrawer(t *testing.T) {
	_, err := sign.New(fstest.MapFS{})
	require.ErrorContains(t, err, "at least one regular and one bold TrueType font")
	_, err = sign.New(fstest.MapFS{"A.ttf": {Data: []byte("x")}})
	require.ErrorContains(t, err, "A.ttf")
	// Fonts of the program come first.
	own, err := sign.New(os.DirFS("fonts"))
	require.NoError(t, err)
	want, err := drawer(t).SVG(t.Context(), crossing(t), nil)
	require.NoError(t, err)
	got, err := own.SVG(t.Context(), crossing(t), nil)
	require.NoError(t, err)
	assert.Equal(t, string(want), string(got))
}

func BenchmarkSVG(b *testing.B) {
	d, s := drawer(b), crossing(b)
	for b.Loop() {
		if _, err := d.SVG(b.Context(), s, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPDF(b *testing.B) {
	d, s := drawer(b), crossing(b)
	for b.Loop() {
		if _, err := d.PDF(b.Context(), nil, s); err != nil {
			b.Fatal(err)
		}
	}
}

// TestDrawPurposes: a drawn sign names the document and all its purposes, or says how many more
// there are.
func TestDrawPurposes(t *testing.T) {
	d := drawer(t)
	for words, want := range map[string]string{
		"It warns drivers.":                       "\nIt warns drivers.\n",
		strings.Repeat("It warns drivers. ", 200): " (and 1 more)\n",
	} {
		subject := crossing(t)
		p := &subject.Summary.Points[0]
		e := p.Entries[0]
		e.Words = texts("en", words)
		p.Entries = append(p.Entries, e)
		for _, kind := range []sheet.Kind{sheet.Sign, sheet.Notice, sheet.Card} {
			svg, err := d.SVG(t.Context(), subject, &sheet.Options{Kind: kind})
			require.NoError(t, err)
			said := html.UnescapeString(string(svg))
			assert.Contains(t, said, "<desc>Cameras at the Mill Street crossing\nCounts people")
			assert.Contains(t, said, want)
		}
	}
}
