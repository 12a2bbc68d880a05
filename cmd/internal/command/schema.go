package command

import (
	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

func schemaCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Write, compare and publish schema versions",
		Long: `Write, compare and publish schema versions.

A schema source is a directory <root>/<type>/<date>-<status>/ of YAML or JSON files
and SVG symbols. A store is a directory of published versions.`,
	}
	addCommands(cmd, "write", "Writing:", schemaNewCommand(c), schemaLintCommand(c), schemaTranslationsCommand(c), schemaImportCommand(c), schemaExportCommand(c))
	addCommands(cmd, "release", "Releasing:", schemaDiffCommand(c), schemaBreakingCommand(c), schemaEvolveCommand(c), schemaPromoteCommand(c), schemaPublishCommand(c), schemaDeprecateCommand(c), schemaRetireCommand(c), schemaCollectCommand(c))
	addCommands(cmd, "read", "Reading:", schemaListCommand(c), schemaJSONSchemaCommand(c))
	return cmd
}
