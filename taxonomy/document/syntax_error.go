package document

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// SyntaxError is the error for a text that is not strict JSON.
type SyntaxError struct {
	// Point is where the error is.
	Point Point
	// Path is the value that contains the error.
	Path issue.Path
	// Reason says what is wrong.
	Reason string
	// DuplicateKey is set if an object has the same key twice.
	DuplicateKey bool
	// Number is set if the text is JSON so far, but has a number that readers with float64
	// would change.
	Number bool
}

// Problem returns what is wrong as the predicate of a sentence about the text: that it is not
// valid JSON, or what else. The reason says more.
func (e *SyntaxError) Problem() string {
	if e.Number {
		return "has a number that does not survive"
	}
	return "is not valid JSON"
}

// Error returns the position and the reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Point.Line, e.Point.Column, e.Reason)
}

// syntaxError returns the error for a failed scan of a document, without its path.
func (s *scanner) syntaxError(d *Document) *SyntaxError {
	e := &SyntaxError{Path: issue.Root, Reason: s.reason, DuplicateKey: s.repeatedKey, Number: s.number}
	if e.Reason == "" {
		e.Reason = s.findReason()
	}
	e.Point = d.Point(s.at)
	return e
}

// findReason finds the reason in the text around the failure: what is wrong and what to do about
// it, for readers who are not programmers.
func (s *scanner) findReason() string {
	switch {
	case bytes.HasPrefix(s.whole, []byte{0xFF, 0xFE}) || bytes.HasPrefix(s.whole, []byte{0xFE, 0xFF}):
		return "the text is UTF-16: save it as UTF-8"
	case bytes.HasPrefix(s.whole, []byte("\uFEFF")):
		return "the text starts with a byte order mark: save it as UTF-8 without one"
	case s.cutOff():
		s.at = len(s.whole)
	}
	switch {
	case s.at >= len(s.whole):
		return s.unfinished()
	case s.at == len(s.text):
		return fmt.Sprintf("the byte 0x%02X is not valid UTF-8: save the text as UTF-8", s.whole[s.at])
	case s.at > s.start:
		return s.inToken()
	case s.comment():
		return "JSON has no comments: remove this one"
	case s.whole[s.at] == 0:
		return "there is a NUL byte between values: save the text as UTF-8 if it is UTF-16, or remove the byte"
	case !visible(s.rune()):
		return fmt.Sprintf("%s is not allowed between values: remove it, or write a space", s.shown())
	}
	before := bytes.TrimRight(s.whole[:s.at], jsonSpace)
	last := byte(0)
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	switch c := s.whole[s.at]; {
	case last == ',' && (c == ']' || c == '}'):
		s.at = len(before) - 1
		return strayComma
	case s.keyEnd > 0 && int(s.keyEnd) == len(before):
		return fmt.Sprintf("expected a colon between a key and its value, but found %s", s.shown())
	case last != 0 && strings.IndexByte("[{,:", last) < 0:
		return s.afterValue(before)
	case s.keyEnd == 0 && s.kind() == '{':
		return s.noKey()
	}
	return s.noValue()
}

// cutOff reports whether the text ends within a character or an escape of a string.
func (s *scanner) cutOff() bool {
	const longest = `\u0000\udc00`
	rest := s.whole[s.at:]
	if s.at == s.start || s.whole[s.start] != '"' || len(rest) >= len(longest) {
		return false
	}
	if s.at == len(s.text) || rest[0] != '\\' {
		return !utf8.FullRune(rest)
	}
	completed := slices.Concat(rest, []byte(longest[len(rest):]))
	_, isUnit := jcs.CodeUnit(completed)
	return isUnit && len(rest) < len(`\u0000`) || jcs.Escape(completed) > 0
}

// unfinished is the reason for a text that ends too early.
func (s *scanner) unfinished() string {
	if len(bytes.Trim(s.whole, jsonSpace)) == 0 {
		return "the text is empty: write a JSON value"
	}
	const reason = "the text ends before the JSON value is complete"
	start, what := s.start, "string"
	switch {
	case start < len(s.whole) && s.whole[start] == '"':
	case s.inside < 0:
		return reason
	default:
		start, what = int(s.nodes[s.inside].start), "array"
		if s.kind() == '{' {
			what = "object"
		}
	}
	begin := (&Document{text: s.whole}).Point(start)
	return fmt.Sprintf("%s: the %s at line %d, column %d is not closed", reason, what, begin.Line, begin.Column)
}

// kind returns '{' or '[' for what contains the failure, and 0 outside both.
func (s *scanner) kind() byte {
	if s.inside < 0 {
		return 0
	}
	return s.nodes[s.inside].kind
}

const jsonSpace = " \t\r\n"

// comment reports whether there is a comment at the failure.
func (s *scanner) comment() bool {
	rest := s.whole[s.at:]
	return rest[0] == '#' || bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*"))
}

