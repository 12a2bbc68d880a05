package datachain

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// ValidateOptions configure how a document is validated. The zero value and nil are
// the defaults.
type ValidateOptions struct {
	// Strict also reports what is tolerated, such as unknown fields, as
	// warnings.
	Strict bool
	// Partial also runs the rules if the shape is wrong, on the parts whose
	// shape is valid, for editors; see [validate.Options.Partial].
	Partial bool
	// Fix applies the edits that findings describe; see [Verdict.Fixed].
	Fix bool
}

// Validate validates a document by the version that it pins: a thin document by that
// version, a resolved one by its snapshot, which is compared with that version if
// it is published; if not, a warning says so. That a thin document pins no published
// version is a finding.
func (s *Service) Validate(ctx context.Context, text []byte, o *ValidateOptions) (*Verdict, error) {
	return s.validate(ctx, text, o, func(t *task, doc *document.Document) (validator, error) {
		var live *taxonomy.Release
		var index *taxonomy.Index
		err := t.read(func() (err error) {
			if live, err = s.pinned(ctx, doc); err == nil && live == nil && !IsResolved(doc) {
				index, err = s.Versions(ctx)
			}
			return err
		})
		switch {
		case err != nil:
			return nil, err
		case IsResolved(doc):
			return resolvedValidator(live, live), nil
		case live != nil:
			return thinValidator(live), nil
		}
		return unpublishedValidator(index), nil
	})
}

// Validate validates a thin document by this version. Of a resolved one it does not check the
// snapshot, which a warning says; [Service.Validate] does.
func (s *Schema) Validate(ctx context.Context, text []byte, o *ValidateOptions) (*Verdict, error) {
	return s.service.validate(ctx, text, o, func(t *task, _ *document.Document) (validator, error) { return thinValidator(s.release), t.interrupt() })
}

// ValidateResolved validates a resolved document by the snapshot that it carries. If the
// version that the document pins is published, the snapshot is compared with it, and
// it says which categories are required and how often each can be placed; it need not
// be this version.
func (s *Schema) ValidateResolved(ctx context.Context, text []byte, o *ValidateOptions) (*Verdict, error) {
	return s.service.validate(ctx, text, o, func(t *task, doc *document.Document) (validator, error) {
		var live *taxonomy.Release
		err := t.read(func() (err error) { live, err = s.service.pinned(ctx, doc); return err })
		return resolvedValidator(s.release, live), err
	})
}

// Resolve validates a thin document and, if it is valid, makes it self-contained;
// otherwise the bundle is nil. It fixes nothing. That the document pins another version is an error,
// since the bundle would contradict its pin. A bundle that is too large is an
// error with [issue.CodePayloadTooLarge].
func (s *Schema) Resolve(ctx context.Context, text []byte, o *ValidateOptions) (*Verdict, *resolve.Bundle, error) {
	if o == nil {
		o = new(ValidateOptions)
	}
	var v *Verdict
	var bundle *resolve.Bundle
	err := s.service.work(ctx, func(t *task) error {
		doc, err := s.service.parse(t, text)
		if err != nil {
			return err
		}
		v, err = s.service.verdict(doc, thinValidator(s.release), &validate.Options{MustPin: true, Strict: o.Strict, Partial: o.Partial, Rules: s.service.options.Rules, Interrupt: t.interrupt})
		if err != nil || !v.OK() {
			return err
		}
		bundle, err = resolve.Resolve(s.release, doc, &resolve.Options{MaxBytes: s.service.options.MaxBytes, Interrupt: t.interrupt})
		if large, ok := errors.AsType[*resolve.TooLargeError](err); ok {
			return failure(issue.CodePayloadTooLarge, err, "place fewer elements, or split the datachain into several",
				"The resolved datachain has %d bytes; at most %d are allowed.", large.Size, large.Max)
		}
		return err
	})
	if err != nil {
		return nil, nil, err
	}
	return v, bundle, nil
}

// IsResolved reports whether a document carries a schema snapshot.
func IsResolved(doc *document.Document) bool {
	_, ok := doc.Root().Get("schema_snapshot")
	return ok
}

// validator validates a document against releases that are open already.
type validator func(*document.Document, *validate.Options) (*Verdict, error)

// thinValidator validates thin documents against a release.
func thinValidator(r *taxonomy.Release) validator {
	return func(doc *document.Document, o *validate.Options) (*Verdict, error) {
		result, err := validate.Instance(r, doc, o)
		if err != nil {
			return nil, err
		}
		return &Verdict{Release: r, Issues: result.Issues}, nil
	}
}

