package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"github.com/datachain-go/datachain/internal/dtpr"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/report"
)

// writeNotes prints what an import lost, changed, filled in, dropped or proposes.
func writeNotes(w io.Writer, style report.Style, notes []dtpr.Note) error {
	var b strings.Builder
	for _, g := range groupNotes(notes) {
		kind := string(g.first.Kind)
		switch g.first.Kind {
		case dtpr.Lost:
			kind = style.Red(kind)
		case dtpr.Dropped:
			kind = style.Yellow(kind)
		case dtpr.Filled:
			kind = style.Yellow(kind)
		case dtpr.Changed, dtpr.Proposed:
		}
		if n := len(g.at) + g.more; n > 1 {
			kind += fmt.Sprintf(", %d times", n)
		}
		fmt.Fprintf(&b, "%s: %s\n", kind, prose.Printable(g.first.Message))
		for _, at := range g.at {
			fmt.Fprintf(&b, "  %s\n", prose.Printable(at))
		}
		if g.more > 0 {
			fmt.Fprintf(&b, "  and %d more\n", g.more)
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// importNotes is how many places of notes that are alike are printed.
const importNotes = 3

// alikeNotes are notes with the same message.
type alikeNotes struct {
	first dtpr.Note
	at    []string
	more  int
}

// groupNotes joins notes that are alike, in the order of the first ones.
func groupNotes(notes []dtpr.Note) []*alikeNotes {
	var list []*alikeNotes
	byMessage := make(map[string]*alikeNotes)
	for _, n := range notes {
		key := string(n.Kind) + n.Message
		g := byMessage[key]
		if g == nil {
			g = &alikeNotes{first: n}
			byMessage[key], list = g, append(list, g)
		}
		if len(g.at) == importNotes {
			g.more++
			continue
		}
		at := n.Position.String()
		if n.Subject != "" {
			at += " (" + prose.Line(n.Subject) + ")"
		}
		g.at = append(g.at, at)
	}
	return list
}

// noteSummary counts notes by kind.
func noteSummary(notes []dtpr.Note) string {
	counts := make(map[dtpr.Kind]int)
	for _, n := range notes {
		counts[n.Kind]++
	}
	var parts []string
	for _, k := range []dtpr.Kind{dtpr.Lost, dtpr.Dropped, dtpr.Filled, dtpr.Changed, dtpr.Proposed} {
		if counts[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[k], k))
		}
	}
	return cmp.Or(strings.Join(parts, ", "), "everything was taken over")
}
