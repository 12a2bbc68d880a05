package taxonomy

import (
	"cmp"
	"errors"
	"io"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

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
	o.r = &Release{symbols: maps.Clone(symbols), symbolIDs: slices.Sorted(maps.Keys(symbols)), releaseLength: int(o.size), tree: new(contentTree)}
	if err := o.head(); err != nil {
		return nil, err
	}
	o.r.first = make([]int, 1, len(f.first)+1)
	for _, end := range f.first {
		o.r.first = append(o.r.first, int(end))
	}
	o.variants = o.r.variants()
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
	text := textReader{from: o.text}
	head, err := text.read(0, begin)
	if err != nil {
		return err
	}
	tail, err := text.read(end, o.size)
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
// a segment, and each is checked while it is in the CPU cache.
const segmentSize = 256 << 10

// segment is the elements from begin up to end.
type segment struct {
	begin, end int
	base       uint64 // where text begins in the release.json
	text       string // with the comma before the first element
	ids        string // of all elements, without anything between them
}

// segments divides the elements.
func (o *opener) segments() (all []segment) {
	for begin, n := 0, len(o.form.elements); begin < n; {
		end := begin + 1
		for end < n && o.form.begin(end+1)-o.form.begin(begin) < segmentSize {
			end++
		}
		all = append(all, segment{begin: begin, end: end, base: o.form.begin(begin) - uint64(min(begin, 1))})
		begin = end
	}
	return all
}

// elements reads the elements, in parallel if there are many, and checks each.
func (o *opener) elements() error {
	segments := o.segments()
	errs := make([]error, len(segments))
	var taken atomic.Int64
	var failed atomic.Bool
	work := func() {
		w := segmentReader{opener: o, text: textReader{from: o.text}, elements: newElementReader()}
		for !failed.Load() {
			i := int(taken.Add(1)) - 1
			if i >= len(segments) {
				return
			}
			if errs[i] = w.read(&segments[i]); errs[i] != nil {
				failed.Store(true)
			}
		}
	}
	var wg sync.WaitGroup
	for range min(len(segments), runtime.GOMAXPROCS(0)) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
	if err := cmp.Or(errs...); err != nil {
		return err
	}
	o.list(segments)
	return nil
}

// list makes the elements of segments those of the release. This is done last, so that
// the garbage collector does not look at long lists each time that the heap has doubled.
func (o *opener) list(segments []segment) {
	f, n := o.form, len(o.form.elements)
	texts, ids := make([]string, n), make([]string, n)
	for _, s := range segments {
		for i := s.begin; i < s.end; i++ {
			texts[i] = s.text[f.begin(i)-s.base : uint64(f.elements[i])-s.base]
			ids[i], s.ids = s.ids[:f.lengths[i]], s.ids[f.lengths[i]:]
		}
	}
	o.r.elements = newLazyList(openIDTable(ids, f.slots), texts, o.r.outline)
}

// segmentReader reads segments one after another. It keeps nothing of the elements that
// it checks.
type segmentReader struct {
	*opener
	text     textReader
	elements *elementReader
	hasher   leafHasher
	ids      []byte
	e        Element
}

// read reads a segment, and checks its elements unless they were verified.
func (r *segmentReader) read(s *segment) (err error) {
	f := r.form
	if s.text, err = r.text.read(int64(s.base), int64(f.elements[s.end-1])); err != nil {
		return err
	}
	r.ids = r.ids[:0]
	for i := s.begin; i < s.end; i++ {
		id := s.text[uint64(f.ids[i])-s.base:][:f.lengths[i]]
		r.ids = append(r.ids, id...)
		if r.verified {
			continue
		}
		begin := f.begin(i) - s.base
		if i > 0 && s.text[begin-1] != ',' {
			return formError("element %d does not begin after a comma", i)
		}
		if err := r.check(i, s.text[begin:uint64(f.elements[i])-s.base], id); err != nil {
			return err
		}
	}
	s.ids = string(r.ids)
	return nil
}

// check checks element i by itself, and keeps its order and hash.
func (r *segmentReader) check(i int, text, id string) error {
	r.e, r.elements.texts = Element{}, r.elements.texts[:0]
	canonical, err := r.elements.read(text, &r.e)
	if err != nil {
		return r.r.partError(elementsPath.Index(i), text, err)
	}
	category := r.r.categoryOf(i)
	if canonical != text || r.e.ID != id || r.e.CategoryID != r.r.categories[category].ID {
		return formError("element %d is not where it should be", i)
	}
	if err := r.r.checkElement(i, &r.e, r.variants[category]); err != nil {
		err.Version = r.r.version.String()
		return err
	}
	r.orders[i] = r.e.Order
	r.hashes[i] = r.hasher.hash(leafElement, id, text)
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

// textReader reads parts of a text into a buffer, which is in the CPU cache, and returns
// copies of them.
type textReader struct {
	from io.ReaderAt
	buf  []byte
}

// read returns the bytes from begin up to end.
func (r *textReader) read(begin, end int64) (string, error) {
	n := int(end - begin)
	r.buf = slices.Grow(r.buf[:0], n)[:n]
	switch got, err := r.from.ReadAt(r.buf, begin); {
	case got == n:
		return string(r.buf), nil
	case errors.Is(err, io.EOF):
		return "", io.ErrUnexpectedEOF
	default:
		return "", err
	}
}
