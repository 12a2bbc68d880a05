package source

import (
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// placeholders yields what a text has between {{ and }}.
func placeholders(s string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for {
			start := strings.Index(s, "{{")
			if start < 0 {
				return
			}
			s = s[start:]
			end := strings.IndexAny(s[2:], "{}")
			switch {
			case end < 0:
				return
			case end == 0 && s[2] == '{':
				s = s[1:] // of {{{ the last two count
			case strings.HasPrefix(s[2+end:], "}}"):
				if !yield(s[2 : 2+end]) {
					return
				}
				s = s[2+end+2:]
			default:
				s = s[2+end:]
			}
		}
	}
}

// checkPlaceholders checks that the {{placeholders}} of a text are variables of
// the object, and that translations have those of the fallback.
func (f fields) checkPlaceholders(key string, l taxonomy.Localized, variables ...[]taxonomy.Variable) {
	if !slices.ContainsFunc(l, func(t taxonomy.Text) bool { return strings.Contains(t.Value, "{{") }) {
		return
	}
	var declared []string
	for _, some := range variables {
		for i := range some {
			declared = append(declared, some[i].ID)
		}
	}
	var inFallback []string
	var reported map[string]bool
	for i, t := range l {
		var used []string
		sound := true
		for id := range placeholders(t.Value) {
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
		if i == 0 {
			slices.Sort(used)
			inFallback = slices.Compact(used)
			continue
		}
		for _, id := range inFallback {
			if sound && !slices.Contains(used, id) {
				f.warnf(issue.CodePlaceholderUntranslated, f.spot(textAt(f.get(key), t.Locale)), "add {{"+id+"}} to the text for "+t.Locale,
					"%s: %s contains {{%s}} in %s but not in %s.", f.what, key, id, l[0].Locale, t.Locale)
			}
		}
	}
}

// undeclared reports a {{placeholder}} that is not the id of a variable.
func (f fields) undeclared(key, locale, id string, declared []string) {
	hint := "declare the variable, or remove the braces"
	if near := f.hints.nearest(strings.TrimSpace(id), slices.Values(declared)); len(near) > 0 {
		for i, id := range near {
			near[i] = "{{" + id + "}}"
		}
		hint = "write " + prose.Or(near)
	}
	f.wrong(issue.CodePlaceholderUndeclared, textAt(f.get(key), locale), hint, "%s (%s) contains {{%s}}, but there is no such variable", key, locale, prose.Plain(id))
}
