package taxonomy

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
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
	// State is whether the version is deprecated. It is not part of the content either.
	State
	// Archive is the SHA-256 of the archive that the release is stored in, and zero if the
	// index is not from a store of archives. It concerns only the store: it is in index.json
	// (see [EncodeIndex]) but not in the JSON of an entry.
	Archive Hash `json:"-"`
}

// ErrAliasConflict is wrapped by the error of [NewIndex] if two versions claim the
// same alias.
var ErrAliasConflict = errors.New("alias claimed twice")

// Index lists the schema versions of a store: by type, then newest first, then
// stable before beta. It also lists the versions that were retired. It is
// immutable and safe for concurrent use.
type Index struct {
	entries []Entry
	byRef   map[string]int   // canonical ids and aliases
	retired []RetiredVersion // in the order of entries
	// types are the datachain types that have an evolution, sorted by id. evolutions
	// has those that are loaded.
	types      []evolvedType
	evolutions map[string][]byte

	sequence int64
	logSize  int64
	// unknown has the fields of index.json that this program does not know, as
	// JSON objects: of the index under "", of entries and of retired versions.
	unknown map[string]jsontext.Value
}

// NewIndex returns an index of entries with the aliases that releases declare, and of retired
// versions. It assigns two aliases itself: <type>@latest is the newest stable version of a
// type, or the newest beta if there is no stable one, and <type>@latest-beta is the newest
// beta. It ignores these in entries, which can come from another index.
func NewIndex(entries []Entry, retired ...RetiredVersion) (*Index, error) {
	x, err := newIndex(entries, retired)
	return x, errname.Add("taxonomy", err)
}

