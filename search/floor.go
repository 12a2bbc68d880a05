package search

// setFloors computes the floors of all terms.
func (x *Index) setFloors() {
	x.floors = make([]uint32, x.terms.len())
	best := top{heap: make([]ranked, 0, DefaultLimit)}
	for i := range x.floors {
		postings := x.packed[x.first[i].posting:x.first[i+1].posting]
		if len(postings) < DefaultLimit {
			continue
		}
		best.reset(DefaultLimit)
		for _, p := range postings {
			if impact := p & impactMask; impact > best.threshold {
				best.push(0, impact)
			}
		}
		x.floors[i] = best.threshold
	}
}
