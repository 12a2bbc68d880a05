package command

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"sync"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
)

// validateOptions are the flags of `datachain validate`.
type validateOptions struct {
	format  *string
	codes   *string // the base URL of pages about codes
	version string
	datachain.ValidateOptions
	write   bool // changes the files
	replace *inputs.ReplaceOptions
}

func validateCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate [FILE|DIR|-]...",
		Short: "Check documents while you write them",
		Long: `Report every problem in datachain documents, with its position and a hint. Use 'documents
check' before you publish documents in a register, and 'schema lint' for a taxonomy.

FILE is a document, DIR stands for every .json file below it, and - for standard
input. The default is the documents of the project file, datachain.yaml. A document is
validated against the schema version that it pins. A resolved document (one with a
schema_snapshot) is validated against its snapshot, which is compared with the pinned
version if that is available.

Use --fix to show as a diff what can be fixed safely, such as a misspelled id, and
--fix --write to change the files. A file that was edited meanwhile is not overwritten.

The exit code is 1 if a document has errors, or with --strict, warnings. It is 2 if
a file can't be read.`,
		Example: `  datachain validate chain.json
  datachain validate documents --schemas schemas --strict
  datachain validate documents --fix --write
  datachain validate documents --format sarif > findings.sarif`,
	}
	from := c.Reads(cmd)
	o := &validateOptions{format: console.FormatFlag(cmd, formatText, formatJSON, formatSARIF, formatGitHub), codes: baseFlag(cmd, codesUsage)}
	flags.Add(cmd,
		flags.New(versionFlagName, "validate thin documents against this version instead of the pinned one", flags.Version(&o.version).Completed(completeVersions(from, -1))),
		flags.New("strict", "also report unknown fields, and treat warnings as errors", flags.Switch(&o.Strict)),
		flags.New("fix", "show what can be fixed safely", flags.Switch(&o.Fix)),
		flags.New("write", "with --fix, change the files", flags.Switch(&o.write)),
	)
	flags.InProject(cmd, "strict")
	flags.Needs(cmd, "write", "fix")
	o.replace = replaceFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return validateDocuments(cmd, c, from, args, o) }
	return cmd
}

// validateDocuments validates the documents that were typed, or those of the project.
func validateDocuments(cmd *cobra.Command, c *console.Console, from *console.Versions, args []string, o *validateOptions) error {
	if o.Fix && *o.format != formatText && *o.format != formatJSON {
		return usage.Error(cmd, "--fix requires --format text or json")
	}
	docs, err := from.Documents(cmd, args)
	if err != nil {
		return err
	}
	for _, d := range docs {
		if o.write && d.Path == "" {
			return usage.Error(cmd, "--write can't change standard input")
		}
	}
	r := &report.Report{Strict: o.Strict}
	if r.Files, err = validateAll(cmd.Context(), c, from, docs, o); err != nil {
		return err
	}
	if err := writeReport(c, r, *o.format, &report.Options{BaseURL: *o.codes, Group: len(docs) > 1}); err != nil {
		return err
	}
	if *o.format == formatText || *o.format == formatGitHub {
		summarize(c.Stdout, r.Summary(), o.write)
	}
	return console.FindingsError(r)
}

// summarize prints the last lines of a report for people.
func summarize(w io.Writer, s report.Summary, wrote bool) {
	_, _ = fmt.Fprintln(w, s)
	switch {
	case s.Fixes == 0:
	case wrote:
		_, _ = fmt.Fprintln(w, wording.Count(s.Fixes, "finding"), "fixed")
	default:
		_, _ = fmt.Fprintln(w, wording.Count(s.Fixes, "finding"), "can be fixed; use --write to change the files")
	}
}

// validatedFile is a document with its findings.
type validatedFile struct {
	report.File
	// read is nil if the document can't be read.
	read *files.Snapshot
}

// validateAll validates documents in parallel and, with --write, replaces those
// that were fixed. It returns them in order.
func validateAll(ctx context.Context, c *console.Console, from *console.Versions, docs []inputs.Input, o *validateOptions) ([]report.File, error) {
	set, err := from.Open(ctx)
	if err != nil {
		return nil, err
	}
	o.Partial = true
	validate, err := set.Validator(ctx, o.version, &o.ValidateOptions)
	if err != nil {
		return nil, err
	}
	list := make([]validatedFile, len(docs))
	err = inParallel(ctx, c, "validating", len(docs), func(i int) error {
		d := docs[i]
		read, err := d.Read(c.Stdin)
		if err != nil {
			list[i].File = report.File{Name: d.Name, Path: d.Path, Err: err}
			return nil //nolint:nilerr // the report has it
		}
		v, err := validate(ctx, read.Text)
		list[i] = validatedFile{set.Report(d, read.Text, v, err, o.write), read}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if o.write {
		writeFixes(list, docs, o.replace)
	}
	files := make([]report.File, len(list))
	for i, v := range list {
		files[i] = v.File
	}
	return files, nil
}

// writeFixes replaces the documents that were fixed. What a run that crashed has left
// in their directories is removed.
func writeFixes(list []validatedFile, docs []inputs.Input, o *inputs.ReplaceOptions) {
	swept := new(sweeper)
	for i, v := range list {
		swept.sweep(v.Path)
		if v.Fix == nil {
			continue
		}
		if err := docs[i].Replace(v.read, v.Fix.After, o); err != nil {
			list[i].File = report.File{Name: v.Name, Path: v.Path, Err: err, Unwritten: true}
		}
	}
}

// sweeper removes what runs that crashed have left beside files, once for each directory.
type sweeper struct{ dirs sync.Map }

func (s *sweeper) sweep(path string) {
	dir := filepath.Dir(files.ResolveLinks(path))
	if _, swept := s.dirs.LoadOrStore(dir, true); !swept {
		files.Sweep(dir)
	}
}
