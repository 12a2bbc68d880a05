package command

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/report"
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
	print(p *program, format string) error
}

// answers returns the RunE of a command that prints its answer in a format.
func (p *program) answers(format *string, run func(cmd *cobra.Command, args []string) (answer, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a, err := run(cmd, args)
		if err != nil {
			return err
		}
		return p.PrintAnswer(a, *format, func() error { return a.print(p, *format) })
	}
}

// writeReport writes a report in a format. It adds the options that all reports have.
func (p *program) writeReport(r *report.Report, format string, o *report.Options) error {
	o.Root, o.Tool, o.Color, o.Width = p.Dir, p.Version().Version, bool(p.OutStyle()), p.OutExcerpt()
	switch format {
	case formatJSON:
		return report.JSON(p.Stdout, r)
	case formatSARIF:
		return report.SARIF(p.Stdout, r, o)
	case formatGitHub:
		o.Root = cmp.Or(p.Getenv("GITHUB_WORKSPACE"), p.Dir)
		return report.GitHub(p.Stdout, r, o)
	}
	return report.Text(p.Stdout, r, o)
}
