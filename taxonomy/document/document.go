// Package document parses strict JSON and keeps the position of every value.
//
// [Parse] accepts a subset of JSON that all readers understand alike: UTF-8, no
// duplicate keys, no lone surrogates, limited nesting, and only numbers that readers
// with float64 do not change. A [SyntaxError] says what is wrong and where.
//
// A [Document] is a tree of values. [Document.Find] and [Document.Locate] turn an
// [issue.Path] into a [Value] and into lines and columns, counted in bytes,
// characters and UTF-16 code units.
//
// [Options.Recover] is for editors: it gives a document of any text. [Document.SyntaxErrors] says
// what is wrong with it, and its values what may be concluded from them: [Value.Broken] and
// [Value.Open]. [Document.At] says what is at an offset: the object or array around it, whether a
// key or a value belongs there, and what a completion replaces.
//
// [Canonical] returns the canonical form (RFC 8785), which this module hashes and
// measures.
package document

import (
	"iter"
	"math"
	"slices"
	"sync"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/textpos"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The limits of [Parse], besides jcs.MaxDepth.
const (
	// maxNumberLength is how many characters a number can have.
	maxNumberLength = 64
	// maxSafeInteger is the largest magnitude of a number. A float64 can't
	// tell larger integers apart, so canonical JSON would change them.
	maxSafeInteger = 1<<53 - 1
)

// Document is a strict JSON text with the position of every value. It is
// immutable and safe for concurrent use.
type Document struct {
	text   []byte
	copied string // the text again; strings and keys are cut from it
	nodes  []node
	// items has the children of each object and array as consecutive indexes
	// of nodes.
	items []int32

	errors []*SyntaxError

	// lines are found when first needed: a valid document needs none.
	findLines sync.Once
	lines     *textpos.Lines
}

// node is a value in the flat tree of a Document, which has them in the order of the
// text. Offsets fit 32 bits, since Parse refuses larger texts.
type node struct {
	kind             byte
	escaped          bool // a string with escapes
	keyEscaped       bool // a key with escapes
	marks            marks
	start, end       int32 // of the value
	keyStart, keyEnd int32 // of the key with its quotes; both 0 without a key
	first, len       int32 // the children: items[first:first+len]
}

// Parse reads one JSON value strictly: UTF-8 without a byte order mark, no
// duplicate keys, no lone surrogates, at most 64 levels of nesting, and only numbers
// that canonical JSON can hold. Every failure is a [*SyntaxError]. The document
// keeps text, which must not be changed afterwards.
func Parse(text []byte) (*Document, error) { return ParseWith(text, nil) }

// Options configure [ParseWith]. The zero value and nil are the defaults.
type Options struct {
	// Interrupt is called from time to time. If it returns an error, parsing ends with
	// that error.
	Interrupt func() error
	// Recover reads on after a syntax error, for editors: ParseWith returns a document of
	// any text up to 2 GiB, with its [Document.SyntaxErrors].
	Recover bool
}

// ParseWith parses a text as [Parse] does, with options.
func ParseWith(text []byte, o *Options) (*Document, error) {
	if o == nil {
		o = new(Options)
	}
	if len(text) > math.MaxInt32 {
		return nil, &SyntaxError{Reason: "the text is larger than 2 GiB", Path: issue.Root}
	}
	var open [64]int32 // stays on the stack
	s := scanner{whole: text, text: text, copied: string(text), open: open[:0], interrupt: o.Interrupt}
	ok, valid := s.scan(), utf8.Valid(text)
	if !valid && s.interrupted == nil {
		// The first error is the byte that is not UTF-8, or something before it.
		s = scanner{whole: text, text: text[:validLength(text)], copied: s.copied, open: open[:0], interrupt: o.Interrupt}
		ok = s.scan() && valid
	}
	if s.interrupted != nil {
		return nil, s.interrupted
	}
	d := &Document{text: text, copied: s.copied, nodes: s.nodes, items: s.items}
	if ok {
		return d, nil
	}
	err := s.syntaxError(d)
	if s.inside >= 0 {
		err.Path = Value{d, s.inside}.Path()
	}
	if !o.Recover {
		return nil, err
	}
	if err := d.recover(err, valid, o); err != nil {
		return nil, err
	}
	return d, nil
}

// validLength returns how many bytes come before the first that is not UTF-8.
func validLength(text []byte) int {
	n := 0
	for {
		r, size := utf8.DecodeRune(text[n:])
		if r == utf8.RuneError && size <= 1 {
			return n
		}
		n += size
	}
}

// Text returns the text of the document. It must not be changed.
func (d *Document) Text() []byte { return d.text }

// String returns the text as a string, which shares its memory with [Value.Text] and
// [Value.Key].
func (d *Document) String() string { return d.copied }

// Root returns the value of the whole document, or the zero Value for a zero
// Document.
func (d *Document) Root() Value {
	if len(d.nodes) == 0 {
		return Value{}
	}
	return Value{d, 0}
}

// Find returns the value at a path.
func (d *Document) Find(path issue.Path) (Value, bool) {
	if v, ok := d.walk(path); ok {
		return v, true
	}
	return Value{}, false
}

// walk follows a path as far as the document has it.
func (d *Document) walk(path issue.Path) (v Value, exact bool) {
	v = d.Root()
	for _, step := range path {
		next, ok := v.step(step)
		if !ok {
			return v, false
		}
		v = next
	}
	return v, v.doc != nil
}

// Value is one value of a [Document]. The zero Value is no value: its Kind is 0,
// and its texts and ranges are empty.
type Value struct {
	doc *Document
	at  int32
}

// Range is the bytes of a text from Start up to, not including, End.
type Range struct{ Start, End int }

var noNode node

func (v Value) node() *node {
	if v.doc == nil {
		return &noNode
	}
	return &v.doc.nodes[v.at]
}

// cut returns a part of the text.
func (v Value) cut(start, end int32) []byte {
	if v.doc == nil {
		return nil
	}
	return v.doc.text[start:end:end]
}

// Kind returns 'n' for null, 't' for true, 'f' for false, '"' for a string, '0'
// for a number, '{' for an object and '[' for an array. In a document that is not strict, it is 'w'
// for another word, and 0 for a value that is missing.
func (v Value) Kind() byte { return v.node().kind }

// Exists reports whether v is a value, and not the zero Value.
func (v Value) Exists() bool { return v.doc != nil }

// IsMember reports whether the value is a member of an object.
func (v Value) IsMember() bool { return v.node().keyEnd > 0 }

// Whole returns the place of the value with its key.
func (v Value) Whole() Range { n := v.node(); return Range{n.from(), int(n.end)} }

// Range returns the place of the value in the text.
func (v Value) Range() Range { n := v.node(); return Range{int(n.start), int(n.end)} }

// KeyRange returns the place of the value's key with its quotes, or the zero Range
// if the value is not a member of an object.
func (v Value) KeyRange() Range { n := v.node(); return Range{int(n.keyStart), int(n.keyEnd)} }

// Raw returns the text of the value. It must not be changed.
func (v Value) Raw() []byte { n := v.node(); return v.cut(n.start, n.end) }

// RawKey returns the text of the value's key with its quotes, or nothing if the
// value is not a member of an object. It must not be changed.
func (v Value) RawKey() []byte { n := v.node(); return v.cut(n.keyStart, n.keyEnd) }

// Key returns the value's key in its object, or "".
func (v Value) Key() string {
	if v.doc == nil {
		return ""
	}
	return v.node().key(v.doc)
}

// key returns the key of a node of a document, or "".
func (n *node) key(d *Document) string {
	switch {
	case n.keyEnd == 0:
		return ""
	case n.marks.hasAny(hasBrokenKey):
		return unquote(d.text[n.keyStart:n.keyEnd])
	case n.keyEscaped:
		return jcs.Unquote(d.text[n.keyStart:n.keyEnd])
	}
	return d.copied[n.keyStart+1 : n.keyEnd-1]
}

// Text returns the string of a string value, or another word, and "" for other kinds.
func (v Value) Text() string {
	n := v.node()
	switch {
	case n.kind != '"' && n.kind != 'w':
		return ""
	case n.marks.hasAny(isBroken):
		return unquote(v.Raw())
	case n.escaped:
		return jcs.Unquote(v.Raw())
	}
	return v.doc.copied[n.start+1 : n.end-1]
}

// Len returns the number of members of an object or items of an array.
func (v Value) Len() int { return int(v.node().len) }

// All yields the members of an object or the items of an array, in order.
func (v Value) All() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		for _, at := range v.items() {
			if !yield(Value{v.doc, at}) {
				return
			}
		}
	}
}

