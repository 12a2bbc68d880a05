package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/datachain-dtpr/internal/dtpr"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
)

// documentOptions are the flags of `datachain-dtpr documents`.
type documentOptions struct {
	out    string
	format *string
	dtpr.DocumentOptions
}

// documentsAnswer is the output of `datachain-dtpr documents --format json`.
type documentsAnswer struct {
	console.Outcome
	Documents []documentAnswer `json:"documents"`
}

// documentAnswer is one document in it.
type documentAnswer struct {
	File string `json:"file"`
	// Out is the file that was written.
	Out     string      `json:"out"`
	Version string      `json:"version"`
	Notes   []dtpr.Note `json:"notes"`
	// Validated is set if the version was available, and Valid if it had no errors.
	Validated bool `json:"validated"`
	Valid     bool `json:"valid"`
}

func (p *program) documentsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "documents FILE...",
		Short: "Import datachain documents",
		Long: `Import datachain documents of the DTPR family: write them in the format of datachain, and
report what was changed or dropped on standard error. Everything else stays as it is, byte
for byte.

A document pins the imported version of its taxonomy; see 'datachain-dtpr schema'. If
--schemas or --store has that version, the result is validated against it.

--out names a file or, for several documents, a directory. The default is standard output,
for one document.

The exit code is 1 if a result is invalid.`,
		Example: `  datachain-dtpr documents chain.json --schemas schemas -o imported.json
  datachain-dtpr documents documents/*.json --store dist --out imported`,
		ValidArgsFunction: cobra.FixedCompletions([]string{"json"}, cobra.ShellCompDirectiveFilterFileExt),
	}
	from := p.Reads(cmd)
	o := &documentOptions{format: console.FormatFlag(cmd, console.FormatText, console.FormatJSON)}
	flags.Add(cmd,
		flags.New("out", "write to this file, or into this directory", flags.File(&o.out, "json").Letter("o")),
		flags.New("locale", "language of texts that are not localized", flags.Locale(&o.Locale).Default("en")),
	)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		a, err := p.importDocuments(cmd, from, args, o)
		if err != nil {
			return err
		}
		// As text, each document was reported when it was imported.
		return p.PrintAnswer(a, *o.format, func() error { return nil })
	}
	return cmd
}

// importDocuments imports documents one after the other, and goes on after an invalid
// one.
func (p *program) importDocuments(cmd *cobra.Command, from *console.Versions, args []string, o *documentOptions) (*documentsAnswer, error) {
	docs, err := from.Documents(cmd, args)
	if err != nil {
		return nil, err
	}
	if *o.format == console.FormatJSON && o.out == "" {
		return nil, usage.Error(cmd, "--format json requires --out")
	}
	// The only document of a directory is one of several that there could be.
	single := len(docs) == 1 && docs[0].Path == inputs.Named(p.Dir, args[0]).Path
	outs, err := p.documentOuts(cmd, docs, single, o.out)
	if err != nil {
		return nil, err
	}
	set, err := from.Open(cmd.Context())
	if err != nil {
		return nil, err
	}
	answer := &documentsAnswer{Outcome: console.Outcome{OK: true}, Documents: []documentAnswer{}}
	for i, d := range docs {
		a, err := p.importDocument(cmd.Context(), set, d, outs[i], o)
		if err != nil {
			return nil, err
		}
		answer.OK = answer.OK && (a.Valid || !a.Validated)
		answer.Documents = append(answer.Documents, *a)
	}
	return answer, nil
}

// documentOuts returns the files to write documents to: the one of --out, or files with the names
// of the documents in that directory.
func (p *program) documentOuts(cmd *cobra.Command, docs []inputs.Input, single bool, typed string) ([]string, error) {
	info, err := os.Stat(p.Path(typed))
	isDir := err == nil && info.IsDir()
	switch {
	case len(docs) == 1 && typed == "", single && !isDir:
		return []string{typed}, nil
	case typed == "":
		return nil, usage.Error(cmd, "several documents require --out DIR")
	case err == nil && !isDir:
		return nil, fmt.Errorf("--out %s: not a directory", typed)
	}
	if err := os.MkdirAll(p.Path(typed), 0o777); err != nil {
		return nil, fmt.Errorf("--out %s: %s", typed, wording.Reason(err))
	}
	outs := make([]string, len(docs))
	seen := make(map[string]string)
	for i, d := range docs {
		base := filepath.Base(d.Name)
		if d.Path == "" {
			return nil, usage.Error(cmd, "standard input can't be one of several documents")
		}
		if first, twice := seen[base]; twice {
			return nil, fmt.Errorf("%s and %s would be the same file in %s: import them one by one", first, d.Name, typed)
		}
		seen[base], outs[i] = d.Name, filepath.Join(typed, base)
	}
	return outs, nil
}

// importDocument imports, writes and validates one document.
func (p *program) importDocument(ctx context.Context, set *stores.Set, d inputs.Input, out string, o *documentOptions) (*documentAnswer, error) {
	text, err := p.ReadText(ctx, d)
	if err != nil {
		return nil, err
	}
	imported, err := dtpr.Document(text, &o.DocumentOptions)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
	}
	a := &documentAnswer{File: d.Name, Out: out, Version: imported.Version, Notes: imported.Notes}
	for i := range a.Notes {
		a.Notes[i].Position.File = d.Name
	}
	if *o.format == console.FormatText {
		_, _ = io.WriteString(p.Stderr, dtpr.NotesText(a.Notes, p.ErrStyle()))
	}
	if err := p.WriteResult(out, imported.Text, dtpr.Summary(a.Notes)); err != nil {
		return nil, err
	}
	a.Validated, a.Valid, err = p.validateImport(ctx, set, d, imported, *o.format == console.FormatText)
	return a, err
}

// validateImport validates a result if its version is available, and prints the
// findings.
func (p *program) validateImport(ctx context.Context, set *stores.Set, d inputs.Input, imported *dtpr.ImportedDocument, printed bool) (validated, valid bool, err error) {
	if _, err := set.Open(ctx, imported.Version); err != nil {
		e, ok := errors.AsType[*datachain.Error](err)
		if !ok || e.Kind == datachain.KindFailure {
			return false, false, err
		}
		if printed {
			p.Say("%s: not validated, because %s is not available; name the taxonomy that has it with --schemas or --store", d.Name, cmp.Or(imported.Version, "its version"))
		}
		return false, false, nil
	}
	v, err := set.Validate(ctx, imported.Text, nil)
	file := set.Report(d, imported.Text, v, err, false)
	if !printed {
		return true, console.FindingsError(&report.Report{Files: []report.File{file}}) == nil, nil
	}
	err = p.PrintFindings(file)
	if err == nil {
		p.Say("%s: valid against %s", d.Name, imported.Version)
	}
	if errors.Is(err, console.ErrFindings) {
		return true, false, nil
	}
	return true, err == nil, err
}
