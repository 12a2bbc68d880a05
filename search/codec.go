package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync/atomic"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy"
)

// A serialized index is a header, the sections and a checksum, with all numbers in little
// endian:
//
//	magic          8 bytes, then 1 for the version of the format
//	hash, locale   strings: length in 4 bytes, then the bytes
//	elements, terms, bytes of terms, blocks, postings   4 bytes each
//	ends of terms                          4 bytes each
//	ends of blocks and postings of terms   4 bytes each
//	blocks                                 4 bytes each
//	postings                               4 bytes each
//	rests of postings                      2 bits each, the lowest first
//	text of the terms
//	CRC-32C of everything before           4 bytes
//
// The version changes with the format, the definition of a term and the weights.
const magic = "dcsearch\x03"

// checksumSize is the length of the checksum.
const checksumSize = 4

// ErrStale is wrapped by [Load], [Open] and [OpenAt] if an index is valid but was built from
// other content or by another version of this package. Build a new one.
var ErrStale = errors.New("the index is stale")

// ErrCorrupt is wrapped by [Load], [Open], [OpenAt] and [Index.Err] if the data is not a
// valid index.
var ErrCorrupt = errors.New("the index is corrupt")

// AppendBinary appends the index in the format that [Load] reads. It fails for the zero
// Index, for an index of texts, and if an index that was opened with [OpenAt] can't be read.
func (x *Index) AppendBinary(dst []byte) ([]byte, error) {
	if x.release == nil {
		return dst, errors.New("search: an index without a release cannot be serialized")
	}
	if x.stored != nil {
		return x.stored.append(dst)
	}
	begin := len(dst)
	dst = append(dst, magic...)
	for _, s := range []string{x.release.ContentHash().String(), x.locale} {
		dst = append32(dst, uint32(len(s)))
		dst = append(dst, s...)
	}
	for _, n := range []int{x.elements, x.terms.len(), len(x.terms.text), len(x.blocks), len(x.packed)} {
		dst = append32(dst, uint32(n))
	}
	dst = append32(dst, x.terms.ends...)
	for _, end := range x.first[1:] {
		dst = append32(dst, end.block, end.posting)
	}
	dst = append32(dst, x.blocks...)
	dst = append32(dst, x.packed...)
	dst = append(dst, x.rests...)
	dst = append(dst, x.terms.text...)
	return append32(dst, checksum(dst[begin:])), nil
}

func append32[T ~uint32](dst []byte, numbers ...T) []byte {
	for _, n := range numbers {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(n))
	}
	return dst
}

func checksum(data []byte) uint32 { return crc32.Checksum(data, crc32.MakeTable(crc32.Castagnoli)) }

