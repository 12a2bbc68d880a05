package mcp

import (
	"bytes"
	"errors"
	"io"

	jsonv2 "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy/document"
)

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

// object reads an object: read is called with each key, and must read its value.
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

// enclosed reads an object or an array: read is called until the end is reached.
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

// end returns an error unless the text ends here.
func (r reader) end() error {
	if _, err := r.ReadToken(); !errors.Is(err, io.EOF) {
		return errors.New("there is more text after the message")
	}
	return nil
}

// reason says where and why a text is not JSON. It reads the text again.
func reason(text []byte, err error) string {
	_, strict := document.Parse(bytes.Clone(text))
	if wrong, ok := errors.AsType[*document.SyntaxError](strict); ok && !wrong.DuplicateKey {
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

// appendJSON appends a value that can always be marshaled.
func appendJSON(b []byte, v any) []byte {
	text, err := jsonv2.Marshal(v, jsontext.AllowInvalidUTF8(true), jsonv2.Deterministic(true))
	if err != nil {
		panic("mcp: " + err.Error())
	}
	return append(b, text...)
}
