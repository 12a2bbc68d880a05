package icons

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// drawing returns a symbol with the content.
func drawing(body string) string {
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">` + body + `</svg>`
}

// inner returns the published content of the root.
func inner(t *testing.T, s *Symbol) string {
	t.Helper()
	text, ok := strings.CutPrefix(string(s.SVG()), `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"`)
	require.True(t, ok, "%s", s.SVG())
	if text == "/>" {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(text, ">"), "</svg>")
}

// TestPublished has the published content of valid symbols, and the number of warnings.
func TestPublished(t *testing.T) {
	for _, tt := range []struct {
		name, body, want string
		dropped          int
	}{
		{"nothing", "", "", 0},
		{"white space and comments", "\n <!-- <script/> -->\t<g> </g>\r\n", "<g/>", 0},
		{"empty defs", `<defs id="d"><defs> </defs></defs>`, "", 0},
		{"CDATA white space", "<g><![CDATA[ \n]]></g>", "<g/>", 0},
		{"attributes in order", `<rect y="1" x="2" height="3" width="4"/>`, `<rect height="3" width="4" x="2" y="1"/>`, 0},
		{"character references", `<path d="&#77;1&#x20;2"/>`, `<path d="M1 2"/>`, 0},
		{"single quotes", `<circle r='5'/>`, `<circle r="5"/>`, 0},

		{"numbers", `<rect x="+1.50" y="-0.25px" width="1e1" height="50%"/>`, `<rect height="18" width="10" x="1.5" y="-.25"/>`, 0},
		{"six decimals", `<rect x="0.12345678" y="-0.0000001"/>`, `<rect x=".123457" y="0"/>`, 0},
		{"path", `<path d="M 0,0 10,10 L 20 20 L30-5 z m1 1 2 2 a5 5 0 1 0 .5.5 z"/>`, `<path d="M0 0L10 10 20 20 30-5zm1 1l2 2a5 5 0 1 0 .5.5z"/>`, 0},
		{"packed arc flags", `<path d="M0 0a1 1 0 01.5.5a1 1 0 10-1-1"/>`, `<path d="M0 0a1 1 0 0 1 .5.5 1 1 0 1 0-1-1"/>`, 0},
		{"every command", `<path d="M0 0H1V2Q3 3 4 4T5 5C6 6 7 7 8 8S9 9 1 1h1v1q1 1 2 2t1 1c1 1 2 2 3 3s1 1 1 1A1 1 0 0 0 3 3Z"/>`, `<path d="M0 0H1V2Q3 3 4 4T5 5C6 6 7 7 8 8S9 9 1 1h1v1q1 1 2 2t1 1c1 1 2 2 3 3s1 1 1 1A1 1 0 0 0 3 3Z"/>`, 0},
		{"closed twice", `<path d="M0 0z Z z z"/>`, `<path d="M0 0zZzz"/>`, 0},
		{"empty path", `<path d=" "/>`, `<path/>`, 0},
		{"points", `<polygon points="1,2 3,4 5 -6"/>`, `<polygon points="1 2 3 4 5 -6"/>`, 0},
		{"separators outside of paths", `<polygon points="1-2.5.5.5"/><g transform="translate(1-1)" stroke-dasharray=".5.5"/>`, `<polygon points="1 -2.5 .5 .5"/><g stroke-dasharray=".5 .5" transform="translate(1 -1)"/>`, 0},
		{"transforms", `<g transform="translate(1) rotate(2,3,4),scale(1 2)matrix(1 0 0 1 0 0) skewX(1)skewY(2)"/>`, `<g transform="translate(1) rotate(2 3 4) scale(1 2) matrix(1 0 0 1 0 0) skewX(1) skewY(2)"/>`, 0},
		{"colours", `<g fill="#aBc" stroke="RebeccaPurple"/><g fill="rgb(0, 128,255)" stroke="rgb(100% 0% 50%)"/><g fill="CURRENTCOLOR" stroke="None"/>`, `<g fill="#AABBCC" stroke="#663399"/><g fill="#0080FF" stroke="#FF0080"/><g fill="currentColor" stroke="none"/>`, 0},
		{"opacity", `<g opacity="2" fill-opacity="50%" stroke-opacity="-1"/><g opacity=".5"/>`, `<g fill-opacity=".5" stroke-opacity="0"/><g opacity=".5"/>`, 0},
		{"dashes", `<g stroke-dasharray="2, 1px 10%" stroke-dashoffset="-1"/><g stroke-dasharray="NONE"/>`, `<g stroke-dasharray="2 1 3.6" stroke-dashoffset="-1"/><g stroke-dasharray="none"/>`, 0},
		{"keywords", `<g fill-rule="EvenOdd" visibility="hidden" display="inline" paint-order="stroke fill"/><g display="none"/>`, `<g fill-rule="evenodd" paint-order="stroke fill" visibility="hidden"/><g display="none"/>`, 0},
		{"inherit", `<g fill="inherit" style="stroke:inherit" stroke="red"/>`, `<g/>`, 0},
		{"neutral", `<g filter="none" style="mix-blend-mode:normal;marker:none;isolation:isolate"/>`, `<g/>`, 0},

		{"style", `<g style="fill: red; STROKE:none;;stroke-width:2px ; "/>`, `<g fill="#FF0000" stroke="none" stroke-width="2"/>`, 0},
		{"style overrides", `<g style="fill:red;fill:lime" fill="blue"/>`, `<g fill="#00FF00"/>`, 0},
		{"style removes a reference", `<g style="fill:red" fill="url(#gone)"/>`, `<g fill="#FF0000"/>`, 0},
		{"one warning a name", `<g class="a" data-x="1" role="img"/><g class="b" data-x="2" aria-label="x"/>`, `<g/><g/>`, 4},
		{"text properties", `<g font-size="2" style="font-family:'A B';letter-spacing:0"/>`, `<g/>`, 1},
		{"property without effect", `<path stop-color="red"/><defs><linearGradient id="a" fill="red"/></defs>`, `<path/><defs><linearGradient/></defs>`, 2},
		{"names fold ASCII alone", `<g fill="BLACK"/>`, `<g fill="#000000"/>`, 0},
		{"color", `<g color="red" fill="blue"/>`, `<g fill="#0000FF"/>`, 1},
		{"color of the place", `<g color="currentColor"><path style="color:inherit" fill="currentColor"/></g>`, `<g><path fill="currentColor"/></g>`, 0},
		{"other properties", `<g style="color-rendering:auto;shape-rendering:auto;flood-color:#000;pointer-events:all;solid-opacity:1;-inkscape-stroke:none;line-height:1"/>`, `<g/>`, 6},
		{"title and metadata", `<title>A &lt; B</title><metadata><x xmlns="urn:x">any</x></metadata><desc/>`, ``, 3},
		{"editor's namespace", `<i:x xmlns:i="http://www.inkscape.org/namespaces/inkscape" id="q"><i:script/>text</i:x>`, ``, 1},
		{"styles in metadata", `<metadata><style>@import url(//x)</style><g style="fill:url(//x)">url(//x)</g></metadata><title>@import</title>`, ``, 2},
		{"editor's reference", `<g id="a"/><use href="#a" i:href="#b" xmlns:i="http://www.inkscape.org/namespaces/inkscape"/>`, `<g id="i1"/><use href="#i1"/>`, 1},
		{"size of use", `<g id="a"/><use href="#a" width="3" height="4"/>`, `<g id="i1"/><use href="#i1"/>`, 2},
		{"xml attributes", `<g xml:space="preserve" xml:lang="en"/>`, `<g/>`, 1},

		{"ids renamed", `<path id="b&#252;"/><path id="a"/><path/><use href="#bü"/>`, `<path id="i1"/><path/><path/><use href="#i1"/>`, 0},
		{"forward reference", `<use href="#late"/><g id="late"/>`, `<use href="#i1"/><g id="i1"/>`, 0},
		{"doubled id that nothing uses", `<g id="a"/><g id="a"/>`, `<g/><g/>`, 0},
		{"url in quotes", `<defs><clipPath id="c"/><mask id="m"/></defs><g clip-path='url( "#c" )' mask="URL(#m)"/><g clip-path="none" mask="none"/>`, `<defs><clipPath id="i1"/><mask id="i2"/></defs><g clip-path="url(#i1)" mask="url(#i2)"/><g/>`, 0},
		{"mask region", `<mask maskUnits="userSpaceOnUse" x="0"/><mask x="10%" width="20px"/>`, `<mask height="43.2" maskUnits="userSpaceOnUse" width="43.2" x="0" y="-3.6"/><mask width="20" x=".1"/>`, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			symbol, issues := Sanitize([]byte(drawing(tt.body)))
			require.NotNil(t, symbol, "%v", issues)
			require.Equal(t, tt.want, inner(t, symbol))
			require.Len(t, issues, tt.dropped, "%v", issues)
			requireWellFormed(t, issues)
			requireIdempotent(t, []byte(drawing(tt.body)))
		})
	}
}

