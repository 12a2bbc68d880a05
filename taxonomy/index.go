package taxonomy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// The aliases that every index assigns by itself: <type>@latest is the newest
// stable version of a type, or the newest beta where it has no stable one;
// <type>@latest-beta is the newest beta.
const (
	AliasLatest     = "latest"
	AliasLatestBeta = "latest-beta"
)

// Entry is a line of an [Index]: one published schema version.
type Entry struct {
	ID          Version  `json:"id"`
	Status      Status   `json:"status"`
	ContentHash Hash     `json:"content_hash"`
	Aliases     []string `json:"aliases"`
}

// ErrAliasConflict is what [NewIndex] wraps where two versions claim an alias.
var ErrAliasConflict = errors.New("alias claimed twice")

// Index lists the schema versions of a store: by type, then the newest first,
// then stable before beta. It never changes and is safe for concurrent use.
type Index struct {
	entries []Entry
	byRef   map[string]int // canonical ids and aliases
}

// NewIndex makes an index. The Aliases of the given entries are those that
// releases declare; the ones that follow from dates and statuses
// ([AliasLatest], [AliasLatestBeta]) are assigned here, and dropped from the
// input, so that the entries of an older index can be given again.
func NewIndex(entries []Entry) (*Index, error) {
	x := &Index{entries: slices.Clone(entries), byRef: make(map[string]int, 2*len(entries))}
	slices.SortStableFunc(x.entries, func(a, b Entry) int { return a.ID.Compare(b.ID) })
	for i := range x.entries {
		e := &x.entries[i]
		if e.ID.IsZero() {
			return nil, errors.New("index: an entry has no version id")
		}
		if _, twice := x.byRef[e.ID.String()]; twice {
			return nil, fmt.Errorf("index: version %s is listed twice", e.ID)
		}
		x.byRef[e.ID.String()] = i
		e.Status = e.ID.Status()
		e.Aliases = slices.DeleteFunc(slices.Clone(e.Aliases), func(a string) bool { return assigned(e.ID.Type(), a) })
		slices.Sort(e.Aliases)
	}
	for i, names := range x.latest() {
		typ := x.entries[i].ID.Type()
		for k, name := range names {
			x.entries[i].Aliases = slices.Insert(x.entries[i].Aliases, k, typ+"@"+name)
		}
	}
	for i := range x.entries {
		if err := x.addAliases(i); err != nil {
			return nil, err
		}
	}
	return x, nil
}

// assigned reports whether an alias is one that the index itself gives.
func assigned(typ, alias string) bool {
	return alias == typ+"@"+AliasLatest || alias == typ+"@"+AliasLatestBeta
}

// latest returns, by place in the list, the names that follow from dates and
// statuses. The entries are sorted, so the first of each kind is the newest.
func (x *Index) latest() map[int][]string {
	names := make(map[int][]string)
	for start := 0; start < len(x.entries); {
		stable, beta := -1, -1
		end := start
		for ; end < len(x.entries) && x.entries[end].ID.Type() == x.entries[start].ID.Type(); end++ {
			switch status := x.entries[end].Status; {
			case status == Stable && stable < 0:
				stable = end
			case status == Beta && beta < 0:
				beta = end
			}
		}
		newest := stable
		if newest < 0 {
			newest = beta
		}
		names[newest] = append(names[newest], AliasLatest)
		if beta >= 0 {
			names[beta] = append(names[beta], AliasLatestBeta)
		}
		start = end
	}
	return names
}

// addAliases files the aliases of the i-th entry.
func (x *Index) addAliases(i int) error {
	e := &x.entries[i]
	if e.Aliases == nil {
		e.Aliases = []string{}
	}
	for _, alias := range e.Aliases {
		ref, err := ParseRef(alias)
		switch _, canonical := ref.Version(); {
		case err != nil:
			return fmt.Errorf("index: %s: alias: %w", e.ID, err)
		case canonical:
			return fmt.Errorf("index: %s: %s has the form of a version id, so it can't be an alias", e.ID, alias)
		case ref.Type() != e.ID.Type():
			return fmt.Errorf("index: %s: alias %s is of another datachain type", e.ID, alias)
		}
		if other, taken := x.byRef[alias]; taken {
			return fmt.Errorf("index: %w: %s by %s and %s", ErrAliasConflict, alias, x.entries[other].ID, e.ID)
		}
		x.byRef[alias] = i
	}
	return nil
}

// Len returns how many versions the index lists.
func (x *Index) Len() int { return len(x.entries) }

// String prints the version ids in order, for logs and tests.
func (x *Index) String() string {
	ids := make([]string, len(x.entries))
	for i := range x.entries {
		ids[i] = x.entries[i].ID.String()
	}
	return strings.Join(ids, ", ")
}

