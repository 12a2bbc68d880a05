package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// evolveAnswer is the output of `datachain schema evolve --format json`.
type evolveAnswer struct {
	outcome
	Types []evolvedType `json:"types"`
}

// evolvedType has the proposals for a datachain type.
type evolvedType struct {
	ID        string             `json:"id"`
	Versions  []taxonomy.Version `json:"versions"`
	Proposals []history.Proposal `json:"proposals"`
}

func (p *program) evolveCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "evolve [TYPE]",
		Short: "Propose what became of removed ids",
		Long: `Compare each version of a datachain type with the one before it, and propose an entry for
the file <type>/evolution.yaml for every id that was removed without an explanation:
categories that were renamed, elements whose texts moved, variables, options and context
values. A stable version is compared with the last stable one, if there is one: what only
beta versions tried out needs no entry.

The file says what became of ids once for all versions: 'datachain upgrade', 'schema diff',
'schema breaking' and the hints of 'datachain validate' use it, and 'schema publish'
publishes it. Importing versions again does not touch it.

Every proposal is a comment. Check it, correct it, and remove the # to confirm it: nothing
that is proposed is applied. What the file and the versions say already is not proposed.

The exit code is 1 if something is proposed.`,
		Example: `  datachain schema evolve --schemas schemas
  datachain schema evolve ai --schemas schemas >> schemas/ai/evolution.yaml
  datachain schema evolve ai --store dist --format json`,
	}
	format := formatFlag(cmd, formatText, formatJSON)
	p.Read(cmd)
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, args []string) (answer, error) {
		schemas, err := p.open(cmd.Context())
		if err != nil {
			return nil, err
		}
		return await(cmd.Context(), func() (*evolveAnswer, error) {
			return schemas.evolve(cmd.Context(), strings.Join(args, ""))
		})
	})
	return cmd
}

func (a *evolveAnswer) print(p *program, _ string) error {
	var b strings.Builder
	for _, t := range a.Types {
		if len(t.Proposals) == 0 {
			fmt.Fprintf(&b, "## %s: nothing to propose for %s.\n", t.ID, wording.Count(len(t.Versions), "version"))
			continue
		}
		fmt.Fprintf(&b, "## %s/evolution.yaml: %s. Check each, and remove the # to confirm it.\n%s",
			t.ID, wording.Count(len(t.Proposals), "proposal"), write.Proposals(t.Proposals))
	}
	return p.printf("%s", b.String())
}

// evolve proposes entries for a datachain type, or for all if it is "".
func (s *schemaSet) evolve(ctx context.Context, typ string) (*evolveAnswer, error) {
	x, err := s.Versions(ctx)
	if err != nil {
		return nil, err
	}
	answer := &evolveAnswer{outcome: outcome{true}, Types: []evolvedType{}}
	releases := make(map[string][]*taxonomy.Release)
	entries := x.Entries()
	slices.Reverse(entries) // the oldest first
	for _, e := range entries {
		if typ != "" && e.ID.Type() != typ {
			continue
		}
		schema, err := s.Open(ctx, e.ID.String())
		if err != nil {
			return nil, err
		}
		releases[e.ID.Type()] = append(releases[e.ID.Type()], schema.Release())
	}
	for _, typ := range slices.Sorted(maps.Keys(releases)) {
		t := evolvedType{ID: typ, Proposals: append([]history.Proposal{}, history.ProposeAll(releases[typ])...)}
		for _, r := range releases[typ] {
			t.Versions = append(t.Versions, r.Version())
		}
		answer.Types, answer.OK = append(answer.Types, t), answer.OK && len(t.Proposals) == 0
	}
	if typ != "" && len(answer.Types) == 0 {
		var types []string
		for _, e := range entries {
			types = append(types, e.ID.Type())
		}
		slices.Sort(types)
		return nil, fmt.Errorf("there is no datachain type %s here: use %s", typ, wording.Or(slices.Compact(types)))
	}
	return answer, nil
}
