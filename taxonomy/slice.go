package taxonomy

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/prose"
)

// Slice is a part of a release: some elements, their categories, and the datachain
// type. [Release.Slice] returns one. Its JSON consists of texts that the release
// has already.
type Slice struct {
	release    *Release
	categories []int
	elements   []int
}

// Slice returns the slice with the elements, which can be named more than once. The
// error wraps [ErrNotFound] if the release does not have one of them.
func (r *Release) Slice(elementIDs []string) (*Slice, error) {
	s := &Slice{release: r}
	for _, id := range elementIDs {
		i, ok := r.elements.ids.find(id)
		if !ok {
			return nil, fmt.Errorf("release %s: element %q: %w", r.version, prose.Clip(id), ErrNotFound)
		}
		s.elements = append(s.elements, i)
	}
	slices.Sort(s.elements)
	s.elements = slices.Compact(s.elements)
	c := 0
	for _, i := range s.elements {
		// Elements are in the order of their categories.
		for i >= r.first[c+1] {
			c++
		}
		if n := len(s.categories); n == 0 || s.categories[n-1] != c {
			s.categories = append(s.categories, c)
		}
	}
	return s, nil
}

// Snapshot returns the slice as values, in the order of the release.
func (s *Slice) Snapshot() Snapshot {
	snap := Snapshot{DatachainType: s.release.typ, Categories: make([]Category, 0, len(s.categories)), Elements: make([]Element, 0, len(s.elements))}
	for _, i := range s.categories {
		snap.Categories = append(snap.Categories, *s.release.categories[i])
	}
	for _, i := range s.elements {
		snap.Elements = append(snap.Elements, *s.release.ElementAt(i))
	}
	return snap
}

// The text around the parts of a snapshot.
const (
	sliceOpen     = `{"categories":[`
	sliceType     = `],"datachain_type":`
	sliceElements = `,"elements":[`
	sliceClose    = `]}`
)

// Len returns how many bytes AppendJSON appends.
func (s *Slice) Len() int {
	n := len(sliceOpen) + len(sliceType) + len(s.release.typeJSON) + len(sliceElements) + len(sliceClose)
	for _, i := range s.categories {
		n += len(s.release.categoryJSON[i])
	}
	for _, i := range s.elements {
		n += len(s.release.elements.text[i])
	}
	return n + max(len(s.categories)-1, 0) + max(len(s.elements)-1, 0) // commas
}

// AppendJSON appends the canonical JSON of the snapshot.
func (s *Slice) AppendJSON(dst []byte) []byte {
	dst = append(slices.Grow(dst, s.Len()), sliceOpen...)
	for n, i := range s.categories {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, s.release.categoryJSON[i]...)
	}
	dst = append(append(append(dst, sliceType...), s.release.typeJSON...), sliceElements...)
	for n, i := range s.elements {
		if n > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, s.release.elements.text[i]...)
	}
	return append(dst, sliceClose...)
}
