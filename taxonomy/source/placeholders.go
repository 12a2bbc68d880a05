package source

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// placeholders yields what stands between {{ and }} in a text, whatever it is.
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

// checkPlaceholders checks the {{variables}} of a text against those that the
// thing has, and its translations against its fallback.
func (f fields) checkPlaceholders(key string, l taxonomy.Localized, variables ...[]taxonomy.Variable) {
	if !slices.ContainsFunc(l, func(t taxonomy.Text) bool { return strings.Contains(t.Value, "{{") }) {
		return
	}
	declared := func(id string) bool {
		return slices.ContainsFunc(variables, func(some []taxonomy.Variable) bool {
			return slices.ContainsFunc(some, func(v taxonomy.Variable) bool { return v.ID == id })
		})
	}
	used := make([][]string, len(l)) // the declared ones of each text
	slips := make([]bool, len(l))    // whether a text has others
	reported := make(map[string]bool)
	for i, t := range l {
		for id := range placeholders(t.Value) {
			switch {
			case declared(id):
				if !slices.Contains(used[i], id) {
					used[i] = append(used[i], id)
				}
			case reported[id]:
				slips[i] = true
			default:
				slips[i], reported[id] = true, true
				f.undeclared(key, t.Locale, id, variables)
			}
		}
	}
	for i, t := range l[1:] {
		for _, id := range used[0] {
			if !slips[i+1] && !slices.Contains(used[i+1], id) {
				f.d.warn(issue.CodePlaceholderUntranslated, textAt(f.get(key), t.Locale),
					fmt.Sprintf("%s: %s has {{%s}} in %s but not in %s", f.what, key, id, l[0].Locale, t.Locale),
					"put {{"+id+"}} into the text for "+t.Locale)
			}
		}
	}
}

// undeclared notes a {{placeholder}} that no variable declares.
func (f fields) undeclared(key, locale, id string, variables [][]taxonomy.Variable) {
	hint := "declare the variable, or remove the braces"
	known := func(yield func(string) bool) {
		for _, v := range slices.Concat(variables...) {
			if !yield(v.ID) {
				return
			}
		}
	}
	if near := f.d.hints.nearest(strings.TrimSpace(id), known); near != "" {
		hint = "write {{" + strings.ReplaceAll(near, " or ", "}} or {{") + "}}"
	}
	f.d.error(issue.CodePlaceholderUndeclared, textAt(f.get(key), locale),
		fmt.Sprintf("%s: %s (%s) holds {{%s}}, which no variable declares", f.what, key, locale, prose.Clip(id)), hint)
}
