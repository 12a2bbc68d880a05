package command

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// deprecateAnswer is the output of `datachain schema deprecate --format json`.
type deprecateAnswer struct {
	console.Outcome
	ID taxonomy.Version `json:"id"`
	taxonomy.State
	Store string `json:"store"`
	// Changed is false if the index said so before.
	Changed bool `json:"changed"`
}

// deprecateOptions are the flags of `datachain schema deprecate`.
type deprecateOptions struct {
	sunset, successor, reason string
	undo                      bool
}

func schemaDeprecateCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "deprecate VERSION --store STORE",
		Short: "Announce that a version of a store will be retired",
		Long: `Mark a version as deprecated in the index of a store. It is still served, and its content
and documents stay valid, but readers are told until when, why, and what to upgrade to: in
headers, on pages, in editors, in feeds, and as the warning SCHEMA_VERSION_DEPRECATED.

Without --sunset no end is announced. After the sunset date, the version is still served
until 'datachain schema retire' removes it, but 'datachain schema breaking --all-live' no
longer compares with it.

Deprecate a version again to change what is announced. Values without a flag are kept, and so
is the day on which it was deprecated. --undo removes the deprecation.

VERSION is a version id, not an alias, which moves to other versions.`,
		Example: `  datachain schema deprecate ai@2025-03-01-stable --store dist --sunset 2027-06-30 \
    --successor ai@2026-09-01-stable --reason 'Its description of risks is incomplete.'
  datachain schema deprecate ai@2025-03-01-stable --store s3://releases/public --undo`,
	}
	to := publishes(c, cmd)
	o, format := new(deprecateOptions), console.FormatFlag(cmd, formatText, formatJSON)
	flags.Add(cmd,
		flags.New("sunset", "day from which the version may be retired", flags.Date(&o.sunset)),
		flags.New("successor", "version to upgrade to", flags.Version(&o.successor).Completed(completeVersions(to.Versions, -1))),
		flags.New("reason", "why it is deprecated, as text for readers", flags.Text(&o.reason, "text", "a text for readers")),
		flags.New("undo", "remove the deprecation", flags.Switch(&o.undo)),
	)
	for _, name := range []string{"sunset", "successor", "reason"} {
		flags.Exclusive(cmd, "undo", name)
	}
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		return deprecate(cmd.Context(), to, args[0], o, c.Now())
	})
	return cmd
}

func (a *deprecateAnswer) print(c *console.Console, _ string) error {
	switch {
	case !a.Changed:
		return c.Printf("Nothing has changed in %s.\n", a.Store)
	case a.State == taxonomy.State{}:
		return c.Printf("%s is no longer deprecated in %s.\n", a.ID, a.Store)
	}
	text := fmt.Sprintf("%s %s.\n", a.ID, a.Notice())
	if !a.Successor.IsZero() {
		text += fmt.Sprintf("Readers are told to upgrade to %s.\n", a.Successor)
	}
	return c.Printf("%s", text)
}

func deprecate(ctx context.Context, to *publisher, version string, o *deprecateOptions, now time.Time) (*deprecateAnswer, error) {
	x, entry, err := to.entry(ctx, version, "deprecate")
	if err != nil {
		return nil, err
	}
	var state taxonomy.State
	if !o.undo {
		successor, err := sources.Successor(x, o.successor)
		if err != nil {
			return nil, err
		}
		state = taxonomy.State{
			Deprecated: cmp.Or(entry.Deprecated, now.UTC().Format(time.DateOnly)), Sunset: cmp.Or(o.sunset, entry.Sunset),
			Successor: cmp.Or(successor, entry.Successor), Reason: cmp.Or(strings.TrimSpace(o.reason), entry.Reason),
		}
		if entry.Successor == state.Successor {
			// It may have been retired since.
			state.Successor, _ = x.Successor(entry.ID)
		}
	}
	report, err := to.change(ctx, func(t publish.Target) (*publish.Report, error) { return publish.Deprecate(ctx, t, entry.ID, state) })
	if err != nil {
		return nil, err
	}
	return &deprecateAnswer{Outcome: console.Outcome{OK: true}, ID: entry.ID, State: state, Store: to.Location.Store, Changed: report.Changed}, nil
}
