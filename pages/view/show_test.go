package view_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy"
)

// texts returns the texts of the elements of a page that satisfy a condition.
func texts(n *html.Node, want func(*html.Node) bool) []string {
	list := []string{}
	for _, e := range all(n, want) {
		list = append(list, content(e))
	}
	return list
}

func en(s string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: s}} }

// small is a datachain that tests modify. It pins an unknown version.
func small() *taxonomy.Resolved {
	context := taxonomy.Context{Name: en("How personal"), Values: []taxonomy.ContextValue{
		{ID: "personal", Label: en("Personal"), Color: "#7D2E46"}, {ID: "tag", Label: en("A tag")},
	}}
	return &taxonomy.Resolved{
		Instance: taxonomy.Instance{ID: "small", Title: en("Small"), SchemaVersion: "bikes@2020-01-01-stable", CreatedAt: "2026-06-01T10:00Z"},
		SchemaSnapshot: taxonomy.Snapshot{
			DatachainType: taxonomy.Type{ID: "bikes", Name: en("Bikes"), Categories: []string{"data", "contact"}, Subchains: []taxonomy.Subchain{
				{ID: "use", Name: en("In use"), Categories: []string{"contact", "data"}},
			}},
			Categories: []taxonomy.Category{
				{ID: "contact", Name: en("Contact"), Description: en("Who answers."), Shape: taxonomy.Circle},
				{ID: "data", Name: en("Data"), Description: en("What is stored."), Prompt: en("What is kept?"), Shape: taxonomy.Hexagon, Context: context},
			},
			Elements: []taxonomy.Element{
				{ID: "data.trips", CategoryID: "data", Title: en("Trips"), Description: en("Kept for {{ days }}, {{{where}}} and {{nobody knows}}."), Variables: []taxonomy.Variable{
					{ID: "days", Label: en("How long"), Type: taxonomy.TextVariable},
					{ID: "where", Label: en("Where"), Type: taxonomy.SelectVariable, Options: []taxonomy.Option{{ID: "here", Label: en("Here")}, {ID: "there", Label: en("There")}}},
					{ID: "note", Label: en("Note"), Type: taxonomy.TextVariable},
					{ID: "more", Label: en("More"), Type: taxonomy.TextVariable},
				}},
				{ID: "contact.office", CategoryID: "contact", Title: en("Office"), Description: en("Come in.")},
			},
		},
	}
}

// page returns the page of a datachain without its summary.
func page(t *testing.T, r *taxonomy.Resolved, locale string) *html.Node {
	t.Helper()
	text := render(t, &datachain.Presentation{Datachain: r}, &view.Options{Locale: locale})
	harmless(t, text)
	return withoutSummary(parsed(t, text))
}

func withoutSummary(n *html.Node) *html.Node {
	for _, short := range all(n, class("short")) {
		short.Parent.RemoveChild(short)
	}
	return n
}

func TestOrder(t *testing.T) {
	r := small()
	r.Elements = []taxonomy.Placement{
		{ElementID: "contact.office"},
		{ElementID: "data.trips", Label: &taxonomy.Label{Plain: "late"}, Priority: new(2)},
		{ElementID: "data.trips", Label: &taxonomy.Label{Plain: "early"}, Priority: new(1)},
		{ElementID: "data.trips", Label: &taxonomy.Label{Plain: "also early"}, Priority: new(1)},
	}
	shown := page(t, r, "")
	assert.Equal(t, []string{"Facts", "Data", "Contact"}, texts(shown, tag("h2")))
	assert.Equal(t, []string{"early Trips", "also early Trips", "late Trips", "Office"}, texts(shown, tag("h3")))
	for _, text := range []string{"What is kept?", "What is stored."} {
		assert.NotContains(t, content(shown), text, "what categories are is for authors")
	}
}

