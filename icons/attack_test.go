package icons

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const (
	xlinked = `<g xmlns:xlink="http://www.w3.org/1999/xlink">`
	target  = `<g id="a"/>`
)

// unsafeBodies try to get something active or external into a symbol.
var unsafeBodies = map[string]string{
	"script":                      `<script>alert(1)</script>`,
	"script in capitals":          `<SCRIPT>alert(1)</SCRIPT>`,
	"script by prefix":            `<s:script xmlns:s="http://www.w3.org/2000/svg">alert(1)</s:script>`,
	"script by undeclared prefix": `<s:script/>`,
	"script in no namespace":      `<script xmlns="">alert(1)</script>`,
	"script in a namespace":       `<script xmlns="urn:x"/>`,
	"script in CDATA":             `<script><![CDATA[alert(1)]]></script>`,
	"script in metadata":          `<metadata><script/></metadata>`,
	"script in title":             `<title><script/></title>`,
	"script in text":              `<text><script/></text>`,
	"script by link":              `<script href="#a"/>` + target,
	"xhtml script":                `<h:script xmlns:h="http://www.w3.org/1999/xhtml"/>`,
	"xhtml iframe":                `<iframe xmlns="http://www.w3.org/1999/xhtml" src="javascript:alert(1)"/>`,
	"xhtml paragraph":             `<p xmlns="http://www.w3.org/1999/xhtml"/>`,
	"xhtml in desc":               `<desc><p xmlns="http://www.w3.org/1999/xhtml"/></desc>`,
	"namespace by reference":      `<p xmlns="http://www.w3.org/1999/&#120;html"/>`,
	"foreignObject":               `<foreignObject/>`,
	"handler":                     `<handler type="text/ecmascript"/>`,
	"listener":                    `<listener xmlns="http://www.w3.org/2001/xml-events"/>`,
	"XInclude":                    `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="#a"/>`,
	"MathML":                      `<math xmlns="http://www.w3.org/1998/Math/MathML"/>`,
	"XSLT":                        `<t xmlns="http://www.w3.org/1999/XSL/Transform"/>`,
	"XBL":                         `<b xmlns="http://www.mozilla.org/xbl"/>`,
	"image":                       `<image href="#a"/>`,
	"feImage":                     `<filter><feImage href="#a"/></filter>`,
	"link":                        `<a href="#a"><path/></a>`,
	"iframe":                      `<iframe/>`,
	"embed":                       `<embed/>`,
	"object":                      `<object/>`,
	"audio":                       `<audio/>`,
	"video":                       `<video/>`,
	"set href":                    `<use href="#a"><set attributeName="href" to="javascript:alert(1)"/></use>` + target,
	"animate":                     `<path><animate attributeName="d"/></path>`,
	"animateTransform":            `<g><animateTransform/></g>`,
	"animateMotion":               `<g><animateMotion/></g>`,
	"discard":                     `<discard/>`,

	"onload":                  `<g onload="alert(1)"/>`,
	"onload in capitals":      `<g ONLOAD="alert(1)"/>`,
	"onload by prefix":        `<g x:onload="alert(1)" xmlns:x="http://www.w3.org/2000/svg"/>`,
	"onload on what is left":  `<metadata onload="alert(1)"/>`,
	"onload on what is wrong": `<text onload="alert(1)"/>`,
	"onfuture":                `<path onfuture=""/>`,
	"XML events":              `<g ev:event="click" xmlns:ev="http://www.w3.org/2001/xml-events"/>`,
	"xml:base":                `<g xml:base="http://evil.example/"/>`,
	"xml:base by prefix":      `<g x:base="http://evil.example/" xmlns:x="http://www.w3.org/XML/1998/namespace"/>`,

	"href":                       `<use href="http://evil.example/#a"/>`,
	"href to a file":             `<use href="other.svg#a"/>`,
	"href data":                  `<use href="data:image/svg+xml;base64,PHN2Zy8+#a"/>`,
	"href javascript":            `<use href="javascript:alert(1)"/>`,
	"href by references":         `<use href="&#106;avascript:alert(1)"/>`,
	"href with a tab":            "<use href=\"java&#9;script:alert(1)\"/>",
	"href after white space":     `<use href=" #a"/>` + target,
	"href with a control":        "<use href=\"#&#x85;a\"/>",
	"href empty":                 `<use href=""/>`,
	"href without id":            `<use href="#"/>`,
	"href scheme-relative":       `<use href="//evil.example/#a"/>`,
	"href in capitals":           `<use HREF="javascript:alert(1)"/>`,
	"href in capitals to a file": `<use HREF="other.svg"/>`,
	"href on a path":             `<path href="javascript:alert(1)"/>`,
	"xlink:href":                 xlinked + `<use xlink:href="http://evil.example/#a"/></g>`,
	"xlink:href behind href":     xlinked + `<use href="#a" xlink:href="javascript:alert(1)"/></g>` + target,
	"xlink:href by prefix":       `<use y:href="javascript:alert(1)" xmlns:y="http://www.w3.org/1999/xlink"/>`,
	"xlink:href undeclared":      `<use xlink:href="javascript:alert(1)"/>`,
	"href of another space":      `<use z:href="javascript:alert(1)" xmlns:z="urn:z"/>`,
	"href in metadata":           `<metadata><x href="http://evil.example/" xmlns="urn:x"/></metadata>`,
	"gradient href":              `<linearGradient href="http://evil.example/#g"/>`,

	"fill url":             `<path fill="url(http://evil.example/#a)"/>`,
	"fill url relative":    `<path fill="url(a.svg#a)"/>`,
	"fill url data":        `<path fill="url(data:image/png;base64,AAAA)"/>`,
	"fill two urls":        `<path fill="url(#a) url(x)"/>` + target,
	"fill url with escape": `<path fill="u\72l(http://evil.example)"/>`,
	"fill url by quotes":   `<path fill='url("#a" "http://evil.example")'/>`,
	"fill url of nothing":  `<path fill="url()"/>`,
	"fill image":           `<path fill="image(http://evil.example)"/>`,
	"clip-path url":        `<path clip-path="url(http://evil.example/#c)"/>`,
	"clip-path two urls":   `<clipPath id="c"/><path clip-path="url(#c) url(x)"/>`,
	"mask url":             `<path mask="url(//evil.example/#c)"/>`,
	"filter url":           `<path filter="url(http://evil.example/#f)"/>`,
	"marker url":           `<path marker-start="url(#m)"/>`,
	"cursor url":           `<path cursor="url(http://evil.example/c)"/>`,
	"font url":             `<path style="font-family:url(http://evil.example/)"/>`,
	"src":                  `<path src="javascript:alert(1)"/>`,

	"style url":           `<path style="fill:url(http://evil.example/)"/>`,
	"style background":    `<path style="background:url(http://evil.example/)"/>`,
	"style split url":     `<path style="fill:url(data:image/svg+xml;base64,AAAA)"/>`,
	"style import":        `<path style="@import 'http://evil.example/'"/>`,
	"style expression":    `<path style="width:expression(alert(1))"/>`,
	"style binding":       `<path style="-moz-binding:url(#a)"/>`,
	"style escape":        `<path style="fill:\75rl(http://evil.example/)"/>`,
	"style escaped name":  `<path style="f\69ll:red"/>`,
	"style javascript":    `<path style="fill:javascript:alert(1)"/>`,
	"style by references": `<path style="background:&#117;rl(x)"/>`,
	"style sheet import":  `<style>@import url(http://evil.example/);</style>`,
	"style sheet url":     `<style><![CDATA[g{fill:url(x)}]]></style>`,

	"DOCTYPE inside":         `<!DOCTYPE svg>`,
	"processing instruction": `<?php echo 1 ?>`,
	"stylesheet instruction": `<?xml-stylesheet href="http://evil.example/"?>`,
	"entity":                 `<g fill="&evil;"/>`,
	"entity in text":         `&nbsp;`,
}

