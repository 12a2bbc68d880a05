package command

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/registers"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
)

func documentsCommand(c *console.Console) *cobra.Command {
	return withCommands(&cobra.Command{
		Use:   "documents",
		Short: "Publish documents in a register",
		Long: `Publish documents in a register: each gets an address, which 'datachain serve' and
'datachain site' show with its history.

A directory of documents can be served as it is, with 'datachain serve --documents DIR'.
Publishing them into a store keeps their earlier editions.`,
	}, documentsCheckCommand(c), documentsReviewCommand(c), documentsPublishCommand(c), documentsListCommand(c), documentsWithdrawCommand(c), documentsEraseCommand(c))
}

// registerAnswer is the output of the commands with --format json.
type registerAnswer struct {
	*registers.Report
	codes   string // the base URL of pages about codes
	summary string
}

func (a *registerAnswer) Good() bool { return a.OK }

// print prints a table of documents, and what is refused.
func (a *registerAnswer) print(c *console.Console, format string) error {
	if format != formatText {
		return writeReport(c, a.Findings(c.Dir), format, &report.Options{BaseURL: a.codes})
	}
	if len(a.Documents)+len(a.Products) > 0 {
		if err := c.Table(a.Table()); err != nil {
			return err
		}
	}
	if err := report.Text(c.Stderr, a.Findings(c.Dir), &report.Options{Color: bool(c.ErrStyle()), Width: c.ErrExcerpt()}); err != nil {
		return err
	}
	for _, unmarked := range a.WithoutRoles {
		c.Say("%s.", wording.Sentence(unmarked.String()))
	}
	if elsewhere := a.ElsewhereText(); elsewhere != "" {
		c.Say("%s", elsewhere)
	}
	if a.summary != "" {
		c.Say("%s", a.summary)
	}
	return nil
}

// openDirectory reads the documents in a directory, which are not published yet.
func openDirectory(service *datachain.Service, typed string, o *stores.Options) (*register.Register, error) {
	origins, err := stores.OpenDocuments("", []string{typed}, o)
	if err != nil {
		return nil, err
	}
	return register.New(service, origins, &register.Options{Refresh: -1})
}

func documentsCheckCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check DIR",
		Short: "Check documents before they are published in a register",
		Long: `Report which documents of a directory can be published, at which address, and why others
can't. Documents are read as 'datachain serve --documents' does. Use 'validate' while you
write a document, and 'datachain check' for what is published already.

A file with register.product describes a product, and not a system in use. It is listed as
one, and never published; what is wrong besides its gaps is reported. So is a datachain type
without roles, of which lists and signs do not know what its documents say.

The exit code is 1 if a document can't be published, or a product can't be used.`,
		Example: `  datachain documents check documents
  datachain documents check documents --store dist --format github`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON, formatSARIF, formatGitHub)
	from := c.Reads(cmd)
	codes := baseFlag(cmd, codesUsage)
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		set, err := from.Open(cmd.Context())
		if err != nil {
			return nil, err
		}
		r, err := openDirectory(set.Service, args[0], from.Options())
		if err != nil {
			return nil, err
		}
		defer func() { _ = r.Close() }() // it was only read
		found := registers.Check(args[0], r.State(), c.Now())
		return &registerAnswer{Report: found, codes: *codes, summary: found.CheckSummary()}, nil
	})
	return cmd
}

func documentsPublishCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "publish DIR --store STORE",
		Short: "Publish the documents of a directory into a store",
		Long: `Publish the documents below a directory into a store, beside the schema versions that
they pin: a directory or a bucket, which several publishers can use at the same time.

Each edition is stored as its author wrote it, and resolved. A document whose content has
changed gets a new edition; others keep theirs. Documents that are missing in the
directory stay published. The settings of the register, register.yaml, are published as
well.

Invalid documents are skipped, and the exit code is 1 then.`,
		Example: `  datachain documents publish documents --store dist
  datachain documents publish documents --store s3://releases/public --s3-region eu-central-1`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	to := publishes(c, cmd)
	again := switchFlag(cmd, "again", "also publish documents that were withdrawn")
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		opened, err := to.open(cmd.Context())
		if err != nil {
			return nil, err
		}
		r, err := openDirectory(stores.NewSet(opened.Store).Service, args[0], to.Options())
		if err != nil {
			return nil, err
		}
		defer func() { _ = r.Close() }() // it was only read
		bar := c.Progress("publishing")
		defer bar.End()
		result, err := to.changeDocuments(cmd.Context(), func(t publish.Target) (*publishing.Report, error) {
			return publishing.Documents(cmd.Context(), t, r, &publishing.Options{Again: *again, Progress: bar.Update})
		})
		if err != nil {
			return nil, err
		}
		published := registers.Published(args[0], to.Location.Store, result, r.State())
		answer := &registerAnswer{Report: published, summary: published.PublishSummary()}
		if published.LacksVersion() {
			answer.summary += "\n" + stores.Publish("Publish the versions that documents pin", to.Location.Store)
		}
		return answer, nil
	})
	return cmd
}

func documentsListCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list --store STORE",
		Short: "List the documents of a store",
		Long:  `List the documents that were published into a store, including withdrawn ones.`,
		Example: `  datachain documents list --store dist
  datachain documents list --store s3://releases/public --format json`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	from := c.Reads(cmd, "schemas", "samples") // which have no published documents
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, _ []string) (answer, error) {
		if from.Location.Store == "" {
			return nil, usage.Error(cmd, "%w", flags.Missing(cmd.Flags().Lookup("store")))
		}
		set, err := from.Open(cmd.Context())
		if err != nil {
			return nil, err
		}
		files, ok := set.Store.(register.Files)
		if !ok {
			return nil, fmt.Errorf("%s has no documents: name a directory or a bucket with --store", set.From)
		}
		list, err := register.ListStored(cmd.Context(), files, set.Log)
		if err != nil {
			return nil, err
		}
		answer := &registerAnswer{Report: registers.List(from.Location.Store, list)}
		if len(list) == 0 {
			answer.summary = fmt.Sprintf("No documents are published in %s.", stores.Redacted(from.Location.Store))
		}
		return answer, nil
	})
	return cmd
}
