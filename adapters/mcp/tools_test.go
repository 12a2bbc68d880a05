package mcp_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// The page about the server lists every tool and prompt.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../docs/mcp.md")
	require.NoError(t, err)
	tools, prompts := mcp.Operations()
	for _, d := range slices.Concat(tools, prompts) {
		assert.Contains(t, string(page), "`"+d.Name+"`", "add %s to a table of docs/mcp.md", d.Name)
	}
}

// TestMappings checks that models see the mappings of an element, and what they refer to.
func TestMappings(t *testing.T) {
	mapped := kiosk()
	mapped.Schemes = []taxonomy.Scheme{{ID: "law", Title: taxonomy.Localized{{Locale: "en", Value: "Law"}, {Locale: "fr", Value: "Loi"}}}}
	mapped.Categories[1].Mappings = []taxonomy.Mapping{{
		Scheme: "law", ID: "Art. 13", Relation: "broad", Note: taxonomy.Localized{{Locale: "en", Value: "In part."}, {Locale: "fr", Value: "En partie."}},
	}}
	mapped.Elements[2].Mappings = []taxonomy.Mapping{{Scheme: "law", ID: "Art. 5", Relation: "close"}}
	h := serve(t, storeOf(t, mapped), nil)
	text := func(value any) string { return string(must(json.Marshal(value))) }
	const mapping = `"id":"Art. 5","relation":"close","scheme":"law"`
	element := h.tool("get_element", `{"version":"kiosk@latest","element_id":"data.card","fields":["mappings"]}`).data()
	assert.JSONEq(t, `{"version":"kiosk@2026-02-03-stable","element":{"id":"data.card","mappings":[{`+mapping+`}]}}`, text(element))
	assert.Contains(t, text(h.tool("get_schema", `{"version":"kiosk@latest"}`).data()), `"schemes":[{"id":"law"`)
}

