package pages_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/taxonomy"
)

// attack is a text that would do harm as HTML, and turn the text after it around.
const attack = "\"'><script>trap()</script><img src=x onerror=trap()>{{x}}</title></textarea>\u202Eevil\u2066 &lt;b&gt; `${trap()}`"

// reorders has the characters that change the direction of the text after them.
const reorders = "\u202A\u202B\u202C\u202D\u202E\u2066\u2067\u2068\u2069"

// hostile returns a store in which every text is an attack, in two languages, one of
// which is written from right to left, and another in the version before.
func hostile(t *testing.T) taxonomy.Store {
	t.Helper()
	before := hostileContent(strings.ReplaceAll(attack, "evil", "bad"))
	before.Elements[1].ID, before.Elements[0].ReplacedBy = "gone", nil
	before.Removed = []taxonomy.Removal{}
	return publishedAll(t, map[string]taxonomy.Content{"bad@2026-09-01-beta": before, "bad@2026-10-01-beta": hostileContent(attack)})
}

// hostileContent returns a taxonomy in which every text is an attack.
func hostileContent(attack string) taxonomy.Content {
	bad := taxonomy.Localized{{Locale: "fa", Value: "هجوم " + attack}, {Locale: "en", Value: attack}}
	variables := []taxonomy.Variable{
		{ID: "x", Label: bad, Required: true, Type: taxonomy.TextVariable},
		{ID: "y", Label: bad, Type: taxonomy.SelectVariable, Options: []taxonomy.Option{{ID: "one", Label: bad, Description: bad, AppliesTo: []string{"e.1"}, RenamedFrom: []string{"zero"}}}},
	}
	var sources []taxonomy.Source
	for _, u := range []string{"javascript:trap()", "data:text/html,<script>trap()</script>", "https://example.org/\"><script>trap()</script>", "//example.org", "https://user@example.org/", "https://example.org/?a=<b>"} {
		sources = append(sources, taxonomy.Source{Type: attack, Title: attack, URL: u, Citation: attack, Licence: u, Attribution: attack})
	}
	mappings := []taxonomy.Mapping{{Scheme: "law", ID: attack, Relation: codes.RelationClose, Note: bad}}
	return taxonomy.Content{
		Title: bad, Description: bad, Locales: []string{"fa", "en"}, Notes: bad, Licence: attack, Attribution: attack,
		Schemes: []taxonomy.Scheme{{ID: "law", Title: bad, URL: "javascript:trap()", Version: attack}},
		Removed: []taxonomy.Removal{{ID: "gone", ReplacedBy: []taxonomy.Successor{{ID: "e.1", Note: bad}}, Note: bad, Since: taxonomy.MustVersion("bad@2026-10-01-beta")}},
		Type:    taxonomy.Type{ID: "bad", Name: bad, Description: bad, Categories: []string{"c"}, Subchains: []taxonomy.Subchain{{ID: "s", Name: bad, Categories: []string{"c"}}}},
		Categories: []taxonomy.Category{{
			ID: "c", Name: bad, Description: bad, Shape: taxonomy.Hexagon, Required: true, Variables: variables, Prompt: bad, AuthoringGuidance: bad, Mappings: mappings,
			Context: taxonomy.Context{ID: "k", Name: bad, Description: bad, Values: []taxonomy.ContextValue{{ID: "v", Label: bad, Description: bad, Color: "#112233"}}},
		}},
		Elements: []taxonomy.Element{{
			ID: "e.1", Title: bad, Description: bad, CategoryID: "c", SymbolID: "s", IconVariants: []string{"default", "dark", "v"}, Variables: variables,
			Keywords: bad, AuthoringGuidance: bad, Sources: sources, Mappings: mappings, Status: codes.StatusDeprecated,
			ReplacedBy: []taxonomy.Successor{{ID: "e.2", Note: bad}}, Examples: []taxonomy.Localized{bad, bad},
		}, {
			ID: "e.2", Title: bad, Description: bad, CategoryID: "c", SymbolID: "s", IconVariants: []string{"default", "dark", "v"}, Variables: variables,
		}},
		Symbols: map[string]string{"s": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><script>trap()</script><circle r="3" onload="trap()"/></svg>`},
	}
}

// TestHostile checks that texts of a taxonomy are shown as text, wherever they are.
func TestHostile(t *testing.T) {
	s := open(t, hostile(t), nil)
	for _, path := range []string{
		"/", "/?q=script", "/?part=results&q=script", "/t/bad@latest", "/t/bad@latest?q=script", "/t/bad@latest?lang=en&category=c", "/t/bad@latest?part=results&q=script",
		"/t/bad@latest/c/c", "/t/bad@latest/c/c?lang=en", "/t/bad@latest/e/e.1", "/t/bad@latest/e/e.1?lang=en",
		"/t/bad@latest/s/law", "/t/bad@latest/s/law?lang=en", "/t/bad@latest/s/%3Cscript%3E", "/t/bad@latest/e/gone", "/t/bad@latest/e/%3Cscript%3E", "/t/%3Cscript%3E@x", "/%3Cscript%3Etrap()",
		"/t/bad@latest/c/%E2%80%AE", "/t/%E2%80%AE@x", hostileComparison, hostileComparison + "&lang=en", hostileComparison + "&severity=%E2%80%AE",
	} {
		res := s.do(http.MethodGet, path)
		assert.Equal(t, -1, strings.IndexAny(res.body, reorders), path)
		root := parse(t, res.body)
		shown := false
		for n := range root.Descendants() {
			switch n.Type {
			case html.TextNode:
				shown = shown || strings.Contains(n.Data, "<script>trap()</script>")
			case html.ElementNode:
				checkElement(t, path, &node{n})
			default:
			}
		}
		if res.StatusCode == http.StatusOK {
			assert.True(t, shown, path)
		}
	}
}

const hostileComparison = "/compare?old=bad@2026-09-01-beta&new=bad@2026-10-01-beta"

// TestReordering checks that characters which reorder text are neither on pages nor in linked
// data, of a server and of a static site. What programs read is as published.
func TestReordering(t *testing.T) {
	s := open(t, hostile(t), &pages.Options{BaseURL: "https://example.org"})
	const latest = "/t/bad@latest"
	for _, path := range []string{latest, latest + "/e/e.1", latest + "/s/law", "/compare", "/play"} {
		for _, lang := range []string{"fa", "en"} {
			res := s.do(http.MethodGet, path+"?lang="+lang)
			require.Equal(t, http.StatusOK, res.StatusCode, path)
			assert.Equal(t, -1, strings.IndexAny(res.body, reorders), path)
			assert.Contains(t, res.body, "evil", path)
		}
	}
	count := 0
	before, after := hostileContent(strings.ReplaceAll(attack, "evil", "bad")), hostileContent(attack)
	before.Symbols = map[string]string{"s": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle r="3"/></svg>`}
	after.Symbols = before.Symbols // the others are not served
	for name, body := range writeSite(t, publishedAll(t, map[string]taxonomy.Content{"bad@2026-09-01-stable": before, "bad@2026-10-01-beta": after}), nil) {
		if strings.HasSuffix(name, ".html") {
			assert.Equal(t, -1, strings.IndexAny(string(body), reorders), name)
			count++
		}
	}
	assert.Greater(t, count, 10)
}

// checkElement checks that an element of a page does and loads nothing that is not ours.
func checkElement(t *testing.T, path string, n *node) {
	t.Helper()
	switch {
	case n.Data == "script" && n.attr("type") == "application/ld+json": // data, which is not executed
		require.True(t, json.Valid([]byte(n.FirstChild.Data)), path)
	case n.Data == "script":
		require.Regexp(t, `^/assets/explorer\.[0-9a-f]+\.js$`, n.attr("src"), path)
		require.Nil(t, n.FirstChild, path)
	}
	assert.NotContains(t, []string{"img", "iframe", "object", "embed", "base", "style"}, n.Data, path)
	for _, a := range n.Attr {
		assert.False(t, strings.HasPrefix(a.Key, "on") || a.Key == "style" || a.Key == "srcdoc", "%s: %s", path, a.Key)
		if a.Key == "href" || a.Key == "src" || a.Key == "action" {
			address := strings.ToLower(a.Val)
			assert.True(t, strings.HasPrefix(address, "/") && !strings.HasPrefix(address, "//") || strings.HasPrefix(address, "#") || strings.HasPrefix(address, "https://example.org/"), "%s: %s", path, a.Val)
		}
	}
}

// TestRightToLeft checks that a page in a language that is written from right to left is
// laid out so, and that its words, which are English, are marked as such.
func TestRightToLeft(t *testing.T) {
	s := open(t, hostile(t), nil)
	p := s.page("/t/bad@latest")
	root := p.first(t, "html")
	assert.Equal(t, "rtl", root.attr("dir"))
	assert.Equal(t, "en", root.attr("lang"))
	h1 := p.first(t, "h1")
	assert.Equal(t, "fa", h1.attr("lang"))
	assert.Empty(t, h1.attr("dir"), "that of the page")
	p = s.page("/t/bad@latest?lang=en")
	assert.Equal(t, "ltr", p.first(t, "html").attr("dir"))
	assert.Empty(t, p.first(t, "h1").attr("lang"))
}

// TestLanguagesMarked checks that every Persian text is marked as such on pages whose words
// are English, and from right to left on pages that are not.
func TestLanguagesMarked(t *testing.T) {
	older, newer := hostileContent("one text {{x}}"), hostileContent("a text {{x}}") // after a Persian word, if it is Persian
	older.Notes, older.Elements = nil, older.Elements[:1]
	older.Elements[0].ReplacedBy = nil
	large := large(200)
	only := taxonomy.Localized{{Locale: "fa", Value: "كبير"}}
	large.Locales, large.Title, large.Type.Name = []string{"en", "fa"}, only, only
	for i := range large.Categories {
		large.Categories[i].Name = only
	}
	s := open(t, publishedAll(t, map[string]taxonomy.Content{
		"bad@2026-09-01-beta": older, "bad@2026-10-01-beta": newer, "big@2026-10-01-stable": large,
	}), &pages.Options{Samples: []pages.Sample{{Name: "one", Text: []byte(`{"id": "one", "schema_version": "bad@2026-10-01-beta", "created_at": "2026-06-01T10:00Z", "title": [{"locale": "fa", "value": "وثيقة"}], "elements": []}`)}}})
	for _, path := range []string{
		"/", "/?q=نص", "/t/bad@latest", "/t/bad@latest?q=نص", "/t/bad@latest?category=c", "/t/bad@latest/c/c", "/t/bad@latest/e/e.1",
		"/t/bad@latest/s/law", "/compare", hostileComparison, "/play", "/t/big@latest", "/t/big@latest/c/c0", "/t/big@latest/e/e00001", "/t/big@latest?category=c1",
	} {
		for _, lang := range []string{"fa", "en"} {
			u, err := url.Parse(path)
			require.NoError(t, err)
			query := u.Query()
			query.Set("lang", lang)
			u.RawQuery = query.Encode()
			found := checkMarked(t, s.page(u.String()), path+" "+lang)
			assert.True(t, found > 0 || lang == "en", path)
		}
	}
}

// checkMarked checks the language and the direction of Persian texts and labels, and
// returns how many there are.
func checkMarked(t *testing.T, root *node, path string) (found int) {
	t.Helper()
	for d := range root.Descendants() {
		n, shown := &node{d}, d.Data
		switch {
		case d.Type == html.TextNode && d.Parent.Data != "title" && d.Parent.Data != "script" && d.Parent.Data != "style":
			n = &node{d.Parent}
		case d.Type == html.ElementNode && d.Data == "optgroup":
			shown = n.attr("label")
		default:
			continue
		}
		if !strings.ContainsFunc(shown, func(r rune) bool { return unicode.Is(unicode.Arabic, r) }) || n.is("code") && n.attr("id") != "" || shown == "العربية" {
			continue // what is copied as JSON is no text, and the name of Arabic is marked as such
		}
		found++
		assert.Equal(t, "fa", n.inherited("lang"), "%s: %s in %s", path, shown, n.Data)
		if dir := n.inherited("dir"); n.Data != "bdi" && dir != "auto" && dir != "" && shown != "فارسی" { // a part inherits that of its page
			assert.Equal(t, "rtl", dir, "%s: %s in %s", path, shown, n.Data)
		}
	}
	return found
}

// inherited returns the value of an attribute of a node, or of the nearest one around it.
func (n *node) inherited(name string) string {
	for n.Node != nil {
		if value := n.attr(name); value != "" {
			return value
		}
		n = &node{n.Parent}
	}
	return ""
}
