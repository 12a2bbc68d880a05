package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var locales = &Rule{
	Name:  "locales",
	Doc:   "Texts are in the languages of the schema version, and in each of them once.",
	Codes: []issue.Code{issue.CodeInstanceLocaleNotAllowed, issue.CodeInstanceLocaleDuplicate},
	Run: func(p *Pass) {
		allowed := p.Schema.Locales()
		checkLocales(p, allowed, p.Instance.Title, func() issue.Path { return issue.Root.Key("title") })
		checkLocales(p, allowed, p.Instance.Description, func() issue.Path { return issue.Root.Key("description") })
		for placed := range p.Placements() {
			for i := range placed.Variables {
				checkLocales(p, allowed, placed.Variables[i].Text, func() issue.Path {
					return placed.Path().Key("variables").Index(i).Key("value")
				})
			}
		}
	},
}

// checkLocales judges the locales of one text. Allowed is nil where it is not
// known which there are.
func checkLocales(p *Pass, allowed []string, l taxonomy.Localized, at func() issue.Path) {
	var places map[string]int
	if len(l) > few {
		places = make(map[string]int, len(l))
	}
	for i, t := range l {
		if !p.goOnAt(i) {
			return
		}
		if k := firstPlace(l, i, places); k != i {
			p.warn(issue.CodeInstanceLocaleDuplicate, at().Index(i).Key("locale"),
				fmt.Sprintf("The locale %q is that of %s already, so nobody reads this text.", prose.Clip(t.Locale), at().Index(k)),
				"keep one of the two texts")
			continue
		}
		if allowed == nil || slices.ContainsFunc(allowed, func(a string) bool { return strings.EqualFold(a, t.Locale) }) {
			continue
		}
		all := some(slices.Values(allowed))
		p.warn(issue.CodeInstanceLocaleNotAllowed, at().Index(i).Key("locale"),
			fmt.Sprintf("The locale %q is not among those of %s: %s.", prose.Clip(t.Locale), p.Version, all), "write one of "+all)
	}
}

// firstPlace returns where the locale of the i-th text stands first, without
// regard to case. Of a long list it remembers in places what it was asked before.
func firstPlace(l taxonomy.Localized, i int, places map[string]int) int {
	if places == nil {
		return slices.IndexFunc(l, func(t taxonomy.Text) bool { return strings.EqualFold(t.Locale, l[i].Locale) })
	}
	folded := strings.ToLower(l[i].Locale)
	if _, taken := places[folded]; !taken {
		places[folded] = i
	}
	return places[folded]
}
