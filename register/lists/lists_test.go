package lists_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/register/lists"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish/targettest"
	"github.com/datachain-go/datachain/taxonomy"
)

const baseURL = "https://register.example.org"

func written(t *testing.T, s *register.State, q register.Query, f lists.Format) string {
	t.Helper()
	r, err := s.Find(q)
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, lists.New(s, r, baseURL).Write(&b, f))
	if f != lists.CSV {
		require.NotContains(t, b.String(), "<script>", "safe in HTML")
	}
	return b.String()
}

// basedOn is a product with a name.
func basedOn(name string) map[string]any {
	return map[string]any{"edition": strings.Repeat("a1", 32), "title": name, "supplier": map[string]any{"name": name}, "version": name, "url": "https://supplier.example/p.json", "date": "2026-11-15"}
}

// TestBasedOn names the product that a document is based on, for programs.
func TestBasedOn(t *testing.T) {
	dir := t.TempDir()
	registertest.Sample(t, dir, "air-station", "air", 1, map[string]any{"register": map[string]any{"based_on": basedOn("P")}})
	s := registertest.OpenDir(t, dir).State()
	var list struct {
		Documents []struct {
			BasedOn any `json:"based_on"`
		}
	}
	require.NoError(t, json.Unmarshal([]byte(written(t, s, register.Query{}, lists.JSON)), &list))
	require.Equal(t, map[string]any{
		"edition": strings.Repeat("a1", 32), "title": "P", "supplier": "P", "version": "P", "url": "https://supplier.example/p.json", "date": "2026-11-15",
	}, list.Documents[0].BasedOn)
	d, _ := s.Document("air")
	text, err := lists.AppendJSONLD(nil, s.Settings(), d, baseURL)
	require.NoError(t, err)
	var work struct{ IsBasedOn map[string]any }
	require.NoError(t, json.Unmarshal(text, &work))
	require.Equal(t, "https://supplier.example/p.json", work.IsBasedOn["url"])
	require.Equal(t, "P", work.IsBasedOn["version"])
}

// hostile is a register whose texts try to be something else.
func hostile(t *testing.T) *register.State {
	dir := t.TempDir()
	for i, text := range []string{"=cmd|' /C calc'!A0", "+1", "-2", "@SUM(A1)", "<script>alert(1)</script>", "a\"b,c\r\nd;e", "\u202Egnp.exe", "]]>&amp;", "a\abell"} {
		registertest.Sample(t, dir, "air-station", "doc"+string(rune('a'+i)), 1+i, map[string]any{
			"title": registertest.Title("en", text), "description": registertest.Title("en", text),
			"register": map[string]any{"themes": []any{text}, "organisation": map[string]any{"name": text, "unit": text}, "places": []any{map[string]any{"name": text}}, "based_on": basedOn(text)},
		})
	}
	s := registertest.OpenDir(t, dir).State()
	require.Empty(t, s.Refused())
	return s
}

// TestHostileCharacters checks that no list has characters that change the direction of other
// texts, or control characters.
func TestHostileCharacters(t *testing.T) {
	s := hostile(t)
	for _, f := range lists.Formats() {
		text := written(t, s, register.Query{}, f)
		require.Contains(t, text, "gnp.exe", f)
		require.NotContains(t, text, "\u202E", f)
		require.NotContains(t, text, `\u202`, f)
		require.NotContains(t, text, `\u0007`, f)
		require.Contains(t, text, "a\uFFFDbell", f)
	}
}

// TestAnswered has what happened when people asked as numbers: in JSON all, in CSV three columns, and in
// JSON-LD counters of a period.
func TestAnswered(t *testing.T) {
	dir := t.TempDir()
	answered := map[string]any{"from": "2026-05-01", "to": "2026-10-31", "asked": 14.0, "answered": 13.0, "days": 0.0}
	registertest.Sample(t, dir, "air-station", "air", 1, map[string]any{"register": map[string]any{"answered": answered}})
	registertest.Sample(t, dir, "wifi-counter", "wifi", 2, nil)
	s := registertest.OpenDir(t, dir).State()
	var list struct{ Documents []struct{ Answered any } }
	require.NoError(t, json.Unmarshal([]byte(written(t, s, register.Query{Sort: register.ByTitle}, lists.JSON)), &list))
	require.Equal(t, answered, list.Documents[0].Answered)
	require.Nil(t, list.Documents[1].Answered)
	rows, err := csv.NewReader(strings.NewReader(written(t, s, register.Query{Sort: register.ByTitle}, lists.CSV))).ReadAll()
	require.NoError(t, err)
	at := slices.Index(rows[0], "asked")
	require.Equal(t, []string{"asked", "answered", "answer_days"}, rows[0][at:at+3])
	require.Equal(t, []string{"14", "13", "0"}, rows[1][at:at+3])
	require.Equal(t, []string{"", "", ""}, rows[2][at:at+3])
	d, _ := s.Document("air")
	text, err := lists.AppendJSONLD(nil, s.Settings(), d, baseURL)
	require.NoError(t, err)
	var work struct{ InteractionStatistic []map[string]any }
	require.NoError(t, json.Unmarshal(text, &work))
	require.Len(t, work.InteractionStatistic, 2)
	require.Equal(t, map[string]any{
		"@type": "InteractionCounter", "interactionType": map[string]any{"@type": "ReplyAction"}, "userInteractionCount": 13.0, "startTime": "2026-05-01", "endTime": "2026-10-31",
	}, work.InteractionStatistic[1])
}