// TestLabels shows labels in the language of the page if they have it, and otherwise marks
// the language that they have.
func TestLabels(t *testing.T) {
	both := taxonomy.Localized{{Locale: "en", Value: "At the gate"}, {Locale: "fr", Value: "Au portail"}}
	german := taxonomy.Localized{{Locale: "de", Value: "Am <Tor>"}}
	r := small()
	r.SchemaSnapshot.DatachainType.Name = taxonomy.Localized{{Locale: "en", Value: "Bikes"}, {Locale: "fr", Value: "Vélos"}}
	r.Elements = []taxonomy.Placement{
		{ElementID: "data.trips", ElementInstanceID: "a", Label: &taxonomy.Label{Text: both}, SubchainInstanceID: "use-1"},
		{ElementID: "data.trips", Label: &taxonomy.Label{Text: german}},
		{ElementID: "data.trips", Label: &taxonomy.Label{Text: taxonomy.Localized{}}},
		{ElementID: "contact.office", Actions: []taxonomy.Action{
			{Type: "phone", Label: taxonomy.Label{Text: both}, Target: "0123 4560"},
			{Type: "phone", Label: taxonomy.Label{Text: german}, Target: "0123 4561"},
		}},
	}
	r.SubchainInstances = []taxonomy.SubchainInstance{{ID: "use-1", SubchainID: "use"}}
	for locale, want := range map[string]string{"en": "At the gate", "fr": "Au portail"} {
		shown := page(t, r, locale)
		names := all(shown, func(n *html.Node) bool { return n.Data == "h3" && len(all(n, class("name"))) > 0 })
		require.Len(t, names, 2, "an empty label is not shown")
		assert.Equal(t, want, strings.TrimSpace(names[0].FirstChild.Data))
		assert.Contains(t, content(names[1]), "Am <Tor> DE", "in another language, which is marked")
		assert.Equal(t, "de", attribute(all(names[1], tag("span"))[0], "lang"))
		assert.Contains(t, content(all(shown, class("flow"))[0]), want)
		actions := all(shown, class("phone"))
		require.Len(t, actions, 2)
		assert.Equal(t, want, content(actions[0]))
		assert.Equal(t, "Am <Tor> DE", content(actions[1]))
		assert.Equal(t, "de", attribute(all(actions[1], tag("bdi"))[0], "lang"))
	}
}

// TestUnseen checks how invisible characters are shown.
func TestUnseen(t *testing.T) {
	r := small()
	r.Title = en("\u202Eevil\u202C \u2066a\u2069\u200E b\x1b[31m\r\nc\u2028d")
	r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
	h1 := all(page(t, r, ""), tag("h1"))[0]
	assert.Equal(t, "evil a\u200E b\uFFFD[31m\nc\nd", h1.FirstChild.Data, "marks stay: real texts use them")
}

func TestVariables(t *testing.T) {
	r := small()
	r.Elements = []taxonomy.Placement{{ElementID: "data.trips", Variables: []taxonomy.VariableValue{
		{ID: "more", Text: en("And more")}, {ID: "note", Text: en("By hand")}, {ID: "where", Options: []string{"there", "here", "<moon>"}},
	}}}
	shown := page(t, r, "")
	assert.Equal(t, []string{"Kept for not given, {There, Here, <moon>} and {{nobody knows}}."}, texts(shown, class("says")))
	assert.Equal(t, []string{"WhereThere, Here, <moon> NoteBy hand MoreAnd more"}, texts(all(shown, class("placement"))[0], tag("dl")), "the description is folded")
}

