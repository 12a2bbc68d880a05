package search_test

import (
	"math"
	"regexp"
	"slices"
	"strings"
)

// oracle is a straightforward implementation of the package documentation: maps, loops over
// everything, and distances by definition.
type oracle struct {
	docs     []oracleDoc
	terms    map[string]bool // of all docs
	function map[string]bool // function words
	groups   [][][]string    // synonyms: groups of phrases of terms
}

// oracleDoc is an element by its terms.
type oracleDoc struct {
	category                     string
	title, description, keywords []string
}

// oracleQuery has terms where a query has text.
type oracleQuery struct {
	terms      []string
	order      []string // the terms without compounds
	categories []string
	whole      bool
}

type oracleHit struct {
	doc   int
	score float64
}

// search returns all matches, best first.
func (o *oracle) search(q oracleQuery) []oracleHit {
	var distinct []string
	for _, t := range q.terms {
		if !slices.Contains(distinct, t) {
			distinct = append(distinct, t)
		}
	}
	var words []oracleWord
	misspelt := 0
	units := o.units(q)
	for _, word := range distinct {
		best := map[int]int{}
		weights := o.expand(word, word == q.terms[len(q.terms)-1], q.whole)
		if len(weights) == 0 && len([]rune(word)) >= 4 && (q.whole || !o.function[word]) && misspelt < 8 && !explained(units, word) {
			weights = o.misspelt(word, q.whole)
			misspelt++
		}
		for term, weight := range weights {
			for d, impact := range o.impacts(term, weight) {
				best[d] = max(best[d], impact)
			}
		}
		if len(best) > 0 {
			words = append(words, oracleWord{word, nil, best, o.isCommon(len(best)), o.function[word]})
		}
	}
	words = o.addSynonyms(words, units)
	if !q.whole {
		if !slices.ContainsFunc(words, func(w oracleWord) bool { return !w.function }) &&
			slices.ContainsFunc(distinct, func(word string) bool { return !o.function[word] }) {
			return nil
		}
		damp(words)
	}
	raise(words, units)
	sums, matched := map[int]int{}, map[int]bool{}
	for _, w := range words {
		for d, impact := range w.best {
			sums[d] += impact
			matched[d] = true
		}
	}
	var hits []oracleHit
	for d := range matched {
		if len(q.categories) == 0 || slices.Contains(q.categories, o.docs[d].category) {
			hits = append(hits, oracleHit{d, float64(sums[d]) / 65536})
		}
	}
	slices.SortFunc(hits, func(a, b oracleHit) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return a.doc - b.doc
	})
	return hits
}

// oracleWord is a word of a query: its contribution to the score of elements, and whether
// it is a function word or frequent.
type oracleWord struct {
	word             string   // "" for synonyms,
	phrase           []string // which are those of a phrase
	best             map[int]int
	common, function bool
}

// isCommon reports whether a word matches more than three elements and more than a tenth of
// all.
func (o *oracle) isCommon(matched int) bool { return matched > 3 && 10*matched > len(o.docs) }

// damp reduces the contribution of function words to a fifth if there are others, and that
// of frequent words if there are words that are neither. A phrase and its synonyms do not
// reduce one another.
func damp(words []oracleWord) {
	content := slices.ContainsFunc(words, func(w oracleWord) bool { return !w.function })
	for _, w := range words {
		rare := slices.ContainsFunc(words, func(o oracleWord) bool {
			return !o.function && !o.common && !slices.Contains(o.phrase, w.word) && !slices.Contains(w.phrase, o.word)
		})
		for d, impact := range w.best {
			if w.function && content || w.common && rare {
				w.best[d] = int(math.Ceil(float64(impact) / 5))
			}
		}
	}
}

// isForm reports whether words begin with the same letters: at least five, and at least half
// of each, rounded down.
func isForm(a, b string) bool {
	x, y := []rune(a), []rune(b)
	shared := 0
	for shared < min(len(x), len(y)) && x[shared] == y[shared] {
		shared++
	}
	return shared >= 5 && shared >= len(x)/2 && shared >= len(y)/2
}

// formWeight returns the weight of a form: 2/3, or half of it if less than two thirds of the
// letters of either word are the same.
func formWeight(a, b string) float64 {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	shared := len([]rune(strings.ToValidUTF8(a[:n], "")))
	if longer := max(len([]rune(a)), len([]rune(b))); float64(shared)/float64(longer) < 2.0/3 {
		return 1.0 / 3
	}
	return 2.0 / 3
}

// plurals returns the regular plurals of an English word.
func plurals(word string) []string {
	switch {
	case len(word) < 2:
		return nil
	case consonantY.MatchString(word):
		return []string{strings.TrimSuffix(word, "y") + "ies"}
	case strings.HasSuffix(word, "o"):
		return []string{word + "s", word + "es"}
	case hissing.MatchString(word):
		return []string{word + "es"}
	}
	return []string{word + "s"}
}

