package register

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// The index of a language has the documents, each with its own words, and after them the elements that
// any of them places, each once. So what an element says is read once, and a list can say by which
// element it found a document.

// build indexes the texts of all documents in the language, or else in another one: what
// is shown can be found.
func (w *languageTable) build(t *table, titles []string) *search.Index {
	list := make([]search.Item, len(t.rows), len(t.rows)+len(t.elements))
	for i := range t.rows {
		if !t.rows[i].removed {
			list[i] = search.Item{Title: titles[i], Body: w.body(t.rows[i].document)}
		}
	}
	for _, e := range t.elements {
		title, _ := w.texts.Pick(e.Title)
		keywords, _ := w.texts.Pick(e.Keywords)
		list = append(list, search.Item{Title: title, Keywords: []string{keywords}})
	}
	return search.BuildTexts(list, w.texts.Locale, t.synonyms(w.texts.Locale))
}

// body returns the own texts of a document besides its title.
func (w *languageTable) body(d *Document) (texts []string) {
	add := func(l taxonomy.Localized) {
		if text, _ := w.texts.Pick(l); text != "" {
			texts = append(texts, text)
		}
	}
	add(d.Description)
	add(d.words)
	if plain, ok := d.words.Get(""); ok {
		texts = append(texts, plain)
	}
	o := d.Organisation()
	add(phrases.OfLabel(o.Name))
	add(phrases.OfLabel(o.Unit))
	for _, l := range d.Details.Themes {
		add(phrases.OfLabel(l))
	}
	for _, p := range d.Details.Places {
		add(phrases.OfLabel(p.Name))
		add(phrases.OfLabel(p.Address))
	}
	return texts
}

// wordMatches is which words of a query the documents and the elements of a table have.
type wordMatches struct {
	required uint64
	words    []uint64 // by position in the index
	scores   []float64
}

// search returns the positions of the documents that have all words of a text, themselves or with the
// elements that they place: first those that have them all themselves, the best first.
func (w *languageTable) search(t *table, text string) (order []int32, m *wordMatches, meant string) {
	found := w.index().Matches(text)
	size := len(t.rows) + len(t.elements)
	m = &wordMatches{required: found.Words, words: make([]uint64, size), scores: make([]float64, size)}
	for _, text := range found.Texts {
		m.words[text.Position], m.scores[text.Position] = text.Words, text.Score
	}
	type hit struct {
		at     int32
		placed bool // it needs its elements
		score  float64
	}
	var hits []hit
	for i := range t.rows {
		if t.rows[i].removed {
			continue
		}
		h := hit{at: int32(i), score: m.scores[i]}
		if missing := m.missing(i); missing != 0 {
			h.placed = true
			best := 0.0
			for _, e := range t.placed(i) {
				if at := len(t.rows) + int(e); m.words[at]&missing != 0 {
					best = max(best, m.scores[at])
				}
			}
			for _, e := range t.placed(i) {
				missing &^= m.words[len(t.rows)+int(e)]
			}
			if missing != 0 {
				continue
			}
			h.score += best
		}
		hits = append(hits, h)
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		if a.placed != b.placed {
			if b.placed {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.score, a.score)
	})
	for _, h := range hits {
		order = append(order, h.at)
	}
	return order, m, found.DidYouMean
}

// missing returns the wanted words that a document does not have itself.
func (m *wordMatches) missing(at int) uint64 { return m.required &^ m.words[at] }

// MatchedBy returns the elements that have the words of the query that a document of the list does not
// have itself, the best of them; none if it has them all.
func (r *Result) MatchedBy(i int) (list []*taxonomy.Element) {
	if r.matches == nil {
		return nil
	}
	t, m, at := r.table, r.matches, int(r.rows[i])
	for missing := m.missing(at); missing != 0; {
		best := -1
		for _, e := range t.placed(at) {
			if k := len(t.rows) + int(e); m.words[k]&missing != 0 && (best < 0 || m.scores[k] > m.scores[best]) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		missing &^= m.words[best]
		list = append(list, t.elements[best-len(t.rows)])
	}
	return list
}

// Retired returns how many systems match that are retired and therefore not in the list, which has
// them if the query asks for that status.
func (r *Result) Retired() int {
	if len(r.Query.Values[ByStatus]) > 0 {
		return 0
	}
	return int(r.counts[int(r.table.first[ByStatus.position()])+slices.Index(Statuses(), Retired)])
}
