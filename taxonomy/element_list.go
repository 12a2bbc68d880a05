package taxonomy

import (
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
