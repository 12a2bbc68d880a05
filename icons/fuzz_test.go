package icons

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzSanitize checks the guarantees of Sanitize on arbitrary input.
func FuzzSanitize(f *testing.F) {
	files, err := filepath.Glob("testdata/symbols/*.svg")
	require.NoError(f, err)
	require.NotEmpty(f, files, "the test data is missing")
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(src)
	}
	for _, body := range []string{
		`<script>alert(1)</script>`,
		`<g style="fill:red;stroke:url(#a)" onclick=""/>`,
		`<path d="M0 0a1 1 0 01.5.5z" transform="rotate(1)" stroke-dasharray="1 2%"/>`,
		`<mask id="a" x="1%"/><g mask="url('#a')"/>`,
		`<linearGradient id="a" href="#b"/><linearGradient id="b" gradientUnits="userSpaceOnUse" x1="5%"/>`,
		`<!DOCTYPE a [<!ENTITY b "c">]>&b;<![CDATA[d]]><?e f?>`,
		`<g fill="var(--icon-fill, rgb(1,2,3))" style="stroke:VAR( --icon-fill )"/>`,
	} {
		f.Add([]byte(drawing(body)))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		symbol, issues := Sanitize(src)
		require.Equal(t, issues.HasErrors(), symbol == nil)
		requireWellFormed(t, issues)
		if symbol == nil {
			return
		}
		requireIdempotent(t, src)
		requireClean(t, string(symbol.SVG()))
		for _, p := range symbol.Paints() {
			if _, ok := ParseColor(p); !ok {
				require.Equal(t, "currentColor", p)
			}
		}
	})
}

// plainValue matches published values. References are to generated ids.
var plainValue = regexp.MustCompile(`^([A-Za-z0-9 .()#-]*|url\(#i[0-9]+\)|#i[0-9]+|var\(--icon-fill, #fff\))$`)

// requireClean parses a published text and checks that it contains only what symbols may
// use.
func requireClean(t *testing.T, text string) {
	t.Helper()
	require.NotContains(t, text, "<!")
	require.NotContains(t, text, "<?")
	require.NotContains(t, text, "&")
	require.LessOrEqual(t, len(text), MaxSymbolBytes)
	dec := xml.NewDecoder(bytes.NewReader([]byte(text)))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		require.NoError(t, err)
		switch e := token.(type) {
		case xml.StartElement:
			require.Equal(t, "http://www.w3.org/2000/svg", e.Name.Space)
			require.Contains(t, elementNames, e.Name.Local)
			for _, a := range e.Attr {
				if a.Name.Local == "xmlns" {
					continue
				}
				require.Empty(t, a.Name.Space)
				require.Contains(t, attributeNames, a.Name.Local)
				require.Regexp(t, plainValue, a.Value)
				if a.Name.Local == "href" {
					require.True(t, strings.HasPrefix(a.Value, "#"))
				} else if strings.Contains(a.Value, "url") {
					require.True(t, strings.HasPrefix(a.Value, "url(#"))
				}
			}
		case xml.EndElement:
		default:
			require.Failf(t, "unexpected token", "%T %v", token, token)
		}
	}
}

// The names are repeated on purpose, to catch mistakes in the tables of the package.
var (
	elementNames = strings.Fields(`svg g defs use path rect circle ellipse line polyline polygon
		linearGradient radialGradient stop clipPath mask`)
	attributeNames = strings.Fields(`id viewBox href d points transform pathLength
		x y width height x1 y1 x2 y2 cx cy r rx ry fx fy fr offset
		gradientUnits gradientTransform spreadMethod clipPathUnits maskUnits maskContentUnits mask-type
		fill fill-opacity fill-rule stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin
		stroke-miterlimit stroke-opacity stroke-width clip-path clip-rule mask paint-order opacity
		display visibility stop-color stop-opacity`)
)

func TestTables(t *testing.T) {
	for element, own := range attributes {
		require.Contains(t, elementNames, element)
		require.NotContains(t, unsafeElements, strings.ToLower(element))
		for name, g := range own {
			require.Contains(t, attributeNames, name)
			require.NotEmpty(t, g.want)
		}
	}
	require.Len(t, attributes, len(elementNames))
	for name, p := range properties {
		require.Contains(t, attributeNames, name)
		require.NotEmpty(t, p.want)
		require.NotContains(t, neutral, name)
		require.Empty(t, ineffective(name), name)
	}
	for name := range unsafeElements {
		require.Equal(t, strings.ToLower(name), name)
	}
}