func TestUnsafe(t *testing.T) {
	for name, body := range unsafeBodies {
		t.Run(name, func(t *testing.T) {
			requireRefused(t, drawing(body), codes.SymbolUnsafe)
		})
	}
}

// requireRefused checks that a symbol is refused with the code, among others.
func requireRefused(t *testing.T, svg string, code issue.Code) {
	t.Helper()
	symbol, issues := Sanitize([]byte(svg))
	require.Nil(t, symbol)
	require.Contains(t, codesOf(issues), code, "%v", issues)
	requireWellFormed(t, issues)
}

// TestUnsafeAround has unsafe content outside the root or on it.
func TestUnsafeAround(t *testing.T) {
	for name, svg := range map[string]string{
		"DOCTYPE":           `<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">` + drawing(""),
		"internal subset":   `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>` + drawing("<g/>"),
		"entity used":       `<!DOCTYPE svg [<!ENTITY x "red">]>` + drawing(`<g fill="&x;"/>`),
		"billion laughs":    `<!DOCTYPE svg [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;"><!ENTITY c "&b;&b;&b;">]>` + drawing("&c;"),
		"stylesheet":        `<?xml-stylesheet type="text/css" href="http://evil.example/"?>` + drawing(""),
		"stylesheet after":  drawing("") + `<?xml-stylesheet href="x"?>`,
		"late declaration":  " <?xml version=\"1.0\"?>" + drawing(""),
		"onload at root":    strings.Replace(drawing("<g/>"), "<svg", `<svg onload="alert(1)"`, 1),
		"onload without ns": `<svg onload="alert(1)" viewBox="0 0 36 36"/>`,
		"style at root":     strings.Replace(drawing("<g/>"), "<svg", `<svg style="background:url(x)"`, 1),
	} {
		t.Run(name, func(t *testing.T) { requireRefused(t, svg, codes.SymbolUnsafe) })
	}
}

