package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/release/publish"
)

// collectAnswer is the output of `datachain schema collect --format json`.
type collectAnswer struct {
	console.Outcome
	Store  string `json:"store"`
	DryRun bool   `json:"dry_run"`
	// Collected are the files that were removed, and Unused those that a later run removes,
	// or would remove if the store stays as it is.
	Collected []string `json:"collected"`
	Unused    []string `json:"unused"`

	keep string // as it was typed
}

func schemaCollectCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "collect --store STORE",
		Short: "Remove archives that a store no longer uses",
		Long: `Remove the archives of releases that the index of a store does not name: of versions
that have other content now, of retired versions, and what interrupted publishers have left
behind. What the index names is never removed, and neither is a file that is not part
of a store.

It takes two runs. The first lists the unused archives in collect.json; a run at least a day
later removes those that are still unused. So programs that are reading or publishing
one have time to finish. Run it once a day, for example.

The ids of retired versions and their titles stay.`,
		Example: `  datachain schema collect --store dist --dry-run
  datachain schema collect --store s3://releases/public --keep 720h`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	to := publishes(c, cmd)
	dryRun := switchFlag(cmd, "dry-run", "list the unused files, and change nothing")
	var keepFor time.Duration
	keep := flags.Duration(&keepFor, 24*time.Hour, 8760*time.Hour).Default("24h")
	flags.Add(cmd, flags.New("keep", "how long after the first run unused files are kept", keep))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		answer := &collectAnswer{Store: to.Location.Store, DryRun: *dryRun, keep: keep.String()}
		failed := collect(cmd.Context(), to, answer, keepFor)
		answer.OK = failed == nil
		if failed != nil && len(answer.Collected) == 0 {
			return failed
		}
		return errors.Join(failed, c.PrintAnswer(answer, *format, func() error { return answer.print(c, *format) }))
	}
	return cmd
}

// good returns true: a failure has exit code 2.
func (a *collectAnswer) Good() bool { return true }

func (a *collectAnswer) print(c *console.Console, _ string) error {
	var text strings.Builder
	list := func(title string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(&text, "%s:\n  %s\n", title, strings.Join(names, "\n  "))
		}
	}
	list("Removed from "+a.Store, a.Collected)
	if a.DryRun {
		list("Unused in "+a.Store, a.Unused)
	} else {
		list("Unused in "+a.Store+"; run this again after "+a.keep+" to remove", a.Unused)
	}
	if text.Len() == 0 {
		fmt.Fprintf(&text, "%s has no unused files.\n", a.Store)
	}
	return c.Printf("%s", text.String())
}

// collect removes what a store no longer uses, or lists it in a dry run. After an error, the
// answer has what was removed until then.
func collect(ctx context.Context, to *publisher, a *collectAnswer, keep time.Duration) error {
	if _, err := to.open(ctx); err != nil {
		return err
	}
	_, err := to.change(ctx, func(t publish.Target) (report *publish.Report, err error) {
		if a.DryRun {
			report, err = publish.Unused(ctx, t)
		} else {
			report, err = publish.Collect(ctx, t, keep)
		}
		a.Collected, a.Unused = append([]string{}, report.Collected...), append([]string{}, report.Unused...)
		slices.Sort(a.Collected)
		slices.Sort(a.Unused)
		return report, err
	})
	return err
}
