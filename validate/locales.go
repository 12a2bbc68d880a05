package validate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

var locales = &Rule{
	Name:  "locales",
	Doc:   "Texts are in the languages of the schema version.",
	Codes: []taxonomy.Code{taxonomy.CodeInstanceLocaleNotAllowed},
	Run: func(p *Pass) {
		allowed := p.Schema.Locales()
		if allowed == nil {
			return
		}
		checkLocales(p, allowed, p.Instance.Title, func() taxonomy.Path { return taxonomy.Root.Key("title") })
		checkLocales(p, allowed, p.Instance.Description, func() taxonomy.Path { return taxonomy.Root.Key("description") })
		for placed := range p.Placements() {
			for i := range placed.Variables {
				checkLocales(p, allowed, placed.Variables[i].Text, func() taxonomy.Path {
					return placed.Path().Key("variables").Index(i).Key("value")
				})
			}
		}
	},
}

func checkLocales(p *Pass, allowed []string, l taxonomy.Localized, at func() taxonomy.Path) {
	for i, t := range l {
		if slices.ContainsFunc(allowed, func(a string) bool { return strings.EqualFold(a, t.Locale) }) {
			continue
		}
		all := some(slices.Values(allowed))
		p.warn(taxonomy.CodeInstanceLocaleNotAllowed, at().Index(i).Key("locale"),
			fmt.Sprintf("The locale %q is not among those of %s: %s.", shorten(t.Locale), p.Version, all), "write one of "+all)
	}
}