// TestNotAllowed has harmless content that is not in the allow-list.
func TestNotAllowed(t *testing.T) {
	for name, body := range map[string]string{
		"text":                      `<text>Hi</text>`,
		"unknown element":           `<blink/>`,
		"nested svg":                `<svg/>`,
		"nested svg in g":           `<g><svg viewBox="0 0 36 36"/></g>`,
		"style sheet":               `<style>.a{fill:red}</style>`,
		"symbol":                    `<symbol/>`,
		"pattern":                   `<pattern/>`,
		"filter":                    `<filter/>`,
		"marker":                    `<marker/>`,
		"switch":                    `<switch><g/></switch>`,
		"other namespace":           `<x xmlns="urn:x"/>`,
		"no namespace":              `<g xmlns=""/>`,
		"element in capitals":       `<G/>`,
		"stop outside":              `<stop/>`,
		"path in path":              `<path><path/></path>`,
		"g in clipPath":             `<clipPath><g/></clipPath>`,
		"g in gradient":             `<linearGradient><g/></linearGradient>`,
		"words":                     `<g>words</g>`,
		"no-break space":            "<g>\u00A0</g>",
		"CDATA":                     `<g><![CDATA[words]]></g>`,
		"unknown attribute":         `<g flil="red"/>`,
		"attribute in capitals":     `<g FILL="red"/>`,
		"foreign geometry":          `<circle d="M0 0"/>`,
		"transform at mask":         `<mask transform="scale(1)"/>`,
		"conditional":               `<g requiredExtensions="x"/>`,
		"paint":                     `<g fill="reddish"/>`,
		"paint empty":               `<g fill=""/>`,
		"paint with alpha":          `<g fill="#11223344"/>`,
		"rgba":                      `<g fill="rgba(1,2,3,.5)"/>`,
		"rgb with four":             `<g fill="rgb(1,2,3,4)"/>`,
		"rgb words":                 `<g fill="rgb(a,b,c)"/>`,
		"color":                     `<g color="reddish"/>`,
		"coordinate":                `<linearGradient x1="1em"/>`,
		"points words":              `<polygon points="1 two"/>`,
		"transform word":            `<g transform="scale"/>`,
		"paint-order mixed":         `<g paint-order="normal fill"/>`,
		"paint-order other":         `<g paint-order="above"/>`,
		"long value":                `<g fill="` + strings.Repeat("é", 1000) + `"/>`,
		"rgb mixed":                 `<g fill="rgb(1%,2,3)"/>`,
		"rgb not closed":            `<g fill="rgb(1,2,3"/>`,
		"context-fill":              `<g fill="context-fill"/>`,
		"initial":                   `<g fill="initial"/>`,
		"stop-color none":           `<linearGradient><stop stop-color="none"/></linearGradient>`,
		"number":                    `<rect x="one"/>`,
		"number too large":          `<rect x="1000001"/>`,
		"infinite":                  `<rect x="1e999"/>`,
		"NaN":                       `<rect x="NaN"/>`,
		"hexadecimal":               `<rect x="0x10"/>`,
		"pathLength":                `<path pathLength="50%"/>`,
		"miter limit":               `<path stroke-miterlimit="-1"/>`,
		"unit":                      `<rect x="1em"/>`,
		"calc":                      `<rect x="calc(1px)"/>`,
		"negative width":            `<rect width="-1"/>`,
		"path from nowhere":         `<path d="L1 1"/>`,
		"path command":              `<path d="M0 0 X1"/>`,
		"path too short":            `<path d="M0"/>`,
		"path comma":                `<path d="M0 0,"/>`,
		"path comma first":          `<path d=",M0 0"/>`,
		"path comma command":        `<path d="M0 0,L1 1"/>`,
		"path flag":                 `<path d="M0 0a1 1 0 2 0 1 1"/>`,
		"path infinite":             `<path d="M0 1e400"/>`,
		"path none":                 `<path d="none"/>`,
		"points odd":                `<polygon points="1 2 3"/>`,
		"points comma":              `<polygon points="1 2,"/>`,
		"transform":                 `<g transform="spin(1)"/>`,
		"transform arguments":       `<g transform="matrix(1 2 3)"/>`,
		"transform many":            `<g transform="matrix(1 2 3 4 5 6 7)"/>`,
		"transform none":            `<g transform="scale()"/>`,
		"transform comma":           `<g transform="scale(1,)"/>`,
		"transform comma last":      `<g transform="scale(1),"/>`,
		"transform not closed":      `<g transform="scale(1"/>`,
		"transform unit":            `<g transform="rotate(1deg)"/>`,
		"dashes":                    `<g stroke-dasharray="1,-1"/>`,
		"opacity unit":              `<g opacity=".5px"/>`,
		"opacity inherited":         `<g opacity="inherit"/>`,
		"style string in pieces":    `<g style="font-family:'a;fill:red;font-family:b'"/>`,
		"dashes comma":              `<g stroke-dasharray="1,"/>`,
		"paint-order":               `<g paint-order="fill fill"/>`,
		"keyword":                   `<g stroke-linecap="pointy"/>`,
		"blend":                     `<g style="mix-blend-mode:multiply"/>`,
		"style property":            `<g style="width:3px"/>`,
		"style words":               `<g style="red"/>`,
		"style important":           `<g style="fill:red !important"/>`,
		"style comment":             `<g style="/* x */fill:red"/>`,
		"style string":              `<g style="font-family:'a;fill:red'"/>`,
		"style string, other marks": `<g style='font-family:"a;fill:red;font-family:b"'/>`,
		"style parentheses":         `<g style="font-family:(;fill:red;)"/>`,
		"color and currentColor":    `<g color="red"><path fill="currentColor"/></g>`,
		"reference to nothing":      `<use href="#gone"/>`,
		"reference of no XLink":     target + `<use xlink:href="#a" xmlns:xlink="http://www.w3.org/1999/xlinks"/>`,
		"reference to root":         `<g id="a" clip-path="url(#a)"/>`,
		"fill by a shape":           target + `<g fill="url(#a)"/>`,
		"use of a gradient":         `<linearGradient id="a"/><use href="#a"/>`,
		"gradient of a shape":       target + `<linearGradient href="#a"/>`,
		"reference to what is left": `<title id="a"/><use href="#a"/>`,
		"doubled id":                target + target + `<use href="#a"/>`,
		"use of itself":             `<use id="a" href="#a"/>`,
		"use of its parent":         `<g id="a"><use href="#a"/></g>`,
		"use in a circle":           `<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>`,
		"gradient in a circle":      `<linearGradient id="a" href="#b"/><radialGradient id="b" href="#a"/>`,
		"clip in a circle":          `<clipPath id="a"><path clip-path="url(#a)"/></clipPath>`,
		"mask in a circle":          `<mask id="a"><g mask="url(#b)"/></mask><mask id="b"><g mask="url(#a)"/></mask>`,
	} {
		t.Run(name, func(t *testing.T) {
			symbol, issues := Sanitize([]byte(drawing(body)))
			require.Nil(t, symbol)
			for _, finding := range issues {
				if finding.Severity == issue.SeverityError {
					require.EqualValues(t, codes.SymbolNotAllowed, finding.Code, "%v", finding)
				}
			}
			requireWellFormed(t, issues)
		})
	}
}

