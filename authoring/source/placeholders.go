package source

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// placeholders yields what a text has between {{ and }}, each with its offset.
func placeholders(s string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for whole := len(s); ; {
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
				if !yield(whole-len(s)+2, s[2:2+end]) {
					return
				}
				s = s[2+end+2:]
			default:
				s = s[2+end:]
			}
		}
	}
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
		for _, id := range placeholders(t.Value) {
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
				f.warnf(issue.CodePlaceholderBraces, f.spot(textAt(f.get(key), t.Locale)), "write {{"+id+"}}",
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
