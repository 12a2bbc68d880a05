package review

import (
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/prose"
)

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

// minTranslated is the number of characters from which the length of a translation means
// something.
const minTranslated = 40

var translationLength = &Sign{
	ID:      "translation-length",
	Group:   "translations",
	Purpose: "A translation that is much shorter or longer than the original says less or more than it.",
	Advice:  "Compare both; translate what is missing, or add it to the original.",
	Limit:   2, Unit: "times the length", Weight: 2,
	run: func(p *pass) error {
		type key struct {
			kind      Kind
			id, field string
		}
		originals := map[key]*text{}
		p.eachText(func(t *text) {
			k := key{t.kind, t.id, t.field}
			original := originals[k]
			if original == nil {
				originals[k] = t
				return
			}
			a, b := utf8.RuneCountInString(original.value), utf8.RuneCountInString(t.value)
			if min(a, b) == 0 || max(a, b) < minTranslated || original.spaced() != t.spaced() {
				return // scripts without spaces need fewer characters
			}
			switch ratio := float64(b) / float64(a); {
			case ratio > p.limit:
				p.found(t, ratio, "The %s is %.1f times as long as in %s (at most %g).", t.field, ratio, original.locale, p.limit)
			case 1/ratio > p.limit:
				p.found(t, 1/ratio, "In %s, the %s is %.1f times as long as this translation (at most %g).", original.locale, t.field, 1/ratio, p.limit)
			}
		})
		return nil
	},
}
