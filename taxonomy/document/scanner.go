package document

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
)

// scanner builds the tree of a Document from its text, in half the time that
// jsontext.Decoder takes to read the tokens. A fuzz test checks that both accept the same.
type scanner struct {
	whole []byte
	text  []byte // whole up to the first byte that is not UTF-8
	at    int    // the current offset, or that of the failure
	// nodes and items become those of the document.
	nodes []node
	items []int32
	// open has the children so far of the objects and arrays that are not
	// closed yet.
	open   []int32
	copied string // whole as a string

	interrupt   func() error // or nil
	interrupted error        // what it returned
	recovery    *recovery    // nil to stop at the first error

	failure
}

// failure says where and why scanning ended.
type failure struct {
	start       int    // the beginning of the token with the failure
	inside      int32  // the object or array with the failure, or -1
	keyEnd      int32  // the end of the key that has no value yet, or 0
	reason      string // "" if it can be found in the text around the failure
	repeatedKey bool   // the reason is a duplicate key
	number      bool   // the reason is a number
}

// fail records a failure at s.at in the token that begins at start.
func (s *scanner) fail(start int, inside, keyEnd int32) bool {
	s.failure = failure{start: start, inside: inside, keyEnd: keyEnd}
	return false
}

// refuse records a failure with a known reason.
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
		return s.recoverRoot()
	}
	s.space()
	if s.at < len(s.whole) {
		s.refuse(s.at, -1, "there is more text after the JSON value: remove it")
		return s.recoverRoot()
	}
	return true
}

// place is the parent and the key of a value.
type place struct {
	parent, keyStart, keyEnd int32
	keyEscaped               bool
	marks                    marks
}

// add adds a value to the tree. It sets the fields in place, since copying a node takes a
// measurable part of the time.
func (s *scanner) add(p place, kind byte, start, end int) *node {
	s.nodes = append(s.nodes, node{})
	n := &s.nodes[len(s.nodes)-1]
	n.kind, n.start, n.end = kind, int32(start), int32(end)
	n.keyStart, n.keyEnd, n.keyEscaped, n.marks = p.keyStart, p.keyEnd, p.keyEscaped, p.marks
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
			s.refuse(start, int32(len(s.nodes)-1), reason)
			s.number = true
			return false
		}
	}
	return true
}

// children reads an object or array with its contents and sets its children. If it is
// incomplete, these are the ones before the failure.
func (s *scanner) children(self int32, opening byte, depth int) bool {
	base := len(s.open)
	if s.recovery != nil {
		s.push(self, depth)
	}
	ok := s.contents(self, opening, depth, base)
	n := &s.nodes[self]
	n.end = int32(s.at)
	n.first, n.len = int32(len(s.items)), int32(len(s.open)-base)
	if s.recovery != nil {
		s.pop(n, s.open[base:], ok)
	}
	s.items = append(s.items, s.open[base:]...)
	s.open = s.open[:base]
	return ok
}

// contents reads an object or array, from the opening to the closing bracket.
func (s *scanner) contents(self int32, opening byte, depth, base int) bool {
	end := closing(opening)
	child := place{parent: self}
	s.at++
	s.space()
	if s.peek() == end {
		if s.recovery != nil && !s.recovery.closes(depth, opening, s.at) {
			return s.recover(atStart, child, depth, base)
		}
		s.at++
		return true
	}
	var seen map[string]bool
	for {
		child = place{parent: self}
		if opening == '{' && s.recovery != nil && s.recovery.objectOf(depth, s.at) != depth {
			s.fail(s.at, self, 0)
			return s.recover(atKey, child, depth, base)
		}
		if opening == '{' && !s.key(&child, base, &seen) {
			return s.recover(atKey, child, depth, base)
		}
		s.open = append(s.open, int32(len(s.nodes)))
		if !s.value(child, depth) {
			return s.recover(atValue, child, depth, base)
		}
		s.space()
		switch s.peek() {
		case ',':
			s.at++
			s.space()
		case end:
			if s.recovery != nil && !s.recovery.closes(depth, opening, s.at) {
				return s.recover(afterValue, child, depth, base)
			}
			s.at++
			return true
		default:
			s.fail(s.at, self, 0)
			return s.recover(afterValue, child, depth, base)
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
		s.refuse(start, child.parent, duplicateKey(jcs.Unquote(s.text[start:s.at])))
		s.repeatedKey = true
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

// duplicateKey is the reason for a key that an object has twice.
func duplicateKey(key string) string {
	return fmt.Sprintf("the key %q appears twice in one object", wording.Clip(key))
}

// fewKeys is how many keys of an object are compared one by one. If there are
// more, or keys with escapes, a map remembers them.
const fewKeys = 16

// duplicate reports whether the object that is being read already has a key.
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

// closing returns the bracket that closes an object or an array.
func closing(opening byte) byte { return opening + 2 } // in ASCII
