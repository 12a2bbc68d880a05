package profile_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain/examples/profiles"
	"github.com/datachain-go/datachain/register/profile"
	"github.com/datachain-go/datachain/register/rule"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// fieldOf is what the tests read of a profile to write entries of a target.
type fieldOf struct {
	Name, Title, Type string
	Choices           any
	Aliases           map[string]any
	List              bool
	Fields            []fieldOf
}

func (f *fieldOf) words() (words []string) {
	switch choices := f.Choices.(type) {
	case []any:
		for _, c := range choices {
			words = append(words, fmt.Sprint(c))
		}
	case map[string]any:
		for id, word := range choices {
			words = append(words, id, fmt.Sprint(word), strings.ToUpper(fmt.Sprint(word)))
		}
	}
	for _, alias := range f.Aliases {
		words = append(words, fmt.Sprint(alias))
	}
	slices.Sort(words)
	return words
}

func (f *fieldOf) value(i int) any {
	switch words := f.words(); {
	case len(f.Fields) > 0:
		var list []any
		for n := range 2 {
			item := object{"unknown": fmt.Sprintf("unknown %d", n)}
			for k := range f.Fields {
				item[f.Fields[k].Name] = f.Fields[k].value(i + n)
			}
			list = append(list, item)
		}
		return list
	case f.List:
		return []any{fmt.Sprintf("%s %d a", f.Name, i), "", fmt.Sprintf("%s %d b", f.Name, i)}
	case f.Type == "choices":
		return []any{words[i%len(words)], words[(i+1)%len(words)], "no choice"}
	case len(words) > 0:
		return words[i%len(words)]
	case f.Type == "url", f.Type == "email_or_url":
		return fmt.Sprintf("https://target.example/%s/%d", f.Name, i)
	case f.Type == "email":
		return "ai@target.example"
	case f.Type == "month":
		return fmt.Sprintf("2026-%02d", i%12+1)
	case f.Type == "date":
		return fmt.Sprintf("2026-%02d-01", i%12+1)
	}
	return fmt.Sprintf("<p>%s of entry %d &amp; more</p>", f.Name, i)
}

// entries returns entries in which every choice occurs, in every spelling, and unknown fields.
func entries(t *testing.T, id string) (rows []object) {
	t.Helper()
	text, err := profiles.FS().ReadFile(id + ".yaml")
	require.NoError(t, err)
	var p struct{ Fields, Facets []fieldOf }
	require.NoError(t, yaml.Unmarshal(text, &p))
	for i := range 60 {
		row := object{"not a field": fmt.Sprintf("surprise %d", i), "number": i, "nested": object{"deep": []any{object{"x": "found"}, true}}, "nothing": nil}
		for _, f := range slices.Concat(p.Fields, p.Facets) {
			row[f.Name] = f.value(i)
		}
		rows = append(rows, row)
	}
	return rows
}

// texts returns all texts of a document.
func texts(v any) (list []string) {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		for _, one := range v {
			list = append(list, texts(one)...)
		}
	case map[string]any:
		for _, one := range v {
			list = append(list, texts(one)...)
		}
	}
	return list
}

