package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxLocales is how many locales a schema version may have.
const maxLocales = 100

// localized reads a localized string, written as the wire's list of {locale,
// value} or, shorter, as a map from locale to text. It comes back in the order
// of the schema's locales.
func (f fields) localized(key string) taxonomy.Localized {
	n := f.get(key)
	if n == nil {
		return nil
	}
	if n.kind != object && n.kind != list {
		f.d.error(issue.CodeFieldType, n, fmt.Sprintf("%s: %s is %s, but must say its text by locale", f.what, key, n.shown()), f.d.asLocalized(key, n))
		return nil
	}
	if len(n.items) == 0 {
		f.d.error(issue.CodeLocalizedEmpty, n, fmt.Sprintf("%s: %s has no text", f.what, key), "write a text for each locale")
	}
	found := make(taxonomy.Localized, 0, min(len(n.items), maxLocales))
	sound := true
	for i := range n.items {
		if locale, value, ok := f.text(&n.items[i]); ok && len(found) < maxLocales {
			found, ok = f.addText(found, key, locale, value)
			sound = sound && ok
		} else {
			sound = false
		}
	}
	f.d.order(found)
	if sound {
		f.checkTranslated(key, n, found)
	}
	return found
}

// localeAt is a locale code and where it stands.
type localeAt struct {
	code string
	at   place
}

// text reads one text of a localized string: a member of the map, or an item
// of the list.
func (f fields) text(item *node) (locale localeAt, value *node, ok bool) {
	if item.inObject() {
		return localeAt{item.key, item.keyAt}, item, true
	}
	entry, ok := f.d.fields(item, f.what+": "+f.name(item), "!locale", "!value")
	if !ok {
		return locale, nil, false
	}
	code, value := entry.get("locale"), entry.get("value")
	if code == nil || value == nil || !entry.is(code, text, "write a locale such as en, in quotes") {
		return locale, nil, false
	}
	return localeAt{code.value, code.place}, value, true
}

// textAt returns the node of the text for a locale.
func textAt(n *node, locale string) *node {
	for i := range n.items {
		item := &n.items[i]
		if n.kind == object && strings.EqualFold(item.key, locale) {
			return item
		}
		if code := item.get("locale"); n.kind == list && code != nil && strings.EqualFold(code.value, locale) {
			return item.get("value")
		}
	}
	return n
}

// guidance reads a text for authors, which may also be one plain text: it is
// then in the fallback locale.
func (f fields) guidance(key string) taxonomy.Localized {
	n := f.get(key)
	if n == nil || n.kind != text {
		return f.localized(key)
	}
	value := f.string(key)
	if len(f.d.locales) == 0 {
		return nil
	}
	return taxonomy.Localized{{Locale: f.d.locales[0], Value: value}}
}

// asLocalized shows how to write a plain value as a localized string.
func (d *decoder) asLocalized(key string, n *node) string {
	locale := "en"
	if len(d.locales) > 0 {
		locale = d.locales[0]
	}
	value := n.value
	if value == "" {
		value = "…"
	}
	return fmt.Sprintf("write %s: {%s: %s}", key, locale, prose.Quote(value))
}

// addText adds the text of one locale, with the schema's spelling of it.
func (f fields) addText(found taxonomy.Localized, key string, locale localeAt, value *node) (taxonomy.Localized, bool) {
	spelled, ok := f.locale(key, locale, value)
	switch {
	case !ok:
		return found, false
	case value.kind == null || value.kind == text && strings.TrimSpace(value.value) == "":
		f.d.error(issue.CodeLocalizedEmpty, value, fmt.Sprintf("%s: %s has no text for %s", f.what, key, prose.Clip(locale.code)), "write the text, or remove the locale")
		return found, false
	case !f.isText(value):
		return found, false
	}
	if _, twice := found.Get(spelled); twice {
		f.d.error(issue.CodeLocaleDuplicate, value, fmt.Sprintf("%s: %s gives the locale %s twice", f.what, key, prose.Clip(locale.code)), "keep one of the two texts")
		return found, false
	}
	return append(found, taxonomy.Text{Locale: spelled, Value: value.value}), true
}

