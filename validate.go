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
	// Partial also validates a text that is not strict JSON, and also runs the rules
	// if the shape is wrong, on the parts whose shape is valid, for editors; see
	// [validate.Options.Partial].
	Partial bool
	// Fix applies the edits that findings describe; see [Verdict.Fixed].
	Fix bool
}

// Validate validates a document by the version that it pins: a thin document by that
// version, a resolved one by its snapshot, which is compared with that version. If the
// version is not published, that is an error of a thin document, and a warning for a
// resolved one.
func (s *Service) Validate(ctx context.Context, text []byte, o *ValidateOptions) (*Verdict, error) {
	return s.validate(ctx, text, o, func(doc *document.Document) (target, error) {
		pinned, err := s.pinned(ctx, doc)
		t := target{resolved: IsResolved(doc), release: pinned, pinned: pinned}
		if _, malformed := taxonomy.ParseVersion(pin(doc)); err == nil && malformed == nil && !t.resolved && pinned == nil {
			t.index, err = s.Versions(ctx)
		}
		return t, err
	})
}

// Validate validates a document: a thin one by this version, whatever it pins, and a resolved
// one as [Schema.ValidateResolved] does.
func (s *Schema) Validate(ctx context.Context, text []byte, o *ValidateOptions) (*Verdict, error) {
	return s.service.validate(ctx, text, o, func(doc *document.Document) (target, error) { return s.target(ctx, doc) })
}

// ValidateThin validates any document as a thin one, by this version. It does not check the
// snapshot of a resolved one, and warns of that.
func (s *Schema) ValidateThin(ctx context.Context, text []byte, o *ValidateOptions) (*Verdict, error) {
	return s.service.validate(ctx, text, o, s.thin)
}

// ValidateResolved validates a resolved document by the snapshot that it carries. If the
// version that the document pins is published, the snapshot is compared with it, and
// it says which categories are required and how often each can be placed; it need not
// be this version.
func (s *Schema) ValidateResolved(ctx context.Context, text []byte, o *ValidateOptions) (*Verdict, error) {
	return s.service.validate(ctx, text, o, func(doc *document.Document) (target, error) { return s.resolved(ctx, doc) })
}

// ResolveOptions configure how a document is resolved. The zero value and nil are the defaults.
type ResolveOptions struct {
	// Strict also reports what is tolerated, such as unknown fields, as warnings.
	Strict bool
}

