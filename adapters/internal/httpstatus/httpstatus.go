// Package httpstatus translates errors into HTTP responses.
package httpstatus

import (
	"cmp"
	"context"
	"errors"
	"net/http"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// statuses are the HTTP status codes of failures; others are 500.
var statuses = map[issue.Code]int{
	issue.CodeBadRequest:      http.StatusBadRequest,
	issue.CodeNotFound:        http.StatusNotFound,
	codes.Forbidden:           http.StatusForbidden,
	codes.MethodNotAllowed:    http.StatusMethodNotAllowed,
	codes.Gone:                http.StatusGone,
	codes.PreconditionFailed:  http.StatusPreconditionFailed,
	issue.CodePayloadTooLarge: http.StatusRequestEntityTooLarge,
	codes.ExpectationFailed:   http.StatusExpectationFailed,
	codes.RateLimited:         http.StatusTooManyRequests,
	issue.CodeUpstreamError:   http.StatusBadGateway,
	codes.Overloaded:          http.StatusServiceUnavailable,
	issue.CodeTimeout:         http.StatusGatewayTimeout,
}

// Of returns the status of the response for an error, and what clients may see of it: the issue
// of a [*datachain.Error], a timeout if it is the end of a context, and an internal error
// otherwise. The cause is for the log.
func Of(err error) (int, issue.Issue) {
	seen := issue.Issue{Code: issue.CodeInternalError, Message: "An internal error occurred."}
	if known, ok := errors.AsType[*datachain.Error](err); ok {
		seen = known.Issue
	} else if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		seen = issue.Issue{Code: issue.CodeTimeout, Message: "The request timed out.", FixHint: "try again"}
	}
	return cmp.Or(statuses[seen.Code], http.StatusInternalServerError), seen
}
