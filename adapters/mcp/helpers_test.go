package mcp_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// kiosk returns a small taxonomy that is not one of the samples.
func kiosk() taxonomy.Content { return kioskIn("en") }

// kioskIn returns it with another first language.
func kioskIn(locale string) taxonomy.Content {
	text := func(first, fr string) taxonomy.Localized {
		return taxonomy.Localized{{Locale: locale, Value: first}, {Locale: "fr", Value: fr}}
	}
	return taxonomy.Content{
		Title: text("Kiosks", "Bornes"), Description: text("What a kiosk does.", "Ce que fait une borne."), Locales: []string{locale, "fr"},
		Type: taxonomy.Type{ID: "kiosk", Name: text("Kiosk", "Borne"), Categories: []string{"use", "data"}, Subchains: []taxonomy.Subchain{}},
		Categories: []taxonomy.Category{
			{
				ID: "use", Name: text("Use", "Usage"), Description: text("What it is for.", "À quoi elle sert."),
				Shape: taxonomy.Circle, Required: true, Context: taxonomy.Context{Values: []taxonomy.ContextValue{}},
			},
			{
				ID: "data", Name: text("Data", "Données"), Description: text("What it collects.", "Ce qu’elle collecte."), Shape: taxonomy.Hexagon,
				Context: taxonomy.Context{Values: []taxonomy.ContextValue{
					{ID: "personal", Label: text("About you", "Sur vous"), Color: "#AA2211"}, {ID: "none", Label: text("About nobody", "Sur personne")},
				}},
			},
		},
		Elements: []taxonomy.Element{
			{
				ID: "use.maps", CategoryID: "use", SymbolID: "dot", Title: text("Shows maps", "Montre des plans"),
				Description: text("It shows maps.", "Elle montre des plans."), Variables: []taxonomy.Variable{},
			},
			{
				ID: "use.tickets", CategoryID: "use", SymbolID: "dot", Title: text("Sells tickets", "Vend des billets"),
				Description: text("It sells tickets of {{company}}.", "Elle vend des billets de {{company}}."),
				Variables:   []taxonomy.Variable{{ID: "company", Label: text("Company", "Société"), Required: true, Type: taxonomy.TextVariable}},
			},
			{
				ID: "data.card", CategoryID: "data", SymbolID: "dot", Title: text("Card number", "Numéro de carte"),
				Description: text("The number of your card.", "Le numéro de votre carte."), Variables: []taxonomy.Variable{},
			},
		},
		Symbols: map[string]string{"dot": `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" fill="currentColor" r="4"/></svg>`},
	}
}

// goodKiosk is a valid datachain of that taxonomy.
const goodKiosk = `{"id":"k1","title":[{"locale":"en","value":"Station kiosk"}],"schema_version":"kiosk@2026-02-03-stable","created_at":"2026-02-04T10:00:00Z",` +
	`"elements":[{"element_id":"use.tickets","variables":[{"id":"company","value":[{"locale":"en","value":"Railways"}]}]},{"element_id":"data.card","context_type_id":"personal"}]}`

func kioskStore(t testing.TB) taxonomy.Store {
	t.Helper()
	return storeOf(t, kiosk())
}

// storeOf returns a store that has the taxonomy kiosk with a content.
func storeOf(t testing.TB, c taxonomy.Content) taxonomy.Store {
	t.Helper()
	release, err := taxonomy.NewRelease(taxonomy.MustVersion("kiosk@2026-02-03-stable"), c)
	require.NoError(t, err)
	s, err := memstore.New(listing.Publication{Release: release})
	require.NoError(t, err)
	return s
}

func sampleService(t testing.TB) *datachain.Service {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	return must(datachain.New(store, nil))
}

func newServer(t testing.TB, service *datachain.Service, o *mcp.Options) *mcp.Server {
	t.Helper()
	s, err := mcp.New(service, o)
	require.NoError(t, err)
	return s
}

// quiet returns options with a log that tests can read, and time enough for a machine
// that is overloaded.
func quiet(o *mcp.Options) (*mcp.Options, *logText) {
	if o == nil {
		o = &mcp.Options{}
	}
	o.Timeout = cmp.Or(o.Timeout, 10*time.Minute)
	log := new(logText)
	o.Logger = slog.New(slog.NewTextHandler(log, nil))
	return o, log
}

type logText struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logText) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// host is a server at a URL of its own.
type host struct {
	t   testing.TB
	url string
	log *logText
}

func serve(t testing.TB, store taxonomy.Store, o *mcp.Options) *host {
	t.Helper()
	o, log := quiet(o)
	server := httptest.NewServer(newServer(t, must(datachain.New(store, nil)), o).Handler())
	t.Cleanup(server.Close)
	return &host{t, server.URL, log}
}

// reply is a response.
type reply struct {
	status int
	header http.Header
	body   string
}

