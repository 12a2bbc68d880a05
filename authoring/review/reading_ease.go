package review

var readingEase = &Sign{
	ID:      "reading-ease",
	Group:   "reading level",
	Purpose: "Formulas for French, Spanish, German and Italian rate texts from 100 (very easy) to 0 (very hard), as Flesch did for English.",
	Advice:  "Use shorter sentences and everyday words.",
	Limit:   25, Unit: "points of 100", AtLeast: true, Weight: 2,
	Languages: []string{"fr", "es", "de", "it"},
	run: func(p *pass) error {
		p.eachText(func(t *text) {
			f := easeFormulas[baseLanguage(t.locale)]
			m, enough := t.measure(f.syllables)
			if !enough {
				return
			}
			if ease := f.ease(m); ease < p.limit {
				p.found(t, max(0, ease), "The description is hard to read: %.0f of 100 points (%s; at least %g).", max(0, ease), f.name, p.limit)
			}
		})
		return nil
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
