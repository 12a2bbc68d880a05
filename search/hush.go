package search

// A word of a query that many elements have says little about which one is
// meant, and yet it may be rare in titles, where it counts most: "of", "how",
// "les", "una". Beside rarer words it counts a part of what it would.
const (
	commonShare  = 10 // more than one in so many elements
	commonLeast  = 3  // and more than so many
	hushedWeight = 5  // counts one in so many, rounded up
)

// hush marks the lists of words that many elements have, unless all are such.
func (s *scratch) hush(elements int) {
	rare := 0
	for i := range s.lists {
		l := &s.lists[i]
		n := len(l.packed)
		l.hushed = n > commonLeast && commonShare*n > elements
		if !l.hushed {
			rare++
		}
	}
	if rare == 0 {
		for i := range s.lists {
			s.lists[i].hushed = false
		}
	}
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
