package upgrade

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// RunOptions configure [Run]. The zero value and nil are the defaults.
type RunOptions struct {
	// From is the version for which the document was written, a canonical id or
	// an alias. The default is the version that the document pins, published or
	// not.
	From string
	// Drop removes what the new version no longer has; see [Options.Drop].
	Drop bool
	// UpdatedAt, if it is not zero, becomes the updated_at of a document that changes.
	UpdatedAt time.Time
	// Older allows moving to a version that is older than that of the document and
	// not its successor.
	Older bool
	// OtherType allows moving to a version of another datachain type; see [Options.OtherType].
	OtherType bool
}

// ErrOlder is wrapped by the error for an upgrade to an older version, which
// [RunOptions.Older] allows.
var ErrOlder = errors.New("an older version")

// Run moves a document, thin or resolved, to an opened version, within the limits of its service;
// [Document] does the work. The report lists what a person has to do, and problems of the shape of the
// document; these are not errors. A document of another datachain type is an error. Every error is a
// [*datachain.Error].
func Run(ctx context.Context, to *datachain.Schema, text []byte, o *RunOptions) (*Result, error) {
	if o == nil {
		o = new(RunOptions)
	}
	var r *Result
	service := to.Service()
	err := service.Work(ctx, text, func(w *datachain.Work) error {
		from, err := o.from(ctx, service, w)
		if err != nil {
			return err
		}
		if !o.Older {
			if err := checkOlder(ctx, to, w.Document(), from); err != nil {
				return err
			}
		}
		options := &Options{
			Drop: o.Drop, OtherType: o.OtherType, UpdatedAt: o.UpdatedAt, MaxBytes: w.MaxBytes(), Validate: w.ValidateOptions(), Interrupt: w.Interrupt,
			Between: func() (all []*taxonomy.Release) {
				_ = w.Read(func() error { all = Between(ctx, service, from, to.Release()); return nil })
				return all
			},
		}
		if from != nil && from.Version().Type() == to.Release().Version().Type() {
			options.Older = func() (all []*taxonomy.Release) {
				_ = w.Read(func() error { all = dated(ctx, service, from, "", from.Version().Date()); return nil })
				return all
			}
		}
		r, err = Document(w.Document(), from, to.Release(), options)
		switch {
		case errors.Is(err, ErrLacking):
			return malformed("document", err, "add it to that type, or remove it from the document", "The document can't move to %s: %s.",
				to.Release().Version(), strings.TrimPrefix(err.Error(), "upgrade: "))
		case errors.Is(err, ErrAnotherType):
			return o.anotherType(w.Document(), from, to.Release().Version(), err)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return r, nil
}

// from returns the release from which a document is moved: the requested one, or the one that it
// pins, which is nil if it is not published.
func (o *RunOptions) from(ctx context.Context, s *datachain.Service, w *datachain.Work) (from *taxonomy.Release, err error) {
	if o.From == "" {
		return w.Pinned()
	}
	err = w.Read(func() error {
		schema, err := s.Open(ctx, o.From)
		if err != nil {
			if known, ok := errors.AsType[*datachain.Error](err); ok && known.Param != "" {
				about := *known
				about.Param = "from"
				err = &about
			}
			return err
		}
		from = schema.Release()
		return nil
	})
	return from, err
}

// checkOlder refuses to move a document to an older version, as an alias can stand for, unless that
// version is the successor. The version of a document is the one it is moved from or, if that is not
// published, the one that it pins.
func checkOlder(ctx context.Context, schema *datachain.Schema, doc *document.Document, from *taxonomy.Release) error {
	to := schema.Release().Version()
	old, _ := taxonomy.ParseVersion(pinOf(doc))
	if from != nil {
		old = from.Version()
	}
	if old.Type() != to.Type() || to.Compare(old) <= 0 { // the newest first
		return nil
	}
	if index, err := schema.Service().Versions(ctx); err == nil {
		if next, _ := index.Successor(old); next == to {
			return nil
		}
	}
	return malformed("to", ErrOlder, "choose a version that is newer than "+old.String()+", or allow older ones",
		"The document is of %s, and %s is older.", old, to)
}

// anotherType is the error for a document that is not of the datachain type of the version.
func (o *RunOptions) anotherType(doc *document.Document, from *taxonomy.Release, to taxonomy.Version, cause error) error {
	if o.From != "" {
		return malformed("from", cause, "use a version of "+to.Type(), "The version %s is not of the datachain type %s.", from.Version(), to.Type())
	}
	ref, err := taxonomy.ParseRef(pinOf(doc))
	if err != nil {
		return malformed("document", cause, "use a document of "+to.Type(), "The document is not of the datachain type %s.", to.Type())
	}
	return malformed("document", cause, "use a version of "+ref.Type()+", such as "+ref.Type()+"@"+codes.AliasLatest,
		"The document pins %s, which is not of the datachain type %s.", ref, to.Type())
}

func malformed(param string, cause error, hint, format string, args ...any) error {
	return &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeBadRequest, Message: fmt.Sprintf(format, args...), FixHint: hint},
		Kind:  datachain.KindMalformed, Param: param, Err: cause,
	}
}

// pinOf returns the schema version that a document names, or "" if it names none.
func pinOf(doc *document.Document) string {
	pinned, _ := doc.Root().Get("schema_version")
	return pinned.Text()
}

// Between returns the readable versions between two of a datachain type, the newest first, or
// none if older is nil or of another type.
func Between(ctx context.Context, s *datachain.Service, older, newer *taxonomy.Release) []*taxonomy.Release {
	if older == nil || older.Version().Type() != newer.Version().Type() {
		return nil
	}
	return dated(ctx, s, newer, older.Version().Date(), newer.Version().Date())
}

// dated returns the readable versions of the datachain type of a release between two dates.
func dated(ctx context.Context, s *datachain.Service, of *taxonomy.Release, after, before string) []*taxonomy.Release {
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
			all = append(all, schema.Release())
		}
	}
	return all
}
