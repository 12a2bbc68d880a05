package datachain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/evolution/upgrade"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/cputime"
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

// openPinned opens the version that a document pins.
func (s *Service) openPinned(ctx context.Context, doc *document.Document) (*Schema, error) {
	version := pin(doc)
	if version == "" {
		return nil, malformed("document", nil, "add schema_version", "The document does not pin a schema version.")
	}
	return s.Open(ctx, version)
}

// pinned returns the release that a document pins, or nil if that is not
// published or not a version at all.
func (s *Service) pinned(ctx context.Context, doc *document.Document) (*taxonomy.Release, error) {
	version := pin(doc)
	if _, err := taxonomy.ParseRef(version); err != nil {
		return nil, nil //nolint:nilerr // a finding on the shape will say so
	}
	schema, err := s.Open(ctx, version)
	switch {
	case errors.Is(err, taxonomy.ErrNotFound):
		return nil, nil
	case err != nil:
		return nil, err
	}
	return schema.release, nil
}

// pin returns the schema version that a document names, or "" if it names none.
func pin(doc *document.Document) string {
	v, ok := doc.Root().Get("schema_version")
	if !ok {
		return ""
	}
	return v.Text()
}

// parse reads a document strictly. It copies the text, since the caller may change it while
// a verdict is still used.
func (s *Service) parse(t *task, text []byte) (*document.Document, error) {
	if most := s.options.MaxInput; most > 0 && len(text) > most {
		e := failure(issue.CodePayloadTooLarge, nil, "send a smaller document", "The document has %d bytes; at most %d are allowed.", len(text), most)
		e.Param = "document"
		return nil, e
	}
	doc, err := document.ParseWith(bytes.Clone(text), &document.Options{Interrupt: t.interrupt})
	if err == nil {
		return doc, nil
	}
	syntax, ok := errors.AsType[*document.SyntaxError](err)
	if !ok {
		return nil, err // of interrupt
	}
	hint := "send one JSON value in UTF-8"
	if syntax.DuplicateKey {
		hint = "give each key of an object once"
	}
	e := malformed("document", err, hint, "The document is not valid JSON: %s.", err)
	e.Kind = KindSyntax
	return nil, e
}

// errCPU ends work that has used up its CPU time.
var errCPU = errors.New("the CPU limit is reached")

// task is the work on one document.
type task struct {
	clock *cputime.Clock
	// interrupt returns an error once the context has ended or the CPU limit is
	// reached.
	interrupt func() error
}

// read runs what reads the store. The time that it takes is not that of the document. If the
// document has used up the time before, it is not the store that is to blame.
func (t *task) read(do func() error) (err error) {
	if err := t.interrupt(); err != nil {
		return err
	}
	t.clock.Skip(func() { err = do() })
	if err == nil {
		err = t.interrupt()
	}
	return err
}

// work runs what may take long, until the context ends or the CPU limit is
// reached.
func (s *Service) work(ctx context.Context, do func(*task) error) error {
	clock := cputime.Start()
	defer clock.Stop()
	err := do(&task{clock, func() error {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.options.MaxCPU > 0 && clock.Exceeds(s.options.MaxCPU) {
			return errCPU
		}
		return nil
	}})
	if err == nil {
		return nil
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return known
	}
	if errors.Is(err, context.Canceled) {
		return failure(issue.CodeTimeout, err, "try again", "Validating the document was canceled.")
	}
	if isTimeout(err) || errors.Is(err, errCPU) {
		return failure(issue.CodeTimeout, err, "try again, or send a smaller document", "Validating the document took too long.")
	}
	return failure(issue.CodeInternalError, err, "try again; if it keeps failing, tell the operator", "The document could not be validated.")
}

// Verdict is the result of validating a document. That a document is invalid is an
// answer, not an error.
type Verdict struct {
	// Release is what the document was validated against; for a resolved document it
	// is the version that was addressed. It is nil if the document pins a
	// version that is not published.
	Release *taxonomy.Release
	// Resolved reports whether it was validated as a resolved document, by the
	// snapshot that it carries.
	Resolved bool
	// Issues are all findings, in the order of the rules. If one of them is a
	// parse_error, the shape is wrong, and no rule was checked, or
	// with [ValidateOptions.Partial] those that do not depend on what is wrong.
	Issues issue.Issues
	// Fixed is the outcome of [ValidateOptions.Fix], or nil if that was not
	// requested. See also [Verdict.AfterFix].
	Fixed *validate.Fixed

	doc *document.Document
}

// Document returns the parsed document.
func (v *Verdict) Document() *document.Document { return v.doc }

// AfterFix returns the verdict on the document as it was fixed, or v if nothing was.
func (v *Verdict) AfterFix() *Verdict {
	if v.Fixed == nil || len(v.Fixed.Edits) == 0 {
		return v
	}
	return &Verdict{Release: v.Release, Resolved: v.Resolved, Issues: v.Fixed.Result.Issues, doc: v.Fixed.Document}
}

// Finding is an issue with its position in the text: what an editor underlines.
type Finding struct {
	issue.Issue
	Span document.Span
}

