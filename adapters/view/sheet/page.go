package sheet

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
)

//go:embed sign.css
var styles string

// style is the style sheet of a size. It is the same for all signs of that size, so that
// [ContentSecurityPolicy] can allow it by its hash.
func (s *geometry) style() string {
	length := func(v float64, unit string) string { return strconv.FormatFloat(v, 'f', -1, 64) + unit }
	return "@page{size:" + length(s.width, "mm") + " " + length(s.height, "mm") + ";margin:0}\n" +
		":root{--width:" + length(s.width, "mm") + ";--height:" + length(s.height, "mm") + ";--margin:" + length(s.margin, "mm") +
		";--large:" + length(s.large, "pt") + ";--text:" + length(s.text, "pt") + ";--tiny:" + length(s.tiny, "pt") + "}\n" +
		".dense{--large:" + length(1.2*s.least, "pt") + ";--text:" + length(s.least, "pt") + "}\n" + styles
}

// ContentSecurityPolicy is the policy that a server should send with a sign. It allows the
// style sheet and the logo, which is part of the page, and nothing else. Only a [Card] may be framed by other sites.
func ContentSecurityPolicy(k Kind) string {
	var b strings.Builder
	b.WriteString("default-src 'none'; img-src data:; style-src")
	for _, size := range Sizes() {
		s := sizes[size]
		sum := sha256.Sum256([]byte(s.style()))
		b.WriteString(" 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'")
	}
	b.WriteString("; base-uri 'none'; form-action 'none'")
	if k != Card {
		b.WriteString("; frame-ancestors 'none'")
	}
	return b.String()
}

// page is an HTML page while it is written.
type page struct {
	*Content
	brief bool // not all purposes are named, since they do not fit
	dst   []byte
}

// head writes the begin of the page.
func (p *page) head() {
	first, size := &p.Languages[0], sizes[p.Size]
	p.write("<!doctype html>\n", `<html lang="`, html.EscapeString(first.Locale), `" dir="`, i18n.Direction(first.Locale), "\">\n", `<meta charset="utf-8">`, "\n",
		`<meta name="viewport" content="width=device-width, initial-scale=1">`, "\n<title>", html.EscapeString(first.Title), "</title>\n",
		"<style>", size.style(), "</style>\n")
}

// main writes the sign. The error is a [*FitError].
func (p *page) main() error {
	class := string(p.Kind)
	if p.Mono {
		class += " mono"
	}
	if p.dense() {
		class += " dense"
	}
	if p.onPaper() {
		texts := p.TooLongAddress()
		if p.brief = !p.hasRoom(1); p.brief && !p.hasRoom(1) {
			heights, room := p.heights(1)
			texts = append(p.TooLong(heights, room, true), texts...)
		}
		if err := p.Fit(texts); err != nil {
			return err
		}
		class += p.growth()
	}
	p.write(`<main class="`, class, `">`, "\n")
	if p.CutMarks {
		p.write(`<i class="cut a"></i><i class="cut b"></i><i class="cut c"></i><i class="cut d"></i>`, "\n")
	}
	if !p.onPaper() {
		p.heading()
	}
	for i := range p.Points {
		p.point(i)
	}
	if p.onPaper() {
		p.foot()
	}
	p.write("</main>\n")
	return nil
}

// growth is a class for signs that have room for larger letters in their points.
func (p *page) growth() string {
	switch {
	case p.hasRoom(1.5):
		return " grow-50"
	case p.hasRoom(1.3):
		return " grow-30"
	case p.hasRoom(1.15):
		return " grow-15"
	}
	return ""
}

// heading writes the title of a label or a card, which leads to the page of the document.
func (p *page) heading() {
	p.write(`<h1>`)
	for i := range p.Languages {
		l := &p.Languages[i]
		p.write(`<a href="`, html.EscapeString(p.url), `" target="_top" lang="`, html.EscapeString(l.Locale), `" dir="auto">`, l.chooser.HTML(l.Title), "</a> ")
	}
	p.write("</h1>\n")
}

// point writes a point of the summary: its picture, and its words in each language.
func (p *page) point(i int) {
	said, class := &p.Points[i], "point"
	if i == 0 {
		class = "purpose"
	}
	p.write(`<section class="`, class, " ", string(said.role), `">`, "\n", `<div class="icon" aria-hidden="true">`)
	if said.logo {
		// Pictures in such a URL run no scripts and load nothing.
		p.write(`<img alt="" src="data:image/svg+xml;base64,`, base64.StdEncoding.EncodeToString(said.Picture), `">`)
	} else {
		p.write(string(said.Picture))
	}
	p.write("</div>\n<div>\n")
	for j := range p.Languages {
		l, name := &p.Languages[j], said.Texts[j].Name
		strong, rest := said.Texts[j].in(p.brief)
		if i == 0 {
			name = l.Lead
		}
		p.write(`<p lang="`, html.EscapeString(l.Locale), `" dir="auto">`)
		if name != "" {
			p.write("<small>", l.chooser.HTML(name), "</small> ")
		}
		p.write("<b>", l.chooser.HTML(strong), "</b>")
		if rest != "" {
			p.write(" <span>", l.chooser.HTML(rest), "</span>")
		}
		p.write("</p>\n")
	}
	p.write("</div>\n</section>\n")
}

// foot writes the code, what it is for, and where it leads.
func (p *page) foot() {
	// The border of the code lies in the margin, which is white anyway.
	left, right := QuietZone, 0
	if p.Languages[0].RTL {
		left, right = 0, QuietZone
	}
	p.write(`<footer>`, "\n", `<div class="code">`, p.Code.svg(p.url, p.CodeWidth/float64(p.Code.Modules+2*QuietZone), left, right), "</div>\n<div>\n")
	for i := range p.Languages {
		l := &p.Languages[i]
		p.write(`<p class="scan" lang="`, html.EscapeString(l.words.Lang), `" dir="auto"><b>`, html.EscapeString(l.Scan), "</b></p>\n")
	}
	for i := range p.Languages {
		l := &p.Languages[i]
		p.write(`<p class="date" lang="`, html.EscapeString(l.words.Lang), `" dir="auto">`, l.Date, "</p>\n")
	}
	p.write("</div>\n</footer>\n", `<p class="address" dir="ltr">`, strings.ReplaceAll(html.EscapeString(p.Address), "/", "/<wbr>"), "</p>\n")
	if p.Attribution != "" {
		p.write(`<p class="attribution" dir="auto">`, html.EscapeString(p.Attribution), "</p>\n")
	}
}

func (p *page) write(list ...string) {
	for _, s := range list {
		p.dst = append(p.dst, s...)
	}
}
