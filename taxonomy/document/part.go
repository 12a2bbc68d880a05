package document

import (
	"cmp"
	"slices"
	"sync"
	"unicode/utf8"
)

// Part is an object that documents are likely to have, with its tree: [Pool.Parse] copies
// the tree instead of reading the text again. A part is immutable and safe for concurrent
// use.
type Part struct {
	doc    *Document
	levels int // of objects and arrays
	value  any
	holds  sync.Map // of properties, bool
}

// NewPart returns a part. The text is a JSON object, and value is what it means to the
// caller.
func NewPart(text string, value any) (*Part, error) {
	doc, err := Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	doc.copied = text // a part of a release need not be kept twice
	return &Part{doc: doc, levels: doc.Root().levels(), value: value}, nil
}

// levels returns how deep objects and arrays nest in a value, itself included.
func (v Value) levels() int {
	if v.Kind() != '{' && v.Kind() != '[' {
		return 0
	}
	most := 0
	for m := range v.All() {
		most = max(most, m.levels())
	}
	return most + 1
}

// Text returns the text of the part.
func (p *Part) Text() string { return p.doc.copied }

// Value returns what the part means.
func (p *Part) Value() any { return p.value }

// Holds reports whether a property holds for the part. It is checked once for all
// documents with the part, so check must depend on the value alone.
func (p *Part) Holds(property any, check func(Value) bool) bool {
	if known, ok := p.holds.Load(property); ok {
		return known == true
	}
	is := check(p.doc.Root())
	p.holds.Store(property, is)
	return is
}

// maxPartLevel is how many objects and arrays can be around a part. A resolved document
// has its parts in three.
const maxPartLevel = 3

// Part returns the part that the value is, or nil if it was not recognized as one.
func (v Value) Part() *Part {
	if !v.node().part {
		return nil
	}
	i, _ := slices.BinarySearchFunc(v.doc.parts, v.at, func(p placed, at int32) int { return cmp.Compare(p.at, at) })
	return v.doc.parts[i].part
}

// placed is a part with its place in the tree of a document.
type placed struct {
	at   int32
	part *Part
}

// part adds the part that begins here, inside depth objects and arrays, to the tree. It
// reports whether there is one.
func (s *scanner) part(p place, depth int) bool {
	if depth > maxPartLevel {
		return false
	}
	part := s.guess(s.text[s.at:])
	if part == nil || depth+part.levels > MaxDepth || !startsWith(s.text[s.at:], part.Text()) {
		return false
	}
	self, item, offset := int32(len(s.nodes)), int32(len(s.items)), int32(s.at)
	s.nodes = append(s.nodes, part.doc.nodes...)
	tree := s.nodes[self:]
	for i := range tree {
		n := &tree[i]
		n.start, n.end, n.first = n.start+offset, n.end+offset, n.first+item
		if n.keyEnd > 0 {
			n.keyStart, n.keyEnd = n.keyStart+offset, n.keyEnd+offset
		}
	}
	root := &tree[0]
	root.keyStart, root.keyEnd, root.keyEscaped, root.part = p.keyStart, p.keyEnd, p.keyEscaped, true
	s.items = append(s.items, part.doc.items...)
	for i := range s.items[item:] {
		s.items[item:][i] += self
	}
	s.parts = append(s.parts, placed{self, part})
	s.at += len(part.Text())
	return true
}

// validText reports whether the text is UTF-8. Parts are.
func (s *scanner) validText() bool {
	begin := 0
	for _, p := range s.parts {
		n := &s.nodes[p.at]
		if !utf8.Valid(s.text[begin:n.start]) {
			return false
		}
		begin = int(n.end)
	}
	return utf8.Valid(s.text[begin:])
}

// startsWith is bytes.HasPrefix for a prefix that is a string.
func startsWith(text []byte, prefix string) bool {
	return len(text) >= len(prefix) && string(text[:len(prefix)]) == prefix
}

// Pool keeps the memory of documents that are no longer used, for others: a server that
// reads many has less garbage to collect. The zero Pool is empty, and a nil one keeps
// nothing. A Pool is safe for concurrent use.
type Pool struct{ free sync.Pool } // of *Document

// maxPooled is the number of values of the largest document whose memory is kept.
const maxPooled = 1 << 15

// Parse is [Parse] for documents that probably have known parts. Guess returns the part
// that the rest of a text probably begins with, or nil; a wrong guess costs time, and nothing
// else. [Value.Part] returns the parts that were found. Guess and the pool may be nil.
func (p *Pool) Parse(text []byte, guess func(rest []byte) *Part) (*Document, error) {
	return parse(text, guess, p.take())
}

// take returns a document whose content does not matter.
func (p *Pool) take() *Document {
	if p != nil {
		if d, ok := p.free.Get().(*Document); ok {
			return d
		}
	}
	return new(Document)
}

// Put keeps the memory of a document. Neither the document nor its values must be used
// afterwards, but the texts that they returned remain valid.
func (p *Pool) Put(d *Document) {
	if p != nil && cap(d.nodes) <= maxPooled {
		*d = Document{nodes: d.nodes[:0], items: d.items[:0]}
		p.free.Put(d)
	}
}
