// Package issue provides findings: problems in documents and schema versions, as
// data.
//
// An [Issue] has a stable [Code] for programs, a message and a hint for people,
// the [Path] and the [Subject] that it is about and, if a program can apply the hint
// without asking, a [Fix]. [Codes] lists all codes with their meaning;
// docs/codes.md is generated from it.
//
// Findings are not Go errors: an error means that a document could not be
// checked.
package issue

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
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
	// Path is the place in the document, or nil if there is none. The path of a
	// missing field is that of the field; see [Path.Field].
	Path Path `json:"path,omitzero"`
	// FixHint says how to fix the problem.
	FixHint string `json:"fix_hint,omitempty"`
	// Severity is error or warning.
	Severity Severity `json:"severity,omitempty"`
	// Position is the place in a source file.
	Position Position `json:"position,omitzero"`
	// About names what the finding is about. Programs read it instead of
	// Message. It is not part of the JSON.
	About Subject `json:"-"`
	// Fix is the edit that FixHint describes. It is nil if the hint leaves a
	// choice, is a guess, or asks to fill in something. It is not part of the
	// JSON.
	Fix *Fix `json:"-"`
	// Choices are edits of which a person can choose one if there is no Fix. No
	// program makes one without asking. They are not part of the JSON.
	Choices []Fix `json:"-"`
	// Related is another place that the finding is about, such as the first of two
	// that are the same, or nil. It is not part of the JSON.
	Related Path `json:"-"`
	// Groups names what the finding has in common with others of its code, for
	// reports that count them, such as the locales of a missing translation.
	// Without them, only findings that say the same are alike. It is not part
	// of the JSON.
	Groups []string `json:"-"`
}

// Subject is what an [Issue] is about, by ids of the schema version. It is also set if
// the document does not have it, such as a category without placements.
type Subject struct {
	// Category is the id of the category, or "".
	Category string
	// Variable is the id of the variable of a placed element, or "".
	Variable string
}

