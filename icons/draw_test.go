package icons_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/icons"
)

// written writes figures as text: groups in parentheses, and paths with their points.
func written(list []icons.Figure) string {
	var b strings.Builder
	for i := range list {
		f := &list[i]
		b.WriteString("(")
		if f.Matrix != nil {
			fmt.Fprintf(&b, "%.4g", f.Matrix)
		}
		if f.Clip != nil {
			fmt.Fprintf(&b, "clip %s ", pathOf(f.Clip))
		}
		if f.Opacity != 1 {
			fmt.Fprintf(&b, "opacity %g ", f.Opacity)
		}
		b.WriteString(written(f.Children))
		if f.Path != nil {
			b.WriteString(pathOf(f.Path))
		}
		if f.Fill != nil {
			fmt.Fprintf(&b, " fill %s %g", f.Fill.Color, f.Fill.Opacity)
		}
		if f.Stroke != nil {
			fmt.Fprintf(&b, " stroke %s %g %v %t", f.Stroke.Color, f.Stroke.Opacity, f.Pen, f.StrokeFirst)
		}
		b.WriteString(")")
	}
	return b.String()
}

func pathOf(p *icons.Outline) string {
	var b strings.Builder
	rest := p.Coords
	for _, op := range p.Ops {
		n := map[byte]int{'m': 2, 'l': 2, 'c': 6}[op]
		for _, v := range rest[:n] {
			fmt.Fprintf(&b, "%g ", math.Round(v*1e4)/1e4)
		}
		rest = rest[n:]
		b.WriteByte(op)
		b.WriteByte(' ')
	}
	if p.EvenOdd {
		b.WriteString("even-odd")
	}
	return strings.TrimSpace(b.String())
}

const drawnOpen = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36">`

// TestDraw has drawings, and their figures.
func TestDraw(t *testing.T) {
	const triangle = "1 2 m 4 2 l 4 6 l h"
	for name, c := range map[string]struct{ svg, want string }{
		"fill":      {`<path d="M1 2h3v4z" fill="#FF0000"/>`, "(" + triangle + " fill #FF0000 1)"},
		"even odd":  {`<path d="M1 2h3v4z" fill-rule="evenodd"/>`, "(" + triangle + " even-odd fill #000000 1)"},
		"curves":    {`<path d="M0 0c1 1 2 2 3 3s4 4 5 5"/>`, "(0 0 m 1 1 2 2 3 3 c 4 4 7 7 8 8 c fill #000000 1)"},
		"smooth":    {`<path d="M0 0q3 3 6 0t6 0"/>`, "(0 0 m 2 2 4 2 6 0 c 8 -2 10 -2 12 0 c fill #000000 1)"},
		"closed":    {`<path d="M1 2h3v4zh-1v-1"/>`, "(" + triangle + " 1 2 m 0 2 l 0 1 l fill #000000 1)"},
		"quadratic": {`<path d="M0 0q3 3 6 0"/>`, "(0 0 m 2 2 4 2 6 0 c fill #000000 1)"},
		"arc":       {`<path d="M0 0a3 3 0 0 1 3 3"/>`, "(0 0 m 1.6569 0 3 1.3431 3 3 c fill #000000 1)"},
		"rectangle": {`<rect x="1" y="2" width="3" height="4"/>`, "(4 6 m 1 6 l 1 2 l 4 2 l h fill #000000 1)"},
		"stroke": {
			`<path d="M0 0h1" fill="none" stroke="#0000FF" stroke-width="2" stroke-linecap="round" stroke-linejoin="bevel" stroke-dasharray="1 2" stroke-dashoffset="3" stroke-opacity=".5"/>`,
			"(0 0 m 1 0 l stroke #0000FF 0.5 {2 4 1 2 [1 2] 3} false)",
		},
		"length of a path":  {`<path d="M0 0h10" fill="none" stroke="#000" stroke-dasharray="1" pathLength="5"/>`, "(0 0 m 10 0 l stroke #000000 1 {1 4 0 0 [2] 0} false)"},
		"dashes of nothing": {`<path d="M0 0h1" fill="none" stroke="#000" stroke-dasharray="0 0"/>`, "(0 0 m 1 0 l stroke #000000 1 {1 4 0 0 [] 0} false)"},
		"stroke first":      {`<path d="M0 0h1" stroke="#000" paint-order="stroke"/>`, "(0 0 m 1 0 l fill #000000 1 stroke #000000 1 {1 4 0 0 [] 0} true)"},
		"transform":         {`<g transform="translate(1 2)"><path d="M1 2h3v4z"/></g>`, "([1 0 0 1 1 2](" + triangle + " fill #000000 1))"},
		"no extent":         {`<g transform="scale(0 1)"><path d="M1 2h3v4z"/></g>`, ""},
		"opacity of groups": {`<g opacity=".5"><path d="M1 2h3v4z" opacity=".5"/></g>`, "(opacity 0.5 (" + triangle + " fill #000000 0.5))"},
		"opacity of both":   {`<path d="M0 0h1" stroke="#000" opacity=".5"/>`, "(opacity 0.5 0 0 m 1 0 l fill #000000 1 stroke #000000 1 {1 4 0 0 [] 0} false)"},
		"invisible":         {`<path d="M0 0h1" opacity="0"/><path d="M0 0h1" fill="none"/><path d="M0 0h1" display="none"/><path d="M0 0h1" visibility="hidden"/>`, ""},
		"use":               {`<defs><path id="a" d="M1 2h3v4z"/></defs><use href="#a" x="5"/>`, "([1 0 0 1 5 0](" + triangle + " fill #000000 1))"},
		"clip": {
			`<clipPath id="a"><rect width="9" height="9" transform="translate(1 0)"/></clipPath><path clip-path="url(#a)" d="M1 2h3v4z"/>`,
			"(clip 10 9 m 1 9 l 1 0 l 10 0 l h " + triangle + " fill #000000 1)",
		},
		"clip by nothing": {`<clipPath id="a"/><path clip-path="url(#a)" d="M1 2h3v4z"/>`, "(clip  " + triangle + " fill #000000 1)"},
		"current colour":  {`<g color="red" fill="currentColor"><path d="M1 2h3v4z"/><path color="#00F" d="M1 2h3v4z"/></g>`, "(" + triangle + " fill #FF0000 1)(" + triangle + " fill #0000FF 1)"},
		"percentages":     {`<rect width="100%" height="50%"/>`, "(36 18 m 0 18 l 0 0 l 36 0 l h fill #000000 1)"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := icons.Draw([]byte(drawnOpen + c.svg + `</svg>`))
			require.NoError(t, err)
			assert.Equal(t, c.want, written(d.Figures))
		})
	}
}

