package console

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/progress"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Values of --format that commands of every program have.
const (
	FormatText = "text"
	FormatJSON = "json"
)

// FormatFlag adds --format to a command. The first format is the default.
func FormatFlag(cmd *cobra.Command, among ...string) *string {
	chosen := new(string)
	flags.Add(cmd, flags.New("format", "output format", flags.OneOf(chosen, among...).Default(among[0])))
	return chosen
}

// Answer is the result of a command that has --format. As JSON it is printed as it is.
type Answer interface {
	// Good reports whether the exit code is 0; otherwise it is 1.
	Good() bool
}

// Outcome is the first field of an answer in JSON.
type Outcome struct {
	OK bool `json:"ok"`
}

// Good reports whether the exit code is 0.
func (o Outcome) Good() bool { return o.OK }

// PrintAnswer prints an answer as JSON, or with a function as text, and returns
// ErrFindings if it is not good.
func (c *Console) PrintAnswer(a Answer, format string, text func() error) error {
	if format == FormatJSON {
		text = func() error { return report.WriteJSON(c.Stdout, a) }
	}
	err := text()
	if err == nil && !a.Good() {
		err = ErrFindings
	}
	return err
}

// Findings is the part of an answer in JSON about the findings in a schema source.
type Findings struct {
	Outcome
	Errors   int          `json:"errors"`
	Warnings int          `json:"warnings"`
	Issues   issue.Issues `json:"issues"`
}

// NewFindings returns the findings in a source that was compiled.
func NewFindings(a *sources.Source, tree *source.Tree) Findings {
	all := tree.Issues()
	return Findings{
		Outcome: Outcome{!all.HasErrors()}, Issues: a.Located(all),
		Errors: len(all.With(issue.SeverityError)), Warnings: len(all.With(issue.SeverityWarning)),
	}
}

// Summary counts the findings.
func (f *Findings) Summary() string {
	return report.Summary{Errors: f.Errors, Warnings: f.Warnings}.Findings()
}

// Say prints a message on standard error. A terminal gets lines that fit, and programs whole ones.
func (c *Console) Say(format string, args ...any) {
	_, _ = fmt.Fprintln(c.Stderr, c.message(format, args...))
}

func (c *Console) message(format string, args ...any) string {
	text := wording.Printable(fmt.Sprintf(format, args...))
	if c.StderrTerminal {
		text = report.Wrap(text, c.ErrWidth())
	}
	return text
}

// PrintError prints an error on standard error.
func (c *Console) PrintError(format string, args ...any) {
	name := c.Root.Name() + ":"
	text := c.message(name+" "+format, args...)
	_, _ = fmt.Fprintln(c.Stderr, c.ErrStyle().Red(name)+strings.TrimPrefix(text, name))
}

// Printf prints on standard output.
func (c *Console) Printf(format string, args ...any) error {
	_, err := fmt.Fprintf(c.Stdout, format, args...)
	return err
}

// Table prints rows in columns, the first row being the heading.
func (c *Console) Table(rows [][]string) error {
	return c.Printf("%s", report.Table(rows, c.OutWidth()))
}

// PrintFindings prints the findings in a document on standard error, and ends the
// command if the document is invalid.
func (c *Console) PrintFindings(f report.File) error {
	r := &report.Report{Files: []report.File{f}}
	if len(f.Findings) > 0 {
		if err := report.Text(c.Stderr, r, &report.Options{Color: bool(c.ErrStyle()), Width: c.ErrExcerpt()}); err != nil {
			return err
		}
		c.Say("%s", r.Summary())
	}
	return FindingsError(r)
}

// FindingsError returns the error of a command that has written a report: what could not be read,
// ErrFindings or nil.
func FindingsError(r *report.Report) error {
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
		return ErrFindings
	}
	return nil
}

// WriteResult writes the result of a command to the file of --out, and says what it wrote, or to
// standard output. The description may be empty.
func (c *Console) WriteResult(typed string, content []byte, about string) error {
	if err := c.Write(typed, content); err != nil || typed == "" {
		return err
	}
	if about != "" {
		about = ": " + about
	}
	c.Say("Wrote %s%s.", typed, about)
	return nil
}

// Write writes to the file of --out, or to standard output if it is "".
func (c *Console) Write(typed string, content []byte) error {
	if typed == "" {
		_, err := c.Stdout.Write(content)
		return err
	}
	path := c.Path(typed)
	files.Sweep(filepath.Dir(files.ResolveLinks(path)))
	if err := files.Rewrite(path, content); err != nil {
		return fmt.Errorf("--out %s: %s", typed, wording.Reason(err))
	}
	return nil
}

// Progress begins to show how far some work is. It returns nil, which shows
// nothing, if standard error is not a terminal.
func (c *Console) Progress(what string) *progress.Bar {
	if !c.StderrTerminal {
		return nil
	}
	return progress.Start(c.Stderr, what, c.Now)
}

// OptionsCommand shows the global flags.
func (c *Console) OptionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "options",
		Short: "Show the flags of all commands: where schema versions come from",
		Long: `Show the flags of all commands that use schema versions. One of --schemas, --store and
--samples says where these come from. Without it, they come from the environment variable
DATACHAIN_STORE or DATACHAIN_SCHEMAS, else from the project file datachain.yaml, else
from the working directory if it is a schema source, else they are the samples.

Each flag has an environment variable, such as DATACHAIN_S3_REGION for --s3-region. Flags
override environment variables, and these override the project file. A command that
changes a store takes it from --store only.`,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return c.Printf("%s\n%s", report.Reflow(cmd.Long, c.HelpWidth()), usage.Global(cmd, c.HelpWidth()))
	}
	return cmd
}
