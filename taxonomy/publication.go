package taxonomy

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Publication is a release to publish, with the aliases that it declares.
type Publication struct {
	Release *Release
	Aliases []string
	// Released is the day on which the version was released, as YYYY-MM-DD. If it
	// is "", a version that is published already keeps its date.
	Released string
	// Again allows the version to have been retired. It is ignored otherwise.
	Again bool
}

// Entry returns the index entry of the publication.
func (p Publication) Entry() Entry {
	v := p.Release.Version()
	return Entry{ID: v, Status: v.Status(), ContentHash: p.Release.ContentHash(), Aliases: slices.Clone(p.Aliases), Released: p.Released}
}

// With returns the index after publications, which add or replace versions with
// their declared aliases. The error wraps
//
//   - [ErrStableChanged] if a stable version would get different content than it
//     has, or had when it was retired;
//   - [ErrRetired] if a version was retired, unless [Publication.Again] is set;
//   - [ErrAliasConflict] if two versions would claim the same alias.
//
// A version that is published again is no longer listed as retired, and keeps the
// day of its release unless the publication has one, its [State] unless it was retired,
// and fields of its entry that this program does not know. The sequence stays the same.
func (x *Index) With(pubs ...Publication) (*Index, error) {
	var added []Entry
	var retired []string // that may not be published again
	replaced := make(map[Version]bool)
	for _, p := range pubs {
		if p.Release == nil {
			return nil, errors.New("index: a publication has no release")
		}
		e := p.Entry()
		wasRetired, err := x.boundTo(e)
		if err != nil {
			return nil, fmt.Errorf("index: version %s: %w", e.ID, err)
		}
		if wasRetired && !p.Again {
			retired = append(retired, e.ID.String())
		}
		if old, listed := x.Lookup(e.ID.Ref()); listed {
			e.Released, e.State = cmp.Or(e.Released, old.Released), old.State
		}
		added, replaced[e.ID] = append(added, e), true
	}
	if len(retired) > 0 {
		return nil, fmt.Errorf("index: %w: %s", ErrRetired, strings.Join(retired, ", "))
	}
	kept := slices.DeleteFunc(x.Entries(), func(e Entry) bool { return replaced[e.ID] })
	gone := slices.DeleteFunc(x.Retired(), func(r Retired) bool { return replaced[r.ID] })
	return x.successor(append(kept, added...), gone)
}

// boundTo returns an error if an entry is a stable version that has, or had, other
// content, and reports whether its version was retired.
func (x *Index) boundTo(e Entry) (wasRetired bool, err error) {
	old, listed := x.Lookup(e.ID.Ref())
	gone, wasRetired := x.LookupRetired(e.ID)
	switch {
	case listed && e.Status == Stable && e.ContentHash != old.ContentHash:
		err = fmt.Errorf("%w: it has %s, the publication has %s", ErrStableChanged, old.ContentHash, e.ContentHash)
	case wasRetired && e.Status == Stable && e.ContentHash != gone.ContentHash:
		err = fmt.Errorf("%w, not even after they were retired: it had %s, the publication has %s",
			ErrStableChanged, gone.ContentHash, e.ContentHash)
	}
	return wasRetired, err
}
