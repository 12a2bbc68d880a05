package mcp

import (
	"bytes"
	"net/http"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/datachain-go/datachain/taxonomy/issue"
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
	// good means that the answer is a result.
	good bool
	// events are the answer as the SDK streamed it, where it did, and before
	// is what it said there before the answer.
	events []byte
	before [][]byte
}

// result is what the SDK answered, in the form that clients can read.
func (rec *recorder) result(m *message) recorded {
	text := bytes.TrimSpace(rec.body.Bytes())
	switch {
	case rec.status == 0:
		p := &problem{http.StatusGatewayTimeout, serverError, issue.Issue{
			Code: issue.CodeTimeout, Message: "The call took too long.", FixHint: "try again, or ask for less",
		}}
		return recorded{status: p.status, body: p.body(m.ID)}
	case strings.HasPrefix(rec.header.Get("Content-Type"), typeEvents):
		data := eventData(text)
		if len(data) == 0 {
			return recorded{status: rec.status}
		}
		last := len(data) - 1
		if failure(data[last]) {
			return recorded{status: rec.status, body: explained(data[last], m)}
		}
		return recorded{status: rec.status, body: data[last], events: rec.body.Bytes(), before: data[:last]}
	case len(text) > 0 && text[0] != '{':
		// The SDK says it in plain text.
		p := invalid("see the specification of the protocol", "%s", sentence(string(text)))
		if p.status = rec.status; p.status >= http.StatusInternalServerError {
			p.code, p.issue = jsonrpc.CodeInternalError, internal
		}
		return recorded{status: p.status, body: p.body(m.ID)}
	case failure(text):
		return recorded{status: rec.status, body: explained(text, m)}
	}
	return recorded{status: rec.status, body: text, good: rec.status == http.StatusOK && len(text) > 0}
}

// eventData is the data of each event; the last one is the answer.
func eventData(text []byte) [][]byte {
	var data [][]byte
	for line := range bytes.SplitSeq(text, []byte("\n")) {
		if line, ok := bytes.CutPrefix(line, []byte("data: ")); ok && len(line) > 0 {
			data = append(data, bytes.TrimSpace(line))
		}
	}
	return data
}

// failure reports whether an answer is an error. It reads no result.
func failure(text []byte) bool {
	dec := jsontext.NewDecoder(bytes.NewBuffer(text))
	_, err := dec.ReadToken()
	for err == nil && dec.PeekKind() == '"' {
		name, _ := dec.ReadToken()
		switch name.String() {
		case "error":
			return true
		case "result":
			return false
		}
		err = dec.SkipValue()
	}
	return false
}