// TestTools compares envelopes of every tool with the golden file: success, findings
// and failure.
func TestTools(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{BaseURL: "https://example.org/dc/"})
	resolved, err := json.Marshal(h.tool("resolve_datachain", with("kiosk@latest", goodKiosk)).data())
	require.NoError(t, err)
	slip := strings.Replace(goodKiosk, "use.tickets", "use.tikets", 1)
	var b strings.Builder
	called := make(map[string]bool)
	for _, c := range []struct{ tool, arguments string }{
		{"list_schema_versions", `{}`},
		{"list_schema_versions", `{"version":"kiosk@latest"}`},
		{"list_elements", `{"version":"kiosk@latest","querry":"ticket","limt":1,"category":"use","_note":null,"limit":1}`},
		{"get_schema", `{"schema_version":"kiosk@latest","locales":["en"]}`},
		{"get_element", `{"version":"kiosk@latest","element_id":"nope","variant":"dark"}`},
		{"list_elements", `{"version":"kiosk@latest","extra":{"a":1,"a":2}}`},
		{"get_schema", `{"version":"kiosk@latest","locales":["EN"]}`},
		{"get_schema", `{"version":"kiosk@2026-02-03-stable","include":"full"}`},
		{"get_schema", `{"version":"kiosk@latest","include":"all"}`},
		{"get_schema", `{"version":"kiosk@next"}`},
		{"get_schema", `{"version":"kiosk"}`},
		{"list_categories", `{"version":"kiosk@latest","locales":["fr"]}`},
		{"list_elements", `{"version":"kiosk@latest","limit":2,"locales":["en"]}`},
		{"list_elements", `{"version":"kiosk@latest","query":"billets","locale":"fr","fields":["description"],"locales":["fr"]}`},
		{"list_elements", `{"version":"kiosk@latest","category_id":"data","fields":"all"}`},
		{"list_elements", `{"version":"kiosk@latest","category_id":"dta","fields":["titel","id"],"locales":["fr-CA"]}`},
		{"list_elements", `{"version":"kiosk@latest","category_id":"elsewhere","query":"karte","locale":"de","locales":["de","EN"]}`},
		{"list_elements", `{"version":"kiosk@latest","cursor":"!"}`},
		{"list_elements", `{"version":"kiosk@latest","locale":"not a language"}`},
		{"list_elements", `{"version":"kiosk@latest","limit":201,"fields":"most","lokales":[],"locales":["en",7]}`},
		{"get_element", `{"version":"kiosk@latest","element_id":"use.maps"}`},
		{"get_element", `{"version":"kiosk@latest","element_id":"use.map"}`},
		{"get_element", `{"version":"kiosk@latest","element_id":"../x"}`},
		{"get_elements", `{"version":"kiosk@latest","element_ids":["data.card","use.maps","data.card"],"fields":["title"],"locales":["en"]}`},
		{"get_elements", `{"version":"kiosk@latest","element_ids":["use.maps","use.mapz"],"fields":["title"],"locales":["en"]}`},
		{"get_elements", `{"version":"kiosk@latest","element_ids":["use.maps","no good"]}`},
		{"get_elements", `{"version":"kiosk@latest","element_ids":["zzzzzz"]}`},
		{"get_elements", `{"version":"kiosk@latest","element_ids":[]}`},
		{"validate_datachain", with("kiosk@latest", goodKiosk)},
		{"validate_datachain", with("kiosk@latest", slip)},
		{"validate_datachain", with("kiosk@latest", `{"id":7}`)},
		{"validate_datachain", with("kiosk@latest", `{"id":"a","id":"b"}`)},
		{"validate_datachain", with("kiosk@latest", `[]`)},
		{"validate_datachain", with("kiosk@latest", string(resolved))},
		{"validate_datachain", `{}`},
		{"render_datachain", with("kiosk@latest", goodKiosk)},
		{"render_datachain", with("kiosk@latest", string(resolved))},
		{"render_datachain", with("kiosk@latest", slip)},
		{"render_datachain", strings.Replace(with("kiosk@latest", goodKiosk), "{", `{"locale":"!!",`, 1)},
		{"render_datachain", strings.Replace(with("kiosk@latest", goodKiosk), "{", `{"locale":"ar",`, 1)},
		{"get_icon_url", `{"version":"kiosk@latest","element_id":"data.card"}`},
		{"get_icon_url", `{"version":"kiosk@latest","element_id":"data.card","variant":"personal"}`},
		{"get_icon_url", `{"version":"kiosk@latest","element_id":"data.card","variant":"drak"}`},
		{"get_icon_url", `{"version":"kiosk@latest","element_id":"data.cart"}`},
		{"resolve_datachain", with("kiosk@latest", goodKiosk)},
		{"resolve_datachain", with("kiosk@latest", slip)},
		{"validate_resolved", with("kiosk@latest", string(resolved))},
		{"validate_resolved", with("kiosk@latest", strings.Replace(string(resolved), "Sells tickets", "Sells wine", 1))},
		{"validate_resolved", with("kiosk@latest", goodKiosk)},
	} {
		called[c.tool] = true
		r := h.tool(c.tool, c.arguments)
		fmt.Fprintf(&b, "$ %s %s\n%s\n", c.tool, c.arguments, r.Content[0].Text)
		if r.IsError {
			b.WriteString("isError\n")
		}
		b.WriteByte('\n')
	}
	golden(t, "testdata/tools.txt", b.String())
	tools, _ := mcp.Operations()
	for _, tool := range tools {
		assert.True(t, called[tool.Name], "add a call of %s to TestTools in adapters/mcp/tools_test.go", tool.Name)
	}
	assert.Empty(t, h.log.String(), "what clients do wrong is not logged")
}

func with(version, datachain string) string {
	return fmt.Sprintf(`{"version":%q,"datachain":%s}`, version, datachain)
}

func TestToolsOfSamples(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	h := serve(t, store, nil)
	r := h.tool("validate_datachain", with("ai@latest", string(document(t, "benefits.json"))))
	assert.Equal(t, true, r.envelope["ok"], r.envelope)
	r = h.tool("validate_resolved", with("ai@latest", string(document(t, "benefits.resolved.json"))))
	assert.Equal(t, true, r.envelope["ok"], r.envelope)
	r = h.tool("render_datachain", with("ai@latest", string(document(t, "benefits.json"))))
	assert.Equal(t, true, r.envelope["ok"], r.envelope)

	// The pages together have all elements.
	seen, cursor := map[string]bool{}, `""`
	for range 100 {
		r := h.tool("list_elements", fmt.Sprintf(`{"version":"ai@latest","limit":7,"cursor":%s}`, cursor))
		for _, e := range r.data()["elements"].([]any) {
			seen[e.(map[string]any)["id"].(string)] = true
		}
		next, more := r.envelope["meta"].(map[string]any)["next_cursor"].(string)
		if !more {
			break
		}
		cursor = fmt.Sprintf("%q", next)
	}
	full := h.tool("get_schema", `{"version":"ai@latest","include":"full"}`).data()
	assert.Len(t, seen, len(full["elements"].([]any)))
	assert.NotEmpty(t, full["symbols"])
}

