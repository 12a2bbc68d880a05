package icons_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/icons"
)

// TestAppendPDF has symbols, and the operators that draw them.
func TestAppendPDF(t *testing.T) {
	for name, c := range map[string]struct{ symbol, want string }{
		"fill":      {`<path d="M1 2h3v4z" fill="#FF0000"/>`, "/o100 gs 1 0 0 rg 1 2 m 4 2 l 4 6 l h f"},
		"even odd":  {`<path d="M1 2h3v4z" fill-rule="evenodd"/>`, "/o100 gs 0 0 0 rg 1 2 m 4 2 l 4 6 l h f*"},
		"curves":    {`<path d="M0 0c1 1 2 2 3 3s4 4 5 5"/>`, "0 0 m 1 1 2 2 3 3 c 4 4 7 7 8 8 c f"},
		"quadratic": {`<path d="M0 0q3 3 6 0"/>`, "0 0 m 2 2 4 2 6 0 c f"},
		"arc":       {`<path d="M0 0a3 3 0 0 1 3 3"/>`, "0 0 m 1.6569 0 3 1.3431 3 3 c f"},
		"circle":    {`<circle cx="9" cy="9" r="1"/>`, "10 9 m 10 9.5523 9.5523 10 9 10 c"},
		"rectangle": {`<rect x="1" y="2" width="3" height="4"/>`, "4 6 m 1 6 l 1 2 l 4 2 l h f"},
		"stroke": {
			`<path d="M0 0h1" fill="none" stroke="#0000FF" stroke-width="2" stroke-linecap="round" stroke-linejoin="bevel" stroke-dasharray="1 2" stroke-opacity=".5"/>`,
			"/o50 gs 0 0 1 RG 2 w 1 J 2 j 4 M [1 2] 0 d 0 0 m 1 0 l S",
		},
		"transform": {`<g transform="translate(1 2)" opacity=".5"><line x2="3" stroke="#000" opacity=".5"/></g>`, "1 0 0 1 1 2 cm"},
		"opacity":   {`<g opacity=".5"><path d="M0 0h1z" opacity=".5"/></g>`, "/o25 gs 0 0 0 rg"},
		"use":       {`<defs><path id="a" d="M0 0h1z"/></defs><use href="#a" x="5"/>`, "1 0 0 1 5 0 cm"},
		"clip":      {`<clipPath id="a"><rect width="9" height="9" transform="translate(1 0)"/></clipPath><path clip-path="url(#a)" d="M0 0h1z"/>`, "10 9 m 1 9 l 1 0 l 10 0 l h W n"},
	} {
		t.Run(name, func(t *testing.T) {
			drawn, err := icons.AppendPDF(nil, []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">`+c.symbol+`</svg>`))
			require.NoError(t, err)
			assert.Contains(t, strings.Join(strings.Fields(string(drawn)), " "), c.want)
			assert.Equal(t, strings.Count(string(drawn), "q\n"), strings.Count(string(drawn), "Q\n"))
		})
	}
	for _, not := range []string{
		`<linearGradient id="a"><stop offset="1"/></linearGradient><path fill="url(#a)" d="M0 0h1z"/>`,
		`<mask id="a"><path d="M0 0h1z"/></mask><path mask="url(#a)" d="M0 0h1z"/>`,
	} {
		_, err := icons.AppendPDF(nil, []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">`+not+`</svg>`))
		require.ErrorIs(t, err, icons.ErrNotVector)
	}
	_, err := icons.AppendPDF(nil, []byte(`<svg/>`))
	require.ErrorContains(t, err, "SVG namespace")
}

// TestAppendPDFIcons draws composed icons of the samples, in which currentColor is the ink.
func TestAppendPDFIcons(t *testing.T) {
	store, err := taxonomies.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	for _, e := range index.Entries() {
		r, err := store.Release(t.Context(), e.ID)
		require.NoError(t, err)
		set := icons.NewSet(r, nil)
		for _, e := range r.Elements() {
			for _, variant := range e.IconVariants {
				svg, err := set.Icon(e.ID, variant)
				require.NoError(t, err)
				drawn, err := icons.AppendPDF(nil, svg)
				require.NoError(t, err)
				require.NotEmpty(t, drawn)
			}
		}
	}
}
