package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/report"
	"github.com/datachain-go/datachain/internal/prose"
)

// validateOptions are the flags of `datachain validate`.
type validateOptions struct {
	from    *origin
	form    *format
	version string
	strict  bool
	fix     bool
	write   bool
}

func (p *program) validateCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "validate FILE|DIR|-...",
		Short: "Say all that is wrong with datachains",
		Long: `Say all that is wrong with datachains: where, and what to write instead.

A FILE is one document, a DIR every .json file below it, - standard input. A thin
document is judged by the version that it pins, of a source, a store, or without
either of the sample taxonomies in this program. A resolved one (it has a
schema_snapshot) is judged by its own snapshot, which is compared with the version
that it pins where that is known.

--fix shows as a diff what can be mended without doubt, such as a slip in an id;
with --write the files are changed.

Exits with 1 where a document has errors, with --strict also where it has warnings,
and with 2 where a file can't be read.`,
		Example: `  datachain validate chain.json
  datachain validate documents --schemas schemas --strict
  datachain validate documents --fix --write
  datachain validate documents --format sarif > findings.sarif`,
		ValidArgsFunction: completeJSON,
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return badUsage(cmd, "missing FILE, DIR or -")
		}
		return nil
	}
	o := &validateOptions{form: formatFlag(cmd, formatSARIF, formatGitHub), from: originFlags(cmd, "")}
	cmd.Flags().StringVar(&o.version, "schema-version", "", "judge by this `version` instead of the one that a document pins")
	cmd.Flags().BoolVar(&o.strict, "strict", false, "warn of unknown fields, too, and treat warnings as errors")
	cmd.Flags().BoolVar(&o.fix, "fix", false, "show what can be mended without doubt")
	cmd.Flags().BoolVar(&o.write, "write", false, "with --fix: change the files")
	p.versionFlag(cmd, "schema-version", func([]string) origin { return *o.from })
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.validate(cmd, args, o) }
	return cmd
}

func (o *validateOptions) check(cmd *cobra.Command) error {
	switch {
	case o.write && !o.fix:
		return badUsage(cmd, "--write belongs to --fix")
	case o.fix && *o.form != formatText && *o.form != formatJSON:
		return badUsage(cmd, "--fix has its diff in --format text or json")
	}
	return o.from.check(cmd)
}

func (p *program) validate(cmd *cobra.Command, args []string, o *validateOptions) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	docs, err := p.documents(cmd, args)
	if err != nil {
		return err
	}
	for _, d := range docs {
		if o.write && d.path == "" {
			return badUsage(cmd, "--write changes files, not standard input")
		}
	}
	files, err := p.judge(cmd.Context(), docs, o)
	if err != nil {
		return err
	}
	r := &report.Report{Files: files, Strict: o.strict}
	if err := p.writeReport(r, *o.form); err != nil {
		return err
	}
	if *o.form == formatText || *o.form == formatGitHub {
		p.summarize(r.Summary(), o)
	}
	return ending(r)
}

func (p *program) summarize(s report.Summary, o *validateOptions) {
	_, _ = fmt.Fprintln(p.stdout, s)
	switch {
	case s.Fixes == 0:
	case o.write:
		_, _ = fmt.Fprintln(p.stdout, prose.Count(s.Fixes, "finding"), "fixed")
	default:
		_, _ = fmt.Fprintln(p.stdout, prose.Count(s.Fixes, "finding"), "can be fixed; --write changes the files")
	}
}

// judge judges the documents and, with --write, replaces those that were fixed.
func (p *program) judge(ctx context.Context, docs []input, o *validateOptions) ([]report.File, error) {
	s, err := p.openLibrary(ctx, *o.from)
	if err != nil {
		return nil, err
	}
	defer s.close()
	j, err := newJudge(ctx, s, o.version)
	if err != nil {
		return nil, err
	}
	j.strict, j.fix, j.write = o.strict, o.fix, o.write
	bar := p.progress("validating")
	defer bar.end()
	// Standard input may never end.
	files, err := await(ctx, func() ([]report.File, error) { return j.all(ctx, docs, p.read, bar) })
	if err != nil || !o.write {
		return files, err
	}
	for i, f := range files {
		if f.Fix == nil {
			continue
		}
		if err := replace(f.Path, f.Fix.After); err != nil {
			files[i] = report.File{Name: f.Name, Path: f.Path, Err: fmt.Errorf("can't be written: %s", reason(err))}
		}
	}
	return files, nil
}

// writeReport writes a report in the format of a flag.
func (p *program) writeReport(r *report.Report, form format) error {
	switch form {
	case formatJSON:
		return report.JSON(p.stdout, r)
	case formatSARIF:
		return report.SARIF(p.stdout, r, &report.Options{Root: p.dir, Tool: p.versionAnswer().Version})
	case formatGitHub:
		return report.GitHub(p.stdout, r, &report.Options{Root: cmp.Or(p.getenv("GITHUB_WORKSPACE"), p.dir)})
	}
	return report.Text(p.stdout, r, &report.Options{Color: bool(p.outStyle())})
}

// ending returns how a command ends that has written a report.
func ending(r *report.Report) error {
	var failed []error
	for _, f := range r.Files {
		if f.Err != nil {
			failed = append(failed, fmt.Errorf("%s: %w", f.Name, f.Err))
		}
	}
	switch {
	case len(failed) > 0:
		return errors.Join(failed...)
	case !r.OK():
		return errFindings
	}
	return nil
}
