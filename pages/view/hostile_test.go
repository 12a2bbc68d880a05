package view_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// attacks are strings that try to be more than text.
var attacks = []string{
	`"><script>trap()</script>`, `'><img src=x onerror=trap()>`, `" onmouseover="trap()" x="`, `' onfocus='trap()' autofocus='`,
	`</title></style></script><svg onload=trap()>`, `<!--`, `-->`, `]]>`, `</svg></main><iframe srcdoc="<script>parent.trap()</script>">`,
	`javascript:trap()`, "java\tscript:trap()", `data:text/html,<script>trap()</script>`, `https://a.example/"onclick="trap()`, `vbscript:x`,
	`{{.}}`, `{{template "page" .}}`, `${trap()}`, "`trap()`", `&lt;script&gt;trap()&lt;/script&gt;`, `&#x3c;script>`,
	"\u202Ekcatta\u202C \u2066x\u2067y\u2068z\u2069 \u202A\u202B\u202D", "\x00\x01\x1b[31m\u0085\u2028\u2029\r\n", `#7D2E46" onload="trap()`,
	`url(javascript:trap())`, `<math><mtext></form><form><mglyph><style></math><img src onerror=trap()>`, `<base href=//evil.example>`,
	`<meta http-equiv=refresh content="0;url=//evil.example">`, `<a href=javascript:trap()>x</a>`, `en" onload="trap()`,
}

// The elements, attributes and links that a page may have.
var (
	allowedTags = set(`html head meta style title body main header nav section article aside footer div span p h1 h2 h3 h4 dl dt dd ol ul li
		a b i bdi wbr strong small code figure figcaption blockquote details summary script
		svg g defs use path rect circle ellipse line polyline polygon lineargradient radialgradient stop clippath mask`)
	allowedAttributes = set(`lang dir class id href target rel charset name content property http-equiv aria-hidden aria-label aria-labelledby role title data-title data-copy data-copied
		xmlns width height viewbox fill stroke stroke-width stroke-linecap stroke-linejoin stroke-miterlimit stroke-dasharray stroke-opacity
		fill-opacity fill-rule clip-rule clip-path mask opacity color d x y cx cy r rx ry x1 y1 x2 y2 points transform preserveaspectratio offset
		stop-color stop-opacity gradientunits gradienttransform fx fy`)
	allowedLinks = []string{"https://", "http://", "mailto:", "tel:", "#"}
)

func set(names string) map[string]bool {
	m := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		m[name] = true
	}
	return m
}

// harmless checks that a page has nothing that our pages never have.
func harmless(t testing.TB, page string) {
	t.Helper()
	if r := strings.IndexFunc(page, func(r rune) bool { return '\u202A' <= r && r <= '\u202E' || '\u2066' <= r && r <= '\u2069' || r == 0 }); r >= 0 {
		t.Fatalf("a character turns the text around: %q", page[max(0, r-60):min(len(page), r+60)])
	}
	ids := map[string]bool{}
	scripts := 0
	for n := range parsed(t, page).Descendants() {
		if n.Type == html.CommentNode {
			t.Fatalf("a comment: %q", n.Data)
		}
		if n.Type != html.ElementNode {
			continue
		}
		if !allowedTags[strings.ToLower(n.Data)] {
			t.Fatalf("an element <%s>", n.Data)
		}
		if n.Data == "script" || n.Data == "style" {
			scripts++
			if strings.Contains(n.FirstChild.Data, "trap") {
				t.Fatalf("the %s was changed", n.Data)
			}
		}
		for _, a := range n.Attr {
			switch {
			case !allowedAttributes[strings.ToLower(a.Key)]:
				t.Fatalf("an attribute %s of <%s>", a.Key, n.Data)
			case a.Key == "href" && !slices.ContainsFunc(allowedLinks, func(p string) bool { return strings.HasPrefix(a.Val, p) }):
				t.Fatalf("a link to %q", a.Val)
			case a.Key == "id" && ids[a.Val]:
				t.Fatalf("duplicate id %s", a.Val)
			case a.Key == "id":
				ids[a.Val] = true
			}
		}
	}
	if scripts > 2 {
		t.Fatalf("%d scripts and styles", scripts)
	}
}

