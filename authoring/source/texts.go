package source

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/language"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
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
func (f fields) localizedAt(key string, n *yaml.Node) taxonomy.Localized {
	switch {
	case n.Kind != yaml.Object && n.Kind != yaml.List:
		locale := "en"
		if len(f.locales) > 0 {
			locale = f.locales[0]
		}
		f.wrong(codes.FieldType, n, fmt.Sprintf("write %s: {%s: %s}", key, locale, wording.Quote(cmp.Or(n.Value, "…"))), "%s must be a map from locale to text, not %s", key, n)
		return nil
	case len(n.Items) == 0:
		f.wrong(codes.LocalizedEmpty, n, "write a text for each locale", "%s has no text", key)
		return nil
	}
	found := make(taxonomy.Localized, 0, min(len(n.Items), maxLocales))
	for item := range n.All() {
		if len(found) == maxLocales {
			break
		}
		if t, ok := f.text(key, item, found); ok {
			found = append(found, t)
		}
	}
	slices.SortStableFunc(found, func(a, b taxonomy.Text) int {
		return slices.Index(f.locales, a.Locale) - slices.Index(f.locales, b.Locale)
	})
	if len(found) == len(n.Items) {
		f.checkTranslated(key, n, found)
	}
	return found
}

// localeEntry reads a member of a map from locale to values, or an item of a list of
// {locale, <valueKey>}. It returns the locale as the schema
// spells it.
func (f fields) localeEntry(key string, item *yaml.Node, valueKey string) (locale string, e folder.LocaleEntry, ok bool) {
	e = folder.LocaleEntry{Locale: item.Key, At: item.KeyAt, Value: item}
	if !item.InObject() {
		o, isObject := f.fields(item, f.what+": "+f.name(item), "!locale", "!"+valueKey)
		code, value := o.get("locale"), o.get(valueKey)
		if !isObject || value == nil || code == nil || !o.is(code, yaml.String, "write a locale such as en, in quotes") {
			return "", e, false
		}
		e = folder.LocaleEntry{Locale: code.Value, At: code.Place, Value: value}
	}
	locale, ok = f.locale(key, e)
	return locale, e, ok
}

// textAt returns the node of the text in a locale.
func textAt(n *yaml.Node, locale string) *yaml.Node {
	for item := range n.All() {
		if e := folder.LocaleEntryOf(item); strings.EqualFold(e.Locale, locale) {
			return e.Value
		}
	}
	return n
}

// text reads one text of a localized string of which found has been read.
func (f fields) text(key string, item *yaml.Node, found taxonomy.Localized) (t taxonomy.Text, ok bool) {
	locale, e, ok := f.localeEntry(key, item, "value")
	if !ok {
		return t, false
	}
	_, twice := found.Get(locale)
	switch {
	case e.Value.Kind == yaml.Null || e.Value.Kind == yaml.String && strings.TrimSpace(e.Value.Value) == "":
		f.wrong(codes.LocalizedEmpty, e.Value, lostHint(e.Value, "write the text, or remove the locale"), "%s has no text for %s", key, wording.Plain(e.Locale))
	case !f.isText(e.Value):
	case twice:
		f.wrong(codes.LocaleDuplicate, e.Value, "keep one of the two texts", "%s has the locale %s twice", key, wording.Plain(e.Locale))
	default:
		if e.Value.Comment != "" {
			f.Warnf(codes.FieldValue, f.At(e.Value), "put the text in quotes: "+wording.Quote(e.Value.Value+" "+e.Value.Comment)+"; if it is a comment, write a space after #",
				"%s: %s for %s ends before #, which begins a comment.", f.what, key, wording.Plain(e.Locale))
		}
		return taxonomy.Text{Locale: locale, Value: e.Value.Value}, true
	}
	return t, false
}

