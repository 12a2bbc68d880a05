package document

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/jcs"
)

// The kinds of tokens besides the punctuation of JSON, which is its own kind.
const (
	endToken     = 0
	stringToken  = '"'
	wordToken    = 'w' // a number, a literal or a bare word
	commentToken = '/'
)

// token is a part of the text that has a meaning of its own.
type token struct {
	kind       byte
	start, end int
	closed     bool // a string or block comment with its end
}

// startsValue reports whether a token is or begins a key or a value.
func (t token) startsValue() bool {
	return t.kind == stringToken || t.kind == wordToken || t.kind == '{' || t.kind == '['
}

// lexer splits any text into tokens, for what the scanner can't read and for [Document.At].
// Well-formed strings and numbers are those of package jcs, as in strict JSON; what else can be in
// a text is decided here.
type lexer struct {
	text       []byte
	at         int
	afterColon bool // a string that is not closed on its line is a value
	// unclosed are the ends of the last lines on which a string in double or single quotes is not
	// closed. Then no later string on that line is closed, since every quote in the first is escaped.
	unclosed [2]int
	// trimmed is where the content of the line up to contentOf ends, before commas and brackets.
	trimmed, contentOf int
}

// next returns the next token, comments included, or one of kind endToken.
func (l *lexer) next() token {
	l.space()
	t := token{start: l.at, end: l.at}
	if l.at == len(l.text) {
		return t
	}
	switch c := l.text[l.at]; c {
	case '{', '}', '[', ']', ',', ':':
		t.kind = c
		l.at++
	case '"':
		t.kind = stringToken
		t.closed = l.quoted()
	case '#':
		t.kind = commentToken
		l.restOfLine()
	case '/':
		t.kind, t.closed = l.slash()
	case '\'':
		t.kind = wordToken
		if l.singleQuoted() {
			t.kind, t.closed = stringToken, true
		} else {
			l.word()
		}
	default:
		t.kind = wordToken
		l.word()
	}
	t.end = l.at
	return t
}

// significant returns the next token that is not a comment.
func (l *lexer) significant() token {
	for {
		if t := l.next(); t.kind != commentToken {
			return t
		}
	}
}

// peek returns where the next token starts that is not a comment.
func (l *lexer) peek(at int) int {
	next := lexer{text: l.text, at: at}
	for {
		next.space()
		rest := next.text[next.at:]
		if !bytes.HasPrefix(rest, []byte("#")) && !bytes.HasPrefix(rest, []byte("//")) && !bytes.HasPrefix(rest, []byte("/*")) {
			return next.at
		}
		next.next()
	}
}

// space skips white space, the white space of other languages and control
// characters.
func (l *lexer) space() {
	for l.at < len(l.text) {
		n := spaceAt(l.text[l.at:])
		if n == 0 {
			return
		}
		l.at += n
	}
}

// spaceAt returns the length of the white space character at the start of text,
// or 0.
func spaceAt(text []byte) int {
	if c := text[0]; c < utf8.RuneSelf {
		if c <= ' ' || c == 0x7F {
			return 1
		}
		return 0
	}
	if r, n := utf8.DecodeRune(text); unicode.IsSpace(r) || r == byteOrderMark {
		return n
	}
	return 0
}

const byteOrderMark = '\uFEFF'

// quoted reads a string, and reports whether it is closed.
func (l *lexer) quoted() bool {
	start := l.at
	end, closed := l.endOfString(&l.unclosed[0])
	l.at = end
	if !closed {
		if end < len(l.text) {
			l.at = l.cutLine(start+1, end)
		}
		return false
	}
	// If a word follows directly, this is the opening quote of the next string, and
	// the closing quote of this one is missing.
	if end < len(l.text) && wordByte(l.text[end]) {
		if cut := beforePunctuation(l.text, start+1, end-1); cut < end-1 {
			l.at = cut
			return false
		}
	}
	return true
}

// endOfString returns the end of the string that starts at l.at, and whether it is closed. The
// argument is the item of l.unclosed for its kind of quotes.
func (l *lexer) endOfString(unclosed *int) (end int, closed bool) {
	if l.at < *unclosed {
		return *unclosed, false
	}
	if end, closed = endOfString(l.text, l.at); !closed {
		*unclosed = end
	}
	return end, closed
}

// endOfString returns the end of the string that starts with the quote at start,
// and whether it is closed. A string ends at the end of its line.
func endOfString(text []byte, start int) (end int, closed bool) {
	quote := text[start]
	if quote == '"' {
		if end, _, ok := jcs.String(text, start); ok {
			return end, true
		}
	}
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case quote:
			return i + 1, true
		case '\n', '\r':
			return i, false
		case '\\':
			if i+1 < len(text) && text[i+1] != '\n' && text[i+1] != '\r' {
				i++
			}
		}
	}
	return len(text), false
}

// cutLine returns the end of a string that is not closed on its line: after a key, or before
// the brackets at the end of the line.
func (l *lexer) cutLine(start, end int) int {
	if n := bytes.IndexByte(l.text[start:end], ':'); n > 0 && !l.afterColon {
		if value := bytes.TrimLeft(l.text[start+n+1:max(start+n+1, l.content(end))], lineTrailers); len(value) > 0 {
			if c := value[0]; c == '{' || c == '[' || kindOfWord(value) != 'w' {
				return start + len(bytes.TrimRight(l.text[start:start+n], " \t")) // a key
			}
		}
	}
	return beforeBrackets(l.text, start, max(start, l.content(end)), end)
}