// TestNothingLost reads entries with every field and every choice: each value is placed, answered or
// noted, what was placed or answered is in the draft, and not everything ends in answers.
func TestNothingLost(t *testing.T) {
	r := release(t, "ai@2026-11-15-stable")
	for _, id := range []string{dutch, british, american} {
		t.Run(id, func(t *testing.T) {
			p := builtIn(t, id)
			text, err := json.Marshal(entries(t, id))
			require.NoError(t, err)
			rows, err := p.Rows("entries.json", text)
			require.NoError(t, err)
			require.Len(t, rows, 60)
			total, count := 0, map[profile.Place]int{}
			for i := range rows {
				d, err := p.Draft(&rows[i], r, &profile.Options{Date: "2026-11-15"})
				require.NoError(t, err)
				again, err := p.Draft(&rows[i], r, &profile.Options{Date: "2026-11-15"})
				require.NoError(t, err)
				require.Equal(t, string(d.Document), string(again.Document))
				require.Len(t, d.Notes, rows[i].Values())
				total += rows[i].Values()
				var doc any
				require.NoError(t, json.Unmarshal(d.Document, &doc))
				all := strings.Join(texts(doc), "\n")
				for _, n := range d.Notes {
					count[n.Place]++
					switch plain := strings.ReplaceAll(strings.TrimSuffix(strings.TrimPrefix(n.Value, "<p>"), "</p>"), "&amp;", "&"); {
					case n.Place == profile.Answered:
						require.Contains(t, all, n.Value, "%+v", n)
					case n.Place == profile.Drafted && strings.HasPrefix(n.Value, "<p>"), n.Place == profile.Filed && !strings.HasPrefix(n.Field, "publication"):
						require.Contains(t, all, plain, "%+v", n)
					}
				}
				checkDraft(t, r, d.Document)
			}
			sum := 0
			for _, place := range profile.Places() {
				sum += count[place]
			}
			require.Equal(t, total, sum)
			require.Zero(t, count[profile.Noted])
			require.Greater(t, count[profile.Exact]+count[profile.Drafted], total/4, "%v", count)
			t.Log(total, count)
		})
	}
}

// checkDraft requires that the object register of a draft is as registers want it.
func checkDraft(t *testing.T, r *taxonomy.Release, text []byte) {
	t.Helper()
	doc, err := document.Parse(text)
	require.NoError(t, err)
	result, err := validate.Instance(r, doc, &validate.Options{Rules: rule.All()})
	require.NoError(t, err)
	for _, i := range result.Issues {
		require.NotContains(t, []string{"REGISTER_INVALID", "parse_error", "unknown_field"}, string(i.Code), "%s", i)
	}
}

func draft(t *testing.T, id, name, entry string) (*profile.Draft, object) {
	t.Helper()
	p := builtIn(t, id)
	rows, err := p.Rows(name, []byte(entry))
	require.NoError(t, err)
	require.Len(t, rows, 1)
	d, err := p.Draft(&rows[0], release(t, "ai@2026-11-15-stable"), &profile.Options{Date: "2026-11-15"})
	require.NoError(t, err)
	var doc object
	require.NoError(t, json.Unmarshal(d.Document, &doc))
	return d, doc
}

// placedIn returns the placements of a category.
func placedIn(doc object, category string) (list []any) {
	for _, e := range doc["elements"].([]any) {
		if id := e.(object)["element_id"].(string); id == category || strings.HasPrefix(id, category+".") {
			list = append(list, e)
		}
	}
	return list
}

// TestSpellings reads long and short words alike, and the first key of a value of several.
func TestSpellings(t *testing.T) {
	long := "c) Deployed – The use case is being actively authorized or utilized to support the functions or mission of an agency."
	for _, word := range []string{"Deployed", "deployed ", long} {
		var b bytes.Buffer
		w := csv.NewWriter(&b)
		require.NoError(t, w.WriteAll([][]string{{"use_case_name", "development_stage", "is_high_impact", "HI_justification"}, {"'=A chat", word, "Not High-impact", "Only words"}}))
		d, doc := draft(t, american, "rows.csv", b.String())
		require.Equal(t, "in_use", doc["register"].(object)["status"])
		require.Equal(t, english("=A chat"), doc["title"], "without the apostrophe of spreadsheets")
		require.Equal(t, []any{object{"scheme": "us-m-25-21", "class": "not", "reason": english("Only words")}}, doc["register"].(object)["classes"], "one item for one class")
		require.Equal(t, "a-chat", d.Slug)
		require.Equal(t, "2026-11-15T00:00:00Z", doc["created_at"])
	}
	_, doc := draft(t, dutch, "a.json", `{"name": "Teller", "status": "Buiten gebruik", "begin_date": "2024-03"}`)
	require.Equal(t, object{"status": "retired", "since": "2024-03-01"}, doc["register"])
	require.Equal(t, "2024-03-01T00:00:00Z", doc["created_at"])
}

