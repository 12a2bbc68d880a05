package mcp

import (
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Names that match nothing are no failure, here as in REST: the answer is empty,
// or lacks texts. A model would take that for the truth about the taxonomy, so it
// is warned.

// warn adds a warning about an argument that was understood all the same.
func (g *given) warn(path issue.Path, hint, format string, args ...any) {
	g.warnings = append(g.warnings, warning(path, hint, format, args...))
}

func warning(path issue.Path, hint, format string, args ...any) issue.Issue {
	i := badArgument(path, hint, format, args...)
	i.Severity = issue.SeverityWarning
	return i
}

// warnShown warns of what can't be shown of elements.
func (g *given) warnShown(r *taxonomy.Release, elements []*taxonomy.Element) {
	g.warnLocales(r)
	g.warnFields(elements)
}

// warnLocales warns of languages to keep that the release does not have.
func (g *given) warnLocales(r *taxonomy.Release) {
	for i, locale := range strangers(g.list("locales"), r.Locales(), strings.EqualFold) {
		g.warn(issue.Root.Key("locales").Index(i), languageHint(locale, r.Locales()),
			"There are no texts in %s in %s.", strconv.QuoteToGraphic(prose.Clip(locale)), r.Version())
	}
}

// warnFields warns of fields that none of the elements to show has.
func (g *given) warnFields(elements []*taxonomy.Element) {
	known := append(slices.Clone(elementFields), datachain.AllFields)
	for i, field := range strangers(g.list("fields"), known, func(a, b string) bool { return a == b }) {
		if slices.ContainsFunc(elements, func(e *taxonomy.Element) bool { return e.Extra[field] != nil }) {
			continue
		}
		hint := "the fields are " + enumerate(elementFields)
		if near := nearest.One(field, slices.Values(elementFields)); near != "" {
			hint = "write " + near
		}
		g.warn(issue.Root.Key("fields").Index(i), hint, "An element has no field %s.", strconv.QuoteToGraphic(prose.Clip(field)))
	}
}

// strangers yields the names that are none of the known ones, with where they
// stand: each once, and at most maxIssues of them.
func strangers(names, known []string, same func(a, b string) bool) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		seen := make(map[string]bool)
		for i, name := range names {
			if seen[name] || slices.ContainsFunc(known, func(k string) bool { return same(k, name) }) {
				continue
			}
			if seen[name] = true; !yield(i, name) || len(seen) == maxIssues {
				return
			}
		}
	}
}

// warnCategory warns of a category that the release does not have.
func (g *given) warnCategory(r *taxonomy.Release) {
	id := g.text("category_id")
	if _, there := r.Category(id); there || id == "" {
		return
	}
	var ids []string
	for _, c := range r.Categories() {
		ids = append(ids, c.ID)
	}
	const few = 12
	hint := "find it with list_categories"
	if near := nearest.All(id, slices.Values(ids), 3); len(near) > 0 {
		hint = "use " + alternatives(near) + ", or " + hint
	} else if len(ids) > 0 && len(ids) <= few {
		hint = "use " + alternatives(ids)
	}
	g.warn(issue.Root.Key("category_id"), hint, "There is no category %s in %s, so no element is of it.", strconv.QuoteToGraphic(prose.Clip(id)), r.Version())
}

// warnLocale warns of a language of the query that nothing is written in; found
// is how many elements there are all the same.
func (g *given) warnLocale(r *taxonomy.Release, found int) {
	locale := g.text("locale")
	if locale == "" || found > 0 && strings.TrimSpace(g.text("query")) != "" || inLanguage(locale, r.Locales()) != "" {
		return
	}
	g.warn(issue.Root.Key("locale"), languageHint(locale, r.Locales()),
		"There are no texts in %s in %s, so a query in it finds nothing.", strconv.QuoteToGraphic(prose.Clip(locale)), r.Version())
}

// otherLanguage is the warning that a page is in another language than was asked
// for. The release is nil where it is not published any more.
func otherLanguage(asked, page string, r *taxonomy.Release) (i issue.Issue, wrong bool) {
	if asked == "" || inLanguage(asked, []string{page}) != "" {
		return i, false
	}
	there := []string{page}
	if r != nil {
		there = r.Locales()
	}
	return warning(issue.Root.Key("locale"), languageHint(asked, there), "There are no texts in %s, so the page is in %s.", strconv.QuoteToGraphic(prose.Clip(asked)), page), true
}

// inLanguage returns the locale that is of the same language, or "".
func inLanguage(locale string, locales []string) string {
	language := func(l string) string { l, _, _ = strings.Cut(strings.ReplaceAll(l, "_", "-"), "-"); return l }
	for _, l := range locales {
		if strings.EqualFold(language(l), language(locale)) {
			return l
		}
	}
	return ""
}

// languageHint names the locale that is meant, or all that there are.
func languageHint(locale string, locales []string) string {
	if near := inLanguage(locale, locales); near != "" {
		return "use " + near
	}
	if len(locales) == 0 {
		return "leave it out"
	}
	return "use " + alternatives(locales)
}
