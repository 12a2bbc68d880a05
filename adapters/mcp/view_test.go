package mcp_test

import (
	"context"
	"html"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/published"
)

// viewed returns the page that the resource shows.
func (h *host) viewed() string {
	h.t.Helper()
	page, err := ask[struct{ Contents []struct{ Text string } }](h, "resources/read", map[string]string{"uri": "ui://service/datachain/view.html"})
	require.NoError(h.t, err)
	return page.Contents[0].Text
}

// Without a view of the program, pages have titles, descriptions, values and icons.
func TestPlainPage(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	assert.Contains(t, h.viewed(), "<title>datachain (awaiting tool call)</title>")
	r := h.tool("render_datachain", strings.Replace(with("kiosk@latest", goodKiosk), "{", `{"locale":"fr-CA",`, 1))
	require.Equal(t, true, r.envelope["ok"], r.codes())
	assert.EqualValues(t, 2, r.data()["section_count"])
	assert.EqualValues(t, 2, r.data()["element_count"])
	page := h.viewed()
	for _, part := range []string{
		`<html lang="fr">`, "<title>Station kiosk</title>", "<h2>Usage</h2>", "Vend des billets</h3>", "<p>Elle vend des billets de Railways.</p>", "<p>Société: Railways</p>",
		`<img src="data:image/svg+xml;base64,`,
	} {
		assert.Contains(t, html.UnescapeString(page), part)
	}
	assert.NotContains(t, page, "<script")
}

func TestPlainPagesOfSamples(t *testing.T) {
	h := serve(t, must(published.Store()), nil)
	for _, name := range []string{"benefits.json", "benefits.resolved.json"} {
		r := h.tool("render_datachain", with("ai@latest", string(document(t, name))))
		require.Equal(t, true, r.envelope["ok"], r.codes())
		assert.Contains(t, h.viewed(), "<h1>")
	}
}

// Texts of a document are texts in the page, too.
func TestHostilePlainPage(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	hostile := strings.NewReplacer("Station kiosk", "<script>1</script>\u202e", "Railways", "{{company}}<img src=x onerror=alert(1)>").Replace(goodKiosk)
	r := h.tool("render_datachain", with("kiosk@latest", hostile))
	require.Equal(t, true, r.envelope["ok"], r.codes())
	page := h.viewed()
	assert.NotContains(t, page, "<script")
	assert.NotContains(t, page, "<img src=x")
	assert.NotContains(t, page, "\u202e")
	assert.Contains(t, page, "&lt;script&gt;")
}

func TestLargePlainPage(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	r := h.tool("render_datachain", with("kiosk@latest", strings.Replace(goodKiosk, `,{"element_id":"data.card"`, strings.Repeat(`,{"element_id":"use.maps"}`, 12_000)+`,{"element_id":"data.card"`, 1)))
	assert.True(t, r.IsError)
	assert.Equal(t, []string{"payload_too_large"}, r.codes())
	assert.Contains(t, h.viewed(), "awaiting tool call")
}

// ownView is the view of a program.
type ownView struct{}

func (ownView) Render(_ context.Context, p *datachain.Presentation, locale string) (*mcp.Page, error) {
	return &mcp.Page{
		HTML: []byte("<p>" + p.Datachain.ID + " in " + locale + "</p>"), Locale: "de", Sections: 7, Elements: 8,
		Meta: map[string]string{"example.org/b": "</script>" + p.Datachain.Title.Pick("en"), "example.org/a": "1"},
	}, nil
}

func (ownView) Placeholder() []byte { return []byte("<p>Wait</p>") }

// A program shows datachains its own way.
func TestOwnView(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{View: ownView{}})
	assert.Equal(t, "<p>Wait</p>", h.viewed())
	r := h.tool("render_datachain", strings.Replace(with("kiosk@latest", goodKiosk), "{", `{"locale":"fr",`, 1))
	assert.Equal(t, "<p>k1 in fr</p>", h.viewed())
	assert.EqualValues(t, 7, r.data()["section_count"])
	assert.EqualValues(t, 8, r.data()["element_count"])
	assert.Equal(t, "1", r.Meta["example.org/a"])
	assert.Equal(t, "</script>Station kiosk", r.Meta["example.org/b"])
	assert.Contains(t, r.Meta, "ui")
	assert.Contains(t, r.Content[0].Text, "so the page is in de")
	assert.NotContains(t, r.Content[0].Text, "example.org", "it is not for the model")
}
