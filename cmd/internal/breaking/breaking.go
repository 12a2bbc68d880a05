// Package breaking checks versions for breaking changes since older ones, except those that are
// allowed.
package breaking

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Version is a version and its breaking changes since another one.
type Version struct {
	ID taxonomy.Version `json:"id"`
	// Against is the zero Version if there is nothing to compare with.
	Against  taxonomy.Version `json:"against,omitzero"`
	Breaking int              `json:"breaking"`
	Allowed  int              `json:"allowed"`
	Changes  []Change         `json:"changes"`
}

// Change is a breaking change and why it is allowed, if it is.
type Change struct {
	diff.Change
	// Target is the subject that allows the change in allowed-changes.yaml.
	Target  string `json:"target"`
	Allowed bool   `json:"allowed"`
	Reason  string `json:"reason,omitempty"`
}

// Allowance is an exception for a breaking change.
type Allowance struct {
	diff.Allowance
	at   issue.Position
	used bool
}

// Check collects what is found in some versions.
type Check struct {
	Versions []Version
	// Issues are the changes that are not allowed, and wrong or unused exceptions.
	Issues issue.Issues
}

// Run compares versions with what they are based on or, with a day, with every older version that is
// live on it. Exceptions allow changes; those that allow nothing are reported.
func Run(ctx context.Context, chosen *sources.Selection, base *sources.Baseline, allowed []*Allowance, day string) (*Check, error) {
	c := new(Check)
	x, err := chosen.Store.Index(ctx)
	if err != nil {
		return nil, err
	}
	for _, id := range chosen.Versions {
		v, err := chosen.Load(ctx, id)
		if err != nil {
			return nil, err
		}
		var against []*taxonomy.Release
		if day != "" {
			against, err = base.Live(ctx, id, day)
		} else if old, oldErr := base.Release(ctx, id); old != nil || oldErr != nil {
			against, err = []*taxonomy.Release{old}, oldErr
		}
		if err != nil {
			return nil, err
		}
		e, err := history.Decode(id.Type(), x.EvolutionJSON(id.Type()))
		if err != nil {
			return nil, err
		}
		v.Release = history.With(v.Release, e)
		for i := range against {
			against[i] = history.With(against[i], e)
		}
		older, err := sources.Older(ctx, id, chosen.Store, base.Store)
		if err != nil {
			return nil, err
		}
		c.Version(v, against, older, allowed)
	}
	c.Unused(allowed)
	return c, nil
}

// Version reports the breaking changes of a version since some older ones, and the ids of it that any
// older version had with another meaning. Its source and the exceptions allow changes.
func (c *Check) Version(v *sources.Version, against, older []*taxonomy.Release, allowed []*Allowance) {
	if len(against) == 0 {
		c.Versions = append(c.Versions, Version{ID: v.Release.Version(), Changes: []Change{}})
		for _, a := range allowed {
			a.used = true // there was nothing to use it for
		}
	} else {
		own := c.ownAllowances(v)
		for _, old := range against {
			c.compare(old, v, slices.Concat(own, allowed))
		}
		c.Unused(own)
	}
	for _, u := range history.ReusedIDs(v.Release, older) {
		c.Issues = append(c.Issues, source.ReusedIssue(v.Release.Version(), &u, v.Item(&u.Item)))
	}
}

// compare compares a version with an older one.
func (c *Check) compare(old *taxonomy.Release, v *sources.Version, allowed []*Allowance) {
	result := Version{ID: v.Release.Version(), Against: old.Version(), Changes: []Change{}}
	unexplained := make(map[string]bool) // removed ids
	for _, i := range history.Unexplained(old, v.Release) {
		unexplained[i.ID] = true
	}
	for _, change := range diff.Releases(old, v.Release).With(diff.Breaking) {
		if change.Rule == "id-reused" {
			continue // see Version
		}
		found := Change{Change: change, Target: change.Target()}
		for _, a := range allowed {
			if a.Allows(&change) {
				a.used, found.Allowed, found.Reason = true, true, a.Reason
			}
		}
		result.Breaking++
		if found.Allowed {
			result.Allowed++
		} else {
			id := change.ID
			if n := len(change.Path); n > 0 {
				id = change.Path[n-1].Name()
			}
			c.Issues = append(c.Issues, changeIssue(v, &found, old.Version(), change.Kind == diff.Removed && unexplained[id]))
		}
		result.Changes = append(result.Changes, found)
	}
	c.Versions = append(c.Versions, result)
}