// TestTitles fills in the variables of titles, in cards and in flows. A variable without a
// value is shown by its label, and a value that the title shows is not listed again.
func TestTitles(t *testing.T) {
	r := small()
	trips := &r.SchemaSnapshot.Elements[0]
	trips.Title = taxonomy.Localized{{Locale: "en", Value: "Trips, {{ days }} ({{where}})"}, {Locale: "fr", Value: "Trajets {{where}}"}}
	trips.Description = en("Kept.")
	trips.Variables[0].Label = taxonomy.Localized{{Locale: "en", Value: "How long"}, {Locale: "fr", Value: "Durée"}}
	r.SchemaSnapshot.Elements[1].Title = en("{{office}} & {{ nobody knows }}")
	r.SchemaSnapshot.DatachainType.Name = taxonomy.Localized{{Locale: "en", Value: "Bikes"}, {Locale: "fr", Value: "Vélos"}}
	r.SubchainInstances = []taxonomy.SubchainInstance{{ID: "use-1", SubchainID: "use"}}
	r.Elements = []taxonomy.Placement{
		{ElementID: "data.trips", SubchainInstanceID: "use-1", Variables: []taxonomy.VariableValue{
			{ID: "days", Text: en("<30> days")}, {ID: "where", Options: []string{"there", "here"}}, {ID: "note", Text: en("By hand")},
		}},
		{ElementID: "data.trips", Label: &taxonomy.Label{Plain: "again"}, Variables: []taxonomy.VariableValue{{ID: "days", Text: en(" ")}}},
		{ElementID: "contact.office"},
	}
	shown := page(t, r, "en")
	titles := texts(all(shown, tag("main"))[0], func(n *html.Node) bool { return n.Data == "h3" && attribute(n, "id") != "" })
	assert.Equal(t, []string{"Trips, <30> days (There, Here)", "again Trips, How long (Where)", "office & {{ nobody knows }}"}, titles)
	assert.Contains(t, content(all(shown, class("flow"))[0]), "Trips, <30> days (There, Here)")
	assert.Equal(t, []string{"NoteBy hand"}, texts(all(shown, class("placement"))[0], tag("dl")))
	assert.NotContains(t, content(shown), "{{where")

	french := all(page(t, r, "fr"), class("placement"))
	assert.Equal(t, "Trajets There, Here", content(all(french[0], tag("h3"))[0]))
	assert.Contains(t, content(french[0]), "<30> days", "the title in this language does not have it")
}

func TestContext(t *testing.T) {
	r := small()
	r.Elements = []taxonomy.Placement{
		{ElementID: "data.trips", ContextTypeID: "personal"}, {ElementID: "data.trips", ContextTypeID: "tag"}, {ElementID: "data.trips"},
	}
	shown := page(t, r, "")
	assert.Equal(t, []string{"Personal", "A tag"}, texts(shown, class("tag")))
	cards := all(shown, class("placement"))
	assert.NotEmpty(t, all(cards[0], class("white")), "the chip can be read on its colour")
	assert.Len(t, all(all(cards[0], class("icon"))[0], tag("svg")), 1, "a coloured icon is for light and dark alike")
	assert.Len(t, all(all(cards[1], class("icon"))[0], tag("svg")), 2)
	assert.Empty(t, all(cards[2], class("tag")))
}

// TestQuotes checks that quotation marks are not doubled.
func TestQuotes(t *testing.T) {
	for quote, own := range map[string]bool{
		"A bike": false, `"A bike"`: true, "“A bike”": true, "„Ein Rad“": true, "« Un vélo »": true, "「自転車」": true, "'A bike'": true,
		`"A" and "B"`: true, `He said "bike"`: true, "’tis a bike": false, "The riders’": false,
	} {
		r := small()
		r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
		r.AuthoringProvenance = &taxonomy.Provenance{Kind: "human", ElementProvenance: map[string]taxonomy.ElementProvenance{
			"contact.office": {SourceReferences: []taxonomy.SourceReference{{Quote: quote}}},
		}}
		shown := all(page(t, r, ""), tag("blockquote"))[0]
		assert.Equal(t, quote, content(shown))
		assert.Equal(t, own, class("own")(shown), quote)
	}
}

