package taxonomy

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/errname"
)

// evolvedType is a datachain type of an index that has an evolution.
type evolvedType struct {
	ID        string `json:"id"`
	Evolution Hash   `json:"evolution"` // the SHA-256 of the published text
}

// EvolutionJSON returns the published text of what became of the ids of a datachain type, or nil. An
// index keeps the text as it is; package history decodes it.
func (x *Index) EvolutionJSON(typ string) []byte { return x.evolutions[typ] }

// WithEvolution returns the index with a text in place of the evolution of a datachain type. An
// empty one removes it.
func (x *Index) WithEvolution(typ string, text []byte) *Index {
	next := new(*x)
	next.types = slices.DeleteFunc(slices.Clone(x.types), func(t evolvedType) bool { return t.ID == typ })
	next.evolutions = maps.Clone(x.evolutions)
	delete(next.evolutions, typ)
	if len(text) == 0 {
		return next
	}
	next.types = append(next.types, evolvedType{typ, sha256.Sum256(text)})
	slices.SortFunc(next.types, func(a, b evolvedType) int { return strings.Compare(a.ID, b.ID) })
	if next.evolutions == nil {
		next.evolutions = make(map[string][]byte)
	}
	next.evolutions[typ] = bytes.Clone(text)
	return next
}

// LoadEvolutions returns the index with the evolutions that it names: a decoded index does
// not have them yet. read returns their published text. It is not called for those that last
// already has; last can be nil. If the SHA-256 of a text is not the expected one, the error wraps
// [ErrHashMismatch].
func (x *Index) LoadEvolutions(last *Index, read func(typ string, h Hash) ([]byte, error)) (*Index, error) {
	if len(x.types) == 0 {
		return x, nil
	}
	next := new(*x)
	next.evolutions = make(map[string][]byte, len(x.types))
	for _, t := range x.types {
		if last != nil && slices.Contains(last.types, t) && last.evolutions[t.ID] != nil {
			next.evolutions[t.ID] = last.evolutions[t.ID]
			continue
		}
		text, err := read(t.ID, t.Evolution)
		if got := Hash(sha256.Sum256(text)); err == nil && got != t.Evolution {
			err = fmt.Errorf("%w: its SHA-256 is %s, not %s", ErrHashMismatch, got, t.Evolution)
		}
		if err != nil {
			return nil, errname.Add("taxonomy", fmt.Errorf("index: evolution of %s: %w", t.ID, err))
		}
		next.evolutions[t.ID] = text
	}
	return next, nil
}