func newIndex(entries []Entry, retired []RetiredVersion) (*Index, error) {
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
		if e.Released != "" && !ident.IsDate(e.Released) {
			return nil, fmt.Errorf("index: %s: released is %q, but must be a date such as 2026-09-01", e.ID, wording.Clip(e.Released))
		}
		if err := e.check(e.ID); err != nil {
			return nil, fmt.Errorf("index: %s: %w", e.ID, err)
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

// WithVersions returns an index of other versions, as [NewIndex] makes it, with the record,
// the evolutions and the unknown fields of x. It is for programs that have rules of their own for
// what may change; package publish has those of stores.
func (x *Index) WithVersions(entries []Entry, retired []RetiredVersion) (*Index, error) {
	next, err := NewIndex(entries, retired...)
	if err != nil {
		return nil, err
	}
	next.sequence, next.logSize, next.unknown = x.sequence, x.logSize, x.unknown
	next.types, next.evolutions = x.types, x.evolutions
	return next, nil
}

// assigned returns the aliases of a type that an index assigns.
func assigned(typ string) (latest, latestBeta string) {
	return typ + "@" + codes.AliasLatest, typ + "@" + codes.AliasLatestBeta
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
		ref, err := parseRef(alias)
		switch _, canonical := ref.Version(); {
		case err != nil:
			return fmt.Errorf("index: %s: alias: %w", e.ID, err)
		case canonical:
			return fmt.Errorf("index: %s: %s can't be an alias, since it has the form of a version id", e.ID, alias)
		case ref.Type() != e.ID.Type():
			return fmt.Errorf("index: %s: alias %s belongs to another datachain type", e.ID, alias)
		}
		if other, claimed := x.byRef[alias]; claimed {
			return fmt.Errorf("index: %w: %s by %s and %s", ErrAliasConflict, alias, x.entries[other].ID, e.ID)
		}
		x.byRef[alias] = i
	}
	return nil
}

// Len returns the number of versions.
func (x *Index) Len() int { return len(x.entries) }

// Entries returns the versions in order. The caller owns the slice.
func (x *Index) Entries() []Entry {
	entries := slices.Clone(x.entries)
	for i := range entries {
		entries[i].Aliases = slices.Clone(entries[i].Aliases)
	}
	return entries
}

// Equal reports whether two indexes list the same versions with the same content, state,
// aliases and archives, the same retired versions and evolutions, and hold the same aliases.
func (x *Index) Equal(y *Index) bool {
	return x == y || x != nil && y != nil && slices.Equal(x.retired, y.retired) && slices.Equal(x.types, y.types) && maps.Equal(x.byRef, y.byRef) &&
		slices.EqualFunc(x.entries, y.entries, func(a, b Entry) bool {
			return a.ID == b.ID && a.ContentHash == b.ContentHash && a.Released == b.Released && a.State == b.State && a.Archive == b.Archive && slices.Equal(a.Aliases, b.Aliases)
		})
}

// Record is what a store records in an index besides the versions. Publishers and logs change
// it; programs that only read versions don't need it.
type Record struct {
	// Sequence is the number of the index in its store, which each change increments.
	// It is 0 if the number is unknown, as in the answers of servers.
	Sequence int64
	// LogSize is the size of the store's log from which the index follows, or 0 if the
	// store has no log; see package trust.
	LogSize int64
	// Archives are the values of [Entry.Archive], by version.
	Archives map[Version]Hash
	// Evolutions are the SHA-256 of the published text of every evolution, by datachain
	// type.
	Evolutions map[string]Hash
}

// Record returns the record of the index. The caller owns its maps.
func (x *Index) Record() Record {
	record := Record{x.sequence, x.logSize, make(map[Version]Hash), make(map[string]Hash, len(x.types))}
	for _, e := range x.entries {
		if !e.Archive.IsZero() {
			record.Archives[e.ID] = e.Archive
		}
	}
	for _, t := range x.types {
		record.Evolutions[t.ID] = t.Evolution
	}
	return record
}

// WithRecord returns the index with another record, or x if that is the same. Archives of
// versions that the index does not list are ignored. Evolutions that changed have yet to be
// loaded: see [Index.LoadEvolutions].
func (x *Index) WithRecord(record Record) *Index {
	next := new(*x)
	next.sequence, next.logSize = record.Sequence, record.LogSize
	next.entries = slices.Clone(x.entries)
	for i := range next.entries {
		next.entries[i].Archive = record.Archives[next.entries[i].ID]
	}
	next.types, next.evolutions = nil, make(map[string][]byte)
	for _, typ := range slices.Sorted(maps.Keys(record.Evolutions)) {
		t := evolvedType{typ, record.Evolutions[typ]}
		next.types = append(next.types, t)
		if loaded, ok := x.evolutions[typ]; ok && slices.Contains(x.types, t) {
			next.evolutions[typ] = loaded
		}
	}
	if x.sequence == next.sequence && x.logSize == next.logSize && x.Equal(next) {
		return x
	}
	return next
}

// WithHeld returns the index with aliases that [Index.Lookup] still resolves to other
// versions, as before a change that moved them. The entries stay the same. Versions that the
// index does not list are ignored.
func (x *Index) WithHeld(held map[string]Version) *Index {
	next := new(*x)
	next.byRef = maps.Clone(x.byRef)
	for alias, v := range held {
		if i, listed := x.byRef[v.String()]; listed {
			next.byRef[alias] = i
		}
	}
	return next
}

// Lookup returns the version that a reference addresses.
func (x *Index) Lookup(ref Ref) (Entry, bool) {
	i, ok := x.byRef[ref.String()]
	if !ok {
		return Entry{}, false
	}
	e := x.entries[i]
	e.Aliases = slices.Clone(e.Aliases)
	return e, true
}

// Find returns the version that a reference addresses. If it is unknown, the error wraps
// [ErrNotFound], names similar ones, and says if it was retired.
func (x *Index) Find(ref Ref) (Entry, error) {
	if e, ok := x.Lookup(ref); ok {
		return e, nil
	}
	return Entry{}, errname.Add("taxonomy", x.notFound(ref))
}

// notFound returns the error for a reference that the index does not list.
func (x *Index) notFound(ref Ref) error {
	err := ErrNotFound
	if v, canonical := ref.Version(); canonical {
		if retirement, retired := x.LookupRetired(v); retired {
			err = fmt.Errorf("%w: %s", ErrNotFound, strings.Replace(retirement.String(), v.String(), "it", 1))
			if next, known := x.Successor(v); known {
				return fmt.Errorf("schema version %s: %w; upgrade to %s", ref, err, next)
			}
		}
	}
	if near := x.Nearest(ref, 3); len(near) > 0 {
		return fmt.Errorf("schema version %s: %w (known: %s)", ref, err, strings.Join(near, ", "))
	}
	return fmt.Errorf("schema version %s: %w", ref, err)
}

// Nearest returns at most limit ids and aliases that are most similar to an unknown
// reference, for a hint. If the index has versions of its type, they are of that
// type.
func (x *Index) Nearest(ref Ref, limit int) []string {
	var sameType, all []string
	for _, e := range x.entries {
		names := append([]string{e.ID.String()}, e.Aliases...)
		all = append(all, names...)
		if e.ID.Type() == ref.Type() {
			sameType = append(sameType, names...)
		}
	}
	if len(sameType) == 0 {
		return similar.AllNearest(ref.String(), slices.Values(all), limit)
	}
	if near := similar.AllNearest(ref.String(), slices.Values(sameType), limit); len(near) > 0 {
		return near
	}
	return sameType[:min(max(limit, 0), len(sameType))]
}
