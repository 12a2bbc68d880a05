package main

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/evolution/upgrade"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// upgradeOptions are the flags of `datachain upgrade`.
type upgradeOptions struct {
	format *string
	to     string
	datachain.UpgradeOptions
	// write changes the files, unfinished also those with gaps.
	write, unfinished bool
	replace           replaceFlags
}

func (p *program) upgradeCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "upgrade [FILE|DIR|-]... --to VERSION",
		Short: "Move datachain documents to another schema version",
		Long: `Move datachain documents to another version of their schema, usually a newer one:
pin it, replace removed elements with their successors, follow renamed variables,
options and context values, and add variables that are now required as gaps. Nothing
else in a document changes, and no content is invented.

FILE is a document, DIR stands for every .json file below it, and - for standard input.
The default is the documents of the project file, datachain.yaml.
Documents of other datachain types are skipped. Without --write nothing is changed: the
output is a diff and a report of what was done, what to review, what needs a decision, and
what cannot be done. If there are more than 20 documents, the report is grouped, without
diffs. With --write and -, the new document is written to standard output and the report
to standard error.

A resolved document is resolved again if it is valid, and becomes thin otherwise.
--write changes documents that are finished: nothing in them needs a decision, and
resolved ones stay resolved. Use --unfinished to change the others as well.

The exit code is 1 if something needs a decision or cannot be done. It is 2 if a file can't
be read or written.`,
		Example: `  datachain upgrade chain.json --to ai@latest
  datachain upgrade documents --to ai@latest --write
  datachain upgrade documents --to ai@latest --drop --format json
  datachain upgrade - --to ai@latest --write < chain.json > next.json`,
		ValidArgsFunction: completeJSON,
	}
	p.reads(cmd)
	o := &upgradeOptions{format: formatFlag(cmd, formatText, formatJSON)}
	flags.Add(cmd,
		flags.New("to", "version to move to, such as ai@latest", flags.Version(&o.to).Completed(p.completeVersions(-1))),
		flags.New("from", "version to move from (default the one that a document pins)", flags.Version(&o.From).Completed(p.completeVersions(-1))),
		flags.New("drop", "drop what no longer exists and has no successor; the report quotes it", flags.Switch(&o.Drop)),
		flags.New("write", "change the files of finished documents", flags.Switch(&o.write)),
		flags.New("unfinished", "with --write, also change documents with gaps", flags.Switch(&o.unfinished)),
	)
	flags.Require(cmd, "to")
	flags.Needs(cmd, "unfinished", "write")
	o.replace.add(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return p.upgrade(cmd, args, o) }
	return cmd
}