// TestMalformed has content that the decoder accepts and XML does not, and content that
// exceeds the limits.
func TestMalformed(t *testing.T) {
	chain := `<path id="l0"/>`
	for i := range 40 {
		chain += fmt.Sprintf(`<use id="l%d" href="#l%d"/>`, i+1, i)
	}
	long := "M0 0" + strings.Repeat("h1", symbolLimits.path/2)
	for name, tt := range map[string]struct{ body, message string }{
		"attribute twice":           {`<g fill="red" fill="blue"/>`, "given twice"},
		"attribute by two prefixes": {`<g xmlns:a="urn:x" xmlns:b="urn:x" a:c="" b:c=""/>`, "given twice"},
		"namespace twice":           {`<g xmlns:a="urn:x" xmlns:a="urn:y"/>`, "given twice"},
		"no space":                  {`<g fill="red"stroke="red"/>`, "no space"},
		"no quotes":                 {`<g fill=red/>`, "well-formed"},
		"no value":                  {`<g fill/>`, "well-formed"},
		"less in a value":           {`<g class="<"/>`, "well-formed"},
		"bare ampersand":            {`<g class="a & b"/>`, "&"},
		"reference to NUL":          {`<g class="&#0;"/>`, "well-formed"},
		"two colons":                {`<a:b:c/>`, "well-formed"},
		"colon first":               {`<:g/>`, ""},
		"undeclared element":        {`<x:g/>`, "not declared"},
		"undeclared attribute":      {`<g x:y=""/>`, "not declared"},
		"empty prefix":              {`<g xmlns:x=""/>`, "cannot be declared"},
		"xml prefix":                {`<g xmlns:xml="urn:x"/>`, "cannot be declared"},
		"comment":                   {`<!-- a -- b -->`, "well-formed"},
		"crossed":                   {`<g><path></g></path>`, "closed by"},
		"crossed prefix":            {`<g xmlns:s="http://www.w3.org/2000/svg"><s:path></path></g>`, "closed by"},
		"end without start":         {`</g>`, "closed by"},

		"long path":       {`<path d="` + long + `"/>`, "16384"},
		"long published":  {`<path d="M0 0` + strings.Repeat("h1e5", symbolLimits.path/5) + `"/>`, "16384"},
		"large":           {strings.Repeat(" ", symbolLimits.bytes), "262144"},
		"large published": {strings.Repeat(`<g transform="`+strings.Repeat("scale(1e6)", 1_000)+`"/>`, 20), "published symbol would have"},
		"deep":            {strings.Repeat("<g>", 10_000) + strings.Repeat("</g>", 10_000), "deeper than 32"},
		"deep by one":     {"<metadata>" + strings.Repeat("<g>", maxSymbolDepth-1) + strings.Repeat("</g>", maxSymbolDepth-1) + "</metadata>", "deeper than 32"},
		"many":            {strings.Repeat("<g/>", symbolLimits.elements), "more than 2000 elements"},
		"chain, not last": {`<g>` + chain + `</g><g/>`, "With every reference followed, elements are nested deeper than 32"},
		"chain":           {chain, "With every reference followed, elements are nested deeper than 32"},
	} {
		t.Run(name, func(t *testing.T) {
			symbol, issues := Sanitize([]byte(drawing(tt.body)))
			require.Nil(t, symbol)
			requireWellFormed(t, issues)
			found := false
			for _, finding := range issues {
				found = found || finding.Code == codes.SymbolMalformed && strings.Contains(finding.Message, tt.message)
			}
			if name == "colon first" {
				found = issues.HasErrors() // the decoder treats it as a local name
			}
			require.True(t, found, "%v", issues)
		})
	}
}

