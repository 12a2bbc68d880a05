package search

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
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

// ErrStale is wrapped by [Load] if an index is valid but was built from other content or
// by another version of this package. Build a new one.
var ErrStale = errors.New("the index is stale")

// ErrCorrupt is wrapped by [Load] if the data is not a valid index.
var ErrCorrupt = errors.New("the index is corrupt")

// AppendBinary appends the index in the format that [Load] reads. It fails only for the
// zero Index.
func (x *Index) AppendBinary(dst []byte) ([]byte, error) {
	if x.release == nil {
		return dst, errors.New("search: the zero Index cannot be serialized")
	}
	if x.stored != nil {
		return append(dst, x.stored.data...), nil
	}
	begin := len(dst)
	dst = append(dst, magic...)
	for _, s := range []string{x.release.ContentHash().String(), x.locale} {
		dst = append32(dst, uint32(len(s)))
		dst = append(dst, s...)
	}
	for _, n := range []int{x.elements(), x.terms.len(), len(x.terms.text), len(x.blocks), len(x.packed)} {
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
	x, s, err := decode(r, data)
	if err == nil {
		x.blocks, x.packed = numbers[block](s.blocks), numbers[uint32](s.packed)
		x.rests, x.terms.text = bytes.Clone(x.rests), bytes.Clone(x.terms.text)
		if err = x.check(); err == nil {
			x.setFloors()
			return x, nil
		}
		err = fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return nil, fmt.Errorf("search: index of %s: %w", r.Version(), err)
}

// decode reads an index without its postings.
func decode(r *taxonomy.Release, data []byte) (*Index, *stored, error) {
	if len(data) < len(magic)+4 || string(data[:8]) != magic[:8] {
		return nil, nil, ErrCorrupt
	}
	if data[8] != magic[8] {
		return nil, nil, fmt.Errorf("%w: format version %d, want %d", ErrStale, data[8], magic[8])
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if checksum(body) != sum {
		return nil, nil, fmt.Errorf("%w: wrong checksum", ErrCorrupt)
	}
	d := decoder{rest: body[len(magic):]}
	hash, locale := string(d.bytes(d.number())), string(d.bytes(d.number()))
	if hash != r.ContentHash().String() {
		return nil, nil, fmt.Errorf("%w: built from content %.100q", ErrStale, hash)
	}
	if !slices.Contains(r.Locales(), locale) {
		return nil, nil, fmt.Errorf("%w: the release has no locale %q", ErrCorrupt, locale)
	}
	x, err := newIndex(r, locale)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if d.number() != x.elements() {
		return nil, nil, fmt.Errorf("%w: wrong number of elements", ErrCorrupt)
	}
	terms, textBytes, blocks, packed := d.number(), d.number(), d.number(), d.number()
	x.terms.ends = numbers[uint32](d.items(terms, 4))
	x.first = d.spans(terms)
	s := &stored{data: data, blocks: d.items(blocks, 4), packed: d.items(packed, 4)}
	x.rests = d.bytes((len(s.packed)/4 + 3) / 4)
	x.terms.text = d.bytes(textBytes)
	if d.short || len(d.rest) > 0 {
		return nil, nil, fmt.Errorf("%w: wrong length", ErrCorrupt)
	}
	if err := x.checkTerms(s); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	return x, s, nil
}

// decoder reads numbers and bytes, and records whether there were too few.
type decoder struct {
	rest  []byte
	short bool
}

func (d *decoder) bytes(n int) []byte {
	if n < 0 || n > len(d.rest) {
		d.short, d.rest = true, nil
		return nil
	}
	b := d.rest[:n]
	d.rest = d.rest[n:]
	return b
}

// items returns the bytes of n items of a size.
func (d *decoder) items(n, size int) []byte {
	if n < 0 || n > len(d.rest)/size {
		return d.bytes(-1) // the product might overflow
	}
	return d.bytes(n * size)
}

func (d *decoder) number() int {
	b := d.bytes(4)
	if b == nil {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b))
}

func numbers[T ~uint32](text []byte) []T {
	list := make([]T, len(text)/4)
	for i := range list {
		list[i] = T(binary.LittleEndian.Uint32(text[4*i:]))
	}
	return list
}

// spans returns n boundaries after the first, which is zero.
func (d *decoder) spans(n int) []span {
	text := d.items(n, 8)
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
	for i := 1; i < len(x.first); i++ {
		begin, end := x.first[i-1], x.first[i]
		if end.block <= begin.block || beyond(end.block, len(s.blocks)/4) ||
			end.posting <= begin.posting || beyond(end.posting, len(s.packed)/4) {
			return errors.New("a term has no postings")
		}
	}
	if last := x.first[len(x.first)-1]; int(last.block) != len(s.blocks)/4 || int(last.posting) != len(s.packed)/4 {
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
	elements := uint32(x.elements())
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
