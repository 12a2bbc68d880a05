package validate

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Rule is one check. It reads its [Pass] and reports issues; it has no other effect. A
// rule that fails, panics, or reports a code that it does not declare, ends the run with
// an error that names it: what could not be validated is neither valid nor invalid.
type Rule struct {
	// Name is unique in a suite.
	Name string
	// Doc is a sentence that documents follow.
	Doc string
	// URL is a page about the rule, or "".
	URL string
	// Codes are the codes that the rule reports, at least one.
	Codes []issue.Code
	// Fields are the members of a document, besides those of its schema, that the rule
	// reads: they are not unknown with [Options.Strict].
	Fields []string
	// DespiteShape means that the rule also runs on a document of the wrong shape, or
	// with syntax errors, with [Options.Partial]. It must use [Pass.Broken] to report
	// nothing that depends on a broken value, and [Pass.Open] before it reports that
	// something is missing.
	DespiteShape bool
	// Needs are the facts that every finding depends on. With DespiteShape, the rule
	// is skipped if one of them is unknown.
	Needs Facts
	// Run reports the issues of a document. The context is that of the options; a
	// loop over something large asks [Pass.Next] instead.
	Run func(ctx context.Context, p *Pass) error
}

// Facts are what findings can depend on besides single values. In a document of the wrong
// shape, or with syntax errors, a fact is unknown if one of its values is broken or not read.
type Facts uint

const (
	// Pin is the schema_version.
	Pin Facts = 1 << iota
	// AllElements are the element_ids of all placements: any could be the one that
	// seems to be missing.
	AllElements
	// AllInstances are the element_instance_ids of all placements.
	AllInstances
	// AllSubchains are the ids of all subchain_instances.
	AllSubchains
	// WholeSchema is the schema that a resolved document carries. That of a thin one
	// is always known.
	WholeSchema
	// Limits say which categories are required, and how often elements and categories
	// can be placed. For a resolved document they depend on WholeSchema and Pin.
	Limits
)

// has reports whether one of some facts is among those.
func (f Facts) has(some Facts) bool { return f&some != 0 }

// Rules returns the rules of this package, each once, in the order of their findings. The
// caller owns them.
func Rules() []*Rule {
	var all []*Rule
	strict := &Options{Strict: true}
	for _, r := range append(instanceRules(strict), resolvedRules(strict)...) {
		if !slices.ContainsFunc(all, func(known *Rule) bool { return known.Name == r.Name }) {
			own := *r
			own.Codes = slices.Clone(r.Codes)
			all = append(all, &own)
		}
	}
	return all
}

// Check returns an error if the options can't be used: if one of the rules is nil, has no
// name, no codes or no function, if two have the same name, or if no rule reports a code to
// disable.
func (o *Options) Check() error {
	if o == nil {
		return nil
	}
	for i, r := range o.Rules {
		switch {
		case r == nil:
			return fmt.Errorf("validate: rule %d is nil", i)
		case r.Name == "":
			return fmt.Errorf("validate: rule %d has no name", i)
		case r.Run == nil:
			return fmt.Errorf("validate: the rule %s has no function Run", r.Name)
		case len(r.Codes) == 0 || slices.Contains(r.Codes, ""):
			return fmt.Errorf("validate: the rule %s must list the codes that it reports in Codes", r.Name)
		case slices.ContainsFunc(o.Rules[:i], func(other *Rule) bool { return other.Name == r.Name }):
			return fmt.Errorf("validate: two rules have the name %s", r.Name)
		}
	}
	for _, code := range o.Disable {
		if !slices.Contains(ownCodes(), code) && !slices.ContainsFunc(o.Rules, func(r *Rule) bool { return slices.Contains(r.Codes, code) }) {
			return fmt.Errorf("validate: the code %q can't be disabled: no rule reports it", code)
		}
	}
	return nil
}

// ownCodes returns the codes of the rules of this package.
var ownCodes = sync.OnceValue(func() (all []issue.Code) {
	for _, r := range Rules() {
		all = append(all, r.Codes...)
	}
	return all
})

// instanceRules returns the suite of [Instance].
func instanceRules(o *Options) []*Rule {
	return suite(o, []*Rule{schemaVersion, snapshot, elementKnown}, nil)
}

// resolvedRules returns the suite of [Resolved]. A snapshot has no locales, so these are not
// checked, and no unused categories, so these are checked only if the version is published.
func resolvedRules(o *Options) []*Rule {
	return suite(o, []*Rule{collision, suggestedProvenance, elementResolved, categoryResolved}, []*Rule{drift})
}

// suite returns rules in the order of their findings: the first ones, those that thin and
// resolved documents have in common, those of the options, the last ones, and those of strict
// mode, which warn of what is tolerated.
func suite(o *Options, first, last []*Rule) []*Rule {
	var strict []*Rule
	if o.Strict {
		strict = []*Rule{unknownField, provenanceKind}
	}
	rules := slices.Concat(first, commonRules(), o.Rules, last, strict)
	if len(o.Disable) == 0 || o.MustPin {
		return rules
	}
	return slices.DeleteFunc(rules, func(r *Rule) bool {
		return !slices.ContainsFunc(r.Codes, func(code issue.Code) bool { return !slices.Contains(o.Disable, code) })
	})
}

// commonRules returns the rules that thin and resolved documents have in common.
func commonRules() []*Rule {
	return []*Rule{
		elementDeprecated,
		requiredCategory,
		categoryCount,
		elementCount,
		contextType,
		variables,
		locales,
		instanceIDs,
		subchains,
		label,
		sourceURL,
		provenance,
	}
}
