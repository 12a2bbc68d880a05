package taxonomy

import (
	"cmp"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Open opens the release with the release.json text of size bytes, and checks all that
// [DecodeRelease] checks: the content hash too, but it keeps no values. It reads the
// whole text. The error wraps [ErrForm] if the form does not fit the text; otherwise it
// is from reading, or a [*ReleaseError].
func (f *Form) Open(text io.ReaderAt, size int64, symbols map[string]string) (*Release, error) {
	o := opener{form: f, text: text, size: size}
	return o.open(symbols)
}

// OpenVerified is Open without the checks that take long, for a text and symbols that
// are known to be those that Open accepted. Of other text it makes a release with wrong
// content, whose methods still do not panic.
func (f *Form) OpenVerified(text io.ReaderAt, size int64, symbols map[string]string) (*Release, error) {
	o := opener{form: f, text: text, size: size, verified: true}
	return o.open(symbols)
}

// opener opens a release with a form.
type opener struct {
	form     *Form
	text     io.ReaderAt
	size     int64
	verified bool

	r *Release
	// What is checked of the elements, and of all of them together.
	variants [][]string // by category
	orders   []int
	hashes   []tlog.Hash
}

func (o *opener) open(symbols map[string]string) (*Release, error) {
	f, n := o.form, len(o.form.elements)
	o.r = &Release{symbols: maps.Clone(symbols), symbolIDs: slices.Sorted(maps.Keys(symbols)), releaseLength: int(o.size)}
	if err := o.head(); err != nil {
		return nil, err
	}
	o.r.first = make([]int, 1, len(f.first)+1)
	for _, end := range f.first {
		o.r.first = append(o.r.first, int(end))
	}
	o.variants = o.r.variants()
	o.r.elements = newLazyList(openIDTable(make([]string, n), f.slots), make([]string, n), o.r.outline)
	if !o.verified {
		o.orders, o.hashes = make([]int, n), make([]tlog.Hash, n)
	}
	if err := o.elements(); err != nil {
		return nil, err
	}
	if o.verified {
		return o.r, nil
	}
	if err := o.together(); err != nil {
		return nil, err
	}
	if err := o.r.seal(o.hashes, false); err != nil {
		return nil, err
	}
	return o.r, nil
}

// outline returns element i without its texts.
func (r *Release) outline(i int) Element {
	c := r.categories[r.categoryOf(i)]
	return Element{ID: r.elements.ids.ids[i], CategoryID: c.ID, IconVariants: c.IconVariants()}
}

// head reads and checks everything but the elements.
func (o *opener) head() error {
	f, r := o.form, o.r
	begin, end := int64(f.elementsBegin()), int64(f.elementsEnd())
	if end+int64(len(openManifest)+len(closeRelease)) > o.size {
		return formError("the release.json ends before its elements")
	}
	head, err := readText(o.text, 0, begin)
	if err != nil {
		return err
	}
	tail, err := readText(o.text, end, o.size)
	if err != nil {
		return err
	}
	p := parts{categories: make([]string, len(f.categories))}
	at := len(openCategories)
	for i, end := range f.categories {
		p.categories[i], at = head[at:end], int(end)+1
	}
	p.typ = head[f.typeBegin():f.typ]
	p.manifest = tail[len(openManifest) : len(tail)-len(closeRelease)]
	b := builder{r: r}
	if b.head(p); b.err != nil {
		return b.err
	}
	if strings.Join(slices.Collect(r.segments()), "") != head+tail { // it has no elements yet
		return formError("it does not fit the release.json")
	}
	if err := r.checkHead(); err != nil {
		err.Version = r.version.String()
		return err
	}
	if r.manifest.ContentHash != f.hash {
		return formError("it belongs to the content %s, not to %s", f.hash, r.manifest.ContentHash)
	}
	return nil
}

// segmentSize is how many bytes of elements are read at once. Elements are slices of
// a segment. Each is checked while it is in the CPU cache.
const segmentSize = 1 << 20

// elements reads the elements, in parallel if there are many, and checks each.
func (o *opener) elements() error {
	n := len(o.form.elements)
	errs := make([]error, n/chunkSize(n)+1)
	inChunks(0, n, func(chunk, begin, end int) {
		check := elementCheck{opener: o, reader: newElementReader()}
		for begin < end && errs[chunk] == nil {
			next := begin + 1
			for next < end && o.form.begin(next+1)-o.form.begin(begin) < segmentSize {
				next++
			}
			errs[chunk] = o.segment(begin, next, &check)
			begin = next
		}
	})
	return cmp.Or(errs...)
}

// segment reads the elements from begin up to end, with the comma before them.
func (o *opener) segment(begin, end int, check *elementCheck) error {
	f, base := o.form, o.form.begin(begin)-uint64(min(begin, 1))
	text, err := readText(o.text, int64(base), int64(f.elements[end-1]))
	if err != nil {
		return err
	}
	list := &o.r.elements
	for i := begin; i < end; i++ {
		list.text[i] = text[f.begin(i)-base : uint64(f.elements[i])-base]
		id := uint64(f.ids[i]) - base
		list.ids.ids[i] = text[id : id+uint64(f.lengths[i])]
		if o.verified {
			continue
		}
		if i > 0 && text[f.begin(i)-base-1] != ',' {
			return formError("element %d does not begin after a comma", i)
		}
		if err := check.element(i); err != nil {
			return err
		}
	}
	joinMemory(list.ids.ids[begin:end])
	return nil
}

// elementCheck checks elements one after another. It keeps nothing of them.
type elementCheck struct {
	*opener
	reader *elementReader
	hasher leafHasher
	e      Element
}

// element checks element i by itself, and keeps its order and hash.
func (c *elementCheck) element(i int) error {
	text, id := c.r.elements.text[i], c.r.elements.ids.ids[i]
	c.e, c.reader.texts = Element{}, c.reader.texts[:0]
	canonical, err := c.reader.read(text, &c.e)
	if err != nil {
		return c.r.partError(elementsPath.Index(i), text, err)
	}
	category := c.r.categoryOf(i)
	if canonical != text || c.e.ID != id || c.e.CategoryID != c.r.categories[category].ID {
		return formError("element %d is not where it should be", i)
	}
	if err := c.r.checkElement(i, &c.e, c.variants[category]); err != nil {
		err.Version = c.r.version.String()
		return err
	}
	c.orders[i] = c.e.Order
	c.hashes[i] = c.hasher.hash(leafElement, id, text)
	return nil
}

// together checks the order of the elements and the slots.
func (o *opener) together() error {
	ids := o.r.elements.ids
	for c := range o.r.categories {
		for i := o.r.first[c] + 1; i < o.r.first[c+1]; i++ {
			if cmp.Or(cmp.Compare(o.orders[i-1], o.orders[i]), cmp.Compare(ids.ids[i-1], ids.ids[i])) >= 0 {
				err := outOfOrder(i, ids.ids[i])
				err.Version = o.r.version.String()
				return err
			}
		}
	}
	for i, s := range ids.slots {
		id := ids.ids[s.position()]
		if s.hash() != hashID(id) || i > 0 && s.hash() == ids.slots[i-1].hash() && ids.ids[ids.slots[i-1].position()] >= id {
			return formError("slots out of order")
		}
	}
	return nil
}

// readText reads the bytes from begin up to end.
func readText(from io.ReaderAt, begin, end int64) (string, error) {
	var text strings.Builder
	text.Grow(int(end - begin))
	n, err := io.Copy(&text, io.NewSectionReader(from, begin, end-begin))
	if err == nil && n < end-begin {
		err = io.ErrUnexpectedEOF
	}
	return text.String(), err
}
