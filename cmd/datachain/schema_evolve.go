package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/evolution/history"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// evolveAnswer is the output of `datachain schema evolve --format json`.
type evolveAnswer struct {
	// OK reports whether there is nothing to propose.
	OK    bool          `json:"ok"`
	Types []evolvedType `json:"types"`
}

// evolvedType has the proposals for a datachain type.
type evolvedType struct {
	ID        string             `json:"id"`
	Versions  []taxonomy.Version `json:"versions"`
	Proposals []history.Proposal `json:"proposals"`

	known map[proposed]bool
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
	p.reads(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		schemas, err := p.open(cmd.Context())
		if err != nil {
			return err
		}
		answer, err := await(cmd.Context(), func() (*evolveAnswer, error) {
			return schemas.evolve(cmd.Context(), strings.Join(args, ""))
		})
		if err != nil {
			return err
		}
		return p.answer(*format, answer, answer.OK, func() error {
			var b strings.Builder
			for _, t := range answer.Types {
				t.write(&b)
			}
			return p.printf("%s", b.String())
		})
	}
	return cmd
}

// evolve proposes entries for a datachain type, or for all if it is "".
func (s *schemaSet) evolve(ctx context.Context, typ string) (*evolveAnswer, error) {
	x, err := s.Versions(ctx)
	if err != nil {
		return nil, err
	}
	answer := &evolveAnswer{OK: true, Types: []evolvedType{}}
	var older []*taxonomy.Release // of the type
	entries := x.Entries()
	slices.SortFunc(entries, func(a, b taxonomy.Entry) int { // the oldest first
		if a.ID.Type() != b.ID.Type() {
			return strings.Compare(a.ID.Type(), b.ID.Type())
		}
		return b.ID.Compare(a.ID)
	})
	for _, e := range entries {
		if typ != "" && e.ID.Type() != typ {
			continue
		}
		schema, err := s.Open(ctx, e.ID.String())
		if err != nil {
			return nil, err
		}
		r := schema.Release()
		if len(older) == 0 || older[0].Version().Type() != e.ID.Type() {
			answer.Types = append(answer.Types, evolvedType{ID: e.ID.Type(), Proposals: []history.Proposal{}, known: make(map[proposed]bool)})
			older = nil
		}
		t := &answer.Types[len(answer.Types)-1]
		t.Versions = append(t.Versions, e.ID)
		if last := history.Before(r, older); last != nil {
			t.add(history.Propose(last, r))
			answer.OK = answer.OK && len(t.Proposals) == 0
		}
		older = append(older, r)
	}
	if typ != "" && len(answer.Types) == 0 {
		return nil, fmt.Errorf("there is no datachain type %s here; there are %s", typ, wording.And(typesOf(x)))
	}
	return answer, nil
}

// proposed is what a proposal is about, whatever version it is since.
type proposed struct {
	kind       taxonomy.IDKind
	id, to, in string
	renamed    bool
}

// add adds proposals, except those that an older version needs as well.
func (t *evolvedType) add(proposals []history.Proposal) {
	for _, p := range proposals {
		var about proposed
		if r := p.Renamed; r != nil {
			about = proposed{r.Kind, r.From, r.To, r.In, true}
		} else {
			about = proposed{kind: p.Removed.Kind, id: p.Removed.ID, in: p.Removed.In}
		}
		if !t.known[about] {
			t.known[about] = true
			t.Proposals = append(t.Proposals, p)
		}
	}
}

// typesOf returns the datachain types of an index.
func typesOf(x *taxonomy.Index) (types []string) {
	for _, e := range x.Entries() {
		types = append(types, e.ID.Type())
	}
	return slices.Compact(types)
}

// write writes the proposals as comments of an evolution.yaml.
func (t *evolvedType) write(b *strings.Builder) {
	if len(t.Proposals) == 0 {
		fmt.Fprintf(b, "## %s: nothing to propose for %s.\n", t.ID, wording.Count(len(t.Versions), "version"))
		return
	}
	var removed, renamed strings.Builder
	for _, p := range t.Proposals {
		if r := p.Renamed; r != nil {
			fmt.Fprintf(&renamed, "#- {kind: %s, from: %s, to: %s%s, since: %s} # %s\n", r.Kind, r.From, r.To, inOwner(r.In), r.Since.Folder(), p.Because)
			continue
		}
		kind, by := "", ""
		if p.Removed.Kind != "" {
			kind = "kind: " + string(p.Removed.Kind) + ", "
		}
		if next := p.Removed.ReplacedBy; len(next) > 0 { // there is at most one
			by = ", replaced_by: " + next[0].ID
		}
		fmt.Fprintf(&removed, "#- {%sid: %s%s, since: %s%s} # %s\n", kind, p.Removed.ID, inOwner(p.Removed.In), p.Removed.Since.Folder(), by, p.Because)
	}
	fmt.Fprintf(b, "## %s/evolution.yaml: %s. Check each, and remove the # to confirm it.\n", t.ID, wording.Count(len(t.Proposals), "proposal"))
	if renamed.Len() > 0 {
		fmt.Fprintf(b, "#renamed:\n%s", &renamed)
	}
	if removed.Len() > 0 {
		fmt.Fprintf(b, "#removed:\n%s", &removed)
	}
}

// inOwner returns the field of an entry that names an owner.
func inOwner(id string) string {
	if id == "" {
		return ""
	}
	return ", in: " + id
}
