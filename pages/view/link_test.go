package view_test

import (
	"encoding/json"
	"html/template"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func TestLinks(t *testing.T) {
	for _, c := range []struct{ kind, target, want string }{
		{"email", "office@bikes.example", "mailto:office@bikes.example"},
		{"email", "mailto:office@bikes.example", "mailto:office@bikes.example"},
		{"email", "a@b.example?bcc=c@d.example", ""},
		{"email", "a@b.example,c@d.example", ""},
		{"email", "Office", ""},
		{"phone", "+49 (123) 45-60", "tel:+491234560"},
		{"phone", "tel:0123 4560", "tel:01234560"},
		{"phone", "+49 (0)123 4560", "tel:+491234560"},
		{"phone", "ask at the desk", ""},
		{"phone", "1", ""},
		{"phone", "+" + strings.Repeat("1", 21), ""},
		{"phone", "*#06#", ""},
		{"url", "https://bikes.example/a?b=c#d", "https://bikes.example/a?b=c#d"},
		{"url", "HTTPS://bikes.example", "https://bikes.example"},
		{"url", "http://bikes.example", ""},
		{"url", "javascript:alert(1)", ""},
		{"url", " \tjava\nscript:alert(1)", ""},
		{"url", "data:text/html,x", ""},
		{"url", "//bikes.example", ""},
		{"url", "https:bikes.example", ""},
		{"url", "https://bank.example@bikes.example", ""},
		{"url", "https://bikes.example\\@bank.example", ""},
		{"url", "https://bikes.example/L'Étape", "https://bikes.example/L%27%C3%89tape"},
		{"url", "https://bikes.example/?<b>", ""},
		{"url", `https://bikes.example/?"x`, ""},
		{"form", "https://bikes.example/form", "https://bikes.example/form"},
		{"postal", "https://bikes.example", ""},
		{"other", "https://bikes.example", ""},
	} {
		t.Run(c.kind+" "+c.target, func(t *testing.T) {
			r := small()
			r.Elements = []taxonomy.Placement{{ElementID: "contact.office", Actions: []taxonomy.Action{{Type: c.kind, Label: taxonomy.Label{Plain: "Do it"}, Target: c.target}}}}
			shown := page(t, r, "")
			links := all(shown, tag("a"))
			if c.want == "" {
				assert.Empty(t, links)
				assert.Contains(t, content(all(shown, class("actions"))[0]), strings.Join(strings.Fields(c.target), " "), "it is shown all the same")
				return
			}
			require.Len(t, links, 1)
			assert.Equal(t, c.want, attribute(links[0], "href"))
			assert.Equal(t, "noreferrer noopener", attribute(links[0], "rel"))
		})
	}
}

// TestLinksAreEscaped compares links, hosts and languages with what html/template writes.
func TestLinksAreEscaped(t *testing.T) {
	want := template.Must(template.New("").Parse(`<a href="{{.URL}}" target="_blank" rel="noreferrer noopener">`))
	for _, address := range []string{
		"https://bikes.example/a+b?x=(1)'&y=%41%zz%4#é", "https://bikes.example/{x}|^[1]~*!,;$", "https://bikes.example/%", "https://bikes.example/%a",
		"https://bikes.example/?q=\u202e日本", "https://bikes.example:8080/?a=1&b=2&amp;c=3",
	} {
		t.Run(address, func(t *testing.T) {
			u, err := url.Parse(address)
			if err != nil {
				u = &url.URL{} // it is not a link
			}
			var b strings.Builder
			require.NoError(t, want.Execute(&b, map[string]any{"URL": template.URL(u.String())})) //nolint:gosec // a constant
			r := small()
			r.Elements = []taxonomy.Placement{{ElementID: "contact.office", Sources: []taxonomy.Source{{Title: "Law", URL: address}}}}
			shown := render(t, &datachain.Presentation{Datachain: r}, nil)
			assert.Equal(t, err == nil, strings.Contains(shown, b.String()), "%s\n%s", b.String(), shown)
		})
	}
}

// TestLinkedSources: a URL of which validating does not warn is a link on the page, and no other.
func TestLinkedSources(t *testing.T) {
	for _, address := range []string{
		"https://bikes.example/a?b=ü#d", "HTTP://bikes.example", " https://bikes.example", "https://bikes.example/a b", "https://bikes.example/\u00a0",
		"https://anna:secret@bikes.example/", "https://bikes.example/<b>", "https:///a", "https://:80/", "ftp://bikes.example/", "bikes.example",
	} {
		t.Run(address, func(t *testing.T) {
			sources, err := json.Marshal([]taxonomy.Source{{Type: "law", Title: "Law", URL: address}})
			require.NoError(t, err)
			text := strings.Replace(string(sample(t, "air-station.json")), "{", `{"sources":`+string(sources)+",", 1)
			verdict, err := samples(t).Validate(t.Context(), []byte(text), nil)
			require.NoError(t, err)
			require.True(t, verdict.OK(), "%v", verdict.Issues)
			warned := slices.ContainsFunc(verdict.Issues, func(i issue.Issue) bool { return i.Code == "INSTANCE_SOURCE_URL_INVALID" })
			r := small()
			r.Sources = []taxonomy.Source{{Title: "Law", URL: address}}
			r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
			assert.Equal(t, !warned, len(all(all(page(t, r, ""), class("sources"))[0], tag("a"))) == 1)
		})
	}
}

func TestSources(t *testing.T) {
	r := small()
	r.Sources = []taxonomy.Source{{Title: "Law", URL: "http://laws.example/1", Citation: "Section 1", Licence: "CC-BY-4.0", Attribution: "The <city>"}, {Title: "Not a link", Licence: "CC0-1.0", URL: "file:///etc/passwd"}, {URL: "https://аррӏе.example/x"}}
	r.Elements = []taxonomy.Placement{{ElementID: "contact.office", Sources: []taxonomy.Source{{Title: "Own"}}, Citation: "As cited"}}
	shown := page(t, r, "")
	assert.Equal(t, []string{"Law laws.example Section 1 The <city> · CC-BY-4.0", "Not a link CC0-1.0", "https://аррӏе.example/x xn--80ak6aa92e.example", "Own"},
		texts(shown, func(n *html.Node) bool { return n.Data == "li" }))
	assert.Equal(t, []string{"As cited"}, texts(shown, class("cite")))
	assert.Equal(t, []string{"Sources: [4]"}, texts(shown, class("refs")))
}

// TestGiven checks that the sources of an element are separate from those of its placement,
// except for suggested elements.
func TestGiven(t *testing.T) {
	r := small()
	r.SchemaSnapshot.Elements[1].Sources = []taxonomy.Source{{Title: "Law", URL: "https://laws.example"}}
	r.SuggestedElements = []taxonomy.Element{{ID: "data.new", CategoryID: "data", Title: en("New"), Sources: []taxonomy.Source{{Title: "Blog"}}}}
	r.Elements = []taxonomy.Placement{
		{ElementID: "contact.office", Sources: []taxonomy.Source{{Title: "Own"}}},
		{ElementID: "contact.office"},
		{ElementID: "data.new", Sources: []taxonomy.Source{{Title: "Letter"}}},
		{ElementID: "data.new"},
	}
	var got []string
	shown := page(t, r, "")
	for _, card := range all(shown, class("body")) {
		got = append(got, strings.Join(texts(card, func(n *html.Node) bool { return class("refs")(n) || class("given")(n) || n.Data == "li" }), ", "))
	}
	assert.Equal(t, []string{
		"Sources: [1] [2]", "Sources: [2]",
		"Sources: [3], Sources named by the taxonomy, Law laws.example", "Sources named by the taxonomy, Law laws.example",
	}, got)
	assert.Equal(t, []string{"Letter Blog Own"}, texts(shown, func(n *html.Node) bool { return n.Data == "ol" && class("sources")(n) }), "each once, in order")
}

// TestHosts checks that a host is shown in Unicode unless it could be mistaken for another.
func TestHosts(t *testing.T) {
	for address, want := range map[string]struct{ host, href string }{
		"https://bikes.example:8080/a":   {"bikes.example:8080", "https://bikes.example:8080/a"},
		"https://[2001:db8::1]/":         {"[2001:db8::1]", "https://[2001:db8::1]/"},
		"https://a_b.example":            {"a_b.example", "https://a_b.example"},
		"https://BÜCHER.example:81/ü":    {"bücher.example:81", "https://xn--bcher-kva.example:81/%C3%BC"},
		"https://XN--bcher-kva.example":  {"bücher.example", "https://xn--bcher-kva.example"},
		"https://b%C3%BCcher.example":    {"bücher.example", "https://xn--bcher-kva.example"},
		"https://例え.テスト":                 {"例え.テスト", "https://xn--r8jz45g.xn--zckzah"},
		"https://スーパー.example":           {"スーパー.example", "https://xn--zck5b0gb.example"},
		"https://مثال.إختبار":            {"مثال.إختبار", "https://xn--mgbh0fb.xn--kgbechtv"},
		"https://пример.рф/":             {"пример.рф", "https://xn--e1afmkfd.xn--p1ai/"},
		"https://пример.example":         {"xn--e1afmkfd.example", "https://xn--e1afmkfd.example"},
		"https://аррӏе.com":              {"xn--80ak6aa92e.com", "https://xn--80ak6aa92e.com"},
		"https://аррӏе.テスト":              {"xn--80ak6aa92e.xn--zckzah", "https://xn--80ak6aa92e.xn--zckzah"},
		"https://pаypal.example":         {"xn--pypal-4ve.example", "https://xn--pypal-4ve.example"},
		"https://paypaı.example":         {"xn--paypa-r4a.example", "https://xn--paypa-r4a.example"},
		"https://ɑpple.example":          {"xn--pple-p5b.example", "https://xn--pple-p5b.example"},
		"https://gοοgle.ελ":              {"xn--ggle-0nda.xn--qxam", "https://xn--ggle-0nda.xn--qxam"},
		"https://xn--a.example":          {"", ""},
		"https://a\u200Bb\u202E.example": {"", ""},
		"https://-ü-.example":            {"", ""},
	} {
		t.Run(address, func(t *testing.T) {
			r := small()
			r.Sources = []taxonomy.Source{{Title: "Here", URL: address}}
			r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
			list := all(page(t, r, ""), class("sources"))[0]
			links := all(list, tag("a"))
			if want.href == "" {
				assert.Empty(t, links)
				return
			}
			require.Len(t, links, 1)
			assert.Equal(t, want.href, attribute(links[0], "href"))
			assert.Equal(t, []string{want.host}, texts(list, class("target")))
		})
	}
}