// resolvedValidator validates resolved documents that address one release and pin another,
// which is nil if that is not published.
func resolvedValidator(addressed, live *taxonomy.Release) validator {
	return func(doc *document.Document, o *validate.Options) (*Verdict, error) {
		own := *o
		if addressed != nil {
			own.Version = addressed.Version()
		}
		result, err := validate.Resolved(live, doc, &own)
		if err != nil {
			return nil, err
		}
		return &Verdict{Release: addressed, Resolved: true, Issues: result.Issues}, nil
	}
}

// unpublishedValidator validates thin documents that pin no published version. They get the
// findings on their shape, too.
func unpublishedValidator(index *taxonomy.Index) validator {
	return func(doc *document.Document, o *validate.Options) (*Verdict, error) {
		result, err := validate.InstanceShape(doc, o)
		if err != nil {
			return nil, err
		}
		v := &Verdict{Issues: result.Issues}
		if version, err := taxonomy.ParseVersion(pin(doc)); err == nil { // otherwise the shape is wrong
			v.Issues = append(v.Issues, notPublished(index, version))
		}
		return v, nil
	}
}

func notPublished(index *taxonomy.Index, version taxonomy.Version) issue.Issue {
	// A document pins a version by its id, never by an alias.
	near := slices.DeleteFunc(index.Nearest(version.Ref(), 6), func(name string) bool {
		_, err := taxonomy.ParseVersion(name)
		return err != nil
	})
	i := issue.Issue{
		Code: issue.CodeNotFound, Severity: issue.SeverityError, Path: issue.Root.Key("schema_version"),
		Message: fmt.Sprintf("There is no schema version %s.", version), FixHint: "pin a published version",
	}
	if gone, retired := index.LookupRetired(version); retired {
		i.Message = fmt.Sprintf("The schema version %s.", gone)
		if next, known := index.Successor(version); known {
			i.FixHint = "upgrade to " + next.String()
			return i
		}
	}
	if len(near) > 0 {
		i.FixHint = "write " + strings.Join(near, " or ")
	}
	for _, name := range near {
		i.Choices = append(i.Choices, issue.Fix{Title: "Write " + name, Path: i.Path, Value: jcs.AppendQuote(nil, name)})
	}
	return i
}

// validate parses a document, validates it with the validator that choose returns, and
// fixes it if that is requested.
func (s *Service) validate(ctx context.Context, text []byte, o *ValidateOptions, choose func(*task, *document.Document) (validator, error)) (*Verdict, error) {
	if o == nil {
		o = new(ValidateOptions)
	}
	var v *Verdict
	err := s.work(ctx, func(t *task) error {
		doc, err := s.parse(t, text)
		if err != nil {
			return err
		}
		by, err := choose(t, doc)
		if err != nil {
			return err
		}
		options := &validate.Options{Strict: o.Strict, Partial: o.Partial, Rules: s.options.Rules, Interrupt: t.interrupt}
		if v, err = s.verdict(doc, by, options); err != nil || !o.Fix {
			return err
		}
		v.Fixed, err = s.fix(v, by, options)
		return err
	})
	if err != nil {
		return nil, err
	}
	return v, nil
}

// verdict validates a document, and adds that the version that it pins is deprecated, which is
// not known from its content.
func (s *Service) verdict(doc *document.Document, by validator, o *validate.Options) (*Verdict, error) {
	v, err := by(doc, o)
	if err != nil {
		return nil, err
	}
	v.doc = doc
	pinned := s.listed(pin(doc))
	if pinned == nil || pinned.Deprecated == "" {
		return v, nil
	}
	if o.Partial || !slices.ContainsFunc(v.Issues, func(i issue.Issue) bool { return i.Code == codes.ParseError }) {
		v.Issues = append(v.Issues, deprecated(&pinned.Entry))
	}
	return v, nil
}

// deprecated is the finding for a document that pins a version that is deprecated.
func deprecated(e *taxonomy.Entry) issue.Issue {
	hint := "move to another version before it is retired"
	if !e.Successor.IsZero() {
		hint = "upgrade to " + e.Successor.String()
	}
	return issue.Issue{
		Code: codes.SchemaVersionDeprecated, Severity: issue.SeverityWarning, Path: issue.Root.Key("schema_version"),
		Message: fmt.Sprintf("The schema version %s %s.", e.ID, e.Notice()), FixHint: hint,
	}
}

// fix applies the edits that the findings of a verdict describe.
func (s *Service) fix(v *Verdict, by validator, o *validate.Options) (*validate.Fixed, error) {
	return validate.FixAll(v.doc, &validate.Result{Issues: v.Issues}, func(doc *document.Document) (*validate.Result, error) {
		next, err := s.verdict(doc, by, o)
		if err != nil {
			return nil, err
		}
		return &validate.Result{Issues: next.Issues}, nil
	})
}
