package search

import "slices"

// ranked is an element and its score as one number, the larger the better. If scores are
// equal, earlier elements are better.
type ranked uint64

func (r ranked) element() uint32 { return ^uint32(r) }
func (r ranked) score() uint32   { return uint32(r >> 32) }

// top keeps the best of many elements, which come in ascending order. It is a heap with
// the worst element at its root.
type top struct {
	heap  []ranked
	limit int
	// threshold is the score that an element must exceed to be kept: later elements
	// with an equal score are worse.
	threshold uint32
}

func (t *top) reset(limit int) {
	t.heap, t.limit, t.threshold = t.heap[:0], limit, 0
}

// push adds an element whose score exceeds the threshold.
func (t *top) push(element, score uint32) {
	r := ranked(uint64(score)<<32 | uint64(^element))
	if len(t.heap) < t.limit {
		t.heap = append(t.heap, r)
		if len(t.heap) < t.limit {
			return
		}
		for i := t.limit/2 - 1; i >= 0; i-- {
			t.sink(i)
		}
	} else {
		t.heap[0] = r
		t.sink(0)
	}
	t.threshold = t.heap[0].score()
}

// sink moves an item down to its place.
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

// sorted returns the kept elements, best first. The heap cannot be used afterwards.
func (t *top) sorted() []ranked {
	slices.Sort(t.heap)
	slices.Reverse(t.heap)
	return t.heap
}
