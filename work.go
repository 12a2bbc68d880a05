package datachain

import (
	"bytes"
	"context"
	"errors"

	"github.com/datachain-go/datachain/internal/cputime"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Work is work on one document, within the limits of a service. It belongs to the call of
// [Service.Work] that made it.
type Work struct {
	service *Service
	ctx     context.Context //nolint:containedctx // of one call
	clock   *cputime.Clock
	doc     *document.Document
}

// Work parses a document and calls do with it, within the limits of the service: the size of
// the document, its CPU time and the context. Validating, resolving and presenting work like this, and
// so can operations of other packages. What do calls has to ask [Work.Interrupt] from time to time.
//
// Work returns an error of do that is not an [*Error] as one. It says that the document took too long
// if a limit was exceeded, and otherwise that it could not be validated.
func (s *Service) Work(ctx context.Context, text []byte, do func(*Work) error) error {
	return s.work(ctx, text, false, do)
}

// work is [Service.Work]. With partial, the document can have syntax errors.
func (s *Service) work(ctx context.Context, text []byte, partial bool, do func(*Work) error) error {
	w := &Work{service: s, ctx: ctx, clock: cputime.Start()}
	defer w.clock.Stop()
	err := w.parse(text, partial)
	if err == nil {
		err = do(w)
	}
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

// parse reads the document, strictly unless partial is set. It copies the text, since the caller may change it while
// a verdict is still used.
func (w *Work) parse(text []byte, partial bool) error {
	if limit := w.service.options.MaxInput; limit > 0 && len(text) > limit {
		e := failure(issue.CodePayloadTooLarge, nil, "send a smaller document", "The document has %d bytes; at most %d are allowed.", len(text), limit)
		e.Param = "document"
		return e
	}
	var err error
	w.doc, err = document.ParseWith(bytes.Clone(text), &document.Options{Interrupt: w.Interrupt, Recover: partial})
	if err == nil {
		return nil
	}
	syntax, ok := errors.AsType[*document.SyntaxError](err)
	if !ok {
		return err // Interrupt returned it
	}
	return syntaxFailure(syntax)
}

// syntaxFailure returns the error for a document that is not strict JSON.
func syntaxFailure(syntax *document.SyntaxError) *Error {
	hint := "send one JSON value in UTF-8"
	switch {
	case syntax.DuplicateKey:
		hint = "give each key of an object once"
	case syntax.Number:
		hint = "write the number as a string"
	}
	e := malformed("document", syntax, hint, "The document %s: %s.", syntax.Problem(), syntax)
	e.Kind = KindSyntax
	return e
}

// Document returns the parsed document. It can be kept.
func (w *Work) Document() *document.Document { return w.doc }

// errCPU is returned by [Work.Interrupt] if the CPU limit is exceeded.
var errCPU = errors.New("the CPU limit is reached")

// Interrupt returns an error once the context has ended or the CPU limit is exceeded. It can be
// the Interrupt of the options of packages such as validate.
func (w *Work) Interrupt() error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	if limit := w.service.options.MaxCPU; limit > 0 && w.clock.Exceeds(limit) {
		return errCPU
	}
	return nil
}

// Read calls a function that reads the store, which does not count as CPU time of the document.
// It calls [Work.Interrupt] before, so that the store is not blamed if the limits are exceeded.
func (w *Work) Read(do func() error) (err error) {
	if err := w.Interrupt(); err != nil {
		return err
	}
	w.clock.Skip(func() { err = do() })
	if err == nil {
		err = w.Interrupt()
	}
	return err
}

// Pinned reads the release that the document pins. It is nil if that is not published, or not a
// version at all.
func (w *Work) Pinned() (r *taxonomy.Release, err error) {
	err = w.Read(func() error {
		r, err = w.service.pinned(w.ctx, w.doc)
		return err
	})
	return r, err
}

// MaxBytes returns the size limit of a resolved document; a negative one means no limit.
func (w *Work) MaxBytes() int { return w.service.options.MaxBytes }

// ValidateOptions returns how the service validates a document: with its rules, and within the
// limits of the work. The caller owns them.
func (w *Work) ValidateOptions() *validate.Options {
	o := w.service.options.validation()
	o.Context, o.Interrupt = w.ctx, w.Interrupt
	return o
}
