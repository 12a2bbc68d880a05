package icons

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestFineDashes has outlines whose length is bounded by 100000: dashes of 20 are within
// the limit, shorter ones are not.
func TestFineDashes(t *testing.T) {
	for name, body := range map[string]string{
		"line":             `<line x1="-50000" x2="50000"/>`,
		"slanted line":     `<line x2="60000" y1="80000"/>`,
		"rect":             `<rect width="20000" height="30000"/>`,
		"circle":           `<circle r="15915.494309"/>`,
		"ellipse":          `<ellipse rx="1" ry="15915.494309"/>`,
		"polygon":          `<polygon points="0 0 25000 0 25000 25000 0 25000"/>`,
		"polyline":         `<polyline points="5 5 50005 5"/>`,
		"own length":       `<path d="M0 0h1" pathLength="100000"/>`,
		"own length of 0":  `<path d="M0 0h100000" pathLength="0"/>`,
		"path":             `<path d="M0 0L60000 80000"/>`,
		"path, relative":   `<path d="m9 9l30000 40000 30000 40000"/>`,
		"path, moves":      `<path d="M0 0h50000M9 9h50000"/>`,
		"path, upright":    `<path d="M10 10V30010H50010v20000"/>`,
		"path, closed":     `<path d="M5 5h25000v25000h-25000z"/>`,
		"path, goes on":    `<path d="M5 5h25000zm0 0H50005"/>`,
		"curve":            `<path d="M0 0C0 30000 40000 30000 40000 0"/>`,
		"curve, relative":  `<path d="M5 5c0 30000 40000 30000 40000 0"/>`,
		"smooth curve":     `<path d="M0 0C0 0 0 25000 25000 25000S25000 25000 25000 25000"/>`,
		"smooth, alone":    `<path d="M0 0h50000s0 25000 25000 25000"/>`,
		"quadratic":        `<path d="M0 0Q0 60000 40000 60000"/>`,
		"smooth quadratic": `<path d="M0 0q0 25000 25000 25000t0 0"/>`,
		"arc":              `<path d="M0 0A40000 40000 0 0 1 63661.977236 0"/>`,
		"large arc":        `<path d="M0 0a15915.494309-15915.494309 0 1 1 1 0"/>`,
		"arc that grows":   `<path d="M0 0a1 1 0 1 1 31830.988618 0"/>`,
		"arc that is flat": `<path d="M0 0a0 5 0 1 1 100000 0"/>`,
		"used twice":       `<defs><path id="a" d="M0 0h50000"/></defs><use href="#a"/>`,
		"in a mask":        `<mask id="a"><path d="M0 0h50000"/></mask><path d="M0 0" mask="url(#a)"/>`,
	} {
		t.Run(name, func(t *testing.T) {
			requireIdempotent(t, []byte(dashed(body, "100")))
			requireIdempotent(t, []byte(dashed(body, "none")))
			requireIdempotent(t, []byte(dashed(body, "0"))) // a solid line
			requireIdempotent(t, []byte(dashed(body, "0 200")))
			for _, finer := range []string{"99.99", "150 49.9", "50 50 195 50 50"} {
				_, issues := Sanitize([]byte(dashed(body, finer)))
				require.Equal(t, []issue.Code{codes.SymbolTooComplex}, codesOf(issues), "%v", issues)
				require.Contains(t, issues[0].Message, "more than 1000")
				requireWellFormed(t, issues)
			}
		})
	}
}

// dashed returns a drawing in a group with dashes. The group is small: dashes are scaled, too.
func dashed(body, dashes string) string {
	return drawing(`<g transform="scale(.0001)" stroke="red" stroke-dasharray="` + dashes + `">` + body + `</g>`)
}

// TestFinestDashesCount: the finest dashes count, on whichever outline.
func TestFinestDashesCount(t *testing.T) {
	fine, coarse := `<path d="M0 0h9" stroke-dasharray=".5"/>`, `<path d="M0 0h5000" transform="scale(.01)" stroke-dasharray="45"/>`
	requireIdempotent(t, []byte(drawing(strings.Repeat(coarse, 5))))
	requireIdempotent(t, []byte(drawing(strings.Repeat(fine, 50))))
	requireRefused(t, drawing(fine+coarse), codes.SymbolTooComplex)
	requireRefused(t, drawing(coarse+fine), codes.SymbolTooComplex)
}