// locale returns a locale code as the schema spells it.
func (f fields) locale(key string, locale localeAt, value *node) (string, bool) {
	if f.d.locales == nil {
		return locale.code, true // schema.yaml did not say: one finding there is enough
	}
	for _, l := range f.d.locales {
		if strings.EqualFold(l, locale.code) {
			return l, true
		}
	}
	code := prose.Clip(locale.code)
	hint := "write one of " + strings.Join(f.d.locales, ", ") + ", or add " + code + " to locales in the schema file"
	for _, l := range f.d.locales {
		if !strings.EqualFold(hyphened(l), hyphened(locale.code)) {
			continue
		}
		if hyphened(l) != l {
			return l, true // what is wrong with it is said in the schema file
		}
		hint = "write " + l
	}
	f.d.add(issue.Issue{
		Code: issue.CodeLocaleNotAllowed, Severity: issue.SeverityError, Path: value.path(), Position: f.d.at(locale.at),
		Message: fmt.Sprintf("%s: %s is given in %q, which is not among the locales of the schema version", f.what, key, code),
		FixHint: hint,
	})
	return "", false
}

// order sorts a localized string by the locales of the schema.
func (d *decoder) order(l taxonomy.Localized) {
	slices.SortStableFunc(l, func(a, b taxonomy.Text) int {
		return slices.Index(d.locales, a.Locale) - slices.Index(d.locales, b.Locale)
	})
}

// checkTranslated warns of locales that a text lacks.
func (f fields) checkTranslated(key string, n *node, l taxonomy.Localized) {
	if len(l) == 0 || len(l) == len(f.d.locales) {
		return
	}
	var missing []string
	for _, locale := range f.d.locales {
		if _, ok := l.Get(locale); !ok {
			missing = append(missing, locale)
		}
	}
	if len(missing) > 0 {
		f.d.warn(issue.CodeTranslationMissing, n, fmt.Sprintf("%s: %s is not translated into %s", f.what, key, strings.Join(missing, ", ")), "add the text for "+strings.Join(missing, ", "))
	}
}

// hyphened writes a language tag as BCP 47 does: pt_BR is the spelling of
// programs.
func hyphened(code string) string { return strings.ReplaceAll(code, "_", "-") }

// localeCodes reads the list of locales of a schema version. It returns nil
// where what the list means can't be told.
func (f fields) localeCodes() []string {
	n := f.get("locales")
	if n != nil && n.kind == list && len(n.items) == 0 {
		f.d.error(issue.CodeFieldValue, n, "locales is empty", "list at least one locale, the fallback first")
	}
	var codes []string
	known := true
	for n := range f.list("locales", maxLocales) {
		if !f.isText(n) {
			known = false
			continue
		}
		if slices.ContainsFunc(codes, func(c string) bool { return strings.EqualFold(c, n.value) }) {
			f.d.error(issue.CodeLocaleDuplicate, n, fmt.Sprintf("the locale %s is listed twice", prose.Clip(n.value)), "remove one of the two")
			continue
		}
		// A malformed code counts all the same, so that the texts in it are
		// not wrong, too.
		f.checkLocale(n)
		codes = append(codes, n.value)
	}
	if !known {
		return nil
	}
	return codes
}

func (f fields) checkLocale(n *node) {
	tag, err := language.Parse(n.value)
	if err == nil && tag != language.Und && !strings.Contains(n.value, "_") {
		return
	}
	hint := "write a language tag such as en, fr or pt-BR"
	if fixed := hyphened(n.value); err == nil && fixed != n.value {
		hint = "write " + fixed
	}
	f.d.error(issue.CodeLocaleMalformed, n, fmt.Sprintf("%q is no language tag", prose.Clip(n.value)), hint)
}
