package profile

import (
	"strings"
	"unicode"

	"github.com/datachain-go/datachain/internal/ident"
)

// choice returns the choice with an id, a word or an alias, in this order, without case and white
// space at the ends.
func (f *field) choice(text string) (*choice, bool) {
	i, ok := f.spellings[fold(text)]
	if !ok {
		return nil, false
	}
	return &f.choices[i], true
}

// spell collects the spellings of the choices for choice.
func (f *field) spell() {
	f.spellings = make(map[string]int)
	add := func(text string, i int) {
		if _, taken := f.spellings[fold(text)]; !taken {
			f.spellings[fold(text)] = i
		}
	}
	for i, c := range f.choices {
		add(c.id, i)
	}
	for i, c := range f.choices {
		add(c.word, i)
	}
	for i, c := range f.choices {
		for _, alias := range c.aliases {
			add(alias, i)
		}
	}
}

// fold returns what is compared of a word: lower case, with single spaces.
func fold(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }

// words yields the words of the choices.
func (f *field) words(yield func(string) bool) {
	for _, c := range f.choices {
		if !yield(strings.TrimSpace(c.word)) {
			return
		}
	}
}

// form returns a value as its type has it, or what the type must be.
func (f *field) form(value string) (written, must string) {
	switch f.typ {
	case typeEmail:
		if !isEmail(value) {
			return "", "an email address"
		}
	case typeURL:
		if !ident.IsURL(value) {
			return "", "a URL with http or https"
		}
	case typeEmailOrURL:
		if !isEmail(value) && !ident.IsURL(value) {
			return "", "an email address, or a URL with http or https"
		}
	case typeDate:
		if day := value[:min(len(value), len("2026-11-15"))]; ident.IsDate(day) && (day == value || value[len(day)] == 'T') {
			return day, ""
		}
		return "", "a date such as 2026-11-15"
	case typeMonth:
		if day := value[:min(len(value), len("2026-11-15"))]; ident.IsDate(day) {
			return day[:len("2026-11")], ""
		} else if ident.IsDate(value + "-01") {
			return value, ""
		}
		return "", "a month such as 2026-11"
	}
	return value, ""
}

// isEmail reports whether a text can be an email address: targets check more of it.
func isEmail(text string) bool {
	name, host, ok := strings.Cut(text, "@")
	return ok && name != "" && host != "" && !strings.Contains(host, "@") && !strings.HasPrefix(host, ".") && !strings.HasSuffix(host, ".") &&
		!strings.ContainsFunc(text, func(r rune) bool {
			return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`,;<>()[]"`, r)
		})
}
