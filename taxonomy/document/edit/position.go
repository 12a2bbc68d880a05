package edit

import (
	"sort"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Moved returns a function that returns the offset after edits, in order, of something that began at an
// offset, and whether it is still there. If not, the offset is where it was.
func Moved(edits []document.Edit) func(offset int) (int, bool) {
	shifts := make([]int, len(edits)+1) // of what follows the first n edits
	for i, x := range edits {
		shifts[i+1] = shifts[i] + len(x.Text) - (x.Range.End - x.Range.Start)
	}
	return func(offset int) (int, bool) {
		n := sort.Search(len(edits), func(i int) bool { return edits[i].Range.End > offset })
		if n == len(edits) {
			return offset + shifts[n], true
		}
		next := edits[n]
		if next.Range.Start < offset || next.Range.Start == offset && len(next.Text) == 0 {
			return next.Range.Start + shifts[n], false
		}
		return offset + shifts[n], true
	}
}

// PathAt returns the path of the innermost value that contains an offset.
func PathAt(doc *document.Document, offset int) issue.Path {
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
