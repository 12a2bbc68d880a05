package taxonomy

import "strings"

// Localized is a text in several languages: one [Text] a locale, in the order
// of the locales that the schema version declares. On the wire it is a list of
// {locale, value} objects.
type Localized []Text

// Text is what a [Localized] says in one locale.
type Text struct {
	Locale string `json:"locale"`
	Value  string `json:"value"`
}

// Get returns the value for exactly this locale. Locale codes compare without
// regard to case.
func (l Localized) Get(locale string) (string, bool) {
	for _, t := range l {
		if strings.EqualFold(t.Locale, locale) {
			return t.Value, true
		}
	}
	return "", false
}

// Pick returns the value of the first of the given locales that l has, else
// its first value, else the empty string. Use it to show a text to a person.
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
