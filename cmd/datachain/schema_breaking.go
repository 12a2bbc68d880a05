package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// breakingAnswer is the output of `datachain schema breaking --format json`.
type breakingAnswer struct {
	// OK reports whether every breaking change is allowed.
	OK       bool              `json:"ok"`
	Errors   int               `json:"errors"`
	Warnings int               `json:"warnings"`
	Versions []breakingVersion `json:"versions"`
	Issues   issue.Issues      `json:"issues"`
}

// breakingVersion is a version and its breaking changes since another one.
type breakingVersion struct {
	ID taxonomy.Version `json:"id"`
	// Against is the zero Version if there is nothing to compare with.
	Against  taxonomy.Version `json:"against,omitzero"`
	Breaking int              `json:"breaking"`
	Allowed  int              `json:"allowed"`
	Changes  []breakingChange `json:"changes"`
}

// breakingChange is a breaking change and why it is allowed, if it is.
type breakingChange struct {
	diff.Change
	// Target is the subject to allow the change by.
	Target   string `json:"target"`
	Allowed  bool   `json:"allowed"`
	Intended string `json:"reason,omitempty"`
}

// breakingOptions are the flags of `datachain schema breaking`.
type breakingOptions struct {
	against *string
	allLive bool
	allowed []*allowance
	strict  bool
}

func (p *program) breakingCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "breaking [DIR|VERSION]",
		Short: "Check a version for breaking changes",
		Long: `Compare a version with the last one and report every breaking change: some
document that is valid under the old version would be invalid under the new one. Use
it in CI.

DIR is a schema source, or the directory of a datachain type or a version in it; of a
source the newest version of each type is checked. The default is what --schemas or
--store names, or the working directory. An argument with an @ is a version of these.

The version is compared with the newest older stable version of its type or, if there
is none, with the newest older one: in the same source or store, or in the store that
--against names. --against can also name a version of the same source or store.
With --all-live it is compared with every older version of its type there that is not
past its sunset (see 'datachain schema deprecate'): documents may still pin any of them.

Intended changes are listed in allowed-changes.yaml beside schema.yaml, each with rule,
subject and reason, or are allowed with --allow RULE:SUBJECT. Entries that allow nothing
are reported.

An id that an older version has, that one between lacks, and that has another title now is
an error as well (id_reused): documents would say something else.

The exit code is 1 if there are breaking changes that are not allowed, or with
--strict, warnings.`,
		Example: `  datachain schema breaking schemas
  datachain schema breaking schemas/ai/2026-12-01-beta --against /srv/taxonomies
  datachain schema breaking ai@latest-beta --store dist --against ai@2026-06-01-stable
  datachain schema breaking schemas --against /srv/taxonomies --all-live
  datachain schema breaking schemas --allow element-removed:purpose.fun`,
		ValidArgsFunction: completeDir,
	}
	p.reads(cmd)
	o := &breakingOptions{against: againstFlag(cmd)}
	format := formatFlag(cmd, formatText, formatJSON, formatSARIF, formatGitHub)
	flags.Add(cmd,
		flags.New("all-live", "compare with every older version that is not past its sunset", flags.Switch(&o.allLive)),
		flags.New("allow", "allow a breaking change; can be repeated", flags.Repeated(&o.allowed, allowanceValue)),
		flags.New("strict", "treat warnings as errors", flags.Switch(&o.strict)),
	)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		run, err := p.breaking(cmd, args, o)
		if err != nil {
			return err
		}
		answer := run.answer(o.strict)
		return p.answer(*format, answer, answer.OK, func() error { return run.write(*format, answer) })
	}
	return cmd
}

// breakingRun collects what `datachain schema breaking` finds.
type breakingRun struct {
	p        *program
	versions []breakingVersion
	issues   issue.Issues
	// files shows findings in a source; nil if there is none.
	files   *sources.Source
	allLive bool
}

func (p *program) breaking(cmd *cobra.Command, args []string, o *breakingOptions) (*breakingRun, error) {
	ctx := cmd.Context()
	chosen, err := p.choose(cmd, args, false)
	if err != nil {
		return nil, err
	}
	base, err := p.openBaseline(ctx, *o.against, chosen.store)
	if err != nil {
		return nil, err
	}
	if o.allLive && base.ref != (taxonomy.Ref{}) {
		return nil, badUsage(cmd, "--all-live compares with all versions of a store: use --against with a store, or omit it")
	}
	run := &breakingRun{p: p, files: chosen.source, allLive: o.allLive}
	for _, v := range chosen.versions {
		c, err := chosen.load(ctx, v)
		if err != nil {
			return nil, err
		}
		old, err := p.baselines(ctx, base, v, o.allLive)
		if err != nil {
			return nil, err
		}
		x, err := chosen.store.Index(ctx)
		if err != nil {
			return nil, err
		}
		e := x.Evolution(v.Type())
		c.release = c.release.Evolved(e)
		for i := range old {
			old[i] = old[i].Evolved(e)
		}
		run.compare(old, c, o.allowed)
		if err := run.reused(ctx, c, chosen.store, base.store); err != nil {
			return nil, err
		}
	}
	for _, a := range o.allowed {
		run.unused(a)
	}
	return run, nil
}