// TestPlaced puts fields of one category into one placement, and items of a group into one each.
func TestPlaced(t *testing.T) {
	_, doc := draft(t, dutch, "a.json", `{"name": "A", "category": ["Sociale zekerheid"], "goal": "Sneller", "proportionality": "Niets anders", "lars": "77", "publication_dt": "2024-05-01 10:00"}`)
	elements := placedIn(doc, "purpose")
	require.Len(t, elements, 1)
	require.Equal(t, "purpose.benefits", elements[0].(object)["element_id"])
	require.Len(t, elements[0].(object)["variables"], 2)
	require.Equal(t, []any{object{"profile": dutch, "id": "77", "filed": "2024-05-01"}}, doc["register"].(object)["filings"])

	_, doc = draft(t, british, "a.json", `[[{"name": "A", "source_data_name": ["One", "Two"], "source_data_description": ["", "Words"], "impact_assessment_name": ["DPIA"], "data_collection": ["You", "by hand"]},
		{"algorithmic_transparency_record_phase": "production"}]]`)
	elements = placedIn(doc, "input_data")
	require.Len(t, elements, 2)
	require.Equal(t, object{"element_id": "input_data", "label": english("One"), "variables": []any{object{"id": "origin", "value": []any{"from_you"}}}}, elements[0])
	require.Equal(t, object{"element_id": "input_data", "label": english("Two"), "variables": []any{object{"id": "items", "value": english("Words")}}}, elements[1])
	require.Equal(t, []any{"", "by hand"}, doc["register"].(object)["filings"].([]any)[0].(object)["answers"].(object)["data_collection"])
	require.Equal(t, "in_use", doc["register"].(object)["status"])
}

// TestObjectsOfEntries puts the fields of each object into one source or item.
func TestObjectsOfEntries(t *testing.T) {
	d, doc := draft(t, dutch, "a.json", `{"lawful_basis_grouping": [{"title": "One", "link": "https://laws.example/1"}, {"title": "Two", "page": "7"}],
		"impacttoetsen_grouping": {"link": "https://target.example/dpia"}, "goal": {"text": "x"}}`)
	require.Equal(t, []any{object{"type": "law", "title": "One", "url": "https://laws.example/1"}, object{"type": "law", "title": "Two"}}, doc["sources"])
	require.Equal(t, []any{object{"name": []any{object{"locale": "nl", "value": "Link naar impacttoets"}}, "url": "https://target.example/dpia"}}, doc["register"].(object)["assessments"])
	var notes []string
	for _, n := range d.Notes {
		notes = append(notes, fmt.Sprint(n.Field, " ", n.Place, " ", n.Message))
	}
	require.Equal(t, []string{
		"lawful_basis_grouping.title exact ", "lawful_basis_grouping.link exact ", "lawful_basis_grouping.title exact ", "lawful_basis_grouping.page answer the profile has no such field",
		"impacttoetsen_grouping.link exact ", "goal.text answer the profile has no such field",
	}, notes)
}

// TestElementOnce keeps the element of a placement if a second field means another.
func TestElementOnce(t *testing.T) {
	p := parse(t, `  - {name: a, from: [{role: purpose, text: "{element}", map: {purpose.benefits: x}}]}
  - {name: b, from: [{role: purpose, text: "{element}", map: {purpose.recruitment: y}}]}
`)
	rows, err := p.Rows("a.json", []byte(`{"a": "x", "b": "y"}`))
	require.NoError(t, err)
	d, err := p.Draft(&rows[0], release(t, "ai@2026-11-15-stable"), &profile.Options{Date: "2026-11-15"})
	require.NoError(t, err)
	require.Equal(t, []profile.Place{profile.Exact, profile.Answered}, []profile.Place{d.Notes[0].Place, d.Notes[1].Place})
	require.Contains(t, string(d.Document), "purpose.benefits")
}

// TestComparison keeps what looks like a tag of HTML and is none.
func TestComparison(t *testing.T) {
	_, doc := draft(t, dutch, "a.json", `{"name": "<p>If a<b and c>d &amp; <i class=\"x\">e</i><br/>f</p>"}`)
	require.Equal(t, []any{object{"locale": "nl", "value": "If a<b and c>d & e\nf"}}, doc["title"])
}

