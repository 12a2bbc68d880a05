package core

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/internal/words"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// Endonym returns the name of a language in itself, with its code if it is one of
// several of a language, such as pt-BR.
func Endonym(locale string) string {
	name := i18n.Endonym(locale)
	if strings.Contains(locale, "-") && name != locale {
		return name + " (" + locale + ")"
	}
	return name
}

// Speak chooses the language of the page. Asked is it if the address names it, or "".
func (q *Request) Speak(locale, asked string) {
	q.Locale, q.Asked, q.Words = locale, asked, words.In(locale)
	q.texts, q.shown = phrases.Chooser{}, phrases.Chooser{}
}

// maxPreferred is how many languages of an Accept-Language are read.
const maxPreferred = 16

// Matching returns the locale that matches a wanted one, or "".
func Matching(locales []string, want string) string {
	if !ident.IsLocale(want) {
		return ""
	}
	match, _ := taxonomy.MatchLocale(locales, want) // "" if it is malformed
	return match
}

// Accepted returns the locale that Accept-Language prefers, or else the first one.
func Accepted(locales []string, header string) string {
	type weighted struct {
		tag     string
		quality float64
	}
	var list []weighted
	for item := range strings.SplitSeq(header, ",") {
		tag, params, _ := strings.Cut(strings.TrimSpace(item), ";")
		quality := 1.0
		if value, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			quality, _ = strconv.ParseFloat(value, 64) // 0 if it is malformed
		}
		if quality > 0 && ident.IsLocale(tag) && len(list) < maxPreferred {
			list = append(list, weighted{tag, quality})
		}
	}
	slices.SortStableFunc(list, func(a, b weighted) int { return cmp.Compare(b.quality, a.quality) })
	for _, w := range list {
		if match := Matching(locales, w.tag); match != "" {
			return match
		}
	}
	return locales[0]
}
