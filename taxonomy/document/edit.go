package document

import (
	"cmp"
	"fmt"
	"slices"
)

// Edit is a change of a text: it replaces the bytes of a range. An empty range is
// an insertion, an empty text a removal.
type Edit struct {
	Range Range
	Text  []byte
}

// ApplyEdits makes edits and returns the new text. Their ranges are those of the
// given text; they can be in any order, but must be inside the text and must not
// overlap. Insertions at the same place are made in the order given.
func ApplyEdits(text []byte, edits []Edit) ([]byte, error) {
	p := newPatch(text)
	if err := p.apply(edits); err != nil {
		return nil, err
	}
	return p.result(), nil
}

// MergeEdits returns the edits of a text, in order, that do the same as two rounds of
// edits: those of the text, then those of the text that these give.
func MergeEdits(text []byte, first, second []Edit) ([]Edit, error) {
	p := newPatch(text)
	for _, edits := range [][]Edit{first, second} {
		if err := p.apply(edits); err != nil {
			return nil, err
		}
	}
	return p.edits(), nil
}

// patch is the combined effect of several rounds of edits on a text.
type patch struct {
	text []byte
	// parts are the new text: each is a range of the original text or, if that
	// is empty, a new text.
	parts []Edit
	size  int // of the new text
}

func newPatch(text []byte) *patch {
	return &patch{text: text, parts: []Edit{{Range: Range{0, len(text)}}}, size: len(text)}
}

// apply adds edits of the text as changed so far, as [ApplyEdits] makes them.
func (p *patch) apply(edits []Edit) error {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Range.Start, b.Range.Start), cmp.Compare(a.Range.End, b.Range.End))
	})
	end := 0
	for _, e := range edits {
		if e.Range.Start < end || e.Range.End < e.Range.Start || e.Range.End > p.size {
			return fmt.Errorf("document: the edit of bytes %d to %d overlaps another, or is not in the text", e.Range.Start, e.Range.End)
		}
		end = e.Range.End
	}
	c := cutter{from: p.parts}
	at := 0
	for _, e := range edits {
		c.copy(e.Range.Start - at)
		c.add(Edit{Text: e.Text})
		c.skip(e.Range.End - e.Range.Start)
		at = e.Range.End
	}
	c.copy(p.size - at)
	p.parts, p.size = c.to, c.size
	return nil
}

// result returns the edited text.
func (p *patch) result() []byte {
	text := make([]byte, 0, p.size)
	for _, part := range p.parts {
		text = append(append(text, p.text[part.Range.Start:part.Range.End]...), part.Text...)
	}
	return text
}

// edits returns the edits of the original text that give the new one, in order and
// without overlaps.
func (p *patch) edits() []Edit {
	var edits []Edit
	at := 0
	var text []byte
	flush := func(end int) {
		if at < end || len(text) > 0 {
			if string(p.text[at:end]) != string(text) {
				edits = append(edits, Edit{Range{at, end}, text})
			}
		}
		text = nil
	}
	for _, part := range p.parts {
		text = append(text, part.Text...)
		if part.Range.Start < part.Range.End {
			flush(part.Range.Start)
			at = part.Range.End
		}
	}
	flush(len(p.text))
	return edits
}

// cutter copies parts of a text.
type cutter struct {
	from, to []Edit
	cut      int // what is used of the first part of from
	size     int // of to
}

// add adds a part.
func (c *cutter) add(part Edit) {
	if n := part.size(); n > 0 {
		c.to, c.size = append(c.to, part), c.size+n
	}
}

// size returns the length of a part.
func (e Edit) size() int { return e.Range.End - e.Range.Start + len(e.Text) }

// copy copies the next n bytes.
func (c *cutter) copy(n int) { c.take(n, c.add) }

// skip skips the next n bytes.
func (c *cutter) skip(n int) { c.take(n, func(Edit) {}) }

// take cuts off the next n bytes.
func (c *cutter) take(n int, use func(Edit)) {
	for n > 0 {
		first := c.from[0]
		size := min(first.size()-c.cut, n)
		if len(first.Text) > 0 {
			use(Edit{Text: first.Text[c.cut : c.cut+size]})
		} else {
			start := first.Range.Start + c.cut
			use(Edit{Range: Range{start, start + size}})
		}
		n -= size
		if c.cut += size; c.cut == first.size() {
			c.from, c.cut = c.from[1:], 0
		}
	}
}
