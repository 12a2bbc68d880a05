package tools_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/register/tools"
	"github.com/datachain-go/datachain/release/publish/targettest"
)

// openRegister returns the register of the sample documents, one of them in two editions and
// one withdrawn.
func openRegister(t testing.TB) *register.Register {
	t.Helper()
	service, target := service(t), new(targettest.Memory)
	publish := func(dir string) {
		live := must(register.New(service, []register.Origin{must(register.OpenDirectory(dir, nil))}, &register.Options{Refresh: -1}))
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
	r := must(register.New(service, []register.Origin{register.Stored("target", publishing.TargetFiles(target), nil)}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	return r
}

// host is a client of a server.
type host struct {
	t       *testing.T
	handler http.Handler
	log     *bytes.Buffer
}

// serve serves a register of documents.
func serve(t *testing.T, r *register.Register, o mcp.Options) *host {
	t.Helper()
	var log bytes.Buffer
	o.Tools, o.Resources = tools.New(r, o.BaseURL), tools.Resources(r)
	o.Logger, o.Timeout = slog.New(slog.NewTextHandler(&log, nil)), 10*time.Minute
	server, err := mcp.New(service(t), &o)
	require.NoError(t, err)
	return &host{t, server.Handler(), &log}
}

func serveRegister(t *testing.T) *host {
	t.Helper()
	return serve(t, openRegister(t), mcp.Options{BaseURL: "https://dc.example"})
}

func service(t testing.TB) *datachain.Service {
	t.Helper()
	return must(datachain.New(must(published.Store()), nil))
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (h *host) post(body string) string {
	return answer(h.handler, body)
}

// call is the text of a call of a tool.
func call(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// result is what a tool answers.
type result struct {
	Content    []struct{ Text string }
	Structured map[string]any `json:"structuredContent"`
	IsError    bool
}

// tool calls a tool, and checks that both forms of the answer are equal.
func (h *host) tool(name, arguments string) result {
	h.t.Helper()
	var got struct{ Result result }
	body := h.post(call(name, arguments))
	require.NoError(h.t, json.Unmarshal([]byte(body), &got), body)
	require.Len(h.t, got.Result.Content, 1, body)
	require.JSONEq(h.t, string(must(json.Marshal(got.Result.Structured))), got.Result.Content[0].Text)
	return got.Result
}

func (r result) data() map[string]any {
	data, _ := r.Structured["data"].(map[string]any)
	return data
}

func (r result) meta() map[string]any {
	meta, _ := r.Structured["meta"].(map[string]any)
	return meta
}

// codes are the codes of the errors.
func (r result) codes() []string {
	var codes []string
	list, _ := r.Structured["errors"].([]any)
	for _, issue := range list {
		codes = append(codes, issue.(map[string]any)["code"].(string))
	}
	return codes
}

// ask calls a method.
func ask[T any](h *host, method string, params any) (T, error) {
	h.t.Helper()
	var got struct {
		Result T
		Error  *struct{ Message string }
	}
	body := must(json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
	require.NoError(h.t, json.Unmarshal([]byte(h.post(string(body))), &got))
	if got.Error != nil {
		return got.Result, errors.New(got.Error.Message)
	}
	return got.Result, nil
}

// What methods answer.
type (
	toolList struct {
		Tools []struct {
			Name, Description         string
			InputSchema, OutputSchema map[string]any
			Annotations               struct{ ReadOnlyHint bool }
		}
	}
	resourceList struct {
		Resources  []struct{ URI string }
		NextCursor string
	}
)

func TestListDocuments(t *testing.T) {
	h := serveRegister(t)
	all := h.tool("list_documents", `{"sort":"title"}`)
	require.Equal(t, true, all.Structured["ok"])
	list := all.data()["documents"].([]any)
	require.NotEmpty(t, list)
	for _, d := range list {
		require.Contains(t, d, "slug")
		require.NotContains(t, d, "summary", "answers are short by default")
		require.NotEqual(t, "library-wifi-counter", d.(map[string]any)["slug"])
	}
	meta := all.meta()
	require.EqualValues(t, len(list), meta["returned"])
	require.Nil(t, meta["next_cursor"])
	require.NotEmpty(t, meta["notice"])
	found := h.tool("list_documents", `{"query":"crossing cameras","limit":1,"fields":["title","url","summary"],"facets":true}`)
	first := found.data()["documents"].([]any)[0].(map[string]any)
	require.Equal(t, "Cameras at the Mill Street crossing", first["title"])
	require.Equal(t, "https://dc.example/d/mill-street-crossing/", first["url"])
	require.NotContains(t, first, "slug")
	require.NotEmpty(t, found.data()["facets"])
	require.NotContains(t, found.meta(), "did_you_mean")
	typo := h.tool("list_documents", `{"query":"corssing"}`)
	require.Equal(t, "crossing", typo.meta()["did_you_mean"])
	typo = h.tool("list_elements", `{"version":"sensor@latest","query":"cmaera"}`)
	require.Equal(t, "camera", typo.meta()["did_you_mean"])
	sensors := h.tool("list_documents", `{"type":"sensor","limit":1}`)
	next := sensors.meta()["next_cursor"].(string)
	second := h.tool("list_documents", fmt.Sprintf(`{"type":"sensor","limit":1,"cursor":%q}`, next))
	require.NotEqual(t, sensors.data(), second.data())
	require.Equal(t, []string{"invalid_arguments"}, h.tool("list_documents", fmt.Sprintf(`{"type":"ai","cursor":%q}`, next)).codes())
}

func TestGetDocument(t *testing.T) {
	h := serveRegister(t)
	got := h.tool("get_document", `{"slug":"market-square-air","locale":"fr"}`)
	require.Equal(t, "Air, measured <b>anew</b>", got.data()["entry"].(map[string]any)["title"])
	require.NotContains(t, got.Content[0].Text, "schema_snapshot")
	require.NotContains(t, h.post(call("get_document", `{"slug":"market-square-air"}`)), "<b>")
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
	require.Equal(t, true, editions.Structured["ok"], editions.Content[0].Text)
	changes := editions.data()["changes"].([]any)
	require.NotEmpty(t, changes)
	require.Contains(t, changes[0].(map[string]any)["words"], "Air on the market square")
	require.Len(t, editions.data()["documents"], 2)
	two := h.tool("compare_documents", `{"slugs":["market-square-air","mill-street-crossing"]}`)
	require.NotEmpty(t, two.data()["changes"])
	other := h.tool("compare_documents", `{"slugs":["market-square-air","housing-benefit-check"]}`)
	require.Empty(t, other.data()["changes"])
	require.NotEmpty(t, other.meta()["warnings"])
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
		require.Equal(t, true, h.tool("list_documents", `{"query":`+string(quoted)+`}`).Structured["ok"])
		require.Equal(t, []string{"not_found"}, h.tool("get_document", `{"slug":`+string(quoted)+`}`).codes())
		require.Equal(t, true, h.tool("list_documents", `{"organisation":`+string(quoted)+`}`).Structured["ok"])
	}
	require.Empty(t, h.log.String())
}

// Documents are resources, too.
func TestResources(t *testing.T) {
	h := serve(t, openRegister(t), mcp.Options{})
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
	require.Contains(t, unknown, `"fix_hint":"use ui://service/datachain/view.html, or the URI of a document from resources/list"`)
	_, err = ask[resourceList](h, "resources/list", map[string]string{"cursor": "nonsense"})
	require.ErrorContains(t, err, "cursor")
}

// The list of resources has pages.
func TestManyResources(t *testing.T) {
	dir := t.TempDir()
	const n = 1100
	for i := range n {
		text := strings.Replace(string(must(os.ReadFile("../../examples/documents/air-station.json"))), `"market-square-air"`, fmt.Sprintf(`"air-%04d"`, i), 1)
		require.NoError(t, os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.json", i)), []byte(text), 0o600))
	}
	r := must(register.New(service(t), []register.Origin{must(register.OpenDirectory(dir, nil))}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, r.Close()) })
	h := serve(t, r, mcp.Options{})
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
func TestNoDocuments(t *testing.T) {
	empty := must(register.New(service(t), []register.Origin{must(register.OpenDirectory(t.TempDir(), nil))}, &register.Options{Refresh: -1}))
	t.Cleanup(func() { assert.NoError(t, empty.Close()) })
	h := serve(t, empty, mcp.Options{})
	require.NotContains(t, h.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), "list_documents")
	require.Contains(t, h.post(call("list_documents", `{}`)), "There is no tool")
	require.NotContains(t, h.post(`{"jsonrpc":"2.0","id":1,"method":"resources/list"}`), "datachain://")
	require.Contains(t, h.post(`{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`), `"resourceTemplates":[]`)
}

// TestDefinitions compares the definitions of the tools with what they do.
func TestDefinitions(t *testing.T) {
	h := serveRegister(t)
	list, err := ask[toolList](h, "tools/list", struct{}{})
	require.NoError(t, err)
	own := map[string]bool{}
	for _, tool := range tools.New(openRegister(t), "") {
		own[tool.Name] = true
	}
	compile := func(schema map[string]any) *jsonschema.Schema {
		compiler := jsonschema.NewCompiler()
		require.NoError(t, compiler.AddResource("urn:x", schema))
		return must(compiler.Compile("urn:x"))
	}
	seen := 0
	for _, tool := range list.Tools {
		if !own[tool.Name] {
			continue
		}
		seen++
		assert.Greater(t, len(tool.Description), 100, "describe %s for a model that does not know datachains", tool.Name)
		assert.True(t, tool.Annotations.ReadOnlyHint, tool.Name)
		output := compile(tool.OutputSchema)
		arguments := map[string]any{}
		specific := map[string]any{"slug": "mill-street-crossing", "slugs": []any{"mill-street-crossing"}, "edition": "", "type": "sensor", "data": "", "risk": "", "decision": "", "element": ""}
		for name, p := range tool.InputSchema["properties"].(map[string]any) {
			property := p.(map[string]any)
			assert.NotEmpty(t, property["description"], "%s %s", tool.Name, name)
			if value, ok := specific[name]; ok {
				assert.NotContains(t, property, "examples", "%s %s", tool.Name, name)
				arguments[name] = value
			} else {
				arguments[name] = property["examples"].([]any)[0]
			}
		}
		require.NoError(t, compile(tool.InputSchema).Validate(arguments), tool.Name)
		for _, given := range []map[string]any{{}, arguments} {
			require.NoError(t, output.Validate(any(h.tool(tool.Name, string(must(json.Marshal(given)))).Structured)), tool.Name)
		}
	}
	assert.Equal(t, len(own), seen)
	assert.Less(t, len(must(json.Marshal(list))), 44_000, "every conversation reads the definitions: shorten descriptions, or raise the limit for a new tool")
}
