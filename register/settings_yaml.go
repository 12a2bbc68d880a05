//go:build !js

package register

import (
	"errors"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// settingsJSON turns the YAML of a register.yaml into JSON. All its values are texts, so
// that a telephone number needs no quotes. The function that it returns has the place of an error:
// that of a field such as contribute.email or, if the field is not there, of what it would be in.
func settingsJSON(text []byte) ([]byte, func(field string) issue.Position, error) {
	root, wrong := source.ParseValue(settingsName, text)
	if wrong != nil {
		place := func(string) issue.Position { return wrong.Position }
		return nil, place, errors.New(strings.TrimSuffix(wrong.Message, "."))
	}
	place := func(field string) issue.Position {
		at := root
		for key := range strings.SplitSeq(field, ".") {
			next := at.Get(key)
			if next.Key() == "" {
				break
			}
			at = next
		}
		return at.Position()
	}
	if !root.IsObject() { // such as an empty file that is just being written
		return nil, place, errors.New("it must have keys and values")
	}
	return appendSettings(nil, root), place, nil
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
