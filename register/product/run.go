package product

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Read parses and validates the text of a product. The findings are those of [Check]: the product
// can be used if none is an error. The error is a [*datachain.Error], such as for a text that is not
// JSON or a version that is not published, or wraps [ErrNoProduct].
func Read(ctx context.Context, s *datachain.Service, text []byte) (*document.Document, issue.Issues, error) {
	if doc, err := document.Parse(text); err == nil && !Is(doc) {
		return nil, nil, fmt.Errorf("product: %w", ErrNoProduct)
	}
	schema, err := s.OpenFor(ctx, text)
	if err != nil {
		return nil, nil, err
	}
	verdict, err := schema.ValidateThin(ctx, text, nil)
	if err != nil {
		return nil, nil, err
	}
	doc := verdict.Document()
	return doc, Check(doc, verdict.Issues), nil
}

// Run merges the text of a document with a product as [Merge] does, within the limits of a service,
// in the newest of the versions that both pin. Its errors are those of Merge, or a [*datachain.Error].
func Run(ctx context.Context, s *datachain.Service, base, theirs *document.Document, text []byte, o *Options) (*Result, error) {
	var r *Result
	var refused, stopped error
	err := s.Work(ctx, text, func(w *datachain.Work) error {
		options := new(Options)
		if o != nil {
			*options = *o
		}
		options.Validate = w.ValidateOptions()
		options.Interrupt = func() error { stopped = w.Interrupt(); return stopped }
		open := func(pin string) (release *taxonomy.Release, err error) {
			err = w.Read(func() error {
				schema, err := s.Open(ctx, pin)
				if err == nil {
					release = schema.Release()
				}
				return err
			})
			return release, err
		}
		options.Pinned = func(doc *document.Document) *taxonomy.Release {
			release, _ := open(pinOf(doc)) // without it, what was removed is not known
			return release
		}
		options.Between = func(older, newer *taxonomy.Release) (list []*taxonomy.Release) {
			_ = w.Read(func() error { list = upgrade.Between(ctx, s, older, newer); return nil })
			return list
		}
		pin, err := newest(theirs, w.Document())
		if err != nil {
			refused = err
			return nil //nolint:nilerr // it is returned at the end
		}
		release, err := open(pin)
		if err != nil {
			return err
		}
		if r, err = Merge(base, theirs, w.Document(), release, options); stopped == nil {
			refused = err // which is not a failure of the service
			return nil
		}
		return err
	})
	if err := errors.Join(err, refused); err != nil {
		return nil, err
	}
	return r, nil
}

// newest returns the newest version that documents of one datachain type pin.
func newest(docs ...*document.Document) (string, error) {
	var pins []taxonomy.Version
	for _, doc := range docs {
		v, err := taxonomy.ParseVersion(pinOf(doc))
		if err != nil {
			return pinOf(doc), nil //nolint:nilerr // opening it says what is wrong
		}
		pins = append(pins, v)
	}
	if first := pins[0].Type(); slices.ContainsFunc(pins, func(v taxonomy.Version) bool { return v.Type() != first }) {
		return "", fmt.Errorf("product: %w: the product is of the type %s, and the document of %s", upgrade.ErrAnotherType, pins[0].Type(), pins[1].Type())
	}
	return slices.MinFunc(pins, taxonomy.Version.Compare).String(), nil // the newest comes first
}
