package registers

import (
	"bytes"
	"context"
	"encoding/binary"
	"iter"
	"slices"
	"sync"

	"github.com/klauspost/compress/s2"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Registers have many documents, and most of what is known of a document is used by few
// requests. So it is kept packed: each collection of garbage follows every pointer that
// is kept.

// packedText is the text of a document, compressed.
type packedText []byte

// pack compresses a text. S2 takes a tenth of the time of DEFLATE, for half again as many
// bytes.
func pack(text []byte) packedText {
	room, _ := packing.Get().(*[]byte)
	if room == nil {
		room = new([]byte)
	}
	defer packing.Put(room)
	*room = slices.Grow((*room)[:0], s2.MaxEncodedLen(len(text)))
	return bytes.Clone(s2.Encode((*room)[:cap(*room)], text))
}

var packing sync.Pool // of *[]byte

func (t packedText) read(ctx context.Context, j *judge, form Form) ([]byte, error) {
	text, err := s2.Decode(nil, t)
	if err != nil || form == Thin {
		return text, err
	}
	return j.resolve(ctx, text)
}

// heldText is a text that was judged by a release, which may be another one by now.
type heldText struct {
	packedText
	by *taxonomy.Release
}

func (t heldText) read(ctx context.Context, j *judge, form Form) ([]byte, error) {
	text, err := t.packedText.read(ctx, j, form)
	if err == nil || form == Thin || t.by == nil {
		return text, err
	}
	thin, thinErr := t.packedText.read(ctx, j, Thin)
	if thinErr != nil {
		return nil, thinErr
	}
	doc, parseErr := document.Parse(thin)
	if parseErr != nil {
		return nil, parseErr
	}
	bundle, resolveErr := resolve.Resolve(t.by, doc, nil)
	if resolveErr != nil {
		return nil, err
	}
	return bundle.AppendJSON(nil), nil
}

// packedSummary is a [datachain.Summary] whose entries have one pointer each. What the
// schema version says is shared with other documents, and the document's own words are
// in one string.
type packedSummary struct {
	stage   *taxonomy.ContextValue
	points  []packedPoint
	entries []packedEntry // of all points
	words   string        // of all entries, written by a packer
}

// packedPoint is a point. Its entries and their words begin where those of the point
// before end.
type packedPoint struct {
	role                 taxonomy.Role
	category             *taxonomy.Category
	context              *taxonomy.ContextValue
	atMost               bool
	lastEntry, lastWords uint32
}

type packedEntry struct {
	element int32 // in [Content.Elements]
	context *taxonomy.ContextValue
}

// packSummary packs the summary of a document that is shown. elements are those of its content.
func packSummary(shown *datachain.Presentation, s *datachain.Summary, elements []*taxonomy.Element) packedSummary {
	packed := packedSummary{points: make([]packedPoint, len(s.Points))}
	if s.Stage != nil {
		stage := *s.Stage // without the presentation
		packed.stage = &stage
	}
	placed := 0
	for _, p := range s.Points {
		placed += len(p.Entries)
	}
	packed.entries = make([]packedEntry, 0, placed)
	var words packer
	for i := range s.Points {
		p := &s.Points[i]
		to := &packed.points[i]
		to.role, to.atMost, to.category = p.Role, p.AtMost, category(shown, p.Category)
		to.context = contextValue(to.category, p.Context)
		for k := range p.Entries {
			e := &p.Entries[k]
			packed.entries = append(packed.entries, packedEntry{
				element: int32(slices.IndexFunc(elements, func(known *taxonomy.Element) bool { return known.ID == e.Element.ID })),
				context: contextValue(category(shown, &taxonomy.Category{ID: e.Element.CategoryID}), e.Context),
			})
			for _, l := range wordsOf(e) {
				words.localized(*l)
			}
			words.actions(e.Placement.Actions)
		}
		to.lastEntry, to.lastWords = uint32(len(packed.entries)), uint32(len(words))
	}
	packed.words = string(words)
	return packed
}

// wordsOf returns the document's own words in an entry.
func wordsOf(e *datachain.Entry) []*taxonomy.Localized {
	return []*taxonomy.Localized{&e.Name, &e.Words, &e.Contact, &e.Link, &e.Safeguard, &e.LegalBasis, &e.Period}
}

// Summary returns the summary of the document. Placements have only their actions.
func (c *Content) Summary() *datachain.Summary {
	s := &datachain.Summary{Stage: c.summary.stage, Points: make([]datachain.Point, len(c.summary.points))}
	for i := range s.Points {
		s.Points[i] = c.point(i)
	}
	return s
}

// Point returns the point of the summary with a role.
func (c *Content) Point(role taxonomy.Role) (p datachain.Point, ok bool) {
	i := slices.IndexFunc(c.summary.points, func(p packedPoint) bool { return p.role == role })
	if i < 0 {
		return p, false
	}
	return c.point(i), true
}

// Unsaid returns the roles of which the document says nothing.
func (c *Content) Unsaid() iter.Seq[taxonomy.Role] {
	return func(yield func(taxonomy.Role) bool) {
		first := uint32(0)
		for _, p := range c.summary.points {
			if p.lastEntry == first && p.role != "" && !yield(p.role) {
				return
			}
			first = p.lastEntry
		}
	}
}

func (c *Content) point(i int) datachain.Point {
	var before packedPoint
	if i > 0 {
		before = c.summary.points[i-1]
	}
	p := &c.summary.points[i]
	words := unpack(c.summary.words[before.lastWords:p.lastWords])
	point := datachain.Point{Role: p.role, Category: p.category, AtMost: p.atMost, Context: p.context}
	for _, e := range c.summary.entries[before.lastEntry:p.lastEntry] {
		entry := datachain.Entry{Element: c.Elements[e.element], Role: p.role, Context: e.context}
		for _, l := range wordsOf(&entry) {
			*l = words.localized()
		}
		if actions := words.actions(); actions != nil {
			entry.Placement = &taxonomy.Placement{Actions: actions}
		}
		point.Entries = append(point.Entries, entry)
	}
	return point
}

// packer is texts one after another, each after its length.
type packer []byte

func (p *packer) number(n int) { *p = binary.AppendUvarint(*p, uint64(n)) }

func (p *packer) text(s string) {
	p.number(len(s))
	*p = append(*p, s...)
}

func (p *packer) localized(l taxonomy.Localized) {
	p.number(len(l))
	for _, t := range l {
		p.text(t.Locale)
		p.text(t.Value)
	}
}

func (p *packer) actions(list []taxonomy.Action) {
	p.number(len(list))
	for _, a := range list {
		p.text(a.Type)
		p.text(a.Label.Plain)
		p.localized(a.Label.Text)
		p.text(a.Target)
	}
}

// unpacker reads what a packer wrote, in the same order. Its texts are parts of one string.
type unpacker string

func unpack(packed string) *unpacker { return (*unpacker)(&packed) }

// number reads a number. It is 0 at the end: documents that can't be read have no words.
func (u *unpacker) number() (n int) {
	for i := range len(*u) {
		b := (*u)[i]
		n |= int(b&0x7f) << (7 * i)
		if b < 0x80 {
			*u = (*u)[i+1:]
			break
		}
	}
	return n
}

func (u *unpacker) text() string {
	n := u.number()
	s := string((*u)[:n])
	*u = (*u)[n:]
	return s
}

func (u *unpacker) localized() (l taxonomy.Localized) {
	if n := u.number(); n > 0 {
		l = make(taxonomy.Localized, n)
	}
	for i := range l {
		l[i] = taxonomy.Text{Locale: u.text(), Value: u.text()}
	}
	return l
}

func (u *unpacker) actions() (list []taxonomy.Action) {
	if n := u.number(); n > 0 {
		list = make([]taxonomy.Action, n)
	}
	for i := range list {
		list[i] = taxonomy.Action{Type: u.text(), Label: taxonomy.Label{Plain: u.text(), Text: u.localized()}, Target: u.text()}
	}
	return list
}
