package mcp

import (
	"bytes"
	"iter"

	"github.com/go-json-experiment/json/jsontext"
)

// The message that holds the arguments of a tool was read as JSON before. What follows
// divides them without checking them again: a datachain in them has thousands of tokens,
// and is read once more when it is judged.

// members yields the keys, as JSON strings, and the values of an object, or the values of
// an array, for which keys are nil. The text must be valid JSON.
func members(v jsontext.Value) iter.Seq2[jsontext.Value, jsontext.Value] {
	return func(yield func(key, value jsontext.Value) bool) {
		for at := skipSpace(v, 1); v[at] != '}' && v[at] != ']'; {
			var key jsontext.Value
			if v[0] == '{' {
				end := skipString(v, at)
				key = v[at:end]
				at = skipSpace(v, skipSpace(v, end)+1) // past the colon
			}
			end := skipValue(v, at)
			if !yield(key, v[at:end:end]) {
				return
			}
			if at = skipSpace(v, end); v[at] == ',' {
				at = skipSpace(v, at+1)
			}
		}
	}
}

// unquote returns the text of a JSON string.
func unquote(v jsontext.Value) string {
	if inner := v[1 : len(v)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return string(inner)
	}
	text, _ := jsontext.AppendUnquote(nil, v) // it is valid
	return string(text)
}

// skipSpace returns where the next token begins.
func skipSpace(v jsontext.Value, at int) int {
	for v[at] == ' ' || v[at] == '\t' || v[at] == '\r' || v[at] == '\n' {
		at++
	}
	return at
}

// skipString returns the end of the string that begins at an offset.
func skipString(v jsontext.Value, at int) int {
	for at++; ; {
		at += bytes.IndexByte(v[at:], '"') + 1
		escapes := 0
		for v[at-2-escapes] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return at
		}
	}
}

// delimits reports whether a number or a literal ends before a byte.
func delimits(c byte) bool {
	switch c {
	case ' ', '\t', '\r', '\n', ',', '}', ']':
		return true
	}
	return false
}

// skipValue returns the end of the value that begins at an offset.
func skipValue(v jsontext.Value, at int) int {
	for depth := 0; ; {
		switch v[at] {
		case '"':
			at = skipString(v, at)
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		default:
			if at++; depth > 0 {
				continue // anything but a string, in an object or an array
			}
			for !delimits(v[at]) {
				at++ // a number or a literal
			}
		}
		if depth == 0 {
			return at
		}
	}
}
