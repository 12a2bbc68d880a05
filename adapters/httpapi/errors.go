package httpapi

import (
	"errors"
	"fmt"
	"net/http"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// problem returns a failure of the protocol, not of the service.
func problem(code issue.Code, hint, format string, args ...any) error {
	return &datachain.Error{Issue: issue.Issue{Code: code, Message: fmt.Sprintf(format, args...), FixHint: hint}}
}

func overloaded() error {
	return problem(issue.CodeOverloaded, "try again in a second", "The server is overloaded.")
}

// envelope returns the body of a failure.
func envelope(found finding) []byte {
	body, _ := json.Marshal(struct {
		OK     bool      `json:"ok"`
		Errors []finding `json:"errors"`
	}{Errors: []finding{found}}) // of strings only
	return body
}

// fail answers with a failure. Its cause is only logged. A nil err is a panic,
// which has been logged.
func (a *api) fail(res *response, r *http.Request, err error) {
	status, found := datachain.HTTPStatus(err)
	if found.Code == issue.CodeInternalError && found.FixHint == "" {
		found.FixHint = "try again; if the error persists, report the X-Request-Id of this response to the operator"
	}
	if _, ok := errors.AsType[*unready](err); ok {
		status = http.StatusServiceUnavailable
	}
	h := res.Header()
	switch {
	case status == http.StatusServiceUnavailable:
		h.Set("Retry-After", "1")
	case err != nil && status >= http.StatusInternalServerError && r.Context().Err() == nil: // else the client disconnected
		a.Logger.Error("request failed", "path", r.URL.Path, "code", found.Code, "error", err, "request_id", res.id[0])
	}
	for _, name := range []string{"ETag", "Content-Location", "Service-Content-Hash", "Content-Encoding", "Content-Length", "Content-Security-Policy"} {
		h.Del(name)
	}
	if res.schema != nil {
		h["Service-Content-Hash"] = []string{res.schema.Release().ContentHash().String()}
	}
	if mounted, ok := res.route.mounted.(Refuser); ok {
		mounted.Refuse(res, r, status, found)
		return
	}
	h.Set("Content-Type", typeJSON)
	h.Set("Cache-Control", "no-store")
	res.WriteHeader(status)
	body := finding{Issue: found}
	if known, ok := errors.AsType[*datachain.Error](err); ok && res.positions {
		if located, ok := known.Finding(); ok {
			body.Range = newRange(located.Span)
		}
	}
	_, _ = res.Write(envelope(body)) // fails only if the client disconnected
}
