package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register/export"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// diffAnswer is the output of `datachain schema diff --format json`.
type diffAnswer struct {
	// OK reports whether no change is breaking.
	OK         bool `json:"ok"`
	Breaking   int  `json:"breaking"`
	Notable    int  `json:"notable"`
	Compatible int  `json:"compatible"`
	// Warnings is how many of the compatible changes give documents a warning.
	Warnings int `json:"warnings"`
	*diff.Report
}

func (p *program) diffCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff OLD NEW",
		Short: "Show the changes between two versions",
		Long: `Show the changes between two versions, and what they mean for documents that move from
the old version to the new one. A change is breaking if it can make such a document
invalid, notable if documents stay valid but mean something else, or those of older
versions can no longer follow, and compatible otherwise. Documents name elements, not
categories: renaming a category is not breaking. Each change has the id of the rule that
judged it, in brackets.

OLD and NEW are version ids or aliases; see --schemas and --store. With --format md
the output is release notes.

With --documents, validate documents that pin OLD as they are and as if they pinned NEW,
and report how many become invalid, by which change and where, and how many stay valid
but mean something else. Documents can be thin or resolved.

The exit code is 1 if there are breaking changes, or with --documents, if a document
becomes invalid.`,
		Example: `  datachain schema diff ai@latest ai@latest-beta
  datachain schema diff ai@2026-09-01-stable ai@2026-11-01-beta --schemas schemas
  datachain schema diff ai@latest ai@latest-beta --format md --locale fr
  datachain schema diff ai@latest ai@latest-beta --documents documents`,
	}
	format := formatFlag(cmd, formatText, formatJSON, formatMarkdown)
	locale := localeFlag(cmd, "language of titles, such as fr or pt-BR (default the first one of the version)")
	var documents []string
	flags.Add(cmd, flags.New("documents", "file or directory of documents to judge; can be repeated", flags.Repeated(&documents, func(at *string) *flags.Value { return flags.DirOr(at, "file|dir", "a file or a directory") })))
	p.reads(cmd)
	cmd.ValidArgsFunction = p.completeVersions(2)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(documents) > 0 && *format == formatMarkdown {
			return badUsage(cmd, "--documents requires --format text or json")
		}
		changes, err := p.diff(cmd.Context(), args[0], args[1], *locale)
		if err != nil {
			return err
		}
		if len(documents) > 0 {
			answer, err := p.effect(cmd, changes, documents)
			if err != nil {
				return err
			}
			return p.answer(*format, answer, answer.OK, func() error { return p.writeEffect(changes, answer) })
		}
		r := changes.Report
		answer := diffAnswer{
			Breaking: len(r.With(diff.Breaking)), Notable: len(r.With(diff.Notable)), Compatible: len(r.With(diff.Compatible)), Warnings: len(r.Warnings()),
			Report: r, OK: len(r.With(diff.Breaking)) == 0,
		}
		return p.answer(*format, answer, answer.OK, func() error {
			if *format == formatMarkdown {
				return changes.WriteNotes(cmd.Context(), p.stdout, &changes.NotesOptions)
			}
			return writeChanges(cmd.Context(), p.stdout, p.outStyle(), changes)
		})
	}
	return cmd
}

