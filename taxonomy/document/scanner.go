package document

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// scanner builds the tree of a Document from its text. It takes half the time that
// jsontext.Decoder takes to read the tokens alone; a fuzz test compares the
// verdicts of the two.
type scanner struct {
	whole []byte
	text  []byte // whole up to the first byte that is not UTF-8
	at    int    // the offset reached, or of the failure
	// nodes and items become those of the document.
	nodes []node
	items []int32
	// open has the children so far of the objects and arrays that are not
	// closed yet.
	open   []int32
	copied string // whole as a string

	interrupt   func() error // or nil
	interrupted error        // what it returned

	failure
}

// failure says where and why scanning ended.
type failure struct {
	start  int    // the beginning of the token with the failure
	inside int32  // the object or array with the failure, or -1
	keyEnd int32  // the end of the key that has no value yet, or 0
	reason string // "" if the text around the failure tells
	twice  bool   // the reason is a duplicate key
}

// fail notes a failure at s.at in the token that begins at start.
func (s *scanner) fail(start int, inside, keyEnd int32) bool {
	s.failure = failure{start: start, inside: inside, keyEnd: keyEnd}
	return false
}

// refuse notes a failure whose reason is known.
func (s *scanner) refuse(at int, inside int32, reason string) bool {
	s.at, s.failure = at, failure{start: at, inside: inside, reason: reason}
	return false
}

// scan reads the whole text.
func (s *scanner) scan() bool {
	n := len(s.text)/20 + 16 // the likely number of values
	s.nodes, s.items = slices.Grow(s.nodes, n), slices.Grow(s.items, n)
	s.space()
	if !s.value(place{parent: -1}, 0) {
		return false
	}
	s.space()
	if s.at < len(s.whole) {
		return s.refuse(s.at, -1, "there is more text after the JSON value: remove it")
	}
	return true
}

// place is where a value is in the tree.
type place struct {
	parent, keyStart, keyEnd int32
	keyEscaped               bool
}

// add adds a value to the tree. It writes the fields where they stay, since copying a node
// takes a measurable part of the time.
func (s *scanner) add(p place, kind byte, start, end int) *node {
	s.nodes = append(s.nodes, node{})
	n := &s.nodes[len(s.nodes)-1]
	n.kind, n.start, n.end = kind, int32(start), int32(end)
	n.keyStart, n.keyEnd, n.keyEscaped = p.keyStart, p.keyEnd, p.keyEscaped
	return n
}

// interruptEvery is how many values are read between two calls of interrupt.
const interruptEvery = 1 << 12

// value reads a value inside depth objects and arrays.
func (s *scanner) value(p place, depth int) bool {
	if s.interrupt != nil && len(s.nodes)%interruptEvery == 0 {
		if s.interrupted = s.interrupt(); s.interrupted != nil {
			return false
		}
	}
	start := s.at
	var ok, escaped, integer bool
	kind := s.peek()
	switch kind {
	case '"':
		s.at, escaped, ok = jcs.String(s.text, start)
	case '{', '[':
		if depth == jcs.MaxDepth {
			return s.refuse(start, p.parent, fmt.Sprintf("objects and arrays nest deeper than %d levels: use fewer levels", jcs.MaxDepth))
		}
		s.add(p, kind, start, 0)
		return s.children(int32(len(s.nodes)-1), kind, depth+1)
	case 't':
		s.at, ok = jcs.Literal(s.text, start, "true")
	case 'f':
		s.at, ok = jcs.Literal(s.text, start, "false")
	case 'n':
		s.at, ok = jcs.Literal(s.text, start, "null")
	default:
		kind = '0'
		s.at, integer, ok = jcs.Number(s.text, start)
	}
	if !ok {
		return s.fail(start, p.parent, p.keyEnd)
	}
	s.add(p, kind, start, s.at).escaped = escaped
	if kind == '0' && (!integer || s.at-start > safeDigits) {
		if reason := checkNumber(s.text[start:s.at]); reason != "" {
			return s.refuse(start, int32(len(s.nodes)-1), reason)
		}
	}
	return true
}

// children reads an object or array with all its contents. The children of one that
// is incomplete are those up to the failure.
func (s *scanner) children(self int32, opening byte, depth int) bool {
	base := len(s.open)
	ok := s.contents(self, opening, depth, base)
	n := &s.nodes[self]
	n.end = int32(s.at)
	n.first, n.len = int32(len(s.items)), int32(len(s.open)-base)
	s.items = append(s.items, s.open[base:]...)
	s.open = s.open[:base]
	return ok
}

