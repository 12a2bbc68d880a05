package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// statuses of the codes of failed operations.
var statuses = map[issue.Code]int{
	issue.CodeBadRequest:       http.StatusBadRequest,
	issue.CodeNotFound:         http.StatusNotFound,
	issue.CodeMethodNotAllowed: http.StatusMethodNotAllowed,
	issue.CodePayloadTooLarge:  http.StatusRequestEntityTooLarge,
	issue.CodeRateLimited:      http.StatusTooManyRequests,
	issue.CodeOverloaded:       http.StatusServiceUnavailable,
	issue.CodeTimeout:          http.StatusGatewayTimeout,
	issue.CodeUpstreamError:    http.StatusBadGateway,
	issue.CodeInternalError:    http.StatusInternalServerError,
}

// problem is a failure that the protocol finds, not the service.
func problem(code issue.Code, hint, format string, args ...any) error {
	return &datachain.Error{Issue: issue.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

func overloaded() error {
	return problem(issue.CodeOverloaded, "try again in a second", "There is too much to do at once.")
}

// gaveUp reports whether an error is that of a request that took too long or
// that nobody waited for.
func gaveUp(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// failed is the envelope of a failure.
type failed struct {
	OK     bool         `json:"ok"`
	Errors issue.Issues `json:"errors"`
}

// fail writes a failure. Its cause stays in the log. Nil stands for one that
// nobody foresaw, and that was logged.
func (a *api) fail(res *response, r *http.Request, err error) {
	finding := issue.Issue{
		Code:    issue.CodeInternalError,
		Message: "Something went wrong here.",
		FixHint: "try again; if it stays, tell the operator the X-Request-Id of this answer",
	}
	if known, ok := errors.AsType[*datachain.Error](err); ok {
		finding = known.Issue
	} else if gaveUp(err) {
		finding = issue.Issue{Code: issue.CodeTimeout, Message: "The answer took too long.", FixHint: "try again"}
	}
	status, ok := statuses[finding.Code]
	if !ok {
		status = http.StatusInternalServerError
	}
	h := res.Header()
	switch {
	case finding.Code == issue.CodeOverloaded:
		h.Set("Retry-After", "1")
	case err != nil && status >= http.StatusInternalServerError && r.Context().Err() == nil: // else the client went away
		a.Logger.Error("request failed", "path", r.URL.Path, "code", finding.Code, "error", err, "request_id", res.id[0])
	}
	for _, name := range []string{"ETag", "Content-Location", "Service-Content-Hash", "Content-Encoding", "Content-Length", "Content-Security-Policy"} {
		h.Del(name)
	}
	if also, ok := res.route.also.(Refuser); ok {
		also.Refuse(res, r, status, finding)
		return
	}
	h.Set("Content-Type", typeJSON)
	h.Set("Cache-Control", "no-store")
	res.WriteHeader(status)
	_ = json.MarshalWrite(res, failed{Errors: issue.Issues{finding}}) // a client that went away is nobody's failure
}