// TestCost: n of each drawing are within the limit, and twice as many are not, nested and
// by reference, too.
func TestCost(t *testing.T) {
	const rect = `<rect width="36" height="36"`
	for name, c := range map[string]struct {
		n          int
		defs, body string
	}{
		"shapes":          {390, "", rect + `/>`},
		"circles":         {130, "", `<circle cx="18" cy="18" r="18"/>`},
		"rounded":         {130, "", rect + ` rx="18"/>`},
		"turned":          {79, "", rect + ` transform="rotate(180 18 18)"/>`},
		"turned together": {95, `<g transform="rotate(45)"/>`, rect + `/>`},
		"masks":           {9, `<mask id="a">` + rect + `/></mask>`, rect + ` mask="url(#a)"/>`},
		"clip paths":      {8, `<clipPath id="a">` + rect + `/></clipPath>`, rect + ` clip-path="url(#a)"/>`},
		"opacities":       {9, "", rect + ` opacity=".5"/>`},
		"groups":          {9, "", `<g opacity=".5">` + rect + `/></g>`},
		"gradients":       {21, `<linearGradient id="a"><stop/></linearGradient>`, rect + ` fill="url(#a)"/>`},
		"inherited":       {24, `<linearGradient id="a"><stop/></linearGradient><g fill="url(#a)"/>`, rect + `/>`},
		"translucent":     {79, "", rect + ` fill-opacity=".5"/>`},
		"references":      {98, `<path id="a" d="M0 0h9"/>`, `<use href="#a"/>`},
		"referred layers": {8, `<g id="a" opacity=".5">` + rect + `/></g>`, `<use href="#a"/>`},
		"long paths":      {3, "", `<path d="M0 0` + strings.Repeat("V9V0", 1500) + `"/>`},
	} {
		t.Run(name, func(t *testing.T) {
			drawn := func(n int) string { return drawing(c.defs + strings.Repeat(c.body, n)) }
			requireIdempotent(t, []byte(drawn(c.n)))
			_, issues := Sanitize([]byte(drawn(2 * c.n)))
			require.Equal(t, []issue.Code{codes.SymbolTooComplex}, codesOf(issues), "%v", issues)
			requireWellFormed(t, issues)
		})
	}
	nested := func(n int) string {
		return drawing(strings.Repeat(`<g opacity=".9">`, n) + rect + `/>` + strings.Repeat("</g>", n))
	}
	requireIdempotent(t, []byte(nested(9)))
	requireRefused(t, nested(28), codes.SymbolTooComplex)

	clipped := func(n int) string {
		return drawing(`<clipPath id="a">` + strings.Repeat(`<circle cx="18" cy="18" r="18"/>`, n) + `</clipPath>` + rect + ` clip-path="url(#a)"/>`)
	}
	requireIdempotent(t, []byte(clipped(28)))
	requireRefused(t, clipped(31), codes.SymbolTooComplex)

	laughs := `<g id="l0"><path/></g>`
	for i := range 12 {
		laughs += fmt.Sprintf(`<g id="l%d"><use href="#l%d"/><use href="#l%d"/></g>`, i+1, i, i)
	}
	_, issues := Sanitize([]byte(drawing(laughs)))
	require.Equal(t, []issue.Code{codes.SymbolTooComplex}, codesOf(issues), "%v", issues)
}

