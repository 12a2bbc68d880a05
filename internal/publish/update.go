package publish

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"time"

	"github.com/datachain-go/datachain/internal/concurrent"
	"github.com/datachain-go/datachain/internal/published"
	"github.com/datachain-go/datachain/internal/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

const (
	// maxFutile is how many conflicts in a row are accepted although the index
	// stays the same.
	maxFutile = 10
	// minDelay and maxDelay bound the time between two attempts.
	minDelay = 10 * time.Millisecond
	maxDelay = time.Second
)

// change is a change of an index.
type change struct {
	op string
	// plan returns the next index, or an error if it refuses the change. It
	// gets the index that was found first and the current one.
	plan func(before, now *taxonomy.Index) (next *taxonomy.Index, err error)
	// write writes all files that the next index names; it may be nil.
	write func(ctx context.Context, now *taxonomy.Index) (*outcome, error)
	// leaves returns the number of leaves of a release that the log does not have
	// yet; it may be nil. adopt begins the log of a store that has releases.
	leaves func(taxonomy.Version) (int64, error)
	adopt  bool
}

// outcome is what writing releases means for the index.
type outcome struct {
	// packs are the packs of the releases, zero for those stored as files.
	packs map[taxonomy.Version]taxonomy.Hash
	// unfinished means that the current index has to get these packs, and the
	// change has to be applied to that.
	unfinished bool
}

// errUnfinished ends an attempt that has prepared the next one.
var errUnfinished = errors.New("unfinished")

// apply applies a change to a target. After a conflict it starts again. That also
// settles a replacement of the index that has succeeded although its reply was
// lost: the next plan then asks for what is there already.
func (c change) apply(ctx context.Context, t Target) (*Report, error) {
	u := update{target: t, change: c}
	if err := Retry(ctx, c.op, t, u.attempt); err != nil {
		return nil, err
	}
	return &u.report, nil
}

// Retry calls attempt, which changes an index of a target and returns the revision that
// it has found, until it succeeds or fails for another reason than [ErrConflict]. It
// gives up if the revision stays the same. The error is an [*Error].
func Retry(ctx context.Context, op string, t Target, attempt func(context.Context) (Revision, error)) error {
	var last Revision
	for futile := 0; ; futile++ {
		rev, err := attempt(ctx)
		switch {
		case err == nil:
			return nil
		case errors.Is(err, errUnfinished):
			futile = -1
			continue
		case rev != last:
			last, futile = rev, 0
		}
		if !errors.Is(err, ErrConflict) || futile == maxFutile {
			return &Error{op, t.String(), err}
		}
		// A random delay, so that publishers that met do not meet again.
		timer := time.NewTimer(rand.N(min(minDelay<<futile, maxDelay)))
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return &Error{op, t.String(), fmt.Errorf("%w: %w", err, ctx.Err())}
		}
	}
}

// update is the work of apply.
type update struct {
	change
	target Target
	report Report
	// found is the text of report.Before.
	found []byte
}

// attempt tries once, and returns the revision that it has found.
func (u *update) attempt(ctx context.Context) (Revision, error) {
	log, err := OpenLog(ctx, u.target)
	if err != nil {
		return "", err
	}
	text, rev, err := u.target.Index(ctx)
	if err != nil {
		return rev, err
	}
	seen := log.Revision(rev)
	now, err := decodeIndex(text)
	repaired := false
	if err == nil {
		now, repaired, err = log.current(now, u.adopt)
	}
	if err != nil {
		return seen, err
	}
	if u.report.Before == nil {
		u.report.Before, u.found = now, text
	}
	next, err := u.plan(u.report.Before, now)
	if err != nil {
		return seen, err
	}
	unbound, err := u.unbound(ctx, next)
	if err == nil {
		_, err = encodeIndex(next)
	}
	if err != nil {
		return seen, err // before anything is written
	}
	done := new(outcome)
	if u.write != nil {
		if done, err = u.write(ctx, now); err != nil {
			return seen, err
		}
	}
	if done.unfinished {
		next = now
	}
	packed := next.Record()
	maps.Copy(packed.Packs, done.packs)
	next = next.WithRecord(packed)
	nextText := text
	if next != now {
		if nextText, err = encodeIndex(next); err != nil {
			return seen, err
		}
	}
	if repaired || !bytes.Equal(text, nextText) {
		if next, nextText, err = u.replace(ctx, log, now, next, rev); err != nil {
			return seen, err
		}
	}
	if done.unfinished {
		return seen, errUnfinished
	}
	u.report.Index, u.report.Changed = next, !bytes.Equal(u.found, nextText)
	return seen, u.bind(ctx, unbound)
}

