package taxonomy

import "strings"

// Localized is a text in several languages, one [Text] per locale, in the order of
// the schema version's locales.
type Localized []Text

// Text is the value of a [Localized] in one locale.
type Text struct {
	Locale string `json:"locale"`
	Value  string `json:"value"`
}

// Get returns the value in exactly this locale, ignoring case.
func (l Localized) Get(locale string) (string, bool) {
	for _, t := range l {
		if strings.EqualFold(t.Locale, locale) {
			return t.Value, true
		}
	}
	return "", false
}

// Pick returns the value to show to a reader who prefers the locales in this order:
// that of the first locale that l has, else the first value, else "".
func (l Localized) Pick(locales ...string) string {
	for _, locale := range locales {
		if v, ok := l.Get(locale); ok {
			return v
		}
	}
	if len(l) > 0 {
		return l[0].Value
	}
	return ""
}