func TestProvenance(t *testing.T) {
	r := small()
	r.Elements = []taxonomy.Placement{
		{ElementID: "data.trips", ElementInstanceID: "first"}, {ElementID: "data.trips", ElementInstanceID: "second"}, {ElementID: "contact.office"},
	}
	r.AuthoringProvenance = &taxonomy.Provenance{
		Kind: "ai_generated", Model: "Parrot", GeneratedAt: "2026-06-20T11:58:10Z",
		ElementProvenance: map[string]taxonomy.ElementProvenance{
			"data.trips":     {Rationale: "ambiguous"},
			"second":         {Rationale: "Seen.", Confidence: "low", SourceReferences: []taxonomy.SourceReference{{Quote: "A bike", Context: "Page 2"}}},
			"contact.office": {Confidence: "guessed", VariableRationale: map[string]json.RawMessage{"x": json.RawMessage(`{"a":1}`), "days": json.RawMessage(`"text"`)}},
		},
	}
	shown := page(t, r, "")
	assert.Equal(t, []string{
		"Why this is here Seen. (Confidence: low)", "Based on A bikePage 2",
		"Why this is here (Confidence: guessed)", "Why these values: daystext", "Why these values: x{\"a\":1}",
	}, texts(shown, class("why")))
	assert.Equal(t, []string{"An AI system wrote this description. Model: Parrot · 20 June 2026"}, texts(shown, class("notice")))
	r.AuthoringProvenance.Kind = "human"
	assert.Empty(t, all(page(t, r, ""), class("notice")))
}

// TestReasons checks that reasons for values are in the order of the variables.
func TestReasons(t *testing.T) {
	r := small()
	r.Elements = []taxonomy.Placement{{ElementID: "data.trips"}}
	why := map[string]json.RawMessage{}
	for _, id := range []string{"a", "more", "where", "days", "b"} {
		why[id] = json.RawMessage(`"."`)
	}
	r.AuthoringProvenance = &taxonomy.Provenance{Kind: "human", ElementProvenance: map[string]taxonomy.ElementProvenance{"data.trips": {VariableRationale: why}}}
	var list []string
	for _, reason := range texts(all(page(t, r, ""), class("body"))[0], tag("dt")) {
		list = append(list, strings.TrimPrefix(reason, "Why these values: "))
	}
	assert.Equal(t, []string{"How long", "Where", "More", "a", "b"}, list)
}

// TestTechnical checks the technical details.
func TestTechnical(t *testing.T) {
	r := small()
	r.Elements = []taxonomy.Placement{{ElementID: "contact.office"}}
	foot := func() []string {
		return texts(all(page(t, r, ""), class("technical"))[0], func(n *html.Node) bool { return n.Data == "dt" || n.Data == "dd" })
	}
	want := []string{"Document", "small", "Taxonomy", "bikes@2020-01-01-stable"}
	assert.Equal(t, want, foot())
	r.LinkedInstanceIDs = []string{"one", "<two>"}
	assert.Equal(t, append([]string{"Related datachains", "one, <two>"}, want...), foot())
}

func TestSuggested(t *testing.T) {
	r := small()
	r.SuggestedElements = []taxonomy.Element{{ID: "data.new", CategoryID: "data", Title: en("New")}, {ID: "odd.new", CategoryID: "odd", Title: en("Odd")}}
	r.Elements = []taxonomy.Placement{{ElementID: "data.trips"}, {ElementID: "data.new"}, {ElementID: "odd.new"}}
	shown := page(t, r, "")
	assert.Equal(t, []string{"Facts", "Data", "odd"}, texts(shown, tag("h2")))
	assert.Equal(t, []string{"New", "Odd"}, func() (titles []string) {
		for _, card := range all(shown, class("suggested")) {
			titles = append(titles, content(all(card, tag("h3"))[0]))
			assert.Contains(t, content(card), "Suggested, not part of the taxonomy")
		}
		return titles
	}())

	// The category of a suggested element comes from the release.
	p := present(t, samples(t), sample(t, "air-station-suggestion.resolved.json"))
	for _, c := range p.Release.Categories() {
		if !slices.ContainsFunc(p.Datachain.SchemaSnapshot.Categories, func(used taxonomy.Category) bool { return used.ID == c.ID }) {
			p.Datachain.SuggestedElements[0].CategoryID = c.ID
			assert.Contains(t, texts(parsed(t, render(t, p, nil)), tag("h2")), c.Name.Pick("en"))
			return
		}
	}
	require.Fail(t, "the sample uses all categories")
}

