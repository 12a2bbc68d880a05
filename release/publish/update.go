package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"time"

	"github.com/datachain-go/datachain/adapters/storekit/layout"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/limited"
	"github.com/datachain-go/datachain/internal/parallel"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

// change is a change of an index.
type change struct {
	op string
	// plan returns the next index, or an error if it refuses the change. It
	// gets the index that was found first and the current one.
	plan func(before, current *taxonomy.Index) (next *taxonomy.Index, err error)
	// write writes all files that the next index names, and returns the archives of
	// releases; it may be nil.
	write func(ctx context.Context, current *taxonomy.Index) (map[taxonomy.Version]taxonomy.Hash, error)
	// adopt begins the log of a store that has releases.
	adopt bool
}

// apply applies a change to a target.
func (c change) apply(ctx context.Context, t Target) (*Report, error) {
	u := update{target: t, change: c}
	if err := Transact(ctx, c.op, t, layout.IndexFile, u.attempt); err != nil {
		return nil, err
	}
	return &u.report, nil
}

// update is the work of apply.
type update struct {
	change
	target Target
	report Report
	// foundText is the text of report.Before.
	foundText []byte
}

// attempt tries once.
func (u *update) attempt(ctx context.Context, tx *Transaction) error {
	current, err := decodeIndex(tx.Text)
	repaired := false
	if err == nil {
		current, repaired, err = tx.Log.current(current, u.adopt)
	}
	if err != nil {
		return err
	}
	if u.report.Before == nil {
		u.report.Before, u.foundText = current, tx.Text
	}
	next, err := u.plan(u.report.Before, current)
	if err != nil {
		return errname.Trim(err)
	}
	unbound, err := u.unbound(ctx, next)
	if err == nil {
		_, err = encodeIndex(next)
	}
	if err != nil {
		return err // before anything is written
	}
	if u.write != nil {
		archives, err := u.write(ctx, current)
		if err != nil {
			return err
		}
		record := next.Record()
		maps.Copy(record.Archives, archives)
		next = next.WithRecord(record)
	}
	nextText := tx.Text
	if next != current {
		if nextText, err = encodeIndex(next); err != nil {
			return err
		}
	}
	if repaired || !bytes.Equal(tx.Text, nextText) {
		if next, nextText, err = u.replace(ctx, tx, current, next); err != nil {
			return err
		}
	}
	u.report.Index, u.report.Changed = next, !bytes.Equal(u.foundText, nextText)
	return u.bind(ctx, unbound)
}

// stable returns the content of the stable versions that an index names, also of those
// that were retired.
func stable(x *taxonomy.Index) (all []taxonomy.RetiredVersion) {
	for _, e := range x.Entries() {
		all = append(all, taxonomy.RetiredVersion{ID: e.ID, ContentHash: e.ContentHash})
	}
	return slices.DeleteFunc(append(all, x.Retired()...), func(v taxonomy.RetiredVersion) bool { return v.ID.Status() != taxonomy.Stable })
}

// unbound returns the stable versions of an index that are not bound to their content
// yet. If one of them is bound to other content, it wraps [taxonomy.ErrStableChanged]:
// the index alone can't tell, since it may be older than what was published.
func (u *update) unbound(ctx context.Context, x *taxonomy.Index) ([]taxonomy.RetiredVersion, error) {
	all := stable(x)
	missing := make([]bool, len(all))
	err := parallel.Each(ctx, 8, len(all), func(_, i int) error {
		err := u.boundTo(ctx, all[i])
		missing[i] = errors.Is(err, fs.ErrNotExist)
		if missing[i] {
			return nil
		}
		return err
	})
	var found []taxonomy.RetiredVersion
	for i, v := range all {
		if missing[i] {
			found = append(found, v)
		}
	}
	return found, err
}

// boundTo returns an error unless a version is bound to its content.
func (u *update) boundTo(ctx context.Context, v taxonomy.RetiredVersion) error {
	name := layout.Bound(v.ID)
	f, err := u.target.Open(ctx, name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := limited.Read(f, layout.MaxBound, 0)
	if err != nil && !errors.Is(err, limited.ErrTooLarge) { // what is too large is not a hash
		return err
	}
	switch h, err := layout.ParseBound(text); {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case h != v.ContentHash:
		return fmt.Errorf("version %s: %w: %s says that it has %s, but the index would list %s: "+
			"publish the change as a new version, or restore %s if it is not the latest one",
			v.ID, taxonomy.ErrStableChanged, name, h, v.ContentHash, layout.IndexFile)
	}
	return nil
}

// bind binds versions to their content, once the index names them. A publisher that
// dies before that leaves it to the next one.
func (u *update) bind(ctx context.Context, versions []taxonomy.RetiredVersion) error {
	for _, v := range versions {
		err := u.target.Create(ctx, layout.Bound(v.ID), layout.BoundTo(v.ContentHash))
		if errors.Is(err, fs.ErrExist) {
			err = u.boundTo(ctx, v) // by another publisher
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%w: %w", ErrConflict, err) // which has not finished
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func decodeIndex(text []byte) (*taxonomy.Index, error) {
	if text == nil {
		return new(taxonomy.Index), nil
	}
	x, err := layout.DecodeIndex(text)
	if err == nil {
		err = layout.CheckSequence(layout.IndexFile, x.Record().Sequence)
	}
	switch {
	case errors.Is(err, layout.ErrSequence):
		return nil, err
	case errors.Is(err, taxonomy.ErrIndexFormat):
		return nil, fmt.Errorf("%s: %w", layout.IndexFile, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w (it lists what is published: repair or restore it first)", layout.IndexFile, err)
	}
	return x, nil
}

func encodeIndex(x *taxonomy.Index) ([]byte, error) {
	text, err := taxonomy.EncodeIndex(x)
	if err == nil && len(text) > layout.MaxIndex {
		err = fmt.Errorf("%s would have %d bytes, more than the limit of %d: retire some versions", layout.IndexFile, len(text), layout.MaxIndex)
	}
	return text, err
}

// replace puts the next index in place, and returns it with its text.
func (u *update) replace(ctx context.Context, tx *Transaction, current, next *taxonomy.Index) (*taxonomy.Index, []byte, error) {
	record := next.Record()
	text, err := tx.replace(ctx, func(state *signedlog.State) ([]*signedlog.Entry, error) {
		return state.Changes(next, time.Now())
	}, func(logSize int64) (_ []byte, err error) {
		if record.Sequence, err = tx.NextSequence(current.Record().Sequence, logSize); err != nil {
			return nil, err
		}
		if tx.Log != nil {
			record.LogSize = logSize
		}
		next = next.WithRecord(record)
		return encodeIndex(next)
	})
	return next, text, err
}
