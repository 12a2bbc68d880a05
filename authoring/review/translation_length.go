package review

import "unicode/utf8"

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
