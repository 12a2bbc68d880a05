package search

import (
	"errors"
	"fmt"
	"strings"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/internal/wording"
)

// Match returns the best of the given locales for a requested one: fr for fr-CA, zh-Hant
// for zh-TW. It returns "" if none matches, and an error if want is not a BCP 47 language
// tag.
func Match(locales []string, want string) (string, error) {
	tag, err := language.Parse(want)
	if err != nil {
		// A subtag may be unknown but must be well-formed.
		if _, unknown := errors.AsType[language.ValueError](err); !unknown {
			return "", fmt.Errorf("search: %s is not a language tag: %w", wording.Quote(want), err)
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
	// The matcher also returns a language that speakers of the requested one often
	// know, such as French for Breton. That is not what was requested.
	wanted, _, _ := tag.Raw()
	if found, _, _ := tags[i].Raw(); confidence != language.Exact && found != wanted {
		return "", nil
	}
	return known[i], nil
}
