package mcp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/jsonfields/jsonfieldstest"
	"github.com/datachain-go/datachain/taxonomy"
)

// exampleArguments has a value for each required argument of a tool.
var exampleArguments = map[string]string{
	"version": `"kiosk@latest"`, "to": `"kiosk@latest"`, "element_id": `"use.maps"`, "element_ids": `["use.maps"]`,
	"datachain": goodKiosk, "names": `["x"]`,
}

// Arguments are checked by code, which refuses exactly what the schema refuses.
func TestSchemas(t *testing.T) {
	h := serve(t, kioskStore(t), &mcp.Options{Tools: []mcp.Tool{{
		Name: "kinds", Call: func(context.Context, *mcp.ToolCall) (*mcp.Answer, error) { return &mcp.Answer{Data: struct{}{}}, nil },
		Takes: []mcp.Argument{
			{Name: "text", Kind: mcp.Text("a word", 1)},
			{Name: "any", Kind: mcp.Text("words", 0)},
			{Name: "choice", Kind: mcp.Choice("x", "full")},
			{Name: "choices", Kind: mcp.Choices("x", "y")},
			{Name: "names", Kind: mcp.TextList("a list of names", 1), Required: true},
			{Name: "list", Kind: mcp.TextList("a list", 0)},
			{Name: "fields", Kind: mcp.FieldNames()},
			{Name: "number", Kind: mcp.Integer(200)},
			{Name: "on", Kind: mcp.Boolean().Default("true")},
			{Name: "object", Kind: mcp.Object("")},
		},
	}}})
	listed, err := ask[toolList](h, "tools/list", struct{}{})
	require.NoError(t, err)
	values := []string{
		`""`, `"x"`, `"all"`, `"full"`, `[]`, `["x"]`, `["x",""]`, `["x",7]`, `[[]]`, `[null]`, `{}`, `{"a":[]}`, `true`,
		`0`, `1`, `1.0`, `1.5`, `2e2`, `200`, `201`, `1e30`, `-1`, `9007199254740993`,
	}
	for _, tool := range listed.Tools {
		schema := compile(t, tool.InputSchema)
		properties := tool.InputSchema["properties"].(map[string]any)
		required, _ := tool.InputSchema["required"].([]any)
		for _, name := range required {
			require.Contains(t, exampleArguments, name, "%s: give exampleArguments a value of the argument", tool.Name)
		}
		properties["other"] = nil
		for name := range properties {
			for _, value := range values {
				arguments := make(map[string]json.RawMessage)
				for other, example := range exampleArguments {
					if properties[other] != nil {
						arguments[other] = json.RawMessage(example)
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
	assert.Less(t, len(listed), 34_000, "every conversation reads the definitions: shorten descriptions in adapters/mcp/tools.go, or raise the limit for a new tool")
}

// The names of fields come from the struct tags of the model. A field of documents is
// described to models, or is one that they need not write.
func TestArgumentsHaveTheFields(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	names, err := json.Marshal(jsonfields.Names[taxonomy.Element]())
	require.NoError(t, err)
	r := h.tool("list_elements", `{"version":"kiosk@latest","fields":`+string(names)+`}`)
	assert.Equal(t, true, r.envelope["ok"])
	assert.NotContains(t, r.envelope["meta"], "warnings")

	listed, err := ask[toolList](h, "tools/list", struct{}{})
	require.NoError(t, err)
	var schema map[string]any
	for _, tool := range listed.Tools {
		if tool.Name == "validate_datachain" {
			schema = tool.InputSchema["properties"].(map[string]any)["datachain"].(map[string]any)
		}
	}
	assert.Equal(t, []string{
		"Resolved.instance_version", "Resolved.linked_instance_ids", "Resolved.updated_at", "Source.attribution", "Source.licence",
	}, jsonfieldstest.SchemaDifferences(schema, reflect.TypeFor[taxonomy.Resolved]()), "describe the fields in argDatachain in adapters/mcp/arguments.go, or list them here")
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

// TestDuplicateKeys shows that a key that occurs twice is refused wherever it is in
// a message, since a proxy might have read the other value.
func TestDuplicateKeys(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`:                                                                           `"id":1,"error":{"code":-32600,"message":"The key \"method\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`:                                                                                          `"id":null,"error":{"code":-32600,"message":"The key \"id\" occurs twice`,
		`{"jsonrpc":"2.0","jsonrpc":"2.0","id":1,"method":"ping"}`:                                                                                 `"The key \"jsonrpc\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","x":1,"x":2}`:                                                                                     `"The key \"x\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"ping","\u0069d":1}`:                                                                                     `"The key \"id\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{},"params":null}`:                                                                 `"The key \"params\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":[],"params":{}}`:                                                                   `"The key \"params\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_schema","name":"list_schema_versions"}}`:                              `"The key \"name\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_schema_versions","arguments":{},"arguments":{}}}`:                    `"The key \"arguments\" occurs twice`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"a":1,"a":2}}}`:                                                          `"A key occurs twice in the value of \"_meta\"`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"b":[{"a":1,"a":2}]}}}`:                                                  `"A key occurs twice in the value of \"_meta\"`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"describe_system","arguments":{"type":"kiosk","type":"x"}}}`:              `"A key occurs twice in the value of \"arguments\"`,
		`[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping","method":"ping"}]`:                                      `"id":1,"result":{}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_schema","arguments":{"version":"a","version":"kiosk@latest"}}}`:       `The argument version occurs twice.`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_schema","arguments":{"version":"kiosk@latest","x":{"a":1,"a":2}}}}`:   `A key occurs twice in the argument x.`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_schema","arguments":{"version":"kiosk@latest","x":[{"a":1,"a":2}]}}}`: `A key occurs twice in the argument x.`,
	} {
		answer := h.post(message)
		assert.Contains(t, answer.body, want, message)
	}
	require.Contains(t, h.post(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":{"b":1},"c":{"b":1}},"b":2}`).body, `"result":{}`, "the same key in different objects")
}

