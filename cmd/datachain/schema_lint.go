package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// lintAnswer is what `datachain schema lint --format json` prints.
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
		Short: "Say all that is wrong with a schema source",
		Long: `Say all that is wrong with a schema source.

DIR is the root of a source tree, the folder of a datachain type or the folder of
one version; without it, the working folder.

Exits with 1 where there are errors, and with --strict also where there are
warnings.`,
		Example: `  datachain schema lint
  datachain schema lint schemas/ai/2026-09-01-beta --strict`,
		Args:              takes(0, "DIR"),
		ValidArgsFunction: completeDir,
	}
	p.sourceIsArgument(cmd)
	form := formatFlag(cmd, formatSARIF, formatGitHub)
	strict := cmd.Flags().Bool("strict", false, "treat warnings as errors")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, err := p.openAuthoring(dirArgument(args))
		if err != nil {
			return err
		}
		defer a.close()
		tree, err := p.compile(cmd.Context(), a, nil)
		if err != nil {
			return err
		}
		answer := lintAnswer{findingsAnswer: newFindingsAnswer(a, tree), Versions: []lintedVersion{}}
		for _, c := range tree.Versions {
			answer.Versions = append(answer.Versions, lintedVersion{
				c.Version, c.Issues.Count(issue.SeverityError), c.Issues.Count(issue.SeverityWarning),
			})
		}
		answer.OK = answer.Errors == 0 && (answer.Warnings == 0 || !*strict)
		if *form == formatJSON {
			err = writeJSON(p.stdout, answer)
		} else {
			err = p.writeReport(a.report(tree), *form)
		}
		if err == nil && (*form == formatText || *form == formatGitHub) {
			_, err = fmt.Fprintf(p.stdout, "%s, %s\n", prose.Count(len(answer.Versions), "version"), answer.summary())
		}
		if err != nil || answer.OK {
			return err
		}
		return errFindings
	}
	return cmd
}

// sourceIsArgument says so to somebody who names the source of a command with
// --schemas, as most commands want it.
func (p *program) sourceIsArgument(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		unknown, ok := errors.AsType[*pflag.NotExistError](err)
		if ok && strings.TrimSuffix(unknown.GetSpecifiedName(), "s") == "schema" {
			return badUsage(cmd, "unknown flag --%s for %q: the schema source is an argument here, as in '%[2]s DIR'",
				unknown.GetSpecifiedName(), cmd.CommandPath())
		}
		return p.flagError(cmd, err)
	})
}

// dirArgument returns the folder that a command was given.
func dirArgument(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}
