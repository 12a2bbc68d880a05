package mcp_test

import (
	"encoding/json"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/internal/fields"
	"github.com/datachain-go/datachain/taxonomy"
)

// Arguments are checked by code, which refuses exactly what the schema refuses.
func TestSchemas(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	listed, err := connect(t, &sdk.StreamableClientTransport{Endpoint: h.url}).ListTools(t.Context(), nil)
	require.NoError(t, err)
	values := []string{
		`""`, `"x"`, `"all"`, `"full"`, `[]`, `["x"]`, `["x",""]`, `["x",7]`, `[[]]`, `[null]`, `{}`, `{"a":[]}`, `true`,
		`0`, `1`, `1.0`, `1.5`, `2e2`, `200`, `201`, `1e30`, `-1`, `9007199254740993`,
	}
	for _, tool := range listed.Tools {
		schema := compile(t, tool.InputSchema)
		properties := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		properties["other"] = nil
		for name := range properties {
			for _, value := range values {
				arguments := map[string]json.RawMessage{"version": json.RawMessage(`"kiosk@latest"`), "to": json.RawMessage(`"kiosk@latest"`), "element_id": json.RawMessage(`"use.maps"`), "element_ids": json.RawMessage(`["use.maps"]`), "datachain": json.RawMessage(goodKiosk)}
				for other := range arguments {
					if properties[other] == nil {
						delete(arguments, other)
					}
				}
				arguments[name] = json.RawMessage(value)
				text, err := json.Marshal(arguments)
				require.NoError(t, err)
				instance, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
				require.NoError(t, err)
				got := h.post(call(tool.Name, string(text))).body
				refused := strings.Contains(got, "The argument "+name+" must be ")
				assert.Equal(t, schema.Validate(instance) != nil, refused, "%s %s: %s", tool.Name, text, got)
			}
		}
	}
}

// Models and hosts read the list of tools in each conversation, so the long schema of a
// datachain is in it once.
func TestToolsAreShort(t *testing.T) {
	listed := serve(t, kioskStore(t), nil).post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).body
	assert.Equal(t, 1, strings.Count(listed, `"subchain_instances":`))
	assert.Less(t, len(listed), 34_000)
}

// The names of fields come from the struct tags of the model. A field of documents is
// described to models, or is one that they need not write.
func TestArgumentsHaveTheFields(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	names, err := json.Marshal(fields.Names[taxonomy.Element]())
	require.NoError(t, err)
	r := h.tool("list_elements", `{"version":"kiosk@latest","fields":`+string(names)+`}`)
	assert.Equal(t, true, r.envelope["ok"])
	assert.NotContains(t, r.envelope["meta"], "warnings")

	listed, err := connect(t, &sdk.StreamableClientTransport{Endpoint: h.url}).ListTools(t.Context(), nil)
	require.NoError(t, err)
	i := slices.IndexFunc(listed.Tools, func(tool *sdk.Tool) bool { return tool.Name == "validate_datachain" })
	schema := listed.Tools[i].InputSchema.(map[string]any)["properties"].(map[string]any)["datachain"].(map[string]any)
	assert.Equal(t, []string{
		"Resolved.instance_version", "Resolved.linked_instance_ids", "Resolved.updated_at", "Source.attribution", "Source.licence",
	}, fields.Differences(schema, reflect.TypeFor[taxonomy.Resolved]()), "describe the fields in argDatachain, or list them here")
}

func TestOptions(t *testing.T) {
	service := sampleService(t)
	for name, o := range map[string]*mcp.Options{
		"BaseURL \"example.org\"": {BaseURL: "example.org"}, "BaseURL \"ftp://example.org\"": {BaseURL: "ftp://example.org"},
	} {
		_, err := mcp.New(service, o)
		require.ErrorContains(t, err, "mcp: "+name)
	}
}

// A negative number is no limit.
func TestNoLimits(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{MaxBody: -1, MaxAnswer: -1, Timeout: -1, MaxWork: -1})
	assert.Empty(t, h.tool("validate_datachain", with("kiosk@latest", goodKiosk)).codes())
}

// A base URL can be a path, as in the REST API.
func TestBasePath(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{BaseURL: "/dc/"})
	url, _ := h.tool("get_icon_url", `{"version":"kiosk@latest","element_id":"use.maps"}`).data()["url"].(string)
	assert.Regexp(t, `^http://[^/]+/dc/api/v2/schemas/kiosk@`, url)
}

// Behind authentication, nothing is for other origins or shared caches.
func TestPrivate(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{Private: true})
	for _, method := range []string{http.MethodPost, http.MethodOptions, http.MethodGet} {
		answer := h.send(method, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		for name := range answer.header {
			assert.NotContains(t, name, "Access-Control", method)
		}
		assert.NotContains(t, answer.body, `"cacheScope":"public"`)
	}
}

// The server speaks every revision that the SDK speaks.
func TestRevisions(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	body := `{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	var answer struct {
		Result struct{ SupportedVersions []string }
	}
	require.NoError(t, json.Unmarshal([]byte(h.post(body, "Mcp-Protocol-Version", "2026-07-28", "Mcp-Method", "server/discover").body), &answer))
	assert.Equal(t, sdk.SupportedProtocolVersions(), answer.Result.SupportedVersions)
}
