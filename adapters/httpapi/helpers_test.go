package httpapi_test

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/internal/resttest"
	"github.com/datachain-go/datachain/taxonomy"
)

const api = "/api/v2"

// world is a server with a client. Every exchange is checked against the OpenAPI
// description.
type world struct {
	t   *testing.T
	url string // of the host
	log *logbook
	api *resttest.Description // nil means that of the API alone
}

// open serves a store over real HTTP.
func open(t *testing.T, store taxonomy.Store, o *httpapi.Options) *world {
	t.Helper()
	return openService(t, must(datachain.New(must(laststore.New(store, nil)), nil)), o)
}

func openService(t *testing.T, service *datachain.Service, o *httpapi.Options) *world {
	t.Helper()
	w := &world{t: t, log: &logbook{}}
	if o == nil {
		o = &httpapi.Options{}
	}
	o.Logger = slog.New(w.log)
	o.WorkTimeout = cmp.Or(o.WorkTimeout, time.Minute) // a busy machine is slow
	if len(o.Routes) > 0 {
		w.api = must(resttest.Parse(must(httpapi.OpenAPI("", o.Routes...))))
	}
	handler, err := httpapi.New(service, o)
	require.NoError(t, err)
	server := httptest.NewUnstartedServer(handler)
	server.Listener = httpapi.Listener(server.Listener, nil)
	server.Config.DisableGeneralOptionsHandler = true
	server.Config.ErrorLog = slog.NewLogLogger(w.log, slog.LevelError)
	server.Start()
	t.Cleanup(server.Close)
	w.url = server.URL
	return w
}

// in returns the world for a subtest.
func (w *world) in(t *testing.T) *world { return &world{t, w.url, w.log, w.api} }

var loadDescription = sync.OnceValues(func() (*resttest.Description, error) {
	text, err := httpapi.OpenAPI("")
	if err != nil {
		return nil, err
	}
	return resttest.Parse(text)
})

func readDescription(t *testing.T) *resttest.Description {
	t.Helper()
	d, err := loadDescription()
	require.NoError(t, err)
	return d
}

// request is a request of a client.
type request struct {
	method string
	path   string // below /api/v2, encoded
	body   io.Reader
	header map[string]string
	ctx    context.Context // nil is that of the test
	// wrong means that the request does not fit the description, on purpose.
	wrong bool
}

// answer is a decoded response.
type answer struct {
	*http.Response
	raw  []byte         // as sent
	text string         // without Content-Encoding
	json map[string]any // if it is JSON
}

// client follows no redirects and decodes nothing.
var client = &http.Client{
	Transport:     &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64},
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Timeout:       time.Minute, // a response that never comes is a failure
}

func (w *world) do(r request) *answer {
	w.t.Helper()
	a, err := w.try(r)
	require.NoError(w.t, err)
	return a
}

// try is do for requests that may fail on the way.
func (w *world) try(r request) (*answer, error) {
	w.t.Helper()
	if r.method == "" {
		r.method = http.MethodGet
	}
	ctx := r.ctx
	if ctx == nil {
		ctx = w.t.Context()
	}
	req, err := http.NewRequestWithContext(ctx, r.method, w.url+api+r.path, r.body)
	require.NoError(w.t, err)
	for name, value := range r.header {
		req.Header.Set(name, value)
	}
	var sent []byte
	if b, ok := r.body.(*bytes.Reader); ok {
		sent = make([]byte, b.Len())
		_, _ = b.ReadAt(sent, 0) // EOF if it is empty
	}
	res, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	a := &answer{Response: res, raw: raw, text: decoded(w.t, res.Header.Get("Content-Encoding"), raw)}
	if strings.Contains(res.Header.Get("Content-Type"), "json") && a.text != "" {
		require.NoError(w.t, json.Unmarshal([]byte(a.text), &a.json), a.text)
	}
	described := w.api
	if described == nil {
		described = readDescription(w.t)
	}
	described.Conform(w.t, &resttest.Exchange{Request: req, Sent: sent, Response: res, Raw: raw, Text: a.text, Wrong: r.wrong})
	return a, nil
}

func decoded(t *testing.T, encoding string, raw []byte) string {
	t.Helper()
	var r io.Reader = bytes.NewReader(raw)
	var err error
	switch {
	case len(raw) == 0:
	case encoding == "gzip":
		r, err = gzip.NewReader(r)
	default:
		require.Empty(t, encoding)
	}
	require.NoError(t, err)
	text, err := io.ReadAll(r)
	require.NoError(t, err)
	return string(text)
}

// get makes a request that must succeed.
func (w *world) get(path string, header ...string) *answer {
	w.t.Helper()
	a := w.do(request{path: path, header: pairs(header)})
	require.Equal(w.t, http.StatusOK, a.StatusCode, "%s: %s", path, a.text)
	return a
}

func (w *world) post(path, body string) *answer {
	w.t.Helper()
	return w.do(request{method: http.MethodPost, path: path, body: bytes.NewReader([]byte(body)), header: map[string]string{"Content-Type": "application/json"}})
}

// postWrong sends a body that does not fit the description.
func (w *world) postWrong(path, body string) *answer {
	w.t.Helper()
	return w.do(request{method: http.MethodPost, path: path, body: bytes.NewReader([]byte(body)), wrong: true})
}

func pairs(list []string) map[string]string {
	m := map[string]string{}
	for i := 0; i < len(list); i += 2 {
		m[list[i]] = list[i+1]
	}
	return m
}

// issue returns the only error of a failure with the given status and code.
func (a *answer) issue(t *testing.T, status int, code string) map[string]any {
	t.Helper()
	require.Equal(t, status, a.StatusCode, a.text)
	require.Equal(t, false, a.json["ok"], a.text)
	list, _ := a.json["errors"].([]any)
	require.Len(t, list, 1, a.text)
	issue := list[0].(map[string]any)
	require.Equal(t, code, issue["code"], a.text)
	require.Regexp(t, `^[A-Z].*\.$`, issue["message"], "a message is a sentence")
	require.NotEmpty(t, issue["fix_hint"])
	require.Equal(t, "no-store", a.Header.Get("Cache-Control"))
	require.Empty(t, a.Header.Get("ETag"))
	return issue
}

// codes returns the codes of the errors of a verdict.
func (a *answer) codes() []string {
	var codes []string
	list, _ := a.json["errors"].([]any)
	for _, issue := range list {
		codes = append(codes, issue.(map[string]any)["code"].(string))
	}
	return codes
}

// ids returns the ids of the elements of a list.
func (a *answer) ids() []string {
	ids := []string{}
	for _, e := range a.json["elements"].([]any) {
		ids = append(ids, e.(map[string]any)["id"].(string))
	}
	return ids
}

func (a *answer) meta() map[string]any { return a.json["meta"].(map[string]any) }

// logbook is a log that keeps its records.
type logbook struct {
	mu      sync.Mutex
	records []slog.Record
}

func (l *logbook) Enabled(context.Context, slog.Level) bool { return true }
func (l *logbook) WithAttrs([]slog.Attr) slog.Handler       { return l }
func (l *logbook) WithGroup(string) slog.Handler            { return l }

func (l *logbook) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.records = append(l.records, r)
	return nil
}

// lines returns the records with a message, including their attributes.
func (l *logbook) lines(message string) []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	var lines []string
	for _, r := range l.records {
		if r.Message != message {
			continue
		}
		line := r.Message
		r.Attrs(func(a slog.Attr) bool {
			line += " " + a.String()
			return true
		})
		lines = append(lines, line)
	}
	return lines
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
