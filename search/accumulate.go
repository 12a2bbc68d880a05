package search

import "math/bits"

// list is the remaining postings of one word of a query. Queries copy lists and walk over
// them for each window, so they are small.
type list struct {
	blocks   []block
	packed   []uint32
	floor    uint32 // the DefaultLimit-th best impact, or 0 if unknown
	term     termAt // of the word
	function bool   // it belongs to a function word
	common   bool   // it belongs to a frequent word
	damped   bool   // it counts less
}

// termAt is the position of a word among the terms of a query, of which there are at most
// [MaxTerms], or -1 if it is not one of them.
type termAt int8

// take removes and returns the postings of the next block.
func (l *list) take() []uint32 {
	n := l.blocks[0].count()
	block := l.packed[:n]
	l.blocks, l.packed = l.blocks[1:], l.packed[n:]
	return block
}

// A frequent word says little about the wanted element, and yet it may be rare in titles,
// which have the highest weight. So it counts less beside rarer words. Function words
// count less beside other words, however rare they are: "are", "who", "les", "una".
const (
	commonShare = 10 // a frequent word is in more than one of so many elements,
	commonLeast = 3  // and in more than so many elements
	dampShare   = 5  // a damped word counts one of so many parts, rounded up
)

// damp marks the lists of function words, unless there are no others, and, if common is
// set, those of frequent words, unless there are no rarer ones.
func (s *scratch) damp(elements int, common bool) {
	for i := range s.lists {
		l := &s.lists[i]
		n := len(l.packed)
		l.common = n > commonLeast && commonShare*n > elements
	}
	s.spreadCommon()
	content, rare := false, 0
	for i := range s.lists {
		l := &s.lists[i]
		content = content || !l.function
		if l.isRare() {
			rare++
		}
	}
	for i := range s.lists {
		l := &s.lists[i]
		l.damped = content && l.function || common && l.common && rare > s.rareRelatives(i)
	}
}

// isRare reports whether the list belongs to a word that says much about the wanted element.
func (l *list) isRare() bool { return !l.function && !l.common }

// counts returns the contribution of an impact to a score.
func (l *list) counts(impact uint32) uint32 {
	if l.damped {
		return damped(impact)
	}
	return impact
}

func damped(impact uint32) uint32 { return (impact + dampShare - 1) / dampShare }

// marks is a set of elements of a window.
type marks [windowSize / 64]uint64

func (m *marks) set(position uint32) { m[position/64] |= 1 << (position % 64) }

// accumulate adds up the lists, window by window, puts the best elements into s.top and
// returns the number of elements in any list.
func (s *scratch) accumulate() int {
	total := 0
	for {
		window, bound := s.nextWindow()
		switch {
		case len(s.active) == 0:
			return total
		case len(s.filter) == 0 && len(s.active) == 1:
			total += s.single(window, bound)
		case len(s.filter) > 0 && s.filter[window] == marks{}:
			for _, l := range s.active {
				l.take()
			}
		default:
			total += s.several(window, bound)
		}
	}
}

// seed starts with the highest floor of a list: a score is a sum, so it is not below the
// contribution of any term. A filter may exclude the elements that reach the floor.
func (s *scratch) seed() {
	if s.top.limit > DefaultLimit || len(s.filter) > 0 {
		return
	}
	for i := range s.lists {
		if l := &s.lists[i]; l.floor > 0 {
			s.top.threshold = max(s.top.threshold, l.counts(l.floor)-1)
		}
	}
}

// nextWindow sets s.active to the lists with a block of the next window, and returns the
// window and an upper bound of the scores in it.
func (s *scratch) nextWindow() (window, bound uint32) {
	window = 1<<32 - 1
	s.active = s.active[:0]
	for i := range s.lists {
		l := &s.lists[i]
		if len(l.blocks) == 0 {
			continue
		}
		b := l.blocks[0]
		if b.window() < window {
			window, bound, s.active = b.window(), 0, s.active[:0]
		}
		if b.window() == window {
			bound += l.counts(b.max())
			s.active = append(s.active, l)
		}
	}
	return window, bound
}

// single takes a window of the only active list.
func (s *scratch) single(window, bound uint32) int {
	l := s.active[0]
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

// several takes a window of the active lists and applies the filter.
func (s *scratch) several(window, bound uint32) int {
	var seen marks
	better := bound > s.top.threshold
	for _, l := range s.active {
		switch {
		case !better:
			for _, p := range l.take() {
				seen.set(p >> impactBits)
			}
		case l.damped:
			for _, p := range l.take() {
				seen.set(p >> impactBits)
				s.scores[p>>impactBits] += damped(p & impactMask)
			}
		default:
			for _, p := range l.take() {
				seen.set(p >> impactBits)
				s.scores[p>>impactBits] += p & impactMask
			}
		}
	}
	total := 0
	for i := range seen {
		word := seen[i]
		if len(s.filter) > 0 {
			word &= s.filter[window][i]
		}
		total += bits.OnesCount64(word)
		for ; better && word != 0; word &= word - 1 {
			position := uint32(i*64 + bits.TrailingZeros64(word))
			if score := s.scores[position]; score > s.top.threshold {
				s.top.push(window<<windowBits|position, score)
			}
		}
	}
	if better {
		clear(s.scores[:])
	}
	return total
}
