package datachain

import (
	"bytes"
	"context"
	"errors"

	"github.com/datachain-go/datachain/internal/cputime"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

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
		return nil, err // interrupt returned it
	}
	hint := "send one JSON value in UTF-8"
	switch {
	case syntax.DuplicateKey:
		hint = "give each key of an object once"
	case syntax.Number:
		hint = "write the number as a string"
	}
	e := malformed("document", err, hint, "The document %s: %s.", syntax.Problem(), err)
	e.Kind = KindSyntax
	return nil, e
}

// errCPU is returned by [task.interrupt] if the CPU limit is exceeded.
var errCPU = errors.New("the CPU limit is reached")

// task is the work on one document, with its limits.
type task struct {
	ctx   context.Context
	clock *cputime.Clock
	// interrupt returns an error once the context has ended or the CPU limit is
	// exceeded.
	interrupt func() error
}

// read runs a function that reads the store, which does not count as CPU time of the document.
// It calls interrupt before, so that the store is not blamed if the limits are exceeded.
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

// work runs a task until the context ends or the CPU limit is exceeded.
func (s *Service) work(ctx context.Context, do func(*task) error) error {
	clock := cputime.Start()
	defer clock.Stop()
	err := do(&task{ctx, clock, func() error {
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
