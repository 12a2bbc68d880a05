package taxonomy

import (
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// appendQuoted appends s as a JSON string with the escapes of RFC 8785.
// Invalid UTF-8, which no strict document holds, becomes U+FFFD.
func appendQuoted(b []byte, s string) []byte {
	quoted, err := jsontext.AppendQuote(b, strings.ToValidUTF8(s, "\uFFFD"))
	if err != nil {
		panic(err) // valid UTF-8 can always be quoted
	}
	return quoted
}

// cutQuoted reads the JSON string that s begins with.
func cutQuoted(s string) (value, rest string, err error) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			quoted := s[:i+1]
			unquoted, err := jsontext.AppendUnquote(nil, quoted)
			if err != nil {
				return "", "", err
			}
			if again := appendQuoted(nil, string(unquoted)); string(again) != quoted {
				return "", "", errors.New("the quoted key is escaped more than needed: write " + clip(string(again)))
			}
			return string(unquoted), s[i+1:], nil
		}
	}
	return "", "", errors.New("the quoted key has no end")
}

// clip shortens what came from outside, and may be huge, to fit a message.
func clip(s string) string {
	const most = 200
	if len(s) <= most {
		return s
	}
	end := most
	for end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