// requireWellFormed checks the fields that every issue must have.
func requireWellFormed(t *testing.T, issues issue.Issues) {
	t.Helper()
	for _, finding := range issues {
		require.NotEmpty(t, finding.Message)
		require.NotEmpty(t, finding.FixHint, "%v", finding)
		require.Nil(t, finding.Path)
		require.Empty(t, finding.Position.File)
		if finding.Code != codes.TooManyFindings {
			require.Positive(t, finding.Position.Line, "%v", finding)
			require.Positive(t, finding.Position.Column, "%v", finding)
		}
		info, known := issue.LookupCode(finding.Code)
		require.True(t, known, "%v", finding)
		require.Equal(t, info.Severity, finding.Severity, "%v", finding)
	}
}

func TestRoot(t *testing.T) {
	const plain = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"/>`
	for _, tt := range []struct {
		name, svg string
		codes     []issue.Code
	}{
		{"plain", plain, nil},
		{"byte order mark", "\uFEFF" + plain, nil},
		{"declaration", `<?xml version="1.0" encoding="utf-8"?>` + plain, nil},
		{"declaration in single quotes", "<?xml version='1.0'\tencoding='UTF-8' standalone='yes' ?>\n" + plain, nil},
		{"mark and declaration", "\uFEFF<?xml version=\"1.0\"?>" + plain, nil},
		{"comments around", "<!-- a -->" + plain + "<!-- b -->\n", nil},
		{"plain size", strings.Replace(plain, "/>", ` width="36px" height="100%" x="0px" y="0" version="1.2"/>`, 1), nil},
		{"leftovers", strings.Replace(plain, "/>", ` baseProfile="tiny" preserveAspectRatio="none" x="1" class=" "/>`, 1), []issue.Code{"symbol_dropped", "symbol_dropped", "symbol_dropped"}},
		{"other size", strings.Replace(plain, "/>", ` width="24" height="24"/>`, 1), []issue.Code{"symbol_dropped", "symbol_dropped"}},
		{"other viewBox spacing", strings.Replace(plain, "0 0 36 36", " 0,0 , 36.0 3.6e1 ", 1), nil},

		{"no namespace", `<svg viewBox="0 0 36 36"><g/></svg>`, []issue.Code{"symbol_root"}},
		{"other namespace", `<svg xmlns="urn:x" viewBox="0 0 36 36"/>`, []issue.Code{"symbol_root"}},
		{"other element", `<g xmlns="http://www.w3.org/2000/svg"/>`, []issue.Code{"symbol_root"}},
		{"html", `<html><body/></html>`, []issue.Code{"symbol_root"}},
		{"upper case", strings.Replace(plain, "<svg", "<SVG", 1), []issue.Code{"symbol_root"}},
		{"undeclared prefix", `<svg:svg viewBox="0 0 36 36"/>`, []issue.Code{"symbol_malformed"}},
		{"no viewBox", `<svg xmlns="http://www.w3.org/2000/svg"/>`, []issue.Code{"symbol_viewbox"}},
		{"viewbox", strings.Replace(plain, "viewBox", "viewbox", 1), []issue.Code{"symbol_viewbox", "symbol_not_allowed"}},
		{"other viewBox", strings.Replace(plain, "36 36", "24 24", 1), []issue.Code{"symbol_viewbox"}},
		{"long viewBox", strings.Replace(plain, "36 36", "36 36 36", 1), []issue.Code{"symbol_viewbox"}},
		{"both missing", `<svg/>`, []issue.Code{"symbol_root", "symbol_viewbox"}},

		{"empty", ``, []issue.Code{"symbol_malformed"}},
		{"white space", " \n", []issue.Code{"symbol_malformed"}},
		{"not XML", "hello", []issue.Code{"symbol_malformed", "symbol_malformed"}},
		{"two roots", plain + plain, []issue.Code{"symbol_malformed"}},
		{"text after the root", plain + "x", []issue.Code{"symbol_malformed"}},
		{"cut off", plain[:40], []issue.Code{"symbol_malformed"}},
		{"not closed", drawing("<g>"), []issue.Code{"symbol_malformed"}},
		{"never closed", plain[:len(plain)-2] + "><g/>", []issue.Code{"symbol_malformed"}},
		{"closed twice", plain + "</svg>", []issue.Code{"symbol_malformed"}},
		{"Latin-1", drawing("<!-- \xE9 -->"), []issue.Code{"symbol_malformed"}},
		{"Latin-1 declared", `<?xml version="1.0" encoding="ISO-8859-1"?>` + plain, []issue.Code{"symbol_malformed"}},
		{"UTF-7 declared", `<?xml version="1.0" encoding="UTF-7"?>` + plain, []issue.Code{"symbol_malformed"}},
		{"XML 1.1", `<?xml version="1.1"?>` + plain, []issue.Code{"symbol_malformed"}},
		{"declaration not closed", `<?xml version="1.0"` + plain, []issue.Code{"symbol_malformed"}},
		{"UTF-16", "\xFF\xFE<\x00s\x00", []issue.Code{"symbol_malformed"}},
		{"UTF-16 without mark", "\x00<\x00s", []issue.Code{"symbol_malformed"}},
		{"NUL", drawing("\x00"), []issue.Code{"symbol_malformed"}},
		{"NUL in a comment", drawing("<!-- \x00 -->"), []issue.Code{"symbol_malformed"}},
		{"U+FFFE in a comment", drawing("<!-- \uFFFE -->"), []issue.Code{"symbol_malformed"}},
		{"entity in an open comment", plain[:len(plain)-2] + "><!-- &x;", []issue.Code{"symbol_malformed"}},
		{"entity", drawing("&x;"), []issue.Code{"symbol_unsafe"}},
		{"entity not closed", drawing("&x"), []issue.Code{"symbol_malformed"}},
		{"]]>", drawing("]]>"), []issue.Code{"symbol_malformed"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			symbol, issues := Sanitize([]byte(tt.svg))
			require.Equal(t, tt.codes, codesOf(issues), "%v", issues)
			require.Equal(t, issues.HasErrors(), symbol == nil)
			requireWellFormed(t, issues)
			if symbol != nil {
				require.Equal(t, plain, string(symbol.SVG()))
			}
		})
	}
}

