package review

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// measure is what reading formulas need to know about a text.
type measure struct {
	words, sentences, syllables, letters float64
}

// minReadingWords is the length from which a reading formula says something about a text:
// in a shorter one, a single long word decides.
const minReadingWords = 20

// measure counts words, sentences, syllables and letters, and reports whether there is
// enough of them.
func (t *text) measure(syllables func(word string) int) (measure, bool) {
	m := measure{words: float64(t.words()), sentences: float64(len(t.sentences))}
	for _, s := range t.sentences {
		for _, word := range s {
			m.syllables += float64(syllables(word))
			for _, r := range word {
				if unicode.IsLetter(r) {
					m.letters++
				}
			}
		}
	}
	return m, t.field == fieldDescription && m.words >= minReadingWords
}

var readingEase = &Sign{
	ID:      "reading-ease",
	Group:   "reading level",
	Purpose: "Formulas for French, Spanish, German and Italian rate texts from 100 (very easy) to 0 (very hard), as Flesch did for English.",
	Advice:  "Use shorter sentences and everyday words.",
	Limit:   25, Unit: "points of 100", AtLeast: true, Weight: 2,
	Languages: []string{"fr", "es", "de", "it"},
	text: func(p *pass, t *text) {
		f := easeFormulas[baseLanguage(t.locale)]
		m, enough := t.measure(f.syllables)
		if !enough {
			return
		}
		if ease := f.ease(m); ease < p.limit {
			p.found(t, max(0, ease), "The description is hard to read: %.0f of 100 points (%s; at least %g).", max(0, ease), f.name, p.limit)
		}
	},
}

// easeFormula rates how easy a text of a language is.
type easeFormula struct {
	name      string
	syllables func(word string) int
	ease      func(measure) float64
}

var easeFormulas = map[string]easeFormula{
	"fr": {"Kandel-Moles", frenchSyllables, func(m measure) float64 { return 207 - 1.015*m.words/m.sentences - 73.6*m.syllables/m.words }},
	"es": {"Fernández Huerta", spanishSyllables, func(m measure) float64 { return 206.84 - 60*m.syllables/m.words - 1.02*m.words/m.sentences }},
	"de": {"Amstad", germanSyllables, func(m measure) float64 { return 180 - m.words/m.sentences - 58.5*m.syllables/m.words }},
	"it": {"Gulpease", func(string) int { return 0 }, func(m measure) float64 { return 89 + (300*m.sentences-10*m.letters)/m.words }},
}

var readingGrade = &Sign{
	ID:      "reading-grade",
	Group:   "reading level",
	Purpose: "The Flesch-Kincaid grade says how many years of school an English text takes.",
	Advice:  "Use shorter sentences and everyday words: \"use\" for \"utilise\", \"share\" for \"dissemination\".",
	Limit:   16, Unit: "years of school", Weight: 2,
	Languages: []string{"en"},
	text: func(p *pass, t *text) {
		m, enough := t.measure(englishSyllables)
		if grade := 0.39*m.words/m.sentences + 11.8*m.syllables/m.words - 15.59; enough && grade > p.limit {
			p.found(t, grade, "The description takes %.1f years of school (Flesch-Kincaid; at most %g).", grade, p.limit)
		}
	},
}

// vowelGroups counts the runs of vowels in a word. Each of apart begins a new run, as the
// strong vowels of Spanish do.
func vowelGroups(word, vowels, apart string) int {
	n := 0
	inside, strong := false, false
	for _, r := range word {
		vowel, isStrong := strings.ContainsRune(vowels, r), strings.ContainsRune(apart, r)
		if vowel && (!inside || isStrong && strong) {
			n++
		}
		inside, strong = vowel, isStrong
	}
	return max(n, 1)
}

// englishSyllables estimates the syllables of an English word. A final e is silent, except
// after a consonant and l, and so is that of most words in -ed and -es.
func englishSyllables(word string) int {
	word = strings.ToLower(word)
	n := vowelGroups(word, "aeiouy", "")
	for _, end := range []string{"e", "es", "ed"} {
		stem, ok := strings.CutSuffix(word, end)
		if !ok || stem == "" {
			continue
		}
		before := stem[len(stem)-1]
		switch {
		case strings.IndexByte("aeiouy", before) >= 0:
		case end == "e" && before == 'l' && len(stem) > 1 && strings.IndexByte("aeiouy", stem[len(stem)-2]) < 0: // table
		case end == "es" && strings.IndexByte("sxzcg", before) >= 0: // places
		case end == "es" && strings.HasSuffix(stem, "h"): // watches
		case end == "ed" && strings.IndexByte("td", before) >= 0: // collected
		default:
			n--
		}
	}
	for _, pair := range []string{"ia", "io", "ua"} { // radio, area; but not nation, special
		if strings.Contains(word, pair) && !strings.Contains(word, "ti"+pair[1:]) && !strings.Contains(word, "ci"+pair[1:]) && !strings.Contains(word, "si"+pair[1:]) && !strings.Contains(word, "q"+pair) && !strings.Contains(word, "g"+pair) {
			n++
			break
		}
	}
	return max(n, 1)
}

// frenchSyllables estimates the syllables of a French word as they are spoken: a final e or
// es is silent, and é, ï and ë do not share a syllable with the vowel after or before them.
func frenchSyllables(word string) int {
	word = strings.ToLower(word)
	if stem := strings.TrimSuffix(strings.TrimSuffix(word, "s"), "e"); strings.HasSuffix(stem, "é") {
		word = stem
	}
	const vowels = "aàâäeéèêëiîïoôöuùûüyœæ"
	n := vowelGroups(strings.NewReplacer("é", "é-", "ï", "-ï", "ë", "-ë").Replace(word), vowels, "")
	for _, end := range []string{"es", "e"} {
		stem, ok := strings.CutSuffix(word, end)
		if ok && stem != "" && !strings.ContainsRune(vowels, []rune(stem)[len([]rune(stem))-1]) {
			n--
			break
		}
	}
	return max(n, 1)
}

