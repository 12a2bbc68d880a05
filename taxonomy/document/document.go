package document

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// What a strict JSON text may hold; see [ParseDocument].
const (
	// MaxDepth is how deep objects and arrays may nest.
	MaxDepth = jcs.MaxDepth
	// MaxNumberLength is the most characters of a number.
	MaxNumberLength = 64
	// MaxSafeInteger is the largest number by magnitude: beyond it a float64
	// can't tell integers apart, so canonical JSON would change them.
	MaxSafeInteger = 1<<53 - 1
)

// Document is a JSON text that has passed the strict decoder, with the place
// of every value in it. It never changes and is safe for concurrent use.
type Document struct {
	text  []byte
	nodes []node
	// items holds the nodes of the children of each object and array, side
	// by side and in order.
	items []int32

	// Places are found at the first question: a document with nothing wrong
	// in it is never asked.
	findMarks sync.Once
	marks     []Point
}

// node is a value in the flat tree of a Document. Offsets fit 32 bits, since
// ParseDocument refuses larger texts.
type node struct {
	kind             jsontext.Kind
	start, end       int32 // of the value
	keyStart, keyEnd int32 // of the key with its quotes; both 0 without a key
	parent           int32 // -1 for the root
	index            int32 // the place among the children of the parent
	first, len       int32 // the children: items[first:first+len]
}

// SyntaxError is a text that is no strict JSON.
type SyntaxError struct {
	// Point is where the trouble is.
	Point Point
	// Path is the value that holds it.
	Path issue.Path
	// Reason says what is wrong.
	Reason string
	// DuplicateKey is set where an object has one key twice.
	DuplicateKey bool
}

// Error prints the place and the reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Point.Line, e.Point.Column, e.Reason)
}

// ParseDocument reads one JSON value strictly: UTF-8 without a byte order
// mark, no duplicate keys, no lone surrogates, at most [MaxDepth] levels, and
// numbers that canonical JSON can hold. Every failure is a [*SyntaxError]. The
// document keeps text, which must not be changed any more.
func Parse(text []byte) (*Document, error) {
	if len(text) > math.MaxInt32 {
		return nil, &SyntaxError{Reason: "the text is larger than 2 GiB", Path: issue.Root}
	}
	var open [64]int32 // stays on the stack
	s := treeScanner{text: text, open: open[:0]}
	s.makeRoom()
	if s.scan() {
		return &Document{text: text, nodes: s.nodes, items: s.items}, nil
	}
	d := &Document{text: text, nodes: s.nodes[:0], items: s.items[:0]}
	return d.parse()
}

// parse fills the tree with the general decoder, or says why it can't.
func (d *Document) parse() (*Document, error) {
	text := d.text
	if bytes.HasPrefix(text, []byte{0xFF, 0xFE}) || bytes.HasPrefix(text, []byte{0xFE, 0xFF}) {
		return nil, d.syntaxError(0, -1, "the text is UTF-16: save it as UTF-8")
	}
	if bytes.HasPrefix(text, []byte("\uFEFF")) {
		return nil, d.syntaxError(0, -1, "the text begins with a byte order mark: save it as UTF-8 without one")
	}
	p := parser{doc: d, dec: jsontext.NewDecoder(bytes.NewBuffer(text))}
	if err := p.value(node{parent: -1}, 0); err != nil {
		return nil, err
	}
	if rest := bytes.TrimLeft(text[d.nodes[0].end:], " \t\r\n"); len(rest) > 0 {
		return nil, d.syntaxError(len(text)-len(rest), -1, "there is more text after the JSON value: remove it")
	}
	return d, nil
}

// parser fills the tree of a Document from tokens.
type parser struct {
	doc *Document
	dec *jsontext.Decoder
	// open holds the children so far of the objects and arrays that are not
	// closed yet.
	open []int32
}

// value reads the next value and all in it, given what is known of its node.
// The recursion ends at MaxDepth.
func (p *parser) value(n node, depth int) error {
	n.kind = p.dec.PeekKind()
	self := int32(len(p.doc.nodes))
	p.doc.nodes = append(p.doc.nodes, n)
	switch n.kind {
	case '{', '[':
		if depth == MaxDepth {
			return p.doc.syntaxError(p.offset(), n.parent, fmt.Sprintf("objects and arrays nest deeper than %d levels: use fewer", MaxDepth))
		}
		return p.children(self, depth+1)
	}
	raw, err := p.dec.ReadValue()
	if err != nil {
		return p.fail(err, n.parent, n.keyEnd)
	}
	end := int32(p.dec.InputOffset())
	p.doc.nodes[self].start, p.doc.nodes[self].end = end-int32(len(raw)), end
	if n.kind == '0' {
		if reason := checkNumber(raw); reason != "" {
			return p.doc.syntaxError(int(end)-len(raw), self, reason)
		}
	}
	return nil
}