func codesOf(issues issue.Issues) []issue.Code {
	var codes []issue.Code
	for _, issue := range issues {
		codes = append(codes, issue.Code)
	}
	return codes
}

func TestPositions(t *testing.T) {
	src := "\uFEFF<?xml version=\"1.0\"?>\n" +
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 36 36\">\r\n" +
		"  <g data-é='é'   onclick=\"x\"\n  fill = 'no'><text/></g>\n" +
		"  \n  words\n" +
		"  <use href=\"#x\"/></g>"
	_, issues := Sanitize([]byte(src))
	var got []string
	for _, issue := range issues {
		got = append(got, fmt.Sprint(issue.Position, " ", issue.Code))
	}
	require.Equal(t, []string{
		"3:6 symbol_dropped",
		"3:19 symbol_unsafe",
		"4:3 symbol_not_allowed",
		"4:15 symbol_not_allowed",
		"6:3 symbol_not_allowed",
		"7:19 symbol_malformed",
	}, got)
}

func TestPositionAfterByteOrderMark(t *testing.T) {
	_, issues := Sanitize([]byte("\uFEFF<html/>"))
	require.Equal(t, issue.Position{Line: 1, Column: 1}, issues[0].Position)
}

func TestUTF16(t *testing.T) {
	for _, start := range []string{"\xFF\xFE<\x00", "\xFE\xFF\x00<", "<\x00s\x00", "\x00<\x00s"} {
		_, issues := Sanitize([]byte(start))
		require.Len(t, issues, 1)
		require.Contains(t, issues[0].Message, "UTF-16")
	}
}