// A number that JSON allows, but that does not survive, is named as what is wrong, in documents
// and in messages that are no JSON for another reason.
func TestUnsafeNumbers(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	doc := strings.Replace(goodKiosk, "{", `{"n":1e400,`, 1)
	r := h.tool("validate_datachain", with("kiosk@latest", doc))
	assert.Equal(t, []string{"invalid_arguments"}, r.codes())
	assert.Contains(t, string(r.Structured), "The datachain has a number that does not survive: the number 1e400 is beyond")
	_, err := h.prompt("explain_datachain", map[string]string{"datachain": doc, "language": "en"})
	require.ErrorContains(t, err, "The datachain has a number that does not survive: ")
	assert.Contains(t, h.post(`{"id":1e400,"x":1,]`).body, `"message":"The message is not valid JSON: `)
	assert.NotContains(t, h.post(`{"id":1e400,"x":1,]`).body, "1e400")
}

// The same arguments get the same answer, however their JSON is written.
func TestFormOfArguments(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	const plain = `{"version":"kiosk@latest","fields":["id","title"],"locales":["en"],"limit":2}`
	want := h.tool("list_elements", plain)
	require.Len(t, want.data()["elements"], 2)
	var indented bytes.Buffer
	require.NoError(t, json.Indent(&indented, []byte(plain), "\t\r\n", "  "))
	for name, arguments := range map[string]string{
		"indented":      indented.String(),
		"spread":        strings.NewReplacer(`{`, "{ \n", `:`, " :\t", `,`, "\r\n , ", `]`, " ]", `}`, "\n}").Replace(plain),
		"escaped keys":  strings.NewReplacer(`"version"`, `"versi\u006fn"`, `"limit"`, `"\u006cimit"`, `"title"`, `"t\u0069tle"`).Replace(plain),
		"another order": `{"limit":2,"locales":["en"],"fields":["id","title"],"version":"kiosk@latest"}`,
		"other numbers": strings.Replace(plain, `"limit":2`, `"limit":2.0e0`, 1),
	} {
		assert.Equal(t, string(want.Structured), string(h.tool("list_elements", arguments).Structured), name)
	}
	// What is ignored does not shift what follows it.
	for _, other := range []string{
		`{}`, `[]`, `""`, `"\\"`, `"\\\""`, `"a\"},{[\\"`, `-0.5e-7`, `[[],[{}],"]"]`, `{"a":{"b":["}",{"c":"\""}]},"d":false}`, " true ", `"\ud83d\ude00"`, "[\n1 , 2\n]",
	} {
		got := h.tool("list_elements", `{"x":`+other+`,`+plain[1:])
		assert.Equal(t, want.data(), got.data(), other)
		assert.Contains(t, string(got.Structured), "There is no argument", other)
	}
}

// Texts of documents are no markup for a host that puts an answer into a page, and
// readers of JSON get them as they are.
func TestMarkup(t *testing.T) {
	const title = "A <b>bold</b> & \u2028 \u2029 \"quoted\" \\ title"
	quoted, err := json.Marshal(title)
	require.NoError(t, err)
	doc := strings.Replace(goodKiosk, `"Station kiosk"`, string(quoted), 1)
	h := serve(t, kioskStore(t), &mcp.Options{View: ownView{}})
	for _, body := range []string{
		call("resolve_datachain", with("kiosk@latest", doc)),
		call("render_datachain", with("kiosk@latest", doc)),
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"ui://service/datachain/view.html"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"describe_system","arguments":{"type":"kiosk","description":` + string(quoted) + `}}}`,
	} {
		got := h.post(body).body
		assert.False(t, strings.ContainsAny(got, "<>&\u2028\u2029"), body)
		assert.Contains(t, got, `\u003c`, body)
	}
	resolved, ok := h.tool("resolve_datachain", with("kiosk@latest", doc)).data()["title"].([]any)
	require.True(t, ok)
	assert.Equal(t, title, resolved[0].(map[string]any)["value"])
}

// The answer to a batch is an array, whatever its length.
func TestFormOfBatches(t *testing.T) {
	h := serve(t, kioskStore(t), nil)
	for n := range 300 {
		one := `{"jsonrpc":"2.0","id":"` + strings.Repeat("x", n) + `","method":"ping"}`
		var answers []json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(h.post("["+one+"]").body), &answers), n)
		require.Len(t, answers, 1)
	}
}
