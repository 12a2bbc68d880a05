package command

import (
	"github.com/spf13/cobra"
)

func (p *program) schemaCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Write, compare and publish schema versions",
		Long: `Write, compare and publish schema versions.

A schema source is a directory <root>/<type>/<date>-<status>/ of YAML or JSON files
and SVG symbols. A store is a directory of published versions.`,
	}
	addCommands(cmd, "write", "Writing:", p.newCommand(), p.lintCommand(), p.translationsCommand(), p.schemaImportCommand(), p.schemaExportCommand())
	addCommands(cmd, "release", "Releasing:", p.diffCommand(), p.breakingCommand(), p.evolveCommand(), p.promoteCommand(), p.publishCommand(), p.deprecateCommand(), p.retireCommand(), p.collectCommand())
	addCommands(cmd, "read", "Reading:", p.listCommand(), p.jsonSchemaCommand())
	return cmd
}