// TestInheritedVariables: a suggested element has the variables of its category.
func TestInheritedVariables(t *testing.T) {
	r := small()
	for i := range r.SchemaSnapshot.Categories {
		if c := &r.SchemaSnapshot.Categories[i]; c.ID == "data" {
			c.Variables = []taxonomy.Variable{{ID: "period", Label: en("How long")}}
		}
	}
	r.SuggestedElements = []taxonomy.Element{{ID: "data.new", CategoryID: "data", Title: en("New for {{period}}")}, {ID: "data.newer", CategoryID: "data", Title: en("Newer")}}
	values := []taxonomy.VariableValue{{ID: "period", Text: en("A month")}}
	r.Elements = []taxonomy.Placement{{ElementID: "data.new", Variables: values}, {ElementID: "data.newer", Variables: values}}
	cards := all(page(t, r, ""), class("suggested"))
	require.Len(t, cards, 2)
	assert.Equal(t, "New for A month", content(all(cards[0], tag("h3"))[0]))
	assert.Contains(t, content(cards[1]), "How long")
	assert.Contains(t, content(cards[1]), "A month")
}

func TestFlows(t *testing.T) {
	r := small()
	r.SubchainInstances = []taxonomy.SubchainInstance{
		{ID: "later", SubchainID: "use", Order: new(2), HeadRefs: []string{"sooner", "elsewhere", "sooner"}},
		{ID: "sooner", SubchainID: "use", Order: new(1), HeadRefs: []string{"b", "contact.office"}},
		{ID: "empty", SubchainID: "use"},
	}
	r.Elements = []taxonomy.Placement{
		{ElementID: "contact.office", SubchainInstanceID: "sooner"},
		{ElementID: "data.trips", ElementInstanceID: "a", SubchainInstanceID: "sooner", Label: &taxonomy.Label{Plain: "A"}},
		{ElementID: "data.trips", ElementInstanceID: "b", SubchainInstanceID: "sooner", Label: &taxonomy.Label{Plain: "B"}},
		{ElementID: "data.trips", ElementInstanceID: "c", SubchainInstanceID: "later", Label: &taxonomy.Label{Plain: "C"}},
	}
	flows := all(page(t, r, ""), class("flow"))
	require.Len(t, flows, 2)
	assert.Equal(t, []string{"Trips BOffice", "DataTrips A"}, spaced(texts(flows[0], class("stage"))), "what it starts from, side by side, then the rest")
	assert.Len(t, all(flows[0], class("arrow")), 1)
	assert.Equal(t, []string{"Starts from In use elsewhere"}, texts(flows[1], class("from")))
	assert.Equal(t, []string{"DataTrips C"}, spaced(texts(flows[1], class("stage"))))
	for _, a := range all(flows[0], tag("a")) {
		assert.Regexp(t, `^#e\d+$`, attribute(a, "href"))
	}
	// Without heads the stages follow the subchain.
	r.SubchainInstances = []taxonomy.SubchainInstance{{ID: "sooner", SubchainID: "use"}}
	flows = all(page(t, r, ""), class("flow"))
	assert.Equal(t, []string{"ContactOffice", "DataTrips ATrips B"}, spaced(texts(flows[0], class("stage"))))
	// An element that is placed several times cannot be a head.
	r.SubchainInstances[0].HeadRefs = []string{"data.trips"}
	flows = all(page(t, r, ""), class("flow"))
	assert.Equal(t, []string{"Starts from data.trips"}, texts(flows[0], class("from")))
	assert.Equal(t, []string{"ContactOffice", "DataTrips ATrips B"}, spaced(texts(flows[0], class("stage"))))
}

// spaced removes the white space between the parts of a stage.
func spaced(list []string) []string {
	for i, s := range list {
		for _, word := range []string{"Data ", "Contact ", "A ", "B "} {
			s = strings.ReplaceAll(s, word, strings.TrimSpace(word))
		}
		list[i] = s
	}
	return list
}
