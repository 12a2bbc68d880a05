package datachain

import (
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Error is a failed operation: an issue with the code that the contract gives
// it, and the cause, if there is one that the caller could look into.
type Error struct {
	Issue issue.Issue
	Err   error
}

// Error prints the issue and, where the failure is not the caller's, the cause.
// That is for whoever runs the program; what anyone may see is the Issue.
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

// failure makes an error. The message must say nothing that only the operator
// should know; the cause may.
func failure(code issue.Code, cause error, hint, format string, args ...any) *Error {
	return &Error{Issue: issue.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}, Err: cause}
}

func badRequest(cause error, hint, format string, args ...any) *Error {
	return failure(issue.CodeBadRequest, cause, hint, format, args...)
}

func notFound(hint, format string, args ...any) *Error {
	return failure(issue.CodeNotFound, taxonomy.ErrNotFound, hint, format, args...)
}

// upstream is a failure of the store, or of the caller's patience.
func upstream(err error, message string) *Error {
	switch {
	case errors.Is(err, context.Canceled):
		return failure(issue.CodeTimeout, err, "try again", "%s Nobody waited for it.", message)
	case isTimeout(err):
		return failure(issue.CodeTimeout, err, "try again", "%s It took too long.", message)
	}
	return failure(issue.CodeUpstreamError, err, "try again in a moment; if it stays, tell the operator", "%s", message)
}

func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}
