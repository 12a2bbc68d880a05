package report

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Places counts the places where something was found, and keeps the first ones.
type Places struct {
	Documents, Number int

	last  string
	first []issue.Position // in the first documents
}

// Add counts a place. The places of a document follow one another.
func (p *Places) Add(at issue.Position) {
	p.Number++
	if p.Documents > 0 && at.File == p.last {
		return
	}
	p.Documents, p.last = p.Documents+1, at.File
	if len(p.first) < shownPlaces {
		p.first = append(p.first, at)
	}
}

// Count returns how many documents and places there are.
func (p *Places) Count() string {
	text := wording.Count(p.Documents, "document")
	if p.Number > p.Documents {
		text += ", " + wording.Count(p.Number, "place")
	}
	return text
}

// String names the first documents.
func (p *Places) String() string {
	var shown []string
	for _, at := range p.first {
		shown = append(shown, at.String())
	}
	text := strings.Join(shown, ", ")
	if more := p.Documents - len(p.first); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return wording.Line(text)
}

// Groups are places by a key, in the order in which the keys were found.
type Groups[K comparable] struct {
	keys   []K
	places map[K]*Places
}

// Len returns how many groups there are.
func (g *Groups[K]) Len() int { return len(g.keys) }

// Has reports whether a key was found.
func (g *Groups[K]) Has(k K) bool { return g.places[k] != nil }

// Of returns the places of a key, which may be new.
func (g *Groups[K]) Of(k K) *Places {
	if g.places == nil {
		g.places = make(map[K]*Places)
	}
	if g.places[k] == nil {
		g.keys, g.places[k] = append(g.keys, k), new(Places)
	}
	return g.places[k]
}

// SortByDocuments puts the groups that concern most documents first.
func (g *Groups[K]) SortByDocuments() {
	slices.SortStableFunc(g.keys, func(a, b K) int { return cmp.Compare(g.places[b].Documents, g.places[a].Documents) })
}

// All yields the groups.
func (g *Groups[K]) All() iter.Seq2[K, *Places] {
	return func(yield func(K, *Places) bool) {
		for _, k := range g.keys {
			if !yield(k, g.places[k]) {
				return
			}
		}
	}
}
