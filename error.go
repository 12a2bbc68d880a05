package datachain

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Error is a failed operation. Clients may see Issue; the other fields are data for protocols
// that have codes and messages of their own.
type Error struct {
	// Issue has the code, the message and the hint.
	Issue issue.Issue
	// Kind tells failures apart that share a code.
	Kind Kind
	// Param is the parameter at fault, as it is named on the wire: "version",
	// "element_id", "category_id", "symbol_id", "shape", "variant", "locale", "limit",
	// "cursor", "ids", "from" or "document". It is empty if the failure is not
	// the caller's.
	Param string
	// Known are names that the parameter could have had: the nearest ones, or
	// if none is near, examples or all of a short list.
	Known []string
	// Err is the cause, or nil. It may hold what only the operator should know.
	Err error
}

// Kind is a kind of failure.
type Kind int

const (
	// KindFailure is a failure that the caller did not cause, or that its code
	// describes fully.
	KindFailure Kind = iota
	// KindMalformed is a parameter that does not have the form it must have.
	KindMalformed
	// KindUnknown is a well-formed parameter that names nothing. Err wraps
	// [taxonomy.ErrNotFound].
	KindUnknown
	// KindTooMany is a list that is too long.
	KindTooMany
	// KindSyntax is a document that is not strict JSON. Err is a
	// [*document.SyntaxError].
	KindSyntax
)

// Error returns the issue as text and, if the caller did not cause the failure, the cause. It
// is meant for the operator; show clients the Issue.
func (e *Error) Error() string {
	text := "datachain: " + e.Issue.String()
	switch e.Issue.Code {
	case issue.CodeUpstreamError, issue.CodeTimeout, issue.CodeInternalError:
		if e.Err != nil {
			text += ": " + e.Err.Error()
		}
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// statuses are the HTTP status codes of failures; others are 500. They are numbers, so that programs
// without a server don't contain package net/http.
var statuses = map[issue.Code]int{
	issue.CodeBadRequest:      400,
	codes.Forbidden:           403,
	issue.CodeNotFound:        404,
	codes.MethodNotAllowed:    405,
	codes.Gone:                410,
	codes.PreconditionFailed:  412,
	issue.CodePayloadTooLarge: 413,
	codes.ExpectationFailed:   417,
	codes.RateLimited:         429,
	issue.CodeInternalError:   500,
	issue.CodeUpstreamError:   502,
	codes.Overloaded:          503,
	issue.CodeTimeout:         504,
}

// HTTPStatus returns the status of an HTTP response for an error, and what clients may see of the
// error: the issue of an [*Error], a timeout if a context has ended, and an internal error otherwise.
// The error itself is for the log.
func HTTPStatus(err error) (int, issue.Issue) {
	visible := issue.Issue{Code: issue.CodeInternalError, Message: "An internal error occurred."}
	if failed, ok := errors.AsType[*Error](err); ok {
		visible = failed.Issue
	} else if isTimeout(err) {
		visible = issue.Issue{Code: issue.CodeTimeout, Message: "The request timed out.", FixHint: "try again"}
	}
	return cmp.Or(statuses[visible.Code], statuses[issue.CodeInternalError]), visible
}

// Finding returns a [KindSyntax] error as a finding with its position in the
// text, for programs that list it beside other findings.
func (e *Error) Finding() (Finding, bool) {
	syntax, ok := errors.AsType[*document.SyntaxError](e.Err)
	if !ok {
		return Finding{}, false
	}
	at := syntax.Point
	if at.Line == 0 {
		at = document.Point{Line: 1, Column: 1, UTF8: 1, UTF16: 1}
	}
	return Finding{
		Issue: issue.Issue{
			Code: e.Issue.Code, Severity: issue.SeverityError, Path: syntax.Path,
			Message: "The document " + syntax.Problem() + ": " + syntax.Reason + ".", FixHint: "fix this first: nothing else was checked",
		},
		Span: document.Span{Start: at, End: at},
	}, true
}

// failure returns an error that is not about a parameter. Clients may see the message, but
// not the cause.
func failure(code issue.Code, cause error, hint, format string, args ...any) *Error {
	return &Error{Issue: issue.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}, Err: cause}
}

func malformed(param string, cause error, hint, format string, args ...any) *Error {
	e := failure(issue.CodeBadRequest, cause, hint, format, args...)
	e.Kind, e.Param = KindMalformed, param
	return e
}

func unknown(param string, known []string, hint, format string, args ...any) *Error {
	e := failure(issue.CodeNotFound, taxonomy.ErrNotFound, hint, format, args...)
	e.Kind, e.Param, e.Known = KindUnknown, param, known
	return e
}

// upstream returns the error for a failure of the store, or for the end of the caller's
// context.
func upstream(err error, message string) *Error {
	switch {
	case errors.Is(err, context.Canceled):
		return failure(issue.CodeTimeout, err, "try again", "%s The request was canceled.", message)
	case isTimeout(err):
		return failure(issue.CodeTimeout, err, "try again", "%s It took too long.", message)
	}
	return failure(issue.CodeUpstreamError, err, "try again in a moment; if it keeps failing, tell the operator", "%s", message)
}

func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
