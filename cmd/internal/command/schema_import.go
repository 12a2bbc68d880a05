package command

import (
	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

func schemaImportCommand(c *console.Console) *cobra.Command {
	return with(&cobra.Command{
		Use:   "import",
		Short: "Import a table of elements or translations",
		Long:  "Import changes that were made elsewhere into a schema source.",
	}, schemaImportCSVCommand(c), schemaImportPOCommand(c))
}
