package jcs

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// AppendQuote appends s as a JSON string with the escapes of RFC 8785. Invalid
// UTF-8, which no strict document holds, becomes U+FFFD.
func AppendQuote(b []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\uFFFD"))
	if err != nil {
		panic(err) // valid UTF-8 can always be quoted
	}
	return quoted
}

// Unquote returns the value of a JSON string, quotes included, that is known to
// be well-formed.
func Unquote(quoted []byte) string {
	if len(quoted) < 2 {
		return ""
	}
	if bytes.IndexByte(quoted, '\\') < 0 {
		return string(quoted[1 : len(quoted)-1])
	}
	b, _ := jsontext.AppendUnquote(nil, quoted)
	return string(b)
}
