package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/inputs"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/cmd/datachain/internal/schemas"
	"github.com/datachain-go/datachain/cmd/datachain/internal/stores"
	"github.com/datachain-go/datachain/cmd/datachain/internal/usage"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
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

// documentRow is a document in the output of the commands.
type documentRow struct {
	Slug    string             `json:"slug"`
	ID      string             `json:"id,omitempty"`
	Edition taxonomy.Hash      `json:"edition"`
	State   string             `json:"state"`
	Title   taxonomy.Localized `json:"title,omitempty"`
	// Editions is how many there are.
	Editions int `json:"editions,omitempty"`
	// Changed is when the current edition was published, or the document withdrawn or erased.
	Changed time.Time `json:"changed,omitzero"`
}

// registerAnswer is the output of the commands with --format json.
type registerAnswer struct {
	outcome
	Store     string          `json:"store,omitempty"`
	Sequence  int64           `json:"sequence,omitempty"`
	Documents []documentRow   `json:"documents"`
	Refused   []refusedAnswer `json:"refused,omitempty"`
	Warnings  []refusedAnswer `json:"warnings,omitempty"`
	Elsewhere []string        `json:"elsewhere,omitempty"`

	summary string
}

// refusedAnswer is a document with its findings.
type refusedAnswer struct {
	File   string       `json:"file"`
	ID     string       `json:"id,omitempty"`
	Issues issue.Issues `json:"issues"`
}

func (a *registerAnswer) find(dir string, refused, warnings []register.Refusal) {
	list := func(found []register.Refusal) (all []refusedAnswer) {
		for _, r := range found {
			all = append(all, refusedAnswer{filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(r.File))), r.ID, r.Issues})
		}
		return all
	}
	a.Refused, a.Warnings = append(a.Refused, list(refused)...), append(a.Warnings, list(warnings)...)
	a.OK = len(a.Refused) == 0
}

// refused counts the documents that are refused, without the settings of the register.
func (a *registerAnswer) refused() int {
	return len(slices.DeleteFunc(slices.Clone(a.Refused), func(r refusedAnswer) bool { return path.Base(r.File) == "register.yaml" }))
}

// print prints a table of documents, and what is refused.
func (a *registerAnswer) print(p *program, _ string) error {
	if len(a.Documents) > 0 {
		rows := [][]string{{"SLUG", "EDITION", "STATE", "TITLE"}}
		for _, d := range a.Documents {
			rows = append(rows, []string{d.Slug, shortHash(d.Edition), d.State, wording.Clip(d.Title.Pick("en"))})
		}
		if err := p.table(rows); err != nil {
			return err
		}
	}
	if r := a.report(p); len(r.Files) > 0 {
		if err := report.Text(p.stderr, r, &report.Options{Color: bool(p.errStyle()), Width: excerptWidth(p.errWidth())}); err != nil {
			return err
		}
	}
	if n := len(a.Elsewhere); n > 0 {
		names := slices.Clone(a.Elsewhere[:min(n, maxElsewhere)])
		if n > maxElsewhere {
			names = append(names, fmt.Sprintf("%d more", n-maxElsewhere))
		}
		advice := "Withdraw those that should no longer be published."
		if slices.ContainsFunc(a.Refused, func(r refusedAnswer) bool { return r.ID == "" }) {
			advice = "Correct the refused files first: they may be among these."
		}
		p.say("Published, but not in the directory: %s. %s", wording.And(names), advice)
	}
	p.say("%s", a.summary)
	return nil
}

// maxElsewhere is how many documents that are not in the directory are named.
const maxElsewhere = 20

// report returns the findings by file, with their places.
func (a *registerAnswer) report(p *program) *report.Report {
	r := new(report.Report)
	for _, found := range slices.Concat(a.Warnings, a.Refused) {
		d := inputs.Named(p.dir, found.File)
		f := report.File{Name: d.Name, Path: d.Path}
		var doc *document.Document
		var syntax *document.SyntaxError
		// What the register does not read is not shown either, such as what a link leads to
		// outside of the directory.
		unread := slices.ContainsFunc(found.Issues, func(i issue.Issue) bool { return i.Code == codes.SourceUnreadable })
		// A pipe would never end.
		if info, err := os.Stat(d.Path); !unread && err == nil && info.Mode().IsRegular() {
			if read, err := d.Read(p.stdin); err == nil {
				f.Text = read.Text
			}
		}
		if f.Text != nil && strings.EqualFold(filepath.Ext(d.Path), ".json") {
			var err error
			doc, err = document.Parse(f.Text)
			syntax, _ = errors.AsType[*document.SyntaxError](err)
		}
		for _, i := range found.Issues {
			i.Position.File = "" // the report has it
			finding := report.Finding{Issue: i}
			switch {
			case doc != nil:
				finding.Span = validate.Mark(doc, i)
			case syntax != nil:
				finding.Span = document.Span{Start: syntax.Point, End: syntax.Point}
			}
			f.Findings = append(f.Findings, finding)
		}
		r.Files = append(r.Files, f)
	}
	return r
}

// documentsOrigin opens the documents that --documents names, if it is given.
func (p *program) documentsOrigin(typed string) ([]register.Origin, error) {
	if typed == "" {
		return nil, nil
	}
	origin, err := stores.OpenDocuments(typed, p.storeOptions())
	if err != nil {
		return nil, fmt.Errorf("--documents %s: %w", typed, err)
	}
	return []register.Origin{origin}, nil
}

