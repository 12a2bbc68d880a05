package view_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/datachain-go/datachain/taxonomy"
)

// valued is a datachain in which a description contains the value of a variable, and another
// variable has the same value below it.
func valued(description string, value taxonomy.Localized) *taxonomy.Resolved {
	r := small()
	r.SchemaSnapshot.Elements[0].Description = en(description)
	r.Elements = []taxonomy.Placement{{ElementID: "data.trips", Variables: []taxonomy.VariableValue{
		{ID: "days", Text: value}, {ID: "note", Text: value},
	}}}
	return r
}

// TestContacts checks which parts of a value are links, in a description and below it.
func TestContacts(t *testing.T) {
	for value, want := range map[string][]string{
		"roads@lindenau.example, 0123 4570":                  {"mailto:roads@lindenau.example", "tel:01234570"},
		"write to roads@lindenau.example.":                   {"mailto:roads@lindenau.example"},
		"(a.b+c@d-e.example)":                                {"mailto:a.b+c@d-e.example"},
		"+49 (0)123 45-60, +1 555 0100 22":                   {"tel:+491234560", "tel:+1555010022"},
		"Tel. 112 or phone: 90012":                           {"tel:112", "tel:90012"},
		"par telephone au 4560, de 8 h":                      {"tel:4560"},
		"01 23 45 67 89; 01.23.45.67.90":                     {"tel:0123456789", "tel:0123456790"},
		"(555) 123-4567, 1-800-555-0100, 912 345 678":        {"tel:5551234567", "tel:18005550100", "tel:912345678"},
		"(0123 4560)":                                        {"tel:01234560"},
		"Regulation 2016/679, Article 5, 2026-11-15":         nil,
		"01.02.2026, 01/02/2026, 0.1234567, 08:00":           nil,
		"1 234 567 people, 912 345 678 \u20ac, $912 345 678": nil,
		"file 00123456, x0123-45678, 0123-45678x":            nil,
		"https://a.example/0123-4567?id=0123-45678":          nil,
		"a@b, @home, a@b@c.example, \u00e9@d.example":        nil,
		"0123 4567 8901 2345 6789":                           nil,
		"12 bikes":                                           nil,
	} {
		shown := page(t, valued("Ask {{days}}", en(value)), "")
		got := all(all(shown, class("says"))[0], tag("a"))
		listed := all(all(shown, class("body"))[0], func(n *html.Node) bool { return n.Data == "a" && n.Parent.Parent.Data == "dd" })
		require.Len(t, listed, 2*len(got), value)
		var links []string
		for _, a := range got {
			links = append(links, attribute(a, "href"))
			assert.Contains(t, value, content(a), "the text is as written")
		}
		assert.Equal(t, want, links, value)
		assert.Equal(t, []string{"Ask " + value}, texts(shown, class("says")))
	}
}

// TestContactsInTitles checks that titles, which are links in a flow, contain no links.
func TestContactsInTitles(t *testing.T) {
	r := valued("Kept.", en("roads@lindenau.example"))
	r.SchemaSnapshot.Elements[0].Title = en("Ask {{days}}")
	r.Elements[0].SubchainInstanceID = "one"
	r.SubchainInstances = []taxonomy.SubchainInstance{{ID: "one", SubchainID: "use"}}
	shown := page(t, r, "")
	assert.Equal(t, []string{"In use", "Ask roads@lindenau.example"}, texts(shown, tag("h3")))
	for _, a := range all(shown, tag("a")) {
		assert.Empty(t, all(a, tag("a")))
	}
	assert.Empty(t, all(all(shown, tag("h3"))[1], tag("a")))
}

// TestHostileContacts checks that a value can't make a link of its own.
func TestHostileContacts(t *testing.T) {
	for _, value := range []string{
		`"><script>trap()</script>@evil.example`, `x@evil.example"onclick="trap()`, `javascript:trap()@evil.example`,
		`a@b.example?bcc=c@d.example`, `+49 123 4560"><b>`, strings.Repeat("0123 ", 5000), strings.Repeat("a@b.", 5000), strings.Repeat("(0", 5000),
	} {
		shown := page(t, valued("Ask {{days}}.", en(value)), "") // page checks that it is harmless
		for _, a := range all(all(shown, class("says"))[0], tag("a")) {
			href := attribute(a, "href")
			assert.True(t, strings.HasPrefix(href, "mailto:") || strings.HasPrefix(href, "tel:"), href)
			assert.NotContains(t, href, "?")
		}
	}
}

// TestFullStops checks that a sentence ends with one full stop, whatever its value ends with.
func TestFullStops(t *testing.T) {
	for _, c := range []struct{ description, value, want string }{
		{"Kept for {{days}}.", "ten days", "Kept for ten days."},
		{"Kept for {{days}}.", "ten days.", "Kept for ten days."},
		{"Kept for {{days}}. More.", "one day. Or two!", "Kept for one day. Or two! More."},
		{"Kept for {{days}}.", "who knows…", "Kept for who knows…"},
		{"Kept for {{days}}...", "ten days.", "Kept for ten days...."},
		{"Kept for {{days}}, then deleted.", "ten days.", "Kept for ten days., then deleted."},
		{"保存{{days}}。", "十天。", "保存十天。"},
		{"{{days}}{{note}}.", "Yes.", "Yes.Yes."},
	} {
		shown := page(t, valued(c.description, en(c.value)), "")
		assert.Equal(t, []string{c.want}, texts(shown, class("says")), c.description)
	}
}

// TestTaggedDirection checks that a text that is tagged with a right-to-left language is written in
// that direction, whatever it begins with.
func TestTaggedDirection(t *testing.T) {
	arabic := taxonomy.Localized{{Locale: "ar", Value: "Wi-Fi مجاني"}}
	r := valued("Kept for {{days}}.", arabic)
	values := all(page(t, r, ""), func(e *html.Node) bool { return e.Data == "bdi" && strings.HasPrefix(content(e), "Wi-Fi") })
	require.Len(t, values, 3, "the description, and two values")
	for _, v := range values {
		assert.Equal(t, []string{"rtl", "ar"}, []string{attribute(v, "dir"), attribute(v, "lang")})
	}
	r.Title, r.SchemaSnapshot.Elements[0].Description = taxonomy.Localized{{Locale: "ar", Value: "عنوان"}}, taxonomy.Localized{{Locale: "ar", Value: "GPS {{days}}."}}
	shown := page(t, r, "ar")
	assert.Equal(t, "rtl", attribute(all(shown, class("says"))[0], "dir"))
	values = all(all(shown, class("says"))[0], tag("bdi"))
	assert.Equal(t, []string{"rtl", ""}, []string{attribute(values[0], "dir"), attribute(values[0], "lang")}, "the language is that of the page")
	latin := all(page(t, valued("Kept for {{days}}.", en("ten")), ""), tag("bdi"))
	assert.False(t, slices.ContainsFunc(latin, func(e *html.Node) bool { return attribute(e, "dir") != "" }))
}

// TestContextNames checks that a context says what it is a choice of.
func TestContextNames(t *testing.T) {
	r := small()
	r.Elements = []taxonomy.Placement{{ElementID: "data.trips", ContextTypeID: "personal"}}
	row := func() []string {
		return texts(all(page(t, r, ""), class("body"))[0], func(n *html.Node) bool { return n.Data == "dt" || n.Data == "dd" })
	}
	assert.Equal(t, []string{"How personal", "Personal"}, row())
	r.SchemaSnapshot.Categories[1].Context.Name = nil
	assert.Equal(t, []string{"", "Personal"}, row())
}
