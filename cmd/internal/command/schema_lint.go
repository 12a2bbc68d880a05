package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// lintAnswer is the output of `datachain schema lint --format json`.
type lintAnswer struct {
	console.Findings
	Versions []lintedVersion `json:"versions"`

	options *lintOptions
	report  *report.Report
}

type lintedVersion struct {
	ID       taxonomy.Version `json:"id"`
	Errors   int              `json:"errors"`
	Warnings int              `json:"warnings"`
}

func schemaLintCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lint [DIR]",
		Short: "Check a taxonomy while you write it",
		Long: `Report every problem in the source of a taxonomy, with its position and a hint: errors
first, then warnings, with similar ones grouped. Use 'validate' for documents, and 'datachain
check' for a published store.

DIR is a schema source, or the directory of a datachain type or a version in it. The
default is the working directory, or schemas of datachain.yaml.

Of the newest version of each type, translations that are older than their originals are
reported, too: the text in the fallback locale has changed since the last stable version,
and the translation has not. --against names another version, or a store that has the last
stable version.

With --fix, show what can be fixed safely as a diff: ids that are misspelled, and
successors that were removed or deprecated themselves. --write makes these changes and
reports what is left. Comments, order and quotes are kept.

The exit code is 1 if there are errors, or with --strict, warnings.`,
		Example: `  datachain schema lint
  datachain schema lint schemas/ai/2026-09-01-beta --strict
  datachain schema lint schemas --against /srv/taxonomies
  datachain schema lint schemas/ai/2026-09-01-beta --fix --write`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON, formatSARIF, formatGitHub)
	o := &lintOptions{codes: baseFlag(cmd, codesUsage), against: againstFlag(cmd)}
	flags.Add(cmd,
		flags.New("strict", "treat warnings as errors", flags.Switch(&o.strict)),
		flags.New("errors-only", "do not list warnings", flags.Switch(&o.errorsOnly)),
		flags.New("fix", "show what can be fixed safely", flags.Switch(&o.fix)),
		flags.New("write", "with --fix, change the files", flags.Switch(&o.write)),
	)
	flags.Needs(cmd, "write", "fix")
	flags.Exclusive(cmd, "strict", "errors-only")
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		if o.fix && *format != formatText {
			return nil, usage.Error(cmd, "--fix requires --format text")
		}
		return lint(cmd.Context(), c, c.Versions(), args, o)
	})
	return cmd
}

// lintOptions are the flags of `datachain schema lint`.
type lintOptions struct {
	codes, against     *string
	strict, errorsOnly bool
	fix, write         bool
}

func lint(ctx context.Context, c *console.Console, from *console.Versions, args []string, o *lintOptions) (*lintAnswer, error) {
	a, err := from.OpenArgument(args)
	if err != nil {
		return nil, err
	}
	if o.fix {
		a.Freeze()
	}
	tree, err := compile(ctx, c, a, nil, nil)
	if err == nil && o.fix {
		tree, err = lintFixed(ctx, c, a, tree, o.write)
	}
	if err != nil {
		return nil, err
	}
	if err := addStale(ctx, from, a, tree, *o.against); err != nil {
		return nil, err
	}
	answer := &lintAnswer{Findings: console.NewFindings(a, tree), Versions: []lintedVersion{}, options: o}
	for _, c := range tree.Versions {
		answer.Versions = append(answer.Versions, lintedVersion{
			c.Version, len(c.Issues.With(issue.SeverityError)), len(c.Issues.With(issue.SeverityWarning)),
		})
	}
	answer.OK = answer.Errors == 0 && (answer.Warnings == 0 || !o.strict)
	shown := tree.Issues()
	if o.errorsOnly {
		shown, answer.Issues = shown.With(issue.SeverityError), answer.Issues.With(issue.SeverityError)
	}
	answer.report = a.Report(shown)
	return answer, nil
}

func (a *lintAnswer) print(c *console.Console, format string) error {
	// A source can have the same warning in each of its files.
	if err := writeReport(c, a.report, format, &report.Options{Group: true, BaseURL: *a.options.codes}); err != nil || format == formatSARIF {
		return err
	}
	summary := a.Summary()
	if a.options.errorsOnly && a.Warnings > 0 {
		summary += " (not listed)"
	}
	return c.Printf("%s, %s\n", wording.Count(len(a.Versions), "version"), summary)
}

// lintFixed shows or makes the fixes of the findings of a source, and returns what is
// left to lint.
func lintFixed(ctx context.Context, c *console.Console, a *sources.Source, tree *source.Tree, write bool) (*source.Tree, error) {
	type fixes struct {
		*sources.Edits
		fixed int
	}
	f, err := console.Await(ctx, func() (fixes, error) {
		edits, fixed, err := a.Fix(tree.Versions)
		return fixes{edits, fixed}, err
	})
	if err != nil || f.fixed == 0 {
		return tree, err
	}
	if err := c.Printf("%s", f.Diff(c.OutStyle())); err != nil {
		return nil, err
	}
	summary := fmt.Sprintf("%s in %s can be fixed; use --write to change the files", wording.Count(f.fixed, "finding"), wording.Count(len(f.Files), "file"))
	if write {
		if err := f.Write(); err != nil {
			return nil, err
		}
		summary = fmt.Sprintf("Fixed %s in %s.", wording.Count(f.fixed, "finding"), wording.Count(len(f.Files), "file"))
	}
	if err := c.Printf("%s\n\n", summary); err != nil || !write {
		return tree, err
	}
	return compile(ctx, c, a, nil, nil)
}
