package search

import "slices"

// ranked is an element and its score as one number: the larger, the better.
// Where scores are equal, elements that come first are better.
type ranked uint64

func rankedOf(element, score uint32) ranked { return ranked(uint64(score)<<32 | uint64(^element)) }

func (r ranked) element() uint32 { return ^uint32(r) }
func (r ranked) score() uint32   { return uint32(r >> 32) }

// top keeps the best of many elements that come in ascending order. It is a heap
// with the worst of them at its root.
type top struct {
	heap  []ranked
	limit int
	// threshold is the score that an element must exceed to be kept. Elements
	// that come later and have the same score are worse.
	threshold uint32
}

func (t *top) reset(limit int) {
	t.heap, t.limit, t.threshold = t.heap[:0], limit, 0
}

// seed sets the threshold below a score that limit elements are known to reach,
// so that those who don't are passed over from the beginning.
func (t *top) seed(score uint32) { t.threshold = max(t.threshold, score-1) }

// push keeps an element whose score exceeds the threshold.
func (t *top) push(element, score uint32) {
	r := rankedOf(element, score)
	if len(t.heap) < t.limit {
		t.heap = append(t.heap, r)
		if len(t.heap) == t.limit {
			for i := t.limit/2 - 1; i >= 0; i-- {
				t.sink(i)
			}
			t.threshold = t.heap[0].score()
		}
		return
	}
	t.heap[0] = r
	t.sink(0)
	t.threshold = t.heap[0].score()
}

// sink brings the i-th to its place among those below it.
func (t *top) sink(i int) {
	h := t.heap
	r := h[i]
	for {
		child := 2*i + 1
		if child >= len(h) {
			break
		}
		if child+1 < len(h) && h[child+1] < h[child] {
			child++
		}
		if r <= h[child] {
			break
		}
		h[i] = h[child]
		i = child
	}
	h[i] = r
}

// sorted returns what was kept, the best first. It ends the use of the heap.
func (t *top) sorted() []ranked {
	slices.Sort(t.heap)
	slices.Reverse(t.heap)
	return t.heap
}
