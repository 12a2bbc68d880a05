package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/internal/publish"
)

// collectAnswer is the output of `datachain schema collect --format json`.
type collectAnswer struct {
	OK     bool   `json:"ok"`
	Store  string `json:"store"`
	DryRun bool   `json:"dry_run"`
	// Collected are the directories and packs that were removed, or would be in a
	// dry run.
	Collected []string `json:"collected"`
}

func (p *program) collectCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "collect --store STORE",
		Short: "Remove files that a store no longer uses",
		Long: `Remove the files of releases that left the index of a store at least a day ago: of
versions that have other content now, of retired versions, and what interrupted
publishers have left behind. What the index names is never removed, and neither is a
file that is not part of a store.

'datachain schema publish' removes the same, except for the files of retired versions,
which can be published again from their source only. Other publishers can use a bucket
meanwhile.`,
		Example: `  datachain schema collect --store dist --dry-run
  datachain schema collect --store s3://releases/public --keep 720h`,
		Args: takes(0), ValidArgsFunction: cobra.NoFileCompletions,
	}
	format := formatFlag(cmd, formatText, formatJSON)
	store := new(string)
	p.storeFlag(cmd, store, " (required)")
	dryRun := cmd.Flags().Bool("dry-run", false, "list the files, and remove nothing")
	var keepFor time.Duration
	keep := newValue("duration", "24h", must(&keepFor, "a duration from 24h to 8760h, such as 720h", func(s string) (time.Duration, bool) {
		d, err := time.ParseDuration(s)
		return d, err == nil && 24*time.Hour <= d && d <= 8760*time.Hour
	}))
	cmd.Flags().Var(keep, "keep", "how long files are kept after they were last used")
	completeFlag(cmd, "keep", cobra.NoFileCompletions)
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		if *store == "" {
			return badUsage(cmd, "missing --store, the directory or bucket to remove files from")
		}
		answer := &collectAnswer{Store: *store, DryRun: *dryRun}
		failed := p.collect(cmd.Context(), answer, keepFor)
		answer.OK = failed == nil
		if failed != nil && len(answer.Collected) == 0 {
			return failed
		}
		return errors.Join(failed, p.answer(*format, answer, true, func() error {
			_, err := fmt.Fprint(p.stdout, answer.text(keep.text))
			return err
		}))
	}
	return cmd
}

func (a *collectAnswer) text(keep string) string {
	if len(a.Collected) == 0 {
		return fmt.Sprintf("%s has no files that have been unused for %s.\n", a.Store, keep)
	}
	done := "Removed"
	if a.DryRun {
		done = "Would remove"
	}
	return fmt.Sprintf("%s from %s:\n  %s\n", done, a.Store, strings.Join(a.Collected, "\n  "))
}

// collect removes what a store no longer uses, or finds it in a dry run. After an
// error the answer has what was removed before.
func (p *program) collect(ctx context.Context, a *collectAnswer, keep time.Duration) error {
	if _, err := p.openChanged(ctx, a.Store); err != nil {
		return err
	}
	run := publish.Collect
	if a.DryRun {
		run = publish.Unused
	}
	_, err := p.changeStore(ctx, a.Store, func(t publish.Target) (*publish.Report, error) {
		report, err := run(ctx, t, keep)
		a.Collected = slices.AppendSeq([]string{}, slices.Values(report.Collected))
		slices.Sort(a.Collected)
		return report, err
	})
	return err
}