// TestLimitsAreInclusive has symbols of the maximum size.
func TestLimitsAreInclusive(t *testing.T) {
	for name, body := range map[string]string{
		"depth":  strings.Repeat("<g>", maxSymbolDepth-1) + strings.Repeat("</g>", maxSymbolDepth-1),
		"drawn":  strings.Repeat("<g/>", symbolLimits.drawn-1),
		"path":   `<path d="M0 0` + strings.Repeat("h0", symbolLimits.path/2-2) + `"/>`,
		"bytes":  strings.Repeat(" ", symbolLimits.bytes-len(drawing(""))),
		"number": `<path d="M1e6-1000000" transform="scale(.00001)"/>`,
	} {
		t.Run(name, func(t *testing.T) {
			requireIdempotent(t, []byte(drawing(body)))
		})
	}
}

// TestRefusedOnce has references to refused elements, which cause no second error.
func TestRefusedOnce(t *testing.T) {
	for name, body := range map[string]string{
		"not allowed":     `<text id="a"/><use href="#a"/>`,
		"inside of it":    `<text><tspan id="a"/></text><use href="#a"/>`,
		"undeclared":      `<x:g id="a"/><use href="#a"/>`,
		"unsafe":          `<image id="a" href="#b"/><use href="#a"/>`,
		"other namespace": `<x id="a" xmlns="urn:x"/><use href="#a"/>`,
	} {
		t.Run(name, func(t *testing.T) {
			_, issues := Sanitize([]byte(drawing(body)))
			require.Len(t, issues, 1, "%v", issues)
		})
	}
}
