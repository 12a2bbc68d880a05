package icons

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPaints(t *testing.T) {
	const shape = `<path d="M0 0h9v9z"/>`
	for _, tt := range []struct {
		name, body string
		want       []string
	}{
		{"nothing", ``, nil},
		{"black by default", shape, []string{"#000000"}},
		{"inherited", `<g fill="red">` + shape + `</g>`, []string{"#FF0000"}},
		{"overridden", `<g fill="red"><path d="M0 0h9" fill="lime"/></g>`, []string{"#00FF00"}},
		{"none", `<g fill="none">` + shape + `</g>`, nil},
		{"stroke", `<g fill="none" stroke="currentColor">` + shape + `</g>`, []string{"currentColor"}},
		{"sorted once", `<g stroke="currentColor" fill="#fff">` + shape + shape + `</g>` + shape, []string{"#000000", "#FFFFFF", "currentColor"}},
		{"the icon's fill", `<g fill="var(--icon-fill, #fff)" stroke="red">` + shape + `</g>`, []string{"#FF0000"}},
		{"unused group", `<g fill="red"/>`, nil},
		{"definitions", `<defs>` + shape + `</defs>`, nil},
		{"used", `<defs><path id="a" d="M0 0h9"/></defs><use href="#a" fill="red"/>`, []string{"#FF0000"}},
		{"used in another ink", `<g fill="blue"><path id="a" d="M0 0h9"/></g><use href="#a" fill="red"/>`, []string{"#0000FF", "#FF0000"}},
		{"used through a group", `<defs><g id="b"><path id="a" d="M0 0h9" stroke="red"/></g></defs><use fill="none" href="#b"/>`, []string{"#FF0000"}},
		{"use of nothing", `<use/>`, nil},
		{"line", `<line x2="9" fill="red" stroke="blue"/>`, []string{"#0000FF"}},
		{"not displayed", `<g display="none">` + shape + `</g>`, nil},
		{"hidden", `<g visibility="hidden">` + shape + `</g>`, nil},
		{"shown in hidden", `<g visibility="hidden" fill="red">` + shape + `<path visibility="visible" d="M0 0h9" fill="lime"/></g>`, []string{"#00FF00"}},
		{"transparent", `<g opacity="0">` + shape + `</g><g fill-opacity="0%" stroke="red" stroke-opacity="0">` + shape + `</g>`, nil},
		{"stroke without width", `<g fill="none" stroke="red" stroke-width="0">` + shape + `</g>`, nil},
		{"shapes without extent", `<path/><rect width="3"/><circle r="0"/><ellipse/><ellipse rx="0" ry="3"/><polygon points=""/><polyline/>`, nil},
		{"shapes", `<rect width="3" height="3" fill="#111"/><circle r="1" fill="#222"/><ellipse rx="1" fill="#333"/><polygon points="1 1" fill="#444"/>`, []string{"#111111", "#222222", "#333333", "#444444"}},
		{"clip and mask", `<clipPath id="c"><path d="M0 0h9" fill="red"/></clipPath><mask id="m"><rect width="9" height="9" fill="white"/></mask><g clip-path="url(#c)" mask="url(#m)" fill="blue">` + shape + `</g>`, []string{"#0000FF"}},
		{"gradient", `<linearGradient id="a"><stop/><stop stop-color="red"/><stop stop-color="lime" stop-opacity="0"/></linearGradient><g fill="url(#a)">` + shape + `</g>`, []string{"#000000", "#FF0000"}},
		{"gradient on use", `<linearGradient id="a"><stop stop-color="red"/></linearGradient><defs><path id="b" d="M0 0h9"/><path id="c" d="M0 0h9"/></defs><use href="#b" fill="url(#a)"/><use href="#c" fill="url(#a)"/>`, []string{"#FF0000"}},
		{"gradient by template", `<linearGradient id="a"><stop stop-color="red"/></linearGradient><radialGradient id="b" href="#a"/><g fill="none" stroke="url(#b)">` + shape + `</g>`, []string{"#FF0000"}},
		{"gradient without stops", `<linearGradient id="a"/><g fill="url(#a)">` + shape + `</g>`, nil},
		{"gradient not used", `<linearGradient><stop stop-color="red"/></linearGradient>`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			symbol, issues := Sanitize([]byte(drawing(tt.body)))
			require.Empty(t, issues)
			require.Equal(t, tt.want, symbol.Paints())
		})
	}
}

func TestPaintsOfRoot(t *testing.T) {
	symbol, issues := Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" style="fill:none" stroke="currentColor"><path d="M0 0h9"/></svg>`))
	require.Empty(t, issues)
	require.Equal(t, []string{"currentColor"}, symbol.Paints())
	symbol.Paints()[0] = "changed"
	require.Equal(t, []string{"currentColor"}, symbol.Paints())
}
