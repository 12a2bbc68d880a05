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

// A serialised index is a header, the sections, and a checksum over both, all
// numbers in little endian:
//
//	magic          8 bytes, and 1 for the version of the format
//	hash, locale   strings: length in 4 bytes, then the bytes
//	elements, terms, bytes of terms, blocks, postings   4 bytes each
//	ends of terms                          4 bytes each
//	ends of blocks and postings of terms   4 bytes each
//	blocks                                 4 bytes each
//	postings                               4 bytes each
//	rests of postings                      2 bits each, the lowest first
//	text of the terms
//	CRC-32C of all before                  4 bytes
//
// The version changes when the format does, or what a term is, or how it is
// weighed: an index of another version is built anew.
const magic = "dcsearch\x03"

// ErrStale is what [Load] wraps where an index is sound but was made from other
// content, or by another version of this package. Build it anew.
var ErrStale = errors.New("the index was made from something else")

// ErrCorrupt is what [Load] wraps where the bytes are no index.
var ErrCorrupt = errors.New("the index is damaged")

// AppendBinary appends the index in a form that [Load] reads. The error is
// always nil.
func (x *Index) AppendBinary(dst []byte) ([]byte, error) {
	begin := len(dst)
	dst = append(dst, magic...)
	for _, s := range []string{x.release.ContentHash().String(), x.locale} {
		dst = append32(dst, uint32(len(s)))
		dst = append(dst, s...)
	}
	sizes := []int{len(x.release.Elements()), x.terms.len(), len(x.terms.text), len(x.blocks), len(x.packed)}
	for _, n := range sizes {
		dst = append32(dst, uint32(n))
	}
	dst = append32(dst, x.terms.ends...)
	for _, end := range x.first[1:] {
		dst = append32(dst, end.block, end.posting)
	}
	for _, b := range x.blocks {
		dst = append32(dst, uint32(b))
	}
	dst = append32(dst, x.packed...)
	dst = append(dst, x.rests...)
	dst = append(dst, x.terms.text...)
	return append32(dst, crc32.Checksum(dst[begin:], castagnoli())), nil
}

func append32(dst []byte, numbers ...uint32) []byte {
	for _, n := range numbers {
		dst = binary.LittleEndian.AppendUint32(dst, n)
	}
	return dst
}

func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// Load reads an index that was made for a release with the same content. It
// takes any bytes: what it returns is an index that can be searched safely, or an
// error that wraps [ErrStale] or [ErrCorrupt]. It does not compute scores anew,
// so an index ranks as well as whoever made it meant it to.
func Load(r *taxonomy.Release, data []byte) (*Index, error) {
	x, err := decode(r, data)
	if err != nil {
		return nil, fmt.Errorf("search: index of %s: %w", r.Version(), err)
	}
	return x, nil
}

func decode(r *taxonomy.Release, data []byte) (*Index, error) {
	if len(data) < len(magic)+4 || string(data[:8]) != magic[:8] {
		return nil, ErrCorrupt
	}
	if data[8] != magic[8] {
		return nil, fmt.Errorf("%w: its format is version %d, not %d", ErrStale, data[8], magic[8])
	}
	body, sum := data[:len(data)-4], binary.LittleEndian.Uint32(data[len(data)-4:])
	if crc32.Checksum(body, castagnoli()) != sum {
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrCorrupt)
	}
	d := decoder{rest: body[len(magic):]}
	hash, locale := string(d.bytes(d.number())), string(d.bytes(d.number()))
	if hash != r.ContentHash().String() {
		return nil, fmt.Errorf("%w: content %.100q", ErrStale, hash)
	}
	if !slices.Contains(r.Locales(), locale) {
		return nil, fmt.Errorf("%w: the release has no locale %q", ErrCorrupt, locale)
	}
	x, err := newIndex(r, locale)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	if d.number() != len(r.Elements()) {
		return nil, fmt.Errorf("%w: it has another number of elements", ErrCorrupt)
	}
	terms, textBytes, blocks, packed := d.number(), d.number(), d.number(), d.number()
	x.terms.ends = d.numbers(terms)
	x.first = append(x.first, d.spans(terms)...)
	x.blocks = d.blocks(blocks)
	x.packed = d.numbers(packed)
	x.rests = bytes.Clone(d.bytes((len(x.packed) + 3) / 4))
	x.terms.text = bytes.Clone(d.bytes(textBytes))
	if d.short || len(d.rest) > 0 {
		return nil, fmt.Errorf("%w: its length is wrong", ErrCorrupt)
	}
	if err := x.check(); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	x.setFloors()
	return x, nil
}

