package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

// deprecateAnswer is the output of `datachain schema deprecate --format json`.
type deprecateAnswer struct {
	OK bool             `json:"ok"`
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

func (p *program) deprecateCommand() *cobra.Command {
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
	p.changes(cmd)
	o, format := new(deprecateOptions), formatFlag(cmd, formatText, formatJSON)
	flags.Add(cmd,
		flags.New("sunset", "day from which the version may be retired", flags.Date(&o.sunset)),
		flags.New("successor", "version to upgrade to", flags.Version(&o.successor).Completed(p.completeVersions(-1))),
		flags.New("reason", "why it is deprecated, as text for readers", flags.Text(&o.reason, "text", "a text for readers")),
		flags.New("undo", "remove the deprecation", flags.Switch(&o.undo)),
	)
	for _, name := range []string{"sunset", "successor", "reason"} {
		cmd.MarkFlagsMutuallyExclusive("undo", name)
	}
	cmd.ValidArgsFunction = p.completeVersions(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		answer, err := p.deprecate(cmd.Context(), args[0], o)
		if err != nil {
			return err
		}
		return p.answer(*format, answer, true, func() error { return p.printf("%s", answer.text()) })
	}
	return cmd
}

func (a *deprecateAnswer) text() string {
	switch {
	case !a.Changed:
		return fmt.Sprintf("Nothing has changed in %s.\n", a.Store)
	case a.State == taxonomy.State{}:
		return fmt.Sprintf("%s is no longer deprecated in %s.\n", a.ID, a.Store)
	}
	text := fmt.Sprintf("%s %s.\n", a.ID, a.Notice())
	if !a.Successor.IsZero() {
		text += fmt.Sprintf("Readers are told to upgrade to %s.\n", a.Successor)
	}
	return text
}

func (p *program) deprecate(ctx context.Context, version string, o *deprecateOptions) (*deprecateAnswer, error) {
	x, entry, err := p.published(ctx, version, "deprecate")
	if err != nil {
		return nil, err
	}
	var state taxonomy.State
	if !o.undo {
		successor, err := successorOf(x, o.successor)
		if err != nil {
			return nil, err
		}
		state = taxonomy.State{
			Deprecated: cmp.Or(entry.Deprecated, p.now().UTC().Format(time.DateOnly)), Sunset: cmp.Or(o.sunset, entry.Sunset),
			Successor: cmp.Or(successor, entry.Successor), Reason: cmp.Or(strings.TrimSpace(o.reason), entry.Reason),
		}
		if entry.Successor == state.Successor {
			// It may have been retired since.
			state.Successor, _ = x.Successor(entry.ID)
		}
	}
	report, err := p.changeStore(ctx, func(t publish.Target) (*publish.Report, error) { return publish.Deprecate(ctx, t, entry.ID, state) })
	if err != nil {
		return nil, err
	}
	return &deprecateAnswer{OK: true, ID: entry.ID, State: state, Store: p.from.Store, Changed: report.Changed}, nil
}

// published returns the index of a store that a command changes, and the entry of a version
// in it, which is named by its id.
func (p *program) published(ctx context.Context, version, verb string) (*taxonomy.Index, taxonomy.Entry, error) {
	s, err := p.openChanged(ctx)
	if err != nil {
		return nil, taxonomy.Entry{}, err
	}
	x, err := s.Index(ctx)
	if err != nil {
		return nil, taxonomy.Entry{}, err
	}
	ref, err := taxonomy.ParseRef(version)
	if err != nil {
		return nil, taxonomy.Entry{}, err
	}
	e, listed := x.Lookup(ref)
	switch {
	case !listed:
		return nil, e, sources.Unlisted(x, ref)
	case e.ID.Ref() != ref:
		return nil, e, advise(fmt.Errorf("%s is an alias", version), fmt.Sprintf("If you mean %s, %s it by that id.", e.ID, verb))
	}
	return x, e, nil
}

// successorOf returns the version that --successor names, which may be empty.
func successorOf(x *taxonomy.Index, typed string) (taxonomy.Version, error) {
	if typed == "" {
		return taxonomy.Version{}, nil
	}
	ref, err := taxonomy.ParseRef(typed)
	if err != nil {
		return taxonomy.Version{}, err
	}
	e, listed := x.Lookup(ref)
	if !listed {
		return taxonomy.Version{}, sources.Unlisted(x, ref)
	}
	return e.ID, nil
}

// retireAnswer is the output of `datachain schema retire --format json`.
type retireAnswer struct {
	OK      bool             `json:"ok"`
	Retired taxonomy.Version `json:"retired"`
	Store   string           `json:"store"`
	// Successor is the version to upgrade to.
	Successor taxonomy.Version `json:"successor,omitzero"`
	// Moved are aliases of the retired version that now name another one, Gone
	// those that no longer name any.
	Moved map[string]taxonomy.Version `json:"moved_aliases,omitempty"`
	Gone  []string                    `json:"gone_aliases,omitempty"`
}

func (p *program) retireCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "retire VERSION --store STORE",
		Short: "Remove a version from a store",
		Long: `Remove a version from the index of a store. Its files are kept until 'datachain schema
collect' removes them. Documents that were resolved against it contain the part of the
schema that they use, and stay valid.

The index remembers what was retired: 'datachain schema publish' refuses to publish it
again without --again, and a stable version always keeps the content that it had. The ids
of the version and their titles stay for ever: publishing compares ids with them, so that
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
	format := formatFlag(cmd, formatText, formatJSON)
	p.changes(cmd)
	var successor, reason string
	flags.Add(cmd,
		flags.New("successor", "version to upgrade to", flags.Version(&successor).Completed(p.completeVersions(-1))),
		flags.New("reason", "why it is retired, as text for readers", flags.Text(&reason, "text", "a text for readers")),
	)
	cmd.ValidArgsFunction = p.completeVersions(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		answer, err := p.retire(cmd.Context(), args[0], successor, reason)
		if err != nil {
			return err
		}
		return p.answer(*format, answer, true, func() error { return p.printf("%s", answer.text()) })
	}
	return cmd
}

func (a *retireAnswer) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Retired %s from %s.\n", a.Retired, a.Store)
	for _, alias := range slices.Sorted(maps.Keys(a.Moved)) {
		fmt.Fprintf(&b, "%s now names %s.\n", alias, a.Moved[alias])
	}
	for _, alias := range a.Gone {
		fmt.Fprintf(&b, "%s no longer names a version.\n", alias)
	}
	return b.String()
}

func (p *program) retire(ctx context.Context, version, successor, reason string) (*retireAnswer, error) {
	before, entry, err := p.published(ctx, version, "retire")
	if err != nil {
		return nil, err
	}
	retired := taxonomy.Retired{ID: entry.ID, At: p.now().UTC().Format(time.DateOnly), Reason: strings.TrimSpace(reason)}
	if retired.Successor, err = successorOf(before, successor); err != nil {
		return nil, err
	}
	report, err := p.changeStore(ctx, func(t publish.Target) (*publish.Report, error) {
		return publish.Retire(ctx, t, p.idsOf, retired)
	})
	if err != nil {
		return nil, err
	}
	now, _ := report.Index.LookupRetired(entry.ID)
	answer := &retireAnswer{OK: true, Retired: entry.ID, Store: p.from.Store, Successor: now.Successor, Moved: make(map[string]taxonomy.Version)}
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
func (p *program) idsOf(ctx context.Context, e taxonomy.Entry) ([]byte, error) {
	var text bytes.Buffer
	s, err := p.openChanged(ctx)
	if err == nil {
		defer s.Close()
		var r *taxonomy.Release
		if r, err = s.Release(ctx, e.ID); err == nil {
			r, err = history.OnlyIDs(r)
		}
		if err == nil {
			_, err = r.WriteTo(&text)
		}
	}
	if err != nil && ctx.Err() == nil {
		p.complain("the ids of %s can't be kept, so a later version can reuse them: %v", e.ID, err)
	}
	return text.Bytes(), ctx.Err()
}

// collectAnswer is the output of `datachain schema collect --format json`.
type collectAnswer struct {
	OK     bool   `json:"ok"`
	Store  string `json:"store"`
	DryRun bool   `json:"dry_run"`
	// Collected are the files that were removed, and Unused those that a later run removes,
	// or would remove if the store stays as it is.
	Collected []string `json:"collected"`
	Unused    []string `json:"unused"`
}

func (p *program) collectCommand() *cobra.Command {
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
	format := formatFlag(cmd, formatText, formatJSON)
	p.changes(cmd)
	dryRun := switchFlag(cmd, "dry-run", "list the unused files, and change nothing")
	var keepFor time.Duration
	keep := flags.Duration(&keepFor, 24*time.Hour, 8760*time.Hour).Default("24h")
	flags.Add(cmd, flags.New("keep", "how long after the first run unused files are kept", keep))
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		answer := &collectAnswer{Store: p.from.Store, DryRun: *dryRun}
		failed := p.collect(cmd.Context(), answer, keepFor)
		answer.OK = failed == nil
		if failed != nil && len(answer.Collected) == 0 {
			return failed
		}
		return errors.Join(failed, p.answer(*format, answer, true, func() error { return p.printf("%s", answer.text(keep.String())) }))
	}
	return cmd
}

func (a *collectAnswer) text(keep string) string {
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
		list("Unused in "+a.Store+"; run this again after "+keep+" to remove", a.Unused)
	}
	if text.Len() == 0 {
		fmt.Fprintf(&text, "%s has no unused files.\n", a.Store)
	}
	return text.String()
}

// collect removes what a store no longer uses, or finds it in a dry run. After an
// error the answer has what was removed before.
func (p *program) collect(ctx context.Context, a *collectAnswer, keep time.Duration) error {
	if _, err := p.openChanged(ctx); err != nil {
		return err
	}
	_, err := p.changeStore(ctx, func(t publish.Target) (report *publish.Report, err error) {
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
