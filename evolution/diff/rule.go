package diff

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// RuleID identifies a [Rule]. Ids are stable: new ones may be added, but none is
// renamed or removed, since programs match on them.
type RuleID string

// Rule describes a kind of change and what it means for documents. docs/changes.md
// lists all rules.
type Rule struct {
	ID       RuleID
	Severity Severity
	// Warns means that documents can get a new warning.
	Warns bool
	// Meaning describes the change in a sentence.
	Meaning string
	// Consequence says what happens to documents. That of a [Change] can be more
	// precise.
	Consequence string
	// WayOut says how documents that a breaking change makes invalid become valid
	// again. It is empty for other changes.
	WayOut string
}

// Rules returns all rules: the breaking ones, then the notable and the compatible
// ones. The caller owns the slice.
func Rules() []Rule {
	list := make([]Rule, 0, len(rules))
	for _, s := range Severities() {
		for i := range rules {
			if rules[i].Severity == s {
				list = append(list, rules[i].Rule)
			}
		}
	}
	return list
}

// LookupRule returns the rule with an id.
func LookupRule(id RuleID) (Rule, bool) {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.ID == id })
	if i < 0 {
		return Rule{}, false
	}
	return rules[i].Rule, true
}

// rule is a [Rule] and how it is recognised.
type rule struct {
	Rule
	on []pattern
	// when returns the consequence of a change that matches a pattern, or "" if the
	// rule does not apply. If it is nil, the rule applies with Consequence.
	when func(*counts, *Change) string
}

// pattern describes the place of a change.
type pattern struct {
	subject Subject // any if empty
	kind    Kind    // any if empty
	path    []string
}

// Steps of the path of a pattern that are no names.
const (
	anyStep = "*"  // matches any step
	anyRest = "**" // matches any steps at the end, or none
)

// on returns the pattern of a change. Kind is "" for any kind.
func on(s Subject, k Kind, path ...string) pattern { return pattern{s, k, path} }

func (p *pattern) matches(c *Change) bool {
	if p.subject != "" && p.subject != c.Subject || p.kind != "" && p.kind != c.Kind {
		return false
	}
	path, rest := p.path, c.Path
	if n := len(path) - 1; n >= 0 && path[n] == anyRest {
		if len(rest) < n {
			return false
		}
		path, rest = path[:n], rest[:n]
	}
	return slices.EqualFunc(path, rest, func(pattern string, s issue.Step) bool {
		return pattern == anyStep || pattern == s.Name()
	})
}

// judge sets what a change means for documents. The first rule that applies decides;
// the last ones apply to everything.
func (k *counts) judge(c *Change) {
	for i := range rules {
		r := &rules[i]
		if !slices.ContainsFunc(r.on, func(p pattern) bool { return p.matches(c) }) {
			continue
		}
		consequence := r.Consequence
		if r.when != nil {
			consequence = r.when(k, c)
		}
		if consequence != "" {
			c.Rule, c.Severity, c.Warns, c.Consequence = r.ID, r.Severity, r.Warns, consequence
			return
		}
	}
}
