package main

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// The values of --format.
const (
	formatText   = "text"
	formatJSON   = "json"
	formatSARIF  = "sarif"
	formatGitHub = "github"
	formatHTML   = "html"
	formatSVG    = "svg"

	formatMarkdown = "md"
)

// formatFlag adds --format to a command. The first format is the default.
func formatFlag(cmd *cobra.Command, among ...string) *string {
	chosen := new(string)
	flags.Add(cmd, flags.New("format", "output format", flags.OneOf(chosen, among...).Default(among[0])))
	return chosen
}

// outFlag adds --out to a command that writes a file. It completes files with some extensions.
func outFlag(cmd *cobra.Command, extensions ...string) *string {
	out := new(string)
	flags.Add(cmd, flags.New("out", "write to this file instead of standard output", flags.File(out, extensions...).Letter("o")))
	return out
}

// dateFlag adds --date to a command.
func dateFlag(cmd *cobra.Command, usage string) *string {
	day := new(string)
	flags.Add(cmd, flags.New("date", usage, flags.Date(day)))
	return day
}

// switchFlag adds a flag without a value to a command.
func switchFlag(cmd *cobra.Command, name, usage string) *bool {
	on := new(bool)
	flags.Add(cmd, flags.New(name, usage, flags.Switch(on)))
	return on
}

// baseFlag adds --base-url to a command.
func baseFlag(cmd *cobra.Command, usage string) *string {
	base := new(string)
	flags.Add(cmd, flags.New("base-url", usage, flags.BaseURL(base)))
	return base
}

// againstFlag adds --against to a command that compares versions; see [program.openBaseline].
func againstFlag(cmd *cobra.Command) *string {
	against := new(string)
	flags.Add(cmd, flags.New("against", "version or store to compare with (default the last stable version, or the last one if none is stable)",
		flags.DirOr(against, "version|store", "a version or a store")))
	return against
}

// versionsFlag adds --schema-version to a command, which can be repeated.
func versionsFlag(cmd *cobra.Command, usage string, complete cobra.CompletionFunc) *[]string {
	versions := new([]string)
	flags.Add(cmd, flags.New(versionFlagName, usage, flags.Repeated(versions, flags.Version).Completed(complete)))
	return versions
}

// versionFlagName is the name of the flag for schema versions on every command.
const versionFlagName = "schema-version"

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

// amount is how many of some things are in a state.
type amount struct {
	n     int
	state string
}

// counted adds the counts that are not zero to a text: "3 documents published, 1 changed".
func counted(first string, more ...amount) string {
	for _, p := range more {
		if p.n > 0 {
			first += fmt.Sprintf(", %d %s", p.n, p.state)
		}
	}
	return first
}

// versionRow is a schema version in the output of several commands.
type versionRow struct {
	ID          taxonomy.Version `json:"id"`
	Status      taxonomy.Status  `json:"status"`
	ContentHash taxonomy.Hash    `json:"content_hash"`
	Aliases     []string         `json:"aliases"`
	Released    string           `json:"released,omitempty"`
	taxonomy.State
	Categories int `json:"categories"`
	Elements   int `json:"elements"`
	Symbols    int `json:"symbols"`
}

func newVersionRow(e taxonomy.Entry, r *taxonomy.Release) versionRow {
	return versionRow{
		ID: e.ID, Status: e.Status, ContentHash: e.ContentHash, Aliases: e.Aliases, Released: e.Released, State: e.State,
		Categories: len(r.Categories()), Elements: len(r.ElementIDs()), Symbols: len(r.SymbolIDs()),
	}
}

func (p *program) versionTable(rows []versionRow) error {
	text := [][]string{{"VERSION", "ELEMENTS", "HASH", "ALIASES"}}
	for _, r := range rows {
		text = append(text, []string{r.ID.String(), fmt.Sprint(r.Elements), shortHash(r.ContentHash), strings.Join(r.Aliases, " ")})
	}
	return p.table(text)
}

// shortHash returns enough of a hash to tell two apart by eye.
func shortHash(h taxonomy.Hash) string { return hex.EncodeToString(h[:6]) }

// When the progress line appears, and how often it is redrawn.
const (
	progressAfter = 300 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

// progress shows on a terminal how far some work is, on a line that is removed in
// the end. Short work shows nothing.
type progress struct {
	w    io.Writer
	what string
	now  func() time.Time

	mu    sync.Mutex
	next  time.Time // when to draw
	drawn bool
}

// progress begins to show how far some work is. It returns nil, which shows
// nothing, if standard error is not a terminal.
func (p *program) progress(what string) *progress {
	if !p.stderrTerminal {
		return nil
	}
	return &progress{w: p.stderr, what: what, now: p.now, next: p.now().Add(progressAfter)}
}

// each calls do for each of n parts of some work at once, and shows how far it is. It returns when
// ctx ends: a part may be standard input, which may never end.
func (p *program) each(ctx context.Context, what string, n int, do func(i int) error) error {
	bar := p.progress(what)
	defer bar.end()
	var done atomic.Int64
	_, err := await(ctx, func() (any, error) {
		return nil, parallel.Each(ctx, runtime.GOMAXPROCS(0), n, func(_, i int) error {
			defer func() { bar.update(int(done.Add(1)), n) }()
			return do(i)
		})
	})
	return err
}

// update says how much of the work is done.
func (p *progress) update(done, total int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now()
	if now.Before(p.next) {
		return
	}
	p.drawn, p.next = true, now.Add(progressEvery)
	_, _ = fmt.Fprintf(p.w, "\r\x1b[K%s: %d of %d", p.what, done, total)
}

// end removes the line.
func (p *progress) end() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.drawn {
		_, _ = fmt.Fprint(p.w, "\r\x1b[K")
	}
	p.next = p.next.AddDate(1, 0, 0) // work that was abandoned may still report
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

// codesUsage is the usage of --base-url for commands that write reports.
const codesUsage = "link findings to the pages of a server that explain their codes"

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
