package view

import (
	"cmp"
	"fmt"
	"html/template"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/internal/wordtable"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// What a reader can do: the rights in a document, each with a letter that is ready to send or copy, or
// with another way, and how to reach someone without e-mail.

// rightView is what a reader can do, with the first way to do it. Where that leads to is only shown on
// paper.
type rightView struct {
	Link   func(*markup)
	Button string
	Letter *letterView
	Action *action
	Values func(*markup) // if there is no way
	Others *reachView    // ways without e-mail of this right alone
}

// letterView is an e-mail that is ready to send, and its text for those who send it elsewhere.
type letterView struct {
	URL           template.URL
	Label         func(*markup)
	Address       string
	Subject, Text template.HTML // as the page shows them
}

// reachView is ways to reach someone, after a few words.
type reachView struct {
	Name string
	Ways []wayView
}

// wayView is an address or a number, with a link if there is one. Fixed is set if it is written from
// left to right.
type wayView struct {
	URL   template.URL
	Text  string
	Fixed bool
}

// Contact is how readers can reach those who publish a document.
type Contact struct{ Email, Phone, Address string }

// ways lists what is given, with or without the e-mail address.
func (c Contact) ways(mail bool) (list []wayView) {
	if mail && c.Email != "" {
		list = append(list, wayView{mailLink(c.Email).URL, c.Email, true})
	}
	if c.Phone != "" {
		list = append(list, wayView{phoneLink(c.Phone).URL, c.Phone, true})
	}
	if c.Address != "" {
		list = append(list, wayView{Text: c.Address})
	}
	return list
}

// rights returns what a reader can do and, if that needs e-mail, how to reach someone without it.
func (pg *page) rights(entries []summary.Entry) ([]rightView, *reachView) {
	list, button, needed := make([]rightView, len(entries)), "button", false
	name := pg.messages.Word("withoutmail") + pg.messages.Word("colon")
	for i := range entries {
		p, v := pg.placementOf(entries[i].Placement), &list[i]
		v.Link, v.Button = p.writeLink, button
		if letter := p.letter(); letter != nil {
			v.Letter = letter
			if others := p.withoutMail(); len(others) > 0 {
				v.Others = &reachView{name, others}
			} else {
				needed = true
			}
		} else if list := pg.actions(entries[i].Placement.Actions, ""); len(list) > 0 && list[0].URL != "" {
			v.Action = &list[0]
		} else {
			v.Values = p.writeFirstValues
			continue
		}
		button = "button second" // a view has one primary action
	}
	if !needed {
		return list, nil
	}
	others := pg.site.Contact.ways(false)
	if point, ok := pg.summary.Point(codes.RoleAccountable); ok && len(point.Entries) > 0 {
		if own := pg.placementOf(point.Entries[0].Placement).withoutMail(); len(own) > 0 {
			others = own
		}
	}
	if len(others) == 0 {
		return list, nil
	}
	return list, &reachView{name, others}
}

// withoutMail lists the telephone numbers and postal addresses of a placement: those of its actions, or
// else the numbers in its values.
func (p *placement) withoutMail() (ways []wayView) {
	for _, a := range p.Actions {
		switch a.Type {
		case "phone":
			ways = append(ways, wayView{phoneLink(a.Target).URL, phrases.Raw(a.Target).Value, true})
		case "postal":
			ways = append(ways, wayView{Text: phrases.Raw(a.Target).Value})
		}
	}
	if len(ways) > 0 {
		return ways[:min(2, len(ways))]
	}
	for _, text := range p.saidTexts() {
		for _, c := range weblink.Contacts(text) {
			if number := text[c.From:c.To]; strings.HasPrefix(c.URL, "tel:") && len(ways) < 2 && !slices.ContainsFunc(ways, func(w wayView) bool { return w.Text == number }) {
				ways = append(ways, wayView{template.URL(c.URL), number, true}) //nolint:gosec // digits only
			}
		}
	}
	return ways
}

// saidTexts lists the texts in which a placement can say how to reach someone.
func (p *placement) saidTexts() []string {
	pg := p.element.page
	said := []string{pg.locales.Text(p.entry.Contact).Value}
	for i := range p.Variables {
		said = append(said, pg.locales.Text(p.Variables[i].Text).Value)
	}
	return said
}

// mailAddress returns the first email address at which a placement can be answered.
func (p *placement) mailAddress() link {
	for _, a := range p.Actions {
		if a.Type == "email" {
			if l := mailLink(a.Target); l.URL != "" {
				return l
			}
		}
	}
	for _, text := range p.saidTexts() {
		if found := weblink.Mails(text); len(found) > 0 {
			return link{URL: template.URL(found[0].URL)} //nolint:gosec // escaped
		}
	}
	return link{}
}

// letter returns a letter in the language of the reader, ready to send: what is asked, and the law if the
// document or its taxonomy names it. It is nil unless the placement is a right with an email address.
func (p *placement) letter() *letterView {
	to := p.mailAddress()
	if p.entry.Role != codes.RoleRights || to.URL == "" {
		return nil
	}
	pg := p.element.page
	locales := pg.locales
	if pg.messages.UI != "" {
		locales = locales.Within(pg.messages.Lang)
	}
	name := func(l taxonomy.Localized, id string) phrases.Text {
		t := locales.Name(l, id)
		t.Value = clip(t.Value)
		return t
	}
	right := phrases.Raw(clip(p.element.ID))
	if p.element.load().titlePieces == nil {
		right = name(p.element.Title, p.element.ID)
	}
	if pg.letterTitle == nil { // it can be long, and there can be many rights
		title := name(pg.doc.Title, pg.doc.ID)
		pg.letterTitle = &title
	}
	document, page := *pg.letterTitle, cmp.Or(pg.options.Page, pg.options.Address)
	v := &letterView{Label: p.writeByMail}
	v.Address, _ = url.PathUnescape(strings.TrimPrefix(string(to.URL), "mailto:"))
	write := func(words func(key string) string, value func(phrases.Text) string) (subject, text string) {
		law := p.law()
		if law != "" {
			law = "\n" + wordtable.Fill(words("lawtext"), value(phrases.Raw(law)))
		}
		return value(right) + " – " + value(document),
			fmt.Sprintf(words("lettertext"), value(document), value(phrases.Raw(clip(pg.doc.ID))), value(right), value(phrases.Raw(page)), law)
	}
	v.URL = to.with(write(func(key string) string { return pg.messages.Word(key) }, phrases.Text.String)).URL
	// The page shows the same, with the language of each text.
	subject, text := write(
		func(key string) string { return template.HTMLEscapeString(pg.messages.Word(key)) },
		func(t phrases.Text) string { return string(t.HTML()) })
	v.Subject, v.Text = template.HTML(subject), template.HTML(text) //nolint:gosec // escaped
	return v
}

// maxLaws is how many laws a letter names.
const maxLaws = 3

// law names the laws among the sources of the placement and of its element.
func (p *placement) law() string {
	var laws []string
	for _, s := range slices.Concat(p.Sources, p.element.Sources) {
		if s.Type != "law" || len(laws) == maxLaws {
			continue
		}
		law := clip(s.Title)
		if s.Citation != "" {
			law += phrases.In(p.element.page.messages.Lang).Comma + clip(s.Citation)
		}
		if !slices.Contains(laws, law) {
			laws = append(laws, law)
		}
	}
	return strings.Join(laws, "; ")
}

// writeByMail writes the title of the placement, and that this is asked for by e-mail.
func (p *placement) writeByMail(m *markup) {
	words := func(s string) {
		if s = template.HTMLEscapeString(s); m.messages.UI != "" && s != "" {
			s = "<span" + m.messages.UI + ">" + s + "</span>"
		}
		m.WriteString(s)
	}
	before, after, _ := strings.Cut(p.element.page.messages.Word("bymail"), "%s")
	m.WriteString("<span>") // a button arranges its elements in a row
	words(before)
	p.element.load()
	p.writeTitle(m)
	words(after)
	m.WriteString("</span>")
}

// clip shortens a text for a letter.
func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 120 {
		return string(r[:119]) + "…"
	}
	return s
}

// with adds a subject and a text to an email address.
func (l link) with(subject, body string) link {
	if l.URL == "" {
		return l
	}
	escape := func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
	l.URL += template.URL("?subject=" + escape(subject) + "&body=" + escape(strings.ReplaceAll(body, "\n", "\r\n"))) //nolint:gosec // escaped
	return l
}
