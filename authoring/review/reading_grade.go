package review

var readingGrade = &Sign{
	ID:      "reading-grade",
	Group:   "reading level",
	Purpose: "The Flesch-Kincaid grade says how many years of school an English text takes.",
	Advice:  "Use shorter sentences and everyday words: \"use\" for \"utilise\", \"share\" for \"dissemination\".",
	Limit:   16, Unit: "years of school", Weight: 2,
	Languages: []string{"en"},
	run: func(p *pass) error {
		p.eachText(func(t *text) {
			m, enough := t.measure(englishSyllables)
			if grade := 0.39*m.words/m.sentences + 11.8*m.syllables/m.words - 15.59; enough && grade > p.limit {
				p.found(t, grade, "The description takes %.1f years of school (Flesch-Kincaid; at most %g).", grade, p.limit)
			}
		})
		return nil
	},
}