// replaced returns JSON with the n-th string, counted from 0, or all strings for -1,
// replaced. It also returns the number of strings.
func replaced(v any, n int, by string) (any, int) {
	count := 0
	var walk func(v any) any
	walk = func(v any) any {
		switch v := v.(type) {
		case string:
			count++
			if n == count-1 || n < 0 {
				return by
			}
			return v
		case []any:
			list := make([]any, len(v))
			for i := range v {
				list[i] = walk(v[i])
			}
			return list
		case map[string]any:
			m := make(map[string]any, len(v))
			for _, key := range slices.Sorted(mapKeys(v)) {
				m[key] = walk(v[key])
			}
			return m
		}
		return v
	}
	return walk(v), count
}

func mapKeys(m map[string]any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for key := range m {
			if !yield(key) {
				return
			}
		}
	}
}

// rich is a resolved document with every field.
func rich(t testing.TB) any {
	t.Helper()
	r := small()
	r.Description, r.UpdatedAt, r.InstanceVersion = en("All of it"), "2026-06-02T10:00Z", "2"
	r.LinkedInstanceIDs = []string{"other"}
	r.Sources = []taxonomy.Source{{Type: "law", Title: "Law", URL: "https://a.example", Citation: "1"}}
	r.SubchainInstances = []taxonomy.SubchainInstance{
		{ID: "a", SubchainID: "use", HeadRefs: []string{"first", "b", "nothing"}}, {ID: "b", SubchainID: "use", HeadRefs: []string{"contact.office"}},
	}
	r.SuggestedElements = []taxonomy.Element{{ID: "data.new", CategoryID: "data", SymbolID: "none", Title: en("New"), Description: en("{{x}} new")}}
	r.Elements = []taxonomy.Placement{
		{
			ElementID: "data.trips", ElementInstanceID: "first", Label: &taxonomy.Label{Plain: "First"}, ContextTypeID: "personal", SubchainInstanceID: "a",
			Variables: []taxonomy.VariableValue{{ID: "days", Text: en("7 days")}, {ID: "where", Options: []string{"here"}}, {ID: "note", Text: en("By hand")}},
			Sources:   r.Sources, Citation: "cited",
		},
		{ElementID: "contact.office", SubchainInstanceID: "b", Actions: []taxonomy.Action{
			{Type: "email", Label: taxonomy.Label{Plain: "Write"}, Target: "a@b.example"},
			{Type: "phone", Label: taxonomy.Label{Plain: "Call"}, Target: "0123 4560"},
			{Type: "url", Label: taxonomy.Label{Plain: "Look"}, Target: "https://a.example"},
			{Type: "postal", Label: taxonomy.Label{Plain: "Write"}, Target: "Street 1"},
		}},
		{ElementID: "data.new", ContextTypeID: "tag"},
	}
	r.AuthoringProvenance = &taxonomy.Provenance{
		Kind: codes.KindAIGenerated, Model: "Parrot", GeneratedAt: "2026-01-01T00:00Z",
		ElementProvenance: map[string]taxonomy.ElementProvenance{"first": {
			Rationale: "Seen.", Confidence: "high", SourceReferences: []taxonomy.SourceReference{{Quote: "A bike", Context: "Page 2"}},
			VariableRationale: map[string]json.RawMessage{"days": json.RawMessage(`"Read."`), "where": json.RawMessage(`{"a": ["b"]}`)},
		}},
	}
	text, err := json.Marshal(r)
	require.NoError(t, err)
	var v any
	require.NoError(t, json.Unmarshal(text, &v))
	return v
}

