package datachain

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/datachain-go/datachain/internal/cputime"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Verdict is what is wrong with a document. That there is something is an answer,
// not a failure.
type Verdict struct {
	// Release is what the document was judged by, or, for a resolved one,
	// what was addressed.
	Release *taxonomy.Release
	// Errors make the document invalid. If one of them is a
	// [taxonomy.CodeParseError], its shape is wrong, and nothing else was
	// looked at.
	Errors issue.Issues
	// Warnings do not.
	Warnings issue.Issues
}

// OK reports whether the document is valid.
func (v *Verdict) OK() bool { return len(v.Errors) == 0 }

// Validate judges a datachain by a version; an empty one is the version that the
// document pins.
func (s *Service) Validate(ctx context.Context, version string, document []byte) (*Verdict, error) {
	r, err := s.addressed(ctx, version)
	if err != nil {
		return nil, err
	}
	var v *Verdict
	err = s.work(ctx, func(interrupt func() error) (err error) {
		_, v, err = s.judge(ctx, r, document, &validate.Options{Rules: s.options.Rules, Interrupt: interrupt})
		return err
	})
	return v, err
}

// addressed returns the release of a version, or nil where that is empty: then
// the document says which one.
func (s *Service) addressed(ctx context.Context, version string) (*taxonomy.Release, error) {
	if version == "" {
		return nil, nil
	}
	return s.Release(ctx, version)
}

// judge reads a document and judges it by a release, or by the one that it pins
// where there is none.
func (s *Service) judge(ctx context.Context, r *taxonomy.Release, document []byte, o *validate.Options) (*document.Document, *Verdict, error) {
	doc, err := parse(document)
	if err == nil {
		err = o.Interrupt()
	}
	if err == nil && r == nil {
		r, err = s.named(ctx, doc)
	}
	if err != nil {
		return nil, nil, err
	}
	result, err := validate.Instance(r, doc, o)
	if err != nil {
		return nil, nil, err
	}
	return doc, verdict(r, result), nil
}

// Resolve judges a datachain by a version, as [Service.Validate] does, and, where
// it is valid, makes it self-contained. The bundle is nil where it is not. One
// that is too large is a failure with [taxonomy.CodePayloadTooLarge].
func (s *Service) Resolve(ctx context.Context, version string, text []byte) (*Verdict, *resolve.Bundle, error) {
	r, err := s.addressed(ctx, version)
	if err != nil {
		return nil, nil, err
	}
	var v *Verdict
	var bundle *resolve.Bundle
	err = s.work(ctx, func(interrupt func() error) error {
		var doc *document.Document
		doc, v, err = s.judge(ctx, r, text, &validate.Options{MustPin: true, Rules: s.options.Rules, Interrupt: interrupt})
		if err != nil || !v.OK() {
			return err
		}
		bundle, err = resolve.Resolve(v.Release, doc, &resolve.Options{MaxBytes: s.options.MaxBundle, Interrupt: interrupt})
		if large, ok := errors.AsType[*resolve.TooLargeError](err); ok {
			return failure(issue.CodePayloadTooLarge, err, "place fewer elements, or split the datachain into several",
				"The resolved datachain has %d bytes, and at most %d are allowed.", large.Size, large.Max)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return v, bundle, nil
}

// ValidateResolved judges a resolved datachain by the snapshot that it carries.
// The snapshot is compared with the version that the document pins, as long as
// that is published. The version that is addressed only has to exist; where it is
// empty, the verdict has the release that the document pins, or none.
func (s *Service) ValidateResolved(ctx context.Context, version string, document []byte) (*Verdict, error) {
	r, err := s.addressed(ctx, version)
	if err != nil {
		return nil, err
	}
	var v *Verdict
	err = s.work(ctx, func(interrupt func() error) error {
		doc, err := parse(document)
		if err != nil {
			return err
		}
		live, err := s.pinned(ctx, doc)
		if err == nil {
			err = interrupt()
		}
		if err != nil {
			return err
		}
		result, err := validate.Resolved(live, doc, &validate.Options{Rules: s.options.Rules, Interrupt: interrupt})
		if err != nil {
			return err
		}
		v = verdict(cmp.Or(r, live), result)
		return nil
	})
	return v, err
}

// named returns the release that a document pins, and fails where there is none.
func (s *Service) named(ctx context.Context, doc *document.Document) (*taxonomy.Release, error) {
	version := pin(doc)
	if version == "" {
		return nil, badRequest(nil, "add schema_version, or say by which version to judge", "The document does not say which schema version it is of.")
	}
	return s.Release(ctx, version)
}

// pinned returns the release that a document pins, or nil where there is none
// any more, or it pins none.
func (s *Service) pinned(ctx context.Context, doc *document.Document) (*taxonomy.Release, error) {
	version := pin(doc)
	if _, err := taxonomy.ParseVersion(version); err != nil {
		return nil, nil //nolint:nilerr // the shape is wrong, and will be said to be
	}
	r, err := s.Release(ctx, version)
	if errors.Is(err, taxonomy.ErrNotFound) {
		return nil, nil
	}
	return r, err
}

// pin returns the schema version that a document names, or "" where it names
// none.
func pin(doc *document.Document) string {
	v, ok := doc.Find(issue.Root.Key("schema_version"))
	if !ok {
		return ""
	}
	return v.Text()
}

// parse reads a document strictly. A failure says where in the text it is.
func parse(text []byte) (*document.Document, error) {
	doc, err := document.Parse(text)
	if err == nil {
		return doc, nil
	}
	hint := "send one JSON value in UTF-8"
	if syntax, ok := errors.AsType[*document.SyntaxError](err); ok && syntax.DuplicateKey {
		hint = "give each key of an object once"
	}
	return nil, badRequest(err, hint, "The document is not valid JSON: %s.", strings.TrimSuffix(err.Error(), "."))
}

func verdict(r *taxonomy.Release, result *validate.Result) *Verdict {
	v := &Verdict{Release: r, Errors: issue.Issues{}, Warnings: issue.Issues{}}
	for _, i := range result.Issues {
		if i.Severity == issue.SeverityWarning {
			v.Warnings = append(v.Warnings, i)
		} else {
			v.Errors = append(v.Errors, i)
		}
	}
	return v
}

// errCPU is the end of the processor time that one document may take.
var errCPU = errors.New("the limit of processor time is reached")

// work does what may take long, as long as the context lasts and the processor
// time is not used up.
func (s *Service) work(ctx context.Context, do func(interrupt func() error) error) error {
	clock := cputime.Start()
	defer clock.Stop()
	err := do(func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.options.MaxCPU > 0 && clock.Used() > s.options.MaxCPU {
			return errCPU
		}
		return nil
	})
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	if isTimeout(err) || errors.Is(err, errCPU) {
		return failure(issue.CodeTimeout, err, "try again, or send a smaller document", "Judging the document took too long.")
	}
	return failure(issue.CodeInternalError, err, "", "The document could not be judged.")
}
