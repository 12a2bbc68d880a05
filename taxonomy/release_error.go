package taxonomy

import (
	"errors"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// ReleaseError says why a release is not valid.
type ReleaseError struct {
	// Version is the version id, if it is known.
	Version string
	// Path is the place in the release.json.
	Path   issue.Path
	Reason string
	// Err is the cause, or nil.
	Err error
}

// Error returns the version, the path and the reason.
func (e *ReleaseError) Error() string {
	s := "release"
	if e.Version != "" {
		s += " " + e.Version
	}
	if len(e.Path) > 0 {
		s += ": " + e.Path.String()
	}
	return s + ": " + e.Reason
}

// Unwrap returns the cause.
func (e *ReleaseError) Unwrap() error { return e.Err }

// partError returns the error for a part of the release at a path. The cause is
// from the strict parser or from json.Unmarshal, and has a place in the text.
func (r *Release) partError(path issue.Path, text string, err error) *ReleaseError {
	e := &ReleaseError{Version: r.version.String(), Path: path, Reason: err.Error(), Err: err}
	var syntax *document.SyntaxError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntax):
		e.Path, e.Reason = slices.Concat(path, syntax.Path), syntax.Reason
	case errors.As(err, &semantic):
		e.Path = slices.Concat(path, pointerPath(text, semantic.JSONPointer))
		e.Reason = "can't be " + kindName(semantic.JSONKind)
		if semantic.Err != nil {
			e.Reason = semantic.Err.Error()
		}
	}
	return e
}

// pointerPath turns a JSON pointer into a path. Only the text tells whether a
// number in a pointer is an index or a key.
func pointerPath(text string, pointer jsontext.Pointer) issue.Path {
	doc, err := document.Parse([]byte(text))
	if err != nil {
		return issue.Root
	}
	v := doc.Root()
	for token := range pointer.Tokens() {
		next, ok := v.Get(token)
		if i, err := strconv.Atoi(token); err == nil && v.Kind() == '[' {
			next, ok = v.At(i)
		}
		if !ok {
			break
		}
		v = next
	}
	return v.Path()
}

func kindName(k jsontext.Kind) string {
	switch k {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '0', '"':
		return "a " + k.String()
	}
	return k.String() // null, true, false
}