// locale returns a locale as the schema spells it.
func (f fields) locale(key string, e folder.LocaleEntry) (string, bool) {
	if f.locales == nil {
		return e.Locale, true // the schema file has been reported
	}
	similar := ""
	for _, l := range f.locales {
		switch {
		case strings.EqualFold(l, e.Locale):
			return l, true
		case strings.EqualFold(hyphened(l), hyphened(e.Locale)):
			similar = l
		}
	}
	if hyphened(similar) != similar {
		return similar, true // as has its spelling there
	}
	if cut := f.cutText(e); cut != nil {
		if cut.hint != "" {
			f.Errorf(codes.LocaleNotAllowed, folder.Location{At: f.Position(e.At), Path: e.Value.Path()}, cut.hint, "%s: %s %s.", f.what, key, cut.message)
		}
		return "", false
	}
	code := wording.Plain(e.Locale)
	hint := "write " + wording.Or(f.locales) + ", or add " + code + " to locales in the schema file"
	if similar != "" {
		hint = "write " + similar
	}
	f.Errorf(codes.LocaleNotAllowed, folder.Location{At: f.Position(e.At), Path: e.Value.Path()}, hint, "%s: %s has the locale %s, which the schema version does not list.", f.what, key, code)
	return "", false
}

// cutProblem is what is wrong with a text without quotes that YAML reads as several values.
type cutProblem struct{ message, hint string }

// cutText returns what is wrong if an entry of {…} has no value because it is a part of a text:
// {en: Cameras, sensors} or {en:Cameras}. The hint is empty if the problem was reported with
// an earlier part, and the result nil if there is no such problem.
func (f fields) cutText(e folder.LocaleEntry) *cutProblem {
	n := e.Value
	if n == nil || !n.Blank || !n.InObject() {
		return nil
	}
	if _, err := language.Parse(e.Locale); err == nil {
		return nil // whose text is missing
	}
	items := n.Parent.Items
	first := n.Index
	for first > 0 && items[first].Blank && items[first-1].KeyAt.Line == e.At.Line {
		first--
	}
	switch begin := &items[first]; {
	case begin.Kind == yaml.String: // the parts after it have no value
		if first < n.Index-1 {
			return new(cutProblem)
		}
		parts := []string{begin.Value}
		for i := first + 1; i < len(items) && items[i].Blank; i++ {
			parts = append(parts, items[i].Key)
		}
		return &cutProblem{"ends at the comma before " + wording.Quote(wording.Plain(e.Locale)) + ", because it has no quotes", "put the text in quotes: " + begin.Key + ": " + wording.Quote(strings.Join(parts, ", "))}
	case first == n.Index:
		for _, l := range f.locales {
			if rest, ok := strings.CutPrefix(e.Locale, l); ok && rest != "" && strings.ContainsRune(": ", rune(rest[0])) {
				return &cutProblem{"has no text for " + wording.Plain(l), "write a colon and a space after the locale: " + l + ": " + wording.Quote(strings.TrimLeft(rest, ": "))}
			}
		}
	}
	return nil
}

// checkTranslated warns of locales that a text lacks.
func (f fields) checkTranslated(key string, n *yaml.Node, l taxonomy.Localized) {
	if len(l) == len(f.locales) {
		return
	}
	var missing, names []string
	for _, locale := range f.locales {
		if _, ok := l.Get(locale); !ok {
			missing, names = append(missing, locale), append(names, i18n.English(wording.Plain(locale)))
		}
	}
	if len(missing) > 0 {
		at := f.At(n)
		f.Add(issue.Issue{
			Code: codes.TranslationMissing, Severity: issue.SeverityWarning, Path: at.Path, Position: at.At, Groups: missing,
			Message: fmt.Sprintf("%s: %s is not translated into %s.", f.what, key, wording.And(names)), FixHint: "add the text for " + strings.Join(missing, ", "),
		})
	}
}

