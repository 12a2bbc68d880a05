package register

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// validator validates the texts of documents. It is safe for concurrent use.
type validator struct {
	service *datachain.Service
}

// checkSnapshot returns an error if a resolved text pins a stable version that is published, and has
// another snapshot.
func (v *validator) checkSnapshot(ctx context.Context, text []byte) error {
	schema, err := v.service.OpenFor(ctx, text)
	if err != nil || schema.Release().Version().Status() != taxonomy.Stable {
		return ctx.Err() // there is nothing to compare with
	}
	verdict, err := schema.ValidateResolved(ctx, text, nil)
	if err != nil {
		return err
	}
	for _, i := range verdict.Issues {
		if i.Code == codes.SnapshotDrift {
			return fmt.Errorf("it was altered, so restore it: %s: %s", i.Path, strings.TrimSuffix(i.Message, "."))
		}
	}
	return nil
}

// validDocument is the text of a document without errors, with what lists need of it.
type validDocument struct {
	id, slug string
	*Content
	// product is set if the text describes a product, which is never shown; then there is nothing
	// else.
	product *Product
	hash    taxonomy.Hash
	text    []byte
	// validatedBy is the release that the text was validated by, nil if that is not published.
	validatedBy *taxonomy.Release
}

// validateSnapshot validates a resolved text against the snapshot that it carries, since it is no
// longer valid against the changed version that it pins.
func (v *validator) validateSnapshot(ctx context.Context, text []byte, settings *Settings) (*validDocument, issue.Issues, error) {
	d, issues, err := v.validateWith(ctx, text, settings, v.service.PresentSnapshot)
	if d != nil && d.product == nil {
		d.Unpublished, d.Outdated = false, true
	}
	return d, issues, err
}

// validate validates a text. If it can't be published, it returns the reasons, and nothing else unless
// it describes a product.
func (v *validator) validate(ctx context.Context, text []byte, settings *Settings) (*validDocument, issue.Issues, error) {
	return v.validateWith(ctx, text, settings, v.service.Present)
}

func (v *validator) validateWith(ctx context.Context, text []byte, settings *Settings,
	present func(context.Context, []byte) (*datachain.Verdict, *datachain.Presentation, error),
) (*validDocument, issue.Issues, error) {
	verdict, shown, err := present(ctx, text)
	switch failed, ok := errors.AsType[*datachain.Error](err); {
	case ok && failed.Kind != datachain.KindFailure:
		if failed.Kind == datachain.KindMalformed { // it names no version, so its shape is wrong
			if verdict, err := v.service.Validate(ctx, text, nil); err == nil && !verdict.OK() {
				return nil, verdict.Errors(), nil
			}
		}
		refused := failed.Issue
		refused.Severity = issue.SeverityError
		return nil, issue.Issues{refused}, nil
	case ok && failed.Issue.Code == issue.CodeTimeout && ctx.Err() == nil: // it needs too much CPU time
		return nil, issue.Issues{failed.Issue}, nil
	case err != nil:
		return nil, nil, err
	}
	if doc := verdict.Document(); product.Is(doc) {
		return &validDocument{product: describeProduct(doc)}, product.Check(doc, verdict.Issues).With(issue.SeverityError), nil
	}
	refused := verdict.Errors()
	for _, w := range verdict.Warnings() {
		if w.Code == codes.RegisterInvalid {
			w.Severity = issue.SeverityError // here it is
			refused = append(refused, w)
		}
	}
	if len(refused) > 0 {
		return nil, refused, nil
	}
	doc := verdict.Document()
	instance := &shown.Datachain.Instance
	d := &validDocument{id: strings.Clone(instance.ID), hash: trust.EditionHash(doc), text: bytes.Clone(text)}
	d.Content = &Content{
		Title: clone(instance.Title), Description: clone(instance.Description),
		Unpublished: shown.Release == nil,
	}
	d.CreatedAt, _ = ident.ParseTimestamp(instance.CreatedAt)
	d.UpdatedAt, _ = ident.ParseTimestamp(instance.UpdatedAt) // it is optional
	d.Version, _ = taxonomy.ParseVersion(strings.Clone(instance.SchemaVersion))
	if d.Details, err = DetailsOf(instance); err != nil {
		return nil, issue.Issues{{ //nolint:nilerr // it is a finding
			Code: codes.RegisterInvalid, Severity: issue.SeverityError, Path: issue.Root.Key("register"), Message: err.Error(),
		}}, nil
	}
	if d.slug, err = SlugOf(d.id, d.Details.Slug); err != nil {
		return nil, issue.Issues{{ //nolint:nilerr // it is a finding
			Code: codes.RegisterInvalid, Severity: issue.SeverityError, Path: issue.Root.Key("register").Key("slug"),
			Message: "The document has no address: " + err.Error() + ".", FixHint: "add a slug to the object register",
		}}, nil
	}
	if shown.Release != nil {
		d.validatedBy, d.release, d.manifest = shown.Release, shown.Release.ContentHash(), shown.Release.Manifest()
	}
	d.describe(shown)
	d.summarize(shown, settings.rolesOf(shown.Datachain.SchemaSnapshot.DatachainType.ID))
	return d, nil, nil
}

// describeProduct returns what lists say about a product.
func describeProduct(doc *document.Document) *Product {
	base := product.Describe(doc, "")
	id, _ := doc.Root().Get("id")
	return &Product{ID: strings.Clone(id.Text()), BasedOn: base}
}

// idOf returns the id of a text that can't be published, or "".
func idOf(text []byte) string {
	doc, err := document.Parse(text)
	if err != nil {
		return ""
	}
	id, _ := doc.Root().Get("id")
	return strings.Clone(id.Text())
}

// text is where the text of an edition is.
type text interface {
	read(ctx context.Context, v *validator, kind TextKind) ([]byte, error)
}

// memoryText is a text in memory. It was validated by a release, which may have changed since.
type memoryText struct {
	text []byte
	by   *taxonomy.Release
}

func (t memoryText) read(ctx context.Context, v *validator, kind TextKind) ([]byte, error) {
	text := bytes.Clone(t.text) // the caller may change it
	if kind == Thin {
		return text, nil
	}
	resolved, err := v.resolve(ctx, text)
	if err == nil || t.by == nil {
		return resolved, err
	}
	doc, parseErr := document.Parse(text)
	if parseErr != nil {
		return nil, parseErr
	}
	bundle, resolveErr := resolve.Resolve(t.by, doc, nil)
	if resolveErr != nil {
		return nil, err
	}
	return bundle.AppendJSON(nil), nil
}

// resolve returns a valid text in its resolved form.
func (v *validator) resolve(ctx context.Context, text []byte) ([]byte, error) {
	doc, err := document.Parse(text)
	if err != nil || datachain.IsResolved(doc) {
		return text, err
	}
	schema, err := v.service.OpenFor(ctx, text)
	if err != nil {
		return nil, err
	}
	verdict, bundle, err := schema.Resolve(ctx, text, nil)
	switch {
	case err != nil:
		return nil, err
	case bundle == nil:
		return nil, fmt.Errorf("it is no longer valid: %s", verdict.Errors()[0].Message)
	}
	return bundle.AppendJSON(nil), nil
}
