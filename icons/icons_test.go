package icons

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
)

// composed are the icons of the golden files, by name.
var composed = []struct {
	name   string
	shape  taxonomy.Shape
	colors Colors
	opts   *Options
}{
	{"default", taxonomy.Circle, DefaultColors(), nil},
	{"dark", taxonomy.Hexagon, DarkColors(), nil},
	{"light fill", taxonomy.Octagon, FilledColors(Color{0xF7, 0xE0, 0x8A}), nil},
	{"deep fill", taxonomy.RoundedSquare, FilledColors(Color{0x1B, 0x62, 0xA5}), nil},
	{"titled", taxonomy.Circle, DefaultColors(), &Options{Title: `Who & why <"now">`, IDPrefix: "icon1-", Size: 128}},
}

// TestComposedGolden composes the symbols of testdata/symbols. The golden files have
// additional line breaks for legibility.
func TestComposedGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/symbols/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, files, "the test data is missing")
	files = append(files, "") // the bare shapes
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".svg")
		var symbol *Symbol
		if file == "" {
			name = "bare"
		} else {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			symbol, _ = Sanitize(src)
			require.NotNil(t, symbol)
		}
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for _, c := range composed {
				icon, err := Append(nil, c.shape, symbol, c.colors, c.opts)
				require.NoError(t, err)
				RequireIcon(t, icon)
				fmt.Fprintf(&b, "%s: %s\n%s\n\n", c.name, c.shape, strings.ReplaceAll(string(icon), "><", ">\n<"))
			}
			goldentest.File(t, filepath.Join("testdata", "composed", name+".golden"), b.String())
		})
	}
}

func TestShape(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range taxonomy.Shapes() {
		svg, ok := Shape(s)
		require.True(t, ok)
		require.Empty(t, RequireIcon(t, svg))
		require.True(t, strings.HasPrefix(string(svg), `<svg xmlns="http://www.w3.org/2000/svg" width="36" height="36" viewBox="0 0 36 36">`))
		seen[string(svg)] = true
	}
	require.Len(t, seen, 4)
	for _, s := range []taxonomy.Shape{"", "square", "Circle", `circle"`} {
		svg, ok := Shape(s)
		require.False(t, ok)
		require.Empty(t, svg)
	}
}

// mustSanitize returns the symbol of a drawing.
func mustSanitize(t testing.TB, body string) *Symbol {
	t.Helper()
	symbol, issues := Sanitize([]byte(drawing(body)))
	require.NotNil(t, symbol, "%v", issues)
	return symbol
}

const gradientBody = `<linearGradient id="a"><stop stop-color="currentColor"/></linearGradient><path d="M9 9h18v18z" fill="url(#a)"/><use href="#b"/><g id="b"/>`

