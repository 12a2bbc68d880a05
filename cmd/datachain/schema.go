package main

import "github.com/spf13/cobra"

func (p *program) schemaCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Write, compare and publish schema versions",
		Long: `Write, compare and publish schema versions.

A schema source is a directory <root>/<type>/<date>-<status>/ of YAML or JSON files
and SVG symbols. A store is a directory of published versions.`,
		Args: cobra.ArbitraryArgs, RunE: p.group,
	}
	for _, stage := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"write", "Writing:", []*cobra.Command{p.newCommand(), p.lintCommand(), p.translationsCommand(), p.reviewCommand(), p.buildCommand(), p.schemaImportCommand(), p.schemaExportCommand()}},
		{"release", "Releasing:", []*cobra.Command{p.diffCommand(), p.breakingCommand(), p.evolveCommand(), p.promoteCommand(), p.publishCommand(), p.deprecateCommand(), p.retireCommand(), p.collectCommand()}},
		{"read", "Reading:", []*cobra.Command{p.listCommand(), p.jsonSchemaCommand()}},
	} {
		cmd.AddGroup(&cobra.Group{ID: stage.id, Title: stage.title})
		for _, c := range stage.commands {
			c.GroupID = stage.id
			cmd.AddCommand(c)
		}
	}
	return cmd
}
