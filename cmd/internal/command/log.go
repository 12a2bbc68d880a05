package command

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/keys"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/trust/follow"
	"github.com/datachain-go/datachain/release/trust/signedlog"
)

func logCommand(c *console.Console) *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "log",
		Short: "Sign what a store publishes: logs and keys",
		Long: `Sign what a store publishes. The log of a store has an entry for each publication, and a
key signs it. Readers verify the store with --trust FILE, which has the public key; see
docs/trust.md. A store gets a log when something is published with --key.

Instead of a private key, a program can sign, such as with a KMS: --key-command gets the bytes
on standard input and prints their Ed25519 signature, and --key names the public key.`,
	}, withCommands(&cobra.Command{
		Use:   "keys",
		Short: "Create keys and show their public keys",
		Long:  "Create the keys that sign the log of a store, and show their public keys.",
	}, logKeysNewCommand(c), logKeysShowCommand(c)), logAdoptCommand(c), logRotateCommand(c))
}

func logKeysNewCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new NAME --out FILE",
		Short: "Create a key",
		Long: `Create a key, write the private key to a file that only you can read, and print the
trust file for readers. NAME names the log, usually as a URL without a scheme. It can't
be changed later.`,
		Example: `  datachain log keys new example.org/taxonomies --out signing.key > trust.json`,
	}
	var out string
	flags.Add(cmd, flags.New("out", "file for the private key, which must not exist", flags.File(&out).Letter("o")))
	flags.Require(cmd, "out")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		public, err := keys.Create(c.Path(out), args[0])
		switch {
		case errors.Is(err, keys.ErrName):
			return fmt.Errorf("NAME %s: it %w: use a URL without a scheme, such as example.org/taxonomies", wording.Quote(args[0]), err)
		case errors.Is(err, fs.ErrExist):
			return fmt.Errorf("--out %s: the file exists, and a key is never overwritten: name another file", out)
		case err != nil:
			return fmt.Errorf("--out %s: %s", out, wording.Reason(err))
		}
		c.Say("Wrote the private key to %s. Keep a copy in a safe place: without it, the log can't be continued.", out)
		text, err := json.MarshalIndent(map[string]any{"origin": args[0], "keys": []any{map[string]string{"key": public}}}, "", "  ")
		if err != nil {
			return err
		}
		return c.Printf("%s\n", text)
	}
	return cmd
}

func logKeysShowCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:     "show KEY",
		Short:   "Print the public key of a private key",
		Long:    `Print the public key of a private key: that of a file, or of an environment variable as env:NAME.`,
		Example: `  datachain log keys show signing.key`,

		ValidArgsFunction: cobra.FixedCompletions(nil, cobra.ShellCompDirectiveDefault),
	}
	cmd.RunE = func(_ *cobra.Command, args []string) error {
		private, err := keyReader(c).Private(args[0])
		if err != nil {
			return fmt.Errorf("KEY %s: %w", args[0], err)
		}
		public, err := keys.Public(private)
		if err != nil {
			return fmt.Errorf("%s: %w", args[0], err)
		}
		return c.Printf("%s\n", public)
	}
	return cmd
}

func logRotateCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rotate --store STORE --key OLD --new-key NEW",
		Short: "Let another key sign the log of a store",
		Long: `Introduce another key to the log of a store, with a statement that the current key signs.
Publish with the new key from then on. Readers whose trust file has only the old key
follow the log as long as it has the statement; add the new key to trust files, and
remove the old one when all readers have the new one.

If the old key was stolen, a thief can introduce keys as well: then replace the old key
in all trust files.`,
		Example: `  datachain log keys new example.org/taxonomies --out next.key
  datachain log rotate --store dist --key signing.key --new-key next.key`,
	}
	to := publishes(c, cmd)
	var next string
	flags.Add(cmd, flags.New("new-key", "the new private key", flags.Key(&next)))
	flags.Require(cmd, "key", "new-key")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		key, err := signer(to.keys, "--new-key", next)
		if err != nil {
			return err
		}
		switch current, err := to.signingKey(cmd.Context()); {
		case err != nil:
			return err
		case current.Public == key.Public:
			return fmt.Errorf("--new-key %s: it is the key that --key names: create another one with 'datachain log keys new'", next)
		}
		if err := hasLog(to); err != nil {
			return err
		}
		if _, err := to.change(cmd.Context(), func(t publish.Target) (*publish.Report, error) {
			return nil, publish.Rotate(cmd.Context(), t, key)
		}); err != nil {
			return err
		}
		return c.Printf("Introduced %s. Publish with it from now on, and add it to trust files.\n", key.Public)
	}
	return cmd
}

func logAdoptCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "adopt --store STORE --key KEY",
		Short: "Begin the log of a store that has releases or documents",
		Long: `Begin the signed log of a store with an entry for each release and document that it has
now. From then on the store can only be changed with the key.

The log proves nothing about the time before: whether a release was replaced, removed or
published earlier than the log says, and what a document said between its editions.`,
		Example: `  datachain log adopt --store dist --key signing.key`,
	}
	to := publishes(c, cmd)
	flags.Require(cmd, "key")
	cmd.RunE = func(cmd *cobra.Command, _ []string) error { return adoptLog(cmd.Context(), c, to) }
	return cmd
}

func adoptLog(ctx context.Context, c *console.Console, to *publisher) error {
	store := to.Location.Store
	if _, err := to.open(ctx); err != nil {
		return err
	}
	var docs *publishing.Report
	report, err := to.change(ctx, func(t publish.Target) (*publish.Report, error) {
		report, err := publish.Adopt(ctx, t)
		if err == nil {
			docs, err = publishing.Adopt(ctx, t)
		}
		return report, err
	})
	if err != nil {
		return err
	}
	if !report.Changed && !docs.Changed {
		return c.Printf("%s has a log already, with everything in it.\n", store)
	}
	c.Say("The log proves nothing about the time before now: whether a release was replaced or removed, and when it was published, is only what the store says.")
	adopted := []string{wording.Count(report.Index.Len()+len(report.Index.Retired()), "release")}
	if len(docs.Publications) > 0 {
		adopted = append(adopted, wording.Count(len(docs.Publications), "document"))
	}
	return c.Printf("The log of %s begins with %s.\n", store, wording.And(adopted))
}

// hasLog returns an error if a directory is not a store with a log. Opening it for publishing
// would create it.
func hasLog(to *publisher) error {
	if to.Location.Bucket() || to.Location.Remote() {
		return nil
	}
	if _, err := os.Stat(filepath.Join(files.Absolute(to.Options().Dir, to.Location.Store), follow.Dir, signedlog.CheckpointFile)); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--store %s: it has no log: check the directory, or begin a log with '%s'", to.Location.Store, report.Command("log", "adopt", "--store", to.Location.Store, "--key", "KEY"))
	}
	return nil
}