// diff compares two versions.
func (p *program) diff(ctx context.Context, before, after, locale string) (*changeSet, error) {
	schemas, err := p.open(ctx)
	if err != nil {
		return nil, err
	}
	older, err := schemas.Open(ctx, before)
	if err != nil {
		return nil, err
	}
	newer, err := schemas.Open(ctx, after)
	if err != nil {
		return nil, err
	}
	if a, b := older.Release().Version(), newer.Release().Version(); a.Type() != b.Type() {
		return nil, advise(fmt.Errorf("%s and %s are versions of different datachain types, so they can't be compared", a, b), "Name two versions of "+b.Type()+".")
	}
	if locale, err = newer.MatchLocale(locale); err != nil {
		return nil, err
	}
	x, err := schemas.Versions(ctx)
	if err != nil {
		return nil, err
	}
	entry, _ := x.Lookup(newer.Release().Version().Ref())
	report, err := diff.Compare(older.Release(), newer.Release(), &diff.Options{Interrupt: ctx.Err, Between: schemas.Between(ctx, older.Release(), newer.Release())})
	if err != nil {
		return nil, err
	}
	return &changeSet{
		Set:    diff.NewSet(older.Release(), newer.Release(), report),
		before: older.Release(), after: newer.Release(), NotesOptions: diff.NotesOptions{Locale: locale, Released: entry.Released},
	}, nil
}

// effectAnswer is the output of `datachain schema diff --documents --format json`.
type effectAnswer struct {
	// OK reports whether no document becomes invalid.
	OK        bool             `json:"ok"`
	Old       taxonomy.Version `json:"old"`
	New       taxonomy.Version `json:"new"`
	Documents effectCounts     `json:"documents"`
	// Changes are those that have an effect on one of the documents.
	Changes []effectChange `json:"changes"`
	// Files are the documents with an effect, and those without a verdict.
	Files []effectFile `json:"files"`
}

// effectCounts counts documents by outcome.
type effectCounts struct {
	Total         int `json:"total"`
	Invalid       int `json:"invalid"`
	Altered       int `json:"altered"`
	Warned        int `json:"warned"`
	Unaffected    int `json:"unaffected"`
	InvalidBefore int `json:"invalid_before"`
	Skipped       int `json:"skipped"`
}

// effectChange is a change and how many documents and places it concerns.
type effectChange struct {
	diff.Change
	Documents int `json:"documents"`
	Places    int `json:"places"`

	outcome diff.Outcome
	sightings
}

// sightings are the documents and places in which something was found.
type sightings struct {
	documents, places int
	last              string
	shown             []string
}

// maxShown is how many documents of many are named.
const maxShown = 3

// add counts a place. The places of a document follow one another.
func (s *sightings) add(file string, at issue.Position) {
	s.places++
	if file == s.last && s.documents > 0 {
		return
	}
	s.documents, s.last = s.documents+1, file
	if len(s.shown) < maxShown {
		s.shown = append(s.shown, at.String())
	}
}

func (s *sightings) count() string {
	text := wording.Count(s.documents, "document")
	if s.places > s.documents {
		text += ", " + wording.Count(s.places, "place")
	}
	return text
}

// examples names the first documents.
func (s *sightings) examples() string {
	text := strings.Join(s.shown, ", ")
	if more := s.documents - len(s.shown); more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return wording.Line(text)
}

// effectFile is a document and what happens to it.
type effectFile struct {
	File    string        `json:"file"`
	Outcome diff.Outcome  `json:"outcome"`
	Reason  string        `json:"reason,omitempty"`
	Places  []effectPlace `json:"places,omitempty"`
	// Findings are errors that no change explains.
	Findings issue.Issues `json:"findings,omitempty"`
}

// effectPlace is a place of a document that a change concerns.
type effectPlace struct {
	Rule diff.RuleID `json:"rule"`
	// Subject, ID and Field are those of the change.
	Subject diff.Subject `json:"subject"`
	ID      string       `json:"id,omitempty"`
	Field   issue.Path   `json:"field"`
	// Path is the place in the document.
	Path   issue.Path `json:"path"`
	Line   int        `json:"line"`
	Column int        `json:"column"`

	change int
}

// effect finds out what the changes do to documents.
func (p *program) effect(cmd *cobra.Command, changes *changeSet, typed []string) (*effectAnswer, error) {
	docs, err := p.documents(cmd, typed)
	if err != nil {
		return nil, err
	}
	judge := diff.NewJudge(changes.before, changes.after, changes.Report)
	files := make([]effectFile, len(docs))
	err = p.each(cmd.Context(), "judging", len(docs), func(i int) (err error) {
		files[i], err = p.effectOn(judge, docs[i])
		return err
	})
	if err != nil {
		return nil, err
	}
	return newEffectAnswer(judge.Report(), files), nil
}

