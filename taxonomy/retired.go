package taxonomy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/prose"
)

// Retired is a version that was published and is no longer listed, with the content
// that it had last. The id of a stable version stays bound to that content forever.
type Retired struct {
	ID          Version `json:"id"`
	ContentHash Hash    `json:"content_hash"`
	// At is the day on which it was retired, as YYYY-MM-DD, or "" if unknown.
	At string `json:"at,omitempty"`
	// Successor is the version of the type to upgrade to, or zero. It may have been
	// retired since: see [Index.Successor].
	Successor Version `json:"successor,omitzero"`
	// Reason is for people, or "".
	Reason string `json:"reason,omitempty"`
}

// String returns that the version was retired, when, and why.
func (r Retired) String() string {
	text := r.ID.String() + " was retired"
	if r.At != "" {
		text += " on " + r.At
	}
	return text + because(r.Reason)
}

// key is that of the version in [Index.unknown].
func (r Retired) key() string { return "retired " + r.ID.String() }

// ErrRetired is wrapped by the errors of [Index.With], and of stores that can be
// written, if a version was retired. Set [Publication.Again] to publish it again.
var ErrRetired = errors.New("version was retired")

// Retired returns the versions that were retired, in the order of [Index.Entries].
// Indexes that were written before retired versions were recorded have none. The
// caller owns the slice.
func (x *Index) Retired() []Retired { return slices.Clone(x.retired) }

// LookupRetired returns what is known of a version that was retired.
func (x *Index) LookupRetired(v Version) (Retired, bool) {
	i, ok := slices.BinarySearchFunc(x.retired, v, func(r Retired, v Version) int { return r.ID.Compare(v) })
	if !ok {
		return Retired{}, false
	}
	return x.retired[i], true
}

// setRetired checks and sorts retired versions.
func (x *Index) setRetired(retired []Retired) error {
	x.retired = slices.Clone(retired)
	slices.SortStableFunc(x.retired, func(a, b Retired) int { return a.ID.Compare(b.ID) })
	for i, r := range x.retired {
		if r.ID.IsZero() {
			return errors.New("index: a retired version has no id")
		}
		_, listed := x.byRef[r.ID.String()]
		switch {
		case r.ContentHash.IsZero():
			return fmt.Errorf("index: retired version %s: no content_hash", r.ID)
		case listed:
			return fmt.Errorf("index: version %s is both published and retired", r.ID)
		case r.At != "" && !ValidDate(r.At):
			return fmt.Errorf("index: retired version %s: at is %q, but must be a date such as 2026-09-01", r.ID, prose.Clip(r.At))
		case i > 0 && x.retired[i-1].ID == r.ID:
			return fmt.Errorf("index: version %s is retired twice", r.ID)
		}
		if err := checkSuccessor(r.ID, r.Successor); err != nil {
			return fmt.Errorf("index: retired version %s: %w", r.ID, err)
		}
	}
	return nil
}

// Without returns the index after versions were retired: it lists them under
// [Index.Retired] instead, each with the content hash that it had here. The error wraps
// [ErrNotFound] if one of them is not published. A successor must be of the same type
// and stay published. A version that is deprecated keeps its successor and reason unless
// it gets others.
func (x *Index) Without(versions ...Retired) (*Index, error) {
	retired := x.Retired()
	gone := make(map[Version]bool)
	for _, r := range versions {
		e, listed := x.Lookup(r.ID.Ref())
		switch {
		case !listed:
			return nil, unknownVersion(x, r.ID.Ref())
		case len(r.Reason) > maxReason:
			return nil, fmt.Errorf("index: %s: the reason has %d bytes, at most %d are allowed", r.ID, len(r.Reason), maxReason)
		case !gone[r.ID]:
			r.ContentHash, gone[r.ID] = e.ContentHash, true
			r.Successor, r.Reason = cmp.Or(r.Successor, e.Successor), cmp.Or(r.Reason, e.Reason)
			retired = append(retired, r)
		}
	}
	next, err := x.successor(slices.DeleteFunc(x.Entries(), func(e Entry) bool { return gone[e.ID] }), retired)
	for _, r := range versions {
		if err == nil {
			err = next.publishes(r.ID, r.Successor)
		}
	}
	if err != nil {
		return nil, err
	}
	return next, nil
}
