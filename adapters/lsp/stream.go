package lsp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/wording"
)

// Conn carries messages between the server and one client. Each is a JSON-RPC
// message without its framing.
type Conn interface {
	// Read returns the next message of the client. The error is [io.EOF] if
	// there are no more, and any
	// other error ends the session. Only one goroutine calls Read.
	Read(ctx context.Context) ([]byte, error)
	// Write sends a message to the client. Only one goroutine calls Write.
	Write(message []byte) error
}

// maxMessage is the size limit of a message in bytes. Longer ones are skipped.
const maxMessage = 32 << 20

// Limits of the headers of a message, and of what is kept of one that is skipped and
// of each string in it.
const (
	maxHeaders = 4 << 10
	maxKept    = 64 << 10
	maxString  = 4 << 10
)

// tooLargeError is returned by a stream for a message that was skipped because of its
// size.
type tooLargeError struct {
	Size, Max int64
	// Outline is the message with its long strings emptied, from which the
	// server finds out what it was about. It is incomplete if the message has
	// much else.
	Outline []byte
}

// Error returns both sizes.
func (e *tooLargeError) Error() string {
	return fmt.Sprintf("lsp: message of %d bytes skipped: at most %d are allowed", e.Size, e.Max)
}

// stream is a [Conn] over a pair of streams, such as standard input and output. Each
// message follows a Content-Length header. It is made by [NewStream].
type stream struct {
	in  *bufio.Reader
	out io.Writer
	max int64
}

// NewStream returns a Conn over a pair of streams, such as standard input and output: it
// reads from in and writes to out, and each message follows a Content-Length header.
// A message of more than 32 MiB is skipped, and its request answered with an error.
func NewStream(in io.Reader, out io.Writer) Conn {
	return &stream{in: bufio.NewReaderSize(in, 64<<10), out: out, max: maxMessage}
}

// Read returns the next message. It does not notice that ctx ends while it waits:
// close the stream to end it.
func (s *stream) Read(ctx context.Context) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	size, err := s.readHeaders()
	if err != nil {
		return nil, err
	}
	if size > s.max {
		outline, err := s.outline(size)
		if err != nil {
			return nil, cutOff(err)
		}
		return nil, &tooLargeError{Size: size, Max: s.max, Outline: outline}
	}
	// The buffer grows with what arrives, whatever the header promises.
	var b bytes.Buffer
	b.Grow(int(min(size, 1<<20)))
	if _, err := io.CopyN(&b, s.in, size); err != nil {
		return nil, cutOff(err)
	}
	return b.Bytes(), nil
}

// Write sends a message.
func (s *stream) Write(message []byte) error {
	framed := make([]byte, 0, len(message)+32)
	framed = append(strconv.AppendInt(append(framed, "Content-Length: "...), int64(len(message)), 10), "\r\n\r\n"...)
	if _, err := s.out.Write(append(framed, message...)); err != nil {
		return fmt.Errorf("lsp: write message: %w", err)
	}
	return nil
}

// readHeaders reads the headers of a message and returns its size. The error is
// [io.EOF] if the stream ends before them.
func (s *stream) readHeaders() (int64, error) {
	size, read := int64(-1), 0
	for {
		line, err := s.in.ReadSlice('\n')
		read += len(line)
		switch {
		case errors.Is(err, io.EOF) && read == 0:
			return 0, io.EOF
		case errors.Is(err, bufio.ErrBufferFull) || read > maxHeaders:
			return 0, fmt.Errorf("lsp: read message: headers have more than %d bytes; is the client a language client?", maxHeaders)
		case err != nil:
			return 0, cutOff(err)
		}
		text := strings.TrimRight(string(line), "\r\n")
		if text == "" && size >= 0 {
			return size, nil
		}
		name, value, found := strings.Cut(text, ":")
		if !found {
			return 0, fmt.Errorf("lsp: read message: expected a Content-Length header, found %q; is the client a language client?", wording.Clip(text))
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue // Content-Type always means UTF-8
		}
		n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 63)
		if err != nil || size >= 0 {
			return 0, fmt.Errorf("lsp: read message: Content-Length must be one number, not %q", wording.Clip(text))
		}
		size = int64(n)
	}
}

// outline skips a message and returns it with its long strings emptied.
func (s *stream) outline(size int64) ([]byte, error) {
	var kept []byte
	quoted, opened, escaped := -1, 0, false // quoted: bytes since the opening quote, or -1
	for range size {
		c, err := s.in.ReadByte()
		if err != nil {
			return nil, err
		}
		switch {
		case quoted < 0 && c == '"':
			quoted, opened = 0, len(kept)+1
		case quoted >= 0 && c == '"' && !escaped:
			quoted = -1
		case quoted >= 0:
			escaped = c == '\\' && !escaped
			if quoted++; quoted == maxString {
				kept = kept[:min(opened, len(kept))]
			}
		}
		if quoted < maxString && len(kept) < maxKept {
			kept = append(kept, c)
		}
	}
	return kept, nil
}

// cutOff is the error for a stream that ends within a message.
func cutOff(err error) error {
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return fmt.Errorf("lsp: read message: %w", err)
}

// message is a JSON-RPC 2.0 message of a client.
type message struct {
	Version string         `json:"jsonrpc"`
	ID      jsontext.Value `json:"id"` // nil for a notification
	Method  string         `json:"method"`
	Params  jsontext.Value `json:"params"`
	// Result and Error are those of an answer to a request of the server.
	Result jsontext.Value `json:"result"`
	Error  jsontext.Value `json:"error"`
}