// baselines returns the releases to compare a version with, none if no version is older.
func (p *program) baselines(ctx context.Context, base *baseline, v taxonomy.Version, allLive bool) ([]*taxonomy.Release, error) {
	if allLive {
		return base.live(ctx, v, p.now().UTC().Format(time.DateOnly))
	}
	old, err := base.release(ctx, v)
	if old == nil || err != nil {
		return nil, err
	}
	return []*taxonomy.Release{old}, nil
}

// compare compares a version with older ones, if there are any.
func (run *breakingRun) compare(baselines []*taxonomy.Release, c *chosenVersion, flags []*allowance) {
	if len(baselines) == 0 {
		run.versions = append(run.versions, breakingVersion{ID: c.release.Version(), Changes: []breakingChange{}})
		for _, a := range flags {
			a.used = true // there was nothing to use it for
		}
		return
	}
	own := run.fileAllowances(c)
	for _, old := range baselines {
		run.compareWith(old, c, slices.Concat(own, flags))
	}
	for _, a := range own {
		run.unused(a)
	}
}

// compareWith compares a version with an older one.
func (run *breakingRun) compareWith(old *taxonomy.Release, c *chosenVersion, allowed []*allowance) {
	v := breakingVersion{ID: c.release.Version(), Against: old.Version(), Changes: []breakingChange{}}
	gone := make(map[string]bool) // ids that nothing explains
	for _, i := range history.Gone(old, c.release) {
		gone[i.ID] = true
	}
	for _, change := range diff.Releases(old, c.release).With(diff.Breaking) {
		if change.Rule == "id-reused" {
			continue // which is found in all older versions
		}
		found := breakingChange{Change: change, Target: change.Target()}
		for _, a := range allowed {
			if a.Allows(&change) {
				a.used, found.Allowed, found.Intended = true, true, a.Reason
			}
		}
		v.Breaking++
		if found.Allowed {
			v.Allowed++
		} else {
			id := change.ID
			if n := len(change.Path); n > 0 {
				id = change.Path[n-1].Name()
			}
			unexplained := change.Kind == diff.Removed && gone[id]
			run.issues = append(run.issues, c.issue(&change, old.Version(), unexplained))
		}
		v.Changes = append(v.Changes, found)
	}
	run.versions = append(run.versions, v)
}

// reused finds the ids of a version that older ones have, and one between lacks.
func (run *breakingRun) reused(ctx context.Context, c *chosenVersion, from ...taxonomy.Store) error {
	known := make(map[taxonomy.Version]*taxonomy.Release)
	for _, store := range from {
		x, err := store.Index(ctx)
		if err != nil {
			return err
		}
		for _, e := range older(x, c.release.Version()) {
			if known[e.ID] != nil {
				continue
			}
			r, err := readRelease(ctx, store, e.ID)
			if _, broken := errors.AsType[*sources.BrokenError](err); broken {
				continue // lint reports why
			}
			if err != nil {
				return err
			}
			known[e.ID] = r
		}
	}
	for _, u := range history.ReusedIDs(c.release, slices.Collect(maps.Values(known))) {
		at := issue.Position{}
		if c.places != nil {
			at = c.places.Item(&u.Item)
		}
		run.issues = append(run.issues, source.ReusedIssue(c.release.Version(), &u, at))
	}
	return nil
}

// issue returns a breaking change as a finding. Its code is the rule. If nothing explains what
// became of the id that it removes, the hint says where to write that, since documents can't follow
// otherwise, whether the change is allowed or not.
func (c *chosenVersion) issue(change *diff.Change, old taxonomy.Version, unexplained bool) issue.Issue {
	verb := map[diff.Kind]string{diff.Added: "was added", diff.Removed: "was removed", diff.Renamed: "was renamed"}[change.Kind]
	if verb == "" {
		verb = "has changed"
	}
	hint := "undo it, or if it is intended, "
	if unexplained {
		hint = fmt.Sprintf("record what became of it in %s/evolution.yaml ('datachain schema evolve' proposes entries), or undo it; if it is intended, also ", old.Type())
	}
	return issue.Issue{
		Code: issue.Code(change.Rule), Severity: issue.SeverityError, Path: change.Path,
		Message:  fmt.Sprintf("%s %s since %s: %s.", wording.Sentence(change.Place()), verb, old, change.Consequence),
		FixHint:  hint + fmt.Sprintf("allow it with {rule: %s, subject: %s, reason: …} in allowed-changes.yaml", change.Rule, wording.Quote(change.Target())),
		Position: c.position(change),
	}
}