// decoder reads numbers and bytes, and remembers if there were not enough.
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

func (d *decoder) number() int {
	b := d.bytes(4)
	if b == nil {
		return 0
	}
	return int(binary.LittleEndian.Uint32(b))
}

func (d *decoder) numbers(n int) []uint32 {
	if n < 0 || n > len(d.rest)/4 {
		d.short, d.rest = true, nil
		return nil
	}
	text := d.bytes(4 * n)
	numbers := make([]uint32, n)
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint32(text[4*i:])
	}
	return numbers
}

func (d *decoder) blocks(n int) []block {
	numbers := d.numbers(n)
	blocks := make([]block, len(numbers))
	for i, number := range numbers {
		blocks[i] = block(number)
	}
	return blocks
}

func (d *decoder) spans(n int) []span {
	if n < 0 || n > len(d.rest) {
		n = -1 // twice as many might overflow
	}
	numbers := d.numbers(2 * n)
	spans := make([]span, len(numbers)/2)
	for i := range spans {
		spans[i] = span{numbers[2*i], numbers[2*i+1]}
	}
	return spans
}

// beyond compares as wide numbers, since an int may have 32 bits.
func beyond(end uint32, length int) bool { return uint64(end) > uint64(length) }

// check holds a loaded index to all that searching relies on.
func (x *Index) check() error {
	if err := x.terms.check(); err != nil {
		return err
	}
	for i := 1; i < len(x.first); i++ {
		begin, end := x.first[i-1], x.first[i]
		if end.block <= begin.block || beyond(end.block, len(x.blocks)) ||
			end.posting <= begin.posting || beyond(end.posting, len(x.packed)) {
			return errors.New("a term has no postings")
		}
		if err := x.checkList(x.between(begin, end, 0)); err != nil {
			return err
		}
	}
	if x.first[len(x.first)-1] != x.end() {
		return errors.New("there are postings without a term")
	}
	return nil
}

// checkList checks the blocks of a term: windows and elements ascend, and the
// maximum is right.
func (x *Index) checkList(l list) error {
	elements := uint32(len(x.release.Elements()))
	for i, b := range l.blocks {
		if beyond(b.count(), len(l.packed)) || i > 0 && b.window() <= l.blocks[i-1].window() {
			return errors.New("blocks are out of order")
		}
		postings := l.packed[:b.count()]
		l.packed = l.packed[b.count():]
		most := uint32(0)
		for k, p := range postings {
			if k > 0 && p>>impactBits <= postings[k-1]>>impactBits {
				return errors.New("postings are out of order")
			}
			if p&impactMask == 0 {
				return errors.New("a posting adds nothing")
			}
			most = max(most, p&impactMask)
		}
		last := postings[len(postings)-1] >> impactBits
		if b.window() > elements>>windowBits || b.window()<<windowBits|last >= elements {
			return errors.New("a posting is for no element")
		}
		if newBlock(0, most).max() != b.max() {
			return errors.New("a maximum is wrong")
		}
	}
	if len(l.packed) > 0 {
		return errors.New("there are postings without a block")
	}
	return nil
}

// check holds a dictionary to its order.
func (d *dictionary) check() error {
	end := uint32(0)
	for i, e := range d.ends {
		if e <= end || beyond(e, len(d.text)) {
			return errors.New("the terms are cut wrongly")
		}
		end = e
		if !utf8.Valid(d.term(i)) || i > 0 && bytes.Compare(d.term(i-1), d.term(i)) >= 0 {
			return errors.New("the terms are out of order")
		}
	}
	if int(end) != len(d.text) {
		return errors.New("the terms are cut wrongly")
	}
	return nil
}
