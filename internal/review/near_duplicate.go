package review

import (
	"cmp"
	"fmt"
	"maps"
	"math"
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
		e, other := elements[both.a], elements[both.b]
		if alike := likeness[both]; alike > p.limit && !twins(e, other, locale) {
			p.add(KindElement, e.ID, Finding{
				Locale: locale, Value: alike, Others: []string{other.ID},
				Message: fmt.Sprintf("It says nearly the same as %s (%s): searched by the texts of one, the other has %g %% of its score, on average.",
					other.ID, prose.Printable(other.Title.Pick(locale)), math.Floor(1000*alike)/10),
			})
		}
	}
	return nil
}

// twins reports whether two elements are meant to say the same of two things, such as
// health data as input and as output: their categories tell them apart, and they have the
// same title, or the same id but for that of the category.
func twins(a, b *taxonomy.Element, locale string) bool {
	if a.CategoryID == b.CategoryID {
		return false
	}
	own := func(e *taxonomy.Element) string { return strings.TrimPrefix(e.ID, e.CategoryID+".") }
	return strings.EqualFold(a.Title.Pick(locale), b.Title.Pick(locale)) || own(a) == own(b)
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