// Load reads an index of a release with the same content, and checks all of it. It
// accepts untrusted data: the result is an index that is safe to search, or an error that
// wraps [ErrStale] or [ErrCorrupt]. It does not recompute scores, so a forged index may
// rank badly. [Open] is faster for large indexes.
func Load(r *taxonomy.Release, data []byte) (*Index, error) {
	x, err := decodeAll(r, data)
	if err == nil {
		x.blocks, x.packed = numbers[block](x.stored.blocks.in(data)), numbers[uint32](x.stored.packed.in(data))
		x.stored = nil
		x.rests, x.terms.text = bytes.Clone(x.rests), bytes.Clone(x.terms.text)
		if err = x.check(); err == nil {
			x.setFloors()
			return x, nil
		}
		err = fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil, fmt.Errorf("search: index of %s: %w", r.Version(), err)
}

// decodeAll verifies the checksum of an index, and decodes it without its postings.
func decodeAll(r *taxonomy.Release, data []byte) (*Index, error) {
	if err := checkMagic(data); err != nil {
		return nil, err
	}
	body := data[:len(data)-checksumSize]
	if checksum(body) != binary.LittleEndian.Uint32(data[len(body):]) {
		return nil, fmt.Errorf("%w: wrong checksum", ErrCorrupt)
	}
	return decode(r, &decoder{head: data, from: bytes.NewReader(data), end: int64(len(data))})
}

// checkMagic checks how an index begins.
func checkMagic(data []byte) error {
	const mark = len(magic) - 1
	switch {
	case len(data) < len(magic)+checksumSize || string(data[:mark]) != magic[:mark]:
		return ErrCorrupt
	case data[mark] != magic[mark]:
		return fmt.Errorf("%w: format version %d, want %d", ErrStale, data[mark], magic[mark])
	}
	return nil
}

// decode reads an index without its postings. It does not compute the checksum.
func decode(r *taxonomy.Release, d *decoder) (*Index, error) {
	if err := checkMagic(d.head); err != nil {
		return nil, err
	}
	s := &stored{from: d.from, size: d.end}
	d.skip(int64(len(magic)))
	d.end -= checksumSize
	hash, locale := string(d.bytes(d.number())), string(d.bytes(d.number()))
	elements, terms, textBytes, blocks, packed := d.number(), d.number(), d.number(), d.number(), d.number()
	if d.err != nil {
		return nil, d.err
	}
	if hash != r.ContentHash().String() {
		return nil, fmt.Errorf("%w: built from content %.100q", ErrStale, hash)
	}
	if !slices.Contains(r.Locales(), locale) {
		return nil, fmt.Errorf("%w: the release has no locale %q", ErrCorrupt, locale)
	}
	x, err := newIndex(r, locale)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if elements != int64(x.elements) {
		return nil, fmt.Errorf("%w: wrong number of elements", ErrCorrupt)
	}
	x.terms.ends = numbers[uint32](d.bytes(4 * terms))
	x.first = spans(d.bytes(8 * terms))
	s.blocks, s.packed = newColumn[block](d, blocks), newColumn[uint32](d, packed)
	x.rests = d.bytes((packed + 3) / 4)
	x.terms.text = d.bytes(textBytes)
	if d.err == nil && d.at < d.end {
		d.err = errLength
	}
	if d.err != nil {
		return nil, d.err
	}
	if err := x.checkTerms(s); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	s.lists = make([]atomic.Pointer[list], x.terms.len())
	x.stored = s
	return x, nil
}

// decoder reads numbers and bytes one after another, and keeps the first error.
type decoder struct {
	head    []byte // the first bytes, or all, which are used in place
	from    io.ReaderAt
	at, end int64
	err     error
}

// errLength means that an index does not have the length that its numbers say.
var errLength = fmt.Errorf("%w: wrong length", ErrCorrupt)

// skip moves past n bytes and returns where they begin.
func (d *decoder) skip(n int64) (begin int64) {
	if d.err == nil && (n < 0 || n > d.end-d.at) {
		d.err = errLength
	}
	if d.err != nil {
		return 0
	}
	d.at += n
	return d.at - n
}

// bytes returns the next n bytes, or nil if there was an error.
func (d *decoder) bytes(n int64) []byte {
	begin := d.skip(n)
	switch {
	case d.err != nil:
		return nil
	case begin+n <= int64(len(d.head)):
		return d.head[begin : begin+n]
	}
	data := make([]byte, n)
	d.err = readFull(d.from, data, begin)
	return data
}

func (d *decoder) number() int64 {
	b := d.bytes(4)
	if d.err != nil {
		return 0
	}
	return int64(binary.LittleEndian.Uint32(b))
}

// readFull fills data with the bytes from a position on.
func readFull(from io.ReaderAt, data []byte, at int64) error {
	n, err := from.ReadAt(data, at)
	if n == len(data) {
		return nil
	}
	return err
}

func numbers[T ~uint32](text []byte) []T {
	list := make([]T, len(text)/4)
	for i := range list {
		list[i] = T(binary.LittleEndian.Uint32(text[4*i:]))
	}
	return list
}

// spans returns the boundaries after the first, which is zero.
func spans(text []byte) []span {
	list := make([]span, 1, 1+len(text)/8)
	for ; len(text) > 0; text = text[8:] {
		list = append(list, span{binary.LittleEndian.Uint32(text), binary.LittleEndian.Uint32(text[4:])})
	}
	return list
}

// beyond compares without overflow: an int may have 32 bits.
func beyond(end uint32, length int) bool { return uint64(end) > uint64(length) }

// checkTerms checks the terms and the boundaries of their postings.
func (x *Index) checkTerms(s *stored) error {
	if err := x.terms.check(); err != nil {
		return err
	}
	blocks, packed := s.blocks.n, s.packed.n
	for i := 1; i < len(x.first); i++ {
		begin, end := x.first[i-1], x.first[i]
		if end.block <= begin.block || int64(end.block) > blocks || end.posting <= begin.posting || int64(end.posting) > packed {
			return errors.New("a term has no postings")
		}
	}
	if last := x.first[len(x.first)-1]; int64(last.block) != blocks || int64(last.posting) != packed {
		return errors.New("postings without a term")
	}
	return nil
}

// check checks all postings.
func (x *Index) check() error {
	for i := 1; i < len(x.first); i++ {
		if err := x.checkList(x.between(x.first[i-1], x.first[i])); err != nil {
			return err
		}
	}
	return nil
}

// checkList checks the blocks of a term: windows and elements ascend, and the maxima are
// right.
func (x *Index) checkList(l list) error {
	elements := uint32(x.elements)
	for i, b := range l.blocks {
		if beyond(b.count(), len(l.packed)) || i > 0 && b.window() <= l.blocks[i-1].window() {
			return errors.New("blocks out of order")
		}
		postings := l.packed[:b.count()]
		l.packed = l.packed[b.count():]
		most := uint32(0)
		for k, p := range postings {
			if k > 0 && p>>impactBits <= postings[k-1]>>impactBits {
				return errors.New("postings out of order")
			}
			if p&impactMask == 0 {
				return errors.New("a posting without impact")
			}
			most = max(most, p&impactMask)
		}
		last := postings[len(postings)-1] >> impactBits
		switch {
		case b.window() > elements>>windowBits, b.window()<<windowBits|last >= elements:
			return errors.New("a posting without an element")
		case newBlock(0, most).max() != b.max():
			return errors.New("a wrong maximum")
		}
	}
	if len(l.packed) > 0 {
		return errors.New("postings without a block")
	}
	return nil
}

// check checks that the terms are valid, sorted and complete.
func (d *dictionary) check() error {
	end := uint32(0)
	for i, e := range d.ends {
		if e <= end || beyond(e, len(d.text)) {
			return errors.New("wrong boundaries of terms")
		}
		end = e
		// Whole letters in valid text are valid.
		if int(e) < len(d.text) && !utf8.RuneStart(d.text[e]) || i > 0 && bytes.Compare(d.term(i-1), d.term(i)) >= 0 {
			return errors.New("terms out of order")
		}
	}
	if int(end) != len(d.text) || !utf8.Valid(d.text) {
		return errors.New("wrong boundaries of terms")
	}
	return nil
}

// stored is the postings of a serialized index, which are read, checked and decoded by
// term when a query needs them.
type stored struct {
	from   io.ReaderAt // the serialized index
	size   int64
	blocks column[block]
	packed column[uint32]
	lists  []atomic.Pointer[list] // by term
	// broken is the first error that a query met.
	broken atomic.Pointer[error]
}

// column is a list of numbers in a serialized index, which is read and decoded by page.
// Words of a query that begin alike have their postings side by side, so a page often
// serves several.
type column[T ~uint32] struct {
	from  io.ReaderAt
	begin int64 // where the numbers begin
	n     int64 // how many there are
	pages []atomic.Pointer[[]T]
}

// pageSize is the number of numbers in a page.
const pageSize = 16 << 10

// newColumn returns the column of the next n numbers, and skips them.
func newColumn[T ~uint32](d *decoder, n int64) column[T] {
	begin := d.skip(4 * n)
	if d.err != nil {
		return column[T]{}
	}
	return column[T]{from: d.from, begin: begin, n: n, pages: make([]atomic.Pointer[[]T], (n+pageSize-1)/pageSize)}
}

// in returns the bytes of the column in the data of the whole index.
func (c *column[T]) in(data []byte) []byte { return data[c.begin : c.begin+4*c.n] }

// read returns the numbers from begin up to end, which must not be changed. Those that are
// not in one page are read by themselves.
func (c *column[T]) read(begin, end uint32) ([]T, error) {
	first := begin / pageSize
	if first != (end-1)/pageSize {
		return c.decode(int64(begin), int64(end))
	}
	page, err := c.page(first)
	if err != nil {
		return nil, err
	}
	begin -= first * pageSize
	end -= first * pageSize
	return page[begin:end:end], nil
}

// page returns a page, decoded once.
func (c *column[T]) page(i uint32) ([]T, error) {
	if p := c.pages[i].Load(); p != nil {
		return *p, nil
	}
	begin := int64(i) * pageSize
	page, err := c.decode(begin, min(begin+pageSize, c.n))
	if err != nil {
		return nil, err
	}
	c.pages[i].CompareAndSwap(nil, &page)
	return *c.pages[i].Load(), nil
}

// decode reads and decodes the numbers from begin up to end.
func (c *column[T]) decode(begin, end int64) ([]T, error) {
	text := make([]byte, 4*(end-begin))
	if err := readFull(c.from, text, c.begin+4*begin); err != nil {
		return nil, err
	}
	return numbers[T](text), nil
}

// Open opens an index as [Load] does, but takes a fraction of the time and of the memory:
// it uses data in place, which must not change, and checks and decodes the postings of a
// word when a query needs them. A query that comes upon invalid postings ignores them, and
// [Index.Err] reports it.
func Open(r *taxonomy.Release, data []byte) (*Index, error) {
	x, err := decodeAll(r, data)
	if err != nil {
		return nil, fmt.Errorf("search: index of %s: %w", r.Version(), err)
	}
	return x, nil
}

// wholeSize is the size up to which [OpenAt] reads an index at once: reading it costs
// less than coming back for parts of it.
const wholeSize = 1 << 20

// headSize is how much of an index is read first.
const headSize = 4 << 10

// OpenAt opens an index of size bytes as [Open] does, but reads the postings of a word
// when a query needs them: of the index of 100,000 elements, a tenth. So the content of
// from must not change while the index is in use, and since OpenAt does not compute the
// checksum of a large index, it must have been verified. If reading fails later, a query
// ignores the postings, and [Index.Err] returns the error.
func OpenAt(r *taxonomy.Release, from io.ReaderAt, size int64) (*Index, error) {
	if size > wholeSize {
		return openParts(r, from, size)
	}
	data := make([]byte, max(0, size))
	if err := readFull(from, data, 0); err != nil {
		return nil, fmt.Errorf("search: index of %s: %w", r.Version(), err)
	}
	return Open(r, data)
}

// openParts opens an index whose postings are read later.
func openParts(r *taxonomy.Release, from io.ReaderAt, size int64) (*Index, error) {
	head := make([]byte, min(size, headSize))
	err := readFull(from, head, 0)
	var x *Index
	if err == nil {
		x, err = decode(r, &decoder{head: head, from: from, end: size})
	}
	if err != nil {
		return nil, fmt.Errorf("search: index of %s: %w", r.Version(), err)
	}
	return x, nil
}

// Err returns an error if a query has come upon postings that can't be used, which only an
// index that was opened with [Open] or [OpenAt] can have. The error wraps [ErrCorrupt] if
// they were forged; otherwise it is from reading. Results may then be incomplete: build a
// new index.
func (x *Index) Err() error {
	if x.stored == nil {
		return nil
	}
	if err := x.stored.broken.Load(); err != nil {
		return *err
	}
	return nil
}

// list returns the postings of a term, decoded once.
func (s *stored) list(x *Index, term uint32) *list {
	if l := s.lists[term].Load(); l != nil {
		return l
	}
	l, err := s.read(x, x.first[term], x.first[term+1])
	if err != nil {
		err = fmt.Errorf("search: index of %s: %w", x.release.Version(), err)
		s.broken.CompareAndSwap(nil, &err)
		l = new(list)
	}
	s.lists[term].CompareAndSwap(nil, l)
	return s.lists[term].Load()
}

// read reads and checks the postings between two boundaries.
func (s *stored) read(x *Index, begin, end span) (*list, error) {
	l := new(list)
	var err error
	if l.blocks, err = s.blocks.read(begin.block, end.block); err != nil {
		return nil, err
	}
	if l.packed, err = s.packed.read(begin.posting, end.posting); err != nil {
		return nil, err
	}
	if err := x.checkList(*l); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	var best top
	l.floor = best.floor(l.packed)
	return l, nil
}

// append appends the serialized index.
func (s *stored) append(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = append(dst, make([]byte, s.size)...)
	if err := readFull(s.from, dst[begin:], 0); err != nil {
		return dst[:begin], fmt.Errorf("search: %w", err)
	}
	return dst, nil
}