// post sends a body; fields are header names and values in turn.
func (h *host) post(body string, fields ...string) reply {
	h.t.Helper()
	return h.send(http.MethodPost, body, fields...)
}

func (h *host) send(method, body string, fields ...string) reply {
	h.t.Helper()
	req, err := http.NewRequestWithContext(h.t.Context(), method, h.url, strings.NewReader(body))
	require.NoError(h.t, err)
	for i := 0; i < len(fields); i += 2 {
		if fields[i] == "Host" {
			req.Host = fields[i+1]
		} else {
			req.Header.Add(fields[i], fields[i+1])
		}
	}
	res, err := http.DefaultClient.Do(req)
	require.NoError(h.t, err)
	defer func() { require.NoError(h.t, res.Body.Close()) }()
	text, err := io.ReadAll(res.Body)
	require.NoError(h.t, err)
	return reply{res.StatusCode, res.Header, string(text)}
}

// call is the text of a call of a tool.
func call(tool, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, tool, arguments)
}

// result is what a tool answers.
type result struct {
	Content []struct {
		Type, Text string
	}
	Structured json.RawMessage `json:"structuredContent"`
	IsError    bool
	Meta       map[string]any `json:"_meta"`

	envelope map[string]any
}

// tool calls a tool over plain HTTP, and checks that both forms of the answer are
// equal.
func (h *host) tool(name, arguments string, fields ...string) result {
	h.t.Helper()
	got := h.post(call(name, arguments), fields...)
	require.Equal(h.t, http.StatusOK, got.status, got.body)
	return resultOf(h.t, []byte(got.body))
}

func resultOf(t testing.TB, body []byte) result {
	t.Helper()
	var answer struct{ Result result }
	require.NoError(t, json.Unmarshal(body, &answer), string(body))
	r := answer.Result
	require.Len(t, r.Content, 1, string(body))
	require.Equal(t, "text", r.Content[0].Type)
	require.JSONEq(t, string(r.Structured), r.Content[0].Text)
	require.NoError(t, json.Unmarshal(r.Structured, &r.envelope))
	return r
}

// rpcError is an error of the protocol.
type rpcError struct {
	Code    int
	Message string
}

func (e *rpcError) Error() string { return e.Message }

// ask calls a method over plain HTTP.
func ask[T any](h *host, method string, params any) (result T, err error) {
	h.t.Helper()
	body := must(json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params}))
	var answer struct {
		Result T
		Error  *rpcError
	}
	require.NoError(h.t, json.Unmarshal([]byte(h.post(string(body)).body), &answer))
	if answer.Error != nil {
		return result, answer.Error
	}
	return answer.Result, nil
}

// What methods answer.
type (
	toolList struct {
		Tools []struct {
			Name, Description         string
			InputSchema, OutputSchema map[string]any
			Annotations               struct{ ReadOnlyHint bool }
			Meta                      map[string]any `json:"_meta"`
		}
	}
	prompted struct {
		Messages []struct {
			Role    string
			Content struct{ Type, Text string }
		}
	}
	completed struct {
		Completion struct {
			Values  []string
			Total   int
			HasMore bool
		}
	}
)

// prompt returns the text of a prompt.
func (h *host) prompt(name string, arguments map[string]string) (string, error) {
	h.t.Helper()
	got, err := ask[prompted](h, "prompts/get", map[string]any{"name": name, "arguments": arguments})
	if err != nil {
		return "", err
	}
	require.Len(h.t, got.Messages, 1)
	require.Equal(h.t, "user", got.Messages[0].Role)
	return got.Messages[0].Content.Text, nil
}

// codes are the codes of the errors of an envelope.
func (r result) codes() []string {
	var codes []string
	list, _ := r.envelope["errors"].([]any)
	for _, issue := range list {
		codes = append(codes, issue.(map[string]any)["code"].(string))
	}
	return codes
}

func (r result) data() map[string]any {
	data, _ := r.envelope["data"].(map[string]any)
	return data
}

func document(t testing.TB, name string) []byte {
	t.Helper()
	for _, e := range documents.Valid() {
		if e.Name == name {
			return e.Text
		}
	}
	require.Fail(t, "no document "+name)
	return nil
}

// golden compares a text with a file, line by line: the lines are long.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if goldentest.Updating() {
		require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
		return
	}
	want, err := os.ReadFile(file)
	require.NoError(t, err)
	lines := strings.Split(got, "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i == len(lines) || lines[i] != line {
			require.Equal(t, line, append(lines, "")[i], "%s:%d: if this is meant, run the test with UPDATE=1, and read the diff", file, i+1)
		}
	}
	require.Len(t, got, len(want))
}

// brokenStore fails, or panics.
type brokenStore struct {
	taxonomy.Store
	err   error
	panic bool
}

func (b brokenStore) Index(ctx context.Context) (*taxonomy.Index, error) {
	if b.panic {
		panic("a mistake")
	}
	if b.err != nil {
		return nil, b.err
	}
	return b.Store.Index(ctx)
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