// directoryRegister reads the documents in a directory.
func (p *program) directoryRegister(set *schemas.Set, typed string) (*register.Register, error) {
	origin, err := stores.OpenDocuments(typed, p.storeOptions())
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
	format := formatFlag(cmd, formatText, formatJSON, formatSARIF, formatGitHub)
	p.Read(cmd)
	codes := baseFlag(cmd, codesUsage)
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, args []string) (answer, error) {
		set, err := p.open(cmd.Context())
		if err != nil {
			return nil, err
		}
		r, err := p.directoryRegister(set, args[0])
		if err != nil {
			return nil, err
		}
		defer func() { _ = r.Close() }() // it was only read
		a := &checkedDocuments{registerAnswer: registerAnswer{Documents: []documentRow{}}, codes: *codes}
		state := r.State()
		var warnings []register.Refusal
		for _, d := range state.Documents() {
			a.Documents = append(a.Documents, documentRow{Slug: d.Slug, ID: d.ID, Edition: d.Current, State: stateOf(d), Title: d.Title, Editions: len(d.Editions)})
			if found := publishing.Warnings(d, p.now()); len(found) > 0 {
				warnings = append(warnings, register.Refusal{File: d.File(), ID: d.ID, Issues: found})
			}
		}
		a.find(args[0], state.Refused(), warnings)
		a.summary = counted(wording.Count(len(a.Documents), "document")+" can be published", amount{a.refused(), "can't"}) + "."
		return a, nil
	})
	return cmd
}

// checkedDocuments is the answer of `datachain documents check`.
type checkedDocuments struct {
	registerAnswer
	codes string // the base URL of pages about codes
}

func (a *checkedDocuments) print(p *program, format string) error {
	if format == formatText {
		return a.registerAnswer.print(p, format)
	}
	return p.writeReport(a.report(p), format, &report.Options{BaseURL: a.codes})
}

// stateOf describes a document in a word.
func stateOf(d *register.Document) string {
	switch {
	case d.Withdrawn != nil:
		return "withdrawn"
	case d.Gone():
		return "erased"
	case d.Details.Status != "":
		return string(d.Details.Status)
	}
	return "published"
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
	format := formatFlag(cmd, formatText, formatJSON)
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
		bar := p.progress("publishing")
		defer bar.end()
		result, err := p.changeDocuments(cmd.Context(), func(t publish.Target) (*publishing.Report, error) {
			return publishing.Documents(cmd.Context(), t, r, &publishing.Options{Again: *again, Progress: bar.update})
		})
		if err != nil {
			return nil, err
		}
		a, states := newPublishAnswer(p.From.Store, result, r.State())
		a.find(args[0], result.Refused, result.Warnings)
		a.summary = counted(wording.Count(len(a.Documents), "document")+" published",
			amount{states["new"], "new"}, amount{states["changed"], "changed"}, amount{a.refused(), "refused"}) + "."
		return a, nil
	})
	return cmd
}

// newPublishAnswer lists what was published, and counts the documents in each state.
func newPublishAnswer(store string, result *publishing.Report, state *register.State) (answer *registerAnswer, states map[string]int) {
	states = make(map[string]int)
	answer = &registerAnswer{Store: store, Sequence: result.Sequence, Documents: []documentRow{}, Elsewhere: result.Elsewhere}
	for _, done := range result.Publications {
		row := documentRow{Slug: done.Slug, Edition: done.Edition, State: "unchanged"}
		if d, ok := state.Document(done.Slug); ok {
			row.ID, row.Title = d.ID, d.Title
		}
		switch {
		case done.New:
			row.State = "new"
		case done.Op != "":
			row.State = "changed"
		}
		states[row.State]++
		answer.Documents = append(answer.Documents, row)
	}
	return answer, states
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
	format := formatFlag(cmd, formatText, formatJSON)
	p.Read(cmd, "schemas", "samples") // which have no published documents
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, _ []string) (answer, error) {
		if p.From.Store == "" {
			return nil, usage.Error(cmd, "%w", flags.Missing(cmd.Flags().Lookup("store")))
		}
		set, err := p.open(cmd.Context())
		if err != nil {
			return nil, err
		}
		files, ok := set.Store.(register.Files)
		if !ok {
			return nil, fmt.Errorf("%s has no documents: name a directory or a bucket with --store", set.From)
		}
		list, err := register.ListStored(cmd.Context(), files)
		if err != nil {
			return nil, err
		}
		a := &listedDocuments{registerAnswer{outcome: outcome{true}, Store: p.From.Store, Documents: []documentRow{}}}
		for _, d := range list {
			a.Documents = append(a.Documents, documentRow{
				Slug: d.Slug, ID: d.ID, Edition: d.Current, State: stateOf(d), Editions: len(d.Editions), Changed: d.Changed(),
			})
		}
		return a, nil
	})
	return cmd
}

// listedDocuments is the answer of `datachain documents list`.
type listedDocuments struct{ registerAnswer }

func (a *listedDocuments) print(p *program, _ string) error {
	rows := [][]string{{"SLUG", "ID", "EDITION", "EDITIONS", "CHANGED", "STATE"}}
	for _, d := range a.Documents {
		rows = append(rows, []string{d.Slug, wording.Clip(d.ID), shortHash(d.Edition), fmt.Sprint(d.Editions), d.Changed.Format(time.DateOnly), d.State})
	}
	return p.table(rows)
}
