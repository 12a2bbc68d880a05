package main

import "github.com/spf13/cobra"

func (p *program) schemaExportCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "export",
		Short: "Write a schema version in other formats",
		Long:  "Write a schema version in other formats, for people who edit or translate it elsewhere, and for other programs.",
	}, p.exportCSVCommand(), p.exportPOCommand(), p.exportPOTCommand())
}
