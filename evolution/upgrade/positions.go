package upgrade

import (
	"sort"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// positions says where things are after edits.
type positions struct {
	edits  []document.Edit // in order
	shifts []int           // of what follows the first n edits
}

func newPositions(edits []document.Edit) *positions {
	p := &positions{edits, make([]int, 1, len(edits)+1)}
	shift := 0
	for _, x := range edits {
		shift += len(x.Text) - (x.Range.End - x.Range.Start)
		p.shifts = append(p.shifts, shift)
	}
	return p
}

// after returns the new offset of something that began at an offset, and whether it is
// still there. If not, the offset is where it was.
func (p *positions) after(offset int) (int, bool) {
	n := sort.Search(len(p.edits), func(i int) bool { return p.edits[i].Range.End > offset })
	if n == len(p.edits) {
		return offset + p.shifts[n], true
	}
	next := p.edits[n]
	if next.Range.Start < offset || next.Range.Start == offset && len(next.Text) == 0 {
		return next.Range.Start + p.shifts[n], false
	}
	return offset + p.shifts[n], true
}

// pathAt returns the path of the innermost value that contains an offset.
func pathAt(doc *document.Document, offset int) issue.Path {
	at := doc.Root()
	for {
		next, ok := childAt(at, offset)
		if !ok {
			return at.Path()
		}
		at = next
	}
}

// childAt returns the item of an array or object that contains an offset.
func childAt(v document.Value, offset int) (document.Value, bool) {
	inside := func(item document.Value) bool {
		return item.Range().Start <= offset && offset < item.Range().End
	}
	if v.Kind() == '[' {
		i := sort.Search(v.Len(), func(i int) bool {
			item, _ := v.At(i)
			return item.Range().End > offset
		})
		item, ok := v.At(i)
		return item, ok && inside(item)
	}
	for item := range v.All() {
		if inside(item) {
			return item, true
		}
	}
	return document.Value{}, false
}
