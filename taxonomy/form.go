package taxonomy

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// form says where the parts of a release.json are, so that a release opens without
// parsing it, and decodes its elements when they are needed. It belongs to one content:
// releases that differ only in their version have the same form. [Release.AppendForm]
// writes one, [OpenForm] reads it.
//
// A serialized form has these parts, with all numbers in little endian:
//
//	magic                         8 bytes, the last one the version of the format
//	content hash                  32 bytes
//	categories, elements          4 bytes each: how many there are
//	ends of categories            4 bytes each: where their JSON ends in release.json
//	end of the datachain type     4 bytes
//	ends of the elements of each category   4 bytes each: positions of elements
//	ends of elements              4 bytes each: where their JSON ends in release.json
//	ids of elements               4 bytes each: where the id begins in release.json
//	lengths of ids                1 byte each
//	slots                         8 bytes each: the position of an element in the lower
//	                              half, the hash of its id in the upper half; sorted by
//	                              hash, then by id
//
// A release.json is canonical JSON, so there is exactly one comma between elements, and
// the end of one part determines where the next begins.
type form struct {
	hash       Hash
	categories []uint32
	typ        uint32
	first      []uint32
	elements   []uint32
	ids        []uint32
	lengths    []byte
	slots      []slot
}

const formMagic = "dcform\x00\x01"

// errForm is wrapped by the error of [OpenForm] if the form can't be read or does not fit the
// release.json. Use [DecodeRelease] then.
var errForm = errors.New("the form of the release can't be used")

func formError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errForm, fmt.Sprintf(format, args...))
}

// AppendForm appends the form of the release. It fails if the release is too large for
// one.
func (r *Release) AppendForm(dst []byte) ([]byte, error) {
	if uint64(r.releaseLength) > math.MaxUint32 {
		return dst, formError("release %s has %d bytes, more than %d", r.version, r.releaseLength, uint32(math.MaxUint32))
	}
	dst = append(append(dst, formMagic...), r.manifest.ContentHash[:]...)
	dst = append32(dst, len(r.categories), r.elements.len())
	at := len(openCategories)
	for i, text := range r.categoryJSON {
		at += len(text) + min(i, 1)
		dst = append32(dst, at)
	}
	at += len(openType) + len(r.typeJSON)
	dst = append32(dst, at)
	dst = append32(dst, r.first[1:]...)
	at += len(openElements)
	ids := make([]int, 0, r.elements.len())
	for i, text := range r.elements.text {
		at += min(i, 1)
		ids = append(ids, at+idOffset(text))
		at += len(text)
		dst = append32(dst, at)
	}
	dst = append32(dst, ids...)
	for _, id := range r.elements.ids.ids {
		dst = append(dst, byte(len(id)))
	}
	for _, s := range r.elements.ids.slots {
		dst = binary.LittleEndian.AppendUint64(dst, uint64(s))
	}
	return dst, nil
}

func append32(dst []byte, numbers ...int) []byte {
	for _, n := range numbers {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	return dst
}

// idOffset returns where the id of an element begins in its canonical JSON.
func idOffset(text string) int {
	found := 0
	s := jcs.NewScanner(text)
	s.Object(0, func(key string) bool {
		at := s.Offset()
		if _, ok := s.Raw(); !ok {
			return false
		}
		if key == "id" {
			found = at
		}
		return found == 0
	})
	if found == 0 { // before it is a value that the scanner leaves to others
		if doc, err := document.Parse([]byte(text)); err == nil {
			id, _ := doc.Root().Get("id")
			found = id.Range().Start
		}
	}
	return found + len(`"`)
}

// parseForm reads a form. It accepts untrusted data: a form that is returned is
// consistent in itself, but need not fit a release.
func parseForm(data []byte) (*form, error) {
	const head = len(formMagic) + len(Hash{}) + 8
	if len(data) < head || string(data[:6]) != formMagic[:6] {
		return nil, formError("it is not a form")
	}
	if string(data[:8]) != formMagic {
		return nil, formError("its format is version %d, not %d", data[7], formMagic[7])
	}
	f := &form{hash: Hash(data[8:])}
	categories := uint64(binary.LittleEndian.Uint32(data[head-8:]))
	elements := uint64(binary.LittleEndian.Uint32(data[head-4:]))
	data = data[head:]
	if uint64(len(data)) != 8*categories+4+(4+4+1+8)*elements || elements > math.MaxInt32 {
		return nil, formError("its length is wrong")
	}
	f.categories = take32(&data, categories)
	f.typ = take32(&data, 1)[0]
	f.first = take32(&data, categories)
	f.elements = take32(&data, elements)
	f.ids = take32(&data, elements)
	f.lengths, data = append([]byte(nil), data[:elements]...), data[elements:]
	f.slots = make([]slot, elements)
	for i := range f.slots {
		f.slots[i] = slot(binary.LittleEndian.Uint64(data[8*i:]))
	}
	if err := f.check(); err != nil {
		return nil, err
	}
	return f, nil
}

// take32 removes n numbers from data, which has them.
func take32(data *[]byte, n uint64) []uint32 {
	numbers := make([]uint32, n)
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint32((*data)[4*i:])
	}
	*data = (*data)[4*n:]
	return numbers
}

