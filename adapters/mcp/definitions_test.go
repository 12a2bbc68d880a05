package mcp_test

import (
	"encoding/json"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/examples/published"
)

// TestDefinitions compares the definitions of tools with what they do.
func TestDefinitions(t *testing.T) {
	h := serve(t, must(published.Store()), nil)
	listed, err := ask[toolList](h, "tools/list", struct{}{})
	require.NoError(t, err)
	for _, tool := range listed.Tools {
		assert.Greater(t, len(tool.Description), 100, "describe %s for a model that does not know datachains", tool.Name)
		assert.True(t, tool.Annotations.ReadOnlyHint, tool.Name)
		input := compile(t, tool.InputSchema)
		output := compile(t, tool.OutputSchema)
		// The schema accepts every example of an argument. Arguments whose
		// values differ between taxonomies have none.
		arguments := map[string]any{}
		specific := map[string]any{
			"version": "ai@latest", "to": "ai@latest", "category_id": "purpose", "element_id": "purpose.triage", "element_ids": []any{"purpose.triage"}, "datachain": map[string]any{},
		}
		properties, _ := tool.InputSchema["properties"].(map[string]any)
		for name, p := range properties {
			property := p.(map[string]any)
			assert.NotEmpty(t, property["description"], "%s %s", tool.Name, name)
			if value, ok := specific[name]; ok {
				assert.NotContains(t, property, "examples", "%s %s", tool.Name, name)
				arguments[name] = value
			} else {
				arguments[name] = property["examples"].([]any)[0]
			}
		}
		require.NoError(t, input.Validate(arguments), tool.Name)
		// The output schema accepts the answers to a call without arguments,
		// and with the examples.
		for _, given := range []map[string]any{{}, arguments} {
			answer := h.tool(tool.Name, string(must(json.Marshal(given)))).envelope
			require.NoError(t, output.Validate(answer), tool.Name)
		}
		if tool.Name == "render_datachain" {
			assert.Equal(t, map[string]any{"resourceUri": "ui://service/datachain/view.html"}, tool.Meta["ui"])
			assert.Equal(t, "ui://service/datachain/view.html", tool.Meta["ui/resourceUri"])
		}
	}
}

// What the server says about itself is true for any taxonomy: it names no version,
// category or element of the samples.
func TestNeutralDefinitions(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	samples, err := published.Store()
	require.NoError(t, err)
	index, err := samples.Index(t.Context())
	require.NoError(t, err)
	names := []string{"ai@", "sensor@", "ai or", `"ai"`}
	for _, e := range index.Entries() {
		r, err := samples.Release(t.Context(), e.ID)
		require.NoError(t, err)
		for _, element := range r.Elements() {
			names = append(names, element.ID)
		}
	}
	texts := h.post(hi).body
	for _, method := range []string{"tools/list", "prompts/list", "resources/list", "prompts/get", "tools/call"} {
		texts += h.post(`{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":{}}`).body
	}
	for _, tool := range []string{"get_schema", "list_elements", "get_element", "get_elements", "validate_datachain", "get_icon_url"} {
		texts += h.post(call(tool, `{}`)).body + h.post(call(tool, `{"version":7,"category_id":7,"element_id":7,"element_ids":7,"datachain":7}`)).body
	}
	for _, name := range names {
		assert.NotContains(t, texts, name)
	}
}

func compile(t *testing.T, schema map[string]any) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("urn:x", schema))
	compiled, err := compiler.Compile("urn:x")
	require.NoError(t, err)
	return compiled
}

// A model that got one thing wrong many times is not told so a thousand times.
func TestManyFindings(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	for n, want := range map[int]string{
		100: "", 101: "Findings that are not listed: 1.", 1000: "Findings that are not listed: 900.", 5000: "Findings that are not listed: at least 901.",
	} {
		doc := strings.TrimSuffix(goodKiosk, "]}") + strings.Repeat(`,{"element_id":"use.nothing"}`, n) + "]}"
		r := h.tool("validate_datachain", with("kiosk@latest", doc))
		list, _ := r.envelope["errors"].([]any)
		if want == "" {
			require.Len(t, list, n)
			continue
		}
		require.Len(t, list, 101)
		last, _ := list[100].(map[string]any)
		assert.Equal(t, "too_many_findings", last["code"])
		assert.Equal(t, want, last["message"])
	}
	// As many errors as are listed, and more warnings than are found.
	doc := strings.TrimSuffix(goodKiosk, "]}") + strings.Repeat(`,{"element_id":"use.nothing"}`, 100) + strings.Repeat(`,{"element_id":"data.card"}`, 2000) + "]}"
	list, _ := h.tool("validate_datachain", with("kiosk@latest", doc)).envelope["errors"].([]any)
	require.Len(t, list, 101)
	last, _ := list[100].(map[string]any)
	assert.Equal(t, "Findings that are not listed: at least 1.", last["message"])
}

// A megabyte of arguments is handled like any other.
func TestLargeArguments(t *testing.T) {
	o, log := quiet(nil)
	server := httptest.NewServer(newServer(t, must(datachain.New(kioskStore(t), &datachain.Options{MaxCPU: -1})), o).Handler())
	defer server.Close()
	h := &host{t, server.URL, log}
	fill := strings.Repeat("{},", 340_000)
	r := h.tool("validate_datachain", with("kiosk@latest", `{"elements":[`+fill+`{}]}`))
	assert.False(t, r.IsError)
	assert.Equal(t, "parse_error", r.codes()[0])
	assert.Len(t, r.codes(), 101)
	r = h.tool("list_elements", `{"version":"kiosk@latest","query":"`+strings.Repeat("tickets maps ", 75_000)+`"}`)
	assert.Equal(t, true, r.envelope["ok"], r.codes())
	many := make([]string, 0, 100_000)
	for range cap(many) {
		many = append(many, `"a`+string(rune('a'+len(many)%26))+`"`)
	}
	r = h.tool("get_elements", `{"version":"kiosk@latest","element_ids":[`+strings.Join(many, ",")+`]}`)
	assert.Len(t, r.codes(), 26)
	var unknown strings.Builder
	for i := range 50_000 {
		unknown.WriteString(`,"x` + strings.Repeat("y", i%7) + string(rune('a'+i%26)) + strings.Repeat("z", i/182%9) + `":1`)
	}
	got := h.post(call("get_schema", `{"version":"kiosk@latest"`+unknown.String()+`}`))
	assert.Less(t, len(got.body), 20_000)
}
