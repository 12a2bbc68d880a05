package issue

import (
	"strconv"
	"strings"
)

// Severity says how bad an [Issue] is.
type Severity string

const (
	// SeverityError makes a document or schema version invalid.
	SeverityError Severity = "error"
	// SeverityWarning is worth a look and refuses nothing.
	SeverityWarning Severity = "warning"
)

// Issue is one thing that is wrong with a document or a schema version. It is
// data, not a Go error: an error means that we could not check.
type Issue struct {
	// Code says what kind of issue it is; it is stable, see [Codes].
	Code Code `json:"code"`
	// Message says what is wrong, naming the id and the place.
	Message string `json:"message"`
	// Path is the place in the document, or nil where there is none.
	Path Path `json:"path,omitzero"`
	// FixHint says what to do about it.
	FixHint string `json:"fix_hint,omitempty"`
	// Severity is error or warning.
	Severity Severity `json:"severity,omitempty"`
	// Position is where the text stands, for issues of source files.
	Position Position `json:"position,omitzero"`
	// Fix is the edit that FixHint describes, where a program can make it
	// without asking. It is nil where the hint leaves a choice, is a guess, or
	// asks to fill in or to remove something. It is not sent.
	Fix *Fix `json:"-"`
}

// Fix is an edit of a document: the value at Path becomes Value or, where Key
// is set, the key of that value becomes Key. Where the document has no value at
// Path it is added.
type Fix struct {
	Path Path
	// Key is the key that was meant, or "".
	Key string
	// Value is JSON, or nil where Key is set.
	Value []byte
}

// Position is a place in a text file.
type Position struct {
	// File is the slash-separated path of the file, or "" for the only text
	// at hand.
	File string `json:"file,omitempty"`
	// Line counts from 1; 0 means that the issue is about the whole file.
	Line int `json:"line,omitempty"`
	// Column counts the characters (code points) of the line from 1.
	Column int `json:"column,omitempty"`
}

// IsZero reports whether the position says nothing.
func (p Position) IsZero() bool { return p == Position{} }

// String prints file:line:column, leaving out what is unknown.
func (p Position) String() string {
	var b strings.Builder
	b.WriteString(p.File)
	if p.Line > 0 {
		if p.File != "" {
			b.WriteByte(':')
		}
		b.WriteString(strconv.Itoa(p.Line))
		if p.Column > 0 {
			b.WriteString(":" + strconv.Itoa(p.Column))
		}
	}
	return b.String()
}

// String prints the issue on one line, for logs and tests.
func (i Issue) String() string {
	var b strings.Builder
	if !i.Position.IsZero() {
		b.WriteString(i.Position.String() + ": ")
	}
	if i.Severity != "" {
		b.WriteString(string(i.Severity) + " ")
	}
	b.WriteString(string(i.Code))
	if len(i.Path) > 0 {
		b.WriteString(" at " + i.Path.String())
	}
	b.WriteString(": " + i.Message)
	if i.FixHint != "" {
		b.WriteString(" (" + i.FixHint + ")")
	}
	return b.String()
}

// Issues is a list of findings in a fixed order.
type Issues []Issue

// HasErrors reports whether any of the issues is an error.
func (is Issues) HasErrors() bool {
	for i := range is {
		if is[i].Severity == SeverityError {
			return true
		}
	}
	return false
}

// Count returns how many of the issues have the severity.
func (is Issues) Count(s Severity) int {
	n := 0
	for i := range is {
		if is[i].Severity == s {
			n++
		}
	}
	return n
}

// With returns the issues of a severity; it never returns nil.
func (is Issues) With(s Severity) Issues {
	found := Issues{}
	for _, i := range is {
		if i.Severity == s {
			found = append(found, i)
		}
	}
	return found
}
