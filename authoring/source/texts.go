package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxLocales limits the locales of a schema version.
const maxLocales = 100

// localized reads a localized string, which is the list of {locale, value} of
// the wire format or, shorter, a map from locale to text. It returns the texts
// in the order of the schema's locales.
func (f fields) localized(key string) taxonomy.Localized {
	if n := f.get(key); n != nil {
		return f.localizedAt(key, n)
	}
	return nil
}

// localizedAt reads a localized string, which messages call key.
func (f fields) localizedAt(key string, n *node) taxonomy.Localized {
	switch {
	case n.kind != object && n.kind != list:
		locale := "en"
		if len(f.locales) > 0 {
			locale = f.locales[0]
		}
		f.wrong(issue.CodeFieldType, n, fmt.Sprintf("write %s: {%s: %s}", key, locale, prose.Quote(cmp.Or(n.value, "…"))), "%s must be a map from locale to text, not %s", key, n)
		return nil
	case len(n.items) == 0:
		f.wrong(issue.CodeLocalizedEmpty, n, "write a text for each locale", "%s has no text", key)
		return nil
	}
	found := make(taxonomy.Localized, 0, min(len(n.items), maxLocales))
	for i := range n.items {
		if len(found) == maxLocales {
			break
		}
		if t, ok := f.text(key, &n.items[i], found); ok {
			found = append(found, t)
		}
	}
	slices.SortStableFunc(found, func(a, b taxonomy.Text) int {
		return slices.Index(f.locales, a.Locale) - slices.Index(f.locales, b.Locale)
	})
	if len(found) == len(n.items) {
		f.checkTranslated(key, n, found)
	}
	return found
}

// entry is one text of a localized string.
type entry struct {
	locale string
	at     place // of the locale
	value  *node
}

// entryOf reads a member of the map or an item of the list.
func entryOf(item *node) (e entry) {
	if item.inObject() {
		return entry{item.key, item.keyAt, item}
	}
	if code := item.get("locale"); code != nil {
		e.locale, e.at = code.value, code.place
	}
	e.value = item.get("value")
	return e
}

// textAt returns the node of the text in a locale.
func textAt(n *node, locale string) *node {
	for i := range n.items {
		if e := entryOf(&n.items[i]); strings.EqualFold(e.locale, locale) {
			return e.value
		}
	}
	return n
}

// text reads one text of a localized string of which found has been read.
func (f fields) text(key string, item *node, found taxonomy.Localized) (t taxonomy.Text, ok bool) {
	if !item.inObject() {
		o, ok := f.fields(item, f.what+": "+f.name(item), "!locale", "!value")
		if !ok || o.get("value") == nil || o.get("locale") == nil || !o.is(o.get("locale"), text, "write a locale such as en, in quotes") {
			return t, false
		}
	}
	e := entryOf(item)
	locale, ok := f.locale(key, e)
	if !ok {
		return t, false
	}
	_, twice := found.Get(locale)
	switch {
	case e.value.kind == null || e.value.kind == text && strings.TrimSpace(e.value.value) == "":
		f.wrong(issue.CodeLocalizedEmpty, e.value, lostHint(e.value, "write the text, or remove the locale"), "%s has no text for %s", key, prose.Plain(e.locale))
	case !f.isText(e.value):
	case twice:
		f.wrong(issue.CodeLocaleDuplicate, e.value, "keep one of the two texts", "%s has the locale %s twice", key, prose.Plain(e.locale))
	default:
		if e.value.comment != "" {
			f.warnf(issue.CodeFieldValue, f.spot(e.value), "put the text in quotes: "+prose.Quote(e.value.value+" "+e.value.comment)+"; if it is a comment, write a space after #",
				"%s: %s for %s ends before #, which begins a comment.", f.what, key, prose.Plain(e.locale))
		}
		return taxonomy.Text{Locale: locale, Value: e.value.value}, true
	}
	return t, false
}

// locale returns a locale as the schema spells it.
func (f fields) locale(key string, e entry) (string, bool) {
	if f.locales == nil {
		return e.locale, true // the schema file has been reported
	}
	similar := ""
	for _, l := range f.locales {
		switch {
		case strings.EqualFold(l, e.locale):
			return l, true
		case strings.EqualFold(hyphened(l), hyphened(e.locale)):
			similar = l
		}
	}
	if hyphened(similar) != similar {
		return similar, true // as has its spelling there
	}
	code := prose.Plain(e.locale)
	hint := "write " + prose.Or(f.locales) + ", or add " + code + " to locales in the schema file"
	if similar != "" {
		hint = "write " + similar
	}
	f.errorf(issue.CodeLocaleNotAllowed, spot{f.position(e.at), e.value.path()}, hint, "%s: %s has the locale %s, which the schema version does not list.", f.what, key, code)
	return "", false
}

// checkTranslated warns of locales that a text lacks.
func (f fields) checkTranslated(key string, n *node, l taxonomy.Localized) {
	if len(l) == len(f.locales) {
		return
	}
	var missing []string
	for _, locale := range f.locales {
		if _, ok := l.Get(locale); !ok {
			missing = append(missing, locale)
		}
	}
	if len(missing) > 0 {
		list, at := strings.Join(missing, ", "), f.spot(n)
		f.add(issue.Issue{
			Code: issue.CodeTranslationMissing, Severity: issue.SeverityWarning, Path: at.path, Position: at.at, Groups: missing,
			Message: fmt.Sprintf("%s: %s is not translated into %s.", f.what, key, list), FixHint: "add the text for " + list,
		})
	}
}

// guidance reads a text for authors, which may also be a plain string in the
// fallback locale.
func (f fields) guidance(key string) taxonomy.Localized {
	n := f.get(key)
	if n == nil || n.kind != text {
		return f.localized(key)
	}
	value := f.string(key)
	if len(f.locales) == 0 {
		return nil
	}
	return taxonomy.Localized{{Locale: f.locales[0], Value: value}}
}

// hyphened spells a language tag as BCP 47 does, pt-BR for pt_BR.
func hyphened(code string) string { return strings.ReplaceAll(code, "_", "-") }

// localeCodes reads the locales of a schema version. It returns nil if they are
// unknown.
func (f fields) localeCodes() []string {
	if n := f.get("locales"); n != nil && n.kind == list && len(n.items) == 0 {
		f.wrong(issue.CodeFieldValue, n, "list at least one locale, the fallback first", "locales is empty")
	}
	var codes []string
	known := true
	for n := range f.list("locales", maxLocales) {
		switch {
		case !f.isText(n):
			known = false
		case slices.ContainsFunc(codes, func(c string) bool { return strings.EqualFold(c, n.value) }):
			f.wrong(issue.CodeLocaleDuplicate, n, "remove one of them", "locales lists %s twice", prose.Plain(n.value))
		default:
			// Texts may use a malformed locale: it is reported only here.
			f.checkLocale(n)
			codes = append(codes, n.value)
		}
	}
	if !known {
		return nil
	}
	return codes
}

func (f fields) checkLocale(n *node) {
	tag, err := language.Parse(n.value)
	fixed := hyphened(n.value)
	if err == nil && tag != language.Und && fixed == n.value {
		return
	}
	hint := "write a language tag such as en, fr or pt-BR"
	if err == nil && fixed != n.value {
		hint = "write " + fixed
	}
	f.wrong(issue.CodeLocaleMalformed, n, hint, "%s is not a valid language tag", prose.Quote(n.value))
}
