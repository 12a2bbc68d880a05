package mcp

import (
	"bytes"
	"errors"
	"io"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// maxBatch is the most messages that a batch may hold.
const maxBatch = 50

// message is a message of a client.
type message struct {
	id     jsontext.Value // nil for a notification
	method string
	params object // nil if there are none
	// arguments are the members of the params of that name, if they are an object.
	arguments []member
	// response is set for an answer to a request; the server sends none.
	response bool
	// problem says why it is not a message.
	problem *problem
}

// silent reports whether the message gets no answer.
func (m *message) silent() bool { return m.id == nil || m.response }

// readMessages reads a message, or a batch of them, in one pass. What is JSON but
// not a message has a problem of its own.
func readMessages(text []byte) (messages []*message, batch bool, p *problem) {
	if len(bytes.TrimLeft(text, " \t\r\n")) == 0 {
		return nil, false, malformed("it is empty")
	}
	r := newReader(text)
	read := func() error {
		m, err := readMessage(r)
		if messages = append(messages, m); len(messages) > maxBatch {
			return invalid("send at most 50 messages at a time", "The batch has more than %d messages.", maxBatch)
		}
		return err
	}
	var err error
	if batch = r.PeekKind() == '['; batch {
		err = r.enclosed(']', read)
	} else {
		err = read()
	}
	if err == nil {
		if _, end := r.ReadToken(); !errors.Is(end, io.EOF) {
			err = errors.New("there is more text after the message")
		}
	}
	switch wrong, ok := errors.AsType[*problem](err); {
	case ok:
		return nil, batch, wrong
	case err != nil:
		return nil, batch, malformed(reason(text, err))
	case len(messages) == 0:
		return nil, batch, invalid("add at least one message", "The batch is empty.")
	}
	return messages, batch, nil
}

// readMessage reads a message. An error means that the text is not JSON. A key that
// occurs twice is refused, since programs disagree on which value counts.
func readMessage(r reader) (*message, error) {
	if r.PeekKind() != '{' {
		_, err := r.value()
		return &message{problem: invalid(`send {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`, "A message must be a JSON object.")}, err
	}
	m := new(message)
	raw, repeated := make(object), ""
	err := r.object(func(key string) (err error) {
		if _, twice := raw[key]; twice || key == keyParams && m.params != nil {
			repeated = key
		}
		if key == keyParams && r.PeekKind() == '{' {
			m.params = make(object)
			return r.object(func(key string) (err error) {
				if _, twice := m.params[key]; twice {
					repeated = key
				}
				if key == keyArguments && r.PeekKind() == '{' {
					m.params[key], m.arguments, err = r.members()
				} else {
					m.params[key], err = r.value()
				}
				return err
			})
		}
		raw[key], err = r.value()
		return err
	})
	m.problem = m.fill(raw)
	if repeated == "id" {
		m.id = nil // whichever it is
	}
	if repeated != "" {
		m.problem = duplicateKey("The key %s occurs twice in the message.", repeated)
	} else if within := m.repeatedWithin(raw); err == nil && within != "" {
		m.problem = duplicateKey("A key occurs twice in the value of %s.", within)
	}
	return m, err
}

func duplicateKey(format, key string) *problem {
	return invalid("give each key of an object once", format, quote(key))
}

const (
	keyParams, keyArguments = "params", "arguments"
	methodCallTool          = "tools/call"
)

// repeatedWithin returns the first member, by name, in whose value a key occurs
// twice, or "". What is wrong with the arguments of a tool is reported by the tool,
// with a better message.
func (m *message) repeatedWithin(raw object) (first string) {
	for _, members := range []object{raw, m.params} {
		for key, v := range members {
			lenient := key == keyArguments && m.method == methodCallTool
			if !lenient && repeats(v) && (first == "" || key < first) {
				first = key
			}
		}
	}
	return first
}

// fill takes over the members of a message, and returns what is wrong with them.
func (m *message) fill(raw object) *problem {
	if raw["id"] != nil && !validID(raw["id"]) {
		return invalid("use a string or a number, or omit id to send a notification", "The id must be a string or a number of at most %d characters.", maxID)
	}
	m.id, m.method = raw["id"], raw.text("method")
	m.response = raw["method"] == nil && m.id != nil && (raw["result"] != nil || raw["error"] != nil)
	switch {
	case string(raw["jsonrpc"]) != `"2.0"`:
		return invalid(`add "jsonrpc": "2.0"`, "The message is not marked as JSON-RPC 2.0.")
	case m.response:
		return nil
	case raw["method"] == nil:
		return invalid(`add a method, such as "tools/list"`, "The message has no method.")
	case raw["method"].Kind() != '"':
		return invalid(`use a method such as "tools/list"`, "The method must be a string.")
	case raw.has("params"): // and is not an object; null means none
		return invalid(`use an object, such as {"name": …}`, "The params must be an object.")
	}
	return nil
}

// maxID is the length of the longest id.
const maxID = 1 << 10

// validID reports whether an id is a string or a number, which comes back as it was sent.
func validID(id jsontext.Value) bool {
	return (id.Kind() == '"' || id.Kind() == '0') && len(id) <= maxID
}

// lenient accepts duplicate keys, because a later step reports them with a better
// message.
var lenient = jsontext.AllowDuplicateNames(true)

// reader reads a JSON text in one pass.
type reader struct {
	*jsontext.Decoder
	text []byte
}

func newReader(text []byte) reader {
	return reader{jsontext.NewDecoder(bytes.NewBuffer(text), lenient), text}
}

// value reads a value without looking into it, and returns that part of the text.
func (r reader) value() (jsontext.Value, error) {
	v, err := r.ReadValue()
	end := int(r.InputOffset())
	return r.text[end-len(v) : end : end], err
}

// object reads an object. It calls read with each key, which must read the value.
func (r reader) object(read func(key string) error) error {
	return r.enclosed('}', func() error {
		key, err := r.ReadToken()
		if err != nil {
			return err
		}
		return read(key.String())
	})
}

// member is a member of an object, whose value is still JSON.
type member struct {
	name  string
	value jsontext.Value
}

// members reads an object without looking into its values, and returns that part of the
// text too.
func (r reader) members() (object jsontext.Value, list []member, err error) {
	start := int(r.InputOffset())
	start += bytes.IndexByte(r.text[start:], '{') // after white space and a colon
	err = r.object(func(name string) error {
		v, err := r.value()
		list = append(list, member{name, v})
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	end := int(r.InputOffset())
	return r.text[start:end:end], list, nil
}

// enclosed reads an object or an array. It calls read until the end is reached.
func (r reader) enclosed(end jsontext.Kind, read func() error) error {
	_, err := r.ReadToken()
	for err == nil && r.PeekKind() != end {
		err = read()
	}
	if err == nil {
		_, err = r.ReadToken()
	}
	return err
}

// reason says where and why a text is not JSON. It reads the text again.
func reason(text []byte, err error) string {
	_, strict := document.Parse(bytes.Clone(text))
	if wrong, ok := errors.AsType[*document.SyntaxError](strict); ok && !wrong.DuplicateKey && !wrong.Number {
		return wrong.Error()
	}
	if wrong, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
		return wrong.Err.Error()
	}
	return err.Error()
}

// repeats reports whether a key occurs twice in an object within a value, which is
// JSON otherwise.
func repeats(v jsontext.Value) bool {
	kind := v.Kind()
	return (kind == '{' || kind == '[') && !v.IsValid()
}

// object is a JSON object whose values are still JSON.
type object map[string]jsontext.Value

// text returns a value that is a string, else "".
func (o object) text(key string) string {
	text := ""
	if v := o[key]; v.Kind() == '"' {
		decode(v, &text)
	}
	return text
}

// has reports whether there is a value other than null.
func (o object) has(key string) bool { return o[key] != nil && o[key].Kind() != 'n' }

// fits reports whether there is a value of the type that it is read into.
func (o object) fits(key string, into any) bool { return o.has(key) && decode(o[key], into) }

// decode reports whether a value has the type that it is read into; nothing is
// read from nil.
func decode(v jsontext.Value, into any) bool {
	return v == nil || jsonv2.Unmarshal(v, into, lenient) == nil
}

// wire is how values are marshaled.
var wire = jsonv2.JoinOptions(jsontext.AllowInvalidUTF8(true), jsonv2.Deterministic(true))

// appendJSON appends a value that can always be marshaled.
func appendJSON(b []byte, v any, also ...jsonv2.Options) []byte {
	text, err := jsonv2.Marshal(v, append(also, wire)...)
	if err != nil {
		panic("mcp: " + err.Error())
	}
	return append(b, text...)
}
