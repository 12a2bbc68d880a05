package diff

import (
	"slices"
	"strings"

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
	// Remedy says how documents that a breaking change makes invalid become valid
	// again. It is empty for other changes.
	Remedy string
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
	r := lookup(id)
	return r.Rule, r.ID == id
}

// lookup returns the rule with an id, or the zero rule.
func lookup(id RuleID) rule {
	i := slices.IndexFunc(rules, func(r rule) bool { return r.ID == id })
	if i < 0 {
		return rule{}
	}
	return rules[i]
}

// rule is a [Rule], how it is recognised, and which places of documents it concerns.
type rule struct {
	Rule
	on []pattern
	// when reports whether the rule applies to a change that matches a pattern, if that is not
	// always so. It can make the Consequence of the change more precise.
	when func(*pair, *Change) bool
	// where returns the places of a document that a change concerns. It is nil if that does not
	// depend on the document. A change can break documents in several ways, but has the rule of
	// the first.
	where func(*candidate, *Change) []issue.Path
}

// pattern describes the place of a change.
type pattern struct {
	subject Subject // any if empty
	kind    Kind    // any if empty
	path    []string
}

// on returns the pattern of a change. In its path * stands for any step, and ** for any steps at
// the end, or none.
func on(s Subject, k Kind, path string) pattern {
	return pattern{s, k, strings.FieldsFunc(path, func(r rune) bool { return r == '.' })}
}

func (p *pattern) matches(c *Change) bool {
	if p.subject != "" && p.subject != c.Subject || p.kind != "" && p.kind != c.Kind {
		return false
	}
	path, rest := p.path, c.Path
	if n := len(path) - 1; n >= 0 && path[n] == "**" {
		if len(rest) < n {
			return false
		}
		path, rest = path[:n], rest[:n]
	}
	return slices.EqualFunc(path, rest, func(pattern string, s issue.Step) bool {
		return pattern == "*" || pattern == s.Name()
	})
}

// classify sets what a change means for documents. The first rule that applies decides;
// the last ones apply to everything.
func (p *pair) classify(c *Change) {
	for i := range rules {
		r := &rules[i]
		if !slices.ContainsFunc(r.on, func(p pattern) bool { return p.matches(c) }) {
			continue
		}
		c.Consequence = r.Consequence
		if r.when == nil || r.when(p, c) {
			c.Rule, c.Severity, c.Warns = r.ID, r.Severity, r.Warns
			return
		}
	}
}

// rules are all rules, in the order in which they are tried. Variables are classified at
// the elements, which have the effective ones; [inheritance] moves the result to the
// category. Categories matter by the placements that they allow: documents do not name
// them.
var rules = slices.Concat(breakingRules, notableRules, warningRules, compatibleRules)
