package document

import "slices"

// ParseGenerally is ParseDocument with the general decoder alone.
func ParseGenerally(text []byte) (*Document, error) {
	d := &Document{text: text}
	return d.parse()
}

// Scans reports whether ParseDocument does without the general decoder.
func Scans(text []byte) bool {
	s := treeScanner{text: text}
	return s.scan()
}

// SameTree reports whether two documents have the same values in the same
// places.
func SameTree(d, e *Document) bool {
	return slices.Equal(d.nodes, e.nodes) && slices.Equal(d.items, e.items)
}