// guidance reads a text for authors, which may also be a plain string in the
// fallback locale.
func (f fields) guidance(key string) taxonomy.Localized {
	n := f.get(key)
	if n == nil || n.Kind != yaml.String {
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
	if n := f.get("locales"); n != nil && n.Kind == yaml.List && len(n.Items) == 0 {
		f.wrong(codes.FieldValue, n, "list at least one locale, the fallback first", "locales is empty")
	}
	var locales []string
	known := true
	for n := range f.list("locales", maxLocales) {
		switch {
		case !f.isText(n):
			known = false
		case slices.ContainsFunc(locales, func(c string) bool { return strings.EqualFold(c, n.Value) }):
			f.wrong(codes.LocaleDuplicate, n, "remove one of them", "locales lists %s twice", wording.Plain(n.Value))
		default:
			// Texts may use a malformed locale: it is reported only here.
			f.checkLocale(n)
			locales = append(locales, n.Value)
		}
	}
	if !known {
		return nil
	}
	return locales
}

func (f fields) checkLocale(n *yaml.Node) {
	tag, err := language.Parse(n.Value)
	fixed := hyphened(n.Value)
	if err == nil && tag != language.Und && fixed == n.Value {
		return
	}
	hint := "write a language tag such as en, fr or pt-BR"
	if err == nil && fixed != n.Value {
		hint = "write " + fixed
	}
	f.wrong(codes.LocaleMalformed, n, hint, "%s is not a valid language tag", wording.Quote(n.Value))
}

var singleBrace = regexp.MustCompile(`\{+\s*([A-Za-z0-9_-]+)\s*\}+`)

// singleBraces returns the names that a text has between { and }, but not between {{
// and }}.
func singleBraces(s string) []string {
	var names []string
	for _, m := range singleBrace.FindAllStringSubmatch(s, -1) {
		if m[0][1] != '{' || m[0][len(m[0])-2] != '}' {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// checkPlaceholders checks that the {{placeholders}} of a text are variables of
// the object and have two braces, and that translations have those of the fallback.
func (f fields) checkPlaceholders(key string, l taxonomy.Localized, variables ...[]taxonomy.Variable) {
	if !slices.ContainsFunc(l, func(t taxonomy.Text) bool { return strings.Contains(t.Value, "{") }) {
		return
	}
	var declared []string
	for _, list := range variables {
		for i := range list {
			declared = append(declared, list[i].ID)
		}
	}
	var inFallback []string
	var reported map[string]bool
	for i, t := range l {
		var used []string
		sound := true
		for p := range ident.Pieces(t.Value) {
			if !p.Placeholder {
				continue
			}
			id := p.Name()
			switch {
			case slices.Contains(declared, id):
				used = append(used, id)
				continue
			case !reported[id]:
				if reported == nil {
					reported = make(map[string]bool)
				}
				reported[id] = true
				f.undeclared(key, t.Locale, id, declared)
			}
			sound = false
		}
		for _, id := range singleBraces(t.Value) {
			if slices.Contains(declared, id) && !slices.Contains(used, id) {
				sound = false
				f.Warnf(codes.PlaceholderBraces, f.At(textAt(f.get(key), t.Locale)), "write {{"+id+"}}",
					"%s: %s (%s) names the variable %s without double braces, so its value is not filled in.", f.what, key, t.Locale, id)
			}
		}
		if i == 0 {
			slices.Sort(used)
			inFallback = slices.Compact(used)
			continue
		}
		for _, id := range inFallback {
			if sound && !slices.Contains(used, id) {
				f.Warnf(codes.PlaceholderUntranslated, f.At(textAt(f.get(key), t.Locale)), "add {{"+id+"}} to the text for "+t.Locale,
					"%s: %s contains {{%s}} in %s but not in %s.", f.what, key, id, l[0].Locale, t.Locale)
			}
		}
	}
}

// undeclared reports a {{placeholder}} that is not the id of a variable.
func (f fields) undeclared(key, locale, id string, declared []string) {
	hint := "declare the variable, or remove the braces"
	if near := f.hints.Nearest(strings.TrimSpace(id), slices.Values(declared)); len(near) > 0 {
		for i, id := range near {
			near[i] = "{{" + id + "}}"
		}
		hint = "write " + wording.Or(near)
	}
	f.wrong(codes.PlaceholderUndeclared, textAt(f.get(key), locale), hint, "%s (%s) contains {{%s}}, but there is no such variable", key, locale, wording.Plain(id))
}

// Limits on synonyms. Search looks up all words of a group for each of them.
const (
	maxSynonymGroups = 5000 // of a locale
	maxSynonymWords  = 50   // of a group
	maxSynonymLength = 100  // of a word or phrase, in characters
)

// synonyms reads the synonyms of each locale: a list of {locale, groups} as on the
// wire or, shorter, a map from locale to groups. They are returned in the order of
// the schema's locales.
func (f fields) synonyms() []taxonomy.Synonyms {
	n := f.get("synonyms")
	switch {
	case n == nil:
		return nil
	case n.Kind != yaml.Object && n.Kind != yaml.List:
		f.wrong(codes.FieldType, n, "write synonyms: {en: [[camera, cctv]]}", "synonyms must be a map from locale to groups of words, not %s", n)
		return nil
	}
	var all []taxonomy.Synonyms
	for item := range n.All() {
		if len(all) == maxLocales {
			break
		}
		if s, ok := f.synonymsOf(item, all); ok {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b taxonomy.Synonyms) int {
		return slices.Index(f.locales, a.Locale) - slices.Index(f.locales, b.Locale)
	})
	return all
}

// synonymsOf reads the synonyms of one locale, given those of others.
func (f fields) synonymsOf(item *yaml.Node, others []taxonomy.Synonyms) (s taxonomy.Synonyms, ok bool) {
	locale, e, ok := f.localeEntry("synonyms", item, "groups")
	if s.Locale = locale; !ok {
		return s, false
	}
	if slices.ContainsFunc(others, func(t taxonomy.Synonyms) bool { return t.Locale == s.Locale }) {
		f.wrong(codes.LocaleDuplicate, e.Value, "keep one of the two lists", "synonyms has the locale %s twice", wording.Plain(e.Locale))
		return s, false
	}
	groups := e.Value
	switch {
	case !f.is(groups, yaml.List, "write a list of groups: [[camera, cctv], [bias, racism]]"):
		return s, false
	case len(groups.Items) > maxSynonymGroups:
		f.wrong(codes.SynonymsMalformed, groups, "remove groups that search does not need", "%s has %d groups of synonyms, but at most %d are allowed", f.name(groups), len(groups.Items), maxSynonymGroups)
		return s, false
	}
	for group := range groups.All() {
		if words := f.synonymGroup(group); len(words) > 0 {
			s.Groups = append(s.Groups, words)
		}
	}
	return s, len(s.Groups) > 0
}

// synonymGroup reads words that mean the same. It returns nil if one is invalid.
func (f fields) synonymGroup(n *yaml.Node) []string {
	switch {
	case !f.is(n, yaml.List, "write a list of words: [camera, cctv]"):
		return nil
	case len(n.Items) < 2:
		f.wrong(codes.SynonymsMalformed, n, "add a word with the same meaning, or remove the group", "%s needs at least two words", f.name(n))
		return nil
	case len(n.Items) > maxSynonymWords:
		f.wrong(codes.SynonymsMalformed, n, "split the group", "%s has %d words, but at most %d are allowed", f.name(n), len(n.Items), maxSynonymWords)
		return nil
	}
	words, sound := make([]string, 0, len(n.Items)), true
	for item := range n.All() {
		word, ok := f.synonym(item, words)
		words, sound = append(words, word), sound && ok
	}
	if !sound {
		return nil
	}
	return words
}

// synonym reads a word or phrase of a group of which others have been read.
func (f fields) synonym(n *yaml.Node, others []string) (string, bool) {
	if !f.isText(n) {
		return "", false
	}
	word := strings.TrimSpace(n.Value)
	switch {
	case word == "":
		f.wrong(codes.SynonymsMalformed, n, "write a word, or remove the item", "%s is empty", f.name(n))
	case utf8.RuneCountInString(word) > maxSynonymLength:
		f.wrong(codes.SynonymsMalformed, n, "write a word or a short phrase", "%s has more than %d characters", f.name(n), maxSynonymLength)
	case slices.ContainsFunc(others, func(other string) bool { return strings.EqualFold(other, word) }):
		f.wrong(codes.SynonymsMalformed, n, "remove one of them", "%s repeats the word %s", f.name(n), wording.Quote(word))
	default:
		return word, true
	}
	return "", false
}
