package sheet

import (
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"html"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/phrases"
)

// ContentSecurityPolicy returns the policy that a server should send with a sign. It allows only the
// style sheet and a logo that is part of the page. Other sites may frame only a [Card].
func ContentSecurityPolicy(k Kind) string {
	var b strings.Builder
	b.WriteString("default-src 'none'; img-src data:; style-src")
	for _, size := range Sizes() {
		sum := sha256.Sum256([]byte(Style(size)))
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
	setting Setting
	dst     []byte
}

func newPage(c *Content, dst []byte) *page {
	return &page{Content: c, setting: c.Settings()[0], dst: dst}
}

// head writes the beginning of the page.
func (p *page) head() {
	first := &p.Languages[0]
	p.write("<!doctype html>\n", `<html lang="`, html.EscapeString(first.Locale), `" dir="`, i18n.Direction(first.Locale), "\">\n", `<meta charset="utf-8">`, "\n",
		`<meta name="viewport" content="width=device-width, initial-scale=1">`, "\n<title>", html.EscapeString(first.Title), "</title>\n",
		"<style>", Style(p.Size), "</style>\n<main>\n")
}

// sheet writes the sign.
func (p *page) sheet() {
	class, first := "sheet is-"+string(p.Kind), &p.Languages[0]
	if p.Mono {
		class += " is-mono"
	}
	if p.dense() {
		class += " is-dense"
	}
	if p.Kind == Label {
		if width := p.labelWidth(); width > 0 {
			class += " " + fitted(width)
		}
		if p.TwoLines() {
			class += " two-lines"
		}
	}
	if p.onPaper() {
		class += " on-paper"
		if p.setting.Scale > 1 {
			class += " " + grown(p.setting.Scale)
		}
	}
	p.write(`<article class="`, class, `" lang="`, html.EscapeString(first.Locale), `" dir="`, i18n.Direction(first.Locale), `">`, "\n")
	if p.CutMarks {
		p.write(`<i class="cut a"></i><i class="cut b"></i><i class="cut c"></i><i class="cut d"></i>`, "\n")
	}
	if p.onPaper() {
		p.top()
	} else {
		p.heading()
	}
	for i := range p.Points {
		p.point(i)
	}
	if p.onPaper() {
		p.foot()
	}
	p.write("</article>\n")
}

// top writes the publisher's logo and name.
func (p *page) top() {
	if !p.hasTop() {
		return
	}
	p.write(`<div class="on-top">`, "\n")
	if len(p.Logo) > 0 {
		// Pictures in such a URL run no scripts and load nothing.
		url := cmp.Or(p.logoURL, "data:image/svg+xml;base64,"+base64.StdEncoding.EncodeToString(p.Logo))
		p.write(`<img alt="" src="`, html.EscapeString(url), `">`, "\n")
	}
	p.write("<div>\n")
	for i := range p.Languages {
		if l := &p.Languages[i]; l.Publisher != "" {
			p.write(`<p lang="`, html.EscapeString(l.Locale), `" dir="auto">`, phrases.HTML(l.publisher), "</p>\n")
		}
	}
	p.write("</div>\n</div>\n")
}

// heading writes the title of a label or a card, which leads to the page of the document.
func (p *page) heading() {
	p.write(`<h1>`)
	for i := range p.Languages {
		l := &p.Languages[i]
		p.write(`<a href="`, html.EscapeString(p.url), `" target="_top" lang="`, html.EscapeString(l.Locale), `" dir="auto">`, phrases.HTML(l.title), "</a> ")
	}
	p.write("</h1>\n")
}

// point writes a point of the summary: its picture, and its words in each language.
func (p *page) point(i int) {
	said, class := &p.Points[i], "point"
	if i == 0 {
		class = "purpose"
	}
	p.write(`<section class="`, class, " ", string(said.point.Role), `">`, "\n", `<div class="icon" aria-hidden="true">`, string(said.Picture), "</div>\n<div>\n")
	for j := range p.Languages {
		l, text := &p.Languages[j], &said.noted[j]
		strong, rest := text.In(p.setting.Brief)
		p.write(`<p lang="`, html.EscapeString(l.Locale), `" dir="auto">`)
		name := text.Name
		if i == 0 {
			name = l.lead
		}
		if name != "" {
			p.write("<small>", phrases.HTML(name), "</small> ")
		}
		if said.Level != nil {
			p.write(style.Tag(&said.point.Category.Context, p.value(said.point), phrases.HTML(text.Level), l.words.Level), " ")
		}
		if strong != "" {
			p.write("<b>", phrases.HTML(strong), "</b> ")
		}
		if rest != "" {
			p.write(`<span class="rest">`, phrases.HTML(rest), "</span>")
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
		if l.Answers != "" {
			p.write(`<p class="answers" lang="`, html.EscapeString(l.words.Lang), `" dir="auto">`, html.EscapeString(l.Answers), "</p>\n")
		}
	}
	p.write(`<p class="address" dir="ltr"><span>`, strings.ReplaceAll(html.EscapeString(p.Address), "/", "/</span><wbr><span>"), "</span></p>\n")
	for i := range p.Languages {
		l := &p.Languages[i]
		p.write(`<p class="date" lang="`, html.EscapeString(l.words.Lang), `" dir="auto">`, l.Date, "</p>\n")
	}
	p.write("</div>\n</footer>\n")
	if p.Attribution != "" {
		p.write(`<p class="attribution" dir="auto">`, html.EscapeString(p.Attribution), "</p>\n")
	}
}

func (p *page) write(list ...string) {
	for _, s := range list {
		p.dst = append(p.dst, s...)
	}
}
