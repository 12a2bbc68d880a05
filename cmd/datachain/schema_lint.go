package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/report"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// lintAnswer is the output of `datachain schema lint --format json`.
type lintAnswer struct {
	findingsAnswer
	Versions []lintedVersion `json:"versions"`
}

type lintedVersion struct {
	ID       taxonomy.Version `json:"id"`
	Errors   int              `json:"errors"`
	Warnings int              `json:"warnings"`
}

func (p *program) lintCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "lint [DIR]",
		Short: "Report every problem in a schema source",
		Long: `Report every problem in a schema source, with its position and a hint: errors first,
then warnings, of which those that are alike are counted.

DIR is the root of a source, or the directory of a datachain type or a version in it.
The default is the working directory, or schemas of datachain.yaml.

Of the newest version of each type, also report translations that are older than their
originals: the text in the fallback locale has changed since the last stable version in
the source, and the translation has not. --against compares with the last stable version
in a store instead, or with a version of the source.

With --fix, show what can be fixed safely as a diff: ids that are misspelt, and
successors that were removed or deprecated themselves. --write makes these changes and
reports what is left. Comments, order and quotes are kept.

The exit code is 1 if there are errors, or with --strict, warnings.`,
		Example: `  datachain schema lint
  datachain schema lint schemas/ai/2026-09-01-beta --strict
  datachain schema lint schemas --against /srv/taxonomies
  datachain schema lint schemas/ai/2026-09-01-beta --fix --write`,
		Args:              takes(0, "DIR"),
		ValidArgsFunction: completeDir,
	}
	p.sourceIsArgument(cmd)
	o := &lintOptions{format: formatFlag(cmd, formatText, formatJSON, formatSARIF, formatGitHub), codes: codesFlag(cmd)}
	cmd.Flags().BoolVar(&o.strict, "strict", false, "treat warnings as errors")
	cmd.Flags().BoolVar(&o.errorsOnly, "errors-only", false, "do not list warnings")
	cmd.Flags().StringVar(&o.against, "against", "", "`version` or store to compare translations with (default the last stable version in the source, or the last one if none is stable)")
	cmd.Flags().BoolVar(&o.fix, "fix", false, "show what can be fixed safely")
	cmd.Flags().BoolVar(&o.write, "write", false, "with --fix, change the files")
	completeFlag(cmd, "against", cobra.NoFileCompletions)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(cmd); err != nil {
			return err
		}
		return p.lint(cmd.Context(), args, o)
	}
	return cmd
}

// lintOptions are the flags of `datachain schema lint`.
type lintOptions struct {
	format, codes      *string
	strict, errorsOnly bool
	against            string
	fix, write         bool
}

func (o *lintOptions) check(cmd *cobra.Command) error {
	switch {
	case o.strict && o.errorsOnly:
		return badUsage(cmd, "--strict and --errors-only can't be used together: one is about warnings, the other omits them")
	case o.write && !o.fix:
		return badUsage(cmd, "--write requires --fix")
	case o.fix && *o.format != formatText:
		return badUsage(cmd, "--fix requires --format text")
	}
	return nil
}

// lint lints a source and prints the findings.
func (p *program) lint(ctx context.Context, args []string, o *lintOptions) error {
	a, err := p.openArgument(args)
	if err != nil {
		return err
	}
	tree, err := p.compile(ctx, a, nil, nil)
	if err == nil && o.fix {
		tree, err = p.lintFixed(ctx, a, tree, o.write)
	}
	if err != nil {
		return err
	}
	if err := p.addStale(ctx, a, tree, o.against); err != nil {
		return err
	}
	answer := lintAnswer{findingsAnswer: newFindingsAnswer(a, tree), Versions: []lintedVersion{}}
	for _, c := range tree.Versions {
		answer.Versions = append(answer.Versions, lintedVersion{
			c.Version, c.Issues.Count(issue.SeverityError), c.Issues.Count(issue.SeverityWarning),
		})
	}
	answer.OK = answer.Errors == 0 && (answer.Warnings == 0 || !o.strict)
	shown := tree.AllIssues()
	if o.errorsOnly {
		shown, answer.Issues = shown.With(issue.SeverityError), answer.Issues.With(issue.SeverityError)
	}
	return p.answer(*o.format, answer, answer.OK, func() error {
		// A source can have the same warning in each of its files.
		if err := p.writeReport(sourceReport(a, shown), *o.format, &report.Options{Group: true, BaseURL: *o.codes}); err != nil || *o.format == formatSARIF {
			return err
		}
		summary := answer.summary()
		if o.errorsOnly && answer.Warnings > 0 {
			summary += " (not listed)"
		}
		_, err := fmt.Fprintf(p.stdout, "%s, %s\n", prose.Count(len(answer.Versions), "version"), summary)
		return err
	})
}

// dirArgument returns the directory that a command was given.
func dirArgument(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}