// effectOn judges one document. That it can't be read is a reason to skip it.
func (p *program) effectOn(judge *diff.Judge, in input) (effectFile, error) {
	f := effectFile{File: filepath.ToSlash(in.name), Outcome: diff.Skipped}
	read, err := p.read(in)
	if err != nil {
		f.Reason = err.Error()
		return f, nil //nolint:nilerr // it is the reason
	}
	doc, err := document.Parse(read.Text)
	if err != nil {
		f.Reason = "it is not valid JSON: " + err.Error()
		return f, nil //nolint:nilerr // it is the reason
	}
	effect, err := judge.Document(doc)
	if err != nil {
		return f, err
	}
	f.Outcome, f.Reason = effect.Outcome, effect.Reason
	for _, hit := range effect.Hits {
		c := &judge.Report().Changes[hit.Change]
		for _, at := range hit.Places {
			point := validate.Mark(doc, issue.Issue{Path: at}).Start
			f.Places = append(f.Places, effectPlace{Rule: c.Rule, Subject: c.Subject, ID: c.ID, Field: c.Path, Path: at, Line: point.Line, Column: point.Column, change: hit.Change})
		}
	}
	if len(effect.Hits) == 0 && effect.Outcome == diff.Invalid {
		f.Findings = effect.Findings
	}
	return f, nil
}

// newEffectAnswer counts what happens to documents.
func newEffectAnswer(r *diff.Report, files []effectFile) *effectAnswer {
	a := &effectAnswer{Old: r.Old, New: r.New, Changes: []effectChange{}, Files: []effectFile{}, Documents: effectCounts{Total: len(files)}}
	byChange := make(map[int]*effectChange)
	for i := range files {
		f := &files[i]
		*a.Documents.of(f.Outcome)++
		if f.Outcome != diff.Unaffected {
			a.Files = append(a.Files, *f)
		}
		for _, place := range f.Places {
			c := byChange[place.change]
			if c == nil {
				c = &effectChange{Change: r.Changes[place.change], outcome: f.Outcome}
				byChange[place.change] = c
			}
			c.add(f.File, issue.Position{File: f.File, Line: place.Line, Column: place.Column})
			c.Documents, c.Places = c.documents, c.places
		}
	}
	for i := range r.Changes {
		if c := byChange[i]; c != nil {
			a.Changes = append(a.Changes, *c)
		}
	}
	a.OK = a.Documents.Invalid == 0
	return a
}

// of returns the number of documents with an outcome.
func (n *effectCounts) of(o diff.Outcome) *int {
	return map[diff.Outcome]*int{
		diff.Invalid: &n.Invalid, diff.Altered: &n.Altered, diff.Warned: &n.Warned,
		diff.Unaffected: &n.Unaffected, diff.InvalidBefore: &n.InvalidBefore, diff.Skipped: &n.Skipped,
	}[o]
}

// writeEffect prints what happens to documents, by change.
func (p *program) writeEffect(s *changeSet, a *effectAnswer) error {
	printer := &changePrinter{changeSet: s, style: p.outStyle()}
	b, n, style := &printer.b, &a.Documents, printer.style
	fmt.Fprintf(b, "%s: %s\n", style.Bold(a.Old.String()+" -> "+a.New.String()), wording.Count(n.Total, "document"))
	for _, part := range []struct {
		outcome diff.Outcome
		heading string
	}{
		{diff.Invalid, style.Red("Become invalid")},
		{diff.Altered, style.Yellow("Stay valid, but mean something else")},
		{diff.Warned, style.Yellow("Stay valid, but get a warning")},
		{diff.Unaffected, "Stay valid and mean the same"},
		{diff.InvalidBefore, "Invalid already (see 'datachain validate')"},
		{diff.Skipped, "Skipped"},
	} {
		number := *n.of(part.outcome)
		if number == 0 {
			continue
		}
		fmt.Fprintf(b, "\n%s: %d\n", part.heading, number)
		for i := range a.Changes {
			if c := &a.Changes[i]; c.outcome == part.outcome {
				printer.effect(c)
			}
		}
		printer.effectFiles(a, part.outcome)
	}
	return p.printf("%s", b.String())
}

