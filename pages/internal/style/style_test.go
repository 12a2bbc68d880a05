package style_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/taxonomy"
)

func context(order taxonomy.Order) *taxonomy.Context {
	return &taxonomy.Context{Order: order, Values: []taxonomy.ContextValue{{ID: "a", Color: "#FFFFFF"}, {ID: "b", Color: "#1A1A80"}, {ID: "c"}}}
}

// TestTag shows that a level is seen by its colour and its bars, and heard by its rank.
func TestTag(t *testing.T) {
	c := context("rising")
	got := style.Tag(c, &c.Values[1], "<b>Middle</b>", "(level %d of %d)")
	assert.Contains(t, got, `class="tag white"`)
	assert.Contains(t, got, "<b>Middle</b>")
	assert.Contains(t, got, "(level 2 of 3)")
	assert.Equal(t, 2, strings.Count(got, `fill="currentColor"`))
	assert.Equal(t, 1, strings.Count(got, `fill="none"`))
	c = context("falling")
	assert.Contains(t, style.Tag(c, &c.Values[0], "x", "%d/%d"), "3/3")
	c = context("")
	assert.NotContains(t, style.Tag(c, &c.Values[0], "x", "%d/%d"), "bars")
	assert.Contains(t, style.Swatch(c, &c.Values[0]), `fill="#FFFFFF"`)
	assert.Empty(t, style.Swatch(c, &c.Values[2]))
}

// TestSizes holds the style sheet to its five sizes, and to tokens for colours.
func TestSizes(t *testing.T) {
	for _, size := range regexp.MustCompile(`font-size: ([^;]+);`).FindAllStringSubmatch(style.CSS, -1) {
		require.Contains(t, []string{"inherit", "var(--meta)", "var(--row)", "var(--large)", "clamp(1.75rem, 1.4rem + 1.5vw, 2.375rem)"}, size[1])
	}
	_, components, _ := strings.Cut(style.CSS, "/* Ground. */")
	for _, color := range regexp.MustCompile(`#[0-9a-f]{3,6}\b`).FindAllString(components, -1) {
		require.Contains(t, []string{"#000", "#0006", "#fff", "#fff6"}, color) // on a tag
	}
}
