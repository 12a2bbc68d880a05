package sheet_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

var day = time.Date(2026, 11, 16, 9, 0, 0, 0, time.UTC)

// crossing is the subject of signs about a sample document, with a summary of its own.
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
		point(t, p, "purpose", codes.RolePurpose), point(t, p, "data", codes.RoleData),
		point(t, p, "responsible", codes.RoleAccountable), point(t, p, "rights", codes.RoleRights),
	}
	points[0].Entries[0].Words = texts("en", "Counts people who cross, so that the lights stay green for long enough.", "fr", "Compte les personnes qui traversent, pour que le feu reste vert assez longtemps.")
	points[1].AtMost = true
	points[2].Entries[0].Name = texts("en", "Town of Lindenau")
	points[2].Entries[0].Contact = texts("en", "0123 4570")
	return &sheet.Subject{
		Presentation: p, Summary: &summary.Summary{Points: points},
		Address: "https://register.example.org/d/crossing/", Date: day,
	}
}

// TestContacts: numbers and addresses are not divided after a space or a hyphen.
func TestContacts(t *testing.T) {
	subject := crossing(t)
	subject.Summary.Points[2].Entries[0].Contact = texts("en", "call 0123 45-70, or write to road-works@town-hall.example")
	for kind, want := range map[sheet.Kind]string{
		sheet.Sign: "call 0123\u00a045-\u206070, or write to road-\u2060works\u200b@town-\u2060hall.example",
		sheet.Card: "call 0123 45-70, or write to road-works@town-hall.example",
	} {
		c, err := sheet.NewContent(subject, &sheet.Options{Kind: kind})
		require.NoError(t, err)
		assert.Equal(t, want, c.Points[2].Texts[0].Detail)
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

// read returns the words of a page, in order.
func read(t testing.TB, page []byte) string {
	t.Helper()
	n, err := html.Parse(strings.NewReader(string(page)))
	require.NoError(t, err)
	var words []string
	for d := range n.Descendants() {
		if d.Type == html.TextNode && d.Parent.Data != "style" && d.Parent.Data != "title" {
			words = append(words, strings.Fields(d.Data)...)
		}
	}
	return strings.ReplaceAll(strings.Join(words, " "), "/ ", "/")
}

func TestSign(t *testing.T) {
	subject := crossing(t)
	page, err := sheet.Append(nil, nil, subject)
	require.NoError(t, err)
	assert.NotContains(t, string(page), `class="on-top"`)
	subject.Publisher, subject.Presentation.Datachain.Title = texts("en", "Town of Nowhere"), texts("en", "Cameras")
	page, err = sheet.Append(nil, nil, subject)
	require.NoError(t, err)
	text := read(t, page)
	assert.True(t, strings.HasPrefix(text, "Town of Nowhere Cameras Counts people"), text)
	for _, want := range []string{
		"Counts people who cross, so that the lights stay green for long enough.", "Most sensitive data Could identify people (level 2 of 3) Pictures or video",
		"Who answers for it Town of Lindenau 0123 4570", "Scan to", "register.example.org/d/crossing", "As of 16 November 2026",
	} {
		assert.Contains(t, text, want)
	}
	assert.Contains(t, string(page), "@page{size:148mm 210mm;margin:0}")
	assert.NotContains(t, string(page), "http://register") // nothing but the code leads anywhere
	assert.NotContains(t, string(page), "<script")
}

// TestAnswers: sheets say how long answers took, in each language, and only if that is known.
func TestAnswers(t *testing.T) {
	days := 9
	subject := crossing(t)
	subject.Answered = &phrases.Answered{Asked: 3, Answered: 2, Days: &days}
	for kind, want := range map[sheet.Kind]bool{sheet.Sign: true, sheet.Notice: true, sheet.Label: false, sheet.Card: false} {
		page, err := sheet.Append(nil, &sheet.Options{Kind: kind, Size: sheet.A4, Locales: []string{"en", "fr"}}, subject)
		require.NoError(t, err)
		assert.Equal(t, want, strings.Contains(read(t, page), "Scan to ask Answers within 9 days Scannez pour demander Répond en 9 jours register.example.org"), "%s: %s", kind, read(t, page))
	}
	subject.Answered.Answered = 0
	page, err := sheet.Append(nil, nil, subject)
	require.NoError(t, err)
	assert.NotContains(t, read(t, page), "Answers")
}

// TestDecision: the context of a decision is who decides if it has a colour, else what the
// decision is about.
func TestDecision(t *testing.T) {
	subject := crossing(t)
	p := &subject.Summary.Points[1]
	p.Role, p.AtMost = codes.RoleDecision, false
	page, err := sheet.Append(nil, &sheet.Options{Kind: sheet.Notice}, subject)
	require.NoError(t, err)
	assert.Contains(t, read(t, page), "Who decides Could identify people (level 2 of 3) Pictures or video")
	plain := *p.Context
	plain.Color, p.Context = "", &plain
	page, err = sheet.Append(nil, &sheet.Options{Kind: sheet.Notice}, subject)
	require.NoError(t, err)
	assert.Contains(t, read(t, page), "Who decides Pictures or video")
	assert.NotContains(t, read(t, page), "Could identify people")
}

func TestLanguages(t *testing.T) {
	page, err := sheet.Append(nil, &sheet.Options{Size: sheet.A4, Locales: []string{"fr", "en"}}, crossing(t))
	require.NoError(t, err)
	text := read(t, page)
	assert.Less(t, strings.Index(text, "Compte les personnes"), strings.Index(text, "Counts people"))
	assert.Contains(t, text, "État au 16 novembre 2026 As of 16 November 2026")
	// Lists have the comma of the language.
	subject := crossing(t)
	subject.Presentation.Datachain.Title = texts("ar", "كاميرا")
	subject.Summary.Points[1].Entries = append(subject.Summary.Points[1].Entries, subject.Summary.Points[2].Entries...)
	page, err = sheet.Append(nil, &sheet.Options{Locales: []string{"ar"}}, subject)
	require.NoError(t, err)
	assert.Contains(t, read(t, page), "، ")
	// The first language is that of the title, not that of the taxonomy.
	subject.Presentation.Datachain.Title = texts("fr", "Caméra", "en", "Camera")
	page, err = sheet.Append(nil, nil, subject)
	require.NoError(t, err)
	assert.Contains(t, read(t, page), "État au 16 novembre 2026")
	_, err = sheet.Append(nil, &sheet.Options{Locales: []string{"fr", "en", "es"}}, crossing(t))
	require.ErrorContains(t, err, "one or two languages")
	_, err = sheet.Append(nil, &sheet.Options{Kind: "poster"}, crossing(t))
	require.ErrorContains(t, err, `kind "poster" is not known; use sign, label, notice or card`)
	_, err = sheet.Append(nil, nil, &sheet.Subject{})
	assert.ErrorContains(t, err, "the sign needs a presentation")
}

// TestPurposes: a sign names the document and all its purposes. If they do not fit, it names the
// first and says how many more there are.
func TestPurposes(t *testing.T) {
	with := func(others ...string) *sheet.Subject {
		subject := crossing(t)
		p := &subject.Summary.Points[0]
		for _, words := range others {
			e := p.Entries[0]
			e.Words = texts("en", words)
			p.Entries = append(p.Entries, e)
		}
		return subject
	}
	const title, first = "Cameras at the Mill Street crossing ", "Counts people who cross, so that the lights stay green for long enough. "
	long := strings.Repeat("It counts cars. ", 200)
	for kind, lead := range map[sheet.Kind]string{sheet.Sign: title + first, sheet.Notice: title + first, sheet.Card: title + first} {
		page, err := sheet.Append(nil, &sheet.Options{Kind: kind}, with("It counts cars", "It warns drivers."))
		require.NoError(t, err)
		assert.Contains(t, read(t, page), lead+"It counts cars; It warns drivers. Most sensitive data", kind)
		page, err = sheet.Append(nil, &sheet.Options{Kind: kind}, with(long, "It warns drivers."))
		require.NoError(t, err)
		assert.Contains(t, read(t, page), lead+"(and 2 more) Most sensitive data", kind)
		page, err = sheet.Append(nil, &sheet.Options{Kind: kind}, crossing(t))
		require.NoError(t, err)
		assert.Contains(t, read(t, page), lead+"Most sensitive data", kind)
	}
	for locale, more := range map[string]string{"fr": "et 2 de plus", "es": "y 2 más", "de": "und 2 weitere", "it": "e 2 in più", "pt": "e mais 2", "nl": "en nog 2", "ar": "و2 أخرى"} {
		subject := with(long, "It warns drivers.")
		subject.Presentation.Datachain.Title = append(subject.Presentation.Datachain.Title, texts(locale, "Titel")...)
		page, err := sheet.Append(nil, &sheet.Options{Locales: []string{locale}, Size: sheet.A4}, subject)
		require.NoError(t, err)
		assert.Contains(t, read(t, page), more)
	}
	subject := crossing(t)
	subject.Presentation.Datachain.Title = texts("en", strings.Repeat("A title that is long. ", 60))
	_, err := sheet.Append(nil, nil, subject)
	require.ErrorContains(t, err, "title (en) has ")
}

// TestLabel: a label is one line, which begins with a title of up to 40 letters. Longer ones have a line of their own.
func TestLabel(t *testing.T) {
	classes := regexp.MustCompile(`<article class="sheet is-label( wide-\d+)?( two-lines)?"`)
	for title, want := range map[string]string{
		"Cameras": " wide-50", strings.Repeat("e", 40): " wide-75", strings.Repeat("e", 41): " wide-45 two-lines", strings.Repeat("e", 120): " wide-85 two-lines", strings.Repeat("e", 200): " two-lines",
	} {
		subject := crossing(t)
		subject.Presentation.Datachain.Title = texts("en", title)
		page, err := sheet.Append(nil, &sheet.Options{Kind: sheet.Label}, subject)
		require.NoError(t, err)
		class := classes.FindSubmatch(page)
		require.NotNil(t, class)
		assert.Equal(t, want, string(class[1])+string(class[2]), "%d letters", len(title))
		assert.NotContains(t, read(t, page), "Counts people", "the title says what it is")
	}
}

// TestGrowth: letters are larger if there is room.
func TestGrowth(t *testing.T) {
	grown := regexp.MustCompile(`<article class="sheet is-sign on-paper( grow-\d\d)?"`)
	var got []string
	for words := 1; words < 100; words++ {
		subject := crossing(t)
		subject.Summary.Points[0].Entries[0].Words = texts("en", strings.Repeat("crossing ", words))
		page, err := sheet.Append(nil, &sheet.Options{Size: sheet.A5}, subject)
		if err != nil {
			break
		}
		class := grown.FindSubmatch(page)
		require.NotNil(t, class)
		if c := strings.TrimSpace(string(class[1])); len(got) == 0 || got[len(got)-1] != c {
			got = append(got, c)
		}
	}
	assert.Equal(t, []string{"grow-33", "grow-20", "grow-10", ""}, got)
}

// TestTooLong: text is never made smaller; the error says which field to shorten.
func TestTooLong(t *testing.T) {
	subject := crossing(t)
	long := strings.Repeat("word ", 50) // 250 letters
	subject.Summary.Points[0].Entries[0].Words = texts("en", long)
	subject.Summary.Points[2].Entries[0].Name = texts("en", long)
	for _, size := range sheet.Sizes() {
		_, err := sheet.Append(nil, &sheet.Options{Size: size}, subject)
		var fit *sheet.FitError
		require.ErrorAs(t, err, &fit, size)
		fields := []string{}
		for _, l := range fit.Texts {
			fields = append(fields, l.Field)
		}
		assert.Equal(t, []string{"purpose", "accountable"}, fields, size)
		require.ErrorContains(t, err, "the sign does not fit on "+string(size))
		// The advice is what helps.
		assert.Contains(t, err.Error(), "shorten the texts")
		assert.Contains(t, err.Error(), "use another size")
		assert.NotContains(t, err.Error(), "one language")
		longer := crossing(t)
		longer.Summary.Points[0].Entries[0].Words = texts("en", strings.Repeat(long, 9))
		_, err = sheet.Append(nil, &sheet.Options{Kind: sheet.Notice, Size: size, Locales: []string{"en", "fr"}}, longer)
		require.ErrorContains(t, err, "or make a sign, which has fewer points than a notice", size)
		require.ErrorContains(t, err, "use one language", size)
	}
	// Another size has no more room for an address.
	far := crossing(t)
	far.Address = "https://register.example.org/" + strings.Repeat("far/", 15)
	_, err := sheet.Append(nil, nil, far)
	require.ErrorContains(t, err, "and there is room for 60; shorten the slug of the document or the url of the register")
	assert.NotContains(t, err.Error(), "another size")
	// Nor for the name of the publisher.
	far = crossing(t)
	far.Publisher = texts("en", strings.Repeat("Town ", 20))
	_, err = sheet.Append(nil, nil, far)
	require.ErrorContains(t, err, "publisher (en) has 99 characters, and there is room for 80; shorten the publisher's name")
	assert.NotContains(t, err.Error(), "another size")
	// A long text may take the room that others leave.
	subject.Summary.Points[2].Entries[0].Name = texts("en", "Town of Lindenau")
	_, err = sheet.Append(nil, &sheet.Options{Kind: sheet.Notice, Size: sheet.A4}, subject)
	require.NoError(t, err)
	// Labels and cards grow with their texts.
	for _, kind := range []sheet.Kind{sheet.Label, sheet.Card} {
		_, err := sheet.Append(nil, &sheet.Options{Kind: kind}, subject)
		require.NoError(t, err, kind)
	}
	// Marks above letters take no room, wide letters take twice as much.
	subject = crossing(t)
	subject.Summary.Points[0].Entries[0].Words = texts("en", strings.Repeat("e\u0301", 220))
	_, err = sheet.Append(nil, &sheet.Options{Size: sheet.A6}, subject)
	require.NoError(t, err)
	subject.Summary.Points[0].Entries[0].Words = texts("ja", strings.Repeat("漢", 220))
	_, err = sheet.Append(nil, &sheet.Options{Size: sheet.A6}, subject)
	require.Error(t, err)
}

// TestMany: several signs are one page, in which each has ids of its own and a sheet of its own.
func TestMany(t *testing.T) {
	page, err := sheet.Append(nil, nil, crossing(t), crossing(t))
	require.NoError(t, err)
	assert.Equal(t, 2, strings.Count(string(page), "<article"))
	assert.Equal(t, 1, strings.Count(string(page), "<style>"))
	assert.Contains(t, string(page), "break-before:page")
	ids := regexp.MustCompile(` id="([^"]+)"`).FindAllString(string(page), -1)
	assert.Len(t, slices.Compact(slices.Sorted(slices.Values(ids))), len(ids))
}

// TestLevel: the level has its colour and bars, and only bars in black and white. A label, which has
// no headings, says that it is the highest.
func TestLevel(t *testing.T) {
	subject := crossing(t)
	page, err := sheet.Append(nil, nil, subject)
	require.NoError(t, err)
	level := regexp.MustCompile(`<span class="tag black"><svg class="fill".*? fill="#[0-9A-F]{6}"/></svg><svg class="bars"`)
	assert.Regexp(t, level, string(page))
	content, err := sheet.NewContent(subject, nil)
	require.NoError(t, err)
	assert.NotNil(t, content.Points[1].Level.Fill)
	assert.Equal(t, []int{4, 7, 10}, content.Points[1].Level.Bars)
	assert.Equal(t, 2, content.Points[1].Level.Rank)
	assert.Nil(t, content.Points[2].Level)
	page, err = sheet.Append(nil, &sheet.Options{Mono: true}, subject)
	require.NoError(t, err)
	assert.NotContains(t, string(page), `class="fill"`)
	assert.Contains(t, string(page), `<span class="tag "><svg class="bars"`)
	page, err = sheet.Append(nil, &sheet.Options{Kind: sheet.Label}, subject)
	require.NoError(t, err)
	assert.Contains(t, read(t, page), "At most: Could identify people")
}

// TestLogo: the logo of the publisher is a picture on top, not that of who answers for the system.
func TestLogo(t *testing.T) {
	subject := crossing(t)
	subject.Logo = []byte("<svg onload='a'/>")
	page, err := sheet.Append(nil, nil, subject)
	require.NoError(t, err)
	assert.Regexp(t, `(?s)<div class="on-top">\s*<img alt="" src="data:image/svg\+xml;base64,.*<section class="purpose`, string(page))
	assert.Regexp(t, `<section class="point accountable">\s*<div class="icon" aria-hidden="true"><svg`, string(page))
	assert.NotContains(t, string(page), "onload")
	subject.LogoURL = "/logo.svg"
	page, err = sheet.AppendSheet(nil, nil, subject)
	require.NoError(t, err)
	assert.Contains(t, string(page), `<img alt="" src="/logo.svg">`)
	assert.NotContains(t, string(page), "<style>")
	assert.Contains(t, sheet.ContentSecurityPolicy(sheet.Sign), "img-src data:")
}

func TestNothingSaid(t *testing.T) {
	subject := crossing(t)
	for i := range subject.Summary.Points {
		subject.Summary.Points[i].Entries = nil
		subject.Summary.Points[i].Context = nil
	}
	subject.Publisher, subject.Organisation = texts("en", "City of Lindenau"), texts("en", "Town of Nowhere")
	page, err := sheet.Append(nil, &sheet.Options{Kind: sheet.Notice}, subject)
	require.NoError(t, err)
	text := read(t, page)
	for _, want := range []string{"what it is for.", "about data.", "Who answers for it Town of Nowhere", "what you can do."} {
		assert.Contains(t, text, "Nothing is said about ")
		assert.Contains(t, text, want)
	}
	assert.Contains(t, text, "Scan to learn more")
}

// TestScanToAsk promises no answer where a right has no contact.
func TestScanToAsk(t *testing.T) {
	for words, want := range map[string]string{
		"ask at the desk":                 "Scan to learn more",
		"write to roads@lindenau.example": "Scan to ask",
		"call 0123 4570":                  "Scan to ask",
	} {
		subject := crossing(t)
		rights, ok := subject.Summary.Point(taxonomy.RoleRights)
		require.True(t, ok)
		for i := range rights.Entries {
			e := &rights.Entries[i]
			placed := *e.Placement
			placed.Actions = nil
			e.Placement, e.Contact, e.Words = &placed, nil, texts("en", words)
		}
		page, err := sheet.Append(nil, &sheet.Options{}, subject)
		require.NoError(t, err)
		assert.Contains(t, read(t, page), want, words)
	}
}

// TestUnnamed makes no sign that names nobody: the publisher does not answer for a system, and the title
// of an element names nobody either.
func TestUnnamed(t *testing.T) {
	const accountable = 2
	for name, c := range map[string]struct {
		change func(*sheet.Subject)
		want   string // of the error, or "" if there is a sign
		sign   string
	}{
		"a name":                     {func(*sheet.Subject) {}, "", "Who answers for it Town of Lindenau 0123 4570"},
		"a name and an organisation": {func(s *sheet.Subject) { s.Organisation = texts("en", "Roads Office") }, "", "Who answers for it Town of Lindenau"},
		"an organisation, and a contact": {func(s *sheet.Subject) {
			s.Organisation = texts("en", "Roads Office")
			s.Summary.Points[accountable].Entries[0].Name = nil
		}, "", "Who answers for it Roads Office 0123 4570"},
		"an organisation, without a role": {func(s *sheet.Subject) {
			s.Organisation = texts("en", "Roads Office")
			s.Summary.Points = slices.Delete(s.Summary.Points, accountable, accountable+1)
		}, "", "Who answers for it Roads Office"},
		"an organisation, without any point": {func(s *sheet.Subject) { s.Organisation = texts("en", "Roads Office"); s.Summary.Points = nil }, "", "Roads Office"},
		"the title of an element":            {func(s *sheet.Subject) { s.Summary.Points[accountable].Entries[0].Name = nil }, "no sign is made without a name of who answers for the system", ""},
		"a name of white space":              {func(s *sheet.Subject) { s.Summary.Points[accountable].Entries[0].Name = texts("en", " \t") }, "no sign is made without a name of who answers for the system", ""},
		"no placement":                       {func(s *sheet.Subject) { s.Summary.Points[accountable].Entries = nil }, "write it in the category responsible, or as register.organisation.name", ""},
		"no role": {
			func(s *sheet.Subject) { s.Summary.Points = slices.Delete(s.Summary.Points, accountable, accountable+1) },
			"write it as register.organisation.name in the document, or upgrade the document to a version of the taxonomy that has the role accountable, which sensor@2026-11-15-stable lacks", "",
		},
		"no roles": {func(s *sheet.Subject) {
			s.Summary.Points = nil
			for i := range s.Presentation.Datachain.SchemaSnapshot.Categories {
				s.Presentation.Datachain.SchemaSnapshot.Categories[i].Role = ""
			}
		}, "add roles for sensor@2026-11-15-stable to register.yaml", ""},
	} {
		t.Run(name, func(t *testing.T) {
			for _, kind := range sheet.Kinds() {
				subject := crossing(t)
				subject.Publisher = texts("en", "City of Lindenau")
				c.change(subject)
				page, err := sheet.Append(nil, &sheet.Options{Kind: kind, Size: sheet.A4}, subject)
				var unnamed *sheet.UnnamedError
				if c.sign == "" {
					require.ErrorAs(t, err, &unnamed)
					require.ErrorContains(t, err, c.want)
					assert.Empty(t, page)
					continue
				}
				require.NoError(t, err)
				if kind != sheet.Label { // which has no headings
					assert.Contains(t, read(t, page), c.sign)
				}
				assert.NotContains(t, read(t, page), "Who answers for it City of Lindenau")
			}
		})
	}
}

func TestHostile(t *testing.T) {
	subject := crossing(t)
	attack := "\u202e\"><script>alert(1)</script>\x00"
	subject.Summary.Points[0].Entries[0].Words = texts("en", attack)
	subject.Summary.Points[2].Entries[0].Name = texts("en", attack)
	subject.Address = "https://register.example.org/d/x\"onload=\"a/"
	for _, kind := range sheet.Kinds() {
		page, err := sheet.Append(nil, &sheet.Options{Kind: kind}, subject)
		require.NoError(t, err)
		assert.NotContains(t, string(page), "<script")
		assert.NotContains(t, string(page), "\u202e")
		assert.NotContains(t, string(page), `"onload`)
	}
}

func TestRefusals(t *testing.T) {
	tests := map[string]struct {
		change func(*sheet.Subject, *sheet.Options)
		want   string
	}{
		"no address":       {func(s *sheet.Subject, _ *sheet.Options) { s.Address = "/d/crossing/" }, "give the register a url"},
		"long address":     {func(s *sheet.Subject, _ *sheet.Options) { s.Address += strings.Repeat("x", 3000) }, "QR code"},
		"unknown kind":     {func(_ *sheet.Subject, o *sheet.Options) { o.Kind = "poster" }, `kind "poster"`},
		"unknown size":     {func(_ *sheet.Subject, o *sheet.Options) { o.Size = "A7" }, `size "A7"`},
		"address too wide": {func(s *sheet.Subject, _ *sheet.Options) { s.Address += strings.Repeat("x", 100) }, "address"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			subject, o := crossing(t), &sheet.Options{}
			test.change(subject, o)
			_, err := sheet.Append(nil, o, subject)
			assert.ErrorContains(t, err, test.want)
		})
	}
}

func TestPolicy(t *testing.T) {
	assert.Contains(t, sheet.ContentSecurityPolicy(sheet.Sign), "frame-ancestors 'none'")
	assert.NotContains(t, sheet.ContentSecurityPolicy(sheet.Card), "frame-ancestors")
	assert.NotContains(t, sheet.ContentSecurityPolicy(sheet.Card), "unsafe")
}

func BenchmarkAppend(b *testing.B) {
	subject := crossing(b)
	var page []byte
	for b.Loop() {
		var err error
		if page, err = sheet.Append(page[:0], nil, subject); err != nil {
			b.Fatal(err)
		}
	}
}