// TestDrawBox has sizes of drawings that are not symbols.
func TestDrawBox(t *testing.T) {
	for attributes, want := range map[string][4]float64{
		`viewBox="-5 2 200 100" width="20mm"`: {-5, 2, 200, 100},
		`width="20mm" height="10mm"`:          {0, 0, 20, 10},
		`width="100%"`:                        {0, 0, 300, 150},
		``:                                    {0, 0, 300, 150},
	} {
		d, err := icons.Draw([]byte(`<svg xmlns="http://www.w3.org/2000/svg" ` + attributes + `/>`))
		require.NoError(t, err, attributes)
		assert.Equal(t, want, [4]float64{d.X, d.Y, d.Width, d.Height}, attributes)
	}
}

// TestDrawNot names what can't be drawn.
func TestDrawNot(t *testing.T) {
	bomb := `<g id="g0"><path d="M0 0h1"/></g>`
	for i := range 20 {
		bomb += fmt.Sprintf(`<g id="g%d"><use href="#g%d"/><use href="#g%[2]d"/></g>`, i+1, i)
	}
	for svg, want := range map[string]string{
		`<linearGradient id="a"><stop offset="1"/></linearGradient><path fill="url(#a)" d="M0 0h1z"/>`: "line 2: <linearGradient> can't be drawn as vectors; fill the shapes with plain colours",
		`<mask id="a"><path d="M0 0h1z"/></mask><path mask="url(#a)" d="M0 0h1z"/>`:                    "<mask> can't be drawn",
		`<clipPath id="a" clipPathUnits="objectBoundingBox"/><path clip-path="url(#a)" d="M0 0h1z"/>`:  "<clipPath> can't be drawn",
		`<text>Town</text>`:                                  "line 2: it must not use <text> in <svg>; convert the text to paths",
		`<image href="data:image/png;base64,AA"/>`:           "line 2: The element <image> could run or load something",
		`<filter id="a"/>`:                                   "<filter>",
		`<style>path{fill:red}</style>`:                      "<style>",
		`<foreignObject/>`:                                   "<foreignObject>",
		`<script>alert(1)</script>`:                          "<script>",
		`<symbol id="a"/>`:                                   "it must not use <symbol> in <svg>",
		`<path onclick="x" d="M0 0"/>`:                       "onclick",
		`<path fill="url(https://example.org/a)" d="M0 0"/>`: "which can't be drawn",
		`<use href="https://example.org/a.svg#a"/>`:          "https://example.org",
		`<g id="a"><use href="#a"/></g>`:                     "contains or refers to this element",
		bomb:                                                 "elements",
		strings.Repeat("<g>", 100):                           "nested deeper than 32",
		strings.Repeat("<path/>", 10_001):                    "the drawing has more than 10000 elements",
		strings.Repeat(" ", 1<<20):                           "the drawing has",
	} {
		_, err := icons.Draw([]byte(drawnOpen + "\n" + svg + `</svg>`))
		require.ErrorContains(t, err, want, svg[:min(len(svg), 80)])
	}
	for svg, want := range map[string]string{
		``: "no root element",
		`<html xmlns="http://www.w3.org/1999/xhtml"/>`:                              "<html>",
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 0 9"/>`:               `The viewBox of <svg> is "0 0 0 9"`,
		`<!DOCTYPE svg [<!ENTITY a "b">]><svg xmlns="http://www.w3.org/2000/svg"/>`: "DOCTYPE",
		"\x89PNG": "invalid UTF-8",
	} {
		_, err := icons.Draw([]byte(svg))
		assert.ErrorContains(t, err, want, svg)
	}
}

