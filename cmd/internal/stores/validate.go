package stores

import (
	"context"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Validator validates a document.
type Validator func(ctx context.Context, text []byte) (*datachain.Verdict, error)

// Validator returns what validates documents: thin ones against a version, or if that is empty,
// against the one that they pin.
func (s *Set) Validator(ctx context.Context, version string, o *datachain.ValidateOptions) (Validator, error) {
	if version == "" {
		return func(ctx context.Context, text []byte) (*datachain.Verdict, error) { return s.Validate(ctx, text, o) }, nil
	}
	schema, err := s.Open(ctx, version)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, text []byte) (*datachain.Verdict, error) {
		return schema.Validate(ctx, text, o)
	}, nil
}

// Report returns the report of a verdict, or the error that is there instead; fixed reports the
// verdict on the fixed text.
func (s *Set) Report(d inputs.Input, text []byte, v *datachain.Verdict, err error, fixed bool) report.File {
	f := report.File{Name: d.Name, Path: d.Path, Text: text}
	if err != nil {
		f.Err = Readable(err)
		return f
	}
	if v.Document() == nil {
		f.Findings = []report.Finding{report.Finding(v.Findings()[0])}
		return f
	}
	if v.Fixed != nil && len(v.Fixed.Resolved) > 0 {
		f.Fix = &report.Fix{Resolved: v.Fixed.Resolved, Before: text, After: v.Fixed.Document.Text()}
		if fixed {
			v, f.Text = v.AfterFix(), f.Fix.After
		}
	}
	f.Kind = "thin"
	if v.Resolved {
		f.Kind = "resolved"
	}
	if v.Release != nil {
		f.Version = v.Release.Version().String()
	} else if pin, ok := v.Document().Root().Get("schema_version"); ok {
		f.Version = pin.Text()
	}
	for _, finding := range v.Findings() {
		if finding.Code == issue.CodeNotFound {
			finding.FixHint = s.Hint(finding.FixHint, f.Version)
		}
		f.Findings = append(f.Findings, report.Finding(finding))
	}
	return f
}

// Readable returns an error for people: that of a [datachain.Service] as its
// message, its cause and its hint, others without the name of one of our packages.
func Readable(err error) error {
	e, ok := err.(*datachain.Error) //nolint:errorlint // what wraps it has a message of its own
	if !ok {
		return errname.Trim(err)
	}
	text := e.Issue.Message
	if e.Kind == datachain.KindFailure && e.Err != nil {
		text += " " + e.Err.Error()
	} else if e.Issue.FixHint != "" {
		return advice.Add(&messageError{text, err}, "Hint: %s", e.Issue.FixHint)
	}
	return &messageError{text, err}
}

// messageError is an error with another message.
type messageError struct {
	message string
	err     error
}

// Error returns the message.
func (e *messageError) Error() string { return e.message }

// Unwrap returns the error.
func (e *messageError) Unwrap() error { return e.err }
