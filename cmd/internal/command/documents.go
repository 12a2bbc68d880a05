package command

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/location"
	"github.com/datachain-go/datachain/cmd/internal/registers"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/schemas"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
)

func (p *program) documentsCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "documents",
		Short: "Publish documents in a register",
		Long: `Publish documents in a register: each gets an address, which 'datachain serve' and
'datachain site' show with its history.

A directory of documents can be served as it is, with 'datachain serve --documents DIR'.
Publishing them into a store keeps their earlier editions.`,
	}, p.documentsCheckCommand(), p.documentsPublishCommand(), p.documentsListCommand(), p.documentsWithdrawCommand(), p.documentsEraseCommand())
}

// registerAnswer is the output of the commands with --format json.
type registerAnswer struct {
	*registers.Report
	codes   string // the base URL of pages about codes
	summary string
}

func (a *registerAnswer) Good() bool { return a.OK }

// print prints a table of documents, and what is refused.
func (a *registerAnswer) print(p *program, format string) error {
	if format != formatText {
		return p.writeReport(a.Findings(p.Dir), format, &report.Options{BaseURL: a.codes})
	}
	if len(a.Documents) > 0 {
		if err := p.Table(a.Table()); err != nil {
			return err
		}
	}
	if err := report.Text(p.Stderr, a.Findings(p.Dir), &report.Options{Color: bool(p.ErrStyle()), Width: p.ErrExcerpt()}); err != nil {
		return err
	}
	if elsewhere := a.ElsewhereText(); elsewhere != "" {
		p.Say("%s", elsewhere)
	}
	if a.summary != "" {
		p.Say("%s", a.summary)
	}
	return nil
}

// documentsOrigin opens the documents that --documents names, if it is given.
func (p *program) documentsOrigin(typed string) ([]register.Origin, error) {
	if typed == "" {
		return nil, nil
	}
	origin, err := stores.OpenDocuments(typed, p.StoreOptions())
	if err != nil {
		return nil, fmt.Errorf("--documents %s: %w", typed, err)
	}
	return []register.Origin{origin}, nil
}

// directoryRegister reads the documents in a directory.
func (p *program) directoryRegister(set *schemas.Set, typed string) (*register.Register, error) {
	origin, err := stores.OpenDocuments(typed, p.StoreOptions())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", typed, err)
	}
	return register.New(set.Service, []register.Origin{origin}, &register.Options{Refresh: -1})
}

func (p *program) documentsCheckCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "check DIR",
		Short: "Report which documents of a directory can be published",
		Long: `Report which documents of a directory can be published, at which address, and why others
can't, before you publish them. It is for authors of documents; 'datachain check' verifies
what is published already, and 'schema lint' checks a taxonomy. Documents are read as
'datachain serve --documents' does.

The exit code is 1 if a document can't be published.`,
		Example: `  datachain documents check documents
  datachain documents check documents --store dist --format github`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON, formatSARIF, formatGitHub)
	p.Read(cmd)
	codes := baseFlag(cmd, codesUsage)
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, args []string) (answer, error) {
		set, err := p.Open(cmd.Context())
		if err != nil {
			return nil, err
		}
		r, err := p.directoryRegister(set, args[0])
		if err != nil {
			return nil, err
		}
		defer func() { _ = r.Close() }() // it was only read
		found := registers.Check(args[0], r.State(), p.Now())
		return &registerAnswer{Report: found, codes: *codes, summary: found.CheckSummary()}, nil
	})
	return cmd
}

func (p *program) documentsPublishCommand() *cobra.Command {
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
	p.changes(cmd)
	again := switchFlag(cmd, "again", "also publish documents that were withdrawn")
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, args []string) (answer, error) {
		opened, err := p.openChanged(cmd.Context())
		if err != nil {
			return nil, err
		}
		r, err := p.directoryRegister(schemas.New(opened.Store), args[0])
		if err != nil {
			return nil, err
		}
		defer func() { _ = r.Close() }() // it was only read
		bar := p.Progress("publishing")
		defer bar.End()
		result, err := p.changeDocuments(cmd.Context(), func(t publish.Target) (*publishing.Report, error) {
			return publishing.Documents(cmd.Context(), t, r, &publishing.Options{Again: *again, Progress: bar.Update})
		})
		if err != nil {
			return nil, err
		}
		published := registers.Published(args[0], p.From.Store, result, r.State())
		answer := &registerAnswer{Report: published, summary: published.PublishSummary()}
		if published.LacksVersion() {
			answer.summary += "\n" + stores.Publish("Publish the versions that documents pin", p.From.Store)
		}
		return answer, nil
	})
	return cmd
}

// changeDocuments opens a store for publishing and changes the documents in it.
func (p *program) changeDocuments(ctx context.Context, change func(publish.Target) (*publishing.Report, error)) (*publishing.Report, error) {
	var result *publishing.Report
	_, err := p.changeStore(ctx, func(t publish.Target) (_ *publish.Report, err error) {
		result, err = change(t)
		return nil, err
	})
	return result, err
}

func (p *program) documentsListCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list --store STORE",
		Short: "List the documents of a store",
		Long:  `List the documents that were published into a store, including withdrawn ones.`,
		Example: `  datachain documents list --store dist
  datachain documents list --store s3://releases/public --format json`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	p.Read(cmd, "schemas", "samples") // which have no published documents
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, _ []string) (answer, error) {
		if p.From.Store == "" {
			return nil, usage.Error(cmd, "%w", flags.Missing(cmd.Flags().Lookup("store")))
		}
		set, err := p.Open(cmd.Context())
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
		answer := &registerAnswer{Report: registers.List(p.From.Store, list)}
		if len(list) == 0 {
			answer.summary = fmt.Sprintf("No documents are published in %s.", location.Redacted(p.From.Store))
		}
		return answer, nil
	})
	return cmd
}
