package datachain

import (
	"context"
	"errors"
	"time"

	"github.com/datachain-go/datachain/evolution/upgrade"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// UpgradeOptions configure how a document is moved to another version. The zero value
// and nil are the defaults.
type UpgradeOptions struct {
	// From is the version for which the document was written, a canonical id or
	// an alias. The default is the version that the document pins, published or
	// not.
	From string
	// Drop removes what the new version no longer has; see
	// [upgrade.Options.Drop].
	Drop bool
	// UpdatedAt, if it is not zero, becomes the updated_at of a document that changes.
	UpdatedAt time.Time
	// Older allows moving to a version that is older than that of the document and
	// not its successor.
	Older bool
}

// ErrOlder is wrapped by the error for an upgrade to an older version, which
// [UpgradeOptions.Older] allows.
var ErrOlder = errors.New("an older version")

// Upgrade moves a document, thin or resolved, to this version. The report lists what a person
// has to do, and problems of the shape of the document; these are not errors. A document of
// another datachain type is an error.
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
		if err := s.checkOlder(ctx, doc, from, o.Older); err != nil {
			return err
		}
		options := &upgrade.Options{
			Drop: o.Drop, UpdatedAt: o.UpdatedAt, MaxBytes: s.service.options.MaxBytes, Rules: s.service.options.Rules, Interrupt: t.interrupt,
			Between: func() (all []*taxonomy.Release) {
				_ = t.read(func() error { all = s.service.Between(ctx, from, s.release); return nil })
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

// upgradedFrom returns the release from which a document is moved: the requested one, or the
// one that it pins, which is nil if it is not published.
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

// checkOlder refuses to move a document to an older version, as an alias can stand for, unless that
// is allowed, or the version is the successor. The version of a document is the one it is moved from
// or, if that is not published, the one that it pins.
func (s *Schema) checkOlder(ctx context.Context, doc *document.Document, from *taxonomy.Release, allowed bool) error {
	to := s.release.Version()
	old, _ := taxonomy.ParseVersion(pin(doc))
	if from != nil {
		old = from.Version()
	}
	if allowed || old.Type() != to.Type() || to.Compare(old) <= 0 { // the newest first
		return nil
	}
	if index, err := s.service.Versions(ctx); err == nil {
		if next, _ := index.Successor(old); next == to {
			return nil
		}
	}
	return malformed("to", ErrOlder, "choose a version that is newer than "+old.String()+", or allow older ones",
		"The document is of %s, and %s is older.", old, to)
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

// Between returns the readable versions between two of a datachain type, the newest first, or
// none if older is nil.
func (s *Service) Between(ctx context.Context, older, newer *taxonomy.Release) []*taxonomy.Release {
	if older == nil {
		return nil
	}
	return s.dated(ctx, newer, older.Version().Date(), newer.Version().Date())
}

// dated returns the readable versions of the datachain type of a release between two dates.
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
