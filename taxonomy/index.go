package taxonomy

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// The aliases that an index assigns: <type>@latest is the newest stable version of
// a type, or the newest beta if there is no stable one; <type>@latest-beta is the
// newest beta.
const (
	AliasLatest     = "latest"
	AliasLatestBeta = "latest-beta"
)

// Entry is an entry of an [Index]: one published schema version.
type Entry struct {
	ID          Version  `json:"id"`
	Status      Status   `json:"status"`
	ContentHash Hash     `json:"content_hash"`
	Aliases     []string `json:"aliases"`
	// Released is the day on which the version was released, as YYYY-MM-DD, or "".
	// It is not part of the content.
	Released string `json:"released,omitempty"`
	// Pack is the SHA-256 of the file release.pack if the release is stored
	// packed, and zero otherwise. It concerns only the store: it is in index.json
	// (see [EncodeIndex]) but not in the JSON of an entry.
	Pack Hash `json:"-"`
}

// ErrAliasConflict is wrapped by the error of [NewIndex] if two versions claim the
// same alias.
var ErrAliasConflict = errors.New("alias claimed twice")

// Index lists the schema versions of a store: by type, then newest first, then
// stable before beta. It also lists the versions that were retired. It is
// immutable and safe for concurrent use.
type Index struct {
	entries []Entry
	byRef   map[string]int // canonical ids and aliases
	retired []Retired      // in the order of entries
}

// NewIndex returns an index of entries with the aliases that releases declare, and
// of retired versions. It assigns [AliasLatest] and [AliasLatestBeta] itself, and
// ignores them in entries, which so can come from another index.
func NewIndex(entries []Entry, retired ...Retired) (*Index, error) {
	x := &Index{entries: slices.Clone(entries), byRef: make(map[string]int, 2*len(entries))}
	slices.SortStableFunc(x.entries, func(a, b Entry) int { return a.ID.Compare(b.ID) })
	newest := make(map[string]int) // by assigned alias
	for i := range x.entries {
		e := &x.entries[i]
		if e.ID.IsZero() {
			return nil, errors.New("index: an entry has no version id")
		}
		if _, twice := x.byRef[e.ID.String()]; twice {
			return nil, fmt.Errorf("index: version %s is listed twice", e.ID)
		}
		if e.Released != "" && !ValidDate(e.Released) {
			return nil, fmt.Errorf("index: %s: released is %q, but must be a date such as 2026-09-01", e.ID, prose.Clip(e.Released))
		}
		x.byRef[e.ID.String()] = i
		e.Status = e.ID.Status()
		latest, latestBeta := assigned(e.ID.Type())
		if at, ok := newest[latest]; !ok || x.entries[at].Status == Beta && e.Status == Stable {
			newest[latest] = i
		}
		if _, ok := newest[latestBeta]; !ok && e.Status == Beta {
			newest[latestBeta] = i
		}
	}
	for i := range x.entries {
		if err := x.setAliases(i, newest); err != nil {
			return nil, err
		}
	}
	if err := x.setRetired(retired); err != nil {
		return nil, err
	}
	return x, nil
}

// assigned returns the aliases of a type that an index assigns.
func assigned(typ string) (latest, latestBeta string) {
	return typ + "@" + AliasLatest, typ + "@" + AliasLatestBeta
}

// setAliases completes and indexes the aliases of entry i.
func (x *Index) setAliases(i int, newest map[string]int) error {
	e := &x.entries[i]
	aliases := []string{}
	latest, latestBeta := assigned(e.ID.Type())
	for _, alias := range []string{latest, latestBeta} {
		if at, ok := newest[alias]; ok && at == i {
			aliases = append(aliases, alias)
		}
	}
	for _, alias := range slices.Sorted(slices.Values(e.Aliases)) {
		if alias != latest && alias != latestBeta {
			aliases = append(aliases, alias)
		}
	}
	e.Aliases = aliases
	for _, alias := range e.Aliases {
		ref, err := ParseRef(alias)
		switch _, canonical := ref.Version(); {
		case err != nil:
			return fmt.Errorf("index: %s: alias: %w", e.ID, err)
		case canonical:
			return fmt.Errorf("index: %s: %s can't be an alias, since it has the form of a version id", e.ID, alias)
		case ref.Type() != e.ID.Type():
			return fmt.Errorf("index: %s: alias %s belongs to another datachain type", e.ID, alias)
		}
		if other, taken := x.byRef[alias]; taken {
			return fmt.Errorf("index: %w: %s by %s and %s", ErrAliasConflict, alias, x.entries[other].ID, e.ID)
		}
		x.byRef[alias] = i
	}
	return nil
}

