package taxonomy

import (
	"errors"
	"fmt"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
)

// MatchLocale returns the best of the given locales for a requested one: fr for fr-CA, zh-Hant
// for zh-TW. It returns "" if none has the language, and an error if want is not a BCP 47
// language tag. Searching and [Localized.Pick] choose locales in this way.
func MatchLocale(locales []string, want string) (string, error) {
	if i := ident.IndexLocale(locales, want); i >= 0 {
		return locales[i], nil
	}
	tag, err := language.All.Parse(want)
	if _, unknown := errors.AsType[language.ValueError](err); err != nil && !unknown { // subtags may be unknown
		return "", errname.Add("taxonomy", fmt.Errorf("%s is not a language tag: %w", wording.Quote(want), err))
	}
	wanted, _, _ := tag.Raw()
	// A matcher also returns a language that speakers of the requested one often know, such as
	// French for Breton, and takes long to make.
	var sameLanguage []string
	var tags []language.Tag
	for _, l := range locales {
		t, err := language.All.Parse(l)
		if base, _, _ := t.Raw(); err == nil && base == wanted && base != (language.Base{}) {
			sameLanguage, tags = append(sameLanguage, l), append(tags, t)
		}
	}
	switch len(sameLanguage) {
	case 0:
		return "", nil
	case 1:
		return sameLanguage[0], nil
	}
	_, i, _ := language.NewMatcher(tags).Match(tag)
	return sameLanguage[i], nil
}
