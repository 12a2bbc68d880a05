package main

import "github.com/spf13/cobra"

func (p *program) schemaCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "schema",
		Short: "Work on schema versions, from source to publication",
		Long: `Work on schema versions, from source to publication.

A schema source is a folder <root>/<type>/<date>-<status>/ of YAML or JSON files
and SVG symbols. A store is a folder of published versions.`,
		Args: cobra.ArbitraryArgs, RunE: p.group,
	}
	for _, stage := range []struct {
		id, title string
		commands  []*cobra.Command
	}{
		{"write", "Write a version:", []*cobra.Command{p.newCommand(), p.lintCommand(), p.buildCommand()}},
		{"release", "Release it:", []*cobra.Command{p.diffCommand(), p.promoteCommand(), p.publishCommand(), p.retireCommand()}},
		{"read", "Look around:", []*cobra.Command{p.listCommand(), p.jsonSchemaCommand()}},
	} {
		cmd.AddGroup(&cobra.Group{ID: stage.id, Title: stage.title})
		for _, c := range stage.commands {
			c.GroupID = stage.id
			cmd.AddCommand(c)
		}
	}
	return cmd
}
