package command

import (
	"cmp"
	"context"
	"runtime"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/parallel"
)

// The values of --format.
const (
	formatText   = console.FormatText
	formatJSON   = console.FormatJSON
	formatSARIF  = "sarif"
	formatGitHub = "github"
	formatHTML   = "html"

	formatMarkdown = "md"
)

// answer is the result of a command that has --format. As JSON it is printed as it is.
type answer interface {
	console.Answer
	// print prints the answer in another format.
	print(c *console.Console, format string) error
}

// runAnswer returns the RunE of a command that prints its answer in a format.
func runAnswer(c *console.Console, format *string, run func(cmd *cobra.Command, args []string) (answer, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a, err := run(cmd, args)
		if err != nil {
			return err
		}
		return c.PrintAnswer(a, *format, func() error { return a.print(c, *format) })
	}
}

// writeReport writes a report in a format. It adds the options that all reports have.
func writeReport(c *console.Console, r *report.Report, format string, o *report.Options) error {
	o.Root, o.Tool, o.Color, o.Width = c.Dir, c.Version().Version, bool(c.OutStyle()), c.OutExcerpt()
	switch format {
	case formatJSON:
		return report.JSON(c.Stdout, r)
	case formatSARIF:
		return report.SARIF(c.Stdout, r, o)
	case formatGitHub:
		o.Root = cmp.Or(c.Getenv("GITHUB_WORKSPACE"), c.Dir)
		return report.GitHub(c.Stdout, r, o)
	}
	return report.Text(c.Stdout, r, o)
}

// inParallel calls do for each of n parts of some work at once, and shows how far it is. It returns when
// ctx ends: a part may be standard input, which may never end.
func inParallel(ctx context.Context, c *console.Console, what string, n int, do func(i int) error) error {
	bar := c.Progress(what)
	defer bar.End()
	var done atomic.Int64
	_, err := console.Await(ctx, func() (any, error) {
		return nil, parallel.Each(ctx, runtime.GOMAXPROCS(0), n, func(_, i int) error {
			defer func() { bar.Update(int(done.Add(1)), n) }()
			return do(i)
		})
	})
	return err
}
