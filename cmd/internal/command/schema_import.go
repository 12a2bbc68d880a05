package command

import "github.com/spf13/cobra"

func (p *program) schemaImportCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "import",
		Short: "Import a table of elements or translations",
		Long:  "Import changes that were made elsewhere into a schema source.",
	}, p.importCSVCommand(), p.importPOCommand())
}
