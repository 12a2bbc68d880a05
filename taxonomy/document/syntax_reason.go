package document

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/prose"
)

// slip is a place in a text where JSON ends. It finds words for what is wrong
// from the text alone: those of a decoder are for programmers, and change.
type slip struct {
	text []byte
	// at is the offset of what is wrong. It lies in a token where start, at
	// which the next token should begin, is before it.
	at, start int
	// kind is '{' or '[' for what holds the place, and 0 outside both.
	kind byte
	// keyEnd is where the key ends that has no value yet, or 0.
	keyEnd int
}

// reason says what is wrong and what to do about it.
func (s slip) reason() string {
	switch {
	case s.at >= len(s.text):
		return "the text ends before the JSON value does"
	case !s.isUTF8():
		return fmt.Sprintf("the byte 0x%02X is no UTF-8: save the text as UTF-8", s.text[s.at])
	case s.at > s.start:
		return s.inToken()
	case s.comments():
		return "JSON has no comments: remove this one"
	case s.text[s.at] == 0:
		return "a NUL byte stands between the values: save the text as UTF-8 if it is UTF-16, or remove the byte"
	case !visible(s.rune()):
		return fmt.Sprintf("%s can't stand between values: remove it, or write a space", s.shown())
	}
	before := bytes.TrimRight(s.text[:s.at], jsonSpace)
	switch {
	case s.keyEnd > 0 && s.keyEnd == len(before):
		return fmt.Sprintf("a colon must stand between a key and its value, not %s", s.shown())
	case len(before) > 0 && bytes.IndexByte([]byte("[{,:"), before[len(before)-1]) < 0:
		return s.afterValue(before)
	case s.keyEnd > 0:
		return s.noValue()
	case s.kind == '{':
		return s.noKey()
	}
	return s.noValue()
}

const jsonSpace = " \t\r\n"

func (s slip) isUTF8() bool {
	r, size := utf8.DecodeRune(s.text[s.at:])
	return r != utf8.RuneError || size != 1
}

// comments reports whether a comment begins here.
func (s slip) comments() bool {
	rest := s.text[s.at:]
	return rest[0] == '#' || bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*"))
}

// inToken is reason for what stands within a string, a number or a word.
func (s slip) inToken() string {
	switch first := s.text[s.start]; {
	case first == '"':
		return s.inString()
	case first == '-' && unicode.IsLetter(s.rune()):
		return bareWord("-" + s.word(s.at))
	case first == '-' || digit(first):
		return fmt.Sprintf("the number %q is not complete: a digit must follow", prose.Clip(string(s.text[s.start:s.at])))
	}
	return bareWord(s.word(s.start))
}

// inString is reason for what stands within a string.
func (s slip) inString() string {
	rest := s.text[s.at:]
	switch c := rest[0]; {
	case c == '\n' || c == '\r':
		return `a string breaks off at the end of the line: close it with ", or write a line break as \n`
	case c == '\t':
		return `a tab stands in a string: write \t`
	case c < ' ':
		return fmt.Sprintf(`the control character U+%04X stands in a string: write \u%04x, or remove it`, c, c)
	case len(rest) < 2:
		return "the text ends before the JSON value does"
	case rest[1] != 'u':
		return `a backslash does not begin an escape of JSON here: write \\ if a backslash is meant`
	}
	if _, ok := codeUnit(rest); ok {
		return fmt.Sprintf(`the escape %s is half of a surrogate pair: write both halves, or the character itself`, rest[:6])
	}
	return `the escape \u must have four hexadecimal digits, as in \u00e9`
}

// afterValue is reason for what stands where a comma or a bracket should.
func (s slip) afterValue(before []byte) string {
	c, last := s.text[s.at], before[len(before)-1]
	switch {
	case c == ',':
		return strayComma
	case c == ']' || c == '}':
		return wrongBracket(c, s.kind)
	case len(before) == s.at && last == '0' && digit(c):
		return "a number can't begin with 0: remove the zero, or write the number as a string"
	case len(before) == s.at && digit(last) && bytes.IndexByte([]byte(`"{[`), c) < 0:
		return fmt.Sprintf("%s can't stand in a number: write the number as a string if this is meant", s.shown())
	}
	return fmt.Sprintf("a comma or '%c' must stand before %s", closing(s.kind), s.shown())
}

// closing returns the bracket that closes an object or an array.
func closing(opening byte) byte { return opening + 2 } // in ASCII

func wrongBracket(c, opening byte) string {
	return fmt.Sprintf("'%c' closes what '%c' began: write '%c', or look for a bracket that is missing", c, opening, closing(opening))
}

// noKey is reason for what stands where a key should.
func (s slip) noKey() string {
	switch s.text[s.at] {
	case ',':
		return strayComma
	case ']':
		return wrongBracket(']', '{')
	}
	return fmt.Sprintf("a key must be a string in double quotes, and can't begin with %s", s.shown())
}

const strayComma = "a comma stands where a value or the end should: remove it"

// noValue is reason for what stands where a value should.
func (s slip) noValue() string {
	r := s.rune()
	switch {
	case s.keyEnd > 0 && (r == ',' || r == '}' || r == ']'):
		return "a key has no value: write one after the colon, such as null"
	case r == ',':
		return strayComma
	case r == '}' && s.kind == '[':
		return wrongBracket('}', '[')
	case r == '+':
		return "a number can't begin with '+': remove the sign"
	case r == '.':
		return "a number can't begin with a period: write 0 before it"
	case unicode.In(r, unicode.Quotation_Mark) || r == '`':
		return fmt.Sprintf("a string must begin and end with a double quote, not with %s", s.shown())
	case unicode.IsLetter(r) || r == '_' || r == '$':
		return bareWord(s.word(s.at))
	}
	return fmt.Sprintf("no value begins with %s: want a string, a number, an object, an array, true, false or null", s.shown())
}

// bareWord is reason for a word that is no value.
func bareWord(word string) string {
	switch strings.ToLower(strings.TrimPrefix(word, "-")) {
	case "true", "false", "null":
		return fmt.Sprintf("%s must be written in small letters: %s", word, strings.ToLower(word))
	case "none", "nil", "undefined":
		return fmt.Sprintf("%s is no value of JSON: write null, or leave the field out", word)
	case "nan", "inf", "infinity":
		return fmt.Sprintf("%s is no number of JSON: write it as a string, or leave the field out", word)
	}
	return fmt.Sprintf("the word %q stands without quotes: write a string in double quotes, true, false or null", prose.Clip(word))
}

// maxWord is the most bytes of a word that are looked at.
const maxWord = 128

// word returns the word that begins at an offset.
func (s slip) word(from int) string {
	rest := s.text[from:min(len(s.text), from+maxWord)]
	end := bytes.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '$' })
	if end < 0 {
		end = len(rest)
	}
	return strings.ToValidUTF8(string(rest[:end]), "")
}

// rune is the wrong character.
func (s slip) rune() rune {
	r, _ := utf8.DecodeRune(s.text[s.at:])
	return r
}

// shown is the wrong character as a message shows it.
func (s slip) shown() string {
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

// visible reports whether a message can show a character by itself.
func visible(r rune) bool { return unicode.IsPrint(r) && !unicode.IsMark(r) && r != ' ' }

func digit(c byte) bool { return '0' <= c && c <= '9' }