// effect prints a change with the documents that it concerns.
func (p *changePrinter) effect(c *effectChange) {
	fmt.Fprintf(&p.b, "\n  %s %s %s\n", p.sign(c.Kind), wording.Line(p.full(&c.Change)), p.style.Dim("["+string(c.Rule)+"]"))
	fmt.Fprintf(&p.b, "      %s: %s\n", c.count(), wording.Line(c.Consequence))
	fmt.Fprintf(&p.b, "      %s\n", c.sightings.examples())
}

// full returns the part and the field that a change is about, with the category.
func (s *changeSet) full(c *diff.Change) string {
	heading := s.heading(s.CategoryOf(c))
	if c.Subject == diff.Category && len(c.Path) == 0 {
		return heading
	}
	return heading + ": " + s.what(c)
}

// maxReasons is how many reasons are printed for people.
const maxReasons = 10

// effectFiles prints the documents that no change explains: by the reason why they
// were skipped, or by the finding.
func (p *changePrinter) effectFiles(a *effectAnswer, outcome diff.Outcome) {
	var reasons []string
	found := make(map[string]*sightings)
	for _, f := range a.Files {
		reason := f.Reason
		if len(f.Findings) > 0 {
			reason = string(f.Findings[0].Code) + ": " + f.Findings[0].Message
		}
		if f.Outcome != outcome || reason == "" && outcome != diff.InvalidBefore {
			continue
		}
		if found[reason] == nil {
			reasons, found[reason] = append(reasons, reason), new(sightings)
		}
		found[reason].add(f.File, issue.Position{File: f.File})
	}
	for i, reason := range reasons {
		if i == maxReasons {
			fmt.Fprintf(&p.b, "  and %s; see --format json\n", wording.Count(len(reasons)-i, "other reason"))
			return
		}
		line := found[reason].examples()
		if reason != "" {
			line += ": " + reason
		}
		fmt.Fprintf(&p.b, "  %s\n", wording.Line(line))
	}
}

func (p *program) compareCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare FILE FILE...",
		Short: "Show documents side by side",
		Long: `Show two to six datachain documents, thin or resolved, side by side: the points of their
summaries and, if all have the same datachain type, what they place in each category.
Documents of different versions are compared by the successors of their elements.

Use 'datachain schema diff' for versions of a taxonomy.`,
		Example: `  datachain compare north.json south.json -o board.html
  datachain compare north.json south.json --format md`,
		Args:              takes(2, slices.Repeat([]string{"FILE"}, export.MaxBoard)...),
		ValidArgsFunction: completeJSON,
	}
	p.reads(cmd)
	out, format := outFlag(cmd, "html"), formatFlag(cmd, export.BoardFormats()...)
	locale := localeFlag(cmd, "language of the board (default the first one of the taxonomy)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		schemas, err := p.open(cmd.Context())
		if err != nil {
			return err
		}
		var list []*datachain.Presentation
		for _, typed := range args {
			_, shown, err := p.present(cmd.Context(), schemas, typed)
			if err != nil {
				return err
			}
			list = append(list, shown)
		}
		board, err := export.NewBoard(list, *locale, nil)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := board.Write(&b, *format); err != nil {
			return err
		}
		return p.writeResult(*out, b.Bytes(), fmt.Sprintf("%s side by side, language %s", wording.Count(len(list), "document"), board.Locale))
	}
	return cmd
}
