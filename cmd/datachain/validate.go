package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
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
	verdicts, err := p.judge(cmd.Context(), docs, o)
	if err != nil {
		return err
	}
	r := &report{verdicts: verdicts, strict: o.strict, wrote: o.write}
	if err := p.writeReport(r, *o.form); err != nil {
		return err
	}
	return r.verdict()
}

// judge judges the documents and, with --write, replaces those that were fixed.
func (p *program) judge(ctx context.Context, docs []input, o *validateOptions) ([]*verdict, error) {
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
	verdicts, err := await(ctx, func() ([]*verdict, error) { return j.all(ctx, docs, p.read, bar) })
	if err != nil || !o.write {
		return verdicts, err
	}
	for i, v := range verdicts {
		if len(v.fixed) == 0 {
			continue
		}
		if err := replace(v.path, v.mended); err != nil {
			verdicts[i] = &verdict{input: v.input, err: fmt.Errorf("%s: can't be written: %s", v.name, reason(err))}
		}
	}
	return verdicts, nil
}

// writeReport writes the answer.
func (p *program) writeReport(r *report, form format) error {
	switch form {
	case formatJSON:
		return r.writeJSON(p.stdout)
	case formatSARIF:
		return r.writeSARIF(p.stdout, p.dir, p.versionAnswer().Version)
	case formatGitHub:
		return r.writeGitHub(p.stdout, cmp.Or(p.getenv("GITHUB_WORKSPACE"), p.dir))
	}
	return r.writeText(p.stdout, p.outStyle())
}

// verdict is how the command ends.
func (r *report) verdict() error {
	var failed []error
	all := true
	for _, v := range r.verdicts {
		if v.err != nil {
			failed = append(failed, v.err)
		}
		all = all && r.ok(v)
	}
	switch {
	case len(failed) > 0:
		return errors.Join(failed...)
	case !all:
		return errFindings
	}
	return nil
}
