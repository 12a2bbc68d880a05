package search

import "math/bits"

// list is postings of one word of a query: what is left of them.
type list struct {
	blocks   []block
	packed   []uint32
	floor    uint32 // the DefaultLimit-th best impact, or 0 where it is not known
	function bool   // it is of a function word
	hushed   bool   // see hush
}

// take returns the postings of the next block and goes on to the one after it.
func (l *list) take() []uint32 {
	n := l.blocks[0].count()
	block := l.packed[:n]
	l.blocks, l.packed = l.blocks[1:], l.packed[n:]
	return block
}

// marks is a set of elements of a window.
type marks [windowSize / 64]uint64

func (m *marks) set(place uint32) { m[place/64] |= 1 << (place % 64) }

func (m *marks) and(other *marks) {
	for i := range m {
		m[i] &= other[i]
	}
}

func (m *marks) count() int {
	n := 0
	for _, word := range m {
		n += bits.OnesCount64(word)
	}
	return n
}

// accumulate adds up the lists, window by window, leaves the best elements in
// s.top, and returns how many elements there are in any list.
func (s *scratch) accumulate() int {
	total := 0
	for {
		window, active, bound := s.nextWindow()
		switch {
		case active == 0:
			return total
		case len(s.filter) == 0 && active == 1:
			total += s.single(window, bound)
		case len(s.filter) > 0 && s.filter[window] == marks{}:
			s.pass(window)
		default:
			total += s.several(window, bound)
		}
	}
}

// seed begins with the best floor of a list: a score is a sum, and so not below
// that of any term. A filter may leave out the elements that have it.
func (s *scratch) seed() {
	if s.top.limit > DefaultLimit || len(s.filter) > 0 {
		return
	}
	for i := range s.lists {
		if l := &s.lists[i]; l.floor > 0 {
			s.top.seed(l.counts(l.floor))
		}
	}
}

// nextWindow returns the first window that a list still has a block of, how many
// lists do, and the best score that is possible in it.
func (s *scratch) nextWindow() (window uint32, active int, bound uint32) {
	window = 1<<32 - 1
	for i := range s.lists {
		l := &s.lists[i]
		if len(l.blocks) == 0 {
			continue
		}
		b := l.blocks[0]
		if b.window() < window {
			window, active, bound = b.window(), 0, 0
		}
		if b.window() == window {
			active++
			bound += l.counts(b.max())
		}
	}
	return window, active, bound
}

// at returns the list if it has a block of the window, else nil.
func (s *scratch) at(i int, window uint32) *list {
	l := &s.lists[i]
	if len(l.blocks) == 0 || l.blocks[0].window() != window {
		return nil
	}
	return l
}

// pass leaves out a window.
func (s *scratch) pass(window uint32) {
	for i := range s.lists {
		if l := s.at(i, window); l != nil {
			l.take()
		}
	}
}

// single takes a window that one list alone has a block of.
func (s *scratch) single(window, bound uint32) int {
	for i := range s.lists {
		l := s.at(i, window)
		if l == nil {
			continue
		}
		block := l.take()
		if bound > s.top.threshold {
			for _, p := range block {
				if score := l.counts(p & impactMask); score > s.top.threshold {
					s.top.push(window<<windowBits|p>>impactBits, score)
				}
			}
		}
		return len(block)
	}
	return 0
}

// several takes a window of any lists, and only what the filter has.
func (s *scratch) several(window, bound uint32) int {
	var seen marks
	better := bound > s.top.threshold
	for i := range s.lists {
		l := s.at(i, window)
		switch {
		case l == nil:
		case !better:
			for _, p := range l.take() {
				seen.set(p >> impactBits)
			}
		case l.hushed:
			for _, p := range l.take() {
				seen.set(p >> impactBits)
				s.scores[p>>impactBits] += hushed(p & impactMask)
			}
		default:
			for _, p := range l.take() {
				seen.set(p >> impactBits)
				s.scores[p>>impactBits] += p & impactMask
			}
		}
	}
	if len(s.filter) > 0 {
		seen.and(&s.filter[window])
	}
	if better {
		s.keep(window, &seen)
		clear(s.scores[:])
	}
	return seen.count()
}

// keep offers the elements that were seen in a window to the best.
func (s *scratch) keep(window uint32, seen *marks) {
	for i, word := range seen {
		for ; word != 0; word &= word - 1 {
			place := uint32(i*64 + bits.TrailingZeros64(word))
			if score := s.scores[place]; score > s.top.threshold {
				s.top.push(window<<windowBits|place, score)
			}
		}
	}
}