// Entries returns the versions in order. The slice is the caller's.
func (x *Index) Entries() []Entry {
	entries := slices.Clone(x.entries)
	for i := range entries {
		entries[i].Aliases = slices.Clone(entries[i].Aliases)
	}
	return entries
}

// Lookup returns the version that a reference addresses.
func (x *Index) Lookup(r Ref) (Entry, bool) {
	i, ok := x.byRef[r.String()]
	if !ok {
		return Entry{}, false
	}
	e := x.entries[i]
	e.Aliases = slices.Clone(e.Aliases)
	return e, true
}

// Nearest returns the known ids and aliases that look most like a reference
// that is not there, for a hint; at most limit of them. Where there are versions
// of its type, they are of that type.
func (x *Index) Nearest(r Ref, limit int) []string {
	var sameType, all []string
	for _, e := range x.entries {
		names := append([]string{e.ID.String()}, e.Aliases...)
		all = append(all, names...)
		if e.ID.Type() == r.Type() {
			sameType = append(sameType, names...)
		}
	}
	if len(sameType) == 0 {
		return nearest.All(r.String(), slices.Values(all), limit)
	}
	if near := nearest.All(r.String(), slices.Values(sameType), limit); len(near) > 0 {
		return near
	}
	return sameType[:min(max(limit, 0), len(sameType))]
}

// With returns the index after publications, which add versions and replace
// those already listed, with their declared aliases. A stable version with
// other content wraps [ErrStableChanged], an alias that two versions would
// claim [ErrAliasConflict].
func (x *Index) With(pubs ...Publication) (*Index, error) {
	var added []Entry
	replaced := make(map[Version]bool)
	for _, p := range pubs {
		if p.Release == nil {
			return nil, errors.New("index: a publication has no release")
		}
		e := p.Entry()
		if old, listed := x.Lookup(e.ID.Ref()); listed && e.Status == Stable && e.ContentHash != old.ContentHash {
			return nil, fmt.Errorf("index: version %s: %w: it has %s, and was to get %s",
				e.ID, ErrStableChanged, old.ContentHash, e.ContentHash)
		}
		added, replaced[e.ID] = append(added, e), true
	}
	kept := slices.DeleteFunc(x.Entries(), func(e Entry) bool { return replaced[e.ID] })
	return NewIndex(append(kept, added...))
}

// Without returns the index with versions taken out. One that is not listed
// wraps [ErrNotFound].
func (x *Index) Without(versions ...Version) (*Index, error) {
	for _, v := range versions {
		if _, listed := x.Lookup(v.Ref()); !listed {
			return nil, unknownVersion(x, v.Ref())
		}
	}
	return NewIndex(slices.DeleteFunc(x.Entries(), func(e Entry) bool { return slices.Contains(versions, e.ID) }))
}

type wireIndex struct {
	Versions []Entry `json:"versions"`
}

// MarshalJSON writes {"versions": [...]}.
func (x *Index) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireIndex{x.entries})
}

// DecodeIndex reads an index.json. It is strict: the order, the statuses and
// the aliases must be those that [NewIndex] gives. Fields that it does not
// know are passed over.
func DecodeIndex(text []byte) (*Index, error) {
	if _, err := document.Parse(text); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	var wire wireIndex
	if err := json.Unmarshal(text, &wire); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if wire.Versions == nil {
		return nil, errors.New("index: the list versions is missing")
	}
	for _, e := range wire.Versions {
		switch {
		case e.ID.IsZero():
			return nil, errors.New("index: an entry has no id")
		case e.Status != e.ID.Status():
			return nil, fmt.Errorf("index: %s: status is %q", e.ID, e.Status)
		case e.ContentHash.IsZero():
			return nil, fmt.Errorf("index: %s: no content_hash", e.ID)
		}
	}
	x, err := NewIndex(wire.Versions)
	if err != nil {
		return nil, err
	}
	for i, e := range x.entries {
		switch got := wire.Versions[i]; {
		case got.ID != e.ID:
			return nil, fmt.Errorf("index: %s stands where %s should: the order is by type, then the newest first, then stable before beta", got.ID, e.ID)
		case !slices.Equal(got.Aliases, e.Aliases):
			return nil, fmt.Errorf("index: %s: aliases are %q, want %q", e.ID, got.Aliases, e.Aliases)
		}
	}
	return x, nil
}

// Publication is a release on its way into a store, with the aliases that it
// declares beyond those that an index assigns.
type Publication struct {
	Release *Release
	Aliases []string
}

// Entry returns the line of an index for the publication.
func (p Publication) Entry() Entry {
	v := p.Release.Version()
	return Entry{ID: v, Status: v.Status(), ContentHash: p.Release.ContentHash(), Aliases: slices.Clone(p.Aliases)}
}
