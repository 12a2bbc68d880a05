package stores

import (
	"context"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Evolved has the proposals of what became of the ids of a datachain type.
type Evolved struct {
	ID        string             `json:"id"`
	Versions  []taxonomy.Version `json:"versions"`
	Proposals []history.Proposal `json:"proposals"`
}

// Evolve proposes entries for a datachain type, or for all if it is "".
func (s *Set) Evolve(ctx context.Context, only string) ([]Evolved, error) {
	x, err := s.Versions(ctx)
	if err != nil {
		return nil, err
	}
	var types []string
	releases := make(map[string][]*taxonomy.Release)
	entries := x.Entries()
	slices.Reverse(entries) // the oldest first
	for _, e := range entries {
		types = append(types, e.ID.Type())
		if only != "" && e.ID.Type() != only {
			continue
		}
		schema, err := s.Open(ctx, e.ID.String())
		if err != nil {
			return nil, err
		}
		releases[e.ID.Type()] = append(releases[e.ID.Type()], schema.Release())
	}
	slices.Sort(types)
	types = slices.Compact(types)
	if only != "" && len(releases) == 0 {
		return nil, fmt.Errorf("there is no datachain type %s here: use %s", only, wording.Or(types))
	}
	list := []Evolved{}
	for _, typ := range types {
		if len(releases[typ]) == 0 {
			continue
		}
		e := Evolved{ID: typ, Proposals: append([]history.Proposal{}, history.ProposeAll(releases[typ])...)}
		for _, r := range releases[typ] {
			e.Versions = append(e.Versions, r.Version())
		}
		list = append(list, e)
	}
	return list, nil
}
