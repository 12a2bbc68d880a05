package source

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/taxonomy"
)

// localized reads a localized string, written as the wire's list of {locale,
// value} or, shorter, as a map from locale to text. It comes back in the order
// of the schema's locales.
func (f fields) localized(key string) taxonomy.Localized {
	n := f.get(key)
	if n == nil {
		return nil
	}
	var found taxonomy.Localized
	switch n.kind {
	case object:
		for _, item := range n.items {
			found = f.addText(found, item.key, item.key.value, item)
		}
	case list:
		for _, item := range n.items {
			entry, ok := f.d.fields(item, f.what+": "+name(item), "!locale", "!value")
			if !ok {
				continue
			}
			if locale := entry.get("locale"); locale != nil && entry.is(locale, text, "write a locale such as en") && entry.get("value") != nil {
				found = f.addText(found, locale, locale.value, entry.get("value"))
			}
		}
	default:
		f.d.error(taxonomy.CodeFieldType, n, fmt.Sprintf("%s: %s is %s, but must say its text by locale", f.what, key, n.kind), f.d.asLocalized(key, n))
		return nil
	}
	if len(n.items) == 0 {
		f.d.error(taxonomy.CodeLocalizedEmpty, n, fmt.Sprintf("%s: %s has no text", f.what, key), "write a text for each locale")
	}
	f.d.order(found)
	f.d.checkTranslated(f.what, key, n, found)
	return found
}

// guidance reads a text for authors, which may also be one plain text: it is
// then in the fallback locale.
func (f fields) guidance(key string) taxonomy.Localized {
	n := f.get(key)
	if n == nil || n.kind != text || len(f.d.locales) == 0 {
		return f.localized(key)
	}
	return taxonomy.Localized{{Locale: f.d.locales[0], Value: f.string(key)}}
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
	return fmt.Sprintf("write %s: {%s: %s}", key, locale, strconv.Quote(shorten(value)))
}

// addText adds the text of one locale, with the schema's spelling of it.
func (f fields) addText(found taxonomy.Localized, at *node, locale string, value *node) taxonomy.Localized {
	spelled, ok := f.d.locale(f.what, at, locale, value)
	if !ok {
		return found
	}
	if value.kind == null {
		f.d.error(taxonomy.CodeLocalizedEmpty, value, fmt.Sprintf("%s: the text for %s is empty", f.what, locale), "write the text")
		return found
	}
	if !f.is(value, text, "put it in quotes: "+strconv.Quote(value.value)) {
		return found
	}
	if strings.TrimSpace(value.value) == "" {
		f.d.error(taxonomy.CodeLocalizedEmpty, value, fmt.Sprintf("%s: the text for %s is empty", f.what, locale), "write the text")
		return found
	}
	if _, twice := found.Get(spelled); twice {
		f.d.error(taxonomy.CodeLocaleDuplicate, value, fmt.Sprintf("%s: the locale %s is given twice", f.what, locale), "keep one of the two texts")
		return found
	}
	return append(found, taxonomy.Text{Locale: spelled, Value: value.value})
}

// locale returns a locale code as the schema spells it.
func (d *decoder) locale(what string, at *node, code string, value *node) (string, bool) {
	if d.locales == nil {
		return code, true // schema.yaml did not say: one finding there is enough
	}
	for _, l := range d.locales {
		if strings.EqualFold(l, code) {
			return l, true
		}
	}
	hint := "write one of " + strings.Join(d.locales, ", ") + ", or add " + code + " to locales in the schema file"
	d.add(taxonomy.Issue{
		Code: taxonomy.CodeLocaleNotAllowed, Severity: taxonomy.SeverityError, FixHint: hint, Path: value.path(), Position: d.at(at),
		Message: fmt.Sprintf("%s: the locale %q is not among those of the schema version", what, shorten(code)),
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
func (d *decoder) checkTranslated(what, key string, n *node, l taxonomy.Localized) {
	var missing []string
	for _, locale := range d.locales {
		if _, ok := l.Get(locale); !ok {
			missing = append(missing, locale)
		}
	}
	if len(l) > 0 && len(missing) > 0 {
		d.warn(taxonomy.CodeTranslationMissing, n, fmt.Sprintf("%s: %s is not translated into %s", what, key, strings.Join(missing, ", ")), "add the text for "+strings.Join(missing, ", "))
	}
}

// placeholder is a {{name}} in a text, whatever stands between the braces.
var placeholder = regexp.MustCompile(`\{\{([^{}]*)\}\}`)

func placeholders(s string) []string {
	if !strings.Contains(s, "{{") {
		return nil
	}
	var names []string
	for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// checkPlaceholders checks the {{variables}} of a text against those that the
// thing has, and its translations against its fallback.
func (f fields) checkPlaceholders(key string, l taxonomy.Localized, variables []taxonomy.Variable) {
	n := f.get(key)
	if n == nil || len(l) == 0 {
		return
	}
	known := func(yield func(string) bool) {
		for _, v := range variables {
			if !yield(v.ID) {
				return
			}
		}
	}
	reported := make(map[string]bool)
	for _, t := range l {
		for _, id := range placeholders(t.Value) {
			if reported[id] || slices.ContainsFunc(variables, func(v taxonomy.Variable) bool { return v.ID == id }) {
				continue
			}
			reported[id] = true
			hint := "declare the variable, or remove the braces"
			if near := f.d.hints.nearest(strings.TrimSpace(id), known); near != "" {
				hint = "write {{" + near + "}}"
			}
			f.d.error(taxonomy.CodePlaceholderUndeclared, n, fmt.Sprintf("%s: %s (%s) holds {{%s}}, which no variable declares", f.what, key, t.Locale, shorten(id)), hint)
		}
	}
	fallback := placeholders(l[0].Value)
	for _, t := range l[1:] {
		has := placeholders(t.Value)
		for _, id := range fallback {
			if !reported[id] && !slices.Contains(has, id) {
				f.d.warn(taxonomy.CodePlaceholderUntranslated, n, fmt.Sprintf("%s: %s has {{%s}} in %s but not in %s", f.what, key, id, l[0].Locale, t.Locale), "put {{"+id+"}} into the text for "+t.Locale)
			}
		}
	}
}

// localeCodes reads the list of locales of a schema version.
func (f fields) localeCodes() []string {
	var codes []string
	for code, n := range f.strings("locales") {
		tag, err := language.Parse(code)
		switch {
		case err != nil || strings.Contains(code, "_") || tag == language.Und:
			hint := "write a language tag such as en, fr or pt-BR"
			if fixed := strings.ReplaceAll(code, "_", "-"); err == nil && fixed != code {
				hint = "write " + fixed
			}
			f.d.error(taxonomy.CodeLocaleMalformed, n, fmt.Sprintf("%q is no language tag", shorten(code)), hint)
		case slices.ContainsFunc(codes, func(c string) bool { return strings.EqualFold(c, code) }):
			f.d.error(taxonomy.CodeLocaleDuplicate, n, fmt.Sprintf("the locale %s is listed twice", code), "remove one of the two")
		default:
			codes = append(codes, code)
		}
	}
	if n := f.get("locales"); n != nil && n.kind == list && len(n.items) == 0 {
		f.d.error(taxonomy.CodeFieldValue, n, "locales is empty", "list at least one locale, the fallback first")
	}
	return codes
}
