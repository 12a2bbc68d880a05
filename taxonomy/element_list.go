package taxonomy

import (
	"cmp"
	"math/bits"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-json-experiment/json"
)

// elementList is the elements of a release in order.
type elementList struct {
	ids  idTable
	text []string // the canonical JSON
	// values are the decoded elements. Those of a release that was opened with a
	// form are decoded when they are needed, and nil until then.
	values []*Element
	lazy   *decoding // nil if all are decoded
}

// decoding decodes elements once.
type decoding struct {
	// decoded has a bit for each element that is decoded. It is set after the
	// value, so that whoever sees the bit sees the value.
	decoded []atomic.Uint64
	mu      sync.Mutex // held to decode
	reader  *elementReader
	// derive returns the value of an element, if it is not decoded from its text.
	derive func(i int) *Element
	// outline returns what is known of an element without its text.
	outline func(i int) Element
}

// newLazyList returns a list without values.
func newLazyList(ids idTable, text []string, outline func(i int) Element) elementList {
	return elementList{
		ids: ids, text: text, values: make([]*Element, len(text)),
		lazy: &decoding{decoded: make([]atomic.Uint64, (len(text)+63)/64), reader: newElementReader(), outline: outline},
	}
}

// derived returns a list of the same elements with other values, which are derived when
// they are needed.
func (l *elementList) derived(derive func(*Element) *Element) elementList {
	d := newLazyList(l.ids, l.text, nil)
	d.lazy.derive = func(i int) *Element { return derive(l.between(i, i+1)[0]) }
	return d
}

func (l *elementList) len() int { return len(l.text) }

// between returns the elements from begin up to end.
func (l *elementList) between(begin, end int) []*Element {
	if l.lazy != nil && !l.lazy.has(begin, end) {
		l.decode(begin, end)
	}
	return l.values[begin:end:end]
}

// has reports whether the elements from begin up to end are decoded.
func (d *decoding) has(begin, end int) bool {
	for i := begin; i < end; {
		next := min(end, (i|63)+1)
		want := (^uint64(0) >> (64 - (next - i))) << (i & 63)
		if d.decoded[i>>6].Load()&want != want {
			return false
		}
		i = next
	}
	return true
}

// decode decodes the elements from begin up to end, in parallel if there are many.
func (l *elementList) decode(begin, end int) {
	d := l.lazy
	d.mu.Lock()
	defer d.mu.Unlock()
	if end-begin <= minChunk {
		l.decodeWith(d.reader, begin, end)
		return
	}
	inChunks(begin, end, func(_, begin, end int) { l.decodeWith(newElementReader(), begin, end) })
}

func (l *elementList) decodeWith(reader *elementReader, begin, end int) {
	d := l.lazy
	for i := begin; i < end; i++ {
		if d.has(i, i+1) {
			continue
		}
		e := new(Element)
		if d.derive != nil {
			e = d.derive(i)
		} else if _, err := reader.read(l.text[i], e); err != nil || e.ID != l.ids.ids[i] {
			*e = d.outline(i) // a file that was not verified is not a reason to panic
		}
		l.values[i] = e
		d.decoded[i>>6].Or(1 << (i & 63))
	}
}

// sorted returns the positions of the elements in the order of their ids.
func (l *elementList) sorted() []int32 {
	order := make([]int32, l.len())
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return strings.Compare(l.ids.ids[a], l.ids.ids[b]) })
	return order
}

// marshalElements marshals elements into texts. It returns the first error with
// the position of its element.
func marshalElements(elements []Element, texts []string) (at int, err error) {
	var mu sync.Mutex
	fail := func(i int, failed error) {
		mu.Lock()
		defer mu.Unlock()
		if err == nil || i < at {
			at, err = i, failed
		}
	}
	inChunks(0, len(elements), func(_, begin, end int) {
		for i := begin; i < end; i++ {
			text, failed := json.Marshal(&elements[i])
			if failed != nil {
				fail(i, failed)
				return
			}
			texts[i] = string(text)
		}
	})
	return at, err
}

// minChunk is how many elements are worth a goroutine.
const minChunk = 256

// inChunks calls do for consecutive ranges from begin up to end, numbered from 0, in
// parallel if there are many elements.
func inChunks(begin, end int, do func(chunk, begin, end int)) {
	size := chunkSize(end - begin)
	var wg sync.WaitGroup
	for i := begin; i < end; i += size {
		if last := min(i+size, end); last < end {
			wg.Go(func() { do((i-begin)/size, i, last) })
		} else {
			do((i-begin)/size, i, last)
		}
	}
	wg.Wait()
}