func TestRootAttributesMoveToTheGroup(t *testing.T) {
	symbol, _ := Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" fill="none" stroke="currentColor" clip-path="url(#c)"><clipPath id="c"><path d="M0 0h36v36z"/></clipPath></svg>`))
	require.NotNil(t, symbol)
	icon, err := Append(nil, taxonomy.Circle, symbol, DarkColors(), &Options{IDPrefix: "x"})
	require.NoError(t, err)
	require.Contains(t, string(icon), `<g color="#FFFFFF" fill-rule="nonzero" clip-rule="nonzero" stroke-dasharray="none" stroke-linecap="butt" stroke-linejoin="miter" stroke-miterlimit="4" stroke-width="1" clip-path="url(#xi1)" fill="none" stroke="currentColor"><clipPath id="xi1"><path d="M0 0h36v36z"/></clipPath></g></svg>`)
	RequireIcon(t, icon)
}

func TestEmptySymbol(t *testing.T) {
	symbol, _ := Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" fill="none"/>`))
	require.NotNil(t, symbol)
	icon, err := Append(nil, taxonomy.Circle, symbol, DefaultColors(), nil)
	require.NoError(t, err)
	require.Contains(t, string(icon), `<g color="#000000" stroke="none" fill="none"></g></svg>`)
	RequireIcon(t, icon)

	bare, _ := Shape(taxonomy.Circle)
	icon, err = Append(nil, taxonomy.Circle, &Symbol{}, DefaultColors(), nil)
	require.NoError(t, err)
	require.Equal(t, string(bare), string(icon), "the zero symbol draws nothing")
}

// TestIDs shows that different icons share no ids and equal icons share all.
func TestIDs(t *testing.T) {
	symbols := []*Symbol{mustSanitize(t, gradientBody), mustSanitize(t, gradientBody+`<g/>`)}
	owner := map[string]string{}
	for i, symbol := range symbols {
		for _, shape := range taxonomy.Shapes() {
			for _, colors := range []Colors{DefaultColors(), DarkColors(), FilledColors(Color{1, 2, 3}), FilledColors(Color{3, 2, 1}), {Color{1, 2, 3}, Color{4, 5, 6}}} {
				name := fmt.Sprint(i, shape, colors)
				icon, err := Append(nil, shape, symbol, colors, nil)
				require.NoError(t, err)
				ids := RequireIcon(t, icon)
				require.Len(t, ids, 2)
				for _, id := range ids {
					require.Empty(t, owner[id], "%s and %s both have it", owner[id], name)
					owner[id] = name
				}
				again, err := Append(nil, shape, symbol, colors, nil)
				require.NoError(t, err)
				require.Equal(t, string(icon), string(again))
			}
		}
	}
}

func TestOptions(t *testing.T) {
	symbol := mustSanitize(t, gradientBody)
	for _, prefix := range []string{"1a", "-a", `a"`, "a b", "a<", "é", "a.b", "a:b", strings.Repeat("a", 65), "_"} {
		out, err := Append([]byte("x"), taxonomy.Circle, symbol, DefaultColors(), &Options{IDPrefix: prefix})
		require.ErrorContains(t, err, "id prefix", prefix)
		require.Equal(t, "x", string(out))
	}
	for _, prefix := range []string{"a", "A-1_", strings.Repeat("a", 64)} {
		icon, err := Append(nil, taxonomy.Circle, symbol, DefaultColors(), &Options{IDPrefix: prefix})
		require.NoError(t, err)
		for _, id := range RequireIcon(t, icon) {
			require.True(t, strings.HasPrefix(id, prefix))
		}
	}
	for _, size := range []int{-1, 10_001} {
		_, err := Append(nil, taxonomy.Circle, symbol, DefaultColors(), &Options{Size: size})
		require.ErrorContains(t, err, "size")
	}
	_, err := Append(nil, "square", symbol, DefaultColors(), nil)
	require.ErrorContains(t, err, "rounded-square")
}

func TestTitle(t *testing.T) {
	for title, want := range map[string]string{
		"Purpose":                        "Purpose",
		`</title><script>alert(1)//`:     "&lt;/title&gt;&lt;script&gt;alert(1)//",
		"a & b \"c\" ]]>":                `a &amp; b "c" ]]&gt;`,
		"é 漢 \U0001F600":                 "é 漢 \U0001F600",
		"a\x00b\x1Bc\uFFFEd\uFFFFe\xFFf": "a\uFFFDb\uFFFDc\uFFFDd\uFFFDe\uFFFDf",
		"a\tb\nc\rd":                     "a\tb\nc&#xD;d",
		"\xED\xA0\x80":                   "\uFFFD\uFFFD\uFFFD",
	} {
		icon, err := Append(nil, taxonomy.Circle, nil, DefaultColors(), &Options{Title: title})
		require.NoError(t, err)
		RequireIcon(t, icon)
		require.Contains(t, string(icon), ` viewBox="0 0 36 36" role="img"><title>`+want+"</title><circle")
	}
}

// TestAppend shows that appending adds the icon and allocates nothing.
func TestAppend(t *testing.T) {
	symbol := mustSanitize(t, gradientBody)
	icon, err := Append(nil, taxonomy.Hexagon, symbol, DarkColors(), nil)
	require.NoError(t, err)
	buffer := make([]byte, 0, 4096)
	out, err := Append(append(buffer, "before"...), taxonomy.Hexagon, symbol, DarkColors(), nil)
	require.NoError(t, err)
	require.Equal(t, "before"+string(icon), string(out))
	o := &Options{Title: "Ünïcode & more", Size: 24, IDPrefix: "x"}
	require.Zero(t, testing.AllocsPerRun(100, func() {
		_, _ = Append(buffer, taxonomy.Hexagon, symbol, DarkColors(), nil)
		_, _ = Append(buffer, taxonomy.Circle, symbol, DarkColors(), o)
	}))
	require.Equal(t, 1.0, testing.AllocsPerRun(100, func() {
		_, _ = Append(nil, taxonomy.Hexagon, symbol, DarkColors(), nil)
	}))
}

// TestComposeRandomDrawings checks icons of random drawings, which use more features than
// typical symbols.
func TestComposeRandomDrawings(t *testing.T) {
	made := 0
	for seed := range uint64(1000) {
		r := newArtist(seed)
		symbol, _ := Sanitize([]byte(drawing(r.elements("svg", 4))))
		if symbol == nil {
			continue
		}
		made++
		icon, err := Append(nil, taxonomy.Shapes()[seed%4], symbol, FilledColors(colorOf(uint32(seed*7919))), nil)
		require.NoError(t, err)
		require.LessOrEqual(t, len(icon), symbol.composedSize())
		RequireIcon(t, icon)
	}
	require.Greater(t, made, 250)
}

// FuzzCompose composes icons of arbitrary symbols.
func FuzzCompose(f *testing.F) {
	files, err := filepath.Glob("testdata/symbols/*.svg")
	require.NoError(f, err)
	require.NotEmpty(f, files, "the test data is missing")
	for _, file := range files {
		src, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(src, "Title", "", uint32(0x123456))
	}
	for _, name := range []string{"script", "onload", "set href", "href javascript"} {
		f.Add([]byte(drawing(unsafeBodies[name])), "", "p", uint32(0xFFFFFF))
	}
	f.Add([]byte(drawing(gradientBody)), "</title>", `"><script>`, uint32(0))
	f.Fuzz(func(t *testing.T, src []byte, title, prefix string, fill uint32) {
		symbol, _ := Sanitize(src)
		if symbol == nil {
			return
		}
		icon, err := Append(nil, taxonomy.Shapes()[fill%4], symbol, FilledColors(colorOf(fill)), &Options{Title: title, IDPrefix: prefix})
		if !validIDPrefix(prefix) {
			require.Error(t, err)
			require.Empty(t, icon)
			return
		}
		require.NoError(t, err)
		RequireIcon(t, icon)
	})
}

func BenchmarkCompose(b *testing.B) {
	for _, file := range []string{"../examples/taxonomies/sensor/2026-06-15-stable/symbols/face_scan.svg", "testdata/symbols/figma.svg"} {
		src, err := os.ReadFile(file)
		require.NoError(b, err)
		symbol, issues := Sanitize(src)
		require.NotNil(b, symbol, "%v", issues)
		b.Run(strings.TrimSuffix(filepath.Base(file), ".svg"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Append(nil, taxonomy.Hexagon, symbol, DarkColors(), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestIconFill has the ways to write the icon's fill, which all are published in one form.
func TestIconFill(t *testing.T) {
	for name, value := range map[string]string{
		"canonical":     `fill="var(--icon-fill, #fff)"`,
		"no space":      `fill="var(--icon-fill,#fff)"`,
		"spaces":        "fill=\" var(\t--icon-fill\n , #fff ) \"",
		"no fallback":   `fill="var(--icon-fill)"`,
		"long fallback": `fill="var(--icon-fill, #FFFFFF)"`,
		"name":          `fill="var(--icon-fill, White)"`,
		"rgb":           `fill="var(--icon-fill, rgb(255, 255, 255))"`,
		"other colour":  `fill="var(--icon-fill, #123456)"`,
		"capitals":      `fill="VAR(--icon-fill, #FFF)"`,
		"style":         `style="fill: var(--icon-fill, white)"`,
	} {
		t.Run(name, func(t *testing.T) {
			for _, property := range []string{"fill", "stroke"} {
				src := drawing(`<circle ` + strings.Replace(value, "fill", property, 1) + ` r="6"/>`)
				symbol, issues := Sanitize([]byte(src))
				require.Empty(t, issues)
				want := `<circle fill="var(--icon-fill, #fff)" r="6"/>`
				if property == "stroke" {
					want = `<circle r="6" stroke="var(--icon-fill, #fff)"/>`
				}
				require.Equal(t, drawing(want), string(symbol.SVG()))
				requireIdempotent(t, []byte(src))
			}
		})
	}
}

// TestIconFillOnly checks that no other variable, and nothing beside the icon's fill, gets
// into a symbol.
func TestIconFillOnly(t *testing.T) {
	for _, attribute := range []string{
		`fill="var(--symbol-bg, white)"`,
		`fill="var(--Icon-Fill, #fff)"`,
		`fill="var(--icon-fill2, #fff)"`,
		`fill="var(icon-fill, #fff)"`,
		`fill="var(--icon-fill, currentColor)"`,
		`fill="var(--icon-fill, none)"`,
		`fill="var(--icon-fill, )"`,
		`fill="var(--icon-fill, #fff, red)"`,
		`fill="var(--icon-fill, #ffff)"`,
		`fill="var(--icon-fill #fff)"`,
		`fill="var(--icon-fill, var(--other))"`,
		`fill="var(--icon-fill, #fff) red"`,
		`fill="var(--icon-fill, #fff)) "`,
		`fill="var(--icon-fill, #fff"`,
		`fill="var(--icon-fill/**/, #fff)"`,
		`fill="var (--icon-fill, #fff)"`,
		`fill="env(--icon-fill, #fff)"`,
		`fill="var()"`,
		`fill="var("`,
		`opacity="var(--icon-fill, 1)"`,
		`transform="var(--icon-fill, scale(9))"`,
		`style="--icon-fill: red"`,
	} {
		t.Run(attribute, func(t *testing.T) {
			symbol, issues := Sanitize([]byte(drawing(`<circle r="6" ` + attribute + `/>`)))
			require.Nil(t, symbol)
			require.Len(t, issues, 1)
			require.EqualValues(t, codes.SymbolNotAllowed, issues[0].Code)
			if strings.HasPrefix(attribute, "fill") {
				require.Contains(t, issues[0].FixHint, iconFill, "the hint says what is allowed")
			}
			requireWellFormed(t, issues)
		})
	}
	requireRefused(t, drawing(`<g fill="var(--icon-fill, url(http://evil.example/))"/>`), codes.SymbolUnsafe)
	requireRefused(t, drawing(`<g fill="var(--icon-\66ill, #fff)"/>`), codes.SymbolUnsafe)
	requireRefused(t, drawing(`<linearGradient><stop stop-color="var(--icon-fill, #fff)"/></linearGradient>`), codes.SymbolNotAllowed)
}

// TestIconFillIsComposed checks that an icon has the colour of its fill in place of the
// variable, so that any program can draw it.
func TestIconFillIsComposed(t *testing.T) {
	symbol, issues := Sanitize([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36" stroke="var(--icon-fill, #fff)">` +
		`<linearGradient id="a"><stop/></linearGradient><circle r="9" fill="url(#a)"/><circle r="3" fill="var(--icon-fill)"/></svg>`))
	require.Empty(t, issues)
	require.Equal(t, 2, strings.Count(string(symbol.SVG()), iconFill), "it stays in the published symbol")
	for fill, colors := range map[string]Colors{"#FFFFFF": DefaultColors(), "#000000": DarkColors(), "#1B62A5": FilledColors(Color{0x1B, 0x62, 0xA5})} {
		for _, o := range []*Options{nil, {IDPrefix: "x"}} {
			icon, err := Append(nil, taxonomy.Circle, symbol, colors, o)
			require.NoError(t, err)
			id := RequireIcon(t, icon)[0]
			require.Contains(t, string(icon), ` stroke="`+fill+`"><linearGradient id="`+id+`"><stop/></linearGradient>`+
				`<circle fill="url(#`+id+`)" r="9"/><circle fill="`+fill+`" r="3"/></g></svg>`)
			require.LessOrEqual(t, len(icon), symbol.composedSize())
		}
	}
}

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
			icon, err := Append(nil, taxonomy.Circle, symbol, DefaultColors(), nil)
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
