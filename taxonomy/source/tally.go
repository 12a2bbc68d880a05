package source

import (
	"fmt"
	"iter"
)

// tally counts the elements that share a slip, such as an id that names
// nothing, so that it is noted once.
type tally struct {
	order []string
	first map[string]*element
	count map[string]int
}

func newTally() *tally {
	return &tally{first: make(map[string]*element), count: make(map[string]int)}
}

func (t *tally) add(id string, e *element) {
	if t.count[id]++; t.count[id] == 1 {
		t.order = append(t.order, id)
		t.first[id] = e
	}
}

// all yields the first element of each slip, and how a message tells of the
// others.
func (t *tally) all() iter.Seq2[*element, string] {
	return func(yield func(*element, string) bool) {
		for _, id := range t.order {
			others := ""
			switch n := t.count[id] - 1; {
			case n == 1:
				others = " (1 more element names it)"
			case n > 1:
				others = fmt.Sprintf(" (%d more elements name it)", n)
			}
			if !yield(t.first[id], others) {
				return
			}
		}
	}
}