var (
	consonantY = regexp.MustCompile(`[^aeiou]y$`)
	hissing    = regexp.MustCompile(`(s|x|z|ch|sh)$`)
)

// isNumber reports whether one of two words is the plural of the other, or both are the same
// number. Function words have no other number.
func (o *oracle) isNumber(a, b string) bool {
	if o.function[a] || o.function[b] {
		return false
	}
	if sameNumber[a] == b || sameNumber[b] == a {
		return true
	}
	if a == "" || b == "" || a[0] != b[0] { // most words, in no time
		return false
	}
	return slices.Contains(plurals(a), b) || slices.Contains(plurals(b), a)
}

var sameNumber = map[string]string{"first": "1st", "second": "2nd", "third": "3rd", "four": "4", "twelve": "12"}

// expand returns the terms that match a word, with their weights.
func (o *oracle) expand(word string, unfinished, whole bool) map[string]float64 {
	weights := map[string]float64{}
	for term := range o.vocabulary() {
		switch {
		case term == word:
			weights[term] = 1
		case !whole && o.isNumber(word, term):
			weights[term] = 2.0 / 3
		case !whole && (isForm(word, term) || unfinished && strings.HasPrefix(term, word)):
			if isForm(word, term) {
				weights[term] = formWeight(word, term)
			}
			if unfinished && strings.HasPrefix(term, word) {
				weights[term] = max(weights[term], 0.5)
			}
		case !whole && unspaced(word) && len([]rune(word)) == 1 && strings.Contains(term, word):
			weights[term] = 0.5
		}
	}
	return weights
}

// misspelt returns the terms that a word may be a misspelling of.
func (o *oracle) misspelt(word string, whole bool) map[string]float64 {
	weights := map[string]float64{}
	for term := range o.vocabulary() {
		letters := len([]rune(word))
		switch d := distance([]rune(word), []rune(term)); {
		case !whole && o.function[term]:
			// function words are never corrections
		case []rune(word)[0] != []rune(term)[0]:
			// corrections keep the first letter
		case letters >= 4 && letters <= 64 && d == 1:
			weights[term] = 0.4
		case letters >= 8 && letters <= 64 && d == 2:
			weights[term] = 0.2
		}
	}
	return weights
}

func (o *oracle) vocabulary() map[string]bool {
	if o.terms != nil {
		return o.terms
	}
	o.terms = map[string]bool{}
	for _, d := range o.docs {
		for _, t := range slices.Concat(d.title, d.description, d.keywords) {
			o.terms[t] = true
		}
	}
	return o.terms
}

// impacts returns the contribution of a term to the score of each element that has it,
// rounded once.
func (o *oracle) impacts(term string, weight float64) map[int]int {
	title := o.field(term, func(d oracleDoc) (words, halves []string) { return d.title, nil })
	description := o.field(term, func(d oracleDoc) (words, halves []string) { return d.description, d.keywords })
	impacts := map[int]int{}
	for i := range o.docs {
		if title[i]+description[i] > 0 {
			boost := 1.5
			if weight == 1 {
				boost = 3
			}
			impacts[i] = max(1, int(math.Round(weight*(boost*title[i]+description[i])*65536)))
		}
	}
	return impacts
}

// field returns s of each element for a field, which has words, and some that
// count half.
func (o *oracle) field(term string, of func(oracleDoc) (words, halves []string)) []float64 {
	tf, length := make([]float64, len(o.docs)), make([]float64, len(o.docs))
	n, total := 0.0, 0.0
	for i, d := range o.docs {
		words, halves := of(d)
		for _, w := range words {
			if length[i]++; w == term {
				tf[i]++
			}
		}
		for _, w := range halves {
			if length[i] += 0.5; w == term {
				tf[i] += 0.5
			}
		}
		total += length[i]
		if tf[i] > 0 {
			n++
		}
	}
	N := float64(len(o.docs))
	idf := math.Log(1 + (N-n+0.5)/(n+0.5))
	scores := make([]float64, len(o.docs))
	for i := range o.docs {
		if tf[i] > 0 {
			scores[i] = idf * tf[i] * 2.2 / (tf[i] + 1.2*(0.25+0.75*length[i]/(total/N)))
		}
	}
	return scores
}

// distance is the optimal string alignment distance, by definition.
func distance(a, b []rune) int {
	d := make([][]int, len(a)+1)
	for i := range d {
		d[i] = make([]int, len(b)+1)
		for j := range d[i] {
			switch {
			case i == 0:
				d[i][j] = j
			case j == 0:
				d[i][j] = i
			default:
				replaced := d[i-1][j-1]
				if a[i-1] != b[j-1] {
					replaced++
				}
				d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, replaced)
				if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
					d[i][j] = min(d[i][j], d[i-2][j-2]+1)
				}
			}
		}
	}
	return d[len(a)][len(b)]
}
