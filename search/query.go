package search

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// defaultLimit is the number of hits that a query without a limit returns.
const defaultLimit = 50

// Limits of a query: the bytes of its text and the distinct terms in them that are used.
// The rest is ignored.
const (
	maxText  = 16 << 10
	maxTerms = 64
)

// Query describes what to find.
type Query struct {
	// Text is words in the language of the index, as typed by a person. The last word
	// may be unfinished.
	Text string
	// Categories are the ids of the categories to search; empty means all. An index of
	// texts has none.
	Categories []string
	// Offset is the number of best hits to skip.
	Offset int
	// Limit is the maximum number of hits; 0 means 50.
	Limit int
	// Whole matches whole words only: no unfinished words, no other forms, no synonyms,
	// no single letters of pairs, and no reduced weight for function words and frequent
	// words.
	// Typos are still tolerated.
	Whole bool
}

// Result is the answer to a query.
type Result struct {
	// Hits are the best matches after Offset, best first. Equal scores are in
	// declaration order.
	Hits []Hit
	// Total is the number of matching elements.
	Total int
}

// Hit is an element that matches a query.
type Hit struct {
	Element *taxonomy.Element // nil in an index of texts
	Score   float64
	// Position is that of the element in the release, or of the text.
	Position int
}

// Search returns the best elements that have any word of the query, and none if all of its
// words that match are function words beside others. It allocates only the hits.
func (x *Index) Search(q Query) Result {
	if x.elements == 0 {
		return Result{}
	}
	s := x.borrow()
	defer x.done(s)
	found, total := x.rank(s, q)
	result := Result{Total: total}
	if len(found) > 0 {
		result.Hits = make([]Hit, len(found))
		for i, f := range found {
			result.Hits[i] = Hit{Score: float64(f.score()) / unit, Position: int(f.element())}
			if x.release != nil {
				at := result.Hits[i].Position
				result.Hits[i].Element = x.release.ElementRange(at, at+1)[0]
			}
		}
	}
	return result
}

// Positions returns the positions of the hits that Search returns, in a sixth of the memory:
// for lists of everything that matches.
func (x *Index) Positions(q Query) []int32 {
	if x.elements == 0 {
		return nil
	}
	s := x.borrow()
	defer x.done(s)
	found, _ := x.rank(s, q)
	positions := make([]int32, len(found))
	for i, f := range found {
		positions[i] = int32(f.element())
	}
	return positions
}

// rank returns the best elements after the offset of a query, which s has, and how many match.
func (x *Index) rank(s *scratch, q Query) (found []ranked, total int) {
	n, limit := x.elements, q.Limit
	if limit <= 0 {
		limit = defaultLimit
	}
	most := min(n, max(0, q.Offset)) + min(n, limit)
	if most >= n {
		most = n + 1 // which is never reached, so that they stay in order
	}
	s.top.reset(most)
	x.only(s, q.Categories)
	w := x.weights(q)
	x.prepare(s, q.Text, w)
	wanted := false // a word that is not a function word
	for i := range s.terms.len() {
		function := w.function && x.function[string(s.terms.term(i))]
		wanted = wanted || !function
		x.expand(s, i, w)
		if l, ok := x.merge(s); ok {
			l.term, l.function = termAt(i), function
			s.lists = append(s.lists, l)
		}
	}
	if wanted && !slices.ContainsFunc(s.lists, func(l list) bool { return !l.function }) {
		s.lists = s.lists[:0]
	}
	s.damp(n, w.damp)
	s.raise()
	if x.notations != nil {
		x.addNotations(s)
	}
	s.seed()
	total = s.accumulate()
	found = s.top.sorted()
	return found[min(max(0, q.Offset), len(found)):], total
}

// HasWord reports whether the used part of a query text has a word.
func HasWord(text string) bool {
	s := scratch{tokens: newTokenizer()}
	s.parse(text, false)
	return s.terms.len() > 0
}

// only sets the filter to the elements of the categories; empty means all.
func (x *Index) only(s *scratch, categories []string) {
	s.filter = s.filter[:0]
	if len(categories) == 0 || x.release == nil {
		return
	}
	windows := (x.elements + windowSize - 1) / windowSize
	s.filter = slices.Grow(s.filter, windows)[:windows]
	clear(s.filter)
	for _, id := range categories {
		begin, end := x.release.CategoryRange(id)
		for i := begin; i < end; i++ {
			s.filter[i>>windowBits].set(uint32(i) % windowSize)
		}
	}
}

