package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var locales = &Rule{
	Name:  "locales",
	Doc:   "Texts are in the locales of the schema version, and in each of them once.",
	Codes: []issue.Code{codes.InstanceLocaleNotAllowed, codes.InstanceLocaleDuplicate},
	// That a locale is not allowed depends on those before it, too: it could be a duplicate,
	// which is reported instead.
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		checkLocales(p, p.Instance.Title, func() issue.Path { return issue.Root.Key("title") })
		checkLocales(p, p.Instance.Description, func() issue.Path { return issue.Root.Key("description") })
		for placed := range p.Placements() {
			if placed.Label != nil {
				checkLocales(p, placed.Label.Text, func() issue.Path { return placed.Path().Key("label") })
			}
			for i := range placed.Actions {
				checkLocales(p, placed.Actions[i].Label.Text, func() issue.Path {
					return placed.Path().Key("actions").Index(i).Key("label")
				})
			}
			for i := range placed.Variables {
				checkLocales(p, placed.Variables[i].Text, func() issue.Path {
					return placed.Path().Key("variables").Index(i).Key("value")
				})
			}
		}
		return nil
	},
}

// checkLocales checks the locales of one text.
func checkLocales(p *Pass, l taxonomy.Localized, at func() issue.Path) {
	allowed := p.Schema.Locales()
	var places map[string]int
	if len(l) > maxScanned {
		places = make(map[string]int, len(l))
	}
	brokenBefore := false // a locale before this one is broken, and may be the same
	for i, t := range l {
		if !p.Next() {
			return
		}
		k := firstPlace(l, i, places)
		if p.broken != nil && p.Broken(at().Index(i).Key("locale")) {
			brokenBefore = true
			continue
		}
		if k != i {
			p.Report(issue.Issue{
				Code: codes.InstanceLocaleDuplicate, Severity: issue.SeverityWarning,
				Path: at().Index(i).Key("locale"), Related: at().Index(k).Key("locale"),
				Message: fmt.Sprintf("The locale %q is already used by %s, so this text is never shown.", wording.Clip(t.Locale), at().Index(k)),
				FixHint: "keep one of the two texts",
			})
			continue
		}
		if allowed == nil || brokenBefore || ident.IndexLocale(allowed, t.Locale) >= 0 {
			continue
		}
		all := some(slices.Values(allowed))
		p.warn(codes.InstanceLocaleNotAllowed, at().Index(i).Key("locale"),
			fmt.Sprintf("The locale %q is not one of the locales of %s: %s.", wording.Clip(t.Locale), p.Version, all), "write one of "+all)
	}
}

// firstPlace returns the position of the first text with the locale of text i, ignoring
// case. The map, nil for a short list, has the first positions so far.
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