// stable returns the content of the stable versions that an index names, also of those
// that were retired.
func stable(x *taxonomy.Index) (all []taxonomy.Retired) {
	for _, e := range x.Entries() {
		all = append(all, taxonomy.Retired{ID: e.ID, ContentHash: e.ContentHash})
	}
	return slices.DeleteFunc(append(all, x.Retired()...), func(v taxonomy.Retired) bool { return v.ID.Status() != taxonomy.Stable })
}

// unbound returns the stable versions of an index that are not bound to their content
// yet. If one of them is bound to other content, it wraps [taxonomy.ErrStableChanged]:
// the index alone can't tell, since it may be older than what was published.
func (u *update) unbound(ctx context.Context, x *taxonomy.Index) ([]taxonomy.Retired, error) {
	all := stable(x)
	missing := make([]bool, len(all))
	err := concurrent.Each(ctx, readers, len(all), func(_, i int) error {
		err := u.boundTo(ctx, all[i])
		missing[i] = errors.Is(err, fs.ErrNotExist)
		if missing[i] {
			return nil
		}
		return err
	})
	var found []taxonomy.Retired
	for i, v := range all {
		if missing[i] {
			found = append(found, v)
		}
	}
	return found, err
}

// boundTo returns an error unless a version is bound to its content.
func (u *update) boundTo(ctx context.Context, v taxonomy.Retired) error {
	name := published.Bound(v.ID)
	f, err := u.target.Open(ctx, name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	text, err := io.ReadAll(io.LimitReader(f, published.MaxBound))
	if err != nil {
		return err
	}
	switch h, err := published.ParseBound(text); {
	case err != nil:
		return fmt.Errorf("%s: %w", name, err)
	case h != v.ContentHash:
		return fmt.Errorf("version %s: %w: %s says that it has %s, but the index would list %s: "+
			"publish the change as a new version, or restore %s if it is not the latest one",
			v.ID, taxonomy.ErrStableChanged, name, h, v.ContentHash, published.IndexFile)
	}
	return nil
}

// bind binds versions to their content, once the index names them. A publisher that
// dies before that leaves it to the next one.
func (u *update) bind(ctx context.Context, versions []taxonomy.Retired) error {
	for _, v := range versions {
		err := u.target.Create(ctx, published.Bound(v.ID), published.BoundTo(v.ContentHash))
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
	x, err := taxonomy.DecodeIndex(text)
	switch {
	case errors.Is(err, taxonomy.ErrIndexFormat):
		return nil, fmt.Errorf("%s: %w", published.IndexFile, err)
	case err != nil:
		return nil, fmt.Errorf("%s: %w (it lists what is published: repair or restore it first)", published.IndexFile, err)
	}
	return x, nil
}

func encodeIndex(x *taxonomy.Index) ([]byte, error) {
	text, err := taxonomy.EncodeIndex(x)
	if err == nil && len(text) > published.MaxIndex {
		err = fmt.Errorf("%s would have %d bytes, more than the limit of %d: retire some versions", published.IndexFile, len(text), published.MaxIndex)
	}
	return text, err
}

// replace puts the next index in place, and returns it with its text. If there is a log,
// that comes first.
func (u *update) replace(ctx context.Context, log *Log, now, next *taxonomy.Index, rev Revision) (*taxonomy.Index, []byte, error) {
	record := next.Record()
	record.Sequence = now.Record().Sequence + 1
	next = next.WithRecord(record)
	var entries []*signedlog.Entry
	if log != nil {
		state, first, err := log.begin()
		if err == nil {
			entries, err = state.Changes(next, u.leafCount, time.Now())
		}
		if err != nil {
			return nil, nil, err
		}
		entries = append(first, entries...)
		record.LogSize = log.Size() + int64(len(entries))
		next = next.WithRecord(record)
	}
	text, err := encodeIndex(next)
	if err != nil {
		return nil, nil, err
	}
	// Files are kept for a while from now on. Should the index not be replaced
	// after all, that does no harm.
	for _, e := range now.Entries() {
		if names(next, e.ID, e.ContentHash) {
			continue
		}
		if err := u.target.Touch(ctx, published.Dir(e.ID, e.ContentHash)); err != nil {
			return nil, nil, err
		}
	}
	if log != nil {
		return next, text, log.Commit(ctx, entries, published.IndexFile, text, rev)
	}
	return next, text, u.target.ReplaceIndex(ctx, text, rev)
}

// leafCount returns the number of leaves of a release.
func (u *update) leafCount(v taxonomy.Version) (int64, error) {
	if u.leaves == nil {
		return 0, errors.New("the log does not have the release: publish it")
	}
	return u.leaves(v)
}

// names reports whether an index names the content of a version.
func names(x *taxonomy.Index, v taxonomy.Version, h taxonomy.Hash) bool {
	e, listed := x.Lookup(v.Ref())
	return listed && e.ContentHash == h
}

// Collect removes the files of all releases that the index does not name,
// including retired versions, if they have not been used for at least keepFor.
// The report lists what was removed even if there is an error, too.
func Collect(ctx context.Context, t Target, keepFor time.Duration) (*Report, error) {
	return collectAll(ctx, t, keepFor, collect)
}

// Unused changes nothing, and reports as collected what [Collect] would remove.
func Unused(ctx context.Context, t Target, keepFor time.Duration) (*Report, error) {
	return collectAll(ctx, t, keepFor, func(ctx context.Context, t Target, x *taxonomy.Index, keepFor time.Duration, retired bool) (all []string, err error) {
		found, err := unused(ctx, t, x, keepFor, retired)
		for _, u := range found {
			all = append(all, u.paths()...)
		}
		return all, err
	})
}

// collector removes or lists what has not been used for keepFor; what belongs to
// versions that the index does not list only if retired is set.
type collector func(ctx context.Context, t Target, x *taxonomy.Index, keepFor time.Duration, retired bool) ([]string, error)

func collectAll(ctx context.Context, t Target, keepFor time.Duration, collect collector) (*Report, error) {
	text, _, err := t.Index(ctx)
	report := new(Report)
	if err == nil {
		report.Index, err = decodeIndex(text)
	}
	if err == nil {
		report.Before = report.Index
		report.Collected, err = collect(ctx, t, report.Index, keepFor, true)
	}
	if err != nil {
		return report, &Error{"collect", t.String(), err}
	}
	return report, nil
}

// collect is a [collector] that removes. It continues after an error.
func collect(ctx context.Context, t Target, x *taxonomy.Index, keepFor time.Duration, retired bool) (removed []string, err error) {
	found, err := unused(ctx, t, x, keepFor, retired)
	errs := []error{err}
	for _, u := range found {
		switch err := u.remove(ctx, t); {
		case err == nil:
			removed = append(removed, u.paths()...)
		case !errors.Is(err, ErrConflict): // or else it is in use again
			errs = append(errs, err)
		}
	}
	return removed, errors.Join(errs...)
}

// unusedFiles are files that the index does not name.
type unusedFiles struct {
	Stored
	// packs are packs of a release that is in use; if there are none, all files are
	// unused.
	packs []taxonomy.Hash
}

// unused returns what has not been used for keepFor: leftovers of interrupted
// publishers, and releases and packs that the index does not name. After an error it
// returns the rest.
func unused(ctx context.Context, t Target, x *taxonomy.Index, keepFor time.Duration, retired bool) (found []unusedFiles, err error) {
	stored, err := t.Stored(ctx)
	cutoff := time.Now().Add(-keepFor)
	for _, s := range stored {
		e, listed := x.Lookup(s.Version.Ref())
		u := unusedFiles{Stored: s}
		switch {
		case s.Since.After(cutoff), !listed && !retired && !s.Hash.IsZero():
			continue
		case names(x, s.Version, s.Hash):
			u.packs = slices.DeleteFunc(slices.Clone(s.Packs), func(sum taxonomy.Hash) bool { return sum == e.Pack })
			if _, shared := t.(Shared); !shared || len(u.packs) == 0 {
				continue
			}
		}
		found = append(found, u)
	}
	return found, err
}

// paths returns the names of the files, or of the directory that they are in.
func (u *unusedFiles) paths() []string {
	if len(u.packs) == 0 {
		return []string{u.Dir}
	}
	var packs []string
	for _, sum := range u.packs {
		packs = append(packs, path.Join(u.Dir, published.PackOf(sum)))
	}
	return packs
}

func (u *unusedFiles) remove(ctx context.Context, t Target) error {
	if shared, ok := t.(Shared); ok && len(u.packs) > 0 {
		return shared.RemovePacks(ctx, u.Stored, u.packs...)
	}
	return t.Remove(ctx, u.Stored)
}
