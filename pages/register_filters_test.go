package pages_test

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
)

// sensitive returns the content of a taxonomy with the roles accountable, data and risk: e00000 has an
// optional contact, e00002 one of the values low, middle and high, and e00003 an optional safeguard.
func sensitive(typ string) taxonomy.Content {
	en := func(text string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: text}} }
	c := large(4)
	c.Type.ID, c.Type.Name, c.Type.Categories = typ, en("The "+typ), []string{"c0", "c1", "c2"}
	c.Categories = append(c.Categories, c.Categories[1])
	c.Categories[2].ID = "c2"
	c.Categories[0].Role, c.Categories[1].Role, c.Categories[2].Role = codes.RoleAccountable, codes.RoleData, codes.RoleRisk
	c.Categories[1].Context = taxonomy.Context{ID: "level", Name: en("Level"), Order: taxonomy.OrderRising}
	for i, id := range []string{"low", "middle", "high"} {
		c.Categories[1].Context.Values = append(c.Categories[1].Context.Values, taxonomy.ContextValue{ID: id, Label: en("Is " + id), Color: []string{"#00FF00", "#FFFF00", "#FF0000"}[i]})
	}
	c.Elements[2].IconVariants = []string{"default", "dark", "low", "middle", "high"}
	c.Elements[3].CategoryID = "c2"
	for at, role := range map[int]taxonomy.Role{0: codes.RoleContact, 3: codes.RoleSafeguard} {
		c.Elements[at].Variables = []taxonomy.Variable{{ID: "said", Label: en("Said"), Type: "text", Role: role}}
	}
	return c
}

// TestRegisterSensitivity: data is sorted by taxonomy, the most sensitive first and with its level, and
// what readers miss is a filter.
func TestRegisterSensitivity(t *testing.T) {
	store := publishedAll(t, map[string]taxonomy.Content{"cam@2026-10-01-stable": sensitive("cam"), "bot@2026-10-01-stable": sensitive("bot")})
	shelf := &shelf{t, t.TempDir()}
	put := func(id, typ, level, contact, safeguard string) {
		said := func(text string) []any {
			if text == "" {
				return []any{}
			}
			return []any{map[string]any{"id": "said", "value": []any{map[string]any{"locale": "en", "value": text}}}}
		}
		text, err := json.Marshal(map[string]any{
			"id": id, "title": []any{map[string]any{"locale": "en", "value": id}}, "schema_version": typ + "@2026-10-01-stable", "created_at": "2026-06-01T10:00:00Z",
			"elements": []any{
				map[string]any{"element_id": "e00000", "variables": said(contact)}, map[string]any{"element_id": "e00002", "context_type_id": level}, map[string]any{"element_id": "e00003", "variables": said(safeguard)},
			},
		})
		require.NoError(t, err)
		shelf.write(id+".json", string(text))
	}
	put("one", "cam", "low", "a@b.example", "A guard")
	put("two", "cam", "high", "", "A guard")
	put("three", "cam", "high", "a@b.example", "")
	put("four", "bot", "middle", "", "")
	service := must(datachain.New(store, nil))
	dir := must(register.OpenDirectory(shelf.dir, nil))
	reg := must(register.New(service, []register.Origin{dir}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, reg.Close()) })
	require.Empty(t, reg.State().Refused())
	s := open(t, store, &pages.Options{Documents: reg})

	side := s.page("/d").first(t, "aside.side")
	text := side.text()
	assert.Contains(t, text, "Most sensitive data The cam Is high 2 Is low 1 The bot Is middle 1 More filters")
	assert.Contains(t, text, "Missing or overdue No contact 2 No safeguard 2")
	more := strings.Index(text, "More filters")
	assert.Less(t, more, strings.Index(text, "Missing or overdue"))
	assert.Less(t, strings.Index(text, "Most sensitive data"), more)
	high := side.first(t, "svg.swatch")
	assert.Len(t, high.all("rect"), 1+3, "a box, and a bar for each level")
	found := func(query string) (slugs []string) {
		for _, row := range s.page("/d?" + query).all("li.record") {
			slugs = append(slugs, strings.TrimPrefix(row.first(t, "a").attr("href"), "/d/"))
		}
		slices.Sort(slugs)
		return slugs
	}
	links := make(map[string]string)
	for _, a := range side.all("a") {
		links[a.text()] = a.attr("href")
	}
	for name, want := range map[string][]string{
		"Is high 2": {"three", "two"}, "Is low 1": {"one"}, "Is middle 1": {"four"}, "No contact 2": {"four", "two"}, "No safeguard 2": {"four", "three"},
	} {
		u, err := url.Parse(links[name])
		require.NoError(t, err)
		assert.Equal(t, want, found(u.RawQuery), name)
	}
	// A value that both taxonomies have is one of each, and the id alone names both.
	put("five", "bot", "high", "a@b.example", "A guard")
	reg = must(register.New(service, []register.Origin{must(register.OpenDirectory(shelf.dir, nil))}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, reg.Close()) })
	s = open(t, store, &pages.Options{Documents: reg})
	assert.Contains(t, s.page("/d").first(t, "aside.side").text(), "The cam Is high 2 Is low 1 The bot Is high 1 Is middle 1")
	assert.Equal(t, []string{"three", "two"}, found("data=cam:high"))
	assert.Equal(t, []string{"five", "three", "two"}, found("data=high"))
	assert.Equal(t, "Is high ×", s.page("/d?data=cam:high").first(t, "ul.chips").first(t, "a").text())
	assert.Contains(t, s.page("/d/two").text(), "No contact is given", "the page says the same")
	assert.Contains(t, s.page("/d/three").text(), "No safeguard is given")
}