// TestArea: drawings that reach beyond the viewBox count by their area, wherever it comes from.
func TestArea(t *testing.T) {
	const (
		inside = `<rect width="36" height="36"`
		beyond = `<rect x="-16" y="-16" width="68" height="68"` // 3.6 times as large
		far    = `<rect x="-9000" y="-9000" width="20000" height="20000"`
		mask   = `<mask id="a" maskUnits="userSpaceOnUse" x="-9000" y="-9000" width="20000" height="20000">`
		clip   = `<clipPath id="a">`
	)
	for name, c := range map[string]struct {
		body string
		tag  string // of the shape that is reported, "" if the symbol is accepted
	}{
		"a shape far beyond":           {far + `/>`, "rect"},
		"a shape far away":             {`<g opacity=".5">` + `<circle cx="9000" cy="9" r="9"/></g>`, "circle"},
		"shapes beyond":                {strings.Repeat(beyond+`/>`, 70), ""},
		"more shapes beyond":           {strings.Repeat(beyond+`/>`, 110), "rect"},
		"a layer beyond":               {beyond + ` opacity=".5"/>`, ""},
		"layers beyond":                {strings.Repeat(beyond+` opacity=".5"/>`, 3), "rect"},
		"nested layers":                {strings.Repeat(`<g opacity=".5">`, 3) + beyond + `/>` + strings.Repeat(`</g>`, 3), "rect"},
		"far, but clipped":             {clip + inside + `/></clipPath>` + far + ` clip-path="url(#a)"/>`, "rect"},
		"far, but masked":              {mask + inside + `/></mask>` + far + ` mask="url(#a)"/>`, "rect"},
		"far, but hidden":              {far + ` visibility="hidden"/>`, "rect"},
		"far, but transparent":         {`<g opacity="0">` + far + `/></g>`, "rect"},
		"far, without a paint":         {far + ` fill="none"/>`, ""},
		"far, not drawn":               {far + ` display="none"/>`, ""},
		"far, an unused mask":          {mask + far + ` opacity=".5"/></mask>` + inside + `/>`, ""},
		"far, only a template":         {`<defs>` + far + ` id="a"/></defs>`, ""},
		"a clip path":                  {clip + far + `/></clipPath>` + inside + ` clip-path="url(#a)"/>`, ""},
		"a mask":                       {mask + far + `/></mask>` + inside + ` mask="url(#a)"/>`, ""},
		"a layer in a mask":            {mask + far + ` opacity=".5"/></mask>` + inside + ` mask="url(#a)"/>`, "rect"},
		"a layer in a mask, inside":    {mask + inside + ` opacity=".5"/></mask>` + inside + ` mask="url(#a)"/>`, ""},
		"a layer in a mask, per shape": {`<mask id="a" maskContentUnits="objectBoundingBox">` + inside + ` opacity=".5"/></mask>` + inside + ` mask="url(#a)"/>`, "rect"},
		"a layer in a mask, 1 by 1":    {`<mask id="a" maskContentUnits="objectBoundingBox"><rect width="1" height="1" opacity=".5"/></mask>` + inside + ` mask="url(#a)"/>`, ""},
		"a mask of a mask":             {mask + far + ` opacity=".5"/></mask><mask id="b" mask="url(#a)">` + inside + `/></mask>` + inside + ` mask="url(#b)"/>`, "rect"},
		"what a mask inherits":         {`<g stroke="red" stroke-width="9000">` + mask + inside + ` opacity=".5"/></mask></g>` + inside + ` mask="url(#a)"/>`, "rect"},
		"scaled up":                    {`<g transform="scale(99)">` + inside + `/></g>`, "rect"},
		"scaled down":                  {`<g transform="scale(.001)">` + far + `/></g>`, ""},
		"moved":                        {`<defs>` + inside + ` id="a"/></defs><use href="#a" x="9000"/>`, "rect"},
		"transformed without end":      {`<g transform="` + strings.Repeat("scale(1e6)", 99) + `">` + inside + `/></g>`, "rect"},
		"a wide stroke":                {`<line x2="9" stroke="red" stroke-width="9000"/>`, "line"},
		"a wide stroke without paint":  {`<path d="M0 0h9v9z" stroke-width="9000"/>`, ""},
		"long corners":                 {`<path d="M9 9l9 9-9-8.99" stroke="red" stroke-miterlimit="9999"/>`, "path"},
		"long corners, but round":      {`<path d="M9 9l9 9-9-8.99" stroke="red" stroke-miterlimit="9999" stroke-linejoin="round"/>`, ""},
		"a curve":                      {`<path d="M0 0C9 9000 9000 9 9 9"/>`, "path"},
		"the farthest one":             {beyond + `/>` + `<polygon points="0 0 9000 0 0 9000"/>` + strings.Repeat(beyond+`/>`, 9), "polygon"},
	} {
		t.Run(name, func(t *testing.T) {
			if c.tag == "" {
				requireIdempotent(t, []byte(drawing(c.body)))
				return
			}
			_, issues := Sanitize([]byte(drawing(c.body)))
			require.Equal(t, []issue.Code{codes.SymbolTooComplex}, codesOf(issues), "%v", issues)
			require.Contains(t, issues[0].Message, "outside of the viewBox 0 0 36 36, such as this <"+c.tag+">")
			require.Contains(t, issues[0].FixHint, "cut off what lies outside of the viewBox")
			requireWellFormed(t, issues)
		})
	}
}
