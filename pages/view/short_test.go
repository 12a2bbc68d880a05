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
			"What you can do See, correct or delete your data Write an e-mail",
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
	text, _, err = view.AppendText(nil, long, view.Text, nil)
	require.NoError(t, err)
	assert.Contains(t, string(text), "They count buses. Safety of people and property\n")
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
		assert.Equal(t, []string{"Meaning Kept for 30 days, {not given} and {{nobody knows}}."}, texts(card, class("means")), name)
		assert.Equal(t, "We count bikes.", attribute(all(shown, func(n *html.Node) bool { return attribute(n, "property") == "og:description" })[0], "content"), name)
	}
}
