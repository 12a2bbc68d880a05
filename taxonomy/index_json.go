package taxonomy

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain/internal/errname"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// indexFormat is the format of index.json that this program reads and writes.
const indexFormat = 2

// ErrIndexFormat is wrapped by the error of [DecodeIndex] if the index has another format
// than this program reads.
var ErrIndexFormat = errors.New("the format of the index is not supported")

// wireIndex is the JSON of an index as servers send it.
type wireIndex struct {
	Versions []Entry          `json:"versions"`
	Retired  []RetiredVersion `json:"retired,omitempty"`
	Types    []evolvedType    `json:"types,omitempty"`
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

// recorded reports whether the index has a record, which that of a server lacks.
func (s *storedIndex) recorded() bool {
	return s.Sequence != 0 || s.LogSize != 0 || slices.ContainsFunc(s.Versions, func(e storedEntry) bool { return !e.Archive.IsZero() })
}

type storedEntry struct {
	Entry
	Archive Hash           `json:"archive,omitzero"`
	Unknown jsontext.Value `json:",embed"`
}

type storedRetired struct {
	RetiredVersion
	Unknown jsontext.Value `json:",embed"`
}

// MarshalJSON returns {"versions": [...], "retired": [...], "types": [...]}; the last two are
// omitted if they are empty. It has nothing about how releases are stored.
func (x *Index) MarshalJSON() ([]byte, error) {
	return json.Marshal(wireIndex{x.entries, x.retired, x.types})
}

// UnmarshalJSON sets x to what [DecodeIndex] returns. x must not be in use yet.
func (x *Index) UnmarshalJSON(text []byte) error {
	decoded, err := DecodeIndex(text)
	if err != nil {
		return err
	}
	*x = *decoded
	return nil
}

// EncodeIndex returns the index.json of an index: its canonical JSON with the record, with the
// format if it has one, and with the unknown fields that it had when it was decoded.
func EncodeIndex(x *Index) ([]byte, error) {
	stored := storedIndex{Sequence: x.sequence, LogSize: x.logSize, Versions: make([]storedEntry, len(x.entries)), Types: x.types, Unknown: x.unknown[""]}
	for i, e := range x.entries {
		stored.Versions[i] = storedEntry{e, e.Archive, x.unknown[e.ID.String()]}
	}
	if stored.recorded() {
		stored.Format = indexFormat
	}
	for _, r := range x.retired {
		stored.Retired = append(stored.Retired, storedRetired{r, x.unknown[r.key()]})
	}
	return document.MarshalCanonical(stored)
}

// DecodeIndex decodes an index.json, or the JSON of an index. The order, statuses
// and aliases must be those of [NewIndex]. Unknown fields are kept for
// [EncodeIndex]. The error wraps [ErrIndexFormat] if the format is another one, or is missing
// in an index with a record.
func DecodeIndex(text []byte) (*Index, error) {
	x, err := decodeIndex(text)
	return x, errname.Add("taxonomy", err)
}

func decodeIndex(text []byte) (*Index, error) {
	if _, err := document.Parse(text); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	// The format comes first, since a newer one can have other fields.
	var head struct {
		Format int64 `json:"format"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	tooOld := fmt.Errorf("index: %w: it is older than this program: publish the releases into a new store", ErrIndexFormat)
	switch {
	case head.Format > indexFormat:
		return nil, fmt.Errorf("index: %w: it has format %d, this program reads format %d: update the program", ErrIndexFormat, head.Format, indexFormat)
	case head.Format != 0 && head.Format < indexFormat:
		return nil, tooOld
	}
	var stored storedIndex
	if err := json.Unmarshal(text, &stored); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	switch {
	case stored.Format == 0 && stored.recorded():
		return nil, tooOld
	case stored.Versions == nil:
		return nil, errors.New("index: the list versions is missing")
	case stored.Sequence < 0 || stored.LogSize < 0:
		return nil, fmt.Errorf("index: sequence is %d and log_size is %d, but they must not be negative", stored.Sequence, stored.LogSize)
	}
	unknown := map[string]jsontext.Value{"": stored.Unknown}
	wire := wireIndex{Versions: make([]Entry, len(stored.Versions)), Retired: make([]RetiredVersion, len(stored.Retired))}
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
		wire.Retired[i] = r.RetiredVersion
		unknown[r.key()] = r.Unknown
	}
	x, err := newIndex(wire.Versions, wire.Retired)
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
