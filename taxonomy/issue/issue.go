// Package issue provides findings: problems in documents and schema versions, as
// data.
//
// An [Issue] has a stable [Code] for programs, a message and a hint for people,
// the [Path] of the value that it is about and, if a program can apply the hint
// without asking, a [Fix]. [Codes] lists all codes with their meaning;
// docs/codes.md is generated from it.
//
// Findings are not Go errors: an error means that a document could not be
// checked.
package issue

import (
	"strconv"
	"strings"
)

// Severity is how serious an [Issue] is.
type Severity string

const (
	// SeverityError makes a document or schema version invalid.
	SeverityError Severity = "error"
	// SeverityWarning does not.
	SeverityWarning Severity = "warning"
)

// Issue is one finding: a problem in a document or a schema version.
type Issue struct {
	// Code is the kind of the issue. It is stable; see [Codes].
	Code Code `json:"code"`
	// Message describes the problem, with the ids that it is about.
	Message string `json:"message"`
	// Path is the place in the document, or nil if there is none.
	Path Path `json:"path,omitzero"`
	// FixHint says how to fix the problem.
	FixHint string `json:"fix_hint,omitempty"`
	// Severity is error or warning.
	Severity Severity `json:"severity,omitempty"`
	// Position is the place in a source file.
	Position Position `json:"position,omitzero"`
	// Fix is the edit that FixHint describes. It is nil if the hint leaves a
	// choice, is a guess, or asks to fill in or remove something. It is not
	// part of the JSON.
	Fix *Fix `json:"-"`
	// Related is another place that the finding is about, such as the first of two
	// that are the same, or nil. It is not part of the JSON.
	Related Path `json:"-"`
	// Groups names what the finding has in common with others of its code, for
	// reports that count them, such as the locales of a missing translation.
	// Without them, only findings that say the same are alike. It is not part
	// of the JSON.
	Groups []string `json:"-"`
}

// Fix is an edit of a document: it sets the value at Path or, if Key is set,
// renames the key of that value. If the document has no value at Path, Value is
// added there.
type Fix struct {
	Path Path
	// Key is the new key, or "".
	Key string
	// Value is the new value as JSON, or nil if Key is set.
	Value []byte
}

// Position is a place in a text file.
type Position struct {
	// File is the slash-separated path of the file, or "" if there is only one
	// text.
	File string `json:"file,omitempty"`
	// Line counts from 1; 0 means the whole file.
	Line int `json:"line,omitempty"`
	// Column counts the characters (code points) of the line from 1.
	Column int `json:"column,omitempty"`
}

// IsZero reports whether p is the zero Position.
func (p Position) IsZero() bool { return p == Position{} }

// String returns file:line:column without the parts that are unknown.
func (p Position) String() string {
	var parts []string
	if p.File != "" {
		parts = append(parts, p.File)
	}
	if p.Line > 0 {
		parts = append(parts, strconv.Itoa(p.Line))
		if p.Column > 0 {
			parts = append(parts, strconv.Itoa(p.Column))
		}
	}
	return strings.Join(parts, ":")
}

// String returns the issue on one line, for logs and tests.
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

// Issues is a list of findings.
type Issues []Issue

// HasErrors reports whether any of the issues is an error.
func (is Issues) HasErrors() bool { return is.Count(SeverityError) > 0 }

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
