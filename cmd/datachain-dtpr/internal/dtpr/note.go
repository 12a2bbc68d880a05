package dtpr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Kind says what a [Note] is about.
type Kind string

const (
	// Lost is an element, a category, a symbol or a file that should be in the result, but could
	// not be read or is not part of the layout, or the context of an element: what changes which
	// documents are valid.
	Lost Kind = "lost"
	// Dropped content is not in the result: a field that the format has no place for,
	// or a value that is not valid.
	Dropped Kind = "dropped"
	// Changed content is in the result with another value.
	Changed Kind = "changed"
	// Filled content was missing in the source, and the format requires it.
	Filled Kind = "filled"
	// Proposed content is a comment in the result, to be confirmed by its authors.
	Proposed Kind = "proposed"
)

// Note reports one difference between what was read and the result.
type Note struct {
	Kind Kind `json:"kind"`
	// Message says what happened and why.
	Message string `json:"message"`
	// Subject is the value that the note is about, such as an id. It may be "".
	Subject string `json:"subject,omitempty"`
	// Path is the place in the file, or nil for the whole file.
	Path     issue.Path     `json:"path,omitzero"`
	Position issue.Position `json:"position,omitzero"`
}

// maxNotes is the number of notes that are kept besides those about what was lost. If there are more,
// a last note says so.
const maxNotes = 20_000

// notes collects notes.
type notes struct {
	list []Note
	more int
}

func (n *notes) add(note Note) {
	if len(n.list) >= maxNotes && note.Kind != Lost {
		n.more++
		return
	}
	note.Subject = wording.Clip(note.Subject)
	n.list = append(n.list, note)
}

// at adds a note about a value.
func (n *notes) at(k Kind, v source.Value, subject, format string, args ...any) {
	n.add(Note{Kind: k, Message: fmt.Sprintf(format, args...), Subject: subject, Path: v.Path(), Position: v.Position()})
}

// file adds a note about a file or directory as a whole.
func (n *notes) file(k Kind, name, format string, args ...any) {
	n.add(Note{Kind: k, Message: fmt.Sprintf(format, args...), Position: issue.Position{File: name}})
}

// all returns the notes: what was lost first, then by files and places.
func (n *notes) all() []Note {
	slices.SortStableFunc(n.list, func(a, b Note) int {
		return cmp.Or(
			rankKind(a.Kind)-rankKind(b.Kind),
			strings.Compare(a.Position.File, b.Position.File),
			cmp.Compare(a.Position.Line, b.Position.Line),
			cmp.Compare(a.Position.Column, b.Position.Column),
		)
	})
	if n.more == 0 {
		return n.list
	}
	return append(n.list, Note{Kind: Dropped, Message: fmt.Sprintf("there are %d more notes than listed here", n.more)})
}

func rankKind(k Kind) int {
	if k == Lost {
		return 0
	}
	return 1
}

// shownPlaces is how many places of notes with the same message are shown.
const shownPlaces = 3

// NotesText returns notes for people, grouped by kind and message.
func NotesText(notes []Note, style report.Style) string {
	type group struct {
		kind    Kind
		message string
	}
	var groups []group
	places := make(map[group][]string)
	for _, n := range notes {
		key := group{n.Kind, n.Message}
		if places[key] == nil {
			groups = append(groups, key)
		}
		at := n.Position.String()
		if n.Subject != "" {
			at += " (" + wording.Line(n.Subject) + ")"
		}
		places[key] = append(places[key], at)
	}
	var b strings.Builder
	for _, key := range groups {
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
		return "everything was imported"
	}
	return strings.Join(parts, ", ")
}
