package mcpapp_test

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/pages/view/mcpapp"
)

// present prepares a sample to be shown, with the first placement that many times more.
func present(t *testing.T, more int) *datachain.Presentation {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	service, err := datachain.New(store, &datachain.Options{MaxInput: -1, MaxCPU: -1})
	require.NoError(t, err)
	sample, _ := documents.Find("benefits.json")
	_, shown, err := service.Present(t.Context(), sample.Text)
	require.NoError(t, err)
	require.NotNil(t, shown)
	for range more {
		shown.Datachain.Elements = append(shown.Datachain.Elements, shown.Datachain.Elements[0])
	}
	return shown
}

var _ mcp.View = mcpapp.View{}

// The fragment of a result is the one of package view, in all languages of the document.
func TestFragment(t *testing.T) {
	shown := present(t, 0)
	var want bytes.Buffer
	summary, err := view.Fragment(&want, shown, &view.Options{Languages: true})
	require.NoError(t, err)
	page, err := mcpapp.View{}.Render(t.Context(), shown, "")
	require.NoError(t, err)
	assert.Equal(t, map[string]string{view.FragmentKey: want.String()}, page.Meta)
	assert.Contains(t, string(page.HTML), want.String())
	assert.Equal(t, view.Summary{Locale: page.Locale, Sections: page.Sections, Elements: page.Elements}, summary)
	page, err = mcpapp.View{}.Render(t.Context(), shown, "fr-CA")
	require.NoError(t, err)
	assert.Equal(t, "fr", page.Locale)
}

// A page that is too large for the result has no fragment, and one that is far too large is refused.
func TestLargePages(t *testing.T) {
	page, err := mcpapp.View{}.Render(t.Context(), present(t, 200), "fr")
	require.NoError(t, err)
	assert.Equal(t, 1, strings.Count(page.Meta[view.FragmentKey], "<main "), "in one language")
	assert.Greater(t, strings.Count(string(page.HTML), "<main "), 1)
	page, err = mcpapp.View{}.Render(t.Context(), present(t, 800), "fr")
	require.NoError(t, err)
	assert.Empty(t, page.Meta)
	_, err = mcpapp.View{}.Render(t.Context(), present(t, 4000), "fr")
	require.ErrorIs(t, err, mcp.ErrPageTooLarge)
}

func TestCanceled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := mcpapp.View{}.Render(ctx, present(t, 0), "")
	require.ErrorIs(t, err, context.Canceled)
}

func TestPlaceholder(t *testing.T) {
	var want strings.Builder
	require.NoError(t, view.Placeholder(&want))
	assert.Equal(t, want.String(), string(mcpapp.View{}.Placeholder()))
}
