package review

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

var nearDuplicate = &Sign{
	ID:      "near-duplicate",
	Group:   "duplicates",
	Purpose: "Two elements that say nearly the same make authors guess, and documents hard to compare.",
	Advice:  "Merge them, or put into both titles what tells them apart.",
	Limit:   0.6, Unit: "of the score of the element itself", Weight: 3,
	run: func(p *pass) error {
		if len(p.report.Locales) == 0 {
			return nil
		}
		locale := p.report.Locales[0]
		index, err := search.Build(p.release, locale)
		if err != nil {
			return fmt.Errorf("review: %w", err)
		}
		return p.duplicates(index, locale)
	},
}

// likest is how many elements are compared with each one.
const likest = 8

// pair is two elements by position, the first one first.
type pair struct{ a, b int }

// duplicates searches for each element by its own words. The score of another element, as
// a part of that of the element itself, says how much of it the other one has. The mean of
// both directions counts, so a short text is not a duplicate of a long one with its words.
func (p *pass) duplicates(index *search.Index, locale string) error {
	elements := p.release.Elements()
	position := make(map[*taxonomy.Element]int, len(elements))
	for i, e := range elements {
		position[e] = i
	}
	likeness := map[pair]float64{}
	for i, e := range elements {
		if err := p.interrupted(); err != nil {
			return err
		}
		hits := index.Search(search.Query{Text: ownWords(e, locale), Limit: likest}).Hits
		own := slices.IndexFunc(hits, func(h search.Hit) bool { return h.Element == e })
		for _, h := range hits {
			if other := position[h.Element]; own >= 0 && other != i {
				likeness[pair{min(i, other), max(i, other)}] += min(1, h.Score/hits[own].Score) / 2
			}
		}
	}
	pairs := slices.SortedFunc(maps.Keys(likeness), func(x, y pair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	for _, both := range pairs {
		if alike := likeness[both]; alike > p.limit {
			e, other := elements[both.a], elements[both.b]
			p.add(KindElement, e.ID, Finding{
				Locale: locale, Value: alike, Others: []string{other.ID},
				Message: fmt.Sprintf("A search for its texts finds %[2]s (%[3]s) nearly as well, with %.0[1]f %% of its score.", 100*alike, other.ID, prose.Printable(other.Title.Pick(locale))),
			})
		}
	}
	return nil
}

// ownWords returns the title and description of an element without variables.
func ownWords(e *taxonomy.Element, locale string) string {
	var b strings.Builder
	for _, l := range []taxonomy.Localized{e.Title, e.Description} {
		text, _ := l.Get(locale)
		b.WriteString(taxonomy.Interpolate(text, func(string) (string, bool) { return " ", true }))
		b.WriteString("\n")
	}
	return b.String()
}