// Models put JSON into strings, and pass null for what they omit.
func TestForgivenArguments(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	quoted, err := json.Marshal(goodKiosk)
	require.NoError(t, err)
	r := h.tool("validate_datachain", with("kiosk@latest", string(quoted)))
	assert.Equal(t, true, r.envelope["ok"], r.envelope)
	warnings := r.envelope["meta"].(map[string]any)["warnings"].([]any)
	require.Len(t, warnings, 1)
	assert.Equal(t, "invalid_arguments", warnings[0].(map[string]any)["code"])
	assert.Equal(t, "warning", warnings[0].(map[string]any)["severity"])

	r = h.tool("list_elements", `{"version":"kiosk@latest","query":null,"limit":null,"cursor":null,"fields":null}`)
	assert.Equal(t, true, r.envelope["ok"], r.envelope)
	r = h.tool("list_elements", `{"version":"kiosk@latest","limit":2.0}`)
	assert.Len(t, r.data()["elements"], 2)
	r = h.tool("list_elements", `{"version":"kiosk@latest","limit":1e30,"query":7}`)
	assert.Contains(t, fmt.Sprint(r.envelope["errors"]), "The argument limit must be an integer from 1 to 200, but is 1e30.")
	for _, arguments := range []string{`{"version":null}`, `{"version":"kiosk@latest","version":"kiosk@latest"}`, `[]`, `"x"`, `7`} {
		r = h.tool("get_schema", arguments)
		assert.True(t, r.IsError, arguments)
		assert.Equal(t, []string{"invalid_arguments"}, r.codes(), arguments)
	}
	assert.Equal(t, []string{"invalid_arguments"}, h.tool("validate_datachain", with("kiosk@latest", `"[1]"`)).codes())
}

func TestTooManyIDs(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	ids := func(n, times int) string {
		var all []string
		for range times {
			for i := range n {
				all = append(all, fmt.Sprintf("%q", fmt.Sprintf("id%d", i)))
			}
		}
		return `{"version":"kiosk@latest","element_ids":[` + strings.Join(all, ",") + `]}`
	}
	r := h.tool("get_elements", ids(100, 3))
	assert.False(t, r.IsError)
	assert.Len(t, r.codes(), 100)
	r = h.tool("get_elements", ids(101, 1))
	assert.True(t, r.IsError)
	assert.Equal(t, []string{"element_ids_too_many"}, r.codes())
}

// The limit of nesting is the same as in REST.
func TestDeepDocument(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	deep := func(n int) string {
		return strings.TrimSuffix(goodKiosk, "}") + `,"x":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
	}
	r := h.tool("validate_datachain", with("kiosk@latest", deep(63)))
	assert.Equal(t, true, r.envelope["ok"], r.envelope)
	r = h.tool("validate_datachain", with("kiosk@latest", deep(64)))
	assert.True(t, r.IsError)
	assert.Equal(t, []string{"invalid_arguments"}, r.codes())
}

// Hidden characters are never in a message, and escaped in the JSON of a document.
func TestHiddenCharacters(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	const evil = "a\u202eb\u2066c\U000E0041d\u0085e\u200b\u2028f"
	hidden := []string{"\u202e", "\u2066", "\U000E0041", "\u0085", "\u200b", "\u2028"}
	bad := strings.Replace(goodKiosk, "use.tickets", evil, 1)
	bad = strings.TrimSuffix(bad, "}") + `,"authoring_provenance":{"kind":"human","element_provenance":{"` + evil + `x":{}}}}`
	got := h.post(call("validate_datachain", with("kiosk@latest", bad)))
	r := resultOf(t, []byte(got.body))
	assert.Equal(t, false, r.envelope["ok"])
	assert.Contains(t, r.codes(), "element_provenance_unknown_element")
	for _, c := range hidden {
		assert.NotContains(t, got.body, c)
		assert.NotContains(t, fmt.Sprint(r.envelope), c, "%+q", c)
	}
	assert.Contains(t, fmt.Sprint(r.envelope["errors"]), `\u202e`)
	assert.Contains(t, r.envelope["meta"], "notice")

	odd := strings.Replace(goodKiosk, "Railways", evil, 1)
	got = h.post(call("resolve_datachain", with("kiosk@latest", odd)))
	r = resultOf(t, []byte(got.body))
	for _, c := range hidden {
		assert.NotContains(t, got.body, c, "%+q", c)
	}
	assert.Contains(t, fmt.Sprint(r.data()["elements"]), evil)
	assert.Contains(t, r.envelope["meta"], "notice")
}

func TestBrokenStore(t *testing.T) {
	h := serve(t, brokenStore{err: errors.New("secret disk is full")}, nil)
	r := h.tool("list_schema_versions", `{}`)
	assert.True(t, r.IsError)
	assert.Equal(t, []string{"upstream_error"}, r.codes())
	assert.NotContains(t, fmt.Sprint(r.envelope), "secret")
	assert.Equal(t, 1, strings.Count(h.log.String(), "secret disk is full"))
	for _, params := range []string{
		`"method":"prompts/get","params":{"name":"describe_system","arguments":{"type":"kiosk","description":"x"}}`,
		`"method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"describe_system"},"argument":{"name":"type","value":""}}`,
	} {
		got := h.post(`{"jsonrpc":"2.0","id":1,` + params + `}`).body
		assert.Contains(t, got, `"error":{"code":-32000`)
		assert.Contains(t, got, `"upstream_error"`)
		assert.NotContains(t, got, "secret")
	}
	assert.Equal(t, 3, strings.Count(h.log.String(), "secret disk is full"))

	h = serve(t, brokenStore{panic: true}, nil)
	got := h.post(call("list_schema_versions", `{}`))
	assert.Contains(t, got.body, `"code":-32603`)
	assert.Contains(t, h.log.String(), "a mistake")
}

