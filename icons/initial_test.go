package icons

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy"
)

// TestPageCannotRestyle shows that a symbol inherits nothing from the page that could
// change its shape or colours: the group of the symbol sets each relevant property once,
// and the root of the symbol has precedence.
func TestPageCannotRestyle(t *testing.T) {
	const strokes = ` stroke-dasharray="none" stroke-linecap="butt" stroke-linejoin="miter" stroke-miterlimit="4" stroke-width="1"`
	for _, c := range []struct{ name, root, body, want string }{
		{"bare", ``, `<circle r="6"/>`, ` fill="#000000" stroke="none"`},
		{"paths may cross", ``, `<path d="M0 0h9v9z"/>`, ` fill="#000000" fill-rule="nonzero" stroke="none"`},
		{"points may cross", ``, `<g><polygon points="0,0 1,1 2,0"/></g>`, ` fill="#000000" fill-rule="nonzero" stroke="none"`},
		{"stroke", ``, `<circle r="6" stroke="#FF0000"/>`, ` fill="#000000" stroke="none"` + strokes},
		{"no stroke", ``, `<circle r="6" stroke="none"/>`, ` fill="#000000" stroke="none"`},
		{"clip", ``, `<clipPath id="a"><circle r="6"/></clipPath><circle r="9" clip-path="url(#a)"/>`, ` fill="#000000" clip-rule="nonzero" stroke="none"`},
		{"root says fill", ` fill="none"`, `<circle r="6"/>`, ` stroke="none" fill="none"`},
		{"root says stroke", ` stroke="currentColor" stroke-width="2"`, `<circle r="6"/>`, ` fill="#000000"` + strings.Replace(strokes, ` stroke-width="1"`, "", 1) + ` stroke="currentColor" stroke-width="2"`},
		{"root says rule", ` fill-rule="evenodd"`, `<path d="M0 0h9v9z"/>`, ` fill="#000000" stroke="none" fill-rule="evenodd"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			symbol, issues := Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"` + c.root + `>` + c.body + `</svg>`))
			require.NotNil(t, symbol, "%v", issues)
			icon, err := Compose(taxonomy.Circle, symbol, DefaultLook(), nil)
			require.NoError(t, err)
			RequireIcon(t, icon)
			require.LessOrEqual(t, len(icon), symbol.composedSize())
			_, group, ok := strings.Cut(string(icon), `<g color="#000000"`)
			require.True(t, ok)
			require.Equal(t, c.want, group[:strings.IndexByte(group, '>')])
		})
	}
}

// TestPageCannotRestyleShapes: outlines set the properties that a page could change.
func TestPageCannotRestyleShapes(t *testing.T) {
	for _, s := range taxonomy.Shapes() {
		svg, ok := Shape(s)
		require.True(t, ok)
		for _, name := range []string{"fill", "stroke", "stroke-width", "stroke-dasharray"} {
			require.Contains(t, string(svg), " "+name+`="`, s)
		}
	}
}
