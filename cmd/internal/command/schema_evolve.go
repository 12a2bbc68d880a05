package command

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/wording"
)

// evolveAnswer is the output of `datachain schema evolve --format json`.
type evolveAnswer struct {
	console.Outcome
	Types []stores.Evolved `json:"types"`
}

func schemaEvolveCommand(c *console.Console) *cobra.Command {
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
	format := console.FormatFlag(cmd, formatText, formatJSON)
	from := c.Reads(cmd)
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		set, err := from.Open(cmd.Context())
		if err != nil {
			return nil, err
		}
		types, err := console.Await(cmd.Context(), func() ([]stores.Evolved, error) { return set.Evolve(cmd.Context(), strings.Join(args, "")) })
		if err != nil {
			return nil, err
		}
		proposed := slices.ContainsFunc(types, func(t stores.Evolved) bool { return len(t.Proposals) > 0 })
		return &evolveAnswer{console.Outcome{OK: !proposed}, types}, nil
	})
	return cmd
}

func (a *evolveAnswer) print(c *console.Console, _ string) error {
	var b strings.Builder
	for _, t := range a.Types {
		if len(t.Proposals) == 0 {
			fmt.Fprintf(&b, "## %s: nothing to propose for %s.\n", t.ID, wording.Count(len(t.Versions), "version"))
			continue
		}
		fmt.Fprintf(&b, "## %s/evolution.yaml: %s. Check each, and remove the # to confirm it.\n%s",
			t.ID, wording.Count(len(t.Proposals), "proposal"), write.Proposals(t.Proposals))
	}
	return c.Printf("%s", b.String())
}