// Resolve validates a thin document and, if it is valid, makes it self-contained;
// otherwise the bundle is nil. A document that pins another version is invalid, since the
// bundle would contradict its pin. A bundle that is too large is an error with
// [issue.CodePayloadTooLarge].
func (s *Schema) Resolve(ctx context.Context, text []byte, o *ResolveOptions) (*Verdict, *resolve.Bundle, error) {
	if o == nil {
		o = new(ResolveOptions)
	}
	var v *Verdict
	var bundle *resolve.Bundle
	err := s.service.Work(ctx, text, func(w *Work) (err error) {
		options := w.ValidateOptions()
		options.MustPin, options.Strict = true, o.Strict
		v, _, err = w.verdict(s.thin, options)
		if err != nil || !v.OK() {
			return err
		}
		bundle, err = resolve.Resolve(s.release, v.doc, &resolve.Options{MaxBytes: s.service.options.MaxBytes, Interrupt: w.Interrupt})
		if large, ok := errors.AsType[*resolve.TooLargeError](err); ok {
			return failure(issue.CodePayloadTooLarge, err, "place fewer elements, or split the datachain into several",
				"The resolved datachain has %d bytes; at most %d are allowed.", large.Size, large.Max)
		}
		return err
	})
	if syntax := newSyntaxVerdict(err, false); syntax != nil {
		return syntax, nil, nil
	}
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

// target is what a document is validated against.
type target struct {
	// resolved means that the document is validated by the snapshot that it carries.
	resolved bool
	// release is the version that was addressed. It is nil if that is the one that
	// the document pins, and not published.
	release *taxonomy.Release
	// pinned is the version that a resolved document pins, or nil if that is not
	// published.
	pinned *taxonomy.Release
	// index names published versions to a thin document that pins another one.
	index *taxonomy.Index
}

// target returns the target of a document, by what it is.
func (s *Schema) target(ctx context.Context, doc *document.Document) (target, error) {
	if IsResolved(doc) {
		return s.resolved(ctx, doc)
	}
	return s.thin(doc)
}

// thin returns the version as the target of any document.
func (s *Schema) thin(*document.Document) (target, error) { return target{release: s.release}, nil }

// resolved returns the target of a resolved document.
func (s *Schema) resolved(ctx context.Context, doc *document.Document) (target, error) {
	pinned, err := s.service.pinned(ctx, doc)
	return target{resolved: true, release: s.release, pinned: pinned}, err
}

// validate validates a document. If there is no release for a thin one, it checks the shape.
func (t *target) validate(doc *document.Document, o *validate.Options) (issue.Issues, error) {
	var result *validate.Result
	var err error
	switch {
	case t.resolved:
		options := *o
		if t.release != nil {
			options.Version = t.release.Version()
		}
		result, err = validate.Resolved(t.pinned, doc, &options)
	case t.release != nil:
		result, err = validate.Instance(t.release, doc, o)
	default:
		result, err = validate.InstanceShape(doc, o)
		if version, malformed := taxonomy.ParseVersion(pin(doc)); err == nil && malformed == nil { // else the shape is wrong
			result.Issues = append(result.Issues, notPublished(t.index, version))
		}
	}
	if err != nil {
		return nil, err
	}
	return result.Issues, nil
}

// notPublished is the finding for a thin document that pins a version that is not published.
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
	if retired, ok := index.LookupRetired(version); ok {
		i.Message = fmt.Sprintf("The schema version %s.", retired)
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

// validate validates a document against the target that choose returns, and fixes it if that
// is requested.
func (s *Service) validate(ctx context.Context, text []byte, o *ValidateOptions, choose func(*document.Document) (target, error)) (*Verdict, error) {
	if o == nil {
		o = new(ValidateOptions)
	}
	var v *Verdict
	err := s.work(ctx, text, o.Partial, func(w *Work) error {
		options := w.ValidateOptions()
		options.Strict, options.Partial = o.Strict, o.Partial
		var t target
		var err error
		if v, t, err = w.verdict(choose, options); err != nil || !o.Fix {
			return err
		}
		v.Fixed, err = s.fix(v, t, options)
		return err
	})
	if syntax := newSyntaxVerdict(err, o.Fix); syntax != nil {
		return syntax, nil
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// verdict validates the document against the target that choose returns.
func (w *Work) verdict(choose func(*document.Document) (target, error), o *validate.Options) (*Verdict, target, error) {
	var t target
	if err := w.Read(func() (err error) { t, err = choose(w.doc); return err }); err != nil {
		if !w.doc.Strict() && w.Interrupt() == nil { // what is known without the store
			err = syntaxFailure(w.doc.SyntaxErrors()[0])
		}
		return nil, target{}, err
	}
	issues, err := w.service.issues(w.doc, t, o)
	if err != nil {
		return nil, target{}, err
	}
	v := &Verdict{Release: t.release, Resolved: t.resolved, Issues: issues, doc: w.doc}
	if !w.doc.Strict() {
		v.syntax = syntaxFailure(w.doc.SyntaxErrors()[0])
	}
	return v, t, nil
}

// issues validates a document, and adds that the version that it pins is deprecated, which
// only the index knows.
func (s *Service) issues(doc *document.Document, t target, o *validate.Options) (issue.Issues, error) {
	issues, err := t.validate(doc, o)
	if err != nil {
		return nil, err
	}
	pinned := s.listed(pin(doc))
	if pinned == nil || pinned.Deprecated == "" {
		return issues, nil
	}
	if o.Partial || !slices.ContainsFunc(issues, func(i issue.Issue) bool { return i.Code == codes.ParseError }) {
		issues = append(issues, deprecated(&pinned.Entry))
	}
	return issues, nil
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
func (s *Service) fix(v *Verdict, t target, o *validate.Options) (*validate.Fixed, error) {
	return validate.FixAll(v.doc, &validate.Result{Issues: v.Issues}, func(doc *document.Document) (*validate.Result, error) {
		issues, err := s.issues(doc, t, o)
		if err != nil {
			return nil, err
		}
		return &validate.Result{Issues: issues}, nil
	})
}