// scratch is the working memory of a query, which later queries reuse.
type scratch struct {
	tokens *tokenizer
	terms  dictionary // of the query, in order
	// order has the words of the query as they follow one another, as positions among
	// the terms, or -1 for a word that is not one of them. Only synonyms and notations
	// need it.
	order []termAt
	// unfinished is the position of the last word of the query among the terms, or -1
	// if it is not one of them.
	unfinished termAt
	misspelt   int // the number of terms that were checked for typos
	expansions []expansion
	form       []byte // a form of a word that is looked up
	walk       walk
	phrases    phrases
	lists      []list
	active     []*list // the lists with a block of the current window
	filter     []marks // by window; empty for all elements
	// group has the merged postings of terms with several expansions; best and seen
	// are used for merging, by element.
	group postings
	best  []uint32
	seen  []uint64

	top    top
	scores [windowSize]uint32
}

// borrow returns a scratch, which done returns to the pool.
func (x *Index) borrow() *scratch {
	if s, ok := x.scratch.Get().(*scratch); ok {
		return s
	}
	return &scratch{tokens: newTokenizer()}
}

// maxKept is the maximum size of a scratch that is kept, in bytes of query text.
const maxKept = 64 << 10

// done keeps a scratch for the next query, unless an unusual query has made it large.
func (x *Index) done(s *scratch) {
	size := cap(s.tokens.fold.a) + cap(s.tokens.fold.b) + cap(s.tokens.ends) + cap(s.terms.text)
	if most := 8 * (x.elements + windowSize); size <= maxKept && cap(s.group.packed) <= most && cap(s.phrases.pairs) <= most {
		x.scratch.Put(s)
	}
}

// maxOrder is the number of words of a query whose order is kept.
const maxOrder = 4 * maxTerms

// parse sets the terms of a query: each once, in order.
func (s *scratch) parse(text string, ordered bool) {
	s.terms.text, s.terms.ends = s.terms.text[:0], s.terms.ends[:0]
	p := &s.phrases
	p.matches, p.ends, p.found, p.members = p.matches[:0], p.ends[:0], p.found[:0], p.members[:0]
	s.order = s.order[:0]
	s.unfinished, s.misspelt = -1, 0
	text = strings.ToValidUTF8(text[:min(len(text), maxText)], " ")
	s.tokens.cut(text, 0, func(term []byte, _, _ int) {
		s.unfinished = termAt(s.terms.index(term))
		if s.unfinished < 0 && s.terms.len() < maxTerms {
			s.unfinished = termAt(s.terms.len())
			s.terms.add(term)
		}
		if ordered && !s.tokens.joined && len(s.order) < maxOrder {
			s.order = append(s.order, s.unfinished)
		}
	})
}

// list is the remaining postings of one word of a query. Queries copy lists and walk over
// them for each window, so they are small.
type list struct {
	blocks   []block
	packed   []uint32
	floor    uint32 // the defaultLimit-th best impact, or 0 if unknown
	term     termAt // of the word
	function bool   // it belongs to a function word
	common   bool   // it belongs to a frequent word
	damped   bool   // it counts less
}

// termAt is the position of a word among the terms of a query, of which there are at most
// maxTerms, or -1 if it is not one of them.
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
	if s.top.limit > defaultLimit || len(s.filter) > 0 {
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

// ranked is an element and its score as one number, the larger the better. If scores are
// equal, earlier elements are better.
type ranked uint64

func (r ranked) element() uint32 { return ^uint32(r) }
func (r ranked) score() uint32   { return uint32(r >> 32) }

// top keeps the best of many elements, which come in ascending order. It is a heap with
// the worst element at its root, once there are as many as the limit.
type top struct {
	heap  []ranked
	limit int
	spare []ranked // memory for sorting
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
	if len(t.heap) >= manyHits && len(t.heap) < t.limit {
		t.sortByScore()
		return t.heap
	}
	slices.Sort(t.heap)
	slices.Reverse(t.heap)
	return t.heap
}

// manyHits is the number of elements from which a radix sort is faster, and digitBits the size
// of its digits.
const (
	manyHits  = 1000
	digitBits = 11
)

// sortByScore sorts elements in ascending order by descending score, with a radix sort: it is
// stable and takes a sixth of the time for 10,000 elements.
func (t *top) sortByScore() {
	from, to := t.heap, slices.Grow(t.spare[:0], len(t.heap))[:len(t.heap)]
	for shift := 32; shift < 64; shift += digitBits {
		digit := func(r ranked) uint32 { return uint32(r>>shift) % (1 << digitBits) }
		var next [1 << digitBits]uint32 // where the next element with a digit goes
		for _, r := range from {
			next[digit(r)]++
		}
		if next[digit(from[0])] == uint32(len(from)) {
			continue // all have the same digit
		}
		begin := uint32(0)
		for d, n := range slices.Backward(next[:]) {
			next[d], begin = begin, begin+n
		}
		for _, r := range from {
			at := &next[digit(r)]
			to[*at] = r
			*at++
		}
		from, to = to, from
	}
	t.heap, t.spare = from, to
}
