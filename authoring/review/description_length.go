package review

import "github.com/datachain-go/datachain/internal/prose"

var descriptionLength = &Sign{
	ID:      "description-length",
	Group:   "length",
	Purpose: "People who stand before a sign or scroll a page do not read long texts.",
	Advice:  "Say first what it means for the reader; leave out what every element of the category has in common.",
	Limit:   60, Unit: "words", Weight: 1,
	run: func(p *pass) error {
		p.eachText(func(t *text) {
			if t.field == fieldDescription && t.spaced() {
				p.tooLong(t, t.words(), "The description has %s, in %s", prose.Count(t.words(), "word"), prose.Count(len(t.sentences), "sentence"))
			}
		})
		return nil
	},
}
