package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/manual"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

type callFunc = func(context.Context, *mcp.ToolCall) (*mcp.Answer, error)

// answering returns a call that has that answer.
func answering(data any, err error) callFunc {
	return func(context.Context, *mcp.ToolCall) (*mcp.Answer, error) { return &mcp.Answer{Data: data}, err }
}

// TestOwnTools shows that tools of a program have the list, session, limits, time and envelope of
// those of the server.
func TestOwnTools(t *testing.T) {
	service := sampleService(t)
	server, err := mcp.New(service, &mcp.Options{MaxAnswer: 1 << 10, Timeout: 50 * time.Millisecond, BaseURL: "https://dc.example/", Tools: []mcp.Tool{
		{Name: "echo", Description: "Echoes.", Quotes: true, Returns: "What came in.", Takes: []mcp.Argument{
			{Name: "street", Kind: mcp.Text("a street", 1), Required: true, Find: "list_streets returns them", Former: "road"},
			{Name: "names", Kind: mcp.TextList("a list of names", 0), Example: `["a"]`},
			{Name: "n", Kind: mcp.Integer(9), Example: "3"},
			{Name: "on", Kind: mcp.Boolean()},
			{Name: "more", Kind: mcp.Object("")},
		}, Call: func(_ context.Context, c *mcp.ToolCall) (*mcp.Answer, error) {
			return &mcp.Answer{Data: map[string]any{
				"street": c.Text("street"), "names": c.List("names"), "n": c.Integer("n"), "on": c.Boolean("on"), "more": c.JSON("more"), "session": c.Session, "base": c.BaseURL, "other": c.Text("n"),
			}}, nil
		}},
		{Name: "open", ReadOnly: true, Call: func(ctx context.Context, _ *mcp.ToolCall) (*mcp.Answer, error) {
			_, err := service.Open(ctx, "ai@nowhere")
			return nil, err
		}},
		{Name: "slow", Work: true, Call: func(ctx context.Context, _ *mcp.ToolCall) (*mcp.Answer, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		}},
		{Name: "broken", Call: answering(nil, errors.New("the disk is broken"))},
		{Name: "list", Call: answering([]int{1}, nil)},
		{Name: "text", Call: answering(json.RawMessage(`{"a":`), nil)},
		{Name: "nothing", Call: func(context.Context, *mcp.ToolCall) (*mcp.Answer, error) { return nil, nil }},
		{Name: "large", Call: answering(map[string]string{"text": strings.Repeat("x", 2<<10)}, nil)},
		{Name: "page", Call: func(context.Context, *mcp.ToolCall) (*mcp.Answer, error) {
			return &mcp.Answer{
				Data: json.RawMessage(`{"caf\u00e9":1}`), Version: "ai@1", Paging: &mcp.Paging{Total: 9, Returned: 2, NextCursor: "x", DidYouMean: "y"},
				Errors: issue.Issues{{Code: "STREET_CLOSED", Message: "The street is closed."}}, Warnings: issue.Issues{{Code: "STREET_NARROW", Message: "It is narrow."}},
			}, nil
		}},
	}})
	require.NoError(t, err)
	send := func(method, params string) string {
		r := httptest.NewRequest(http.MethodPost, "/mcp", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"`+method+`","params":`+params+`}`))
		r.Header.Set("Mcp-Session-Id", "mine")
		w := httptest.NewRecorder()
		server.Handler().ServeHTTP(w, r)
		return w.Body.String()
	}
	list := send("tools/list", "{}")
	assert.Contains(t, list, `{"annotations":{"title":"large"},"description":"","inputSchema":{"type":"object","properties":{},"required":[]},"name":"large"`)
	assert.Contains(t, list, `"n":{"description":"","type":"integer","minimum":1,"maximum":9,"examples":[3]}`)
	assert.Contains(t, list, `"What came in."`)
	assert.Contains(t, list, `"name":"validate_datachain"`)
	for call, want := range map[string]string{
		`{"name":"echo","arguments":{"street":"Mill","names":["a","b"],"n":3,"on":true,"more":{"a":[1]}}}`: `"data":{"base":"https://dc.example","more":{"a":[1]},"n":3,"names":["a","b"],"on":true,"other":"","session":"mine","street":"Mill"},"meta":{"notice":"Texts,`,
		`{"name":"echo","arguments":{"street":"Mill"}}`:                                                    `"more":null,"n":0,"names":[],"on":false`,
		`{"name":"echo"}`: `The argument street is missing.","path":"street","fix_hint":"add street; list_streets returns them"`,
		`{"name":"echo","arguments":{"road":"Mill"}}`:                        `The argument road of echo is named street now.`,
		`{"name":"echo","arguments":{"street":"Mill","nmes":["a"]}}`:         `"fix_hint":"use names"`,
		`{"name":"echo","arguments":{"street":"Mill","names":["a",""]}}`:     `"path":"names[1]"`,
		`{"name":"echo","arguments":{"street":"Mill","n":10}}`:               `must be an integer from 1 to 9, but is 10.","path":"n","fix_hint":"use an integer from 1 to 9, such as 3"`,
		`{"name":"echo","arguments":{"street":"Mill","more":{"a":1,"a":2}}}`: `A key occurs twice in the argument more.`,
		`{"name":"echo","arguments":{"a":1,"a":2}}`:                          `The argument a occurs twice.`,
		`{"name":"echo","arguments":[]}`:                                     `The arguments must be an object.`,
		`{"name":"open"}`:                                                    `"code":"unknown_version"`,
		`{"name":"broken"}`:                                                  `"code":"internal_error"`,
		`{"name":"list"}`:                                                    `"code":"internal_error"`,
		`{"name":"text"}`:                                                    `"code":"internal_error"`,
		`{"name":"nothing"}`:                                                 `"code":"internal_error"`,
		`{"name":"large"}`:                                                   `"code":"payload_too_large"`,
		`{"name":"slow"}`:                                                    `"code":"timeout"`,
		`{"name":"page"}`: `{"ok":false,"errors":[{"code":"STREET_CLOSED","message":"The street is closed."}],"data":{"caf\u00e9":1},` +
			`"meta":{"version":"ai@1","total":9,"returned":2,"did_you_mean":"y","next_cursor":"x","warnings":[{"code":"STREET_NARROW","message":"It is narrow."}]}}}}`,
	} {
		got := send("tools/call", call)
		assert.Contains(t, got, want, call)
		assert.NotContains(t, got, "disk")
	}
	callable, _ := mcp.Operations(mcp.Tool{Name: "find", Takes: []mcp.Argument{{Name: "b", Description: "A street.", Required: true}, {Name: "a"}}}, mcp.Tool{Name: "open"})
	assert.Equal(t, []manual.Operation{
		{Name: "find", Title: "find", Arguments: []manual.Argument{{Name: "b", Description: "A street.", Required: true}, {Name: "a"}}},
		{Name: "open", Title: "open"},
	}, callable[len(callable)-2:])
	for name, c := range map[string]struct {
		tools []mcp.Tool
		want  string
	}{
		"name of ours": {[]mcp.Tool{{Name: "validate_datachain", Call: answering(nil, nil)}}, "there is a tool validate_datachain already"},
		"twice":        {[]mcp.Tool{{Name: "x", Call: answering(nil, nil)}, {Name: "x", Call: answering(nil, nil)}}, "there is a tool x already"},
		"no name":      {[]mcp.Tool{{Call: answering(nil, nil)}}, "must have a name"},
		"no call":      {[]mcp.Tool{{Name: "x"}}, "has no Call"},
		"no kind":      {[]mcp.Tool{{Name: "x", Call: answering(nil, nil), Takes: []mcp.Argument{{Name: "a"}}}}, "the argument a of the tool x has no Kind"},
		"two alike":    {[]mcp.Tool{{Name: "x", Call: answering(nil, nil), Takes: []mcp.Argument{mcp.LocalesArgument(), mcp.LocalesArgument()}}}, `two arguments with the name "locales"`},
		"schema":       {[]mcp.Tool{{Name: "x", Call: answering(nil, nil), Takes: []mcp.Argument{{Name: "a", Kind: mcp.Object(`"properties":`)}}}}, "must be JSON"},
	} {
		_, err := mcp.New(service, &mcp.Options{Tools: c.tools})
		require.ErrorContains(t, err, c.want, name)
	}
}

// TestOwnToolOfVersions shows that tools of a program take a version, a datachain and languages as
// those of the server do.
func TestOwnToolOfVersions(t *testing.T) {
	to := mcp.VersionArgument()
	to.Name = "to"
	h := serve(t, kioskStore(t), &mcp.Options{Tools: []mcp.Tool{{
		Name: "look", Takes: []mcp.Argument{to, mcp.DatachainArgument(), mcp.LocalesArgument()},
		Call: func(ctx context.Context, c *mcp.ToolCall) (*mcp.Answer, error) {
			if c.Boolean("fail") {
				return nil, ctx.Err()
			}
			v, err := c.Schema.Validate(ctx, c.JSON("datachain"), nil)
			if err == nil {
				err = v.SyntaxError() // of the argument
			}
			if err != nil {
				return nil, err
			}
			return &mcp.Answer{Data: map[string]any{"in": c.Schema.Release().Version().String()}, Errors: v.Errors(), Warnings: v.Warnings()}, nil
		},
	}}})
	r := h.tool("look", `{"to":"kiosk@latest","datachain":`+goodKiosk+`}`)
	assert.Equal(t, map[string]any{"in": "kiosk@2026-02-03-stable"}, r.data())
	meta := r.envelope["meta"].(map[string]any)
	assert.Equal(t, "kiosk@2026-02-03-stable", meta["version"])
	assert.Contains(t, meta["content_hash"], "sha256-")
	assert.Empty(t, meta["warnings"])
	assert.Contains(t, meta, "warnings")
	quoted := string(must(json.Marshal(goodKiosk)))
	r = h.tool("look", `{"to":"kiosk@latest","locales":["de"],"datachain":`+quoted+`}`)
	assert.Equal(t, true, r.envelope["ok"])
	assert.Contains(t, r.Content[0].Text, "passed as a string")
	assert.Contains(t, r.Content[0].Text, `There are no texts in \"de\"`)
	r = h.tool("look", `{"to":"kiosk@latest","datachain":{"elements":[],"elements":[]}}`)
	assert.Equal(t, []string{"invalid_arguments"}, r.codes())
	assert.Contains(t, r.Content[0].Text, `"path":"datachain`)
	r = h.tool("look", `{"to":"kiosk@next","datachain":{}}`)
	assert.Equal(t, []string{"unknown_version"}, r.codes())
	assert.Contains(t, r.Content[0].Text, `"path":"to"`)
	many := strings.TrimSuffix(goodKiosk, "]}") + strings.Repeat(`,{"element_id":"use.nothing"}`, 200) + "]}"
	assert.Len(t, h.tool("look", `{"to":"kiosk@latest","datachain":`+many+`}`).codes(), 101)
}

// TestListedTools shows that a tool can come and go.
func TestListedTools(t *testing.T) {
	var on atomic.Bool
	h := serve(t, kioskStore(t), &mcp.Options{Tools: []mcp.Tool{
		{Name: "sometimes", Listed: on.Load, Call: answering(struct{}{}, nil)}, {Name: "always", Call: answering(struct{}{}, nil)},
	}})
	for _, now := range []bool{false, true, true, false} {
		on.Store(now)
		list := h.post(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`).body
		assert.Equal(t, now, strings.Contains(list, `"sometimes"`))
		assert.Contains(t, list, `"always"`)
		got := h.post(call("sometimes", "{}")).body
		assert.Equal(t, now, strings.Contains(got, `"ok":true`), got)
		assert.Equal(t, !now, strings.Contains(got, "There is no tool"), got)
	}
}

// TestOwnResources shows that texts of a program are resources besides the view.
func TestOwnResources(t *testing.T) {
	var off atomic.Bool
	h := serve(t, kioskStore(t), &mcp.Options{MaxAnswer: 1 << 10, Resources: &mcp.Resources{
		Name: "street", Description: "A street.", MIMEType: "application/json", Prefix: "example://streets/", Listed: func() bool { return !off.Load() },
		List: func(_ context.Context, cursor string) ([]mcp.Resource, string, error) {
			if cursor != "" {
				return []mcp.Resource{{URI: "example://streets/b", Name: "b", Title: "B <b>"}}, "", nil
			}
			return []mcp.Resource{{URI: "example://streets/a", Name: "a"}}, "2", nil
		},
		Read: func(_ context.Context, uri string) ([]byte, error) {
			switch strings.TrimPrefix(uri, "example://streets/") {
			case "a":
				return []byte("{\n\"name\": \"\u202eMill <b>\"}"), nil
			case "long":
				return []byte(`"` + strings.Repeat("x", 2000) + `"`), nil
			}
			return nil, errors.New("the disk is broken")
		},
	}})
	method := func(name, params string) string {
		return h.post(`{"jsonrpc":"2.0","id":1,"method":"` + name + `","params":` + params + `}`).body
	}
	assert.Contains(t, method("resources/list", "{}"), `"uri":"ui://service/datachain/view.html"},{"mimeType":"application/json","name":"a","title":"a","uri":"example://streets/a"}],"nextCursor":"2"}`)
	assert.Contains(t, method("resources/list", `{"cursor":"2"}`), `"resources":[{"mimeType":"application/json","name":"b","title":"B \u003cb\u003e","uri":"example://streets/b"}]}`)
	assert.Contains(t, method("resources/templates/list", "{}"), `"resourceTemplates":[{"description":"A street.","mimeType":"application/json","name":"street","title":"street","uriTemplate":"example://streets/{id}"}]`)
	read := func(uri string) string { return method("resources/read", `{"uri":"`+uri+`"}`) }
	assert.Contains(t, read("example://streets/a"), `"contents":[{"uri":"example://streets/a","mimeType":"application/json","text":"{\"name\":\"\\u202eMill \u003cb\u003e\"}"}]`)
	assert.Contains(t, read("example://streets/long"), "payload_too_large")
	assert.Contains(t, read("example://other"), `"fix_hint":"use ui://service/datachain/view.html, or the URI of a street from resources/list"`)
	assert.Empty(t, h.log.String())
	broken := read("example://streets/x")
	assert.Contains(t, broken, "internal_error")
	assert.NotContains(t, broken, "disk")
	assert.Contains(t, h.log.String(), "disk")
	off.Store(true)
	assert.NotContains(t, method("resources/list", "{}"), "example://")
	assert.Contains(t, method("resources/templates/list", "{}"), `"resourceTemplates":[]`)
	assert.Contains(t, read("example://streets/a"), "There is no resource")
	_, err := mcp.New(sampleService(t), &mcp.Options{Resources: &mcp.Resources{Name: "street"}})
	require.ErrorContains(t, err, "resources need")
}