// spanishSyllables counts the syllables of a Spanish word: strong vowels and accented weak
// ones do not share a syllable, and the u of que and gui is silent.
func spanishSyllables(word string) int {
	word = strings.NewReplacer("que", "ke", "qui", "ki", "gue", "ge", "gui", "gi").Replace(strings.ToLower(word))
	return vowelGroups(word, "aáeéiíoóuúüy", "aáeéíoóú")
}

// germanSyllables counts the syllables of a German word: ei, au, eu and the like are one.
func germanSyllables(word string) int {
	return vowelGroups(strings.ToLower(word), "aäeioöuüy", "")
}

var abbreviation = &Sign{
	ID:      "abbreviation",
	Group:   "abbreviations",
	Purpose: "Readers who do not know an abbreviation can't look it up on a sign.",
	Advice:  "Spell it out where it is used first, with the short form in parentheses, or use everyday words.",
	Limit:   0, Unit: "texts", Weight: 2,
	run: func(p *pass) error {
		for _, locale := range p.report.Locales {
			p.abbreviations(locale)
		}
		return nil
	},
}

// abbreviations finds the abbreviations of a locale that no text spells out. Each is one
// finding about the version.
func (p *pass) abbreviations(locale string) {
	explained := newGlossary(p.allTexts(locale))
	users := map[string][]string{} // ids by abbreviation
	var order []string
	count := map[string]int{}
	for _, t := range p.texts {
		if t.locale != locale || !strings.ContainsFunc(t.value, unicode.IsLower) {
			continue
		}
		for _, s := range t.sentences {
			for _, word := range s {
				short, ok := shortForm(word)
				if !ok || explained.has(short) || slices.Contains(p.options.Known, short) {
					continue
				}
				if count[short]++; count[short] == 1 {
					order = append(order, short)
				}
				if !slices.Contains(users[short], t.id) {
					users[short] = append(users[short], t.id)
				}
			}
		}
	}
	for _, short := range order {
		if float64(count[short]) <= p.limit {
			continue
		}
		p.add(KindVersion, p.release.Version().String(), Finding{
			Locale: locale, Value: float64(count[short]), Others: users[short], only: short,
			Message: fmt.Sprintf("%s is never spelled out; %s %s it: %s.", short,
				prose.Count(len(users[short]), "part"), verb(len(users[short]), "uses", "use"), some(users[short])),
		})
	}
}

// shortForm returns the abbreviation that a word is: at least two capital letters, possibly
// with a plural s. Roman numerals and words with hyphens or digits are none.
func shortForm(word string) (string, bool) {
	word = strings.TrimSuffix(word, "s")
	for _, article := range []string{"’", "'"} { // l’IA
		if _, after, ok := strings.Cut(word, article); ok {
			word = after
		}
	}
	letters := utf8.RuneCountInString(word)
	if letters < 2 || letters > 6 || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsUpper(r) }) {
		return "", false
	}
	return word, strings.Trim(word, "IVX") != ""
}

// glossary knows which abbreviations texts spell out.
type glossary struct {
	texts    []string
	initials []string        // those of the longer words of each text
	words    map[string]bool // the words that are written without capitals somewhere
}

func newGlossary(texts []string) *glossary {
	g := &glossary{texts: texts, words: make(map[string]bool)}
	for _, text := range texts {
		var initials strings.Builder
		for _, word := range wordsOf(text) {
			if !strings.ContainsFunc(word, unicode.IsUpper) {
				g.words[word] = true
			}
			if _, ok := shortForm(word); ok || utf8.RuneCountInString(word) < 4 {
				continue // function words and abbreviations themselves
			}
			first, _ := utf8.DecodeRuneInString(word)
			initials.WriteRune(unicode.ToUpper(first))
		}
		g.initials = append(g.initials, initials.String())
	}
	return g
}

// has reports whether a text explains an abbreviation: in parentheses before or after it, or
// by words that begin with its letters. A word that is merely written in capitals needs no
// explanation.
func (g *glossary) has(short string) bool {
	if g.words[strings.ToLower(short)] {
		return true
	}
	for i, text := range g.texts {
		if strings.Contains(text, "("+short+")") || strings.Contains(text, short+" (") || strings.Contains(g.initials[i], short) {
			return true
		}
	}
	return false
}

// allTexts returns every text of a locale that readers can see.
func (p *pass) allTexts(locale string) []string {
	var texts []string
	add := func(l taxonomy.Localized) {
		if value, ok := l.Get(locale); ok {
			texts = append(texts, value)
		}
	}
	m := p.release.Manifest()
	add(m.Title)
	add(m.Description)
	add(p.release.Type().Name)
	add(p.release.Type().Description)
	for _, c := range p.release.Categories() {
		add(c.Name)
		add(c.Description)
		add(c.Prompt)
		add(c.Context.Name)
		add(c.Context.Description)
		for _, v := range c.Context.Values {
			add(v.Label)
			add(v.Description)
		}
	}
	for _, e := range p.release.Elements() {
		add(e.Title)
		add(e.Description)
		for _, v := range e.Variables {
			add(v.Label)
			for _, o := range v.Options {
				add(o.Label)
				add(o.Description)
			}
		}
	}
	return texts
}

// some names up to four ids.
func some(ids []string) string {
	const most = 4
	if len(ids) > most {
		return strings.Join(ids[:most], ", ") + fmt.Sprintf(" and %d more", len(ids)-most)
	}
	return prose.And(ids)
}

func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}
