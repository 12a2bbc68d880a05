package core

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Form is what the pages that check documents are sent.
type Form struct {
	// Text is the document: that of the file, if one was chosen, else that of the
	// text field.
	Text string
	File bool // whether it is that of a file
	// Do is what to do with it; checking it is the default. fix names a finding to
	// fix first, or all.
	Do, Fix string
	// Fields are the others.
	Fields []Field
}

// Field is a field of a form with its value.
type Field struct{ Name, Value string }

// Get returns the value of the first field with a name.
func (f *Form) Get(name string) string {
	for _, field := range f.Fields {
		if field.Name == name {
			return field.Value
		}
	}
	return ""
}

// Last returns the value of the last field with a name.
func (f *Form) Last(name string) string {
	for _, field := range slices.Backward(f.Fields) {
		if field.Name == name {
			return field.Value
		}
	}
	return ""
}

// formRoom is how much larger than the document a form may be: the names of fields, and
// the markup of multipart.
const formRoom = 64 << 10

// ReadForm reads a form within the limit of its document, some times over if its parts
// are fields, too. Nothing is written to files.
func ReadForm(w http.ResponseWriter, r *http.Request, maxBody, times int64) (*Form, error) {
	var err error
	kind, params, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	f := new(Form)
	switch {
	case kind == "multipart/form-data" && params["boundary"] != "":
		r.Body = http.MaxBytesReader(w, r.Body, times*maxBody+formRoom)
		err = f.readParts(r)
	case kind == "application/x-www-form-urlencoded":
		// Most characters of JSON take three bytes in this form.
		r.Body = http.MaxBytesReader(w, r.Body, 3*maxBody+formRoom)
		err = f.readPairs(r)
	default:
		return nil, BadForm("send the form of this page, or use the API")
	}
	_, cut := errors.AsType[*http.MaxBytesError](err)
	switch {
	case cut, err == nil && int64(len(f.Text)) > maxBody:
		return nil, Refusal(issue.CodePayloadTooLarge, "The document is too large.", "place fewer elements, or split it into several")
	case err != nil:
		return nil, BadForm("send it again")
	}
	return f, nil
}

func (f *Form) readParts(r *http.Request) error {
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
		f.Text, f.File = file, true
	}
	return nil
}

func (f *Form) readPairs(r *http.Request) error {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	for pair := range strings.SplitSeq(string(body), "&") {
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return err
		}
		if value, err = url.QueryUnescape(value); err != nil {
			return err
		}
		f.set(name, value)
	}
	return nil
}

func (f *Form) set(name, value string) {
	switch name {
	case "document":
		f.Text = unixLines.Replace(value) // browsers send the lines of a text field as in mail
	case "do":
		f.Do = value
	case "fix":
		f.Fix = value
	default:
		f.Fields = append(f.Fields, Field{name, strings.ToValidUTF8(unixLines.Replace(value), "\uFFFD")})
	}
}

var unixLines = strings.NewReplacer("\r\n", "\n")