// inToken is the reason for a failure within a string, a number or a word.
func (s *scanner) inToken() string {
	switch first := s.whole[s.start]; {
	case first == '"':
		return s.inString()
	case first == '-' && unicode.IsLetter(s.rune()):
		return bareWord("-" + s.wordAt(s.at))
	case first == '-' || jcs.Digit(first):
		return fmt.Sprintf("the number %q is incomplete: a digit must follow", wording.Clip(string(s.whole[s.start:s.at])))
	}
	return bareWord(s.wordAt(s.start))
}

// inString is the reason for a failure within a string.
func (s *scanner) inString() string {
	rest := s.whole[s.at:]
	switch c := rest[0]; {
	case c == '\n' || c == '\r':
		return `a string is not closed at the end of the line: close it with ", or write a line break as \n`
	case c == '\t':
		return `a string contains a tab: write \t`
	case c < ' ':
		return fmt.Sprintf(`a string contains the control character U+%04X: write \u%04x, or remove it`, c, c)
	case rest[1] != 'u':
		return `this backslash does not start a JSON escape: write \\ for a backslash`
	}
	if _, ok := jcs.CodeUnit(rest); ok {
		return fmt.Sprintf(`the escape %s is half of a surrogate pair: write both halves, or the character itself`, rest[:6])
	}
	return `the escape \u must have four hexadecimal digits, such as \u00e9`
}

// afterValue is the reason for a failure in place of a comma or a bracket.
func (s *scanner) afterValue(before []byte) string {
	c, last := s.whole[s.at], before[len(before)-1]
	switch {
	case c == ',':
		return strayComma
	case c == ']' || c == '}':
		return wrongBracket(c, s.kind())
	case len(before) == s.at && last == '0' && jcs.Digit(c):
		return "a number can't start with 0: remove the zero, or write the number as a string"
	case len(before) == s.at && jcs.Digit(last) && bytes.IndexByte([]byte(`"{[`), c) < 0:
		return fmt.Sprintf("%s is not allowed in a number: write a string if it is meant", s.shown())
	}
	return fmt.Sprintf("expected a comma or '%c' before %s", closing(s.kind()), s.shown())
}

func wrongBracket(c, opening byte) string {
	return fmt.Sprintf("'%c' does not match '%c': write '%c', or add the missing bracket", c, opening, closing(opening))
}

// noKey is the reason for a failure in place of a key.
func (s *scanner) noKey() string {
	switch s.whole[s.at] {
	case ',':
		return strayComma
	case ']':
		return wrongBracket(']', '{')
	}
	return fmt.Sprintf("a key must be a string in double quotes, and can't start with %s", s.shown())
}

const strayComma = "extra comma: remove it"

// noValue is the reason for a failure in place of a value.
func (s *scanner) noValue() string {
	r := s.rune()
	switch {
	case s.keyEnd > 0 && (r == ',' || r == '}' || r == ']'):
		return "a key has no value: write one after the colon, such as null"
	case r == ',':
		return strayComma
	case r == '}' && s.kind() == '[':
		return wrongBracket('}', '[')
	case r == '+':
		return "a number can't start with '+': remove the sign"
	case r == '.':
		return "a number can't start with a period: write 0 before it"
	case unicode.In(r, unicode.Quotation_Mark) || r == '`':
		return fmt.Sprintf("a string must start and end with a double quote, not with %s", s.shown())
	case unicode.IsLetter(r) || r == '_' || r == '$':
		return bareWord(s.wordAt(s.at))
	}
	return fmt.Sprintf("a value can't start with %s: write a string, a number, an object, an array, true, false or null", s.shown())
}

// bareWord is the reason for a word that is not a value.
func bareWord(word string) string {
	switch strings.ToLower(strings.TrimPrefix(word, "-")) {
	case "true", "false", "null":
		return fmt.Sprintf("%s must be lower case: %s", word, strings.ToLower(word))
	case "none", "nil", "undefined":
		return fmt.Sprintf("%s is not a JSON value: write null, or omit the field", word)
	case "nan", "inf", "infinity":
		return fmt.Sprintf("%s is not a JSON number: write it as a string, or omit the field", word)
	}
	return fmt.Sprintf("the word %q is not in quotes: write a string in double quotes, true, false or null", wording.Clip(word))
}

// maxWord is how many bytes of a word are looked at.
const maxWord = 128

// wordAt returns the word at an offset.
func (s *scanner) wordAt(from int) string {
	rest := s.whole[from:min(len(s.whole), from+maxWord)]
	end := bytes.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' })
	if end < 0 {
		end = len(rest)
	}
	return strings.ToValidUTF8(string(rest[:end]), "")
}

// rune returns the character at the failure.
func (s *scanner) rune() rune {
	r, _ := utf8.DecodeRune(s.whole[s.at:])
	return r
}

// shown returns the character at the failure for a message.
func (s *scanner) shown() string {
	switch r := s.rune(); {
	case r == '\'':
		return "a single quote"
	case r == '"':
		return "a double quote"
	case !visible(r):
		return fmt.Sprintf("the character U+%04X", r)
	default:
		return "'" + string(r) + "'"
	}
}

// visible reports whether a message can show a character as it is.
func visible(r rune) bool { return unicode.IsPrint(r) && !unicode.IsMark(r) && r != ' ' }
