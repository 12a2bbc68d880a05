package icons

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestFineDashes has outlines whose length is about 100000: dashes of 130 are within the limit,
// much shorter ones are not.
func TestFineDashes(t *testing.T) {
	for name, body := range map[string]string{
		"line":             `<line x1="-50000" x2="50000"/>`,
		"slanted line":     `<line x2="60000" y1="80000"/>`,
		"rect":             `<rect width="20000" height="30000"/>`,
		"circle":           `<circle r="15915.494309"/>`,
		"ellipse":          `<ellipse rx="1" ry="15915.494309"/>`,
		"polygon":          `<polygon points="0 0 25000 0 25000 25000 0 25000"/>`,
		"polyline":         `<polyline points="5 5 100005 5"/>`,
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
		"arc that grows":   `<path d="M0 0a1 1 0 1 1 63661.977236 0"/>`,
		"arc that is flat": `<path d="M0 0a0 5 0 1 1 100000 0"/>`,
		"used twice":       `<defs><path id="a" d="M0 0h50000"/></defs><use href="#a"/>`,
		"in a mask":        `<mask id="a"><path d="M0 0h50000"/></mask><path d="M0 0" mask="url(#a)"/>`,
	} {
		t.Run(name, func(t *testing.T) {
			requireIdempotent(t, []byte(dashed(body, "130")))
			requireIdempotent(t, []byte(dashed(body, "none")))
			requireIdempotent(t, []byte(dashed(body, "0"))) // a solid line
			requireIdempotent(t, []byte(dashed(body, "0 260")))
			for _, finer := range []string{"60", "100 20", "50 50 95 50 50"} {
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

// TestCounts: n of each drawing are within the limits, and twice as many are not, nested and
// by reference, too.
func TestCounts(t *testing.T) {
	const rect = `<rect width="36" height="36"`
	for name, c := range map[string]struct {
		n          int
		defs, body string
	}{
		"shapes":          {390, "", rect + `/>`},
		"masks":           {9, `<mask id="a">` + rect + `/></mask>`, rect + ` mask="url(#a)"/>`},
		"clip paths":      {9, `<clipPath id="a">` + rect + `/></clipPath>`, rect + ` clip-path="url(#a)"/>`},
		"opacities":       {9, "", rect + ` opacity=".5"/>`},
		"groups":          {9, "", `<g opacity=".5">` + rect + `/></g>`},
		"references":      {190, `<path id="a" d="M0 0h9"/>`, `<use href="#a"/>`},
		"referred layers": {8, `<g id="a" opacity=".5">` + rect + `/></g>`, `<use href="#a"/>`},
		"long paths":      {4, "", `<path d="M0 0` + strings.Repeat("V9V0", 1500) + `"/>`},
		"referred paths":  {4, `<path id="a" d="M0 0` + strings.Repeat("V9V0", 1500) + `"/>`, `<use href="#a"/>`},
	} {
		t.Run(name, func(t *testing.T) {
			drawn := func(n int) string { return drawing(c.defs + strings.Repeat(c.body, n)) }
			requireIdempotent(t, []byte(drawn(c.n)))
			_, issues := Sanitize([]byte(drawn(2*c.n + 2)))
			require.Equal(t, []issue.Code{codes.SymbolTooComplex}, codesOf(issues), "%v", issues)
			requireWellFormed(t, issues)
		})
	}
	nested := func(n int) string {
		return drawing(strings.Repeat(`<g opacity=".9">`, n) + rect + `/>` + strings.Repeat("</g>", n))
	}
	requireIdempotent(t, []byte(nested(9)))
	requireRefused(t, nested(28), codes.SymbolTooComplex)

	laughs := `<g id="l0"><path/></g>`
	for i := range 12 {
		laughs += fmt.Sprintf(`<g id="l%d"><use href="#l%d"/><use href="#l%d"/></g>`, i+1, i, i)
	}
	_, issues := Sanitize([]byte(drawing(laughs)))
	require.Equal(t, []issue.Code{codes.SymbolTooComplex}, codesOf(issues), "%v", issues)
}
