package pages_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/pages/view"
)

// TestComposePreview shows the page of a description from the first answer on, with a mark for
// everything that has to be said.
func TestComposePreview(t *testing.T) {
	s := open(t, nil, nil)
	c := &composer{s, s.page("/compose?new=sensor@2026-11-15-stable&lang=en")}
	preview := func() (page *node, gaps int) {
		t.Helper()
		form := c.page
		res := c.press("page")
		assert.Equal(t, view.ContentSecurityPolicy(), res.Header.Get("Content-Security-Policy"))
		page, c.page = c.page, form
		return page, len(page.all(".gap"))
	}
	page, empty := preview()
	assert.Equal(t, "Not said yet", page.first(t, "h1").text())
	assert.Contains(t, page.first(t, ".short").text(), "Nothing is said about")

	c.fill("l:en:title", "Gate")
	c.press("next")
	c.press("next")
	for _, element := range []string{"device.camera", "data.images"} {
		category, _, _ := strings.Cut(element, ".")
		c.press("open c-" + category)
		c.press("place:" + element)
	}
	page, some := preview()
	assert.Equal(t, "Gate", page.first(t, "h1").text())
	assert.Less(t, some, empty)
	for _, article := range page.all("article.placement") {
		assert.Contains(t, article.text(), map[string]string{"e1": "Area in viewNot said yet", "e2": "Can it identify people?Not said yet"}[article.attr("id")])
	}
	var sections []string
	for _, section := range page.all("section.category") {
		sections = append(sections, section.first(t, "h2").text())
	}
	assert.Equal(t, []string{"Purpose", "Device", "What it collects", "Who is responsible"}, sections[:4], "in their order")

	// A finished one has no gaps.
	c = s.openDocument(valid(t, "crossing-camera.json"))
	_, none := preview()
	assert.Zero(t, none)
	// What the version does not know is left out.
	c = s.openDocument(`{"id": "a", "title": [{"locale": "en", "value": "A"}], "schema_version": "` + stable + `", "created_at": "2026-06-01T10:00:00Z", "elements": [{"element_id": "gone"}]}`)
	page, _ = preview()
	require.Equal(t, "A", page.first(t, "h1").text())
	assert.NotContains(t, page.text(), "gone")
}