func TestFindingsAreBounded(t *testing.T) {
	_, issues := Sanitize([]byte(drawing(strings.Repeat("<text/>", 80))))
	require.Len(t, issues, maxFindings+1)
	require.EqualValues(t, codes.TooManyFindings, issues[maxFindings].Code)
	requireWellFormed(t, issues)

	_, issues = Sanitize([]byte(drawing("<g" + strings.Repeat(` onx=""`, 80) + "/>")))
	require.Len(t, issues, maxFindings+1)

	var many strings.Builder
	for i := range 80 {
		fmt.Fprintf(&many, `<g data-%d=""/>`, i)
	}
	symbol, issues := Sanitize([]byte(drawing(many.String())))
	require.NotNil(t, symbol, "warnings do not refuse a symbol")
	require.Len(t, issues, maxFindings+1)
	require.False(t, issues.HasErrors())
}

// TestGolden publishes symbols as drawing programs export them. Each .svg in
// testdata/symbols has its expected outcome beside it: the published text, the
// paints and the issues.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/symbols/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, files, "the test data is missing")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			goldentest.File(t, strings.TrimSuffix(file, ".svg")+".golden", outcome(src))
			requireIdempotent(t, src)
		})
	}
}

func outcome(src []byte) string {
	symbol, issues := Sanitize(src)
	var b strings.Builder
	if symbol != nil {
		b.WriteString(strings.ReplaceAll(string(symbol.SVG()), "><", ">\n<") + "\n")
		b.WriteString("paints: " + strings.Join(symbol.Paints(), " ") + "\n")
	}
	for _, issue := range issues {
		b.WriteString(issue.String() + "\n")
	}
	return b.String()
}

