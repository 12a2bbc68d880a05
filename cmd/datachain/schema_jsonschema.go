package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/validate"
)

func (p *program) jsonSchemaCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "json-schema [NAME]",
		Short: "Print the JSON Schemas of documents and schema files",
		Long: `Print a JSON Schema (2020-12), or without NAME list their names.

Editors take one for completion and checks while you type: name it in "$schema" or
in their settings. They check the shape alone; validate and lint know the rest.`,
		Example: `  datachain schema json-schema
  datachain schema json-schema instance > datachain.schema.json`,
		Args:              takes(0, "NAME"),
		ValidArgsFunction: completeNames(validate.JSONSchemaNames),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		names := validate.JSONSchemaNames()
		if len(args) == 0 {
			_, err := fmt.Fprintln(p.stdout, strings.Join(names, "\n"))
			return err
		}
		schema, ok := validate.JSONSchema(args[0])
		if !ok {
			return badUsage(cmd, "there is no JSON Schema %q%s", args[0], meant(args[0], names))
		}
		_, err := p.stdout.Write(schema)
		return err
	}
	return cmd
}
