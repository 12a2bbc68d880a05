package dtpr

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/internal/wording"
)

// shownPlaces is how many places of notes that are alike are shown.
const shownPlaces = 3

// NotesText returns notes for people, with those that are alike together.
func NotesText(notes []Note, style report.Style) string {
	type alike struct {
		kind    Kind
		message string
	}
	var order []alike
	places := make(map[alike][]string)
	for _, n := range notes {
		key := alike{n.Kind, n.Message}
		if places[key] == nil {
			order = append(order, key)
		}
		at := n.Position.String()
		if n.Subject != "" {
			at += " (" + wording.Line(n.Subject) + ")"
		}
		places[key] = append(places[key], at)
	}
	var b strings.Builder
	for _, key := range order {
		kind, at := string(key.kind), places[key]
		switch key.kind {
		case Lost:
			kind = style.Red(kind)
		case Dropped, Filled:
			kind = style.Yellow(kind)
		case Changed, Proposed:
		}
		if len(at) > 1 {
			kind += fmt.Sprintf(", %d times", len(at))
		}
		fmt.Fprintf(&b, "%s: %s\n", kind, wording.Printable(key.message))
		for _, place := range at[:min(len(at), shownPlaces)] {
			fmt.Fprintf(&b, "  %s\n", wording.Printable(place))
		}
		if more := len(at) - shownPlaces; more > 0 {
			fmt.Fprintf(&b, "  and %d more\n", more)
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	return b.String()
}

// Summary counts notes by kind.
func Summary(notes []Note) string {
	counts := make(map[Kind]int)
	for _, n := range notes {
		counts[n.Kind]++
	}
	var parts []string
	for _, k := range []Kind{Lost, Dropped, Filled, Changed, Proposed} {
		if counts[k] > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", counts[k], k))
		}
	}
	if len(parts) == 0 {
		return "everything was taken over"
	}
	return strings.Join(parts, ", ")
}