// hostileDocument has an attack in every string except ids, so it stays consistent.
func hostileDocument(t testing.TB) *taxonomy.Resolved {
	t.Helper()
	turn := 0
	var walk func(key string, v any) any
	walk = func(key string, v any) any {
		switch v := v.(type) {
		case string:
			if strings.HasSuffix(key, "id") || key == "locale" || key == "shape" || key == "type" || key == "kind" || key == "categories" {
				return v
			}
			turn++
			return v + " " + attacks[turn%len(attacks)]
		case []any:
			for i := range v {
				v[i] = walk(key, v[i])
			}
		case map[string]any:
			for _, k := range slices.Sorted(mapKeys(v)) {
				v[k] = walk(k, v[k])
			}
		}
		return v
	}
	text, err := json.Marshal(walk("", rich(t)))
	require.NoError(t, err)
	doc, err := document.Parse(text)
	require.NoError(t, err)
	r, err := taxonomy.DecodeResolved(doc)
	require.NoError(t, err)
	return r
}

// shownAs renders JSON without validation.
func shownAs(t testing.TB, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	doc, err := document.Parse(text)
	require.NoError(t, err)
	r, err := taxonomy.DecodeResolved(doc)
	require.NoError(t, err)
	var b bytes.Buffer
	_, err = view.Fragment(&b, &datachain.Presentation{Datachain: r}, nil)
	require.NoError(t, err)
	return b.String()
}

// TestHostile puts an attack into every string of a document, one at a time and all at
// once, without validation.
func TestHostile(t *testing.T) {
	document := rich(t)
	_, count := replaced(document, -2, "")
	require.Greater(t, count, 100)
	everything := strings.Join(attacks, " ")
	for n := range count {
		v, _ := replaced(document, n, everything)
		harmless(t, shownAs(t, v))
	}
	for _, attack := range append(attacks, everything) {
		v, _ := replaced(document, -1, attack)
		harmless(t, shownAs(t, v))
	}
}

// TestHostileValid puts attacks into texts of a document that stays valid, and checks that
// all of them are shown as text.
func TestHostileValid(t *testing.T) {
	service := samples(t)
	for _, attack := range attacks {
		attack = strings.ToValidUTF8(strings.ReplaceAll(attack, "\x00", ""), "")
		document := edited(t, sample(t, "benefits.json"), func(v map[string]any) {
			v["title"] = []any{map[string]any{"locale": "en", "value": attack}}
			placed := v["elements"].([]any)
			placed[0].(map[string]any)["label"] = "x" + attack
			for _, p := range placed {
				variables, _ := p.(map[string]any)["variables"].([]any)
				for _, value := range variables {
					if text, ok := value.(map[string]any)["value"].([]any)[0].(map[string]any); ok {
						text["value"] = "x" + attack
					}
				}
			}
		})
		_, p, err := service.Present(t.Context(), document)
		require.NoError(t, err)
		if p == nil {
			continue
		}
		page := render(t, p, nil)
		harmless(t, page)
		if !strings.ContainsFunc(attack, func(r rune) bool { return r < ' ' || r > '~' }) {
			require.Equal(t, strings.Join(strings.Fields(attack), " "), content(all(parsed(t, page), tag("h1"))[0]))
		}
	}
}

func FuzzFragment(f *testing.F) {
	for _, attack := range append(attacks, "fr") {
		v, _ := replaced(rich(f), -1, strings.ToValidUTF8(attack, ""))
		if attack == "fr" {
			v = rich(f)
		}
		text, err := json.Marshal(v)
		require.NoError(f, err)
		f.Add(text, attack)
	}
	f.Fuzz(func(t *testing.T, text []byte, locale string) {
		doc, err := document.Parse(text)
		if err != nil {
			return
		}
		r, err := taxonomy.DecodeResolved(doc)
		if err != nil {
			return
		}
		var b bytes.Buffer
		if _, err := view.Fragment(&b, &datachain.Presentation{Datachain: r}, &view.Options{Locale: locale, MaxBytes: 1 << 20}); err != nil {
			require.ErrorIs(t, err, view.ErrTooLarge)
			return
		}
		harmless(t, b.String())
	})
}