// children reads an object or array, and all in it.
func (p *parser) children(self int32, depth int) error {
	if _, err := p.dec.ReadToken(); err != nil {
		return p.fail(err, self, 0)
	}
	p.doc.nodes[self].start = int32(p.dec.InputOffset()) - 1
	base := len(p.open)
	for {
		next := p.dec.PeekKind()
		if next == '}' || next == ']' {
			break
		}
		child := node{parent: self, index: int32(len(p.open) - base)}
		if p.doc.nodes[self].kind == '{' {
			if next != '"' && next != 0 {
				return p.wrong(p.offset(), self, 0)
			}
			key, err := p.dec.ReadValue()
			if err != nil {
				return p.fail(err, self, 0)
			}
			child.keyEnd = int32(p.dec.InputOffset())
			child.keyStart = child.keyEnd - int32(len(key))
		}
		p.open = append(p.open, int32(len(p.doc.nodes)))
		if err := p.value(child, depth); err != nil {
			return err
		}
	}
	if _, err := p.dec.ReadToken(); err != nil {
		return p.fail(err, self, 0)
	}
	n := &p.doc.nodes[self]
	n.end = int32(p.dec.InputOffset())
	n.first, n.len = int32(len(p.doc.items)), int32(len(p.open)-base)
	p.doc.items = append(p.doc.items, p.open[base:]...)
	p.open = p.open[:base]
	return nil
}

// offset is where the next token begins, white space and separators skipped.
func (p *parser) offset() int {
	at := int(p.dec.InputOffset())
	for at < len(p.doc.text) && bytes.IndexByte([]byte(" \t\r\n,:"), p.doc.text[at]) >= 0 {
		at++
	}
	return at
}

// fail turns an error of the decoder into ours; at is the value that holds it,
// and keyEnd the end of its key that has no value yet, or 0.
func (p *parser) fail(err error, at, keyEnd int32) error {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return p.doc.syntaxError(len(p.doc.text), at, p.unfinished(at))
	case !errors.As(err, &syntactic):
		return p.wrong(p.offset(), at, keyEnd)
	case errors.Is(err, jsontext.ErrDuplicateName):
		key := syntactic.JSONPointer.LastToken()
		e := p.doc.syntaxError(p.offset(), at, fmt.Sprintf("the key %q stands twice in one object", prose.Clip(key)))
		e.DuplicateKey = true
		return e
	}
	return p.wrong(int(syntactic.ByteOffset), at, keyEnd)
}

// wrong is the error of what stands at an offset.
func (p *parser) wrong(offset int, at, keyEnd int32) error {
	s := slip{text: p.doc.text, at: offset, start: p.offset(), keyEnd: int(keyEnd)}
	if at >= 0 {
		s.kind = byte(p.doc.nodes[at].kind)
	}
	return p.doc.syntaxError(offset, at, s.reason())
}

// unfinished says what a text that ends too early has begun last.
func (p *parser) unfinished(at int32) string {
	start, what := p.offset(), "string"
	if len(bytes.Trim(p.doc.text, jsonSpace)) == 0 {
		return "the text is empty: want a JSON value"
	}
	const reason = "the text ends before the JSON value does"
	switch inString := start < len(p.doc.text) && p.doc.text[start] == '"'; {
	case inString:
	case at < 0:
		return reason
	default:
		n := p.doc.nodes[at]
		if start, what = int(n.start), "array"; n.kind == '{' {
			what = "object"
		}
	}
	begins := p.doc.Point(start)
	return fmt.Sprintf("%s: the %s of line %d, column %d is not closed", reason, what, begins.Line, begins.Column)
}

// checkNumber says why a number can't be kept, or "".
func checkNumber(raw []byte) string {
	if len(raw) > MaxNumberLength {
		return fmt.Sprintf("a number has at most %d characters: write it as a string", MaxNumberLength)
	}
	f, err := strconv.ParseFloat(string(raw), 64)
	switch {
	case err != nil || math.Abs(f) > MaxSafeInteger:
		return fmt.Sprintf("the number %s is beyond ±%d, so JSON readers would change it: write it as a string", raw, int64(MaxSafeInteger))
	case f == 0 && bytes.ContainsAny(mantissa(raw), "123456789"):
		return fmt.Sprintf("the number %s is too small for a 64-bit float: write it as a string", raw)
	}
	return ""
}

func mantissa(number []byte) []byte {
	if i := bytes.IndexAny(number, "eE"); i >= 0 {
		return number[:i]
	}
	return number
}

func (d *Document) syntaxError(offset int, at int32, reason string) *SyntaxError {
	path := issue.Root
	if at >= 0 {
		path = Value{d, at}.Path()
	}
	return &SyntaxError{Point: d.Point(offset), Path: path, Reason: reason}
}

// Text returns the text of the document. It must not be changed.
func (d *Document) Text() []byte { return d.text }

// Root returns the value of the whole document.
func (d *Document) Root() Value { return Value{d, 0} }

// Find returns the value at a path.
func (d *Document) Find(path issue.Path) (Value, bool) {
	v := d.Root()
	for _, step := range path {
		var ok bool
		if v, ok = v.step(step); !ok {
			return Value{}, false
		}
	}
	return v, true
}
