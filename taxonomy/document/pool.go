package document

import "sync"

// Pool keeps the memory of documents that are no longer used, for others: a server that
// reads many has less garbage to collect. The zero Pool is empty, and a nil one keeps
// nothing. A Pool is safe for concurrent use.
type Pool struct{ free sync.Pool } // of *Document

// maxPooled is the number of values of the largest document whose memory is kept.
const maxPooled = 1 << 15

// Parse is [Parse].
func (p *Pool) Parse(text []byte) (*Document, error) { return parse(text, nil, p.take()) }

// ParseWith is [ParseWith].
func (p *Pool) ParseWith(text []byte, guess func(rest []byte) *Part) (*Document, error) {
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
