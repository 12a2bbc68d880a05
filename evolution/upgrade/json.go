package upgrade

import (
	"strconv"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// AppendJSON appends the result as {ok, errors, document, report}.
// The errors are those of [Result.Errors], and are there only if ok is false.
func (r *Result) AppendJSON(dst []byte) ([]byte, error) {
	ok := r.OK()
	dst = strconv.AppendBool(append(dst, `{"ok":`...), ok)
	if !ok {
		errors, err := json.Marshal(r.Errors())
		if err != nil {
			return dst, err
		}
		dst = append(append(dst, `,"errors":`...), errors...)
	}
	return r.appendRest(append(dst, ','))
}

// AppendData appends {document, report}.
func (r *Result) AppendData(dst []byte) ([]byte, error) { return r.appendRest(append(dst, '{')) }

func (r *Result) appendRest(dst []byte) ([]byte, error) {
	report, err := json.Marshal(&r.Report)
	if err != nil {
		return dst, err
	}
	dst = append(append(dst, `"document":`...), r.Document.Root().Raw()...)
	dst = append(append(dst, `,"report":`...), report...)
	return append(dst, '}'), nil
}

// Errors returns the errors of the new document. If that is valid and something is left
// to do all the same, they are what is left.
func (r *Result) Errors() issue.Issues {
	errors := r.Issues.With(issue.SeverityError)
	if len(errors) > 0 {
		return errors
	}
	for i := range r.Report.Entries {
		if e := &r.Report.Entries[i]; e.Class == Cannot || e.Class == NeedsPerson {
			errors = append(errors, issue.Issue{Code: e.Code, Message: e.Message, Path: e.Path, FixHint: e.FixHint, Severity: issue.SeverityError})
		}
	}
	return errors
}
