// Package crosswalk lists what the categories and elements of a version are mapped to in other
// schemes, such as laws, and what a document says about each entry of a scheme.
//
// # Experimental
//
// This package may change in a minor version.
package crosswalk

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/notation"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Mapped is a category or an element that is mapped to an entry of a scheme.
type Mapped struct {
	taxonomy.Mapping
	// CategoryID or ElementID is "": one of them is mapped.
	CategoryID string `json:"category_id,omitempty"`
	ElementID  string `json:"element_id,omitempty"`
	// Title is the name of the category or the title of the element.
	Title taxonomy.Localized `json:"title"`
}

// Mappings returns the mappings of a release to a scheme, or to all of them if scheme is
// "", and only those to one entry unless id is "". A scheme that the release does not have is
// an error. They are in the order of schemes and
// entries, then of categories and their elements. Entries are in the order of laws, and Art.
// 26 is the same as Article 26.
func Mappings(r *taxonomy.Release, scheme, id string) ([]Mapped, error) {
	if scheme != "" {
		if err := checkScheme(r, scheme); err != nil {
			return nil, err
		}
	}
	return mappings(r, scheme, id), nil
}

func mappings(r *taxonomy.Release, scheme, id string) []Mapped {
	all := []Mapped{}
	add := func(list []taxonomy.Mapping, m Mapped) {
		for _, m.Mapping = range list {
			if (scheme == "" || m.Scheme == scheme) && (id == "" || notation.Same(m.ID, id)) {
				all = append(all, m)
			}
		}
	}
	for _, c := range r.Categories() {
		add(c.Mappings, Mapped{CategoryID: c.ID, Title: c.Name})
		for _, e := range r.ElementsOf(c.ID) {
			add(e.Mappings, Mapped{ElementID: e.ID, Title: e.Title})
		}
	}
	place := func(id string) int {
		return slices.IndexFunc(r.Manifest().Schemes, func(s taxonomy.Scheme) bool { return s.ID == id })
	}
	slices.SortStableFunc(all, func(a, b Mapped) int {
		return cmp.Or(cmp.Compare(place(a.Scheme), place(b.Scheme)), notation.Compare(a.ID, b.ID))
	})
	return all
}

func checkScheme(r *taxonomy.Release, id string) error {
	if _, ok := r.Manifest().Scheme(id); !ok {
		return fmt.Errorf("crosswalk: there is no scheme %q in %s", wording.Clip(id), r.Version())
	}
	return nil
}

// AppendMappings appends mappings as a JSON array. The function appends the part of the JSON of
// each that is shown.
func AppendMappings(dst []byte, list []Mapped, show func(dst []byte, text string) []byte) ([]byte, error) {
	dst = append(dst, '[')
	for i := range list {
		text, err := json.Marshal(&list[i])
		if err != nil {
			return nil, err
		}
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = show(dst, string(text))
	}
	return append(dst, ']'), nil
}

// Unmapped returns the categories that have no mapping to a scheme, and of which no
// element has one, and the elements without one. A scheme that the release does not have is an
// error.
func Unmapped(r *taxonomy.Release, scheme string) (categories []*taxonomy.Category, elements []*taxonomy.Element, err error) {
	if err := checkScheme(r, scheme); err != nil {
		return nil, nil, err
	}
	has := func(list []taxonomy.Mapping) bool {
		return slices.ContainsFunc(list, func(m taxonomy.Mapping) bool { return m.Scheme == scheme })
	}
	for _, c := range r.Categories() {
		mapped := has(c.Mappings)
		for _, e := range r.ElementsOf(c.ID) {
			if has(e.Mappings) {
				mapped = true
			} else {
				elements = append(elements, e)
			}
		}
		if !mapped {
			categories = append(categories, c)
		}
	}
	return categories, elements, nil
}
