package derived

import (
	"bytes"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Parser parses resolved documents, faster than package document does. Most were resolved with a release that is
// published, so most of their text is that of elements and categories of the release: the
// parser compares it with theirs, and reads only the rest. A parser is safe for concurrent
// use.
type Parser struct {
	release *taxonomy.Release
	heads   func() []*document.Part // of the datachain type and the categories, sorted by text

	mu       sync.RWMutex
	elements map[string]*document.Part // by id
	size     int                       // of their texts
}

// maxPartBytes limits the text of the elements that a parser keeps as parts. A part takes
// two to three times the memory of its text.
const maxPartBytes = 4 << 20

// How the canonical JSON of elements begins, without guidance for authors and with it.
var elementStart, guidedStart = []byte(`{"category_id":`), []byte(`{"authoring_guidance":`)

// NewParser returns a parser for documents that were probably resolved with a
// release.
func NewParser(r *taxonomy.Release) *Parser {
	p := &Parser{release: r, elements: make(map[string]*document.Part)}
	p.heads = sync.OnceValue(p.newHeads)
	return p
}

// Parse is [document.Parse]. The result is the same for any text.
func (p *Parser) Parse(text []byte) (*document.Document, error) { return p.ParseIn(nil, text) }

// ParseIn is Parse with the memory of a pool, which can be nil.
func (p *Parser) ParseIn(pool *document.Pool, text []byte) (*document.Document, error) {
	// Looking for ids takes no more time than reading the text, whatever it is.
	left := len(text)
	return pool.Parse(text, func(rest []byte) *document.Part {
		if !bytes.HasPrefix(rest, elementStart) && !bytes.HasPrefix(rest, guidedStart) {
			return p.head(rest)
		}
		id, searched := firstID(rest[:min(left, len(rest))])
		left -= searched
		if part := p.element(id); part != nil {
			return part
		}
		return p.head(rest) // categories have guidance, too
	})
}

// newHeads returns the parts of the datachain type and the categories.
func (p *Parser) newHeads() []*document.Part {
	heads := make([]*document.Part, 0, 1+len(p.release.Categories()))
	add := func(text string, value any) {
		if part, err := document.NewPart(text, value); err == nil { // a release is strict JSON
			heads = append(heads, part)
		}
	}
	add(p.release.TypeJSON(), p.release.Type())
	for _, c := range p.release.Categories() {
		add(p.release.CategoryJSON(c.ID), c)
	}
	slices.SortFunc(heads, func(a, b *document.Part) int { return strings.Compare(a.Text(), b.Text()) })
	return heads
}

// head returns the datachain type or the category that a text begins with, or nil. No JSON
// object is the beginning of another, so there is one at most.
func (p *Parser) head(rest []byte) *document.Part {
	heads := p.heads()
	i, found := slices.BinarySearchFunc(heads, rest, func(head *document.Part, rest []byte) int {
		// Comparisons, unlike calls, do not copy the text.
		switch text, rest := head.Text(), rest[:min(len(rest), len(head.Text()))]; {
		case text < string(rest):
			return -1
		case text > string(rest):
			return 1
		}
		return 0
	})
	if !found {
		return nil
	}
	return heads[i]
}

// firstID returns the first id in a text, and how much of the text was searched. In the
// canonical JSON of an element that is the id of the element, since only texts and words
// come before it.
func firstID(text []byte) (id []byte, searched int) {
	const before = `,"id":"`
	start := bytes.Index(text, []byte(before))
	if start < 0 {
		return nil, len(text)
	}
	start += len(before)
	length := bytes.IndexByte(text[start:], '"')
	if length < 0 {
		return nil, len(text)
	}
	return text[start : start+length], start + length
}

// element returns an element of the release as a part, or nil.
func (p *Parser) element(id []byte) *document.Part {
	p.mu.RLock()
	part := p.elements[string(id)]
	p.mu.RUnlock()
	if part != nil || len(id) == 0 {
		return part
	}
	e, ok := p.release.Element(string(id))
	if !ok {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	text := p.release.ElementJSON(e.ID)
	if p.elements[e.ID] != nil || p.size+len(text) > maxPartBytes {
		return p.elements[e.ID]
	}
	part, err := document.NewPart(text, e)
	if err != nil {
		return nil // a file that was not verified is not a reason to fail
	}
	p.elements[e.ID] = part
	p.size += len(text)
	return part
}
