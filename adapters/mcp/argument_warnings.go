package mcp

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/lists"
)

// As in REST, a name that matches nothing is not a failure: the answer is empty, or
// lacks texts. A model would take that for a fact about the taxonomy, so there is a
// warning.

// warn adds a warning about an argument that is accepted all the same.
func (c *call) warn(path issue.Path, hint, format string, args ...any) {
	c.warnings = append(c.warnings, warning(path, hint, format, args...))
}

func warning(path issue.Path, hint, format string, args ...any) issue.Issue {
	i := badArgument(path, hint, format, args...)
	i.Severity = issue.SeverityWarning
	return i
}

// warnLocales warns of languages to keep that the version does not have.
func (c *call) warnLocales() {
	names, locales := c.list("locales"), c.release().Locales()
	for _, i := range lists.Unknown(names, func(name string) bool { return ident.IndexLocale(locales, name) >= 0 }) {
		c.warn(issue.Root.Key("locales").Index(i), languageHint(names[i], locales), "There are no texts in %s in %s.", quote(names[i]), c.release().Version())
	}
}

// warnFields warns of fields that none of the elements has.
func (c *call) warnFields(elements []*taxonomy.Element) {
	names := c.list("fields")
	for _, i := range lists.UnknownFields(names, elements) {
		hint := "the fields are " + wording.And(lists.ElementFields())
		if near := similar.Nearest(names[i], slices.Values(lists.ElementFields())); near != "" {
			hint = "use " + near
		}
		c.warn(issue.Root.Key("fields").Index(i), hint, "An element has no field %s.", quote(names[i]))
	}
}

// warnCategory warns of a category that the version does not have.
func (c *call) warnCategory() {
	id := c.text("category_id")
	if _, ok := c.release().Category(id); ok || id == "" {
		return
	}
	ids := c.release().Type().Categories
	const maxListed = 12
	hint := "find it with list_categories"
	if near := similar.AllNearest(id, slices.Values(ids), 3); len(near) > 0 {
		hint = "use " + wording.Or(near) + ", or " + hint
	} else if len(ids) > 0 && len(ids) <= maxListed {
		hint = "use " + wording.Or(ids)
	}
	c.warn(issue.Root.Key("category_id"), hint, "There is no category %s in %s, so no element matches.", quote(id), c.release().Version())
}

// warnLocale warns of a query in a language that the version does not have; found
// is the number of elements that match all the same.
func (c *call) warnLocale(found int) {
	locale, locales := c.text("locale"), c.release().Locales()
	if locale == "" || found > 0 && strings.TrimSpace(c.text("query")) != "" || inLanguage(locale, locales) != "" {
		return
	}
	c.warn(issue.Root.Key("locale"), languageHint(locale, locales), "There are no texts in %s in %s, so a query in it finds nothing.", quote(locale), c.release().Version())
}

// otherLanguage returns a warning if a page is not in the language that was asked for. The
// release is nil if it is no longer published.
func otherLanguage(requested, page string, r *taxonomy.Release) (i issue.Issue, wrong bool) {
	if requested == "" || inLanguage(requested, []string{page}) != "" {
		return i, false
	}
	locales := []string{page}
	if r != nil {
		locales = r.Locales()
	}
	return warning(issue.Root.Key("locale"), languageHint(requested, locales), "There are no texts in %s, so the page is in %s.", quote(requested), page), true
}

// inLanguage returns the locale of the same language, or "".
func inLanguage(locale string, locales []string) string {
	language := func(l string) string { return l[:strings.IndexAny(l+"-", "-_")] }
	for _, l := range locales {
		if strings.EqualFold(language(l), language(locale)) {
			return l
		}
	}
	return ""
}

// languageHint names the locale that is probably meant, or all.
func languageHint(locale string, locales []string) string {
	if near := inLanguage(locale, locales); near != "" {
		locales = []string{near}
	}
	if len(locales) == 0 {
		return "omit it"
	}
	return "use " + wording.Or(locales)
}
