package review

import (
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
)

var descriptionShort = &Sign{
	ID:      "description-short",
	Group:   "length",
	Purpose: "A description that only repeats the title tells readers nothing.",
	Advice:  "Say what it means for the people whom the system affects, with an example.",
	Limit:   5, Unit: "words", AtLeast: true, Weight: 2,
	run: func(p *pass) error {
		titles := map[string]*text{} // by subject and locale
		p.eachText(func(t *text) {
			key := string(t.kind) + " " + t.id + " " + t.locale
			if t.isTitle() {
				titles[key] = t
				return
			}
			title := titles[key]
			if t.field != fieldDescription || !t.spaced() || t.locale != p.report.Locales[0] {
				return // translations follow the original
			}
			switch n := t.words(); {
			case title != nil && strings.EqualFold(strings.Trim(title.value, " ."), strings.Trim(t.value, " .")):
				p.found(t, 0, "The description repeats the %s.", title.field)
			case float64(n) < p.limit:
				p.found(t, float64(n), "The description has %s (at least %g).", prose.Count(n, "word"), p.limit)
			}
		})
		return nil
	},
}