func (o *upgradeOptions) check(cmd *cobra.Command, docs []input) error {
	if len(docs) == 1 || !o.write {
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
	ctx := cmd.Context()
	schemas, err := p.open(ctx)
	if err != nil {
		return err
	}
	to, err := schemas.Open(ctx, o.to)
	if err != nil {
		return err
	}
	if o.From != "" {
		if _, err := schemas.Open(ctx, o.From); err != nil {
			return err
		}
	}
	run := &upgradeRun{program: p, opts: o, to: to, docs: docs, detailed: len(docs) <= maxDetailed}
	run.summary.Files = len(docs)
	out, style := p.stdout, p.outStyle()
	if run.filters() && *o.format == formatText {
		out, style = p.stderr, p.errStyle()
	}
	run.out, run.style = bufio.NewWriter(out), style
	bar := p.progress("upgrading")
	defer bar.end()
	var done atomic.Int64
	// Standard input may never end.
	_, err = await(ctx, func() (any, error) {
		return nil, parallel.InOrder(ctx, runtime.GOMAXPROCS(0), len(docs), func(i int) *upgradedFile {
			defer func() { bar.update(int(done.Add(1)), len(docs)) }()
			return run.upgrade(ctx, docs[i])
		}, func(_ int, f *upgradedFile) error { return run.add(f) })
	})
	if err != nil {
		return err
	}
	return run.end()
}

// maxDetailed is how many documents the report for people shows one by one.
const maxDetailed = 20

// upgradeRun upgrades documents, and reports each when its turn comes: no run has all of
// them in memory.
type upgradeRun struct {
	*program
	opts  *upgradeOptions
	to    *datachain.Schema
	docs  []input
	swept sweeper

	out      *bufio.Writer
	style    report.Style
	detailed bool // the report for people shows documents one by one

	listed  int // files in the JSON list
	summary upgradeSummary
	groups  map[upgrade.Class]*entryGroups
	failed  []error // the first ones
	skipped error   // the first one
}

// filters reports whether standard input becomes standard output.
func (r *upgradeRun) filters() bool { return r.opts.write && r.docs[0].path == "" }

// upgradedFile is a document and what became of it, as `--format json` reports it.
type upgradedFile struct {
	File string `json:"file"`
	OK   bool   `json:"ok"`
	// Written reports whether the file was changed.
	Written bool            `json:"written"`
	Report  *upgrade.Report `json:"report,omitempty"`
	// Diff and Text are what changed and the new document, if it changed.
	Diff    string `json:"diff,omitempty"`
	Text    string `json:"text,omitempty"`
	Skipped string `json:"skipped,omitempty"`
	Error   string `json:"error,omitempty"`

	err  error
	held bool // not written, because it is not finished
}

// upgradeSummary counts documents, and the entries of their reports.
type upgradeSummary struct {
	Files int `json:"files"`
	// Changed documents have another text, Open ones need a decision.
	Changed    int            `json:"changed"`
	Written    int            `json:"written"`
	Open       int            `json:"open"`
	Skipped    int            `json:"skipped,omitempty"`
	Unreadable int            `json:"unreadable,omitempty"`
	Entries    upgrade.Counts `json:"entries"`

	held int
}

// upgrade reads and upgrades a document and, with --write, replaces it.
func (r *upgradeRun) upgrade(ctx context.Context, d input) *upgradedFile {
	f := &upgradedFile{File: filepath.ToSlash(d.name)}
	read, err := r.read(d)
	if err != nil {
		return f.fail(err)
	}
	result, err := r.to.Upgrade(ctx, read.Text, &r.opts.UpgradeOptions)
	if errors.Is(err, upgrade.ErrAnotherType) {
		f.err = readable(err)
		f.OK, f.Skipped = true, f.err.Error()
		return f
	}
	if e, ok := errors.AsType[*datachain.Error](err); ok && e.Kind == datachain.KindSyntax {
		finding, _ := e.Finding()
		err = fmt.Errorf("%d:%d: %s", finding.Span.Start.Line, finding.Span.Start.Column, lowerFirst(strings.TrimSuffix(finding.Message, ".")))
	}
	if err != nil {
		return f.fail(err)
	}
	f.OK, f.Report = result.OK(), &result.Report
	if !f.Report.Changed {
		if r.filters() {
			f.Text = string(read.Text)
		}
		return f
	}
	text := result.Document.Text()
	thinned := func(e upgrade.ReportEntry) bool { return e.Kind == "written_thin" }
	switch {
	case !r.opts.write:
	case !r.opts.unfinished && (!f.OK || slices.ContainsFunc(f.Report.Entries, thinned)):
		f.held = true
	case d.path != "":
		r.swept.sweep(d.path)
		if err := d.replace(read, text, r.opts.replace); err != nil {
			return (&upgradedFile{File: f.File}).fail(err)
		}
		f.Written = true
	}
	if r.json() || r.filters() {
		f.Text = string(text)
	}
	switch long := func(line []byte) bool { return len(line) > maxDiffLine }; {
	case r.json():
		f.Diff = report.Diff(f.File, read.Text, text, false)
	case r.opts.write && !f.held || !r.detailed:
	case slices.ContainsFunc(bytes.Split(text, []byte("\n")), long):
		f.Diff = wording.Line(f.File) + " changes; its lines are too long for a diff\n"
	default:
		f.Diff = report.Diff(f.File, read.Text, text, r.style)
	}
	return f
}

// maxDiffLine is the longest line of a diff that people can read.
const maxDiffLine = 2000

func (f *upgradedFile) fail(err error) *upgradedFile {
	f.err = readable(err)
	f.Error = f.err.Error()
	return f
}

// lowerFirst makes the beginning of a sentence that of an error.
func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// add reports a document.
func (r *upgradeRun) add(f *upgradedFile) error {
	s := &r.summary
	switch {
	case f.Skipped != "":
		s.Skipped++
		if r.skipped == nil {
			r.skipped = fmt.Errorf("%s: %w", f.File, f.err)
		}
	case f.err != nil:
		if s.Unreadable++; s.Unreadable <= maxFailed {
			r.failed = append(r.failed, fmt.Errorf("%s: %w", f.File, f.err))
		}
	default:
		counts := f.Report.Counts
		s.Entries.Done += counts.Done
		s.Entries.Review += counts.Review
		s.Entries.NeedsPerson += counts.NeedsPerson
		s.Entries.Cannot += counts.Cannot
		s.Changed += count(f.Report.Changed)
		s.Written += count(f.Written || f.Report.Changed && r.filters() && !f.held)
		s.Open += count(!f.OK)
		s.held += count(f.held)
	}
	if r.json() {
		return r.addJSON(f)
	}
	if f.Report == nil {
		return nil
	}
	if r.filters() && !f.held {
		if _, err := io.WriteString(r.stdout, f.Text); err != nil {
			return err
		}
	}
	if r.detailed {
		r.print(f)
	} else {
		r.group(f)
	}
	return nil
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// maxFailed is how many files that can't be read or written are listed in the end.
const maxFailed = 50

// end completes the report, and returns how the command ends.
func (r *upgradeRun) end() error {
	s := &r.summary
	ok := s.Open+s.Unreadable == 0
	switch {
	case r.json():
		r.endJSON(ok)
	case s.Skipped == s.Files:
		return r.skipped
	default:
		r.printGroups()
		_, _ = fmt.Fprintln(r.out, s.line(r.opts.write))
		switch {
		case s.held > 0:
			_, _ = fmt.Fprintf(r.out, "%s not written; use --unfinished to write documents with gaps\n", wording.Count(s.held, "unfinished document"))
		case s.Changed > 0 && !r.opts.write:
			_, _ = fmt.Fprintln(r.out, "nothing was written; use --write to change the files")
		}
	}
	if err := r.out.Flush(); err != nil {
		return err
	}
	switch {
	case s.Skipped == s.Files:
		return r.skipped
	case s.Unreadable > maxFailed:
		return errors.Join(append(r.failed, fmt.Errorf("and %s", wording.Count(s.Unreadable-maxFailed, "more file")))...)
	case s.Unreadable > 0:
		return errors.Join(r.failed...)
	case !ok:
		return errFindings
	}
	return nil
}

func (r *upgradeRun) json() bool { return *r.opts.format == formatJSON }

// addJSON writes an item of the list of files.
func (r *upgradeRun) addJSON(f *upgradedFile) error {
	separator := ",\n    "
	if r.listed++; r.listed == 1 {
		separator = "{\n  \"files\": [\n    "
	}
	_, _ = r.out.WriteString(separator) // its errors are kept
	return r.writeJSON(f, "    ")
}

// endJSON writes what is only known in the end.
func (r *upgradeRun) endJSON(ok bool) {
	_, _ = r.out.WriteString("\n  ],\n  \"summary\": ")
	_ = r.writeJSON(&r.summary, "  ")
	_, _ = fmt.Fprintf(r.out, ",\n  \"ok\": %t\n}\n", ok)
}

func (r *upgradeRun) writeJSON(v any, indent string) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent(indent, "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := r.out.Write(bytes.TrimSuffix(b.Bytes(), []byte("\n")))
	return err
}

// print prints what became of a document: the diff unless the file was changed, then the
// entries of its report.
func (r *upgradeRun) print(f *upgradedFile) {
	if !f.Report.Changed && len(f.Report.Entries) == 0 {
		return
	}
	_, _ = r.out.WriteString(f.Diff) // its errors are kept
	for i := range f.Report.Entries {
		if e := &f.Report.Entries[i]; e.Kind != "repinned" || f.Diff == "" { // the diff shows it
			r.printEntry(f, e)
		}
	}
	_, _ = r.out.WriteString("\n")
}

func (r *upgradeRun) printEntry(f *upgradedFile, e *upgrade.ReportEntry) {
	place := issue.Position{File: f.File, Line: e.Position.Line, Column: e.Position.Column}
	_, _ = fmt.Fprintf(r.out, "%s %s %s %s\n", r.style.Bold(wording.Line(place.String())+":"), classStyle(r.style, e.Class)+":", wording.Line(e.Message), r.style.Dim("["+label(e)+"]"))
	if e.FixHint != "" {
		_, _ = fmt.Fprintf(r.out, "  hint: %s\n", wording.Line(e.FixHint))
	}
}

// label returns the kind of an entry, or the code of a finding.
func label(e *upgrade.ReportEntry) string {
	if e.Kind == "finding" {
		return string(e.Code)
	}
	return string(e.Kind)
}

// classStyle returns the name of a class for people.
func classStyle(s report.Style, c upgrade.Class) string {
	switch c {
	case upgrade.Cannot:
		return s.Red("cannot")
	case upgrade.NeedsPerson:
		return s.Red("needs a decision")
	case upgrade.Review:
		return s.Yellow("review")
	}
	return s.Green("done")
}

// entryGroups are the entries of a class that say the same, in the order in which the
// first of each was found.
type entryGroups struct {
	list  []*entryGroup
	known map[[2]string]*entryGroup // by label and message
	more  int                       // entries of further groups
}

type entryGroup struct {
	upgrade.ReportEntry
	sightings
}

// Bounds of a grouped report: how many groups of a class are counted, and printed.
const (
	maxGroups      = 1000
	maxGroupsShown = 20
)

// group counts the entries of a document. What was dropped from a file is printed, since
// the report is the last place that has it.
func (r *upgradeRun) group(f *upgradedFile) {
	if r.groups == nil {
		r.groups = make(map[upgrade.Class]*entryGroups)
	}
	for i := range f.Report.Entries {
		e := &f.Report.Entries[i]
		if f.Written && e.Path == nil {
			r.printEntry(f, e)
			continue
		}
		groups := r.groups[e.Class]
		if groups == nil {
			groups = &entryGroups{known: make(map[[2]string]*entryGroup)}
			r.groups[e.Class] = groups
		}
		key := [2]string{label(e), e.Message}
		g := groups.known[key]
		switch {
		case g == nil && len(groups.list) == maxGroups:
			groups.more++
			continue
		case g == nil:
			g = &entryGroup{ReportEntry: *e}
			groups.known[key], groups.list = g, append(groups.list, g)
		}
		g.add(f.File, issue.Position{File: f.File, Line: e.Position.Line, Column: e.Position.Column})
	}
}

// printGroups prints the entries by class, those that concern most documents first.
func (r *upgradeRun) printGroups() {
	for _, class := range []upgrade.Class{upgrade.Cannot, upgrade.NeedsPerson, upgrade.Review, upgrade.Done} {
		groups := r.groups[class]
		if groups == nil {
			continue
		}
		_, _ = fmt.Fprintf(r.out, "%s:\n", classStyle(r.style, class))
		slices.SortStableFunc(groups.list, func(a, b *entryGroup) int { return cmp.Compare(b.documents, a.documents) })
		for i, g := range groups.list {
			if i == maxGroupsShown {
				for _, rest := range groups.list[i:] {
					groups.more += rest.places
				}
				break
			}
			_, _ = fmt.Fprintf(r.out, "  %s %s\n      %s: %s\n", wording.Line(g.Message), r.style.Dim("["+label(&g.ReportEntry)+"]"), g.count(), g.examples())
			if g.FixHint != "" {
				_, _ = fmt.Fprintf(r.out, "      hint: %s\n", wording.Line(g.FixHint))
			}
		}
		if groups.more > 0 {
			_, _ = fmt.Fprintf(r.out, "  and %d more; see --format json\n", groups.more)
		}
		_, _ = r.out.WriteString("\n")
	}
}

// line returns the summary on one line.
func (s *upgradeSummary) line(wrote bool) string {
	changed := amount{s.Changed, "changed"}
	if wrote {
		changed = amount{s.Written, "written"}
	}
	line := counted(wording.Count(s.Files, "file"), changed, amount{s.Open, "not finished"},
		amount{s.Skipped, "of other datachain types skipped"}, amount{s.Unreadable, "unreadable"})
	entries := strings.TrimPrefix(counted("", amount{s.Entries.Done, "done"}, amount{s.Entries.Review, "to review"},
		amount{s.Entries.NeedsPerson, "need a decision"}, amount{s.Entries.Cannot, "unresolved"}), ", ")
	return line + ": " + cmp.Or(entries, "nothing to do")
}
