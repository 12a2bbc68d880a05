package mcp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish/targettest"
)

// published returns the register of the sample documents, one of them in two editions and
// one withdrawn.
func published(t testing.TB) *register.Register {
	t.Helper()
	service, target := sampleService(t), new(targettest.Memory)
	publish := func(dir string) {
		live := must(register.New(service, []register.Origin{must(register.Directory(dir, nil))}, &register.Options{Refresh: -1}))
		must(publishing.Documents(t.Context(), target, live, nil))
		require.NoError(t, live.Close())
	}
	publish("../../examples/documents")
	dir := t.TempDir()
	text, err := os.ReadFile("../../examples/documents/air-station.json")
	require.NoError(t, err)
	var changed map[string]any
	require.NoError(t, json.Unmarshal(text, &changed))
	changed["title"] = []map[string]string{{"locale": "en", "value": "Air, measured <b>anew</b>"}}
	changed["updated_at"] = "2026-10-01T00:00:00Z"
	text, err = json.Marshal(changed)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "air.json"), text, 0o600))
	publish(dir)
	must(publishing.Withdraw(t.Context(), target, "library-wifi-counter", "It was switched off"))
	r := must(register.New(service, []register.Origin{register.Stored("target", publishing.TargetFiles(target))}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	return r
}

func serveRegister(t *testing.T) *host {
	t.Helper()
	return serve(t, must(taxonomies.Store()), &mcp.Options{Documents: published(t), BaseURL: "https://dc.example"})
}

func TestListDocuments(t *testing.T) {
	h := serveRegister(t)
	all := h.tool("list_documents", `{"sort":"title"}`)
	require.Equal(t, true, all.envelope["ok"])
	list := all.data()["documents"].([]any)
	require.NotEmpty(t, list)
	for _, d := range list {
		require.Contains(t, d, "slug")
		require.NotContains(t, d, "summary", "answers are short by default")
		require.NotEqual(t, "library-wifi-counter", d.(map[string]any)["slug"])
	}
	meta := all.envelope["meta"].(map[string]any)
	require.EqualValues(t, len(list), meta["returned"])
	require.Nil(t, meta["next_cursor"])
	require.NotEmpty(t, meta["notice"])
	found := h.tool("list_documents", `{"query":"crossing cameras","limit":1,"fields":["title","url","summary"],"facets":true}`)
	first := found.data()["documents"].([]any)[0].(map[string]any)
	require.Equal(t, "Cameras at the Mill Street crossing", first["title"])
	require.Equal(t, "https://dc.example/d/mill-street-crossing/", first["url"])
	require.NotContains(t, first, "slug")
	require.NotEmpty(t, found.data()["facets"])
	require.NotContains(t, found.envelope["meta"], "did_you_mean")
	typo := h.tool("list_documents", `{"query":"corssing"}`)
	require.Equal(t, "crossing", typo.envelope["meta"].(map[string]any)["did_you_mean"])
	typo = h.tool("list_elements", `{"version":"sensor@latest","query":"cmaera"}`)
	require.Equal(t, "camera", typo.envelope["meta"].(map[string]any)["did_you_mean"])
	sensors := h.tool("list_documents", `{"type":"sensor","limit":1}`)
	next := sensors.envelope["meta"].(map[string]any)["next_cursor"].(string)
	second := h.tool("list_documents", fmt.Sprintf(`{"type":"sensor","limit":1,"cursor":%q}`, next))
	require.NotEqual(t, sensors.data(), second.data())
	require.Equal(t, []string{"invalid_arguments"}, h.tool("list_documents", fmt.Sprintf(`{"type":"ai","cursor":%q}`, next)).codes())
}

func TestGetDocument(t *testing.T) {
	h := serveRegister(t)
	got := h.tool("get_document", `{"slug":"market-square-air","locale":"fr"}`)
	require.Equal(t, "Air, measured <b>anew</b>", got.data()["entry"].(map[string]any)["title"])
	require.NotContains(t, got.Content[0].Text, "schema_snapshot")
	require.NotContains(t, h.post(call("get_document", `{"slug":"market-square-air"}`)).body, "<b>")
	require.Equal(t, "market-square-air", got.data()["document"].(map[string]any)["id"])
	require.Contains(t, h.tool("get_document", `{"slug":"market-square-air","form":"resolved"}`).data()["document"], "schema_snapshot")
	gone := h.tool("get_document", `{"slug":"library-wifi-counter"}`)
	require.True(t, gone.IsError)
	require.Equal(t, []string{"gone"}, gone.codes())
	require.Contains(t, gone.Content[0].Text, "It was switched off")
	require.Equal(t, []string{"not_found"}, h.tool("get_document", `{"slug":"nothing"}`).codes())
	require.Equal(t, []string{"not_found"}, h.tool("get_document", `{"slug":"market-square-air","edition":"0123456789ab"}`).codes())
}

func TestCompareDocuments(t *testing.T) {
	h := serveRegister(t)
	editions := h.tool("compare_documents", `{"slugs":["market-square-air"]}`)
	require.Equal(t, true, editions.envelope["ok"], editions.Content[0].Text)
	changes := editions.data()["changes"].([]any)
	require.NotEmpty(t, changes)
	require.Contains(t, changes[0].(map[string]any)["words"], "Air on the market square")
	require.Len(t, editions.data()["documents"], 2)
	two := h.tool("compare_documents", `{"slugs":["market-square-air","mill-street-crossing"]}`)
	require.NotEmpty(t, two.data()["changes"])
	other := h.tool("compare_documents", `{"slugs":["market-square-air","housing-benefit-check"]}`)
	require.Empty(t, other.data()["changes"])
	require.NotEmpty(t, other.envelope["meta"].(map[string]any)["warnings"])
	for arguments, code := range map[string]string{
		`{}`:                                 "invalid_arguments",
		`{"slugs":[]}`:                       "invalid_arguments",
		`{"slugs":["a","b","c"]}`:            "invalid_arguments",
		`{"slugs":["mill-street-crossing"]}`: "not_found", // it has one edition
		`{"slugs":["mill-street-crossing","library-wifi-counter"]}`: "gone",
		`{"slugs":["mill-street-crossing","x"]}`:                    "not_found",
	} {
		got := h.tool("compare_documents", arguments)
		require.True(t, got.IsError, arguments)
		require.Equal(t, []string{code}, got.codes(), arguments)
	}
}

func TestHostileDocumentCalls(t *testing.T) {
	h := serveRegister(t)
	for arguments, code := range map[string]string{
		`{"status":"on"}`:             "invalid_arguments",
		`{"sort":"worst"}`:            "invalid_arguments",
		`{"limit":0}`:                 "invalid_arguments",
		`{"limit":201}`:               "invalid_arguments",
		`{"cursor":"AAAA"}`:           "invalid_arguments",
		`{"locale":"not a language"}`: "invalid_arguments",
		`{"query":7}`:                 "invalid_arguments",
		`{"facets":"yes"}`:            "invalid_arguments",
	} {
		require.Equal(t, []string{code}, h.tool("list_documents", arguments).codes(), arguments)
	}
	for _, text := range []string{strings.Repeat("a ", 20_000), "\u202e<script>", "' OR 1=1", strings.Repeat("한", 3000), "\u0000"} {
		quoted, err := json.Marshal(text)
		require.NoError(t, err)
		require.Equal(t, true, h.tool("list_documents", `{"query":`+string(quoted)+`}`).envelope["ok"])
		require.Equal(t, []string{"not_found"}, h.tool("get_document", `{"slug":`+string(quoted)+`}`).codes())
		require.Equal(t, true, h.tool("list_documents", `{"organisation":`+string(quoted)+`}`).envelope["ok"])
	}
	require.Empty(t, h.log.String())
}

// Documents are resources, too.
func TestDocumentResources(t *testing.T) {
	h := serve(t, must(taxonomies.Store()), &mcp.Options{Documents: published(t)})
	tools, err := ask[toolList](h, "tools/list", struct{}{})
	require.NoError(t, err)
	callable, _ := mcp.Operations()
	require.Len(t, tools.Tools, len(callable))
	list, err := ask[resourceList](h, "resources/list", struct{}{})
	require.NoError(t, err)
	uris := map[string]bool{}
	for _, r := range list.Resources {
		uris[r.URI] = true
	}
	require.True(t, uris["ui://service/datachain/view.html"])
	require.True(t, uris["datachain://documents/mill-street-crossing"])
	require.False(t, uris["datachain://documents/library-wifi-counter"], "it is gone")
	templates, err := ask[struct {
		ResourceTemplates []struct{ URITemplate string }
	}](h, "resources/templates/list", struct{}{})
	require.NoError(t, err)
	require.Equal(t, "datachain://documents/{slug}", templates.ResourceTemplates[0].URITemplate)
	want, err := os.ReadFile("../../examples/documents/crossing-camera.json")
	require.NoError(t, err)
	read := func(uri string) (struct{ Contents []struct{ Text string } }, error) {
		return ask[struct{ Contents []struct{ Text string } }](h, "resources/read", map[string]string{"uri": uri})
	}
	found, err := read("datachain://documents/mill-street-crossing")
	require.NoError(t, err)
	require.JSONEq(t, string(want), found.Contents[0].Text)
	for uri, message := range map[string]string{
		"datachain://documents/library-wifi-counter": "withdrawn",
		"datachain://documents/":                     "There is no document",
		"datachain://documents/../x":                 "There is no document",
		"datachain://other":                          "There is no resource",
	} {
		_, err := read(uri)
		require.ErrorContains(t, err, message, uri)
	}
	unknown := h.post(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://x"}}`)
	require.Contains(t, unknown.body, `"fix_hint":"use ui://service/datachain/view.html, or the URI of a document from resources/list"`)
	_, err = ask[resourceList](h, "resources/list", map[string]string{"cursor": "nonsense"})
	require.ErrorContains(t, err, "cursor")
}

// The list of resources has pages.
func TestManyDocumentResources(t *testing.T) {
	dir := t.TempDir()
	const n = 1100
	for i := range n {
		text := strings.Replace(string(document(t, "air-station.json")), `"market-square-air"`, fmt.Sprintf(`"air-%04d"`, i), 1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", i)), []byte(text), 0o600))
	}
	r := must(register.New(sampleService(t), []register.Origin{must(register.Directory(dir, nil))}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	h := serve(t, must(taxonomies.Store()), &mcp.Options{Documents: r})
	seen := map[string]bool{}
	cursor := ""
	for range 3 {
		page, err := ask[resourceList](h, "resources/list", map[string]string{"cursor": cursor})
		require.NoError(t, err)
		for _, resource := range page.Resources {
			require.False(t, seen[resource.URI], resource.URI)
			seen[resource.URI] = true
		}
		cursor = page.NextCursor
	}
	require.Empty(t, cursor)
	require.Len(t, seen, n+1)
}

// Without documents there are no tools for them.
func TestNoDocumentTools(t *testing.T) {
	empty := must(register.New(sampleService(t), []register.Origin{must(register.Directory(t.TempDir(), nil))}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, empty.Close()) })
	for _, o := range []*mcp.Options{nil, {Documents: empty}} {
		h := serve(t, must(taxonomies.Store()), o)
		require.NotContains(t, h.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).body, "list_documents")
		require.Contains(t, h.post(call("list_documents", `{}`)).body, "There is no tool")
		require.NotContains(t, h.post(`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`).body, "datachain://")
		require.Contains(t, h.post(`{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`).body, `"resourceTemplates":[]`)
	}
}