// chunkSize returns how many of n elements inChunks has in a range.
func chunkSize(n int) int {
	cpus := runtime.GOMAXPROCS(0)
	return max(minChunk, (n+cpus-1)/cpus)
}

// idTable finds the position of an id. It takes a third of the memory of a map, and a
// form has its slots, so that a release of 100,000 elements opens without hashing ids.
//
// Slots are sorted by the hash of the id, then by the id. The first bits of a hash
// select a bucket, which has about one slot. Ids that were chosen to have the same
// hash make a lookup logarithmic, not linear.
type idTable struct {
	ids   []string
	slots []slot
	// The slots of bucket b are slots[buckets[b]:buckets[b+1]]. A bucket is the
	// first 32-shift bits of a hash.
	buckets []uint32
	shift   uint8
}

// slot is the hash of an id in its upper 32 bits and the position of the id in its
// lower 32 bits.
type slot uint64

func (s slot) hash() uint32     { return uint32(s >> 32) }
func (s slot) position() uint32 { return uint32(s) }

// newIDTable returns the table of ids, which it keeps. If an id occurs twice, it also returns the
// position of the second one, otherwise -1.
func newIDTable(ids []string) (t idTable, twice int) {
	joinMemory(ids)
	slots := make([]slot, len(ids))
	for i, id := range ids {
		slots[i] = slot(uint64(hashID(id))<<32 | uint64(i))
	}
	slices.Sort(slots)
	twice = -1
	for i := 0; i < len(slots); {
		end := i + 1
		for end < len(slots) && slots[end].hash() == slots[i].hash() {
			end++
		}
		// The sort is stable, so equal ids stay in the order of positions.
		slices.SortStableFunc(slots[i:end], func(a, b slot) int { return cmp.Compare(ids[a.position()], ids[b.position()]) })
		for k := i + 1; k < end; k++ {
			if at := int(slots[k].position()); ids[at] == ids[slots[k-1].position()] && (twice < 0 || at < twice) {
				twice = at
			}
		}
		i = end
	}
	return openIDTable(ids, slots), twice
}

// openIDTable returns a table with sorted slots.
func openIDTable(ids []string, slots []slot) idTable {
	t := idTable{ids: ids, slots: slots, shift: uint8(32 - bits.Len(uint(len(slots))))}
	t.buckets = make([]uint32, 1<<(32-t.shift)+1)
	bucket := 0
	for i, s := range slots {
		for ; bucket <= int(s.hash()>>t.shift); bucket++ {
			t.buckets[bucket] = uint32(i)
		}
	}
	for ; bucket < len(t.buckets); bucket++ {
		t.buckets[bucket] = uint32(len(slots))
	}
	return t
}

// joinMemory lets texts share one piece of memory. A lookup is three times faster if the
// ids are not spread over the JSON of a release, of which they are parts.
func joinMemory(texts []string) {
	all := strings.Join(texts, "")
	for i, t := range texts {
		texts[i], all = all[:len(t)], all[len(t):]
	}
}

// find returns the position of an id.
func (t *idTable) find(id string) (int, bool) {
	if len(t.slots) == 0 {
		return 0, false
	}
	hash := hashID(id)
	begin, end := t.buckets[hash>>t.shift], t.buckets[hash>>t.shift+1]
	for begin < end {
		middle := (begin + end) / 2
		s := t.slots[middle]
		switch known := s.hash(); {
		case hash == known && id == t.ids[s.position()]: // almost always, the first time
			return int(s.position()), true
		case hash < known || hash == known && id < t.ids[s.position()]:
			end = middle
		default:
			begin = middle + 1
		}
	}
	return 0, false
}

// hashID is part of the format of a form: it reads the id in words of eight bytes in
// little endian, the last one filled up with zeros.
func hashID(id string) uint32 {
	hash := uint64(len(id))
	for ; len(id) >= 8; id = id[8:] {
		hash = mixed(hash ^ (uint64(id[0]) | uint64(id[1])<<8 | uint64(id[2])<<16 | uint64(id[3])<<24 |
			uint64(id[4])<<32 | uint64(id[5])<<40 | uint64(id[6])<<48 | uint64(id[7])<<56)) // one load
	}
	last := uint64(0)
	for i := len(id) - 1; i >= 0; i-- {
		last = last<<8 | uint64(id[i])
	}
	return uint32(mixed(hash^last) >> 32)
}

// mixed spreads the bits of a word.
func mixed(word uint64) uint64 {
	word *= 0x9E3779B97F4A7C15 // 2^64 divided by the golden ratio
	return word ^ word>>29
}
