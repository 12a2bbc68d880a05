package search

// A word of a query that many elements have says little about which one is
// meant, and yet it may be rare in titles, where it counts most. Beside rarer words
// it counts a part of what it would. So do function words beside others, however
// rare they are: "are", "who", "les", "una".
const (
	commonShare  = 10 // more than one in so many elements
	commonLeast  = 3  // and more than so many
	hushedWeight = 5  // counts one in so many, rounded up
)

// hush marks the lists of function words, unless all are such, and if common is
// set those that many elements have, unless all others are such, too.
func (s *scratch) hush(elements int, common bool) {
	content, rare := false, false
	for i := range s.lists {
		l := &s.lists[i]
		content = content || !l.function
		rare = rare || !l.function && !l.common(elements)
	}
	for i := range s.lists {
		l := &s.lists[i]
		l.hushed = content && l.function || common && rare && l.common(elements)
	}
}

// common reports whether many elements match the word.
func (l *list) common(elements int) bool {
	n := len(l.packed)
	return n > commonLeast && commonShare*n > elements
}

// counts returns what an impact adds to a score.
func (l *list) counts(impact uint32) uint32 {
	if l.hushed {
		return hushed(impact)
	}
	return impact
}

// hushed is never nothing.
func hushed(impact uint32) uint32 { return (impact + hushedWeight - 1) / hushedWeight }
