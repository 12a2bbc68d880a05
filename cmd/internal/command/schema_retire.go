package command

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// retireAnswer is the output of `datachain schema retire --format json`.
type retireAnswer struct {
	console.Outcome
	Retired taxonomy.Version `json:"retired"`
	Store   string           `json:"store"`
	// Successor is the version to upgrade to.
	Successor taxonomy.Version `json:"successor,omitzero"`
	// Moved are aliases of the retired version that now name another one, Gone
	// those that no longer name any.
	Moved map[string]taxonomy.Version `json:"moved_aliases,omitempty"`
	Gone  []string                    `json:"gone_aliases,omitempty"`
}

func schemaRetireCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "retire VERSION --store STORE",
		Short: "Remove a version from a store",
		Long: `Remove a version from the index of a store. Its files are kept until 'datachain schema
collect' removes them. Documents that were resolved against it contain the part of the
schema that they use, and stay valid.

The index remembers what was retired: 'datachain schema publish' refuses to publish it
again without --again, and a stable version always keeps the content that it had. The ids
of the version and their titles stay forever: publishing compares ids with them, so that
none comes back with another meaning.

Readers are told when the version was retired and, with --successor and --reason, what to
upgrade to and why. The default is what 'datachain schema deprecate' has announced.

VERSION is a version id, not an alias: an alias moves to another version, which would
be retired next.`,
		Example: `  datachain schema retire ai@2025-03-01-stable --store dist
  datachain schema retire ai@2025-03-01-stable --store s3://releases/public
  datachain schema retire ai@2025-03-01-stable --store dist --successor ai@2026-09-01-stable \
    --reason 'Its description of risks was misleading.'`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	to := publishes(c, cmd)
	var successor, reason string
	flags.Add(cmd,
		flags.New("successor", "version to upgrade to", flags.Version(&successor).Completed(completeVersions(to.Versions, -1))),
		flags.New("reason", "why it is retired, as text for readers", flags.Text(&reason, "text", "a text for readers")),
	)
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		return retire(cmd.Context(), c, to, args[0], successor, reason)
	})
	return cmd
}

func (a *retireAnswer) print(c *console.Console, _ string) error {
	var b strings.Builder
	fmt.Fprintf(&b, "Retired %s from %s.\n", a.Retired, a.Store)
	for _, alias := range slices.Sorted(maps.Keys(a.Moved)) {
		fmt.Fprintf(&b, "%s now names %s.\n", alias, a.Moved[alias])
	}
	for _, alias := range a.Gone {
		fmt.Fprintf(&b, "%s no longer names a version.\n", alias)
	}
	return c.Printf("%s", b.String())
}

func retire(ctx context.Context, c *console.Console, to *publisher, version, successor, reason string) (*retireAnswer, error) {
	before, entry, err := to.entry(ctx, version, "retire")
	if err != nil {
		return nil, err
	}
	retired := taxonomy.RetiredVersion{ID: entry.ID, At: c.Now().UTC().Format(time.DateOnly), Reason: strings.TrimSpace(reason)}
	if retired.Successor, err = sources.Successor(before, successor); err != nil {
		return nil, err
	}
	report, err := to.change(ctx, func(t publish.Target) (*publish.Report, error) {
		return publish.Retire(ctx, t, func(ctx context.Context, e taxonomy.Entry) ([]byte, error) { return idsOf(ctx, c, to, e) }, retired)
	})
	if err != nil {
		return nil, err
	}
	now, _ := report.Index.LookupRetired(entry.ID)
	answer := &retireAnswer{Outcome: console.Outcome{OK: true}, Retired: entry.ID, Store: to.Location.Store, Successor: now.Successor, Moved: make(map[string]taxonomy.Version)}
	for _, alias := range entry.Aliases {
		ref, err := taxonomy.ParseRef(alias)
		if err != nil {
			return nil, err
		}
		if e, listed := report.Index.Lookup(ref); listed {
			answer.Moved[alias] = e.ID
		} else {
			answer.Gone = append(answer.Gone, alias)
		}
	}
	return answer, nil
}

// idsOf reads the ids of a version of the store. A damaged version can be retired, too: then its
// ids are not kept.
func idsOf(ctx context.Context, c *console.Console, to *publisher, e taxonomy.Entry) ([]byte, error) {
	var text bytes.Buffer
	s, err := to.open(ctx)
	if err == nil {
		defer s.Close()
		var r *taxonomy.Release
		if r, err = s.Release(ctx, e.ID); err == nil {
			r, err = history.OnlyIDs(r)
		}
		if err == nil {
			_, err = r.WriteWithoutSymbols(&text)
		}
	}
	if err != nil && ctx.Err() == nil {
		c.PrintError("the ids of %s can't be kept, so a later version can reuse them: %v", e.ID, err)
	}
	return text.Bytes(), ctx.Err()
}