func TestCSV(t *testing.T) {
	for name, s := range map[string]*register.State{"town": registertest.Town(t).State(), "hostile": hostile(t)} {
		text := written(t, s, register.Query{Sort: register.ByTitle}, lists.CSV)
		require.NotContains(t, strings.ReplaceAll(text, "\r\n", ""), "\n", "RFC 4180")
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		require.NoError(t, err)
		column := make(map[string]int)
		for i, title := range rows[0] {
			column[title] = i
		}
		for _, row := range rows[1:] {
			for _, cell := range row {
				require.False(t, cell != "" && strings.ContainsAny(cell[:1], "=+-@"), cell)
			}
		}
		if name == "hostile" {
			require.Contains(t, text, ",'=cmd|' /C calc'!A0,")
			continue
		}
		require.Len(t, rows, 6)
		mill := rows[5]
		require.Equal(t, "mill-street", mill[column["slug"]])
		require.Equal(t, baseURL+"/d/mill-street/", mill[column["url"]])
		require.Equal(t, "POINT (8.5 47.25)", mill[column["geometry"]])
		require.Equal(t, "2027-01-01", mill[column["review_by"]])
		require.Equal(t, "Ville de Lindenau", mill[column["organisation"]])
		require.Equal(t, "2026-01-05T12:00:00Z", mill[column["changed_at"]])
		require.Contains(t, mill[column["purpose"]], "Two cameras count", "its own words")
	}
}

func TestJSON(t *testing.T) {
	require.True(t, json.Valid([]byte(written(t, hostile(t), register.Query{}, lists.JSON))))
	var list struct {
		Lang      string
		Total     int
		Documents []map[string]any
	}
	text := written(t, registertest.Town(t).State(), register.Query{Sort: register.ByTitle, Locale: "fr"}, lists.JSON)
	require.NoError(t, json.Unmarshal([]byte(text), &list))
	require.Equal(t, "fr", list.Lang)
	require.Equal(t, 5, list.Total)
	require.Len(t, list.Documents, 5)
	benefits := list.Documents[2]
	require.Equal(t, "benefits", benefits["slug"])
	require.Equal(t, "Contrôle des aides", benefits["title"])
	require.Equal(t, map[string]any{"name": "Ville de Lindenau", "id": "https://lindenau.example/"}, benefits["organisation"])
	require.Equal(t, []any{"Welfare", "Logement"}, benefits["themes"])
	require.Equal(t, "in_use", benefits["status"])
	require.Regexp(t, `^sha256-[0-9a-f]{64}$`, benefits["edition"])
	none := written(t, registertest.Town(t).State(), register.Query{Text: "zzzzz"}, lists.JSON)
	require.NoError(t, json.Unmarshal([]byte(none), &list), none)
	require.Empty(t, list.Documents)
}

func TestGeoJSON(t *testing.T) {
	var list struct {
		Type     string
		Features []struct {
			Type, ID   string
			Geometry   *register.Geometry
			Properties map[string]any
		}
	}
	text := written(t, registertest.Town(t).State(), register.Query{Sort: register.ByTitle}, lists.GeoJSON)
	require.NoError(t, json.Unmarshal([]byte(text), &list))
	require.Equal(t, "FeatureCollection", list.Type)
	require.Len(t, list.Features, 5, "one for each place with a geometry, or for the document")
	require.Equal(t, "air-9", list.Features[0].ID)
	require.Nil(t, list.Features[0].Geometry)
	require.Contains(t, text, `"geometry":null`)
	square := list.Features[1]
	require.Equal(t, "air-10/1", square.ID)
	require.Equal(t, "Market Square", square.Properties["place"])
	require.Equal(t, register.LonLat{8.5, 47.25}, square.Geometry.Lines[0][0])
	require.True(t, json.Valid([]byte(written(t, hostile(t), register.Query{}, lists.GeoJSON))))
}

