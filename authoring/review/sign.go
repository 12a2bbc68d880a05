package review

import (
	"fmt"
	"slices"
)

// Sign is something measurable that makes a schema version hard to understand.
type Sign struct {
	// ID names the sign in reports and options.
	ID string `json:"id"`
	// Group is what signs have in common that differ by language or by limit.
	Group string `json:"group"`
	// Purpose says why it matters to readers.
	Purpose string `json:"purpose"`
	// Advice says what a steward can do.
	Advice string `json:"advice"`
	// Limit is the default limit, in the unit: the largest value that is not reported,
	// or with AtLeast the smallest.
	Limit   float64 `json:"limit"`
	Unit    string  `json:"unit"`
	AtLeast bool    `json:"at_least,omitempty"`
	// Weight is how much attention a finding needs, from 1 to 3.
	Weight int `json:"weight"`
	// Languages are those for which the sign is defined; nil means all.
	Languages []string `json:"languages,omitempty"`

	run func(*pass) error
}

// Signs returns all signs, in the order of a report. The caller owns the slice.
func Signs() []*Sign {
	return []*Sign{
		nearDuplicate,
		sameIcon,
		likeIcon,
		titleLength,
		descriptionShort,
		descriptionLength,
		sentenceLength,
		readingGrade,
		readingEase,
		abbreviation,
		passiveQuestion,
		negatedQuestion,
		translationLength,
	}
}

// Lookup returns the sign with an id, or nil.
func Lookup(id string) *Sign {
	for _, s := range Signs() {
		if s.ID == id {
			return s
		}
	}
	return nil
}

// defined reports whether the sign is defined for a locale.
func (s *Sign) defined(locale string) bool {
	return s.Languages == nil || slices.Contains(s.Languages, baseLanguage(locale))
}

// eachText visits the texts of the languages for which the current sign is defined.
func (p *pass) eachText(visit func(*text)) {
	for _, t := range p.texts {
		if p.sign.defined(t.locale) {
			visit(t)
		}
	}
}

// lengthLimit returns the limit for a text. Translations are often longer than the original,
// so they may be longer by a quarter.
func (p *pass) lengthLimit(t *text) float64 {
	if t.locale == p.report.Locales[0] {
		return p.limit
	}
	return 1.25 * p.limit
}

// tooLong adds a finding about a text that is longer than its limit.
func (p *pass) tooLong(t *text, words int, format string, args ...any) {
	if limit := p.lengthLimit(t); float64(words) > limit {
		message := fmt.Sprintf(format, args...) + fmt.Sprintf(" (at most %.0f).", limit)
		p.addBeyond(t.kind, t.id, Finding{Locale: t.locale, Field: t.field, Value: float64(words), Limit: limit, Message: message})
	}
}

// found adds a finding about a text.
func (p *pass) found(t *text, value float64, format string, args ...any) {
	p.add(t.kind, t.id, Finding{Locale: t.locale, Field: t.field, Value: value, Message: fmt.Sprintf(format, args...)})
}
