package main

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/sheet"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// sheetOptions are the flags of `datachain icons sheet`.
type sheetOptions struct {
	from           *stores.Location
	format, locale *string
}

func (p *program) sheetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sheet [VERSION]",
		Short: "Draw every icon of a version on one page",
		Long: `Draw every icon of a version, in every variant, on light and on dark background, on
one page without external resources.

VERSION is a version id or an alias; see --schemas and --store. It can be omitted if
there is only one datachain type, whose latest version is then used.`,
		Example: `  datachain icons sheet ai@latest -o sheet.html
  datachain icons sheet --schemas schemas --format svg --locale fr -o sheet.svg`,
		Args: takes(0, "VERSION"),
	}
	o := &sheetOptions{format: formatFlag(cmd, formatHTML, formatSVG), from: p.locationFlags(cmd)}
	out := cmd.Flags().StringP("out", "o", "", "write to this `file` instead of standard output")
	o.locale = cmd.Flags().String("locale", "", "`language` of titles, such as fr or pt-BR (default the first one of the version)")
	completeOut(cmd, formatHTML, formatSVG)
	localeFlag(cmd)
	cmd.ValidArgsFunction = p.completeVersions(1, o.from)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkLocale(cmd, *o.locale); err != nil {
			return err
		}
		page, err := p.drawSheet(cmd, strings.Join(args, ""), o)
		if err != nil {
			return err
		}
		return p.writeResult(*out, page, "")
	}
	return cmd
}

func (p *program) drawSheet(cmd *cobra.Command, version string, o *sheetOptions) ([]byte, error) {
	schemas, err := p.open(cmd.Context(), *o.from)
	if err != nil {
		return nil, err
	}
	r, err := schemas.release(cmd, version)
	if err != nil {
		return nil, err
	}
	locale, err := releaseLocale(r, *o.locale)
	if err != nil {
		return nil, err
	}
	return await(cmd.Context(), func() ([]byte, error) {
		var b bytes.Buffer
		write := sheet.HTML
		if *o.format == formatSVG {
			write = sheet.SVG
		}
		err := write(&b, r, &sheet.Options{Locale: locale})
		return b.Bytes(), err
	})
}

// checkLocale refuses a --locale that is not a language tag.
func checkLocale(cmd *cobra.Command, typed string) error {
	if datachain.CheckLocale(typed) != nil {
		return badUsage(cmd, "--locale %q must be a language tag, such as fr or pt-BR", typed)
	}
	return nil
}

// releaseLocale returns the language of a release that matches the one that was
// typed, and an error if there is none.
func releaseLocale(r *taxonomy.Release, typed string) (string, error) {
	if typed == "" {
		return "", nil
	}
	locale, err := search.Match(r.Locales(), typed)
	if err == nil && locale == "" {
		err = fmt.Errorf("--locale %s: %s has texts in %s", typed, r.Version(), strings.Join(r.Locales(), ", "))
	}
	return locale, err
}
