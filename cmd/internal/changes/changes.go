// Package changes reports what changed between two schema versions, and how the changes affect
// documents.
package changes

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/internal/wording"
)

// plain writes names for a terminal.
var plain = diff.Notation{Text: wording.Line, Code: wording.Line}

// printer prints changes with titles in a language.
type printer struct {
	*diff.Set
	b      strings.Builder
	locale string
	style  report.Style
}

// Write writes the changes for people: breaking ones first, then notable ones, then the others.
func Write(ctx context.Context, w io.Writer, s *diff.Set, locale string, style report.Style) error {
	p := &printer{Set: s, locale: locale, style: style}
	fmt.Fprintf(&p.b, "%s\n", style.Bold(s.Old.String()+" -> "+s.New.String()))
	breaking, notable, compatible := s.With(diff.Breaking), s.With(diff.Notable), s.With(diff.Compatible)
	p.section(ctx, style.Red(wording.Count(len(breaking), "breaking change")+": documents can become invalid"), breaking)
	p.section(ctx, style.Yellow(wording.Count(len(notable), "notable change")+": documents stay valid, but mean something else, or older ones can't follow"), notable)
	p.section(ctx, wording.Count(len(compatible), "compatible change"), compatible)
	if s.Empty() {
		fmt.Fprint(&p.b, "\nNo changes: the content is the same.\n")
	}
	_, err := io.WriteString(w, p.b.String())
	return errors.Join(err, ctx.Err())
}

func (p *printer) section(ctx context.Context, heading string, changes []diff.Change) {
	if len(changes) == 0 {
		return
	}
	fmt.Fprintf(&p.b, "\n%s\n", heading)
	for _, g := range p.Groups(changes) {
		fmt.Fprintf(&p.b, "\n  %s\n", p.style.Bold(p.Heading(g.Category, p.locale, plain)))
		for _, c := range g.Changes {
			if ctx.Err() != nil {
				return // the command ends with the error
			}
			p.change(c)
		}
	}
}

// change prints what has changed, its rule, the values, and the consequence if the
// heading does not say it.
func (p *printer) change(c *diff.Change) {
	fmt.Fprintf(&p.b, "    %s %s", p.sign(c.Kind), p.Describe(c, p.locale, plain))
	if c.Inherited > 0 {
		fmt.Fprintf(&p.b, " (inherited by %s)", wording.Count(c.Inherited, "element"))
	}
	p.values(c)
	if diff.HasConsequence(c) {
		fmt.Fprintf(&p.b, "        %s\n", wording.Line(c.Consequence))
	}
}

func (p *printer) sign(k diff.Kind) string {
	switch k {
	case diff.Added:
		return p.style.Green("+")
	case diff.Removed:
		return p.style.Red("-")
	case diff.Reordered:
		return p.style.Yellow("%")
	default:
		return p.style.Yellow("~")
	}
}

// valueWidth is how many characters of a value are shown at most.
const valueWidth = 70

// values prints the values of a change on its line, or a longer text with its changed
// words on the next one. Objects are left out. The rule ends the line.
func (p *printer) values(c *diff.Change) {
	before, after := []rune(wording.Line(string(c.Old))), []rune(wording.Line(string(c.New)))
	rule := p.style.Dim(" [" + string(c.Rule) + "]")
	words := c.Words()
	switch {
	case c.Kind == diff.Renamed:
		fmt.Fprintf(&p.b, ": %s -> %s%s\n", wording.Line(diff.Text(c.Old)), wording.Line(diff.Text(c.New)), rule)
	case len(c.Path) == 0, isObject(before) || isObject(after):
		fmt.Fprintln(&p.b, rule)
	case len(before) == 0:
		fmt.Fprintf(&p.b, ": %s%s\n", wording.Cut(string(after), valueWidth), rule)
	case len(after) == 0:
		fmt.Fprintf(&p.b, ": %s%s\n", wording.Cut(string(before), valueWidth), rule)
	case len(before)+len(after) <= valueWidth:
		fmt.Fprintf(&p.b, ": %s -> %s%s\n", string(before), string(after), rule)
	case words != nil:
		fmt.Fprintf(&p.b, "%s\n        %s\n", rule, Words(words, p.style))
	default:
		fmt.Fprintf(&p.b, "%s\n        %s %s\n        %s %s\n", rule,
			p.style.Red("-"), wording.Cut(string(before), valueWidth), p.style.Green("+"), wording.Cut(string(after), valueWidth))
	}
}

// Words marks what was removed and added in a text, as wdiff does.
func Words(spans []diff.Span, style report.Style) string {
	var b strings.Builder
	for i, s := range clipped(spans) {
		text := Line(s.Text)
		switch s.Kind {
		case diff.Removed:
			b.WriteString(style.Red("[-" + text + "-]"))
		case diff.Added:
			b.WriteString(style.Green("{+" + text + "+}"))
		default:
			if i == 0 {
				text = strings.TrimLeft(text, " ")
			}
			b.WriteString(text)
		}
	}
	return b.String()
}

// Line returns a text of several lines as one, with the breaks marked.
func Line(s string) string { return wording.Line(strings.ReplaceAll(s, "\n", "↵ ")) }

// clipped shortens long changes, and unchanged text to the words around the changes.
func clipped(spans []diff.Span) []diff.Span {
	const lead, longest = 30, 200
	short := make([]diff.Span, len(spans))
	for i, s := range spans {
		switch {
		case s.Kind != diff.Kept:
			s.Text = wording.Cut(s.Text, longest)
		case i == 0:
			s.Text = wording.Tail(s.Text, lead)
		case i == len(spans)-1:
			s.Text = wording.Cut(s.Text, lead)
		case utf8.RuneCountInString(s.Text) > 2*lead:
			s.Text = strings.TrimSuffix(wording.Cut(s.Text, lead), "…") + wording.Tail(s.Text, lead)
		}
		short[i] = s
	}
	return short
}

func isObject(text []rune) bool { return len(text) > 0 && text[0] == '{' }