func TestAnswerTooLarge(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{MaxAnswer: 1000})
	for _, arguments := range []string{`{"version":"kiosk@latest","include":"full"}`, `{"version":"kiosk@latest"}`} {
		r := h.tool("get_schema", arguments)
		assert.True(t, r.IsError)
		assert.Equal(t, []string{"payload_too_large"}, r.codes())
	}
}

// The URL of an icon has the host of the request. On stdio it is a data URL.
func TestIconAddresses(t *testing.T) {
	const arguments = `{"version":"kiosk@latest","element_id":"data.card","variant":"dark"}`
	h := serve(t, kioskStore(t), nil)
	r := h.tool("get_icon_url", arguments)
	assert.Equal(t, h.url+"/api/v2/schemas/kiosk@2026-02-03-stable/elements/data.card/icon.dark.svg", r.data()["url"])
	secure := httptest.NewTLSServer(newServer(t, must(datachain.New(kioskStore(t), nil)), nil).Handler())
	defer secure.Close()
	res, err := secure.Client().Post(secure.URL, "", strings.NewReader(call("get_icon_url", arguments)))
	require.NoError(t, err)
	body, err := io.ReadAll(res.Body)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	assert.True(t, strings.HasPrefix(resultOf(t, body).data()["url"].(string), secure.URL+"/api/"), string(body))
	r = resultOf(t, []byte(piped(t, nil, call("get_icon_url", arguments))[0]))
	text, whole := strings.CutPrefix(r.data()["url"].(string), "data:image/svg+xml;base64,")
	require.True(t, whole, r.data()["url"])
	svg, err := base64.StdEncoding.DecodeString(text)
	require.NoError(t, err)
	assert.Contains(t, string(svg), "</svg>")
}

// There are warnings about names that match nothing, each once and not too many.
func TestWarnings(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	warnings := func(tool, more string) []any {
		r := h.tool(tool, `{"version":"kiosk@latest",`+more+`}`)
		assert.Equal(t, true, r.envelope["ok"], r.envelope)
		list, _ := r.envelope["meta"].(map[string]any)["warnings"].([]any)
		return list
	}
	for _, fine := range []string{
		`"category_id":"use","locales":["FR","en"],"fields":["keywords","order","all"]`,
		`"query":"billets","locale":"fr-CA"`, `"query":"zzz","locale":"fr-CA"`, `"query":"zzz","locale":"EN_us"`,
		`"category_id":"","locale":"","fields":[],"locales":[]`, `"query":"zzz"`,
	} {
		assert.Empty(t, warnings("list_elements", fine), fine)
	}
	assert.Len(t, warnings("list_elements", `"locale":"de"`), 1)
	assert.Len(t, warnings("list_elements", `"query":"zzz","locale":"xx-nonsense"`), 1)
	assert.Len(t, warnings("get_schema", `"locales":["de","de","it"]`), 2)
	assert.Len(t, warnings("list_categories", `"locales":["de"]`), 1)
	assert.Len(t, warnings("get_element", `"element_id":"use.maps","locales":["de"],"fields":["Title"]`), 2)
	assert.Len(t, warnings("get_elements", `"element_ids":["use.maps"],"locales":["de"],"fields":["Title"]`), 2)
	var many []string
	for i := range 1000 {
		many = append(many, fmt.Sprintf(`"x%d"`, i))
	}
	list := strings.Join(many, ",")
	assert.Len(t, warnings("list_elements", `"locales":[`+list+`],"fields":[`+list+`]`), 40)

	// A language has several names, and an element may have extra fields.
	h = serve(t, foreignStore(t), nil)
	assert.Empty(t, warnings("list_elements", `"query":"thing","locale":"iw","fields":["x_color"]`))
	assert.Len(t, warnings("list_elements", `"query":"nothing","locale":"iw","fields":["y_color"]`), 2)
}

