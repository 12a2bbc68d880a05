package source

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

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
	case n.kind != object && n.kind != list:
		f.wrong(issue.CodeFieldType, n, "write synonyms: {en: [[camera, cctv]]}", "synonyms must be a map from locale to groups of words, not %s", n)
		return nil
	}
	var all []taxonomy.Synonyms
	for i := range n.items {
		item := &n.items[i]
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
func (f fields) synonymsOf(item *node, others []taxonomy.Synonyms) (s taxonomy.Synonyms, ok bool) {
	e := entry{item.key, item.keyAt, item}
	if !item.inObject() {
		o, ok := f.fields(item, f.what+": "+f.name(item), "!locale", "!groups")
		if !ok || o.get("groups") == nil || o.get("locale") == nil || !o.is(o.get("locale"), text, "write a locale such as en, in quotes") {
			return s, false
		}
		e = entry{o.get("locale").value, o.get("locale").place, o.get("groups")}
	}
	if s.Locale, ok = f.locale("synonyms", e); !ok {
		return s, false
	}
	if slices.ContainsFunc(others, func(t taxonomy.Synonyms) bool { return t.Locale == s.Locale }) {
		f.wrong(issue.CodeLocaleDuplicate, e.value, "keep one of the two lists", "synonyms has the locale %s twice", prose.Plain(e.locale))
		return s, false
	}
	groups := e.value
	switch {
	case !f.is(groups, list, "write a list of groups: [[camera, cctv], [bias, racism]]"):
		return s, false
	case len(groups.items) > maxSynonymGroups:
		f.wrong(issue.CodeSynonymsMalformed, groups, "remove groups that search does not need", "%s has %d groups of synonyms, but at most %d are allowed", f.name(groups), len(groups.items), maxSynonymGroups)
		return s, false
	}
	for i := range groups.items {
		if words := f.synonymGroup(&groups.items[i]); len(words) > 0 {
			s.Groups = append(s.Groups, words)
		}
	}
	return s, len(s.Groups) > 0
}

// synonymGroup reads words that mean the same. It returns nil if one is invalid.
func (f fields) synonymGroup(n *node) []string {
	switch {
	case !f.is(n, list, "write a list of words: [camera, cctv]"):
		return nil
	case len(n.items) < 2:
		f.wrong(issue.CodeSynonymsMalformed, n, "add a word with the same meaning, or remove the group", "%s needs at least two words", f.name(n))
		return nil
	case len(n.items) > maxSynonymWords:
		f.wrong(issue.CodeSynonymsMalformed, n, "split the group", "%s has %d words, but at most %d are allowed", f.name(n), len(n.items), maxSynonymWords)
		return nil
	}
	words, sound := make([]string, 0, len(n.items)), true
	for i := range n.items {
		word, ok := f.synonym(&n.items[i], words)
		words, sound = append(words, word), sound && ok
	}
	if !sound {
		return nil
	}
	return words
}

// synonym reads a word or phrase of a group of which others have been read.
func (f fields) synonym(n *node, others []string) (string, bool) {
	if !f.isText(n) {
		return "", false
	}
	word := strings.TrimSpace(n.value)
	switch {
	case word == "":
		f.wrong(issue.CodeSynonymsMalformed, n, "write a word, or remove the item", "%s is empty", f.name(n))
	case utf8.RuneCountInString(word) > maxSynonymLength:
		f.wrong(issue.CodeSynonymsMalformed, n, "write a word or a short phrase", "%s has more than %d characters", f.name(n), maxSynonymLength)
	case slices.ContainsFunc(others, func(other string) bool { return strings.EqualFold(other, word) }):
		f.wrong(issue.CodeSynonymsMalformed, n, "remove one of them", "%s repeats the word %s", f.name(n), prose.Quote(word))
	default:
		return word, true
	}
	return "", false
}
