//go:build !js

package register

import (
	"errors"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/jcs"
)

// settingsJSON turns the YAML of a register.yaml into JSON. All its values are texts, so
// that a telephone number needs no quotes.
func settingsJSON(text []byte) ([]byte, error) {
	v, wrong := source.ParseValue(settingsName, text)
	if wrong != nil {
		return nil, fmt.Errorf("line %d: %s", wrong.Position.Line, strings.TrimSuffix(wrong.Message, "."))
	}
	if !v.IsObject() { // such as an empty file that is just being written
		return nil, errors.New("it must have keys and values")
	}
	return appendSettings(nil, v), nil
}

func appendSettings(b []byte, v source.Value) []byte {
	open, end := byte('{'), byte('}')
	switch scalar, ok := v.Scalar(); {
	case ok:
		return jcs.AppendQuote(b, scalar)
	case !v.Exists():
		return append(b, "null"...)
	case v.IsList():
		open, end = '[', ']'
	}
	b = append(b, open)
	first := true
	for item := range v.Items() {
		if !item.Exists() {
			continue // a key without a value
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		if open == '{' {
			b = append(jcs.AppendQuote(b, item.Key()), ':')
		}
		b = appendSettings(b, item)
	}
	return append(b, end)
}
