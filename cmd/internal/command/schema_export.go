package command

import (
	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/internal/wording"
)

func (p *program) schemaExportCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "export",
		Short: "Write a schema version in other formats",
		Long:  "Write a schema version in other formats, for people who edit or translate it elsewhere, and for other programs.",
	}, p.exportJSONCommand(), p.exportCSVCommand(), p.exportPOCommand(), p.exportPOTCommand())
}

func (p *program) exportJSONCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "json VERSION",
		Short: "Write a version as one file that programs can embed",
		Long: `Write a version as canonical JSON with its symbols, as GET /schemas/{version}/release
does. A Go program embeds the file and reads it with taxonomy.DecodeRelease, which verifies
its content hash.

VERSION is a version id or an alias.`,
		Example: `  datachain schema export json ai@latest -o ai.json`,
	}
	p.Read(cmd)
	out := outFlag(cmd, "json")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := p.openRelease(cmd, args[0])
		if err != nil {
			return err
		}
		text, err := r.MarshalJSON()
		if err != nil {
			return err
		}
		return p.WriteResult(*out, text, wording.Count(len(r.ElementIDs()), "element")+", "+wording.Count(len(r.SymbolIDs()), "symbol"))
	}
	return cmd
}