// check makes sure that parts follow one another, that ids are in their elements, and
// that there is a slot for each element.
func (f *form) check() error {
	at := uint64(len(openCategories))
	next := func(end uint32) (begin uint64, ok bool) {
		begin, at = at, uint64(end)+1 // a comma
		return begin, begin+uint64(len("{}")) <= uint64(end)
	}
	for _, end := range f.categories {
		if _, ok := next(end); !ok {
			return formError("a category ends before it begins")
		}
	}
	at = f.typeBegin()
	if _, ok := next(f.typ); !ok {
		return formError("the datachain type ends before it begins")
	}
	at = f.elementsBegin()
	for i, end := range f.elements {
		begin, ok := next(end)
		if id := uint64(f.ids[i]); !ok || id < begin || id+uint64(f.lengths[i]) > uint64(end) {
			return formError("element %d ends before it begins", i)
		}
	}
	last := uint32(0)
	for _, end := range f.first {
		if end < last {
			return formError("a category has a negative number of elements")
		}
		last = end
	}
	if int(last) != len(f.elements) {
		return formError("elements without a category")
	}
	return f.checkSlots()
}

func (f *form) checkSlots() error {
	found := make([]uint64, (len(f.slots)+63)/64)
	for i, s := range f.slots {
		at := s.position()
		if int(at) >= len(f.slots) || found[at>>6]>>(at&63)&1 != 0 || i > 0 && s.hash() < f.slots[i-1].hash() {
			return formError("slots out of order")
		}
		found[at>>6] |= 1 << (at & 63)
	}
	return nil
}

// typeBegin returns where the datachain type begins in the release.json.
func (f *form) typeBegin() uint64 {
	at := uint64(len(openCategories))
	if n := len(f.categories); n > 0 {
		at = uint64(f.categories[n-1])
	}
	return at + uint64(len(openType))
}

// elementsBegin returns where the first element begins.
func (f *form) elementsBegin() uint64 { return uint64(f.typ) + uint64(len(openElements)) }

// begin returns where element i begins. After the last one, that is where the end of
// the list would have a comma.
func (f *form) begin(i int) uint64 {
	if i == 0 {
		return f.elementsBegin()
	}
	return uint64(f.elements[i-1]) + 1
}

// elementsEnd returns where the list of elements ends.
func (f *form) elementsEnd() uint64 {
	if n := len(f.elements); n > 0 {
		return uint64(f.elements[n-1])
	}
	return f.elementsBegin()
}

// OpenForm opens the release with a form and the release.json text of size bytes. It accepts
// untrusted data, and checks all that [DecodeRelease] checks: the content hash too, but it
// keeps no values. It reads the whole text. It fails if the form can't be
// read or does not fit the text: use [DecodeRelease] then.
//
// Verified omits the checks that take long, for a text and symbols that are known to be those
// that OpenForm accepted. Of other text it makes a release with wrong content, whose methods
// still do not panic.
func OpenForm(data []byte, text io.ReaderAt, size int64, symbols map[string]string, verified bool) (*Release, error) {
	f, err := parseForm(data)
	if err != nil {
		return nil, err
	}
	o := opener{form: f, text: text, size: size, verified: verified}
	return o.open(symbols)
}

// opener opens a release with a form.
type opener struct {
	form     *form
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
