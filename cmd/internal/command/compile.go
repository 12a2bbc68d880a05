package command

import (
	"context"
	"errors"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/wording"
)

// dirArgument returns the directory that a command was given.
func dirArgument(args []string) string {
	if len(args) == 0 {
		return "."
	}
	return args[0]
}

// compile compiles the part of a source that was named, or only some versions.
func compile(ctx context.Context, c *console.Console, a *sources.Source, only []string, published *sources.Published) (*source.Tree, error) {
	bar := c.Progress("compiling")
	defer bar.End()
	return console.Await(ctx, func() (*source.Tree, error) { return a.Compile(only, published, bar.Update) })
}

// compileWhole compiles a source and prints the findings. Errors end the command. Versions
// that were published elsewhere can be nil.
func compileWhole(ctx context.Context, c *console.Console, a *sources.Source, only []string, published *sources.Published, format string) (*source.Tree, error) {
	tree, err := compile(ctx, c, a, only, published)
	if err != nil {
		return nil, err
	}
	answer := console.NewFindings(a, tree)
	if format == formatJSON {
		if answer.OK {
			return tree, nil
		}
		return nil, errors.Join(report.WriteJSON(c.Stdout, struct {
			console.Findings
			Versions []stores.Row `json:"versions"`
		}{answer, []stores.Row{}}), console.ErrFindings)
	}
	if err := report.Text(c.Stderr, a.Report(tree.Issues()), &report.Options{Color: bool(c.ErrStyle()), Width: c.ErrExcerpt(), Group: true}); err != nil {
		return nil, err
	}
	if !answer.OK {
		c.PrintError("%s, %s: nothing was done", wording.Count(len(tree.Versions), "version"), answer.Summary())
		return nil, console.ErrFindings
	}
	return tree, nil
}
