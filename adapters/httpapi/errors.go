package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/excerpt"
	"github.com/datachain-go/datachain/taxonomy"
)

// statuses of the codes of failed operations.
var statuses = map[taxonomy.Code]int{
	taxonomy.CodeBadRequest:       http.StatusBadRequest,
	taxonomy.CodeNotFound:         http.StatusNotFound,
	taxonomy.CodeMethodNotAllowed: http.StatusMethodNotAllowed,
	taxonomy.CodePayloadTooLarge:  http.StatusRequestEntityTooLarge,
	taxonomy.CodeRateLimited:      http.StatusTooManyRequests,
	taxonomy.CodeOverloaded:       http.StatusServiceUnavailable,
	taxonomy.CodeTimeout:          http.StatusGatewayTimeout,
	taxonomy.CodeUpstreamError:    http.StatusBadGateway,
	taxonomy.CodeInternalError:    http.StatusInternalServerError,
}

// problem is a failure that the protocol finds, not the service.
func problem(code taxonomy.Code, hint, format string, args ...any) error {
	return &datachain.Error{Issue: taxonomy.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

func overloaded() error {
	return problem(taxonomy.CodeOverloaded, "try again in a second", "There is too much to do at once.")
}

// gaveUp reports whether an error is that of a request that took too long or
// that nobody waited for.
func gaveUp(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)
}

// failed is the envelope of a failure.
type failed struct {
	OK     bool            `json:"ok"`
	Errors taxonomy.Issues `json:"errors"`
}

// fail writes a failure. Its cause stays in the log. Nil stands for one that
// nobody foresaw, and that was logged.
func (a *api) fail(res *response, r *http.Request, err error) {
	issue := taxonomy.Issue{
		Code:    taxonomy.CodeInternalError,
		Message: "Something went wrong here.",
		FixHint: "try again; if it stays, tell the operator the X-Request-Id of this answer",
	}
	if known, ok := errors.AsType[*datachain.Error](err); ok {
		issue = known.Issue
	} else if gaveUp(err) {
		issue = taxonomy.Issue{Code: taxonomy.CodeTimeout, Message: "The answer took too long.", FixHint: "try again"}
	}
	status, ok := statuses[issue.Code]
	if !ok {
		status = http.StatusInternalServerError
	}
	h := res.Header()
	switch {
	case issue.Code == taxonomy.CodeOverloaded:
		h.Set("Retry-After", "1")
	case err != nil && status >= http.StatusInternalServerError && r.Context().Err() == nil: // else the client went away
		a.Logger.Error("request failed", "path", r.URL.Path, "code", issue.Code, "error", err, "request_id", res.id[0])
	}
	for _, name := range []string{"ETag", "Content-Location", "Service-Content-Hash", "Content-Encoding", "Content-Length", "Content-Security-Policy"} {
		h.Del(name)
	}
	if also, ok := res.route.also.(Refuser); ok {
		also.Refuse(res, r, status, issue)
		return
	}
	h.Set("Content-Type", typeJSON)
	h.Set("Cache-Control", "no-store")
	res.WriteHeader(status)
	_ = json.MarshalWrite(res, failed{Errors: taxonomy.Issues{issue}}) // a client that went away is nobody's failure
}

// shorten makes what a client sent fit to be repeated: cut where it is too long,
// and without what can't be seen.
func shorten(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return unicode.ReplacementChar
		}
		return r
	}, excerpt.Of(s, 120))
}
