package main

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/export/skos"
	"github.com/datachain-go/datachain/internal/wording"
)

func (p *program) schemaExportCommand() *cobra.Command {
	return with(&cobra.Command{
		Use:   "export",
		Short: "Write a schema version in other formats",
		Long:  "Write a schema version in other formats, for people who edit or translate it elsewhere, and for other programs.",
	}, p.exportCSVCommand(), p.exportPOCommand(), p.exportPOTCommand(), p.exportSKOSCommand())
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

VERSION is a version id or an alias.`,
		Example: `  datachain schema export skos ai@latest --base-url https://example.org -o ai.ttl
  datachain schema export skos ai@latest -o ai.jsonld`,
	}
	p.Read(cmd)
	out, format := outFlag(cmd, "ttl", "jsonld"), formatFlag(cmd, string(skos.Turtle), string(skos.JSONLD))
	base := baseFlag(cmd, "URL of the site on which the version is published")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if !cmd.Flags().Changed("format") {
			switch strings.ToLower(filepath.Ext(*out)) {
			case "", ".ttl":
			case ".jsonld", ".json":
				*format = string(skos.JSONLD)
			default:
				return usage.Error(cmd, "--out must be a file with the extension .ttl or .jsonld unless --format is given, not %q", *out)
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
