package explorer

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// form is what the playground is sent.
type form struct {
	// text is the document: that of the file, if one was chosen, else that of the
	// text field.
	text string
	// do is what to do with it; checking it is the default. fix names a finding to
	// fix first, or all.
	do, fix string
}

// formRoom is how much larger than the document a form may be: the names of fields, and
// the markup of multipart.
const formRoom = 64 << 10

// readForm reads a form within its limit. Nothing is written to files.
func (e *Explorer) readForm(w http.ResponseWriter, r *http.Request) (*form, error) {
	leave, err := e.forms.enter(r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	f := new(form)
	switch {
	case kind == "multipart/form-data" && params["boundary"] != "":
		r.Body = http.MaxBytesReader(w, r.Body, e.MaxBody+formRoom)
		err = f.readParts(r)
	case kind == "application/x-www-form-urlencoded":
		// Most characters of JSON take three bytes in this form.
		r.Body = http.MaxBytesReader(w, r.Body, 3*e.MaxBody+formRoom)
		err = f.readPairs(r)
	default:
		return nil, badForm("send the form of this page, or use the API")
	}
	switch {
	case tooLarge(err), err == nil && int64(len(f.text)) > e.MaxBody:
		return nil, &datachain.Error{Issue: issue.Issue{
			Code: issue.CodePayloadTooLarge, Message: "The document is too large.", FixHint: "place fewer elements, or split it into several",
		}}
	case err != nil:
		return nil, badForm("send it again")
	}
	return f, nil
}

func tooLarge(err error) bool {
	_, ok := errors.AsType[*http.MaxBytesError](err)
	return ok
}

func badForm(hint string) error {
	return &datachain.Error{Issue: issue.Issue{Code: issue.CodeBadRequest, Message: "The form can't be read.", FixHint: hint}}
}

func (f *form) readParts(r *http.Request) error {
	parts, err := r.MultipartReader()
	if err != nil {
		return err
	}
	var file string
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return err
		}
		if part.FormName() == "file" {
			file = string(value)
			continue
		}
		f.set(part.FormName(), string(value))
	}
	if file != "" {
		f.text = file
	}
	return nil
}

func (f *form) readPairs(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	values, err := url.ParseQuery(string(body))
	for name := range values {
		f.set(name, values.Get(name))
	}
	return err
}

func (f *form) set(name, value string) {
	switch name {
	case "document":
		f.text = unixLines.Replace(value) // browsers send the lines of a text field as in mail
	case "do":
		f.do = value
	case "fix":
		f.fix = value
	}
}

var unixLines = strings.NewReplacer("\r\n", "\n")

// gate limits how many requests do something at once.
type gate chan struct{}

// enter waits for a place until the context ends, and returns how to leave it.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g <- struct{}{}:
		return func() { <-g }, nil
	case <-ctx.Done():
		return nil, &datachain.Error{Issue: issue.Issue{Code: issue.CodeOverloaded, Message: "The server is overloaded.", FixHint: "try again in a second"}, Err: ctx.Err()}
	}
}