// TestLinear shows that a page takes no more time than its document has sources, and that they are
// numbered once.
func TestLinear(t *testing.T) {
	growthtest.Linear(t, 500, func(n int) func() {
		r := small()
		r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
		for i := range 2 * n {
			r.Elements[0].Sources = append(r.Elements[0].Sources, taxonomy.Source{Title: fmt.Sprint("Law ", i/2)})
		}
		return func() {
			var b bytes.Buffer
			_, err := view.Write(&b, &datachain.Presentation{Datachain: r}, nil)
			require.NoError(t, err)
			assert.Contains(t, b.String(), fmt.Sprintf(">[%d]</a></p>", n))
		}
	})
}

// TestLettersAreLinear shows that a long title is not read again for the letter of each right.
func TestLettersAreLinear(t *testing.T) {
	growthtest.Linear(t, 50, func(n int) func() {
		r := small()
		for i := range r.SchemaSnapshot.Categories {
			r.SchemaSnapshot.Categories[i].Role = taxonomy.RoleRights
		}
		r.Title = taxonomy.Localized{{Locale: "en", Value: strings.Repeat("long ", 300*n)}}
		r.Elements = nil
		for range n {
			r.Elements = append(r.Elements, taxonomy.Placement{ElementID: "contact.office", Actions: []taxonomy.Action{{Type: "email", Target: "ask@town.example"}}})
		}
		return func() {
			page, _, err := view.Append(nil, &datachain.Presentation{Datachain: r}, nil)
			require.NoError(t, err)
			assert.Contains(t, string(page), "mailto:ask@town.example?subject=")
		}
	})
}

// TestInterrupt shows that a page stops between placements, in all formats.
func TestInterrupt(t *testing.T) {
	r := small()
	for range 100 {
		r.Elements = append(r.Elements, taxonomy.Placement{ElementID: "contact.office"})
	}
	p := &datachain.Presentation{Datachain: r}
	asked := 0
	count := &view.Options{Languages: true, Interrupt: func() error { asked++; return nil }}
	whole, _, err := view.Append(nil, p, count)
	require.NoError(t, err)
	require.Greater(t, asked, 100)
	for _, until := range []int{0, 1, asked / 2, asked - 1} {
		left := until
		o := &view.Options{Languages: true, Interrupt: func() error {
			if left--; left < 0 {
				return context.DeadlineExceeded
			}
			return nil
		}}
		got, _, err := view.Append(nil, p, o)
		require.ErrorIs(t, err, context.DeadlineExceeded, until)
		require.Empty(t, got)
		left = min(until, 100)
		_, _, err = view.AppendText(nil, p, view.Markdown, o)
		require.ErrorIs(t, err, context.DeadlineExceeded, until)
	}
	plain, _, err := view.Append(nil, p, &view.Options{Languages: true})
	require.NoError(t, err)
	require.Equal(t, string(plain), string(whole))
}

// TestRepeatedValue shows that a long value that a text repeats does not make more text than a page
// may have, in any format.
func TestRepeatedValue(t *testing.T) {
	r := small()
	r.SchemaSnapshot.Elements[0].Description = en(strings.Repeat("{{note}}", 2000))
	r.Elements = []taxonomy.Placement{{ElementID: "data.trips", Variables: []taxonomy.VariableValue{{ID: "note", Text: en(strings.Repeat("long ", 20_000))}}}}
	p := &datachain.Presentation{Datachain: r}
	for _, f := range []view.Format{view.Text, view.Markdown} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, _, err := view.AppendText(nil, p, f, &view.Options{MaxBytes: 1 << 20})
		runtime.ReadMemStats(&after)
		require.ErrorIs(t, err, view.ErrTooLarge)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(40<<20))
	}
}