// TestDrawIcons draws composed icons of the samples, in which currentColor is the ink.
func TestDrawIcons(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	for _, e := range index.Entries() {
		r, err := store.Release(t.Context(), e.ID)
		require.NoError(t, err)
		set := must(icons.NewSet(r, nil))
		for _, e := range r.Elements() {
			for _, variant := range e.IconVariants {
				svg, err := set.Icon(e.ID, variant)
				require.NoError(t, err)
				drawn, err := icons.Draw(svg)
				require.NoError(t, err)
				require.Greater(t, len(drawn.Figures), 1)
			}
		}
	}
}

// FuzzDraw: whatever is drawn has numbers that other formats can hold, and as many as its
// operators need.
func FuzzDraw(f *testing.F) {
	for _, body := range []string{
		`<g clip-path="url(#a)"><path d="M0 0a1 1 0 01.5.5z" transform="rotate(1)" stroke-dasharray="1 2" pathLength="3"/></g><clipPath id="a"><use href="#b"/></clipPath><circle id="b" r="9%"/>`,
		`<g color="red" fill="currentColor" opacity=".5"><rect width="100%" height="1" rx="9" stroke="#000" paint-order="markers stroke"/></g>`,
		`<g transform="matrix(1e6 0 0 1e6 1e6 1e6) skewX(90)"><polygon points="1 2 3 4" fill-rule="evenodd"/></g>`,
	} {
		f.Add([]byte(drawnOpen + body + `</svg>`))
	}
	f.Fuzz(func(t *testing.T, svg []byte) {
		d, err := icons.Draw(svg)
		if err != nil {
			require.Nil(t, d)
			return
		}
		require.True(t, d.Width > 0 && d.Height > 0)
		var check func(list []icons.Figure)
		finite := func(list ...float64) {
			for _, v := range list {
				require.False(t, math.IsNaN(v) || math.IsInf(v, 0))
			}
		}
		check = func(list []icons.Figure) {
			for i := range list {
				f := &list[i]
				finite(append(f.Matrix, f.Opacity, f.Pen.Width, f.Pen.MiterLimit, f.Pen.Offset)...)
				finite(f.Pen.Dashes...)
				for _, p := range []*icons.Outline{f.Path, f.Clip} {
					if p != nil {
						pathOf(p)
						finite(p.Coords...)
					}
				}
				check(f.Children)
			}
		}
		check(d.Figures)
	})
}

// must returns a value, and fails on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
