package core

import (
	"html/template"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Overloaded is the error for a request that has waited too long for its place.
func Overloaded(cause error) error {
	return &datachain.Error{Issue: issue.Issue{Code: codes.Overloaded, Message: "The server is overloaded.", FixHint: "try again in a second"}, Err: cause}
}

// Envelope returns a failure as the API does.
func Envelope(finding issue.Issue) []byte {
	body, _ := json.Marshal(struct {
		OK     bool         `json:"ok"`
		Errors issue.Issues `json:"errors"`
	}{Errors: issue.Issues{finding}}) // of strings only
	return body
}

// Refusal is the error for a request that is not served.
func Refusal(code issue.Code, message, hint string) error {
	return &datachain.Error{Issue: issue.Issue{Code: code, Message: message, FixHint: hint}}
}

// NoPage is the error for an address without a page.
func NoPage() error { return Refusal(issue.CodeNotFound, "There is no page at this address.", "") }

// BadForm is the error for a form that can't be read.
func BadForm(hint string) error {
	return Refusal(issue.CodeBadRequest, "The form can't be read.", hint)
}

// Explainer is an error that has more to say on the page of a failure than its message.
type Explainer interface {
	error
	Explain(q *Request, f *Failure)
}

// Failure is the data of a page that says what went wrong.
type Failure struct {
	Status int
	// Title and Advice are in the words of the page, Message and Hint in English.
	Title, Advice string
	Message, Hint string
	// Near are pages that may have been meant, or that say what to use instead.
	Near      []Choice
	NearTitle string
	// Next is where to go on.
	Next Choice
	// Gone says that something was removed, and Note why.
	Gone string
	Note phrases.Text
	// Address is the path of a page for citizens that is not there, and Rows the documents
	// whose addresses are like it.
	Address string
	Rows    []template.HTML
}

// Code is the address that is not there, as it is shown.
func (f *Failure) Code() template.HTML {
	return template.HTML("<code>" + template.HTMLEscapeString(f.Address) + "</code>") //nolint:gosec // escaped
}
