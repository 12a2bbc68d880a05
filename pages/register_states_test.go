package pages_test

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// Four taxonomies of the same categories, which are named for their roles: lamps mark all roles, gates
// some, trams and pools none.
var (
	variedTypes = []string{"lamp", "gate", "tram", "pool"}
	variedRoles = []string{"purpose", "data", "decision", "risk", "accountable", "rights"}
	variedMarks = map[string][]string{"lamp": variedRoles, "gate": {"purpose", "data", "accountable", "rights"}}
)

// variedStore has the taxonomies. Data has an order in lamps alone.
func variedStore(t *testing.T) taxonomy.Store {
	t.Helper()
	en := func(text string) taxonomy.Localized { return taxonomy.Localized{{Locale: "en", Value: text}} }
	var list []listing.Publication
	for _, typ := range variedTypes {
		marked := variedMarks[typ] != nil
		content := taxonomy.Content{
			Title: en(typ), Description: en(typ), Locales: []string{"en"}, Type: taxonomy.Type{ID: typ, Name: en("A " + typ), Categories: variedRoles},
			Symbols: map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="6"/></svg>`},
		}
		for _, id := range variedRoles {
			c := taxonomy.Category{ID: id, Name: en("About " + id), Description: en(id), Shape: taxonomy.Circle}
			if slices.Contains(variedMarks[typ], id) {
				c.Role = taxonomy.Role(id)
			}
			if id == "data" {
				c.Context = taxonomy.Context{ID: "level", Name: en("Level"), Values: []taxonomy.ContextValue{{ID: "low", Label: en("Low"), Color: "#00AA00"}, {ID: "high", Label: en("High"), Color: "#AA0000"}}}
				if typ == "lamp" {
					c.Context.Order = taxonomy.OrderRising
				}
			}
			for _, v := range []struct{ category, id, role string }{{"accountable", "who", "name"}, {"accountable", "mail", "contact"}, {"risk", "guard", "safeguard"}} {
				if v.category == id {
					variable := taxonomy.Variable{ID: v.id, Label: en(v.id), Type: taxonomy.TextVariable}
					if marked {
						variable.Role = taxonomy.Role(v.role)
					}
					c.Variables = append(c.Variables, variable)
				}
			}
			content.Categories = append(content.Categories, c)
			for _, name := range []string{"one", "two"} {
				variants := []string{"default", "dark"}
				for _, v := range c.Context.Values {
					variants = append(variants, v.ID)
				}
				content.Elements = append(content.Elements, taxonomy.Element{
					ID: id + "." + name, Title: en(id + " " + name), Description: en(name), CategoryID: id, SymbolID: "dot", IconVariants: variants, Variables: c.Variables,
				})
			}
		}
		list = append(list, listing.Publication{Release: must(taxonomy.NewRelease(taxonomy.MustVersion(typ+"@2026-11-01-stable"), content))})
	}
	return must(memstore.New(list...))
}

// varied is what a document of the register says.
type varied struct {
	slug, typ    string
	says         map[string]bool // roles, or what would have them
	levels       []string        // of data
	name         string          // of who answers, in a placement
	organisation string
	retired      bool
}

// variedDocuments writes 40 documents into a shelf.
func variedDocuments(s *shelf) (list []varied) {
	for i := range 40 {
		d := varied{slug: fmt.Sprintf("doc-%02d", i), typ: variedTypes[i%4], says: map[string]bool{"purpose": i%8 > 0}, retired: i%13 == 12}
		placements := []any{}
		place := func(element string, members map[string]any) {
			placed := map[string]any{"element_id": element}
			maps.Copy(placed, members)
			category, _, _ := strings.Cut(element, ".")
			d.says[category] = true
			placements = append(placements, placed)
		}
		value := func(id, text string) map[string]any {
			return map[string]any{"id": id, "value": []any{map[string]any{"locale": "en", "value": text}}}
		}
		if d.says["purpose"] {
			place("purpose.one", nil)
		}
		if i%3 > 0 {
			d.levels = append(d.levels, "low")
			place("data.one", map[string]any{"context_type_id": "low"})
		}
		if i%5 > 2 {
			d.levels = append(d.levels, "high")
			place("data.two", map[string]any{"context_type_id": "high"})
		}
		if i%7 > 3 {
			place("decision.one", nil)
		}
		if i%5 > 1 {
			place("risk.one", nil)
		}
		if i%11 > 2 {
			variables := []any{}
			if i%3 > 0 {
				d.name = fmt.Sprintf("Office %d", i)
				variables = append(variables, value("who", d.name))
			}
			place("accountable.one", map[string]any{"variables": variables})
		}
		if i%2 > 0 || len(placements) == 0 {
			place("rights.one", nil)
		}
		about := map[string]any{"slug": d.slug, "status": "in_use"}
		if d.retired {
			about["status"] = "retired"
		}
		if i%9 == 8 {
			d.organisation = fmt.Sprintf("Department %d", i)
			about["organisation"] = map[string]any{"name": d.organisation}
		}
		text, err := json.Marshal(map[string]any{
			"id": d.slug, "schema_version": d.typ + "@2026-11-01-stable", "created_at": "2026-11-02T00:00:00Z", "elements": placements, "register": about,
			"title": []any{map[string]any{"locale": "en", "value": "System " + strconv.Itoa(i)}},
		})
		require.NoError(s.t, err)
		s.write(d.slug+".json", string(text))
		list = append(list, d)
	}
	return list
}

// TestStatements compares what lists, filters, counts, boards, files and signs say of 40 documents over four
// taxonomies, two without roles, with the documents.
func TestStatements(t *testing.T) {
	t.Run("two without roles", func(t *testing.T) { testStatements(t, "publisher: {name: The Publisher}", variedMarks) })
	t.Run("roles laid over", func(t *testing.T) {
		testStatements(t, `publisher: {name: The Publisher}
roles: {tram: {categories: {purpose: purpose, accountable: accountable, rights: rights}, variables: {who: name}}}`,
			map[string][]string{"lamp": variedMarks["lamp"], "gate": variedMarks["gate"], "tram": {"purpose", "accountable", "rights"}})
	})
}

func testStatements(t *testing.T, settings string, marks map[string][]string) {
	shelf := &shelf{t, t.TempDir()}
	shelf.settings(settings)
	documents := variedDocuments(shelf)
	store := variedStore(t)
	reg := must(register.New(must(datachain.New(store, nil)), []register.Origin{must(register.OpenDirectory(shelf.dir, nil))}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { require.NoError(t, reg.Close()) })
	require.Empty(t, reg.State().Refused())
	s := open(t, store, &pages.Options{Documents: reg, BaseURL: "https://example.org"})

	state := func(d *varied, role string) string {
		switch {
		case !slices.Contains(marks[d.typ], role):
			return "not_known"
		case d.says[role]:
			return "said"
		}
		return "not_said"
	}
	listed := slices.DeleteFunc(slices.Clone(documents), func(d varied) bool { return d.retired })
	count := func(matches func(d *varied) bool) (n int) {
		for i := range listed {
			if matches(&listed[i]) {
				n++
			}
		}
		return n
	}

	t.Run("files", func(t *testing.T) {
		type entry struct {
			Slug     string
			NotKnown []string `json:"not_known"`
			Summary  []struct {
				Role    string
				Entries []any
			}
		}
		var list struct{ Documents []entry }
		require.NoError(t, json.Unmarshal([]byte(s.do(http.MethodGet, "/d.json").body), &list))
		require.Len(t, list.Documents, len(listed))
		rows, err := csv.NewReader(strings.NewReader(s.do(http.MethodGet, "/d.csv").body)).ReadAll()
		require.NoError(t, err)
		require.Len(t, rows, len(listed)+1)
		for _, d := range listed {
			e := list.Documents[slices.IndexFunc(list.Documents, func(e entry) bool { return e.Slug == d.slug })]
			row := rows[slices.IndexFunc(rows, func(row []string) bool { return row[0] == d.slug })]
			for _, role := range variedRoles {
				want, got := state(&d, role), "not_known"
				for _, p := range e.Summary {
					if p.Role == role {
						got = map[bool]string{true: "said", false: "not_said"}[len(p.Entries) > 0]
					}
				}
				assert.Equal(t, want, got, "%s %s", d.slug, role)
				assert.Equal(t, want == "not_known", slices.Contains(e.NotKnown, role), "%s %s", d.slug, role)
				switch cell := row[slices.Index(rows[0], role)]; want {
				case "said":
					assert.NotContains(t, []string{"", "Not said", "See its page"}, cell)
				case "not_said":
					assert.Equal(t, "Not said", cell)
				default:
					assert.Equal(t, "See its page", cell)
				}
			}
		}
	})

	t.Run("filters", func(t *testing.T) {
		total := func(query string) int {
			var list struct{ Total int }
			require.NoError(t, json.Unmarshal([]byte(s.do(http.MethodGet, "/d.json?"+query).body), &list))
			return list.Total
		}
		links := 0
		for _, a := range s.page("/d?lang=en").first(t, "aside.side").all("a") {
			_, query, _ := strings.Cut(a.attr("href"), "?")
			if small := a.all("small"); len(small) == 1 && !strings.Contains(query, "status=retired") {
				links++
				assert.Equal(t, small[0].text(), strconv.Itoa(total(query)), query)
			}
		}
		require.Greater(t, links, 15)
		for _, role := range []string{"data", "risk"} {
			for _, w := range []string{"not_said", "not_known"} {
				assert.Equal(t, count(func(d *varied) bool { return state(d, role) == w }), total(role+"=."+w), "%s %s", role, w)
			}
		}
		for _, level := range []string{"low", "high"} {
			assert.Equal(t, count(func(d *varied) bool {
				highest := d.typ != "lamp" || level == "high" || !slices.Contains(d.levels, "high")
				return state(d, "data") == "said" && slices.Contains(d.levels, level) && highest
			}), total("data="+level), level)
		}
		known := count(func(d *varied) bool { return state(d, "rights") != "not_known" })
		said := count(func(d *varied) bool { return state(d, "rights") == "said" })
		home := s.page("/?lang=en").text()
		assert.Contains(t, home, fmt.Sprintf("%d of %d descriptions of this register that can be counted say what you can do. What the rest say", said, known))
		assert.NotContains(t, strings.ToLower(home), "not asked")
	})

	t.Run("boards", func(t *testing.T) {
		for begin := 0; begin+4 <= len(listed); begin += 4 {
			var slugs []string
			for _, d := range listed[begin : begin+4] {
				slugs = append(slugs, d.slug)
			}
			address := "documents=" + strings.Join(slugs, ",")
			var board struct {
				Rows []struct {
					Role  string
					Cells []struct{ State string }
				}
			}
			require.NoError(t, json.Unmarshal([]byte(s.do(http.MethodGet, "/compare.json?"+address).body), &board))
			pagesLinked := 0
			for _, row := range board.Rows {
				if !slices.Contains(variedRoles, row.Role) {
					continue
				}
				for k, cell := range row.Cells {
					want := state(&listed[begin+k], row.Role)
					assert.Equal(t, want, cell.State, "%s %s", slugs[k], row.Role)
					if want == "not_known" {
						pagesLinked++
					}
				}
			}
			seen := 0
			for _, a := range s.page("/compare?lang=en&"+address).first(t, "table.board").all("a") {
				if a.text() == "See its page" {
					seen++
				}
			}
			assert.Equal(t, pagesLinked, seen, slugs)
		}
	})

	t.Run("signs", func(t *testing.T) {
		for _, d := range documents {
			name := ""
			if slices.Contains(marks[d.typ], "accountable") {
				name = d.name
			}
			if name == "" {
				name = d.organisation
			}
			card := s.do(http.MethodGet, "/d/"+d.slug+"/card?lang=en")
			if d.retired || name == "" {
				assert.Equal(t, http.StatusNotFound, card.StatusCode, d.slug)
				assert.Contains(t, strings.ToLower(card.body), "no sign is made", d.slug)
				continue
			}
			require.Equal(t, http.StatusOK, card.StatusCode, "%s: %s", d.slug, card.body)
			said := parse(t, card.body).text()
			assert.Contains(t, said, name, d.slug)
			assert.NotContains(t, said, "The Publisher", d.slug)
			assert.Equal(t, state(&d, "purpose") == "not_said", strings.Contains(said, "Nothing is said about what it is for."), d.slug)
			assert.Equal(t, state(&d, "data") == "not_said", strings.Contains(said, "Nothing is said about data."), d.slug)
		}
	})
}