// requireIdempotent checks that sanitizing a published text does not change it.
func requireIdempotent(t *testing.T, src []byte) {
	t.Helper()
	first, issues := Sanitize(src)
	require.NotNil(t, first, "%v", issues)
	second, issues := Sanitize(first.SVG())
	require.Empty(t, issues, "of %s", first.SVG())
	require.Equal(t, string(first.SVG()), string(second.SVG()))
	require.Equal(t, first.Paints(), second.Paints())
}

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
	require.LessOrEqual(t, len(text), symbolLimits.bytes)
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

// TestProperties checks the guarantees of Sanitize on random drawings, most of which are
// valid: the fuzzer seldom gets past the first errors.
func TestProperties(t *testing.T) {
	published := 0
	for seed := range uint64(2000) {
		r := newArtist(seed)
		src := []byte(drawing(r.elements("svg", 4)))
		symbol, issues := Sanitize(src)
		require.Equal(t, issues.HasErrors(), symbol == nil)
		requireWellFormed(t, issues)
		if symbol != nil {
			published++
			requireIdempotent(t, src)
			requireClean(t, string(symbol.SVG()))
		}
	}
	require.Greater(t, published, 500, "too few drawings are fine for this to mean much")
}

// artist draws at random.
type artist struct{ *rand.Rand }

func newArtist(seed uint64) *artist { return &artist{rand.New(rand.NewPCG(seed, 36))} }

func (a *artist) one(list []string) string { return list[a.IntN(len(list))] }

// elements draws up to three elements that the parent may contain.
func (a *artist) elements(parent string, depth int) string {
	var fit []string
	for _, name := range elementNames {
		if mayHold(parent, name) {
			fit = append(fit, name)
		}
	}
	if len(fit) == 0 || depth == 0 {
		return ""
	}
	var b strings.Builder
	for range a.IntN(4) {
		name := a.one(fit)
		b.WriteString("<" + name + a.attributes(name) + ">" + a.elements(name, depth-1) + "</" + name + ">")
	}
	return b.String()
}

func (a *artist) attributes(element string) string {
	names := slices.Concat([]string{"id"}, slices.Sorted(maps.Keys(attributes[element])), slices.Sorted(maps.Keys(properties)))
	var b strings.Builder
	used := map[string]bool{}
	for range a.IntN(4) {
		name := a.one(names)
		if used[name] {
			continue
		}
		used[name] = true
		b.WriteString(" " + name + `="` + a.value(name) + `"`)
	}
	return b.String()
}

// value returns a value that is mostly valid.
func (a *artist) value(name string) string {
	numbers := strings.Fields("0 1 -0 2.50 .333333333 1e-9 12px 25% 99.9999% 33.33333333%")
	switch name {
	case "id":
		return a.one(strings.Fields("a b c d e f"))
	case "href":
		return "#" + a.one(strings.Fields("a b c d e f"))
	case "d":
		return a.one([]string{"M0 0h1v1z", "m 1,2 3.50,4 -5-.6.7.8Z", "M1e1 0A1 1 0 01.5.5", "", "M0 0z z m1 1"})
	case "points":
		return a.one([]string{"", "1,2 3,4", "0.5.5 -1-2"})
	case "transform", "gradientTransform":
		return a.one([]string{"", "rotate(1.0,2,3)", "scale(.50)translate(1)", "matrix(1 0 0 1 -1 1e-9)"})
	case "fill", "stroke":
		return a.one([]string{"red", "#abc", "currentColor", "rgb(1%,2%,3%)", "BLACK", "#123456", "var( --icon-fill,white )"})
	case "stop-color":
		return a.one([]string{"red", "#abc", "currentColor", "rgb(1%,2%,3%)", "BLACK", "#123456"})
	case "clip-path", "mask":
		return a.one([]string{"none", "none", "url(#a)", "url('#b')"})
	}
	for _, table := range []map[string]grammar{attributes["mask"], attributes["clipPath"], attributes["linearGradient"]} {
		if strings.HasSuffix(name, "Units") && table[name].parse != nil {
			return a.one([]string{"userSpaceOnUse", "objectBoundingBox"})
		}
	}
	if p := properties[name]; strings.Contains(p.want, " or ") && !strings.Contains(p.want, "number") && name != "stroke-dasharray" {
		return a.one(strings.Split(p.want, " or "))
	}
	switch name {
	case "spreadMethod":
		return "reflect"
	case "paint-order":
		return "stroke fill"
	}
	return a.one(numbers)
}
