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
		Long: `Print a JSON Schema (2020-12), or list the names of all if NAME is omitted.

Editors use it for completion and checks: name it in "$schema" or in their settings.
A JSON Schema describes the shape only; use validate and lint for the rest.`,
		Example: `  datachain schema json-schema
  datachain schema json-schema instance > datachain.schema.json`,
		Args:              takes(0, "NAME"),
		ValidArgsFunction: completeNames(1, func(*cobra.Command, []string) []string { return validate.JSONSchemaNames() }),
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		names := validate.JSONSchemaNames()
		if len(args) == 0 {
			_, err := fmt.Fprintln(p.stdout, strings.Join(names, "\n"))
			return err
		}
		schema, ok := validate.JSONSchema(args[0])
		if !ok {
			return badUsage(cmd, "unknown JSON Schema %q%s", args[0], meant(args[0], names))
		}
		_, err := p.stdout.Write(schema)
		return err
	}
	return cmd
}
