package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
)

// The values of --format.
const (
	formatText   = "text"
	formatJSON   = "json"
	formatSARIF  = "sarif"
	formatGitHub = "github"
	formatHTML   = "html"

	formatMarkdown = "md"
)

// answer is the result of a command that has --format. As JSON it is printed as it is.
type answer interface {
	// good reports whether the exit code is 0; otherwise it is 1.
	good() bool
	// print prints the answer in another format.
	print(p *program, format string) error
}

// outcome is the first field of an answer in JSON.
type outcome struct {
	OK bool `json:"ok"`
}

func (o outcome) good() bool { return o.OK }

// answers returns the RunE of a command that prints its answer in a format.
func (p *program) answers(format *string, run func(cmd *cobra.Command, args []string) (answer, error)) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		a, err := run(cmd, args)
		if err != nil {
			return err
		}
		return p.printAnswer(a, *format)
	}
}

// printAnswer prints an answer in a format, and returns errFindings if it is not good.
func (p *program) printAnswer(a answer, format string) error {
	var err error
	if format == formatJSON {
		err = report.WriteJSON(p.stdout, a)
	} else {
		err = a.print(p, format)
	}
	if err == nil && !a.good() {
		err = errFindings
	}
	return err
}

// table prints rows in columns, the first row being the heading.
func (p *program) table(rows [][]string) error {
	return p.printf("%s", report.Table(rows, p.outWidth()))
}

// printFindings prints the findings in a document on standard error, and ends the
// command if the document is invalid.
func (p *program) printFindings(f report.File) error {
	r := &report.Report{Files: []report.File{f}}
	if len(f.Findings) > 0 {
		if err := report.Text(p.stderr, r, &report.Options{Color: bool(p.errStyle()), Width: excerptWidth(p.errWidth())}); err != nil {
			return err
		}
		p.say("%s", r.Summary())
	}
	return exitError(r)
}

// writeResult writes the result of a command to the file of --out, and says what it wrote, or to
// standard output. The description may be empty.
func (p *program) writeResult(typed string, content []byte, about string) error {
	if err := p.write(typed, content); err != nil || typed == "" {
		return err
	}
	if about != "" {
		about = ": " + about
	}
	p.say("Wrote %s%s.", typed, about)
	return nil
}

// write writes to the file of --out, or to standard output if it is "".
func (p *program) write(typed string, content []byte) error {
	if typed == "" {
		_, err := p.stdout.Write(content)
		return err
	}
	path := p.path(typed)
	files.Sweep(filepath.Dir(files.ResolveLinks(path)))
	if err := files.Rewrite(path, content); err != nil {
		return fmt.Errorf("--out %s: %s", typed, wording.Reason(err))
	}
	return nil
}

// excerptWidth returns how much of a line fits with an ellipsis on both sides.
func excerptWidth(width int) int { return min(100, width-6) }

// writeReport writes a report in a format. It adds the options that all reports have.
func (p *program) writeReport(r *report.Report, format string, o *report.Options) error {
	o.Root, o.Tool, o.Color, o.Width = p.dir, p.versionAnswer().Version, bool(p.outStyle()), excerptWidth(p.outWidth())
	switch format {
	case formatJSON:
		return report.JSON(p.stdout, r)
	case formatSARIF:
		return report.SARIF(p.stdout, r, o)
	case formatGitHub:
		o.Root = cmp.Or(p.getenv("GITHUB_WORKSPACE"), p.dir)
		return report.GitHub(p.stdout, r, o)
	}
	return report.Text(p.stdout, r, o)
}

// exitError returns the error of a command that has written a report: what could not be read,
// errFindings or nil.
func exitError(r *report.Report) error {
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
