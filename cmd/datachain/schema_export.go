package main

import (
	"context"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/translation"
	"github.com/datachain-go/datachain/export/skos"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/validate"
)

func (p *program) schemaExportCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "export",
		Short: "Write a schema version in other formats",
		Long:  "Write a schema version in other formats, for people who edit or translate it elsewhere, and for other programs.",
	}, p.exportCSVCommand(), p.exportPOCommand(), p.exportPOTCommand(), p.exportSKOSCommand())
}

func (p *program) exportCSVCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "csv VERSION",
		Short: "Write the elements of a version as a table",
		Long: `Write the elements of a version as a table for spreadsheets: CSV in UTF-8, one row per
element. 'datachain schema import csv' takes changes from it.

The columns are id, category_id, symbol_id and order, then the texts of each language,
such as title:en, then the variables that elements have of their own. Successors and
sources are not part of the table.

VERSION is a version id or an alias; see --schemas and --store.`,
		Example: `  datachain schema export csv ai@latest -o ai.csv
  datachain schema export csv ai@latest-beta --schemas schemas --locale fr -o french.csv`,
	}
	p.reads(cmd)
	out, bom := outFlag(cmd, "csv"), switchFlag(cmd, "bom", "begin with a byte order mark, which Excel needs to recognise UTF-8")
	var locales []string
	flags.Add(cmd, flags.New("locale", "only this language, and the first one of the version; can be repeated", flags.List(&locales, flags.Locale)))
	cmd.ValidArgsFunction = p.completeVersions(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		r, err := p.openRelease(cmd, args[0])
		if err != nil {
			return err
		}
		for i, l := range locales {
			if locales[i], err = releaseLocale(r, l); err != nil {
				return err
			}
		}
		t := translation.NewTable(write.FromRelease(r), locales...)
		text, err := t.CSV()
		if err != nil {
			return err
		}
		if *bom {
			text = append([]byte("\ufeff"), text...)
		}
		return p.writeResult(*out, text, wording.Count(len(t.Rows), "element")+", "+wording.Count(len(t.Columns), "column"))
	}
	return cmd
}

func (p *program) exportSKOSCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "skos VERSION",
		Short: "Write a version as SKOS for thesaurus tools and linked data",
		Long: `Write a version as SKOS, the vocabulary of the W3C for taxonomies, in Turtle or JSON-LD.

The version is a concept scheme and its categories are the top concepts. Elements, values
of contexts and options are concepts. Labels and definitions are in all languages, ids are
notations, mappings to other schemes are matches, and deprecated elements name what
replaces them.

The format is that of the file: Turtle for .ttl and standard output, JSON-LD for .jsonld
and .json, unless --format names it.

Names are the addresses of pages below --base-url, which should be the site on which the
version is published. Without it they begin with urn:datachain:.

VERSION is a version id or an alias; see --schemas and --store.`,
		Example: `  datachain schema export skos ai@latest --base-url https://example.org -o ai.ttl
  datachain schema export skos ai@latest -o ai.jsonld`,
	}
	p.reads(cmd)
	out, format := outFlag(cmd, "ttl", "jsonld"), formatFlag(cmd, string(skos.Turtle), string(skos.JSONLD))
	base := baseFlag(cmd, "URL of the site on which the version is published")
	cmd.ValidArgsFunction = p.completeVersions(1)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !cmd.Flags().Changed("format") {
			switch strings.ToLower(filepath.Ext(*out)) {
			case "", ".ttl":
			case ".jsonld", ".json":
				*format = string(skos.JSONLD)
			default:
				return badUsage(cmd, "--out must be a file with the extension .ttl or .jsonld unless --format is given, not %q", *out)
			}
		}
		r, err := p.openRelease(cmd, args[0])
		if err != nil {
			return err
		}
		text, err := skos.Encode(r, skos.Syntax(*format), *base)
		if err != nil {
			return err
		}
		return p.writeResult(*out, text, wording.Count(len(r.Elements()), "element")+" of "+r.Version().String())
	}
	return cmd
}

func (p *program) jsonSchemaCommand() *cobra.Command {
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
		Args: takes(0, "NAME"),
	}
	p.reads(cmd)
	locale := localeFlag(cmd, "language of the titles of a version, such as fr or pt-BR (default the first one of the version)")
	versions := p.completeVersions(1)
	cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		known, directive := versions(cmd, args, typed)
		names, _ := completeNames(1, func(*cobra.Command, []string) []string { return validate.JSONSchemaNames() })(cmd, args, typed)
		return slices.Concat(names, known), directive
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 1 && strings.Contains(args[0], "@") {
			return p.versionSchema(cmd.Context(), args[0], *locale)
		}
		if cmd.Flags().Changed("locale") {
			return badUsage(cmd, "--locale requires a VERSION, such as ai@latest")
		}
		return p.jsonSchema(cmd, args)
	}
	return cmd
}

// jsonSchema prints a schema by name, or the names.
func (p *program) jsonSchema(cmd *cobra.Command, args []string) error {
	names := validate.JSONSchemaNames()
	if len(args) == 0 {
		return p.printf("%s\n", strings.Join(names, "\n"))
	}
	schema, ok := validate.JSONSchema(args[0])
	if !ok {
		return badUsage(cmd, "unknown JSON Schema %q%s", args[0], meant(args[0], names))
	}
	_, err := p.stdout.Write(schema)
	return err
}

// versionSchema prints the schema of the documents of a version.
func (p *program) versionSchema(ctx context.Context, version, locale string) error {
	schemas, err := p.open(ctx)
	if err != nil {
		return err
	}
	opened, err := schemas.Open(ctx, version)
	if err != nil {
		return err
	}
	match, err := releaseLocale(opened.Release(), locale)
	if err != nil {
		return err
	}
	schema, err := opened.JSONSchema(match)
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(schema)
	return err
}