// changeIssue returns a breaking change as a finding whose code is the rule. If it removes an id and
// nothing says what replaces that, the hint says where to record it: otherwise documents can't be
// upgraded, even if the change is allowed.
func changeIssue(v *sources.Version, change *Change, old taxonomy.Version, unexplained bool) issue.Issue {
	verb := map[diff.Kind]string{diff.Added: "was added", diff.Removed: "was removed", diff.Renamed: "was renamed"}[change.Kind]
	if verb == "" {
		verb = "has changed"
	}
	hint := "undo it, or if it is intended, "
	if unexplained {
		hint = fmt.Sprintf("record what became of it in %s/evolution.yaml ('datachain schema evolve --schemas DIR' proposes entries), or undo it; if it is intended, also ", old.Type())
	}
	at := v.Find(change.Subject, change.ID, change.Path)
	if change.Subject == diff.Element && change.Kind == diff.Removed && len(change.Path) == 0 {
		at = v.Find(diff.Manifest, "", issue.Root.Key("removed").Key(change.ID))
	}
	return issue.Issue{
		Code: issue.Code(change.Rule), Severity: issue.SeverityError, Path: change.Path,
		Message:  fmt.Sprintf("%s %s since %s: %s.", wording.Sentence(change.Place()), verb, old, change.Consequence),
		FixHint:  hint + fmt.Sprintf("allow it with {rule: %s, subject: %s, reason: …} in allowed-changes.yaml", change.Rule, wording.Quote(change.Target)),
		Position: at,
	}
}

// ParseAllowance returns the exception that RULE:SUBJECT names or, if that is invalid, why and what
// to do.
func ParseAllowance(text string) (a *Allowance, problem, hint string) {
	rule, subject, _ := strings.Cut(text, ":")
	if problem, hint = wrongRule(rule); problem == "" && subject != "" {
		a = &Allowance{Allowance: diff.Allowance{Rule: diff.RuleID(rule), Subject: subject, Reason: "--allow"}}
	}
	return a, problem, hint
}

// wrongRule returns why a rule can't be allowed and what to do, or "".
func wrongRule(id string) (problem, hint string) {
	rule, ok := diff.LookupRule(diff.RuleID(id))
	if ok && rule.Severity == diff.Breaking {
		return "", ""
	}
	if ok {
		return fmt.Sprintf("changes by the rule %s are not breaking", id), "remove it"
	}
	var known []string
	for _, r := range diff.Rules() {
		if r.Severity == diff.Breaking {
			known = append(known, string(r.ID))
		}
	}
	hint = "use a breaking rule of docs/changes.md"
	if near := similar.Nearest(id, slices.Values(known)); near != "" {
		hint = "use " + near
	}
	return fmt.Sprintf("there is no rule %s", wording.Quote(id)), hint
}

// ownAllowances returns the entries of allowed-changes.yaml that name a breaking rule,
// and reports the others.
func (c *Check) ownAllowances(v *sources.Version) (list []*Allowance) {
	for _, entry := range v.Allowed {
		if problem, hint := wrongRule(entry.Rule); problem != "" {
			c.Issues = append(c.Issues, issue.Issue{
				Code: codes.AllowedChangeUnknown, Severity: issue.SeverityError, Position: entry.Position, Path: issue.Root,
				Message: wording.Sentence(problem) + ".", FixHint: hint,
			})
			continue
		}
		list = append(list, &Allowance{
			Allowance: diff.Allowance{Rule: diff.RuleID(entry.Rule), Subject: entry.Subject, Reason: entry.Reason}, at: entry.Position,
		})
	}
	return list
}

// Unused reports the exceptions that allowed nothing.
func (c *Check) Unused(list []*Allowance) {
	for _, a := range list {
		if !a.used {
			c.Issues = append(c.Issues, issue.Issue{
				Code: codes.AllowedChangeUnused, Severity: issue.SeverityWarning, Position: a.at, Path: issue.Root,
				Message: fmt.Sprintf("There is no breaking change of %s by the rule %s to allow.", wording.Quote(a.Subject), a.Rule),
				FixHint: "remove the exception, or correct its subject",
			})
		}
	}
}

// Codes describes the rules, which are the codes of changes.
func Codes() (list []issue.CodeInfo) {
	for _, rule := range diff.Rules() {
		list = append(list, issue.CodeInfo{
			Code: issue.Code(rule.ID), Severity: issue.SeverityError, Meaning: rule.Meaning + " " + wording.Sentence(rule.Consequence) + ".",
		})
	}
	return list
}
