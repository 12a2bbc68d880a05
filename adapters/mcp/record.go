package mcp

import (
	"bytes"
	"net/http"
	"strings"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/datachain-go/datachain/taxonomy"
)

// recorder is a response that the SDK writes and the front reads.
type recorder struct {
	header http.Header
	status int
	body   bytes.Buffer
}

// Header returns the fields so far.
func (rec *recorder) Header() http.Header { return rec.header }

// WriteHeader notes the status.
func (rec *recorder) WriteHeader(status int) {
	if rec.status == 0 {
		rec.status = status
	}
}

// Write notes a part of the body.
func (rec *recorder) Write(p []byte) (int, error) {
	rec.WriteHeader(http.StatusOK)
	return rec.body.Write(p)
}

// Flush does nothing: all is sent at once.
func (rec *recorder) Flush() {}

// recorded is the answer to one message; the body is empty where it gets none.
type recorded struct {
	status int
	body   []byte
	// events are the answer as the SDK streamed it, where it did.
	events []byte
}

// succeeded reports whether the answer is a result.
func (rec *recorder) succeeded() bool {
	return rec.status == http.StatusOK && rec.body.Len() > 0 && !bytes.Contains(rec.body.Bytes()[:min(rec.body.Len(), 2<<10)], []byte(`"error":`))
}

// result is what the SDK answered, in the form that clients can read.
func (rec *recorder) result(id jsontext.Value) recorded {
	text := bytes.TrimSpace(rec.body.Bytes())
	switch {
	case rec.status == 0:
		p := &problem{http.StatusGatewayTimeout, serverError, taxonomy.Issue{
			Code: taxonomy.CodeTimeout, Message: "The call took too long.", FixHint: "try again, or ask for less",
		}}
		return recorded{status: p.status, body: p.body(id)}
	case strings.HasPrefix(rec.header.Get("Content-Type"), typeEvents):
		return recorded{status: rec.status, body: lastEvent(text), events: rec.body.Bytes()}
	case len(text) > 0 && text[0] != '{':
		// The SDK says it in plain text.
		p := invalid("see the specification of the protocol", "%s.", strings.TrimSuffix(plain(shorten(string(text))), "."))
		if p.status = rec.status; p.status >= http.StatusInternalServerError {
			p.code, p.issue = jsonrpc.CodeInternalError, internal
		}
		return recorded{status: p.status, body: p.body(id)}
	}
	return recorded{status: rec.status, body: brief(text)}
}

// lastEvent is the data of the last event, which is the answer.
func lastEvent(text []byte) []byte {
	_, data, ok := bytes.Cut(text, []byte("data: "))
	for ok {
		text = data
		_, data, ok = bytes.Cut(text, []byte("\ndata: "))
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	return line
}

// brief shortens the message of an error, in which the SDK repeats all that the
// client sent.
func brief(text []byte) []byte {
	const long = 1 << 10
	if len(text) <= long || !bytes.HasPrefix(text, []byte(`{"jsonrpc":"2.0","id":`)) {
		return text
	}
	at := bytes.Index(text[:long], []byte(`,"error":{`))
	if at < 0 || bytes.Contains(text[:at], []byte(`"result":`)) {
		return text
	}
	var m struct {
		Version string         `json:"jsonrpc"`
		ID      jsontext.Value `json:"id"`
		Error   struct {
			Code    int64          `json:"code"`
			Message string         `json:"message"`
			Data    jsontext.Value `json:"data,omitempty"`
		} `json:"error"`
	}
	if jsonv2.Unmarshal(text, &m, lenient) != nil {
		return text
	}
	m.Error.Message = plain(shorten(m.Error.Message))
	if len(m.Error.Data) > long {
		m.Error.Data = nil
	}
	if short, err := jsonv2.Marshal(m); err == nil {
		return short
	}
	return text
}