// Len returns the number of versions.
func (x *Index) Len() int { return len(x.entries) }

// String returns the version ids in order, for logs and tests.
func (x *Index) String() string {
	ids := make([]string, len(x.entries))
	for i := range x.entries {
		ids[i] = x.entries[i].ID.String()
	}
	return strings.Join(ids, ", ")
}

// Entries returns the versions in order. The caller owns the slice.
func (x *Index) Entries() []Entry {
	entries := slices.Clone(x.entries)
	for i := range entries {
		entries[i].Aliases = slices.Clone(entries[i].Aliases)
	}
	return entries
}

// WithPacks returns the index with other values of [Entry.Pack] for the versions in
// packs; a zero hash is that of a release that is not packed. Versions that the
// index does not list are ignored. If nothing changes, it returns x.
func (x *Index) WithPacks(packs map[Version]Hash) *Index {
	next := x
	for i, e := range x.entries {
		pack, ok := packs[e.ID]
		if !ok || pack == e.Pack {
			continue
		}
		if next == x {
			next = &Index{slices.Clone(x.entries), x.byRef, x.retired}
		}
		next.entries[i].Pack = pack
	}
	return next
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

// Nearest returns at most limit ids and aliases that are most similar to an unknown
// reference, for a hint. If the index has versions of its type, they are of that
// type.
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

// wireIndex is the JSON of an index: with entries of type [Entry] as servers send
// it, with [storedEntry] as stores have it.
type wireIndex[E any] struct {
	Versions []E       `json:"versions"`
	Retired  []Retired `json:"retired,omitempty"`
}

// storedEntry is an entry of an index.json.
type storedEntry struct {
	Entry
	Pack Hash `json:"pack,omitzero"`
}

// MarshalJSON returns {"versions": [...], "retired": [...]}, without retired if no
// version was. How releases are stored is not part of it.
func (x *Index) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireIndex[Entry]{x.entries, x.retired})
}

// EncodeIndex returns the index.json of an index: its canonical JSON, with
// [Entry.Pack] as the field pack of packed releases.
func EncodeIndex(x *Index) ([]byte, error) {
	entries := make([]storedEntry, len(x.entries))
	for i, e := range x.entries {
		entries[i] = storedEntry{e, e.Pack}
	}
	return document.MarshalCanonical(wireIndex[storedEntry]{entries, x.retired})
}

// DecodeIndex decodes an index.json, or the JSON of an index. The order, statuses
// and aliases must be those of [NewIndex]. Unknown fields are ignored.
func DecodeIndex(text []byte) (*Index, error) {
	if _, err := document.Parse(text); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	var stored wireIndex[storedEntry]
	if err := json.Unmarshal(text, &stored); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	if stored.Versions == nil {
		return nil, errors.New("index: the list versions is missing")
	}
	wire := wireIndex[Entry]{make([]Entry, len(stored.Versions)), stored.Retired}
	for i, e := range stored.Versions {
		wire.Versions[i] = e.Entry
		wire.Versions[i].Pack = e.Pack
		switch {
		case e.ID.IsZero():
			return nil, errors.New("index: an entry has no id")
		case e.Status != e.ID.Status():
			return nil, fmt.Errorf("index: %s: status is %q", e.ID, e.Status)
		case e.ContentHash.IsZero():
			return nil, fmt.Errorf("index: %s: no content_hash", e.ID)
		}
	}
	x, err := NewIndex(wire.Versions, wire.Retired...)
	if err != nil {
		return nil, err
	}
	if err := x.sameOrder(&wire); err != nil {
		return nil, err
	}
	return x, nil
}

// sameOrder returns an error unless a decoded index lists what x lists, in the same
// order and with the same aliases.
func (x *Index) sameOrder(wire *wireIndex[Entry]) error {
	const order = "the order is by type, then newest first, then stable before beta"
	for i, e := range x.entries {
		switch got := wire.Versions[i]; {
		case got.ID != e.ID:
			return fmt.Errorf("index: found %s in place of %s: %s", got.ID, e.ID, order)
		case !slices.Equal(got.Aliases, e.Aliases):
			return fmt.Errorf("index: %s: aliases are %q, but must be %q", e.ID, got.Aliases, e.Aliases)
		}
	}
	for i, r := range x.retired {
		if got := wire.Retired[i]; got.ID != r.ID {
			return fmt.Errorf("index: found retired %s in place of %s: %s", got.ID, r.ID, order)
		}
	}
	return nil
}