func TestAtom(t *testing.T) {
	type feed struct {
		XMLName xml.Name `xml:"http://www.w3.org/2005/Atom feed"`
		ID      string   `xml:"id"`
		Updated string   `xml:"updated"`
		Author  string   `xml:"author>name"`
		Links   []struct {
			Rel  string `xml:"rel,attr"`
			Href string `xml:"href,attr"`
		} `xml:"link"`
		Entries []struct {
			ID      string `xml:"id"`
			Title   string `xml:"title"`
			Updated string `xml:"updated"`
			Author  string `xml:"author>name"`
		} `xml:"entry"`
	}
	read := func(s *register.State, q register.Query) (f feed) {
		require.NoError(t, xml.Unmarshal([]byte(written(t, s, q, lists.Atom)), &f))
		return f
	}
	f := read(registertest.Town(t).State(), register.Query{Values: map[register.Field][]string{register.ByType: {"sensor"}}})
	require.Len(t, f.Entries, 3)
	require.Equal(t, "tag:register.example.org,2026:document:air-9", f.Entries[0].ID)
	require.Equal(t, "2026-01-06T12:00:00Z", f.Entries[0].Updated)
	require.Equal(t, f.Entries[0].Updated, f.Updated)
	require.NotEmpty(t, f.Author)
	require.Equal(t, baseURL+"/d.atom?lang=en&type=sensor", f.Links[0].Href)
	require.Len(t, read(hostile(t), register.Query{}).Entries, 9)
	// The id outlives the slug.
	dir := t.TempDir()
	registertest.Sample(t, dir, "air-station", "air", 1, map[string]any{"register": map[string]any{"slug": "other"}})
	moved := read(registertest.OpenDir(t, dir).State(), register.Query{})
	require.Equal(t, "tag:register.example.org,2026:document:air", moved.Entries[0].ID)
}

// A feed says what is gone, in place of what it said before.
func TestAtomOfGoneDocuments(t *testing.T) {
	dir, target := t.TempDir(), new(targettest.Memory)
	for _, id := range []string{"kept", "withdrawn", "erased"} {
		registertest.Sample(t, dir, "air-station", id, 1, map[string]any{"title": registertest.Title("en", "About "+id)})
	}
	_, err := publishing.Documents(t.Context(), target, registertest.OpenDir(t, dir), nil)
	require.NoError(t, err)
	_, err = publishing.Withdraw(t.Context(), target, "withdrawn", "It was moved")
	require.NoError(t, err)
	_, err = publishing.Erase(t.Context(), target, "erased", taxonomy.Hash{}, "It had a name in it")
	require.NoError(t, err)
	s := registertest.OpenTarget(t, target).State()
	r, err := s.Find(register.Query{})
	require.NoError(t, err)
	require.Equal(t, "kept", registertest.Found(r))
	require.Len(t, r.Removed, 2)
	feed := written(t, s, register.Query{}, lists.Atom)
	require.Contains(t, feed, `<category term="withdrawn"></category><summary>It was moved</summary>`)
	require.Contains(t, feed, `<category term="erased"></category><summary>It had a name in it</summary>`)
	require.NotContains(t, feed, "About erased")
	require.Equal(t, 3, strings.Count(feed, "<entry>"))
	for _, f := range []lists.Format{lists.JSON, lists.CSV, lists.GeoJSON, lists.JSONLD} {
		require.NotContains(t, written(t, s, register.Query{}, f), "/d/withdrawn/", f)
	}
	found, err := s.Find(register.Query{Text: "withdrawn"})
	require.NoError(t, err)
	require.Empty(t, found.Len())
	require.Empty(t, found.Removed)
}

func TestJSONLD(t *testing.T) {
	s := registertest.Town(t).State()
	var catalog map[string]any
	require.NoError(t, json.Unmarshal([]byte(written(t, s, register.Query{}, lists.JSONLD)), &catalog))
	require.Equal(t, "DataCatalog", catalog["@type"])
	require.Len(t, catalog["hasPart"], 5)
	d, ok := s.Document("mill-street")
	require.True(t, ok)
	text, err := lists.AppendJSONLD(nil, s.Settings(), d, baseURL)
	require.NoError(t, err)
	var work map[string]any
	require.NoError(t, json.Unmarshal(text, &work))
	require.Equal(t, "CreativeWork", work["@type"])
	require.Equal(t, "https://schema.org/", work["@context"])
	require.Equal(t, baseURL+"/d/mill-street/", work["@id"])
	require.Equal(t, []any{map[string]any{"@language": "en", "@value": "Zebra crossing cameras"}}, work["name"])
	place := work["spatialCoverage"].([]any)[0].(map[string]any)
	require.Equal(t, map[string]any{"@type": "GeoCoordinates", "longitude": 8.5, "latitude": 47.25}, place["geo"])
	term := work["about"].([]any)[0].(map[string]any)
	require.Equal(t, "DefinedTerm", term["@type"])
	require.NotEmpty(t, term["inDefinedTermSet"])
	require.True(t, json.Valid([]byte(written(t, hostile(t), register.Query{}, lists.JSONLD))))
}
