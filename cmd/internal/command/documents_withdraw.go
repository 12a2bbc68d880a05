package command

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
)

func documentsWithdrawCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "withdraw SLUG --reason TEXT --store STORE",
		Short: "Withdraw a published document",
		Long: `Withdraw a published document. Its address remains, and says when and why it was
withdrawn, and its editions are kept. 'datachain documents publish' publishes it again
only with --again.`,
		Example: `  datachain documents withdraw crossing-camera --reason 'The camera was removed.' --store dist`,
	}
	to, reason := withdrawFlags(c, cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return withdraw(cmd.Context(), c, to, func(t publish.Target) (*publishing.Report, error) {
			return publishing.Withdraw(cmd.Context(), t, args[0], *reason)
		}, "Withdrew "+args[0], args[0]+" was withdrawn already")
	}
	return cmd
}

func documentsEraseCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "erase SLUG --reason TEXT --store STORE",
		Short: "Delete the content of published editions",
		Long: `Delete the content of one edition of a document with --edition, or of all its editions,
such as personal data or a secret. The address of the document remains, and says when
and why. Servers that mirror the register delete their copies. This can't be undone.

In a bucket with versioning, older versions of objects remain: delete those, too.`,
		Example: `  datachain documents erase crossing-camera --edition 9f2c41d07ab3 --reason 'A name was published.' --store dist`,
	}
	to, reason := withdrawFlags(c, cmd)
	var edition string
	flags.Add(cmd, flags.New("edition", "only the edition with this hash, or its first 12 digits (default all)", flags.Text(&edition, "hash", "the hash of an edition")))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		what := args[0]
		if edition != "" {
			what = "edition " + edition + " of " + what
		}
		return withdraw(cmd.Context(), c, to, func(t publish.Target) (*publishing.Report, error) {
			h, err := findEdition(cmd.Context(), t, args[0], edition)
			if err != nil {
				return nil, err
			}
			return publishing.Erase(cmd.Context(), t, args[0], h, *reason)
		}, "Erased "+what, what+" was erased already")
	}
	return cmd
}

// findEdition returns the hash of an edition by its first digits; zero for none.
func findEdition(ctx context.Context, t publish.Target, slug, typed string) (h taxonomy.Hash, err error) {
	if typed == "" {
		return h, nil
	}
	list, err := register.ListStored(ctx, publishing.TargetFiles(t), nil)
	if err != nil {
		return h, err
	}
	for _, d := range list {
		if d.Slug != slug && !slices.Contains(d.Slugs, slug) {
			continue
		}
		if e, ok := d.FindEdition(strings.TrimPrefix(typed, "sha256-")); ok {
			return e.Hash, nil
		}
	}
	return h, fmt.Errorf("%s has no edition %s: type at least its first 12 digits; the history page of the document lists all", slug, typed)
}

func withdrawFlags(c *console.Console, cmd *cobra.Command) (*publisher, *string) {
	to := publishes(c, cmd)
	reason := new(string)
	flags.Add(cmd, flags.New("reason", "why, as text for readers", flags.Text(reason, "text", "a text for readers")))
	flags.Require(cmd, "reason")
	return to, reason
}

// withdraw changes a store, and says so.
func withdraw(ctx context.Context, c *console.Console, to *publisher, change func(publish.Target) (*publishing.Report, error), done, before string) error {
	if _, err := to.open(ctx); err != nil {
		return err
	}
	result, err := to.changeDocuments(ctx, change)
	if err != nil {
		return err
	}
	text := done + "."
	if !result.Changed {
		text = before + "."
	}
	return c.Printf("%s\n", text)
}
