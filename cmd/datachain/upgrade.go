package main

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/evolution/upgrade"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/rewrite"
)

// upgradeOptions are the flags of `datachain upgrade`.
type upgradeOptions struct {
	from   *origin
	format *string
	to     string
	datachain.UpgradeOptions
	// write changes the files, force also read-only ones.
	write, force bool
}

func (p *program) upgradeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "upgrade FILE|DIR|-... --to VERSION",
		Short: "Move datachain documents to another schema version",
		Long: `Move datachain documents to another version of their schema, usually a newer one:
pin it, replace removed elements with their successors, follow renamed variables,
options and context values, and add variables that are now required as gaps. Nothing
else in a document changes, and no content is invented.

FILE is a document, DIR stands for every .json file below it, and - for standard input.
Documents of other datachain types are skipped. Without --write nothing is changed: the
output is a diff and a report of what was done, what to review, what needs a person, and
what cannot be done. With --write and -, the new document is written to standard output
and the report to standard error.

A resolved document is resolved again if it is valid, and written thin otherwise.

The exit code is 1 if something needs a person or cannot be done. It is 2 if a file can't
be read or written.`,
		Example: `  datachain upgrade chain.json --to ai@latest
  datachain upgrade documents --to ai@latest --write
  datachain upgrade documents --to ai@latest --drop --format json
  datachain upgrade - --to ai@latest --write < chain.json > next.json`,
		ValidArgsFunction: completeJSON,
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return badUsage(cmd, "missing FILE, DIR or -")
		}
		return nil
	}
	o := &upgradeOptions{format: formatFlag(cmd, formatText, formatJSON), from: originFlags(cmd)}
	cmd.Flags().StringVar(&o.to, "to", "", "`version` to move to, such as ai@latest (required)")
	cmd.Flags().StringVar(&o.From, "from", "", "`version` to move from (default the one that a document pins)")
	cmd.Flags().BoolVar(&o.Drop, "drop", false, "drop what no longer exists and has no successor; the report quotes it")
	cmd.Flags().BoolVar(&o.write, "write", false, "change the files")
	cmd.Flags().BoolVar(&o.force, "force", false, "with --write, also change read-only files")
	for _, name := range []string{"to", "from"} {
		completeFlag(cmd, name, p.completeVersions(-1, func([]string) origin { return *o.from }))
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.upgrade(cmd, args, o) }
	return cmd
}

func (o *upgradeOptions) check(cmd *cobra.Command, docs []input) error {
	switch {
	case o.to == "":
		return badUsage(cmd, "missing --to VERSION")
	case o.force && !o.write:
		return badUsage(cmd, "--force requires --write")
	case len(docs) == 1 || !o.write:
		return nil
	}
	for _, d := range docs {
		if d.path == "" {
			return badUsage(cmd, "--write takes - alone, since the new document is written to standard output")
		}
	}
	return nil
}

func (p *program) upgrade(cmd *cobra.Command, args []string, o *upgradeOptions) error {
	docs, err := p.documents(cmd, args)
	if err != nil {
		return err
	}
	if err := o.check(cmd, docs); err != nil {
		return err
	}
	list, err := p.upgradeAll(cmd.Context(), docs, o)
	if err != nil {
		return err
	}
	answer := newUpgradeAnswer(list, o.write, *o.format == formatJSON)
	if answer.Summary.Skipped == len(list) {
		return fmt.Errorf("%s: %w", list[0].input.name, readable(list[0].err))
	}
	filter := o.write && docs[0].path == ""
	switch {
	case *o.format == formatJSON:
		err = writeJSON(p.stdout, answer)
	case filter && list[0].result != nil:
		answer.print(p.stderr, p.errStyle(), o)
		_, err = p.stdout.Write(list[0].result.Document.Text())
	default:
		answer.print(p.stdout, p.outStyle(), o)
	}
	if err != nil {
		return err
	}
	return answer.ending(list)
}

// upgraded is a document and what became of it.
type upgraded struct {
	input  input
	read   *rewrite.Snapshot // nil if the document can't be read
	result *upgrade.Result   // nil if there is an error
	err    error
	// skipped reports that the document is of another datachain type.
	skipped bool
}

// upgradeAll upgrades documents in parallel and, with --write, replaces those that
// changed. It returns them in order.
func (p *program) upgradeAll(ctx context.Context, docs []input, o *upgradeOptions) ([]upgraded, error) {
	lib, err := p.openLibrary(ctx, *o.from)
	if err != nil {
		return nil, err
	}
	to, err := lib.Open(ctx, o.to)
	if err != nil {
		return nil, err
	}
	if o.From != "" {
		if _, err := lib.Open(ctx, o.From); err != nil {
			return nil, err
		}
	}
	bar := p.progress("upgrading")
	defer bar.end()
	// Standard input may never end.
	return await(ctx, func() ([]upgraded, error) {
		list := make([]upgraded, len(docs))
		swept := new(sweeper)
		var done atomic.Int64
		err := parallel.Each(ctx, runtime.GOMAXPROCS(0), len(docs), func(_, i int) error {
			list[i] = p.upgradeInput(ctx, to, docs[i], &o.UpgradeOptions)
			if o.write {
				list[i].replace(swept, o.force)
			}
			bar.update(int(done.Add(1)), len(docs))
			return nil
		})
		return list, err
	})
}

// upgradeInput reads and upgrades a document.
func (p *program) upgradeInput(ctx context.Context, to *datachain.Schema, d input, o *datachain.UpgradeOptions) upgraded {
	u := upgraded{input: d}
	if u.read, u.err = p.read(d); u.err != nil {
		return u
	}
	u.result, u.err = to.Upgrade(ctx, u.read.Text, o)
	u.skipped = errors.Is(u.err, upgrade.ErrAnotherType)
	if e, ok := errors.AsType[*datachain.Error](u.err); ok && e.Kind == datachain.KindSyntax {
		finding, _ := e.Finding()
		u.err = fmt.Errorf("%d:%d: %s", finding.Span.Start.Line, finding.Span.Start.Column, lowerFirst(strings.TrimSuffix(finding.Message, ".")))
	}
	return u
}

// lowerFirst makes the beginning of a sentence that of an error.
func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// replace writes the new document.
func (u *upgraded) replace(swept *sweeper, force bool) {
	if u.result == nil || !u.result.Report.Changed || u.input.path == "" {
		return
	}
	swept.sweep(u.input.path)
	if err := u.read.Replace(u.result.Document.Text(), force); err != nil {
		u.result, u.err = nil, unwritten(err)
	}
}

// ending returns how the command ends.
func (a *upgradeAnswer) ending(list []upgraded) error {
	var failed []error
	for i := range list {
		if u := &list[i]; u.err != nil && !u.skipped {
			failed = append(failed, fmt.Errorf("%s: %w", u.input.name, readable(u.err)))
		}
	}
	switch {
	case len(failed) > maxFailed:
		return errors.Join(append(failed[:maxFailed:maxFailed], fmt.Errorf("and %s", prose.Count(len(failed)-maxFailed, "more file")))...)
	case len(failed) > 0:
		return errors.Join(failed...)
	case !a.OK:
		return errFindings
	}
	return nil
}

// maxFailed is how many files that can't be read or written are listed in the end.
const maxFailed = 50
