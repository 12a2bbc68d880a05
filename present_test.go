package datachain_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

func present(t *testing.T, s *datachain.Service, version string, text []byte) *datachain.Presentation {
	t.Helper()
	v, p, err := s.Present(t.Context(), text)
	if version != "" {
		v, p, err = openIn(t, s, version).Present(t.Context(), text)
	}
	require.NoError(t, err)
	require.True(t, v.OK(), "%v", v.Issues)
	require.NotNil(t, p)
	return p
}

// TestPresent shows that a thin document is shown as what it resolves to.
func TestPresent(t *testing.T) {
	s := samples(t)
	for _, e := range documents.Valid() {
		version := pinned(t, e.Text)
		for _, addressed := range []string{version, ""} {
			p := present(t, s, addressed, e.Text)
			assert.Equal(t, version, p.Release.Version().String(), e.Name)
			for _, element := range p.Datachain.SchemaSnapshot.Elements {
				svg, drawn := p.AppendIcon(nil, &element, "dark", nil)
				assert.True(t, drawn, element.ID)
				icon, err := openIn(t, s, version).Icon(t.Context(), element.ID, "dark")
				require.NoError(t, err)
				assert.Equal(t, string(icon.SVG), string(svg))
			}
			if !e.Resolved() {
				resolved, ok := documents.Find(strings.Replace(e.Name, ".json", ".resolved.json", 1))
				require.True(t, ok)
				assert.Equal(t, present(t, s, "", resolved.Text).Datachain.SchemaSnapshot, p.Datachain.SchemaSnapshot, e.Name)
			}
		}
	}
}

func TestPresentInvalid(t *testing.T) {
	s := samples(t)
	thin, resolved := read(t, "benefits.json"), read(t, "benefits.resolved.json")

	v, p, err := openIn(t, s, "ai@latest-beta").Present(t.Context(), thin)
	require.NoError(t, err)
	assert.Nil(t, p)
	assert.Contains(t, codesOf(v.Errors()), issue.Code(codes.SchemaVersionMismatch))

	v, p, err = openIn(t, s, "ai@latest").Present(t.Context(), []byte(strings.Replace(string(resolved), `"keywords":[`, `"keywords":[{"locale":"en","value":"x"},`, 1)))
	require.NoError(t, err)
	assert.Nil(t, p)
	assert.Contains(t, codesOf(v.Errors()), issue.Code(codes.SnapshotDrift))

	v, p, err = openIn(t, s, "ai@latest").Present(t.Context(), []byte(`{}`))
	require.NoError(t, err)
	assert.Nil(t, p)
	assert.EqualValues(t, codes.ParseError, v.Issues[0].Code)

	for _, text := range []string{`{"schema_version": "ai@2001-01-01-stable"}`, `{"schema_version": "ai"}`, `{}`} {
		_, p, err = s.Present(t.Context(), []byte(text))
		assert.Nil(t, p)
		assert.NotEqual(t, issue.CodeInternalError, codeOf(t, err))
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = s.Present(ctx, thin)
	var failed *datachain.Error
	require.ErrorAs(t, err, &failed)
	assert.Equal(t, issue.CodeTimeout, failed.Issue.Code)
}

// TestPresentRetired shows a document whose version is gone: with bare shapes, in
// the colours that it carries itself.
func TestPresentRetired(t *testing.T) {
	s := samples(t)
	text := strings.ReplaceAll(string(read(t, "benefits.resolved.json")), "ai@2026-11-15-stable", "ai@2020-09-01-stable")
	v, p, err := s.Present(t.Context(), []byte(text))
	require.NoError(t, err)
	require.True(t, v.OK(), "%v", v.Issues)
	assert.Nil(t, v.Release)
	assert.Nil(t, p.Release)
	var shown bool
	for _, e := range p.Datachain.SchemaSnapshot.Elements {
		svg, drawn := p.AppendIcon(nil, &e, "personal", nil)
		assert.False(t, drawn)
		assert.NotEmpty(t, svg)
		shown = shown || strings.Contains(string(svg), colorOf(t, p, "input_data", "personal"))
	}
	assert.True(t, shown)
	assert.NotEqual(t, icons.DefaultColors().Fill.String(), colorOf(t, p, "input_data", "personal"))
	dark, _ := p.AppendIcon(nil, &p.Datachain.SchemaSnapshot.Elements[0], "dark", nil)
	assert.Contains(t, string(dark), icons.DarkColors().Fill.String())
	present(t, s, "sensor@latest", []byte(text)) // the version addressed only has to exist
}

// TestPresentOwnSymbols shows a document whose version is not available by the symbols
// that it carries, which are not trusted.
func TestPresentOwnSymbols(t *testing.T) {
	s := samples(t)
	text, err := resolve.WithSymbols(openIn(t, s, "ai@2026-11-15-stable").Release(), read(t, "benefits.resolved.json"))
	require.NoError(t, err)
	full := string(text)
	live := present(t, s, "", []byte(full))
	gone := present(t, s, "", []byte(strings.ReplaceAll(full, "ai@2026-11-15-stable", "ai@2020-09-01-stable")))
	require.Nil(t, gone.Release)
	for _, e := range gone.Datachain.SchemaSnapshot.Elements {
		want, _ := live.AppendIcon(nil, &e, "dark", nil)
		svg, drawn := gone.AppendIcon(nil, &e, "dark", nil)
		require.True(t, drawn, e.ID)
		require.Equal(t, string(want), string(svg))
	}

	e := &gone.Datachain.SchemaSnapshot.Elements[0]
	for _, symbols := range []string{`[]`, `{}`, `{"` + e.SymbolID + `":1}`, `{"` + e.SymbolID + `":"<svg><script/></svg>"}`} {
		var members map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(strings.ReplaceAll(full, "ai@2026-11-15-stable", "ai@2020-09-01-stable")), &members))
		members["symbols"] = json.RawMessage(symbols)
		text, err := json.Marshal(members)
		require.NoError(t, err)
		svg, _ := present(t, s, "", text).AppendIcon(nil, e, "", nil)
		require.NotContains(t, string(svg), "script")
	}
}

