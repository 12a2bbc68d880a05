package command

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
)

// listAnswer is the output of `datachain schema list --format json`.
type listAnswer struct {
	console.Outcome              // OK if no version was left out
	Versions        []stores.Row `json:"versions"`
	// Retired are the versions that a store no longer publishes.
	Retired []taxonomy.RetiredVersion `json:"retired,omitempty"`
}

func schemaListCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the versions of a source or a store",
		Long: `List the versions of a schema source, a store or the built-in sample taxonomies.

The exit code is 1 if versions of a source do not compile; they are left out.`,
		Example: `  datachain schema list
  datachain schema list --store dist --format json`,
	}
	from := c.Reads(cmd)
	format := console.FormatFlag(cmd, formatText, formatJSON)
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, _ []string) (answer, error) {
		set, err := from.Open(cmd.Context())
		if err != nil {
			return nil, err
		}
		return list(cmd.Context(), set)
	})
	return cmd
}

func (a *listAnswer) print(c *console.Console, _ string) error {
	var err error
	if len(a.Versions) > 0 {
		err = c.Table(stores.RowTable(a.Versions))
	} else {
		err = c.Printf("no versions\n")
	}
	var deprecated, retired []string
	for _, v := range a.Versions {
		if v.Sunset != "" {
			deprecated = append(deprecated, fmt.Sprintf("%s (until %s)", v.ID, v.Sunset))
		} else if v.Deprecated != "" {
			deprecated = append(deprecated, v.ID.String())
		}
	}
	for _, r := range a.Retired {
		retired = append(retired, r.ID.String())
	}
	if err == nil && len(deprecated) > 0 {
		err = c.Printf("\nDeprecated: %s\n", strings.Join(deprecated, ", "))
	}
	if err == nil && len(retired) > 0 {
		err = c.Printf("\nRetired: %s\n", strings.Join(retired, ", "))
	}
	return err
}

// list lists the versions.
func list(ctx context.Context, set *stores.Set) (*listAnswer, error) {
	x, err := set.Versions(ctx)
	if err != nil {
		return nil, err
	}
	answer := &listAnswer{Outcome: console.Outcome{OK: set.Whole}, Versions: []stores.Row{}, Retired: x.Retired()}
	for _, e := range x.Entries() {
		schema, err := set.Open(ctx, e.ID.String())
		if err != nil {
			return nil, err
		}
		answer.Versions = append(answer.Versions, stores.NewRow(e, schema.Release()))
	}
	return answer, nil
}