// lineTrailers are the characters that can follow the last value of a line.
const lineTrailers = " \t,]}"

// content returns where the content of a line ends, before commas and brackets. Strings of one line
// have the same, so it is looked for once.
func (l *lexer) content(end int) int {
	if l.contentOf != end {
		l.trimmed, l.contentOf = len(bytes.TrimRight(l.text[:end], lineTrailers)), end
	}
	return l.trimmed
}

// beforeBrackets returns the end of a string that is not closed on its line: at run, before the
// comma and the brackets at the end of the line, unless the string has the opening brackets.
func beforeBrackets(text []byte, start, run, end int) int {
	inner := text[start:run]
	opened := bytes.Count(inner, []byte("{")) + bytes.Count(inner, []byte("[")) -
		bytes.Count(inner, []byte("}")) - bytes.Count(inner, []byte("]"))
	for i := run; i < end; i++ {
		switch c := text[i]; {
		case (c == ']' || c == '}') && opened > 0:
			opened--
			run = i + 1
		case c == ',' || c == ']' || c == '}':
			return run
		}
	}
	return end
}

// beforePunctuation returns the end of a string that runs into the next one: before a comma,
// colon or opening bracket and the space after it, or end if there is none.
func beforePunctuation(text []byte, start, end int) int {
	run, found := end, false
	for run > start {
		c := text[run-1]
		if bytes.IndexByte([]byte(",:{["), c) >= 0 {
			found = true
		} else if c != ' ' && c != '\t' && (!found || c != ']' && c != '}') {
			break
		}
		run--
	}
	if !found {
		return end
	}
	return run
}

// singleQuoted reads a string in single quotes if it is closed on its line.
func (l *lexer) singleQuoted() bool {
	end, closed := l.endOfString(&l.unclosed[1])
	if closed {
		l.at = end
	}
	return closed
}

// slash reads a comment, or a word that starts with a slash.
func (l *lexer) slash() (kind byte, closed bool) {
	rest := l.text[l.at:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		l.restOfLine()
		return commentToken, false
	case bytes.HasPrefix(rest, []byte("/*")):
		i := bytes.Index(rest[2:], []byte("*/"))
		if i < 0 {
			l.at = len(l.text)
			return commentToken, false
		}
		l.at += i + 4
		return commentToken, true
	}
	l.word()
	return wordToken, false
}

// restOfLine skips a comment up to the end of the line.
func (l *lexer) restOfLine() {
	i := bytes.IndexAny(l.text[l.at:], "\n\r")
	if i < 0 {
		i = len(l.text) - l.at
	}
	l.at += i
}

// word reads up to white space or punctuation. A quote directly after a word belongs to it if
// punctuation or the end of the line follows: then the opening quote is missing.
func (l *lexer) word() {
	for l.at < len(l.text) {
		if bytes.IndexByte([]byte(`{}[],:"`), l.text[l.at]) >= 0 || spaceAt(l.text[l.at:]) > 0 {
			break
		}
		_, n := utf8.DecodeRune(l.text[l.at:])
		l.at += n
	}
	if l.at == len(l.text) || l.text[l.at] != '"' {
		return
	}
	after := l.at + 1
	for after < len(l.text) && (l.text[after] == ' ' || l.text[after] == '\t') {
		after++
	}
	if after == len(l.text) || bytes.IndexByte([]byte(",:}]\n\r"), l.text[after]) >= 0 {
		l.at++
	}
}

// wordByte reports whether a byte can be part of a word.
func wordByte(c byte) bool {
	return c == '_' || c >= utf8.RuneSelf || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// unquote returns the text of a string or a word, or of the first part of one. An
// escape that is not valid stands for itself, and bytes that are not UTF-8 become
// U+FFFD.
func unquote(raw []byte) string {
	if len(raw) > 0 && (raw[0] == '"' || raw[0] == '\'') {
		quote := raw[0]
		raw = raw[1:]
		if n := len(raw); n > 0 && raw[n-1] == quote && !escapedAt(raw, n-1) {
			raw = raw[:n-1]
		}
	} else {
		raw = bytes.TrimSuffix(raw, []byte(`"`)) // the opening quote is missing
	}
	if bytes.IndexByte(raw, '\\') < 0 {
		return strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	return strings.ToValidUTF8(string(jcs.AppendUnescaped(nil, raw)), "\uFFFD")
}

// escapedAt reports whether the byte at i has an odd number of backslashes before it.
func escapedAt(raw []byte, i int) bool {
	n := 0
	for i--; i >= 0 && raw[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

// kindOf returns the kind of a string or word.
func kindOf(text []byte, t token) byte {
	if t.kind == stringToken {
		return '"'
	}
	return kindOfWord(text[t.start:t.end])
}

// kindOfWord returns the kind of a number or a literal, and 'w' for other words.
func kindOfWord(word []byte) byte {
	if string(word) == "true" || string(word) == "false" || string(word) == "null" {
		return word[0]
	}
	if end, _, ok := jcs.Number(word, 0); ok && end == len(word) {
		return '0'
	}
	return 'w'
}
