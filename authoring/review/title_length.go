package review

import "github.com/datachain-go/datachain/internal/prose"

var titleLength = &Sign{
	ID:      "title-length",
	Group:   "length",
	Purpose: "A title stands beside an icon and is read in two seconds.",
	Advice:  "Keep the words that tell this element from its neighbours; move the rest to the description.",
	Limit:   8, Unit: "words", Weight: 2,
	run: func(p *pass) error {
		p.eachText(func(t *text) {
			if t.isTitle() && t.spaced() {
				p.tooLong(t, t.words(), "The %s has %s", t.field, prose.Count(t.words(), "word"))
			}
		})
		return nil
	},
}
