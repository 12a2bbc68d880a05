package search

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/language"
)

// LocaleError is a locale that is no BCP 47 language tag.
type LocaleError struct {
	Locale string
	Err    error
}

// Error names the locale.
func (e *LocaleError) Error() string {
	return fmt.Sprintf("search: %q is no language tag: %v", e.Locale, e.Err)
}

// Unwrap returns what is wrong with it.
func (e *LocaleError) Unwrap() error { return e.Err }

// Match returns the best of the given locales for one that a person asks for:
// fr for fr-CA, zh-Hant for zh-TW. It returns "" where none would do, and a
// [*LocaleError] where want is no language tag at all.
func Match(locales []string, want string) (string, error) {
	tag, err := language.Parse(want)
	if err != nil {
		// A subtag may be unknown; its form must be right.
		if _, unknown := errors.AsType[language.ValueError](err); !unknown {
			return "", &LocaleError{want, err}
		}
	}
	var known []string
	var tags []language.Tag
	for _, l := range locales {
		if strings.EqualFold(l, want) {
			return l, nil
		}
		if t, err := language.Parse(l); err == nil {
			known, tags = append(known, l), append(tags, t)
		}
	}
	if len(tags) == 0 {
		return "", nil
	}
	_, i, confidence := language.NewMatcher(tags).Match(tag)
	// The matcher also knows languages whose speakers often know another one,
	// such as Breton and French. What is found would not be what was asked for.
	if confidence != language.Exact && !sameLanguage(tags[i], tag) {
		return "", nil
	}
	return known[i], nil
}

// sameLanguage compares the languages that the tags name, and guesses none.
func sameLanguage(a, b language.Tag) bool {
	x, _, _ := a.Raw()
	y, _, _ := b.Raw()
	return x == y
}