// OK reports whether the document is valid; it may have warnings. A zero Verdict is not that
// of a document.
func (v *Verdict) OK() bool { return v.Issues != nil && !v.Issues.HasErrors() }

// Errors returns the findings that make the document invalid.
func (v *Verdict) Errors() issue.Issues { return v.Issues.With(issue.SeverityError) }

// Warnings returns the other findings.
func (v *Verdict) Warnings() issue.Issues { return v.Issues.With(issue.SeverityWarning) }

// Edits returns the fixes of some findings as edits of the document, and the findings
// that they fix; see [validate.Edits].
func (v *Verdict) Edits(findings ...issue.Issue) ([]document.Edit, issue.Issues) {
	return validate.Edits(v.Document(), findings)
}

// Findings returns all findings with their positions, in the order of the rules.
func (v *Verdict) Findings() []Finding {
	findings := make([]Finding, len(v.Issues))
	for i, found := range v.Issues {
		findings[i] = Finding{found, validate.Mark(v.Document(), found)}
	}
	return findings
}

// UpgradeOptions configure how a document is moved to another version. The zero value
// and nil are the defaults.
type UpgradeOptions struct {
	// From is the version for which the document was written, a canonical id or
	// an alias; the default is the one that the document pins. That one need not
	// be published.
	From string
	// Drop removes what the new version no longer has; see
	// [upgrade.Options.Drop].
	Drop bool
}

// Upgrade moves a document, thin or resolved, to this version. What is left for a person
// to do, and that the shape of the document is wrong, is part of the report, and not an
// error. A document of another datachain type is an error.
func (s *Schema) Upgrade(ctx context.Context, text []byte, o *UpgradeOptions) (*upgrade.Result, error) {
	if o == nil {
		o = new(UpgradeOptions)
	}
	var r *upgrade.Result
	err := s.service.work(ctx, func(t *task) error {
		doc, err := s.service.parse(t, text)
		if err != nil {
			return err
		}
		var from *taxonomy.Release
		if err := t.read(func() (err error) { from, err = s.service.upgradedFrom(ctx, doc, o.From); return err }); err != nil {
			return err
		}
		options := &upgrade.Options{
			Drop: o.Drop, MaxBytes: s.service.options.MaxBytes, Rules: s.service.options.Rules, Interrupt: t.interrupt,
			Between: func() (all []*taxonomy.Release) {
				_ = t.read(func() error { all = s.service.Between(ctx, from, s.release); return nil }) // what can be read
				return all
			},
		}
		if from != nil {
			options.Older = func() (all []*taxonomy.Release) {
				_ = t.read(func() error { all = s.service.dated(ctx, from, "", from.Version().Date()); return nil })
				return all
			}
		}
		r, err = upgrade.Document(doc, from, s.release, options)
		if errors.Is(err, upgrade.ErrAnotherType) {
			return s.anotherType(doc, from, o.From, err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// upgradedFrom returns the release that a document is moved from: the one that was
// asked for, or the one that it pins, which is nil if that is not published.
func (s *Service) upgradedFrom(ctx context.Context, doc *document.Document, asked string) (*taxonomy.Release, error) {
	if asked == "" {
		return s.pinned(ctx, doc)
	}
	schema, err := s.Open(ctx, asked)
	if err != nil {
		if known, ok := errors.AsType[*Error](err); ok && known.Param != "" {
			about := *known
			about.Param = "from"
			err = &about
		}
		return nil, err
	}
	return schema.release, nil
}

// anotherType is the error for a document that is not of the datachain type of the
// version.
func (s *Schema) anotherType(doc *document.Document, from *taxonomy.Release, asked string, cause error) *Error {
	to := s.release.Version()
	if asked != "" {
		return malformed("from", cause, "use a version of "+to.Type(), "The version %s is not of the datachain type %s.", from.Version(), to.Type())
	}
	ref, err := taxonomy.ParseRef(pin(doc))
	if err != nil {
		return malformed("document", cause, "use a document of "+to.Type(), "The document is not of the datachain type %s.", to.Type())
	}
	return malformed("document", cause, "use a version of "+ref.Type()+", such as "+ref.Type()+"@"+codes.AliasLatest,
		"The document pins %s, which is not of the datachain type %s.", ref, to.Type())
}

// Between returns the versions between two of a datachain type, as far as they can be read,
// the newest first. The older one can be nil, for one that is not known.
func (s *Service) Between(ctx context.Context, older, newer *taxonomy.Release) []*taxonomy.Release {
	if older == nil {
		return nil
	}
	return s.dated(ctx, newer, older.Version().Date(), newer.Version().Date())
}

// dated returns the versions of the datachain type of a release that are between two dates, as far
// as they can be read.
func (s *Service) dated(ctx context.Context, of *taxonomy.Release, after, before string) []*taxonomy.Release {
	index, err := s.Versions(ctx)
	if err != nil {
		return nil
	}
	var all []*taxonomy.Release
	for _, e := range index.Entries() {
		if e.ID.Type() != of.Version().Type() || e.ID.Date() <= after || e.ID.Date() >= before {
			continue
		}
		if schema, err := s.Open(ctx, e.ID.String()); err == nil {
			all = append(all, schema.release)
		}
	}
	return all
}
