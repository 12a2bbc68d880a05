package command

import (
	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/internal/wording"
)

func schemaExportCommand(c *console.Console) *cobra.Command {
	return with(&cobra.Command{
		Use:   "export",
		Short: "Write a schema version in other formats",
		Long:  "Write a schema version in other formats, for people who edit or translate it elsewhere, and for other programs.",
	}, schemaExportJSONCommand(c), schemaExportCSVCommand(c), schemaExportPOCommand(c), schemaExportPOTCommand(c))
}

func schemaExportJSONCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "json VERSION",
		Short: "Write a version as one file that programs can embed",
		Long: `Write a version as canonical JSON with its symbols, as GET /schemas/{version}/release
does. A Go program embeds the file and reads it with taxonomy.DecodeRelease, which verifies
its content hash.

VERSION is a version id or an alias.`,
		Example: `  datachain schema export json ai@latest -o ai.json`,
	}
	from := c.Reads(cmd)
	out := outFlag(cmd, "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := from.Release(cmd, args[0])
		if err != nil {
			return err
		}
		text, err := r.MarshalJSON()
		if err != nil {
			return err
		}
		return c.WriteResult(*out, text, wording.Count(len(r.ElementIDs()), "element")+", "+wording.Count(len(r.SymbolIDs()), "symbol"))
	}
	return cmd
}