func (v Value) items() []int32 {
	n := v.node()
	if n.len == 0 {
		return nil
	}
	return v.doc.items[n.first : n.first+n.len]
}

// Get returns the member of an object with the key. It takes time proportional to
// the number of members.
func (v Value) Get(key string) (Value, bool) {
	if v.Kind() == '{' {
		for m := range v.All() {
			if m.Key() == key {
				return m, true
			}
		}
	}
	return Value{}, false
}

// At returns item i of an array, in constant time.
func (v Value) At(i int) (Value, bool) {
	if v.Kind() != '[' || i < 0 || i >= v.Len() {
		return Value{}, false
	}
	return Value{v.doc, v.items()[i]}, true
}

// step goes one step down.
func (v Value) step(s issue.Step) (Value, bool) {
	if i, ok := s.IsIndex(); ok {
		return v.At(i)
	}
	return v.Get(s.Name())
}

// Path returns the path of the value, or nil for the zero Value.
func (v Value) Path() issue.Path {
	if v.doc == nil {
		return nil
	}
	path := make(issue.Path, 0, 6) // room for most
	for at := v.doc.Root(); at != v; {
		// The child with the value is the last one that does not come after it.
		i, found := slices.BinarySearch(at.items(), v.at)
		if !found {
			i--
		}
		at.at = at.items()[i]
		path = at.appendStep(path, i)
	}
	return path
}

