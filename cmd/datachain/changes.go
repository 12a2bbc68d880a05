package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/datachain-go/datachain/internal/ansi"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/diff"
)

// changePrinter prints the changes between two versions.
type changePrinter struct {
	b     strings.Builder
	style ansi.Style
}

// writeChanges prints breaking changes first, then notable ones, then the others.
func writeChanges(w io.Writer, style ansi.Style, r *diff.Report) error {
	p := &changePrinter{style: style}
	fmt.Fprintf(&p.b, "%s\n", style.Bold(r.Old.String()+" -> "+r.New.String()))
	var others []diff.Change
	for _, c := range r.Changes {
		if c.Reason == "" {
			others = append(others, c)
		}
	}
	breaking, notable, warnings := r.Breaking(), r.Notable(), r.Warnings()
	rest := prose.Count(len(others), "other change")
	if len(others) == len(r.Changes) {
		rest = prose.Count(len(others), "change") + ", not breaking"
	}
	p.section(style.Red(prose.Count(len(breaking), "breaking change")), breaking)
	p.section(style.Yellow(prose.Count(len(notable), "notable change")+": documents stay valid, but mean something else"), notable)
	p.section(style.Yellow(prose.Count(len(warnings), "change")+" with a warning"), warnings)
	p.section(rest, others)
	if r.Empty() {
		fmt.Fprint(&p.b, "\nNo changes: the content is the same.\n")
	}
	_, err := io.WriteString(w, p.b.String())
	return err
}

func (p *changePrinter) section(heading string, changes []diff.Change) {
	if len(changes) == 0 {
		return
	}
	fmt.Fprintf(&p.b, "\n%s\n", heading)
	for _, c := range changes {
		p.change(&c)
	}
}

// change prints what has changed, the values, and the reason if there is one that the
// heading does not give.
func (p *changePrinter) change(c *diff.Change) {
	what := string(c.Subject)
	if c.ID != "" {
		what += " " + c.ID
	}
	if len(c.Path) > 0 {
		what += ": " + c.Path.String()
	}
	fmt.Fprintf(&p.b, "  %s %s", p.sign(c.Kind), prose.Printable(what))
	if c.Inherited > 0 {
		fmt.Fprintf(&p.b, " (inherited by %s)", prose.Count(c.Inherited, "element"))
	}
	p.values(c)
	if c.Reason != "" && !c.Notable {
		fmt.Fprintf(&p.b, "      %s\n", c.Reason)
	}
}

func (p *changePrinter) sign(k diff.Kind) string {
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

// valueWidth is the most characters of a value that are shown.
const valueWidth = 70

// values prints the values of a change on its line, or two long ones on lines of
// their own. Objects are left out.
func (p *changePrinter) values(c *diff.Change) {
	before, after := []rune(prose.Printable(string(c.Old))), []rune(prose.Printable(string(c.New)))
	switch {
	case len(c.Path) == 0, isObject(before) || isObject(after):
		fmt.Fprintln(&p.b)
	case len(before) == 0:
		fmt.Fprintf(&p.b, ": %s\n", window(after, 0))
	case len(after) == 0:
		fmt.Fprintf(&p.b, ": %s\n", window(before, 0))
	case len(before)+len(after) <= valueWidth:
		fmt.Fprintf(&p.b, ": %s -> %s\n", string(before), string(after))
	default:
		from := parting(before, after)
		fmt.Fprintf(&p.b, "\n      %s %s\n      %s %s\n", p.style.Red("-"), window(before, from), p.style.Green("+"), window(after, from))
	}
}

// parting returns where to begin to show two texts so that their difference is
// visible: at the start or, if they are too long, a little before they differ.
func parting(a, b []rune) int {
	const lead = 20 // characters before the difference
	differs := 0
	for differs < min(len(a), len(b)) && a[differs] == b[differs] {
		differs++
	}
	if max(len(a), len(b)) <= valueWidth {
		return 0
	}
	return max(differs-lead, 0)
}

// window cuts a text to the width of a value.
func window(text []rune, start int) string {
	end := min(start+valueWidth, len(text))
	cut := string(text[start:end])
	if start > 0 {
		cut = "…" + cut
	}
	if end < len(text) {
		cut += "…"
	}
	return cut
}

func isObject(text []rune) bool { return len(text) > 0 && text[0] == '{' }