// contents reads what is between the brackets of an object or array, with both.
func (s *scanner) contents(self int32, opening byte, depth, base int) bool {
	end := closing(opening)
	s.at++
	s.space()
	if s.peek() == end {
		s.at++
		return true
	}
	var seen map[string]bool
	for {
		child := place{parent: self}
		if opening == '{' && !s.key(&child, base, &seen) {
			return false
		}
		s.open = append(s.open, int32(len(s.nodes)))
		if !s.value(child, depth) {
			return false
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
		case end:
			s.at++
			return true
		default:
			return s.fail(s.at, self, 0)
		}
	}
}

// key reads a key and the colon after it. The members before it are those of
// open from base on.
func (s *scanner) key(child *place, base int, seen *map[string]bool) bool {
	start := s.at
	if s.peek() != '"' {
		return s.fail(start, child.parent, 0)
	}
	end, escaped, ok := jcs.String(s.text, start)
	if s.at = end; !ok {
		return s.fail(start, child.parent, 0)
	}
	child.keyStart, child.keyEnd, child.keyEscaped = int32(start), int32(s.at), escaped
	if s.duplicate(child, s.open[base:], seen) {
		key := wording.Clip(jcs.Unquote(s.text[start:s.at]))
		s.refuse(start, child.parent, fmt.Sprintf("the key %q appears twice in one object", key))
		s.twice = true
		return false
	}
	s.space()
	if s.peek() != ':' {
		return s.fail(s.at, child.parent, child.keyEnd)
	}
	s.at++
	s.space()
	return true
}

// fewKeys is how many keys of an object are compared one by one. If there are
// more, or keys with escapes, a map remembers them.
const fewKeys = 16

// duplicate reports whether an object that is being read has a key already.
func (s *scanner) duplicate(child *place, before []int32, seen *map[string]bool) bool {
	if *seen == nil && !child.keyEscaped && len(before) < fewKeys {
		key := s.text[child.keyStart:child.keyEnd]
		for _, at := range before {
			n := &s.nodes[at]
			if int(n.keyEnd-n.keyStart) == len(key) && bytes.Equal(s.text[n.keyStart:n.keyEnd], key) {
				return true
			}
		}
		return false
	}
	if *seen == nil {
		*seen = make(map[string]bool, 2*fewKeys)
		for _, at := range before {
			n := &s.nodes[at]
			(*seen)[s.copied[n.keyStart+1:n.keyEnd-1]] = true
		}
	}
	name := s.copied[child.keyStart+1 : child.keyEnd-1]
	if child.keyEscaped {
		name = jcs.Unquote(s.text[child.keyStart:child.keyEnd])
	}
	if (*seen)[name] {
		return true
	}
	(*seen)[name] = true
	return false
}

// space skips white space.
func (s *scanner) space() { s.at = jcs.Space(s.text, s.at) }

// peek returns the next byte, or 0 at the end.
func (s *scanner) peek() byte {
	if s.at == len(s.text) {
		return 0
	}
	return s.text[s.at]
}

// safeDigits is how many digits of an integer a float64 always holds.
const safeDigits = 15

// checkNumber returns why a number can't be kept, or "".
func checkNumber(raw []byte) string {
	if len(raw) > maxNumberLength {
		return fmt.Sprintf("a number can have at most %d characters: write it as a string", maxNumberLength)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	mantissa, _, _ := bytes.Cut(bytes.ToLower(raw), []byte("e"))
	switch {
	case err != nil || math.Abs(f) > maxSafeInteger:
		return fmt.Sprintf("the number %s is beyond ±%d, so JSON readers would change it: write it as a string", raw, int64(maxSafeInteger))
	case f == 0 && bytes.ContainsAny(mantissa, "123456789"):
		return fmt.Sprintf("the number %s is too small for a 64-bit float: write it as a string", raw)
	}
	return ""
}

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
}

// Error returns the position and the reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Point.Line, e.Point.Column, e.Reason)
}

// syntaxError returns the error for a failed scan of a document.
func (s *scanner) syntaxError(d *Document) *SyntaxError {
	e := &SyntaxError{Path: issue.Root, Reason: s.reason, DuplicateKey: s.twice}
	if s.inside >= 0 {
		e.Path = Value{d, s.inside}.Path()
	}
	if e.Reason == "" {
		e.Reason = s.why()
	}
	e.Point = d.Point(s.at)
	return e
}

// why finds a reason in the text around the failure: what is wrong, and what to
// do about it. The errors of a JSON library are written for programmers.
func (s *scanner) why() string {
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

// cutOff reports whether the text ends within a character or an escape of a
// string.
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

// closing returns the bracket that closes an object or an array.
func closing(opening byte) byte { return opening + 2 } // in ASCII

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

// shown returns the character at the failure as a message shows it.
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
