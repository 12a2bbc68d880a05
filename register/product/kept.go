package product

import "github.com/datachain-go/datachain/taxonomy/document"

// CountKept counts what a product says about a system, and how much of that a document that is based on it
// still says in the same way: placements and their members, and texts and options of variables, each
// for itself. Gaps, and what the document says besides, do not count.
func CountKept(base, ours *document.Document) (kept, all int) {
	elements := func(doc *document.Document) []*placement {
		list, _ := doc.Root().Get("elements")
		return placementsOf(list)
	}
	from := elements(base)
	pairs, _ := match(from, elements(ours))
	for _, p := range from {
		for _, times := range p.statements() {
			all += times
		}
		if other := pairs[p]; other != nil {
			kept += p.similarity(other)
		}
	}
	return kept, all
}
