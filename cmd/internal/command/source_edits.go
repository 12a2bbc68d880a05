package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
)

// editOptions are the flags of commands that take changes of a source from a file.
type editOptions struct {
	into, version string
	write         bool
	format        *string
	from          *console.Versions
}

// editFlags adds the flags to a command.
func editFlags(c *console.Console, cmd *cobra.Command) *editOptions {
	o := &editOptions{format: console.FormatFlag(cmd, formatText, formatJSON), from: c.Versions()}
	flags.Add(cmd,
		flags.New("into", "schema source directory", flags.Dir(&o.into)),
		flags.New(versionFlagName, "version to change", flags.Version(&o.version).
			Completed(completeSource(o.from, func([]string) (stores.Location, error) { return stores.Location{Schemas: o.into}, nil }))),
		flags.New("write", "change the files, instead of showing the changes", flags.Switch(&o.write)),
	)
	flags.Require(cmd, "into")
	return o
}

// open opens the source and the version that are to be changed, which must be valid
// but for the elements that its categories need.
func (o *editOptions) open(ctx context.Context) (*sources.Source, taxonomy.Version, *write.Authored, error) {
	a, err := o.from.OpenSource(stores.Location{Schemas: o.into})
	if err != nil {
		return nil, taxonomy.Version{}, nil, err
	}
	a.Freeze()
	v, err := a.One(o.version)
	if err != nil {
		return nil, taxonomy.Version{}, nil, err
	}
	c, err := console.Await(ctx, func() (*source.Compiled, error) { return a.Unfinished(v) })
	if err != nil {
		return nil, v, nil, err
	}
	return a, v, write.FromRelease(c.Release), nil
}

// planEdits makes changes in memory. The check looks at the result if it is valid.
func planEdits(ctx context.Context, a *sources.Source, v taxonomy.Version, changes *edit.Changes, check func(after *write.Authored) error) (*sources.Edits, error) {
	e, err := console.Await(ctx, func() (*sources.Edits, error) { return a.Edit(v, changes) })
	if err != nil || len(e.Issues) > 0 {
		return e, err
	}
	return e, check(write.FromRelease(e.Release))
}

// apply makes the changes with --write if they cause no errors, and reports whether it did.
func (o *editOptions) apply(e *sources.Edits) (written bool, err error) {
	if !o.write || len(e.Issues) > 0 {
		return false, nil
	}
	return len(e.Files) > 0, e.Write()
}

// printEdits prints the changes unless they were written, and a summary.
func printEdits(c *console.Console, e *sources.Edits, ok, written bool, summary string) error {
	if e != nil && !written {
		if err := c.Printf("%s", e.Diff(c.OutStyle())); err != nil {
			return err
		}
		for _, i := range e.Issues {
			c.PrintError("%s", i)
		}
	}
	switch {
	case !ok:
		c.PrintError("nothing was changed")
		return nil
	case len(e.Files) == 0:
		summary = "nothing to change"
	case !written:
		summary += "; use --write to change the files"
	}
	return c.Printf("%s\n", summary)
}
