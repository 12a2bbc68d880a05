package taxonomy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
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

// indexFormat is the format of index.json that this program reads and writes.
const indexFormat = 2

// ErrIndexFormat is wrapped by the error of [DecodeIndex] if the index has a newer
// format than this program can read.
var ErrIndexFormat = errors.New("the format of the index is newer than this program: update the program")

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
	// types are the datachain types that have an evolution, by id, and evolutions
	// these, once they are loaded.
	types      []evolvedType
	evolutions map[string]loadedEvolution

	sequence int64
	logSize  int64
	// unknown has the fields of index.json that this program does not know, as
	// JSON objects: of the index under "", of entries and of retired versions.
	unknown map[string]jsontext.Value
}

// NewIndex returns an index of entries with the aliases that releases declare, and
// of retired versions. It assigns two aliases itself, and ignores them in entries, which
// so can come from another index: <type>@latest is the newest stable version of a type,
// or the newest beta if there is no stable one, and <type>@latest-beta is the newest beta.
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

// WithVersions returns an index of other versions in place of x, as [NewIndex] makes it. What
// a store records besides, the evolutions, and fields that this program does not know stay. It
// is for those who change an index by their own rules: package publish has those of stores.
func (x *Index) WithVersions(entries []Entry, retired []Retired) (*Index, error) {
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

// Entries returns the versions in order. The caller owns the slice.
func (x *Index) Entries() []Entry {
	entries := slices.Clone(x.entries)
	for i := range entries {
		entries[i].Aliases = slices.Clone(entries[i].Aliases)
	}
	return entries
}

// Equal reports whether two indexes list the same: the same versions with the same
// content, state, aliases and archives, the same retired versions and evolutions, and hold the same
// aliases.
func (x *Index) Equal(y *Index) bool {
	return x == y || x != nil && y != nil && slices.Equal(x.retired, y.retired) && slices.Equal(x.types, y.types) && maps.Equal(x.byRef, y.byRef) &&
		slices.EqualFunc(x.entries, y.entries, func(a, b Entry) bool {
			return a.ID == b.ID && a.ContentHash == b.ContentHash && a.Released == b.Released && a.State == b.State && a.Archive == b.Archive && slices.Equal(a.Aliases, b.Aliases)
		})
}

// Record is what a store records in an index besides the versions. An [Index] carries it from
// the file of one store into the next: publishers and logs change it, programs that only read
// versions need none of it.
type Record struct {
	// Sequence is the number of the index in its store: each change makes it one
	// greater. It is 0 if the number is unknown, as in indexes that were written before
	// they were numbered, and in what servers send.
	Sequence int64
	// LogSize is the size of the log of the store that the index follows from, or 0 if the
	// store has none; see package trust.
	LogSize int64
	// Archives are the values of [Entry.Archive], by version.
	Archives map[Version]Hash
	// Evolutions are the SHA-256 of the published text of every evolution, by datachain
	// type.
	Evolutions map[string]Hash
}

// Record returns the record of the index. The caller owns its maps.
func (x *Index) Record() Record {
	r := Record{x.sequence, x.logSize, make(map[Version]Hash), make(map[string]Hash, len(x.types))}
	for _, e := range x.entries {
		if !e.Archive.IsZero() {
			r.Archives[e.ID] = e.Archive
		}
	}
	for _, t := range x.types {
		r.Evolutions[t.ID] = t.Evolution
	}
	return r
}

// WithRecord returns the index with another record, or x if that is the same. Archives of
// versions that the index does not list are ignored. Evolutions that changed have yet to be
// loaded: see [Index.LoadEvolutions].
func (x *Index) WithRecord(r Record) *Index {
	next := new(*x)
	next.sequence, next.logSize = r.Sequence, r.LogSize
	next.entries = slices.Clone(x.entries)
	for i := range next.entries {
		next.entries[i].Archive = r.Archives[next.entries[i].ID]
	}
	next.types, next.evolutions = nil, make(map[string]loadedEvolution)
	for _, typ := range slices.Sorted(maps.Keys(r.Evolutions)) {
		t := evolvedType{typ, r.Evolutions[typ]}
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

// WithHeld returns the index with aliases that still address other versions, as before
// the change that moved them: [Index.Lookup] follows held. What the index lists stays
// the same. Versions that it does not list are ignored.
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
func (x *Index) Lookup(r Ref) (Entry, bool) {
	i, ok := x.byRef[r.String()]
	if !ok {
		return Entry{}, false
	}
	e := x.entries[i]
	e.Aliases = slices.Clone(e.Aliases)
	return e, true
}

// Find returns the version that a reference addresses. If it is unknown, the error wraps
// [ErrNotFound], names similar ones, and says if it was retired.
func (x *Index) Find(r Ref) (Entry, error) {
	if e, ok := x.Lookup(r); ok {
		return e, nil
	}
	err := ErrNotFound
	if v, canonical := r.Version(); canonical {
		if gone, retired := x.LookupRetired(v); retired {
			err = fmt.Errorf("%w: %s", ErrNotFound, strings.Replace(gone.String(), v.String(), "it", 1))
			if next, known := x.Successor(v); known {
				return Entry{}, fmt.Errorf("schema version %s: %w; upgrade to %s", r, err, next)
			}
		}
	}
	if near := x.Nearest(r, 3); len(near) > 0 {
		return Entry{}, fmt.Errorf("schema version %s: %w (known: %s)", r, err, strings.Join(near, ", "))
	}
	return Entry{}, fmt.Errorf("schema version %s: %w", r, err)
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
		return similar.AllNearest(r.String(), slices.Values(all), limit)
	}
	if near := similar.AllNearest(r.String(), slices.Values(sameType), limit); len(near) > 0 {
		return near
	}
	return sameType[:min(max(limit, 0), len(sameType))]
}

// wireIndex is the JSON of an index as servers send it.
type wireIndex struct {
	Versions []Entry       `json:"versions"`
	Retired  []Retired     `json:"retired,omitempty"`
	Types    []evolvedType `json:"types,omitempty"`
}

// storedIndex is an index.json.
type storedIndex struct {
	Format   int64           `json:"format,omitzero"`
	Sequence int64           `json:"sequence,omitzero"`
	LogSize  int64           `json:"log_size,omitzero"`
	Versions []storedEntry   `json:"versions"`
	Retired  []storedRetired `json:"retired,omitempty"`
	Types    []evolvedType   `json:"types,omitempty"`
	Unknown  jsontext.Value  `json:",embed"`
}

type storedEntry struct {
	Entry
	Archive Hash           `json:"archive,omitzero"`
	Unknown jsontext.Value `json:",embed"`
}

type storedRetired struct {
	Retired
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSON returns {"versions": [...], "retired": [...], "types": [...]}, without
// retired if no version was, and without types if none has an evolution. How releases are
// stored is not part of it.
func (x *Index) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireIndex{x.entries, x.retired, x.types})
}

// UnmarshalJSON sets x to what [DecodeIndex] returns. Only an index that nothing else
// uses yet may be decoded into.
func (x *Index) UnmarshalJSON(text []byte) error {
	decoded, err := DecodeIndex(text)
	if err != nil {
		return err
	}
	*x = *decoded
	return nil
}

// EncodeIndex returns the index.json of an index: its canonical JSON with the format
// and the sequence, if it has one, with [Entry.Archive] as the field archive, and with the fields that this program did not know when it decoded them.
func EncodeIndex(x *Index) ([]byte, error) {
	stored := storedIndex{Sequence: x.sequence, LogSize: x.logSize, Versions: make([]storedEntry, len(x.entries)), Types: x.types, Unknown: x.unknown[""]}
	if x.sequence > 0 {
		stored.Format = indexFormat
	}
	for i, e := range x.entries {
		stored.Versions[i] = storedEntry{e, e.Archive, x.unknown[e.ID.String()]}
	}
	for _, r := range x.retired {
		stored.Retired = append(stored.Retired, storedRetired{r, x.unknown[r.key()]})
	}
	return document.MarshalCanonical(stored)
}

// DecodeIndex decodes an index.json, or the JSON of an index. The order, statuses
// and aliases must be those of [NewIndex]. Unknown fields are kept for
// [EncodeIndex]. The error wraps [ErrIndexFormat] if the format is newer than this
// program.
func DecodeIndex(text []byte) (*Index, error) {
	if _, err := document.Parse(text); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	// First, since in a newer format the rest may look different.
	var head struct {
		Format int64 `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	switch {
	case head.Format != 0 && head.Format < indexFormat:
		return nil, fmt.Errorf("index: it has format %d, which this program no longer reads: publish the releases into a new store", head.Format)
	case head.Format > indexFormat:
		return nil, fmt.Errorf("index: %w: it has format %d, this program reads format %d", ErrIndexFormat, head.Format, indexFormat)
	}
	var stored storedIndex
	if err := json.Unmarshal(text, &stored); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	switch {
	case stored.Versions == nil:
		return nil, errors.New("index: the list versions is missing")
	case stored.Sequence < 0 || stored.LogSize < 0:
		return nil, fmt.Errorf("index: sequence is %d and log_size is %d, but they must not be negative", stored.Sequence, stored.LogSize)
	}
	unknown := map[string]jsontext.Value{"": stored.Unknown}
	wire := wireIndex{Versions: make([]Entry, len(stored.Versions)), Retired: make([]Retired, len(stored.Retired))}
	for i, e := range stored.Versions {
		wire.Versions[i] = e.Entry
		wire.Versions[i].Archive, unknown[e.ID.String()] = e.Archive, e.Unknown
		switch {
		case e.ID.IsZero():
			return nil, errors.New("index: an entry has no id")
		case e.Status != e.ID.Status():
			return nil, fmt.Errorf("index: %s: status is %q", e.ID, e.Status)
		case e.ContentHash.IsZero():
			return nil, fmt.Errorf("index: %s: no content_hash", e.ID)
		}
	}
	for i, r := range stored.Retired {
		wire.Retired[i] = r.Retired
		unknown[r.key()] = r.Unknown
	}
	x, err := NewIndex(wire.Versions, wire.Retired...)
	if err != nil {
		return nil, err
	}
	if err := x.sameOrder(&wire); err != nil {
		return nil, err
	}
	for i, t := range stored.Types {
		if !ident.IsID(t.ID) || t.Evolution.IsZero() || i > 0 && stored.Types[i-1].ID >= t.ID {
			return nil, fmt.Errorf("index: types[%d] must have the id of a datachain type, in order, and the SHA-256 of its evolution", i)
		}
	}
	x.sequence, x.logSize, x.unknown, x.types = stored.Sequence, stored.LogSize, unknown, stored.Types
	return x, nil
}

// sameOrder returns an error unless a decoded index lists what x lists, in the same
// order and with the same aliases.
func (x *Index) sameOrder(wire *wireIndex) error {
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

// ErrNotFound is wrapped by the errors of a store that does not have a version or
// an icon.
var ErrNotFound = errors.New("not found")

// ErrHashMismatch is wrapped by the errors of a store if the content of a release
// does not have the expected hash.
var ErrHashMismatch = errors.New("content does not match its hash")

// ErrStableChanged is wrapped by the errors of a store that can be written if a
// stable version would get different content. Publish changes as a new version.
var ErrStableChanged = errors.New("stable versions can't change")

// ErrRollback is wrapped by the Err methods of stores that serve the last good index
// because the present one goes back: it is older, or drops or changes stable versions.
var ErrRollback = errors.New("the index was rolled back")

// Store provides schema versions. Implementations are safe for concurrent use.
// Package storetest tests them:
//
//   - Index lists the versions that can be read now;
//   - Release returns the release of an indexed version, with the version and
//     the content hash of its entry; for other versions the error wraps
//     [ErrNotFound];
//   - a release that can't be read completely is an error;
//   - a canceled context ends a call with its error.
//
// Index may return the same value at each call or decode a new one: users compare
// indexes by content ([Index.Equal]) and read a release again only if its entry has
// changed. It is called for every request, so it should be fast.
type Store interface {
	Index(ctx context.Context) (*Index, error)
	Release(ctx context.Context, v Version) (*Release, error)
}

// IconStore is a [Store] that can have icons, drawn when a release was published.
type IconStore interface {
	Store
	// Icon returns the SVG of an element of r in a variant. The error wraps
	// [ErrNotFound] if there is none.
	Icon(ctx context.Context, r *Release, elementID, variant string) ([]byte, error)
}

// Notifier is a [Store] that reports changes.
type Notifier interface {
	Store
	// Changes returns a channel that receives a value after one or more changes.
	// It is closed when ctx ends.
	Changes(ctx context.Context) <-chan struct{}
}

// Open reads the release of a reference, which is a canonical id or an alias. If
// the reference is unknown, the error wraps [ErrNotFound] and names similar ones.
func Open(ctx context.Context, s Store, r Ref) (*Release, error) {
	x, err := s.Index(ctx)
	if err != nil {
		return nil, err
	}
	e, err := x.Find(r)
	if err != nil {
		return nil, err
	}
	return s.Release(ctx, e.ID)
}