// colorOf returns the colour of a context value, as icons write it.
func colorOf(t *testing.T, p *datachain.Presentation, categoryID, value string) string {
	t.Helper()
	for _, c := range p.Datachain.SchemaSnapshot.Categories {
		if c.ID == categoryID {
			v, ok := c.Context.Value(value)
			require.True(t, ok, value)
			color, ok := icons.ParseColor(v.Color)
			require.True(t, ok, v.Color)
			return color.String()
		}
	}
	require.Fail(t, "no category "+categoryID)
	return ""
}

// TestPresentSuggested draws suggested elements: with a symbol of the release, or
// bare, and never as the element of the release that goes by the same id.
func TestPresentSuggested(t *testing.T) {
	s := samples(t)
	text := string(read(t, "air-station-suggestion.resolved.json"))
	p := present(t, s, "", []byte(text))
	e := &p.Datachain.SuggestedElements[0]
	svg, drawn := p.AppendIcon(nil, e, "does_not_identify_people", &icons.Options{IDPrefix: "x-"})
	assert.True(t, drawn)
	assert.Contains(t, string(svg), colorOf(t, p, e.CategoryID, "does_not_identify_people"))

	unknown := *e
	unknown.SymbolID = "nobody-drew-it"
	svg, drawn = p.AppendIcon(nil, &unknown, "", nil)
	assert.False(t, drawn)
	bare, _ := icons.Shape(taxonomy.Circle)
	assert.Equal(t, string(bare), string(svg))

	same := *e
	same.ID = "device.camera"
	svg, _ = p.AppendIcon(nil, &same, "", nil)
	other, err := openIn(t, s, "sensor@latest").Icon(t.Context(), "device.camera", "")
	require.NoError(t, err)
	assert.NotEqual(t, string(other.SVG), string(svg))

	svg, drawn = (&datachain.Presentation{}).AppendIcon(nil, &taxonomy.Element{ID: "x"}, "dark", nil)
	assert.False(t, drawn)
	assert.NotEmpty(t, svg, "the zero value draws circles")
}
