package taxonomy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Form says where the parts of a release.json are, so that a release opens without
// parsing it, and decodes its elements when they are needed. It belongs to one content:
// releases that differ only in their version have the same form. [Release.AppendForm]
// writes one, [ParseForm] reads it.
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
type Form struct {
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

// ErrForm is wrapped by the errors of [ParseForm] and of a [Form] that does not fit a
// release.json. Use [DecodeRelease] then.
var ErrForm = errors.New("the form of the release can't be used")

func formError(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrForm, fmt.Sprintf(format, args...))
}

// AppendForm appends the form of the release. The error wraps [ErrForm] if the release
// is too large for one.
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

// ParseForm reads a form. It accepts untrusted data: a form that is returned is
// consistent in itself, but need not fit a release.
func ParseForm(data []byte) (*Form, error) {
	const head = len(formMagic) + len(Hash{}) + 8
	if len(data) < head || string(data[:6]) != formMagic[:6] {
		return nil, formError("it is not a form")
	}
	if string(data[:8]) != formMagic {
		return nil, formError("its format is version %d, not %d", data[7], formMagic[7])
	}
	f := &Form{hash: Hash(data[8:])}
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
func (f *Form) check() error {
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

func (f *Form) checkSlots() error {
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
func (f *Form) typeBegin() uint64 {
	at := uint64(len(openCategories))
	if n := len(f.categories); n > 0 {
		at = uint64(f.categories[n-1])
	}
	return at + uint64(len(openType))
}

// elementsBegin returns where the first element begins.
func (f *Form) elementsBegin() uint64 { return uint64(f.typ) + uint64(len(openElements)) }

// begin returns where element i begins. After the last one, that is where the end of
// the list would have a comma.
func (f *Form) begin(i int) uint64 {
	if i == 0 {
		return f.elementsBegin()
	}
	return uint64(f.elements[i-1]) + 1
}

// elementsEnd returns where the list of elements ends.
func (f *Form) elementsEnd() uint64 {
	if n := len(f.elements); n > 0 {
		return uint64(f.elements[n-1])
	}
	return f.elementsBegin()
}
