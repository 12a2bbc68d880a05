package document

import (
	"math"
	"sync"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The limits of [Parse].
const (
	// MaxDepth is how deep objects and arrays can nest.
	MaxDepth = jcs.MaxDepth
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
	// parts are those that ParseWith recognized, in the order of the text.
	parts []placed

	// lines are found when first needed: a valid document needs none.
	findLines sync.Once
	lines     *Lines
}

// node is a value in the flat tree of a Document, which has them in the order of the
// text. Offsets fit 32 bits, since Parse refuses larger texts.
type node struct {
	kind             byte
	escaped          bool  // a string with escapes
	keyEscaped       bool  // a key with escapes
	part             bool  // a part of the document
	start, end       int32 // of the value
	keyStart, keyEnd int32 // of the key with its quotes; both 0 without a key
	first, len       int32 // the children: items[first:first+len]
}

// Parse reads one JSON value strictly: UTF-8 without a byte order mark, no
// duplicate keys, no lone surrogates, at most [MaxDepth] levels, and only numbers
// that canonical JSON can hold. Every failure is a [*SyntaxError]. The document
// keeps text, which must not be changed afterwards.
func Parse(text []byte) (*Document, error) { return parse(text, nil, new(Document)) }

// parse reads a text into a document, whose memory is used again.
func parse(text []byte, guess func([]byte) *Part, d *Document) (*Document, error) {
	if len(text) > math.MaxInt32 {
		return nil, &SyntaxError{Reason: "the text is larger than 2 GiB", Path: issue.Root}
	}
	var open [64]int32 // stays on the stack
	s := scanner{whole: text, text: text, copied: string(text), open: open[:0], guess: guess, nodes: d.nodes[:0], items: d.items[:0]}
	ok := s.scan() && s.validText()
	if !ok && !utf8.Valid(text) {
		// The first error is the byte that is not UTF-8, or something before it.
		s = scanner{whole: text, text: text[:validLength(text)], copied: s.copied, open: open[:0]}
		s.scan()
	}
	*d = Document{text: text, copied: s.copied, nodes: s.nodes, items: s.items, parts: s.parts}
	if !ok {
		return nil, s.syntaxError(d)
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
