package mcp_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

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
	h := serve(t, kioskStore(t), nil)
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
