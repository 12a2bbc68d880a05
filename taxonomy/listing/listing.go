// Package listing adds versions to an index, takes them out and sets their states, by the rules
// that hold for every store that can be written: a stable version keeps its content, an alias names
// one version, and a retired version stays known.
package listing

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/taxonomy"
)

// Publication is a release to publish, with the aliases that it declares.
type Publication struct {
	Release *taxonomy.Release
	Aliases []string
	// Released is the day on which the version was released, as YYYY-MM-DD. If it
	// is "", a version that is published already keeps its date.
	Released string
	// Again allows the version to have been retired. It is ignored otherwise.
	Again bool
}

// Entry returns the index entry of the publication.
func (p Publication) Entry() taxonomy.Entry {
	v := p.Release.Version()
	return taxonomy.Entry{ID: v, Status: v.Status(), ContentHash: p.Release.ContentHash(), Aliases: slices.Clone(p.Aliases), Released: p.Released}
}

// ErrRetired is wrapped by the errors of [Add], and of stores that can be written,
// if a version was retired. Set [Publication.Again] to publish it again.
var ErrRetired = errors.New("version was retired")

// Add returns an index after publications, which add or replace versions with their
// declared aliases. The error wraps
//
//   - [taxonomy.ErrStableChanged] if a stable version would get different content than
//     it has, or had when it was retired;
//   - [ErrRetired] if a version was retired, unless [Publication.Again] is set;
//   - [taxonomy.ErrAliasConflict] if two versions would claim the same alias.
//
// A version that is published again is no longer listed as retired, and keeps the
// day of its release unless the publication has one, its state unless it was retired,
// and fields of its entry that this program does not know.
func Add(x *taxonomy.Index, pubs ...Publication) (*taxonomy.Index, error) {
	next, err := add(x, pubs)
	return next, errname.Add("listing", err)
}

func add(x *taxonomy.Index, pubs []Publication) (*taxonomy.Index, error) {
	var added []taxonomy.Entry
	var retired []string // that may not be published again
	replaced := make(map[taxonomy.Version]bool)
	for _, p := range pubs {
		if p.Release == nil {
			return nil, errors.New("index: a publication has no release")
		}
		e := p.Entry()
		wasRetired, err := boundTo(x, e)
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
	unchanged := slices.DeleteFunc(x.Entries(), func(e taxonomy.Entry) bool { return replaced[e.ID] })
	stillRetired := slices.DeleteFunc(x.Retired(), func(r taxonomy.RetiredVersion) bool { return replaced[r.ID] })
	return x.WithVersions(append(unchanged, added...), stillRetired)
}

// boundTo returns an error if an entry is a stable version that has, or had, other
// content, and reports whether its version was retired.
func boundTo(x *taxonomy.Index, e taxonomy.Entry) (wasRetired bool, err error) {
	old, listed := x.Lookup(e.ID.Ref())
	retirement, wasRetired := x.LookupRetired(e.ID)
	switch {
	case listed && e.Status == taxonomy.Stable && e.ContentHash != old.ContentHash:
		err = fmt.Errorf("%w: it has %s, the publication has %s", taxonomy.ErrStableChanged, old.ContentHash, e.ContentHash)
	case wasRetired && e.Status == taxonomy.Stable && e.ContentHash != retirement.ContentHash:
		err = fmt.Errorf("%w, not even after they were retired: it had %s, the publication has %s",
			taxonomy.ErrStableChanged, retirement.ContentHash, e.ContentHash)
	}
	return wasRetired, err
}

// Remove returns an index after versions were retired: it lists them under
// [taxonomy.Index.Retired] instead, each with the content hash that it had. The error wraps
// [taxonomy.ErrNotFound] if one of them is not published. A successor must be of the same
// type and stay published. A version that is deprecated keeps its successor and reason
// unless it gets others.
func Remove(x *taxonomy.Index, versions ...taxonomy.RetiredVersion) (*taxonomy.Index, error) {
	next, err := remove(x, versions)
	return next, errname.Add("listing", err)
}

func remove(x *taxonomy.Index, versions []taxonomy.RetiredVersion) (*taxonomy.Index, error) {
	retired := x.Retired()
	removed := make(map[taxonomy.Version]bool)
	for _, r := range versions {
		e, err := x.Find(r.ID.Ref())
		if err == nil {
			err = checkReason(r.ID, r.Reason)
		}
		if err != nil {
			return nil, err
		}
		if !removed[r.ID] {
			r.ContentHash, removed[r.ID] = e.ContentHash, true
			r.Successor, r.Reason = cmp.Or(r.Successor, e.Successor), cmp.Or(r.Reason, e.Reason)
			retired = append(retired, r)
		}
	}
	next, err := x.WithVersions(slices.DeleteFunc(x.Entries(), func(e taxonomy.Entry) bool { return removed[e.ID] }), retired)
	for _, r := range versions {
		if err == nil {
			err = checkSuccessor(next, r.ID, r.Successor)
		}
	}
	if err != nil {
		return nil, err
	}
	return next, nil
}

// SetState returns an index with another state of a version. The zero [taxonomy.State]
// takes a deprecation back. The error wraps [taxonomy.ErrNotFound] if the version is not
// published. A successor must be published.
func SetState(x *taxonomy.Index, v taxonomy.Version, s taxonomy.State) (*taxonomy.Index, error) {
	next, err := setState(x, v, s)
	return next, errname.Add("listing", err)
}

func setState(x *taxonomy.Index, v taxonomy.Version, s taxonomy.State) (*taxonomy.Index, error) {
	_, err := x.Find(v.Ref())
	if err == nil {
		err = checkReason(v, s.Reason)
	}
	if err == nil {
		err = checkSuccessor(x, v, s.Successor)
	}
	if err != nil {
		return nil, err
	}
	entries := x.Entries()
	entries[slices.IndexFunc(entries, func(e taxonomy.Entry) bool { return e.ID == v })].State = s
	return x.WithVersions(entries, x.Retired())
}

// checkReason limits the reason for which a version is deprecated or retired.
func checkReason(v taxonomy.Version, reason string) error {
	const maxBytes = 1000
	if len(reason) > maxBytes {
		return fmt.Errorf("index: %s: the reason has %d bytes, at most %d are allowed", v, len(reason), maxBytes)
	}
	return nil
}

// checkSuccessor returns an error unless the successor of a version is another published
// version of its type, or zero.
func checkSuccessor(x *taxonomy.Index, v, successor taxonomy.Version) error {
	if successor.IsZero() {
		return nil
	}
	if _, listed := x.Lookup(successor.Ref()); !listed || successor == v || successor.Type() != v.Type() {
		return fmt.Errorf("index: the successor of %s must be another published version of %s, not %s", v, v.Type(), successor)
	}
	return nil
}
