package review

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
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

// maxCompared is how many elements are compared with each one.
const maxCompared = 8

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
	similarity := map[pair]float64{}
	found := map[string][]search.Hit{} // by the words, which many elements may share
	for i, words := range rareWords(elements, locale) {
		if err := p.interrupted(); err != nil {
			return err
		}
		e := elements[i]
		hits, known := found[words]
		if !known {
			result, err := index.Search(search.Query{Text: words, Limit: maxCompared})
			if err != nil {
				return err
			}
			hits = result.Hits
			found[words] = hits
		}
		own := slices.IndexFunc(hits, func(h search.Hit) bool { return h.Element == e })
		for _, h := range hits {
			if other := position[h.Element]; own >= 0 && other != i {
				similarity[pair{min(i, other), max(i, other)}] += min(1, h.Score/hits[own].Score) / 2
			}
		}
	}
	pairs := slices.SortedFunc(maps.Keys(similarity), func(x, y pair) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	for _, both := range pairs {
		e, other := elements[both.a], elements[both.b]
		if alike := similarity[both]; alike > p.limit && !sameInOtherCategory(e, other, locale) {
			p.add(KindElement, e.ID, Finding{
				Locale: locale, Value: alike, Others: []string{other.ID},
				Message: fmt.Sprintf("It says nearly the same as %s (%s): searched by the texts of one, the other has %g %% of its score, on average.",
					other.ID, wording.Printable(other.Title.Pick(locale)), math.Floor(1000*alike)/10),
			})
		}
	}
	return nil
}

// sameInOtherCategory reports whether two elements are meant to say the same of two things, such as
// health data as input and as output: their categories tell them apart, and they have the
// same title, or the same id but for that of the category.
func sameInOtherCategory(a, b *taxonomy.Element, locale string) bool {
	if a.CategoryID == b.CategoryID {
		return false
	}
	own := func(e *taxonomy.Element) string { return strings.TrimPrefix(e.ID, e.CategoryID+".") }
	return strings.EqualFold(a.Title.Pick(locale), b.Title.Pick(locale)) || own(a) == own(b)
}

// largeRelease is how many elements are searched without the words that most of them have.
const largeRelease = 1000

// rareWords returns the words by which to search for each element. Words that more than
// half of many elements have tell no two of them apart, but cost as much as all elements
// together for each of them.
func rareWords(elements []*taxonomy.Element, locale string) []string {
	texts := make([]string, len(elements))
	count := map[string]int{}
	for i, e := range elements {
		texts[i] = ownWords(e, locale)
		words := wordsOf(texts[i])
		slices.Sort(words)
		for _, word := range slices.Compact(words) {
			count[word]++
		}
	}
	if len(elements) < largeRelease {
		return texts
	}
	for i, text := range texts {
		words := slices.DeleteFunc(wordsOf(text), func(word string) bool { return count[word] > len(elements)/2 })
		if len(words) > 0 {
			texts[i] = strings.Join(words, " ")
		}
	}
	return texts
}

// ownWords returns the title and description of an element without variables.
func ownWords(e *taxonomy.Element, locale string) string {
	var b strings.Builder
	for _, l := range []taxonomy.Localized{e.Title, e.Description} {
		text, _ := l.Get(locale)
		b.WriteString(ident.Interpolate(text, func(string) (string, bool) { return " ", true }))
		b.WriteString("\n")
	}
	return b.String()
}

var sameIcon = &Sign{
	ID:      "same-icon",
	Group:   "icons",
	Purpose: "Elements of a category with the same symbol have the same icon, so the icon says nothing.",
	Advice:  "Draw a symbol for each. Elements of other categories may share it.",
	Limit:   1, Unit: "elements", Weight: 2,
	run: func(p *pass) error {
		type icon struct{ symbol, category string }
		users := map[icon][]string{}
		var order []icon
		for _, e := range p.release.Elements() {
			i := icon{e.SymbolID, e.CategoryID}
			if users[i] = append(users[i], e.ID); len(users[i]) == 1 {
				order = append(order, i)
			}
		}
		for _, i := range order {
			if n := len(users[i]); float64(n) > p.limit {
				p.add(KindSymbol, i.symbol, Finding{
					Value: float64(n), Others: users[i],
					Message: fmt.Sprintf("%d elements of the category %s have this symbol: %s.", n, i.category, some(users[i])),
				})
			}
		}
		return nil
	},
}

var similarIcon = &Sign{
	ID:      "like-icon",
	Group:   "icons",
	Purpose: "Symbols that differ in a detail are taken for one another at 24 pixels.",
	Advice:  "Look at both in small size (datachain icons sheet), and make the difference the largest part of one drawing.",
	Limit:   0.5, Unit: "of the source in common", Weight: 2,
	run: func(p *pass) error {
		drawn := p.drawings()
		for i, a := range drawn {
			if err := p.interrupted(); err != nil {
				return err
			}
			for _, b := range drawn[i+1:] {
				if similarity := a.similarity(b); similarity > p.limit && a.meets(b) {
					p.add(KindSymbol, a.id, Finding{
						Value: similarity, Others: append(append([]string{}, a.elements...), b.elements...),
						Message: fmt.Sprintf("It is drawn like the symbol %s (%.0f %% of the source in common); they stand for %s, and %s.", b.id, 100*similarity, some(a.elements), some(b.elements)),
					})
				}
			}
		}
		return nil
	},
}

// drawing is a symbol that elements use.
type drawing struct {
	id       string
	tags     map[string]bool // the tags of its source, with their attributes
	size     int             // of the tags, in bytes
	elements []string
	shapes   map[taxonomy.Shape]bool
}

// similarity returns how much of the larger of two drawings the other one has, too.
func (d *drawing) similarity(o *drawing) float64 {
	common := 0
	for tag := range d.tags {
		if o.tags[tag] {
			common += len(tag)
		}
	}
	return float64(common) / float64(max(d.size, o.size, 1))
}

// meets reports whether two symbols are on the same shape somewhere. Otherwise the shapes
// tell them apart.
func (d *drawing) meets(o *drawing) bool {
	for shape := range d.shapes {
		if o.shapes[shape] {
			return true
		}
	}
	return false
}

// drawings returns the symbols that elements use, in the order of their first use.
func (p *pass) drawings() []*drawing {
	known := map[string]*drawing{}
	var list []*drawing
	for _, e := range p.release.Elements() {
		d := known[e.SymbolID]
		if d == nil {
			svg, _ := p.release.Symbol(e.SymbolID)
			d = &drawing{id: e.SymbolID, tags: map[string]bool{}, shapes: map[taxonomy.Shape]bool{}}
			for tag := range strings.SplitSeq(svg, "<") {
				if drawn := tag != "" && tag[0] != '/' && !strings.HasPrefix(tag, "svg"); drawn && !d.tags[tag] {
					d.tags[tag], d.size = true, d.size+len(tag)
				}
			}
			known[e.SymbolID] = d
			list = append(list, d)
		}
		d.elements = append(d.elements, e.ID)
		if c, ok := p.release.Category(e.CategoryID); ok {
			d.shapes[c.Shape] = true
		}
	}
	return list
}
