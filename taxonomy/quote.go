package taxonomy

import (
	"errors"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// appendQuoted appends s as a JSON string with the escapes of RFC 8785.
// Invalid UTF-8, which no strict document holds, becomes U+FFFD.
func appendQuoted(b []byte, s string) []byte {
	b, err := jsontext.AppendQuote(b, s)
	if err != nil {
		// AppendQuote has replaced the invalid bytes and says so.
		return b
	}
	return b
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
				return "", "", errors.New("the quoted key is escaped more than needed: write " + strings.ToValidUTF8(string(again), "�"))
			}
			return string(unquoted), s[i+1:], nil
		}
	}
	return "", "", errors.New("the quoted key has no end")
}
