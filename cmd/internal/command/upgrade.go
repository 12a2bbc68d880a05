package command

import (
	"cmp"
	"errors"
	"path/filepath"
	"runtime"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/upgrades"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/parallel"
)

// upgradeOptions are the flags of `datachain upgrade`.
type upgradeOptions struct {
	format *string
	to     string
	upgrade.RunOptions
	// write changes the files, unfinished also those with gaps.
	write, unfinished bool
	replace           *inputs.ReplaceOptions
}

func upgradeCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "upgrade [FILE|DIR|-]... --to VERSION",
		Short: "Move datachain documents to another schema version",
		Long: `Move datachain documents to another version of their schema: pin it, replace removed
elements with their successors, follow renamed variables, options and context values, and
add variables that are now required as gaps. Nothing else changes, and no content is
invented.

Without --write, print a diff and a report: what was done, what to review, what needs a
decision and what cannot be done. For more than 20 documents, the report is grouped, without
diffs. With --write and -, the new document is written to standard output and the report to
standard error.

FILE is a document, DIR stands for every .json file below it, and - for standard input. The
default is the documents of the project file, datachain.yaml. Documents of other datachain
types are skipped. With --other-type they are moved to the type of VERSION, such as one that
'datachain schema new --from' made, if it has every element, variable, option and context
value that a document uses. An alias such as ai@latest can stand for an older version than that of a
document; use --older to go back to one.

--write changes finished documents only: nothing in them needs a decision, and resolved ones
stay resolved. It sets updated_at to the present time. Use --unfinished to change the others, too. A resolved document that can't be
resolved again becomes thin.

The exit code is 1 if something needs a decision or cannot be done, and 2 if a file can't be
read or written.`,
		Example: `  datachain upgrade chain.json --to ai@latest
  datachain upgrade documents --to ai@latest --write
  datachain upgrade documents --to ai@latest --drop --format json
  datachain upgrade - --to ai@latest --write < chain.json > next.json`,
	}
	from := c.Reads(cmd)
	o := &upgradeOptions{format: console.FormatFlag(cmd, formatText, formatJSON)}
	flags.Add(cmd,
		flags.New("to", "version to move to, such as ai@latest", flags.Version(&o.to).Completed(completeVersions(from, -1))),
		flags.New("from", "version to move from (default the one that a document pins)", flags.Version(&o.From).Completed(completeVersions(from, -1))),
		flags.New("drop", "drop what no longer exists and has no successor; the report quotes it", flags.Switch(&o.Drop)),
		flags.New("other-type", "also move documents of another datachain type", flags.Switch(&o.OtherType)),
		flags.New("older", "allow a version older than that of a document", flags.Switch(&o.Older)),
		flags.New("write", "change the files of finished documents", flags.Switch(&o.write)),
		flags.New("unfinished", "with --write, also change documents with gaps", flags.Switch(&o.unfinished)),
	)
	flags.Require(cmd, "to")
	flags.Needs(cmd, "unfinished", "write")
	o.replace = replaceFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if o.write {
			o.UpdatedAt = c.Now()
		}
		return upgradeDocuments(cmd, c, from, args, o)
	}
	return cmd
}

func (o *upgradeOptions) check(cmd *cobra.Command, docs []inputs.Input) error {
	if len(docs) == 1 || !o.write {
		return nil
	}
	for _, d := range docs {
		if d.Path == "" {
			return usage.Error(cmd, "--write takes - alone, since the new document is written to standard output")
		}
	}
	return nil
}

// upgradeDocuments upgrades the documents that were typed, or those of the project.
func upgradeDocuments(cmd *cobra.Command, c *console.Console, from *console.Versions, args []string, o *upgradeOptions) error {
	docs, err := from.Documents(cmd, args)
	if err != nil {
		return err
	}
	if err := o.check(cmd, docs); err != nil {
		return err
	}
	ctx := cmd.Context()
	set, err := from.Open(ctx)
	if err != nil {
		return err
	}
	to, err := set.Open(ctx, o.to)
	if err != nil {
		return err
	}
	if _, err := set.Open(ctx, cmp.Or(o.From, o.to)); err != nil {
		return err
	}
	ro := upgrades.Options{JSON: *o.format == formatJSON, Write: o.write, Unfinished: o.unfinished, Documents: len(docs), Style: c.OutStyle()}
	out := c.Stdout
	if o.write && docs[0].Path == "" {
		ro.Result = c.Stdout
		if !ro.JSON {
			out, ro.Style = c.Stderr, c.ErrStyle()
		}
	}
	report, swept := upgrades.NewReport(out, ro), new(sweeper)
	upgradeOne := func(d inputs.Input) *upgrades.File {
		name := filepath.ToSlash(d.Name)
		read, err := d.Read(c.Stdin)
		if err != nil {
			return upgrades.Failed(name, err)
		}
		result, err := upgrade.Run(ctx, to, read.Text, &o.RunOptions)
		if err != nil {
			return notUpgraded(name, err)
		}
		return ro.File(name, read.Text, result, func(text []byte) error {
			swept.sweep(d.Path)
			return d.Replace(read, text, o.replace)
		})
	}
	bar := c.Progress("upgrading")
	defer bar.End()
	var done atomic.Int64
	// Standard input may never end.
	_, err = console.Await(ctx, func() (any, error) {
		return nil, parallel.InOrder(ctx, runtime.GOMAXPROCS(0), len(docs), func(i int) *upgrades.File {
			defer func() { bar.Update(int(done.Add(1)), len(docs)) }()
			return upgradeOne(docs[i])
		}, func(_ int, f *upgrades.File) error { return report.Add(f) })
	})
	if err != nil {
		return err
	}
	if err := report.End(); err != nil || report.Summary.OK() {
		return err
	}
	return console.ErrFindings
}

// notUpgraded returns a document that can't be upgraded or, if it is of another type, is skipped. It
// names the flag that allows it.
func notUpgraded(name string, err error) *upgrades.File {
	report := upgrades.Failed
	if e, ok := errors.AsType[*datachain.Error](err); ok {
		switch {
		case errors.Is(err, upgrade.ErrOlder):
			e.Issue.FixHint = "choose a newer version, or use --older to go back to this one"
		case errors.Is(err, upgrade.ErrAnotherType):
			e.Issue.FixHint += ", or --other-type to move the document to this one"
			report = upgrades.Skipped
		}
	}
	return report(name, stores.Readable(err))
}
