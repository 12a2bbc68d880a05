package command

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/release/trust"
)

func verifyCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "verify FILE|- --store STORE --trust FILE",
		Short: "Verify a document by the signed log of its publisher",
		Long: `Verify that a document is what a publisher has published: that this edition of it is in the
signed log of the publisher's store, and that its schema snapshot, and its symbols if it has
them, are those of a release in that log. Of a document without a snapshot, the log must have
the schema version that it pins. With --snapshot, the edition is not looked for: apart from
snapshot and pin, the document can say anything.

STORE is the directory, bucket or server of the publisher. A copy of the directory is enough,
without a network. Get the trust file from the publisher, such as from its website, and not with
the store. Keys of the trust file must be valid now or, for an old copy, on the day that
--at names; nothing proves that the copy is of that day.

The exit code is 1 if the document is not verified, and 2 if the store can't be read.`,
		Example: `  datachain verify crossing.resolved.json --store https://datachain.example --trust trust.json
  datachain verify crossing.resolved.json --store backup --trust trust.json --at 2026-06-30
  datachain verify chain.resolved.json --store dist --trust trust.json --snapshot --format json`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	from := c.Requires(cmd, []string{"store", "trust"}, "s3-endpoint", "s3-region")
	from.OldCopies(cmd)
	snapshot := switchFlag(cmd, "snapshot", "verify only the schema snapshot, or the pin, and not what the document says")
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		check := trust.VerifyDocument
		if *snapshot {
			check = trust.VerifySnapshot
		}
		report, err := verifyFile(cmd.Context(), c, from, args[0], check)
		if err != nil && trust.Reason(err) == "" {
			return nil, err
		}
		a := &verifyAnswer{Outcome: console.Outcome{OK: err == nil}, Report: report, Claimed: from.Claimed(), file: args[0], err: err}
		if err != nil {
			a.Reason, a.Error = trust.Reason(err), err.Error()
		}
		return a, nil
	})
	return cmd
}

// verifyAnswer is the output of `datachain verify --format json`.
type verifyAnswer struct {
	console.Outcome
	Reason string `json:"reason,omitempty"`
	Error  string `json:"error,omitempty"`
	// Claimed says that the time at which keys must be valid was claimed.
	Claimed string `json:"claimed,omitempty"`
	// Report is what was verified, or nil.
	*trust.Report

	file string
	err  error
}

func (a *verifyAnswer) print(c *console.Console, _ string) error {
	if !a.OK {
		c.PrintError("%s is not verified: %s", a.file, a.err)
		c.Say("%s", trust.Advice(a.err))
		return nil
	}
	if a.Claimed != "" {
		c.Say("%s", a.Claimed)
	}
	return c.Printf("%s", wording.Printable(verified(a.Report)))
}

// verified returns a report as text.
func verified(r *trust.Report) string {
	made := "it pins a release in it"
	if r.Snapshot {
		made = "its snapshot is that of a release in it"
	}
	var b strings.Builder
	if e := r.Edition; e != nil {
		fmt.Fprintf(&b, "This edition is in the log of the publisher, and %s.\n", made)
		fmt.Fprintf(&b, "edition    %s of %s%s, published on %s\n", e.Hash, e.Slug, since(e.State), when(e.Published))
	} else {
		fmt.Fprintf(&b, "Only the snapshot or pin was verified, in the log of the publisher: %s.\n", made)
	}
	fmt.Fprintf(&b, "release    %s%s, content %s, published on %s\n", r.Release.Version, since(r.Release.State), r.Release.ContentHash, when(r.Release.Published))
	fmt.Fprintf(&b, "publisher  %s, signed by %s\n", r.Origin, strings.Join(r.Signed, ", "))
	b.WriteString("The times are those of the publisher's clock.\n")
	return b.String()
}

// since says what became of an edition or a release.
func since(s trust.State) string {
	if s == trust.StateCurrent {
		return ""
	}
	return fmt.Sprintf(" (%s since)", s)
}

func when(t time.Time) string { return t.UTC().Format("2006-01-02 15:04:05 UTC") }

// verifyFile verifies a document with a function of package trust.
func verifyFile(ctx context.Context, c *console.Console, from *console.Versions, typed string, check func(context.Context, *trust.Trust, trust.Source, []byte) (*trust.Report, error)) (*trust.Report, error) {
	if err := from.ReadTrust(); err != nil {
		return nil, err
	}
	_, doc, err := c.ReadInput(ctx, typed)
	if err != nil {
		return nil, err
	}
	set, err := from.Open(ctx)
	if err != nil {
		return nil, err
	}
	return check(ctx, from.Trust, trust.Source{Log: stores.LogOf(set.Store, set.Log), Release: stores.ReleaseOf(set.Store)}, doc)
}
