package lsp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/editors/lsp"
	"github.com/datachain-go/datachain/examples/published"
)

// patience is how long a test waits for something that must happen.
const patience = 30 * time.Second

// maxMessage is the limit of messages in tests.
const maxMessage = 1 << 20

// editor is a language client for tests.
type editor struct {
	t       testing.TB
	out     io.WriteCloser
	mu      sync.Mutex
	changed *sync.Cond
	answers map[string]received
	// published are the diagnostics of each document, in the order of arrival.
	published map[string][]publication
	logs      []string
	asked     []received // requests of the server
	next      int
	served    chan error
	ended     bool
}

type received struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

type publication struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type diagnostic struct {
	Range           span   `json:"range"`
	Severity        int    `json:"severity"`
	Code            string `json:"code"`
	CodeDescription struct {
		HRef string `json:"href"`
	} `json:"codeDescription"`
	Source  string `json:"source"`
	Message string `json:"message"`
	Tags    []int  `json:"tags"`
	Related []struct {
		Location location `json:"location"`
		Message  string   `json:"message"`
	} `json:"relatedInformation"`
	Data struct {
		Path    string `json:"path"`
		Message string `json:"message"`
		FixHint string `json:"fix_hint"`
	} `json:"data"`
}

type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string `json:"uri"`
	Range span   `json:"range"`
}

type object = map[string]any

// samples returns a service over the sample taxonomies.
func samples(t testing.TB) *datachain.Service {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	return must(datachain.New(store, nil))
}

// opened returns a function that opens the releases of a service.
func opened(service *datachain.Service) func(context.Context, []string) (*lsp.Releases, error) {
	return func(context.Context, []string) (*lsp.Releases, error) {
		return &lsp.Releases{Service: service, Origin: "a test"}, nil
	}
}

// connect starts a server and a client, without initialize.
func connect(t testing.TB, server *lsp.Server) *editor {
	t.Helper()
	in, toServer := io.Pipe()
	fromServer, out := io.Pipe()
	e := &editor{
		t: t, out: toServer, answers: make(map[string]received), published: make(map[string][]publication),
		served: make(chan error, 1),
	}
	e.changed = sync.NewCond(&e.mu)
	ctx, cancel := context.WithCancel(context.Background())
	go func() {
		err := server.Serve(ctx, lsp.NewShortStream(in, out, maxMessage))
		out.Close()
		e.served <- err
	}()
	go e.read(fromServer)
	t.Cleanup(func() {
		toServer.Close()
		cancel()
	})
	return e
}

// start is connect with initialize and initialized.
func start(t testing.TB, server *lsp.Server, capabilities object) *editor {
	t.Helper()
	e := connect(t, server)
	e.initialize(object{"capabilities": capabilities, "locale": "en"})
	return e
}

func (e *editor) initialize(params object) json.RawMessage {
	e.t.Helper()
	result := e.ask("initialize", params)
	e.notify("initialized", object{})
	return result
}

// read collects what the server sends.
func (e *editor) read(from io.Reader) {
	r := bufio.NewReader(from)
	for {
		body, err := readFrame(r)
		e.mu.Lock()
		if err != nil {
			e.ended = true
			e.changed.Broadcast()
			e.mu.Unlock()
			return
		}
		var m received
		if err := json.Unmarshal(body, &m); err != nil {
			panic(err)
		}
		switch {
		case m.Method == "textDocument/publishDiagnostics":
			var p publication
			if err := json.Unmarshal(m.Params, &p); err != nil {
				panic(err)
			}
			e.published[p.URI] = append(e.published[p.URI], p)
		case m.Method == "window/logMessage":
			var p struct{ Message string }
			_ = json.Unmarshal(m.Params, &p)
			e.logs = append(e.logs, p.Message)
		case m.Method != "":
			e.asked = append(e.asked, m)
		default:
			e.answers[string(m.ID)] = m
		}
		e.changed.Broadcast()
		e.mu.Unlock()
	}
}

func readFrame(r *bufio.Reader) ([]byte, error) {
	size := 0
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if line = strings.TrimSpace(line); line == "" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if size, err = strconv.Atoi(value); err != nil {
				return nil, err
			}
		}
	}
	body := make([]byte, size)
	_, err := io.ReadFull(r, body)
	return body, err
}

// await waits until a condition holds. It is called with the lock.
func (e *editor) await(what string, holds func() bool) {
	e.t.Helper()
	timer := time.AfterFunc(patience, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.changed.Broadcast()
	})
	defer timer.Stop()
	begun := time.Now()
	e.mu.Lock()
	defer e.mu.Unlock()
	for !holds() {
		if e.ended || time.Since(begun) > patience {
			e.t.Fatalf("waited in vain for %s; log: %q", what, e.logs)
		}
		e.changed.Wait()
	}
}

func (e *editor) raw(text string) {
	e.t.Helper()
	_, err := fmt.Fprintf(e.out, "Content-Length: %d\r\n\r\n%s", len(text), text)
	require.NoError(e.t, err)
}

func (e *editor) send(message object) {
	e.t.Helper()
	message["jsonrpc"] = "2.0"
	text, err := json.Marshal(message)
	require.NoError(e.t, err)
	e.raw(string(text))
}

func (e *editor) notify(method string, params any) {
	e.t.Helper()
	e.send(object{"method": method, "params": params})
}

// request sends a request and returns its id.
func (e *editor) request(method string, params any) string {
	e.t.Helper()
	e.next++
	e.send(object{"id": e.next, "method": method, "params": params})
	return strconv.Itoa(e.next)
}

// answer waits for the answer to a request.
func (e *editor) answer(id string) received {
	e.t.Helper()
	var m received
	e.await("an answer to "+id, func() bool {
		var ok bool
		m, ok = e.answers[id]
		return ok
	})
	return m
}

// ask sends a request that must succeed, and returns its result.
func (e *editor) ask(method string, params any) json.RawMessage {
	e.t.Helper()
	m := e.answer(e.request(method, params))
	require.Nil(e.t, m.Error, method)
	return m.Result
}

func (e *editor) open(uri, text string) {
	e.t.Helper()
	e.notify("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "json", "version": 1, "text": text}})
}

func (e *editor) change(uri string, version int, text string) {
	e.t.Helper()
	e.notify("textDocument/didChange", object{
		"textDocument": object{"uri": uri, "version": version}, "contentChanges": []object{{"text": text}},
	})
}

// diagnostics waits for the diagnostics of a version of a document.
func (e *editor) diagnostics(uri string, version int) []diagnostic {
	e.t.Helper()
	var found []diagnostic
	e.await(fmt.Sprintf("diagnostics of version %d", version), func() bool {
		list := e.published[uri]
		if len(list) == 0 {
			return false
		}
		last := list[len(list)-1]
		found = last.Diagnostics
		return last.Version != nil && *last.Version == version
	})
	return found
}

// logged waits for a log message that contains a text.
func (e *editor) logged(part string) string {
	e.t.Helper()
	var found string
	e.await("the log message "+part, func() bool {
		for _, line := range e.logs {
			if strings.Contains(line, part) {
				found = line
				return true
			}
		}
		return false
	})
	return found
}

// end returns what Serve returned.
func (e *editor) end() error {
	e.t.Helper()
	select {
	case err := <-e.served:
		return err
	case <-time.After(patience):
		e.t.Fatal("Serve does not return")
		return nil
	}
}

// must returns a value that was made without an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
