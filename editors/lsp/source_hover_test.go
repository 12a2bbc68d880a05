package lsp_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestSourceHover explains ids and references by the texts in the editor.
func TestSourceHover(t *testing.T) {
	files := bikes(t)
	e := author(t, files)
	text := string(files["bikes/2026-09-01-beta/elements/all.yaml"].Data)
	category := string(files["bikes/2026-09-01-beta/categories/contact.yaml"].Data)
	edited := strings.Replace(category, "{en: Address,", "{en: Mail *address*,", 1)
	require.NotEqual(t, category, edited)
	e.open(elements, text)
	e.open(contact, edited)
	hover := func(uri, text, part string) (string, string) {
		t.Helper()
		var h *struct {
			Contents struct{ Kind, Value string }
			Range    span
		}
		e.into(&h, "textDocument/hover", object{"textDocument": object{"uri": uri}, "position": place(t, text, part)})
		if h == nil {
			return "", ""
		}
		assert.Equal(t, "markdown", h.Contents.Kind)
		return h.Contents.Value, text[offsetOf(text, h.Range.Start):offsetOf(text, h.Range.End)]
	}
	for _, c := range []struct {
		name, part, id string
		want           []string
		picture        bool
	}{
		{"a category", "contact\n  symbol_id", "contact", []string{"**Contact** `contact`", "Who answers questions", "`address` Mail \\*address\\*", `categories/contact.yaml, line 1`}, false},
		{"a symbol", "dot\n", "dot", []string{"`dot`", `symbols/dot.svg`}, true},
		{"an element", "contact.office", "contact.office", []string{"**Office** `contact.office`", `Write to [Mail \*address\*]`, `elements/all.yaml, line 11`}, true},
		{"a variable", "address}}.\", fr", "address", []string{"**Mail \\*address\\*** `address`", "variable of the category contact", `categories/contact.yaml, line 6`}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, id := hover(elements, text, c.part)
			for _, part := range c.want {
				assert.Contains(t, got, part)
			}
			assert.Equal(t, c.id, id)
			assert.Equal(t, c.picture, strings.Contains(got, "data:image/svg+xml;base64,"))
		})
	}
	t.Run("Markdown", func(t *testing.T) {
		for i, c := range []struct{ text, want string }{
			{"well-known, 2.5 + 3 = 5.5! (a) {b} #1 snake_case a>b 1.x R&D", "well-known, 2.5 + 3 = 5.5! (a) {b} #1 snake_case a>b 1.x R\\&D"},
			{"- item", "\\- item"},
			{"+ item", "\\+ item"},
			{"12. item", "12\\. item"},
			{"3) item", "3\\) item"},
			{"## heading", "\\## heading"},
			{"> quote", "\\> quote"},
			{"a\n===", "a\n\\==="},
			{"a\n - - -", "a\n \\- - -"},
			{"*a* _b_ `c` ~~d~~ x_", "\\*a\\* \\_b\\_ \\`c\\` \\~\\~d\\~\\~ x\\_"},
			{"![a](b) <b> &lt; &#60; a|b", "![a\\](b) \\<b> \\&lt; \\&#60; a\\|b"},
			{"[a] [b](c) [d][e] [f]", "[a] [b\\](c) [d\\][e] [f]"},
			{"[a]: b", "[a\\]: b"},
			{`C:\dir \* \`, `C:\dir \\\* \\`},
		} {
			quoted, err := json.Marshal(c.text)
			require.NoError(t, err)
			described := strings.Replace(text, "- id: contact.office\n", "- id: contact.office\n  description: {en: "+string(quoted)+"}\n", 1)
			described = strings.Replace(described, "  description: {en: \"Write to", "  order: 1 # {en: \"Write to", 1)
			e.change(elements, i+2, described)
			got, _ := hover(elements, described, "contact.office")
			assert.Contains(t, got, "\n\n"+c.want+"\n\n")
		}
		e.change(elements, 100, text)
	})
	got, key := hover(elements, text, "title:")
	assert.NotEmpty(t, got)
	assert.Equal(t, "title", key)

	// The icon is that of the release.
	store, err := memstore.New(compiled(t, files).Publications()...)
	require.NoError(t, err)
	schema, err := must(datachain.New(store, nil)).Open(t.Context(), "bikes@2026-09-01-beta")
	require.NoError(t, err)
	icon, err := schema.Icon(t.Context(), "contact.office", "default")
	require.NoError(t, err)
	got, _ = hover(elements, text, "contact.office")
	assert.Contains(t, got, base64.StdEncoding.EncodeToString(icon.SVG))

	// What can't be published is not shown.
	symbol := schemas + "/bikes/2026-09-01-beta/symbols/dot.svg"
	e.open(symbol, `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)
	got, _ = hover(elements, text, "contact.office")
	assert.Contains(t, got, "**Office**")
	assert.NotContains(t, got, "data:")
}

func compiled(t *testing.T, files fstest.MapFS) *source.Tree {
	t.Helper()
	tree, err := source.CompileAll(files, nil)
	require.NoError(t, err)
	return tree
}

// TestSymbolHover shows a symbol anywhere in its file, as it is drawn on the shape of an
// element that uses it.
func TestSymbolHover(t *testing.T) {
	files := bikes(t)
	const path = "bikes/2026-09-01-beta/symbols/dot.svg"
	e := author(t, files)
	e.open(schemas+"/"+path, string(files[path].Data))
	hover := func() string {
		return string(e.ask("textDocument/hover", object{"textDocument": object{"uri": schemas + "/" + path}, "position": position{0, 3}}))
	}
	symbol, _ := icons.Sanitize(files[path].Data)
	svg, err := icons.Append(nil, taxonomy.Hexagon, symbol, icons.DefaultColors(), &icons.Options{Size: 96})
	require.NoError(t, err)
	got := hover()
	assert.Contains(t, got, base64.StdEncoding.EncodeToString(svg))
	assert.Contains(t, got, "Defined in bikes/2026")

	e.change(schemas+"/"+path, 2, `<svg xmlns="http://www.w3.org/2000/svg"><path d=`)
	got = hover()
	assert.Contains(t, got, "`dot`")
	assert.NotContains(t, got, "data:")
}

// TestPictures are sent only to clients that show them: others would show the data URI.
func TestPictures(t *testing.T) {
	markdown := object{"textDocument": object{"hover": object{"contentFormat": []string{"markdown"}}}}
	for _, c := range []struct {
		name   string
		params object
		want   bool
	}{
		{"Visual Studio Code", object{"capabilities": full}, true},
		{"a terminal", object{"capabilities": markdown}, false},
		{"a terminal with pictures", object{"capabilities": markdown, "initializationOptions": object{"pictures": true}}, true},
		{"no pictures, please", object{"capabilities": full, "initializationOptions": object{"pictures": false}}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			e := connect(t, lsp.New(opened(samples(t)), nil))
			e.initialize(c.params)
			e.open(chain, valid)
			got := string(e.ask("textDocument/hover", at(place(t, valid, "purpose.environment"))))
			assert.Contains(t, got, "**Air, noise and weather**")
			assert.Equal(t, c.want, strings.Contains(got, "data:image/svg"))
		})
	}
}