// allowance is an exception that may be used.
type allowance struct {
	diff.Allowance
	at   issue.Position
	used bool
}

// allowanceValue is the value of --allow.
func allowanceValue(at **allowance) *flags.Value {
	return flags.Parsed(at, "RULE:SUBJECT", "a breaking rule of docs/changes.md and a subject, such as element-removed:purpose.fun", func(s string) (*allowance, bool) {
		rule, subject, _ := strings.Cut(s, ":")
		problem, _ := wrongRule(rule)
		return &allowance{Allowance: diff.Allowance{Rule: diff.RuleID(rule), Subject: subject, Reason: "--allow"}}, subject != "" && problem == ""
	}).Hinted(func(s string) string {
		rule, _, _ := strings.Cut(s, ":")
		problem, hint := wrongRule(rule)
		if problem == "" {
			return ""
		}
		return problem + ": " + hint
	})
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

// fileAllowances returns the entries of allowed-changes.yaml that name a breaking rule,
// and reports the others.
func (run *breakingRun) fileAllowances(c *chosenVersion) []*allowance {
	var list []*allowance
	for _, entry := range c.allowed {
		if problem, hint := wrongRule(entry.Rule); problem != "" {
			run.issues = append(run.issues, issue.Issue{
				Code: codes.AllowedChangeUnknown, Severity: issue.SeverityError, Position: entry.Position, Path: issue.Root,
				Message: wording.Sentence(problem) + ".", FixHint: hint,
			})
			continue
		}
		list = append(list, &allowance{
			Allowance: diff.Allowance{Rule: diff.RuleID(entry.Rule), Subject: entry.Subject, Reason: entry.Reason}, at: entry.Position,
		})
	}
	return list
}

// unused reports an exception that allows nothing.
func (run *breakingRun) unused(a *allowance) {
	if a.used {
		return
	}
	run.issues = append(run.issues, issue.Issue{
		Code: codes.AllowedChangeUnused, Severity: issue.SeverityWarning, Position: a.at, Path: issue.Root,
		Message: fmt.Sprintf("There is no breaking change of %s by the rule %s to allow.", wording.Quote(a.Subject), a.Rule),
		FixHint: "remove the exception, or correct its subject",
	})
}

func (run *breakingRun) answer(strict bool) *breakingAnswer {
	a := &breakingAnswer{Versions: run.versions, Issues: shownIssues(run.files, run.issues)}
	a.Errors, a.Warnings = len(a.Issues.With(issue.SeverityError)), len(a.Issues.With(issue.SeverityWarning))
	a.OK = a.Errors == 0 && (a.Warnings == 0 || !strict)
	return a
}

// write writes the findings in a format for people or for a tool.
func (run *breakingRun) write(format string, a *breakingAnswer) error {
	r := run.report()
	if err := run.p.writeReport(r, format, new(report.Options)); err != nil || format == formatSARIF {
		return err
	}
	for _, v := range a.Versions {
		line := fmt.Sprintf("%s: nothing to compare with, because no version is older", v.ID)
		if run.allLive {
			line += " and not past its sunset"
		}
		if !v.Against.IsZero() {
			line = fmt.Sprintf("%s: %s since %s", v.ID, wording.Count(v.Breaking, "breaking change"), v.Against)
			if v.Allowed > 0 {
				line += fmt.Sprintf(", %d allowed", v.Allowed)
			}
		}
		if _, err := fmt.Fprintln(run.p.stdout, line); err != nil {
			return err
		}
	}
	return nil
}

// report returns the findings by file, with the rules that they name.
func (run *breakingRun) report() *report.Report {
	r := new(report.Report)
	if run.files != nil {
		sorted := slices.Clone(run.issues)
		slices.SortStableFunc(sorted, func(a, b issue.Issue) int { return strings.Compare(a.Position.File, b.Position.File) })
		r = sourceReport(run.files, sorted)
	} else if len(run.issues) > 0 {
		f := report.File{}
		for _, i := range run.issues {
			f.Findings = append(f.Findings, report.Finding{Issue: i})
		}
		r.Files = append(r.Files, f)
	}
	for _, rule := range diff.Rules() {
		r.Codes = append(r.Codes, issue.CodeInfo{
			Code: issue.Code(rule.ID), Severity: issue.SeverityError, Meaning: rule.Meaning + " " + wording.Sentence(rule.Consequence) + ".",
		})
	}
	return r
}
