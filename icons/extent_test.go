package icons

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestFineDashes has outlines whose length is bounded by 100000: dashes of 2 are within
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
			requireIdempotent(t, []byte(dashed(body, "2")))
			requireIdempotent(t, []byte(dashed(body, "none")))
			requireIdempotent(t, []byte(dashed(body, "0"))) // a solid line
			requireIdempotent(t, []byte(dashed(body, "0 4")))
			for _, finer := range []string{"1.999", "3 0.99", "1 1 3.9 1 1"} {
				_, issues := Sanitize([]byte(dashed(body, finer)))
				require.Equal(t, []issue.Code{issue.CodeSymbolMalformed}, codesOf(issues), "%v", issues)
				require.Contains(t, issues[0].Message, "more than 50000")
				requireWellFormed(t, issues)
			}
		})
	}
}

// dashed returns a drawing in a group with dashes.
func dashed(body, dashes string) string {
	return drawing(`<g stroke="red" stroke-dasharray="` + dashes + `">` + body + `</g>`)
}

// TestFinestDashesCount: the finest dashes count, on whichever outline.
func TestFinestDashesCount(t *testing.T) {
	fine, coarse := `<path d="M0 0h9" stroke-dasharray=".1"/>`, `<path d="M0 0h5000" stroke-dasharray="9"/>`
	requireIdempotent(t, []byte(drawing(strings.Repeat(coarse, 5))))
	requireIdempotent(t, []byte(drawing(strings.Repeat(fine, 50))))
	requireRefused(t, drawing(fine+coarse), issue.CodeSymbolMalformed)
	requireRefused(t, drawing(coarse+fine), issue.CodeSymbolMalformed)
}

// TestDrawnBytes: a path of 60000 bytes may be drawn eight times but not ten times.
func TestDrawnBytes(t *testing.T) {
	long := `<path id="a" d="M0 0` + strings.Repeat("h1", 30_000) + `"/>`
	requireIdempotent(t, []byte(drawing(long+strings.Repeat(`<use href="#a"/>`, 7))))
	_, issues := Sanitize([]byte(drawing(long + strings.Repeat(`<use href="#a"/>`, 9))))
	require.Equal(t, []issue.Code{issue.CodeSymbolMalformed}, codesOf(issues), "%v", issues)
	require.Contains(t, issues[0].Message, "more than 524288 bytes")
	requireWellFormed(t, issues)
}
