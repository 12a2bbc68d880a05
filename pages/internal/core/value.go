package core

import (
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Child returns a value below another one, or the zero value.
func Child(v document.Value, path ...string) document.Value {
	for _, key := range path {
		v, _ = v.Get(key)
	}
	return v
}

// TextAt returns a text below a value, or "".
func TextAt(v document.Value, path ...string) string { return Child(v, path...).Text() }