// Fix is an edit of a document: it sets the value at Path, renames its key if Key is
// set, or removes the member if Remove is set. If the document has no value at Path,
// Value is added there.
type Fix struct {
	// Title says what the edit does, if it is one of several to choose from.
	Title string
	Path  Path
	// Key is the new key, or "".
	Key string
	// Value is the new value as JSON, or nil if Key or Remove is set.
	Value []byte
	// Remove removes the member of an object at Path.
	Remove bool
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
	if i.Position != (Position{}) {
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
func (is Issues) HasErrors() bool {
	return slices.ContainsFunc(is, func(i Issue) bool { return i.Severity == SeverityError })
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

// Path is a place in a JSON document, such as elements[3].category_id. [Root] is
// the whole document; a nil Path means that there is no place. Both print as "".
// Paths are immutable: [Path.Key] and [Path.Index] return new ones.
type Path []Step

// Step is one part of a [Path]: a key of an object or an index of an array.
type Step struct {
	key   string
	index int // -1 for a key
}

// Root is the path of the whole document.
var Root = Path{}

// IsIndex returns the index, and whether the step is one.
func (s Step) IsIndex() (int, bool) { return s.index, s.index >= 0 }

// Name returns the key, or "" if the step is an index.
func (s Step) Name() string { return s.key }

// Key returns the path of the member with the key.
func (p Path) Key(key string) Path { return append(slices.Clip(p), Step{key: key, index: -1}) }

// Index returns the path of item i.
func (p Path) Index(i int) Path { return append(slices.Clip(p), Step{index: i}) }

// String returns the path as text: elements[3].category_id. Keys outside
// [A-Za-z_][A-Za-z0-9_-]* are written as ["…"] with the escapes of JSON.
func (p Path) String() string {
	var b []byte
	for _, s := range p {
		switch i, ok := s.IsIndex(); {
		case ok:
			b = append(strconv.AppendInt(append(b, '['), int64(i), 10), ']')
		case plainKey(s.key):
			if len(b) > 0 {
				b = append(b, '.')
			}
			b = append(b, s.key...)
		default:
			b = append(jcs.AppendQuote(append(b, '['), s.key), ']')
		}
	}
	return string(b)
}

// Field returns the name of the field that p is about: its last key. It is "" for
// [Root].
func (p Path) Field() string {
	for _, s := range slices.Backward(p) {
		if s.key != "" || s.index < 0 {
			return s.key
		}
	}
	return ""
}

// Equal reports whether p and q are the same place.
func (p Path) Equal(q Path) bool { return (p == nil) == (q == nil) && slices.Equal(p, q) }

// MarshalText returns [Path.String].
func (p Path) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// UnmarshalText parses a path, as [ParsePath] does. On failure p becomes nil.
func (p *Path) UnmarshalText(text []byte) (err error) {
	*p, err = ParsePath(string(text))
	return errname.Trim(err) // the decoder says where it is
}

// maxIndexDigits keeps an index within the int of every platform.
const maxIndexDigits = 9

// ParsePath parses the form that [Path.String] returns. Each place has exactly one
// spelling; "" is [Root].
func ParsePath(s string) (Path, error) {
	p := Path{}
	for rest := s; rest != ""; {
		step, after, err := cutStep(rest, len(p) == 0)
		if err != nil {
			return nil, errname.Add("issue", fmt.Errorf("malformed path %q at byte %d: %w", wording.Clip(s), len(s)-len(rest), err))
		}
		p, rest = append(p, step), after
	}
	return p, nil
}

// cutStep parses the first step of s.
func cutStep(s string, first bool) (step Step, rest string, err error) {
	switch {
	case strings.HasPrefix(s, `["`):
		key, rest, err := cutQuoted(s[1:])
		if err != nil {
			return Step{}, "", err
		}
		if !strings.HasPrefix(rest, "]") {
			return Step{}, "", errors.New("missing ] after the quoted key")
		}
		if plainKey(key) {
			return Step{}, "", fmt.Errorf("the key %s must be written without quotes", wording.Clip(key))
		}
		return Step{key: key, index: -1}, rest[1:], nil
	case s[0] == '[':
		digits, rest, found := strings.Cut(s[1:], "]")
		i, err := strconv.Atoi(digits)
		if !found || err != nil || len(digits) > maxIndexDigits || strconv.Itoa(i) != digits || i < 0 {
			return Step{}, "", errors.New("expected an index such as [3]")
		}
		return Step{index: i}, rest, nil
	case first:
	case s[0] == '.':
		s = s[1:]
	default:
		return Step{}, "", errors.New("expected . or [")
	}
	end := strings.IndexAny(s, ".[")
	if end < 0 {
		end = len(s)
	}
	if !plainKey(s[:end]) {
		return Step{}, "", fmt.Errorf(`the key %q must be written as ["…"]`, wording.Clip(s[:end]))
	}
	return Step{key: s[:end], index: -1}, s[end:], nil
}

// plainKey reports whether a key is written without quotes: [A-Za-z_][A-Za-z0-9_-]*.
func plainKey(s string) bool {
	if s == "" || '0' <= s[0] && s[0] <= '9' || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if ('a' > c || c > 'z') && ('A' > c || c > 'Z') && ('0' > c || c > '9') && c != '_' && c != '-' {
			return false
		}
	}
	return true
}

// cutQuoted parses the JSON string at the beginning of s.
func cutQuoted(s string) (value, rest string, err error) {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			quoted := s[:i+1]
			unquoted, err := jsontext.AppendUnquote(nil, quoted)
			if err != nil {
				return "", "", err
			}
			if canonical := jcs.AppendQuote(nil, string(unquoted)); string(canonical) != quoted {
				return "", "", errors.New("the quoted key has unneeded escapes: write " + wording.Clip(string(canonical)))
			}
			return string(unquoted), s[i+1:], nil
		}
	}
	return "", "", errors.New("the quoted key is not closed")
}