// wire are the options for messages in both directions. Editors can have texts with
// half of a surrogate pair, which must not lose a whole change: it becomes U+FFFD,
// which has the same width.
func wire() json.Options {
	return json.JoinOptions(jsontext.AllowInvalidUTF8(true), json.Deterministic(true))
}

// The error codes of JSON-RPC and LSP that the server uses.
const (
	codeParseError           = -32700
	codeInvalidRequest       = -32600
	codeMethodNotFound       = -32601
	codeInvalidParams        = -32602
	codeInternalError        = -32603
	codeServerNotInitialized = -32002
	codeRequestFailed        = -32803
	codeRequestCancelled     = -32800
)

// responseError is a failed request, as the client gets it.
type responseError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *responseError) Error() string { return e.Message }

func failed(code int, format string, args ...any) *responseError {
	return &responseError{code, fmt.Sprintf(format, args...)}
}

// asResponse turns any error of a handler into one for the client.
func asResponse(ctx context.Context, err error) *responseError {
	if known, ok := errors.AsType[*responseError](err); ok {
		return known
	}
	if ctx.Err() != nil {
		return failed(codeRequestCancelled, "The request was canceled.")
	}
	return failed(codeRequestFailed, "%v", err)
}

// readMessage decodes a message. The error is for the client; the id is then as far
// known as the text allows.
func readMessage(text []byte) (*message, *responseError) {
	m := new(message)
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t\r\n"), []byte("[")) {
		return m, failed(codeInvalidRequest, "Batches are not supported: send one message at a time.")
	}
	if err := json.Unmarshal(text, m, wire()); err != nil {
		m.ID = nil
		if _, syntax := errors.AsType[*jsontext.SyntacticError](err); syntax {
			return m, failed(codeParseError, "The message is not valid JSON: %v.", err)
		}
		return m, failed(codeInvalidRequest, "The message is not a JSON-RPC message: %v.", err)
	}
	if string(m.ID) == "null" {
		m.ID = nil
	}
	switch kind := m.ID.Kind(); {
	case m.ID != nil && kind != '"' && kind != '0':
		m.ID = jsontext.Value("null")
		return m, failed(codeInvalidRequest, "The id of a message must be a string or a number.")
	case m.Version != "2.0":
		return m, failed(codeInvalidRequest, `The message must have "jsonrpc": "2.0".`)
	case m.Method == "" && (m.ID == nil || m.Result == nil && m.Error == nil):
		return m, failed(codeInvalidRequest, "The message must have a method.")
	}
	return m, nil
}

// decode reads the params of a message.
func decode[P any](params jsontext.Value) (*P, error) {
	p := new(P)
	if len(params) == 0 || params.Kind() == 'n' {
		return p, nil
	}
	if err := json.Unmarshal(params, p, wire()); err != nil {
		return nil, failed(codeInvalidParams, "The params are invalid: %v.", err)
	}
	return p, nil
}

// newResponse returns the answer to a request.
func newResponse(id jsontext.Value, result any, err *responseError) object {
	if id == nil {
		id = jsontext.Value("null")
	}
	if err != nil {
		return object{"jsonrpc": "2.0", "id": id, "error": err}
	}
	return object{"jsonrpc": "2.0", "id": id, "result": result}
}

// newCall returns a request of the server or, if the id is "", a notification.
func newCall(id, method string, params any) object {
	m := object{"jsonrpc": "2.0", "method": method, "params": params}
	if id != "" {
		m["id"] = id
	}
	return m
}

// outbox is the queue of messages to a client. Putting a message in never waits for
// the client. Diagnostics that were not sent yet are replaced by newer ones of the
// same document, so a client that does not read costs no more memory than its open
// documents and unanswered requests.
type outbox struct {
	mu     sync.Mutex
	ready  sync.Cond
	queue  []*outgoing
	latest map[string]*outgoing // by URI
	logged int                  // log messages in the queue
	closed bool
}

// outgoing is a message in the queue.
type outgoing struct {
	body any
	uri  string // of diagnostics, which replace older ones
	log  bool   // it may be dropped
}

// maxLogged is how many log messages wait for a client that does not read.
const maxLogged = 1000

func newOutbox() *outbox {
	o := &outbox{latest: make(map[string]*outgoing)}
	o.ready.L = &o.mu
	return o
}

// put adds a message.
func (o *outbox) put(body any) { o.add(&outgoing{body: body}) }

func (o *outbox) add(m *outgoing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.closed || m.log && o.logged >= maxLogged {
		return
	}
	if m.uri != "" {
		if waiting := o.latest[m.uri]; waiting != nil {
			waiting.body = m.body
			return
		}
		o.latest[m.uri] = m
	}
	if m.log {
		o.logged++
	}
	o.queue = append(o.queue, m)
	o.ready.Signal()
}

// close lets send return when the queue is empty.
func (o *outbox) close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = true
	o.ready.Signal()
}

// send writes messages until the outbox is closed and empty, or a write fails, which
// drops all messages, now and later.
func (o *outbox) send(conn Conn) error {
	for {
		body, ok := o.next()
		if !ok {
			return nil
		}
		text, err := json.Marshal(body, wire())
		if err == nil {
			err = conn.Write(text)
		}
		if err != nil {
			o.drop()
			return err
		}
	}
}

// drop removes all messages, and those to come.
func (o *outbox) drop() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed, o.queue = true, nil
}

// next waits for a message; there is none if the outbox is closed.
func (o *outbox) next() (any, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for len(o.queue) == 0 {
		if o.closed {
			return nil, false
		}
		o.ready.Wait()
	}
	m := o.queue[0]
	o.queue[0] = nil
	o.queue = o.queue[1:]
	if m.uri != "" {
		delete(o.latest, m.uri)
	}
	if m.log {
		o.logged--
	}
	return m.body, true
}
