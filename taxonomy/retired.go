package taxonomy

import (
	"errors"
	"fmt"
	"slices"
)

// Retired is a version that was published and is no longer listed, with the content
// that it had last. The id of a stable version stays bound to that content forever.
type Retired struct {
	ID          Version `json:"id"`
	ContentHash Hash    `json:"content_hash"`
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
		case i > 0 && x.retired[i-1].ID == r.ID:
			return fmt.Errorf("index: version %s is retired twice", r.ID)
		}
	}
	return nil
}

// Without returns the index after versions were retired: it lists them under
// [Index.Retired] instead. The error wraps [ErrNotFound] if one of them is not
// published.
func (x *Index) Without(versions ...Version) (*Index, error) {
	retired := x.Retired()
	gone := make(map[Version]bool)
	for _, v := range versions {
		e, listed := x.Lookup(v.Ref())
		switch {
		case !listed:
			return nil, unknownVersion(x, v.Ref())
		case !gone[v]:
			retired, gone[v] = append(retired, Retired{ID: e.ID, ContentHash: e.ContentHash}), true
		}
	}
	return x.successor(slices.DeleteFunc(x.Entries(), func(e Entry) bool { return gone[e.ID] }), retired)
}