// foreignStore has a release with extra fields, in a language with several names.
func foreignStore(t testing.TB) taxonomy.Store {
	t.Helper()
	text := taxonomy.Localized{{Locale: "he", Value: "thing"}}
	return storeOf(t, taxonomy.Content{
		Title: text, Description: text, Locales: []string{"he"},
		Type:       taxonomy.Type{ID: "kiosk", Name: text, Categories: []string{"use"}},
		Categories: []taxonomy.Category{{ID: "use", Name: text, Description: text, Shape: "circle"}},
		Elements: []taxonomy.Element{{
			ID: "use.a", Title: text, Description: text, CategoryID: "use", SymbolID: "dot", IconVariants: []string{"default", "dark"},
			Extra: taxonomy.Extra{"x_color": json.RawMessage(`"red"`)},
		}},
		Symbols: kiosk().Symbols,
	})
}

// TestRetired checks that a retired version is unknown, and that the finding says when and
// why it was retired and what to use instead.
func TestRetired(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	index, err = listing.Remove(index, taxonomy.RetiredVersion{
		ID: taxonomy.MustVersion("sensor@2026-06-15-stable"), At: "2026-11-16", Successor: taxonomy.MustVersion("sensor@2026-11-15-stable"), Reason: "It was misleading.",
	})
	require.NoError(t, err)
	h := serve(t, withIndex{store, index}, nil)
	got := h.tool("get_schema", `{"version":"sensor@2026-06-15-stable"}`).Content[0].Text
	require.Contains(t, got, `"code":"unknown_version","message":"The schema version sensor@2026-06-15-stable was retired on 2026-11-16: It was misleading.","path":"version","fix_hint":"upgrade to sensor@2026-11-15-stable"`)
	require.Contains(t, h.tool("list_schema_versions", `{}`).Content[0].Text, `"successor":"sensor@2026-11-15-stable"`)
}

// TestVersionsChange checks that the list of versions follows the store.
func TestVersionsChange(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	h := serve(t, store, nil)
	const retired = `"id":"ai@2026-11-18-beta","status":"beta"`
	require.Contains(t, h.tool("list_schema_versions", `{}`).Content[0].Text, retired)
	require.NoError(t, store.Remove(taxonomy.MustVersion("ai@2026-11-18-beta")))
	require.NotContains(t, h.tool("list_schema_versions", `{}`).Content[0].Text, retired)
}

// TestDeprecated checks that a version that is deprecated says so in the list, when it is
// read, and when a document that pins it is validated.
func TestDeprecated(t *testing.T) {
	store, err := published.Store()
	require.NoError(t, err)
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	index, err = listing.SetState(index, taxonomy.MustVersion("sensor@2026-06-15-stable"), taxonomy.State{
		Deprecated: "2026-11-16", Sunset: "2027-06-30", Successor: taxonomy.MustVersion("sensor@2026-11-15-stable"), Reason: "It is incomplete.",
	})
	require.NoError(t, err)
	h := serve(t, withIndex{store, index}, nil)
	require.Contains(t, h.tool("list_schema_versions", `{}`).Content[0].Text, `"deprecated":"2026-11-16","sunset":"2027-06-30","successor":"sensor@2026-11-15-stable","reason":"It is incomplete."`)
	const warning = `"warnings":[{"code":"SCHEMA_VERSION_DEPRECATED","message":"The schema version sensor@2026-06-15-stable has been deprecated since 2026-11-16, with its sunset on 2027-06-30: It is incomplete."`
	require.Contains(t, h.tool("get_schema", `{"version":"sensor@2026-06-15-stable"}`).Content[0].Text, warning+`,"path":"version","fix_hint":"use sensor@2026-11-15-stable"`)
	require.NotContains(t, h.tool("get_schema", `{"version":"sensor@2026-11-15-stable"}`).Content[0].Text, "DEPRECATED")
}

// withIndex is a store with another index.
type withIndex struct {
	taxonomy.Store
	index *taxonomy.Index
}

func (w withIndex) Index(context.Context) (*taxonomy.Index, error) { return w.index, nil }