// TestSameColumn keeps both values of a column that is there twice, with gaps before the second.
func TestSameColumn(t *testing.T) {
	_, doc := draft(t, british, "a.csv", "name,data_access_terms,data_access_terms\nA,\"[\"\"\"\",\"\"x\"\"]\",y\n")
	answers := doc["register"].(object)["filings"].([]any)[0].(object)["answers"].(object)
	require.Equal(t, []any{"", "x", "y"}, answers["data_access_terms"])
}

// TestJoined splits the cell of a list as the target joins it.
func TestJoined(t *testing.T) {
	for cell, joined := range map[string]string{"b;  c": "; ", "b\nc": "\\n", `["b", "c"]`: ""} {
		p, issues := profile.Parse("own.yaml", []byte(`{id: own, types: [ai], locale: en, output: {joined: "`+joined+`"}, fields: [{name: a, list: true}]}`))
		require.Empty(t, issues)
		var b bytes.Buffer
		require.NoError(t, csv.NewWriter(&b).WriteAll([][]string{{"a"}, {cell}}))
		rows, err := p.Rows("a.csv", b.Bytes())
		require.NoError(t, err)
		require.Equal(t, 2, rows[0].Values(), cell)
	}
}

// TestDraftsOfNothing are answers: what is no entry, too.
func TestDraftsOfNothing(t *testing.T) {
	p := builtIn(t, dutch)
	for _, text := range []string{"", "1", `["a"]`, `{"a": `, `{} {}`, strings.Repeat("[", 10_000), `{"a":` + strings.Repeat(`{"a":`, 10_000)} {
		_, err := p.Rows("a.json", []byte(text))
		require.Error(t, err, text[:min(len(text), 20)])
	}
	_, err := p.Rows("a.csv", nil)
	require.Error(t, err)
	d, doc := draft(t, dutch, "a.json", `{"name": "../../etc/passwd", "goal": "`+strings.Repeat("<", 100_000)+`"}`)
	require.Equal(t, "etc-passwd", d.Slug)
	require.Equal(t, "etc-passwd", doc["id"])

	big, err := json.Marshal(object{"name": "A", "x": strings.Repeat("x", 40<<10), "y": strings.Repeat("y", 40<<10)})
	require.NoError(t, err)
	d, _ = draft(t, dutch, "a.json", string(big))
	require.Equal(t, profile.Noted, d.Notes[2].Place, "more than the answers may have")
	require.Len(t, d.Notes[2].Value, 40<<10)
	checkDraft(t, release(t, "ai@2026-11-15-stable"), d.Document)

	d, _ = draft(t, british, "a.json", `{"data_access_terms": ["x"`+strings.Repeat(`, ""`, 40<<10)+`, "y"]}`)
	require.Equal(t, []profile.Place{profile.Answered, profile.Noted}, []profile.Place{d.Notes[0].Place, d.Notes[1].Place}, "gaps count as well")
	require.Less(t, len(d.Document), 64<<10)

	rows, err := p.Rows("a.json", []byte(`{"name": "A"}`))
	require.NoError(t, err)
	_, err = p.Draft(&rows[0], release(t, "sensor@2026-11-15-stable"), nil)
	require.ErrorContains(t, err, "is for documents of the type ai, not sensor")
	_, err = p.Draft(&rows[0], release(t, "ai@2026-11-15-stable"), nil)
	require.ErrorContains(t, err, "Options.Date")
}

func FuzzDraft(f *testing.F) {
	f.Add(`{"name": "A", "status": "In gebruik", "lawful_basis_grouping": [{"title": "x"}]}`)
	p, r := builtIn(f, dutch), release(f, "ai@2026-11-15-stable")
	f.Fuzz(func(t *testing.T, text string) {
		rows, err := p.Rows("a.json", []byte(text))
		if err != nil {
			return
		}
		for i := range rows {
			d, err := p.Draft(&rows[i], r, &profile.Options{Date: "2026-11-15"})
			require.NoError(t, err)
			require.Len(t, d.Notes, rows[i].Values())
			require.True(t, json.Valid(d.Document))
		}
	})
}
