package view_test

import (
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestShort checks what the first screen says, in the order in which it says it.
func TestShort(t *testing.T) {
	service := samples(t)
	for _, c := range []struct {
		document, locale string
		want             []string
	}{
		{"crossing-camera.json", "en", []string{
			"What it is for Two cameras count cars, bicycles and people, so that the traffic lights change in time. Safety of people and property",
			"Most sensitive data Could identify people (level 2 of 3) Pictures or video",
			"Who answers for it Roads Department of Lindenau roads@lindenau.example 0123 4570",
			"What you can do See, correct or delete your data See, correct or delete your data by e-mail roads@lindenau.example Text of the e-mail roads@lindenau.example",
		}},
		{"library-chat.json", "es", []string{
			"Para qué sirve Responder a sus preguntas", "Datos más sensibles Personales (nivel 4 de 5) Lo que comunica al servicio", "Quién decide La IA solo informa",
			"Mayor riesgo Limitado", "Quién responde", "Qué puede hacer usted",
		}},
		{"wifi-counter.json", "en", []string{ // of a version without roles
			"Purpose Planning", "Device Wi-Fi or Bluetooth receiver the entrance hall · Wi-Fi", "What it collects Could identify people",
			"Who is responsible Organisation in charge City Library · desk@library.example",
		}},
	} {
		t.Run(c.document, func(t *testing.T) {
			document := sample(t, c.document)
			if c.document == "wifi-counter.json" {
				document = withoutRoles(document)
			}
			text := render(t, present(t, service, document), &view.Options{Locale: c.locale})
			harmless(t, text)
			got := texts(parsed(t, text), class("point"))
			require.Len(t, got, len(c.want))
			for i, want := range c.want {
				assert.True(t, strings.HasPrefix(strings.Join(strings.Fields(got[i]), " "), strings.Join(strings.Fields(want), " ")), "%q, not %q", got[i], want)
			}
		})
	}
}

// TestPurposes: all purposes are named if there is room for them, else the first and how many
// more there are.
func TestPurposes(t *testing.T) {
	service := samples(t)
	with := func(words string) *datachain.Presentation {
		p := present(t, service, sample(t, "crossing-camera.json"))
		doc := p.Datachain
		traffic := doc.Elements[0]
		traffic.Variables = []taxonomy.VariableValue{{ID: "in_short", Text: taxonomy.Localized{{Locale: "en", Value: words}}}}
		doc.Elements = slices.Insert(doc.Elements, 1, traffic)
		return p
	}
	short := func(p *datachain.Presentation, locale string) string {
		page := parsed(t, render(t, p, &view.Options{Locale: locale}))
		return strings.Join(strings.Fields(texts(page, class("point"))[0]), " ")
	}
	p := with("They count buses.")
	assert.Equal(t, "What it is for Two cameras count cars, bicycles and people, so that the traffic lights change in time. They count buses. Safety of people and property", short(p, "en"))
	text, _, err := view.AppendText(nil, p, view.Text, nil)
	require.NoError(t, err)
	assert.Contains(t, string(text), "lights change in time. They count buses. Safety of people and property\n")
	long := with(strings.Repeat("They count buses. ", 30))
	assert.Equal(t, "What it is for Two cameras count cars, bicycles and people, so that the traffic lights change in time. and 2 more", short(long, "en"))
	assert.Contains(t, short(long, "fr"), "à temps. et 2 de plus")
	first := with("They count buses.")
	first.Datachain.Elements[0].Variables[0].Text = taxonomy.Localized{{Locale: "en", Value: strings.Repeat("They count cars. ", 30)}}
	assert.Equal(t, "What it is for Traffic and travel and 2 more", short(first, "en"), "its article has the words")
	many := with("They count buses.")
	many.Datachain.Elements = slices.Insert(many.Datachain.Elements, 1, slices.Repeat(many.Datachain.Elements[1:2], 3)...)
	assert.Equal(t, "What it is for Two cameras count cars, bicycles and people, so that the traffic lights change in time. They count buses. and 4 more", short(many, "en"))
	text, _, err = view.AppendText(nil, long, view.Text, nil)
	require.NoError(t, err)
	assert.Contains(t, string(text), "They count buses. Safety of people and property\n")
}

// TestRights checks what a reader can do: a block for each right, whose button says the right, a letter that
// names the law and can be copied, and who to reach without e-mail.
func TestRights(t *testing.T) {
	p := present(t, samples(t), sample(t, "crossing-camera.json"))
	doc := p.Datachain
	ask := slices.IndexFunc(doc.Elements, func(e taxonomy.Placement) bool { return e.ElementID == "rights.ask" })
	other := doc.Elements[ask]
	other.Actions = []taxonomy.Action{
		{Type: "email", Label: taxonomy.Label{Plain: "Write"}, Target: "desk@lindenau.example"}, {Type: "phone", Target: "0123 99"}, {Type: "postal", Target: "Town Hall, <Lindenau>"},
	}
	doc.Elements = append(doc.Elements, other)
	shown := func(locale string, site *view.Site) []*html.Node {
		text := render(t, p, &view.Options{Locale: locale, Site: site})
		harmless(t, text)
		return all(parsed(t, text), class("rights"))
	}
	point := shown("en", nil)[0]
	blocks := all(point, class("right"))
	require.Len(t, blocks, 2)
	for _, block := range blocks {
		assert.Equal(t, []string{"See, correct or delete your data by e-mail"}, texts(block, class("button")))
	}
	letter := texts(blocks[0], class("mail"))[0]
	assert.Contains(t, letter, "roads@lindenau.example")
	assert.Contains(t, letter, "Your page offers: “See, correct or delete your data”. That is my request.")
	assert.Contains(t, letter, "Your page names the law on this: General Data Protection Regulation, Regulation (EU) 2016/679, Articles 15 to 17.")
	href, err := url.Parse(attribute(all(blocks[0], class("email"))[0], "href"))
	require.NoError(t, err)
	body := strings.Join(strings.Fields(href.Query().Get("body")), " ")
	assert.Contains(t, strings.Join(strings.Fields(letter), " "), body, "what is copied is what is sent")
	assert.Contains(t, texts(blocks[1], class("reach"))[0], "Without e-mail: 0123 99 Town Hall, <Lindenau>", "its own ways")
	assert.Empty(t, all(blocks[0], class("reach")))
	common := all(point, class("reach"))
	assert.Equal(t, "Without e-mail: 0123 4570", content(common[len(common)-1]), "that of who answers for it")
	for locale, want := range map[string]string{
		"fr": "Voir, corriger ou effacer vos données par e-mail", "es": "Ver, corregir o borrar sus datos por correo electrónico",
	} {
		assert.Equal(t, want, texts(shown(locale, nil)[0], class("button"))[0])
	}

	// Where the document has no number, the site may have one; and it helps if nobody else does.
	silent := present(t, samples(t), sample(t, "crossing-camera.json"))
	p, doc = silent, silent.Datachain
	in := slices.IndexFunc(doc.Elements, func(e taxonomy.Placement) bool { return e.ElementID == "responsible.in_charge" })
	doc.Elements[in].Variables, doc.Elements[in].Actions = doc.Elements[in].Variables[:1], nil
	site := &view.Site{Contact: view.Contact{Email: "register@lindenau.example", Phone: "0123 4500", Address: "Town Hall Square 1"}}
	text := parsed(t, render(t, p, &view.Options{Site: site}))
	assert.Contains(t, texts(text, class("accountable"))[0], "No contact is given. Ask this register: register@lindenau.example 0123 4500 Town Hall Square 1")
	assert.Contains(t, texts(text, class("rights"))[0], "Without e-mail: 0123 4500 Town Hall Square 1")
	without := parsed(t, render(t, p, nil))
	assert.NotContains(t, content(without), "Ask this register")
	assert.NotContains(t, content(without), "Without e-mail")
}

// TestAnsweredPoint says what happened when people asked below what they can do, and also if nothing else is
// in the summary.
func TestAnsweredPoint(t *testing.T) {
	days := 9
	site := &view.Site{Answered: &phrases.Answered{From: "2026-05-01", To: "2026-10-31", Asked: 14, Answered: 13, Days: &days}}
	p := present(t, samples(t), sample(t, "crossing-camera.json"))
	points := texts(parsed(t, render(t, p, &view.Options{Site: site})), class("point"))
	assert.Equal(t, "What happened when people asked From 1 May 2026 to 31 October 2026: 14 requests, 13 answered within 9 days.", points[len(points)-1])
	assert.Contains(t, points[len(points)-2], "What you can do")
	points = texts(parsed(t, render(t, p, &view.Options{Site: site, Locale: "fr"})), class("point"))
	assert.Contains(t, points[len(points)-1], "14 demandes, 13 avec réponse en 9 jours.")
	none := small()
	none.Elements = nil
	assert.Contains(t, content(parsed(t, render(t, &datachain.Presentation{Datachain: none}, &view.Options{Site: site}))), "13 answered within 9 days")
	text, _, err := view.AppendText(nil, p, view.Markdown, &view.Options{Site: site})
	require.NoError(t, err)
	assert.Contains(t, string(text), "- **What happened when people asked:** From 1 May 2026")
}

// roled is a datachain whose taxonomy has roles and that leaves everything out but a right.
func roled() *taxonomy.Resolved {
	r := small()
	c := r.SchemaSnapshot.Categories
	c[0].Role, c[1].Role, c[1].Context.Order = codes.RoleRights, codes.RoleRisk, codes.Rising
	r.SchemaSnapshot.Elements[1].Variables = []taxonomy.Variable{{ID: "how", Label: en("How"), Type: taxonomy.TextVariable}}
	return r
}

// TestLeftOut checks what a page says if the document leaves something out.
func TestLeftOut(t *testing.T) {
	r := roled()
	r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
	points := func(locale string) []string {
		return texts(parsed(t, render(t, &datachain.Presentation{Datachain: r}, &view.Options{Locale: locale})), class("point"))
	}
	got := strings.Join(points("en"), "|")
	assert.Contains(t, got, "Nothing is said about risks.")
	assert.NotContains(t, got, "Data", "no category has the role")
	r.Elements = append(r.Elements, taxonomy.Placement{ElementID: "data.trips", ContextTypeID: "personal"})
	assert.NotContains(t, strings.Join(points("en"), "|"), "No safeguard is given.", "no variable has the role")
	for i, role := range []taxonomy.Role{codes.RoleSafeguard, codes.RoleContact} {
		e := &r.SchemaSnapshot.Elements[slices.IndexFunc(r.SchemaSnapshot.Elements, func(e taxonomy.Element) bool { return e.ID == [...]string{"data.trips", "contact.office"}[i] })]
		e.Variables = append(e.Variables, taxonomy.Variable{ID: "role", Label: en("Role"), Type: taxonomy.TextVariable, Role: role})
	}
	assert.Contains(t, strings.Join(points("en"), "|"), "No safeguard is given.")
	r.SchemaSnapshot.Categories[0].Role = codes.RoleAccountable
	assert.Contains(t, strings.Join(points("en"), "|"), "Office No contact is given.")
	r.SchemaSnapshot.Elements[1].Variables[0].Role = codes.RoleLink
	r.Elements[0].Variables = []taxonomy.VariableValue{{ID: "how", Text: en("https://bikes.example/office")}}
	assert.Contains(t, strings.Join(points("en"), "|"), "Office bikes.example")
}

// TestPrinted checks that the address and the code of a page are there, for paper.
func TestPrinted(t *testing.T) {
	p := &datachain.Presentation{Datachain: roled()}
	assert.Empty(t, all(parsed(t, render(t, p, nil)), class("printed")))
	shown := all(parsed(t, render(t, p, &view.Options{Address: "https://example.org/d/<i>/", Code: "<svg></svg>"})), class("printed"))
	require.Len(t, shown, 1)
	assert.Equal(t, "https://example.org/d/<i>/", content(shown[0]))
	assert.Len(t, all(shown[0], tag("svg")), 1)
}

// TestRightsOnPaper checks that the summary has where each way to do something leads to, which
// a link does not show on paper.
func TestRightsOnPaper(t *testing.T) {
	r := roled()
	for want, placed := range map[string]taxonomy.Placement{
		"desk@bikes.example": {Variables: []taxonomy.VariableValue{{ID: "how", Text: en("Write to desk@bikes.example, or come in.")}}},
		"+49 123 4560":       {Actions: []taxonomy.Action{{Type: "phone", Label: taxonomy.Label{Plain: "Call"}, Target: "+49 123 4560"}}},
	} {
		placed.ElementID = "contact.office"
		r.Elements = []taxonomy.Placement{placed}
		rights := all(parsed(t, render(t, &datachain.Presentation{Datachain: r}, nil)), class("rights"))
		require.Len(t, rights, 1)
		assert.Equal(t, []string{want}, texts(rights[0], class("target")))
	}
}

// TestLetters checks that a right with an email address is a letter in the language of the
// page, and that no document can change its recipients.
func TestLetters(t *testing.T) {
	letters := func(r *taxonomy.Resolved, locale string) (list []*url.URL) {
		text := render(t, &datachain.Presentation{Datachain: r}, &view.Options{Locale: locale, Page: "https://register.example/d/small/"})
		harmless(t, text)
		for _, a := range all(withoutSummary(parsed(t, text)), func(n *html.Node) bool { return n.Data == "a" && strings.Contains(attribute(n, "href"), "?subject=") }) {
			u, err := url.Parse(attribute(a, "href"))
			require.NoError(t, err)
			list = append(list, u)
		}
		return list
	}
	r := roled()
	r.Title = taxonomy.Localized{{Locale: "en", Value: "Bikes & more?bcc=evil@evil.example"}, {Locale: "de", Value: "Räder"}}
	r.SchemaSnapshot.DatachainType.Name = r.Title
	action := taxonomy.Action{Type: "email", Label: taxonomy.Label{Plain: "Ask"}, Target: "ask@bikes.example"}
	how := taxonomy.VariableValue{ID: "how", Text: en("Write to desk@bikes.example, or come in.")}
	for name, c := range map[string]struct {
		placed taxonomy.Placement
		want   []string
	}{
		"an action":         {taxonomy.Placement{ElementID: "contact.office", Actions: []taxonomy.Action{action}, Variables: []taxonomy.VariableValue{how}}, []string{"ask@bikes.example"}},
		"a value":           {taxonomy.Placement{ElementID: "contact.office", Variables: []taxonomy.VariableValue{how}}, []string{"desk@bikes.example"}},
		"no address":        {taxonomy.Placement{ElementID: "contact.office"}, nil},
		"not a right":       {taxonomy.Placement{ElementID: "data.trips", Actions: []taxonomy.Action{action}}, nil},
		"another recipient": {taxonomy.Placement{ElementID: "contact.office", Actions: []taxonomy.Action{{Type: "email", Target: "a@b.example?cc=c@d.example"}}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r.Elements = []taxonomy.Placement{c.placed}
			var to []string
			for _, u := range letters(r, "en") {
				to = append(to, u.Opaque)
				assert.Equal(t, "Office – Bikes & more?bcc=evil@evil.example", u.Query().Get("subject"))
				assert.Contains(t, u.Query().Get("body"), "I am writing about “Bikes & more?bcc=evil@evil.example” (small).\r\nhttps://register.example/d/small/\r\nYour page offers: “Office”. That is my request.")
				assert.Len(t, u.Query(), 2)
			}
			assert.Equal(t, c.want, to)
		})
	}
	r.Elements = []taxonomy.Placement{{ElementID: "contact.office", Actions: []taxonomy.Action{action}}}
	german := letters(r, "de")
	require.Len(t, german, 1)
	assert.Contains(t, german[0].Query().Get("body"), "ich schreibe Ihnen wegen „Räder“")
}

// TestReport checks to whom errors are reported.
func TestReport(t *testing.T) {
	r := roled()
	r.SchemaSnapshot.Categories[0].Role = codes.RoleAccountable
	r.Elements = []taxonomy.Placement{{ElementID: "contact.office", Variables: []taxonomy.VariableValue{{ID: "how", Text: en("desk@bikes.example")}}}}
	for option, want := range map[string]string{
		"":                             "mailto:desk@bikes.example?subject=Report",
		"city@bikes.example":           "mailto:city@bikes.example?subject=Report",
		"https://bikes.example/report": "https://bikes.example/report",
		"javascript:alert(1)":          "mailto:desk@bikes.example?subject=Report",
	} {
		text := render(t, &datachain.Presentation{Datachain: r}, &view.Options{Report: option})
		harmless(t, text)
		links := all(all(parsed(t, text), class("links"))[0], tag("a"))
		require.Len(t, links, 1, option)
		assert.True(t, strings.HasPrefix(attribute(links[0], "href"), want), "%s: %s", option, attribute(links[0], "href"))
	}
	r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
	assert.Empty(t, all(page(t, r, ""), class("links")), "there is no address")
}

// TestOwnWords checks that an article begins with the document's own name and words, and that
// the text of the taxonomy is folded.
func TestOwnWords(t *testing.T) {
	r := small()
	trips := &r.SchemaSnapshot.Elements[0]
	r.Elements = []taxonomy.Placement{{ElementID: "data.trips", ContextTypeID: "tag", Variables: []taxonomy.VariableValue{{ID: "note", Text: en("City of Bikes")}, {ID: "more", Text: en("We count bikes.")}, {ID: "days", Text: en("30 days")}}}}
	for name, roles := range map[string]*summary.Roles{"in the taxonomy": nil, "laid over it": {
		Categories: map[string]taxonomy.Role{"data": codes.RolePurpose}, Variables: map[string]taxonomy.Role{"note": codes.RoleName, "more": codes.RoleWords},
	}} {
		if roles == nil {
			r.SchemaSnapshot.Categories[1].Role, trips.Variables[2].Role, trips.Variables[3].Role = codes.RolePurpose, codes.RoleName, codes.RoleWords
		} else {
			r.SchemaSnapshot.Categories[1].Role, trips.Variables[2].Role, trips.Variables[3].Role = "", "", ""
		}
		shown := parsed(t, render(t, &datachain.Presentation{Datachain: r}, &view.Options{Roles: roles}))
		card := all(shown, class("body"))[0]
		assert.Equal(t, []string{"City of Bikes Trips"}, texts(card, tag("h3")), name)
		assert.Equal(t, []string{"We count bikes."}, texts(card, class("words")), name)
		assert.Equal(t, []string{"How personalA tag How long30 days"}, texts(card, tag("dl")), name)
		assert.Equal(t, []string{"Meaning: Trips Kept for 30 days, {not given} and {{nobody knows}}."}, texts(card, class("means")), name)
		assert.Equal(t, "We count bikes.", attribute(all(shown, func(n *html.Node) bool { return attribute(n, "property") == "og:description" })[0], "content"), name)
	}
}
