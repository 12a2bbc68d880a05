package validate

import (
	"bytes"
	"cmp"
	"math/big"
	"regexp"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// shape is a compiled JSON Schema that only tells whether a value fits. It does so without
// allocating, since every document is checked and most fit. The explainer asks package
// jsonschema why a value does not fit.
//
// A shape has either alternatives and nothing else, or kinds and their constraints.
type shape struct {
	location string // the URL of the schema
	title    string // "" if the schema has none
	example  []byte // nil if the schema has none

	alternatives []*shape // anyOf
	kinds        kinds    // type

	// Strings.
	words    []string // enum
	nonEmpty bool     // minLength 1
	format   *format
	pattern  *regexp.Regexp

	// Integers; there are no other numbers.
	bounded bool
	minimum int64

	// Arrays.
	minItems int
	items    *shape

	// Objects.
	minProperties int
	fields        []field
	required      uint64 // one bit for each required field
	others        *shape // additionalProperties: a schema
	closed        bool   // additionalProperties: false
}

// field is a known member of an object.
type field struct {
	name  string
	shape *shape
}

// maxFields is the number of bits of shape.required.
const maxFields = 64

// requires reports whether field i is required.
func (s *shape) requires(i int) bool { return s.required&(1<<i) != 0 }

// kinds is a set of kinds of JSON values.
type kinds uint8

const (
	aNull kinds = 1 << iota
	aBoolean
	aString
	anInteger
	anArray
	anObject
)

// kindOf returns the kind of a value.
func kindOf(v document.Value) kinds {
	switch v.Kind() {
	case '"':
		return aString
	case '{':
		return anObject
	case '[':
		return anArray
	case '0':
		return anInteger // or another number, which fits refuses
	case 't', 'f':
		return aBoolean
	case 'n':
		return aNull
	}
	return 0 // a value that is missing or not JSON
}

// fits reports whether a value has the shape.
func (s *shape) fits(v document.Value) bool {
	if s.alternatives != nil {
		return slices.ContainsFunc(s.alternatives, func(a *shape) bool { return a.fits(v) })
	}
	kind := kindOf(v)
	if s.kinds&kind == 0 {
		return false
	}
	switch kind {
	case aString:
		return s.fitsText(v)
	case anObject:
		return s.fitsObject(v)
	case anArray:
		return s.fitsList(v)
	case anInteger:
		n, ok := integer(v.Raw())
		return ok && (!s.bounded || n >= s.minimum)
	}
	return true
}

func (s *shape) fitsObject(v document.Value) bool {
	if v.Len() < s.minProperties {
		return false
	}
	there, next := uint64(0), 0
	for m := range v.All() {
		i := s.find(m, next)
		switch {
		case i >= 0:
			there |= 1 << i
			next = i + 1
			if !s.fields[i].shape.fits(m) {
				return false
			}
		case s.closed, s.others != nil && !s.others.fits(m):
			return false
		}
	}
	return there&s.required == s.required
}

// find returns the index of the field of a member, or -1. Members are often in the
// order of the schema, so it starts with the field that would come next.
func (s *shape) find(m document.Value, next int) int {
	key := m.RawKey()
	if len(key) < 2 || key[0] != '"' || key[len(key)-1] != '"' { // a broken key
		name := m.Key()
		return slices.IndexFunc(s.fields, func(f field) bool { return f.name == name })
	}
	key = key[1 : len(key)-1]
	for i := next; i < len(s.fields); i++ {
		if s.fields[i].name == string(key) {
			return i
		}
	}
	for i := range min(next, len(s.fields)) {
		if s.fields[i].name == string(key) {
			return i
		}
	}
	if bytes.IndexByte(key, '\\') < 0 {
		return -1
	}
	name := m.Key()
	return slices.IndexFunc(s.fields, func(f field) bool { return f.name == name })
}

func (s *shape) fitsList(v document.Value) bool {
	if v.Len() < s.minItems {
		return false
	}
	if s.items != nil {
		for item := range v.All() {
			if !s.items.fits(item) {
				return false
			}
		}
	}
	return true
}

func (s *shape) fitsText(v document.Value) bool {
	raw := v.Raw()
	if s.nonEmpty && len(raw) == len(`""`) {
		return false
	}
	if s.words == nil && s.format == nil && s.pattern == nil {
		return true
	}
	text := raw[1 : len(raw)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		text = []byte(v.Text())
	}
	switch {
	case s.words != nil && !slices.ContainsFunc(s.words, func(w string) bool { return w == string(text) }):
		return false
	case s.format != nil:
		return s.format.check(text) // stricter than the pattern
	case s.pattern != nil:
		return s.pattern.Match(text)
	}
	return true
}

// integer parses an integer, which can also be written as 2.0 or 2e1. Those of a strict
// document fit an int64.
func integer(raw []byte) (n int64, ok bool) {
	if n, err := strconv.ParseInt(string(raw), 10, 64); err == nil {
		return n, true
	}
	r, ok := new(big.Rat).SetString(string(raw))
	if !ok || !r.IsInt() {
		return 0, false
	}
	return r.Num().Int64(), true
}

// alternative returns the shape that a value was probably meant to have: the first
// alternative of its kind whose items are of the kind of its first item, else the first of
// its kind, else the first of all.
func (s *shape) alternative(v document.Value) *shape {
	if s.alternatives == nil {
		return s
	}
	var sameKind *shape
	for _, a := range s.alternatives {
		a = a.alternative(v)
		if a.kinds&kindOf(v) == 0 {
			continue
		}
		first, ok := firstRead(v)
		if !ok || a.items == nil || a.items.alternative(first).kinds&kindOf(first) != 0 {
			return a
		}
		sameKind = cmp.Or(sameKind, a)
	}
	return cmp.Or(sameKind, s.alternatives[0].alternative(v))
}

// firstRead returns the first item of an array that was read.
func firstRead(v document.Value) (document.Value, bool) {
	for i := range v.Len() {
		if item, ok := v.At(i); ok && !item.Broken() {
			return item, true
		}
	}
	return document.Value{}, false
}
