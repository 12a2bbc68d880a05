package command

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/release/editorschema"
	"github.com/datachain-go/datachain/validate"
)

func schemaJSONSchemaCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "json-schema [NAME|VERSION]",
		Short: "Print the JSON Schemas of documents and schema files",
		Long: `Print a JSON Schema (2020-12), or list the names of all if NAME is omitted.

Editors use it for completion and checks: name it in "$schema" or in their settings.
A NAME is that of a kind of document or schema file; its JSON Schema describes the
shape only. A VERSION such as ai@latest is a version id or an alias; its JSON Schema
also has the elements, contexts, variables and options of the version, with titles in
the language of --locale. Use validate and lint for the rest.`,
		Example: `  datachain schema json-schema
  datachain schema json-schema authoring_category > category.schema.json
  datachain schema json-schema ai@latest --locale fr > datachain.schema.json`,
	}
	from := c.Reads(cmd)
	locale := localeFlag(cmd, "language of the titles of a version, such as fr or pt-BR (default the first one of the version)")
	versions := completeVersions(from, 1)
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		known, directive := versions(cmd, args, typed)
		names, _ := completeNames(1, func(*cobra.Command, []string) []string { return validate.JSONSchemaNames() })(cmd, args, typed)
		return slices.Concat(names, known), directive
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 && strings.Contains(args[0], "@") {
			return printVersionSchema(cmd.Context(), c, from, args[0], *locale)
		}
		if cmd.Flags().Changed("locale") {
			return usage.Error(cmd, "--locale requires a VERSION, such as ai@latest")
		}
		return printSchema(cmd, c, args)
	}
	return cmd
}

// printSchema prints a schema by name, or the names.
func printSchema(cmd *cobra.Command, c *console.Console, args []string) error {
	names := validate.JSONSchemaNames()
	if len(args) == 0 {
		return c.Printf("%s\n", strings.Join(names, "\n"))
	}
	schema, ok := validate.JSONSchema(args[0])
	if !ok {
		return usage.Error(cmd, "unknown JSON Schema %q%s", args[0], cmp.Or(usage.Suggest(args[0], names), "; 'datachain schema json-schema' lists all"))
	}
	_, err := c.Stdout.Write(schema)
	return err
}

// printVersionSchema prints the schema of the documents of a version.
func printVersionSchema(ctx context.Context, c *console.Console, from *console.Versions, version, locale string) error {
	set, err := from.Open(ctx)
	if err != nil {
		return err
	}
	opened, err := set.Open(ctx, version)
	if err != nil {
		return err
	}
	match, err := releaseLocale(opened.Release(), locale)
	if err != nil {
		return err
	}
	_, err = c.Stdout.Write(editorschema.New(opened.Release(), match))
	return err
}
