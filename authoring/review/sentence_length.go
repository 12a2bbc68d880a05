package review

import "github.com/datachain-go/datachain/internal/prose"

var sentenceLength = &Sign{
	ID:      "sentence-length",
	Group:   "length",
	Purpose: "Readers lose the thread of long sentences, above all in another language than their own.",
	Advice:  "Make two sentences of it, one thought each.",
	Limit:   30, Unit: "words", Weight: 1,
	run: func(p *pass) error {
		p.eachText(func(t *text) {
			longest := 0
			for _, s := range t.sentences {
				longest = max(longest, len(s))
			}
			if !t.isTitle() && t.spaced() {
				p.tooLong(t, longest, "The %s has a sentence of %s", t.field, prose.Count(longest, "word"))
			}
		})
		return nil
	},
}