// appendStep appends the last step of the path of a value, which is child i. In the loop of
// Path, each step would be allocated.
func (v Value) appendStep(path issue.Path, i int) issue.Path {
	if v.node().keyEnd > 0 {
		return append(path, issue.Root.Key(v.Key())...)
	}
	return append(path, issue.Root.Index(i)...)
}

// Location is the place of a path in the text of a document.
type Location struct {
	// Value is the place of the value.
	Value Span
	// Key is the place of the value's key with its quotes, or the zero Span if
	// the value is not a member of an object.
	Key Span
	// Exact is false if the document has no such value, such as a missing
	// field. The location is then that of the nearest value that contains it.
	Exact bool
}

// Span is a part of a text from Start up to, not including, End.
type Span struct{ Start, End Point }

// Point is a place in a text, in the units of editors and tools.
type Point struct {
	// Offset counts bytes from 0.
	Offset int
	// Line counts from 1.
	Line int
	// Column counts the characters (code points) of the line from 1.
	Column int
	// UTF8 and UTF16 are the column in bytes and in UTF-16 code units, from 1.
	UTF8, UTF16 int
}

// Locate returns the location of a path.
func (d *Document) Locate(path issue.Path) Location {
	v, exact := d.walk(path)
	l := Location{Value: d.span(v.Range()), Exact: exact}
	if key := v.KeyRange(); key != (Range{}) {
		l.Key = d.span(key)
	}
	return l
}

func (d *Document) span(r Range) Span { return Span{d.Point(r.Start), d.Point(r.End)} }

// Point returns the place of a byte offset. Lines end with a line feed, as
// compilers and other tools count them.
func (d *Document) Point(offset int) Point {
	d.findLines.Do(func() { d.lines = textpos.New(d.text, textpos.LineFeeds) })
	return Point(d.lines.Point(offset))
}
