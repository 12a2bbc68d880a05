package command

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/breaking"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// breakingAnswer is the output of `datachain schema breaking --format json`.
type breakingAnswer struct {
	console.Outcome
	Errors   int                `json:"errors"`
	Warnings int                `json:"warnings"`
	Versions []breaking.Version `json:"versions"`
	Issues   issue.Issues       `json:"issues"`

	report  *report.Report
	allLive bool
}

// breakingOptions are the flags of `datachain schema breaking`.
type breakingOptions struct {
	against *string
	allLive bool
	allowed []*breaking.Allowance
	strict  bool
}

func schemaBreakingCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "breaking [DIR|VERSION]",
		Short: "Check a version for breaking changes",
		Long: `Compare a version with the last one and report every breaking change, by which a document
that is valid under the old version can be invalid under the new one. Use it in CI.

DIR is a schema source, or the directory of a datachain type or a version in it; of a
source the newest version of each type is checked. VERSION is a version id or an alias. The
default is what --schemas or --store names, or the working directory.

The version is compared with the newest older stable version of its type or, if there is
none, with the newest older one. --against names another version of the same source or
store, or another store that has the older versions. With --all-live it is compared with
every older version that is not past its sunset (see 'datachain schema deprecate'):
documents may still pin any of them.

Allow intended changes in allowed-changes.yaml beside schema.yaml, each with rule, subject
and reason, or with --allow RULE:SUBJECT. Entries that allow nothing are reported.

An id that was removed and is used again with another title is an error, too (id_reused):
documents would say something else.

The exit code is 1 if there are breaking changes that are not allowed, or with
--strict, warnings.`,
		Example: `  datachain schema breaking schemas
  datachain schema breaking schemas/ai/2026-12-01-beta --against /srv/taxonomies
  datachain schema breaking ai@latest-beta --store dist --against ai@2026-06-01-stable
  datachain schema breaking schemas --against /srv/taxonomies --all-live
  datachain schema breaking schemas --allow element-removed:purpose.fun`,
	}
	from := c.Reads(cmd)
	o := &breakingOptions{against: againstFlag(cmd)}
	format := console.FormatFlag(cmd, formatText, formatJSON, formatSARIF, formatGitHub)
	flags.Add(cmd,
		flags.New("all-live", "compare with every older version that is not past its sunset", flags.Switch(&o.allLive)),
		flags.New("allow", "allow a breaking change; can be repeated", flags.Repeated(&o.allowed, allowanceValue)),
		flags.New("strict", "treat warnings as errors", flags.Switch(&o.strict)),
	)
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		chosen, err := choose(cmd, from, args)
		if err != nil {
			return nil, err
		}
		check, err := checkBreaking(cmd, from, chosen, o, c.Now())
		if err != nil {
			return nil, err
		}
		issues := chosen.Source.Located(check.Issues)
		a := &breakingAnswer{
			Versions: check.Versions, Issues: issues, Errors: len(issues.With(issue.SeverityError)), Warnings: len(issues.With(issue.SeverityWarning)),
			report: breakingReport(chosen.Source, check.Issues), allLive: o.allLive,
		}
		a.OK = a.Errors == 0 && (a.Warnings == 0 || !o.strict)
		return a, nil
	})
	return cmd
}

// breakingReport returns the findings by file, with the rules that they name.
func breakingReport(a *sources.Source, issues issue.Issues) *report.Report {
	slices.SortStableFunc(issues, func(a, b issue.Issue) int { return strings.Compare(a.Position.File, b.Position.File) })
	r := a.Report(issues)
	r.Codes = breaking.Codes()
	return r
}

// checkBreaking compares the chosen versions with older ones.
func checkBreaking(cmd *cobra.Command, from *console.Versions, chosen *sources.Selection, o *breakingOptions, now time.Time) (*breaking.Check, error) {
	ctx := cmd.Context()
	base, err := openBaseline(ctx, from, *o.against, chosen.Store)
	if err != nil {
		return nil, err
	}
	if o.allLive && base.Ref != (taxonomy.Ref{}) {
		return nil, usage.Error(cmd, "--all-live compares with all versions of a store: use --against with a store, or omit it")
	}
	day := ""
	if o.allLive {
		day = now.UTC().Format(time.DateOnly)
	}
	return console.Await(ctx, func() (*breaking.Check, error) {
		return breaking.Run(ctx, chosen, base, o.allowed, day)
	})
}

// allowanceValue is the value of --allow.
func allowanceValue(at **breaking.Allowance) *flags.Value {
	return flags.Parsed(at, "RULE:SUBJECT", "RULE:SUBJECT, such as element-removed:purpose.fun", func(s string) (*breaking.Allowance, bool) {
		a, _, _ := breaking.ParseAllowance(s)
		return a, a != nil
	}).Hinted(func(s string) string {
		_, problem, hint := breaking.ParseAllowance(s)
		if problem == "" || s == "" {
			return ""
		}
		return problem + ": " + hint
	})
}

// print prints the findings and counts the changes of each version.
func (a *breakingAnswer) print(c *console.Console, format string) error {
	if err := writeReport(c, a.report, format, new(report.Options)); err != nil || format == formatSARIF {
		return err
	}
	var b strings.Builder
	for _, v := range a.Versions {
		line := fmt.Sprintf("%s: nothing to compare with, because no version is older", v.ID)
		if a.allLive {
			line += " and not past its sunset"
		}
		if !v.Against.IsZero() {
			found := "no breaking changes"
			if v.Breaking > 0 {
				found = wording.Count(v.Breaking, "breaking change")
			}
			line = fmt.Sprintf("%s: %s since %s", v.ID, found, v.Against)
			if v.Allowed > 0 {
				line += fmt.Sprintf(", %d allowed", v.Allowed)
			}
		}
		b.WriteString(line + "\n")
	}
	return c.Printf("%s", b.String())
}
