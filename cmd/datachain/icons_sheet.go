package main

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons/sheet"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// The forms of a contact sheet.
const (
	formatHTML format = "html"
	formatSVG  format = "svg"
)

func (p *program) sheetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sheet [VERSION]",
		Short: "Draw a contact sheet: every icon of a version on one page",
		Long: `Draw a contact sheet: every icon of a version, in every variant, on light and on
dark, on one page that needs nothing else and can be printed.

VERSION is a version id or an alias, of a source, a store, or without either of the
sample taxonomies in this program. Without it, the latest version of the only
datachain type.`,
		Example: `  datachain icons sheet ai@latest -o sheet.html
  datachain icons sheet --schemas schemas --format svg --locale fr -o sheet.svg`,
		Args: takes(0, "VERSION"),
	}
	form := formatAmong(cmd, "form of the sheet", formatHTML, formatSVG)
	from := originFlags(cmd, "")
	out := cmd.Flags().StringP("out", "o", "", "write to this `file` instead of standard output")
	locale := cmd.Flags().String("locale", "", "`language` of titles, such as fr or pt-BR (default the first of the version)")
	// These fail only for a flag that is not there.
	_ = cmd.MarkFlagFilename("out", string(formatHTML), string(formatSVG))
	_ = cmd.RegisterFlagCompletionFunc("locale", cobra.NoFileCompletions)
	cmd.ValidArgsFunction = p.completeVersions(1, func([]string) origin { return *from })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := from.check(cmd); err != nil {
			return err
		}
		if err := checkLocale(cmd, *locale); err != nil {
			return err
		}
		s, err := p.openLibrary(cmd.Context(), *from)
		if err != nil {
			return err
		}
		defer s.close()
		r, err := openRelease(cmd, s, strings.Join(args, ""))
		if err != nil {
			return err
		}
		written, err := writtenLocale(r, *locale)
		if err != nil {
			return err
		}
		page, err := drawSheet(cmd.Context(), r, *form, &sheet.Options{Locale: written})
		if err != nil {
			return err
		}
		if *out == "" {
			_, err = p.stdout.Write(page)
			return err
		}
		if err := replace(p.path(*out), page); err != nil {
			return fmt.Errorf("--out %s: %s", *out, reason(err))
		}
		return nil
	}
	return cmd
}

func drawSheet(ctx context.Context, r *taxonomy.Release, form format, o *sheet.Options) ([]byte, error) {
	return await(ctx, func() ([]byte, error) {
		var b bytes.Buffer
		write := sheet.HTML
		if form == formatSVG {
			write = sheet.SVG
		}
		err := write(&b, r, o)
		return b.Bytes(), err
	})
}

// checkLocale refuses a --locale that is no language tag; empty is none asked for.
func checkLocale(cmd *cobra.Command, typed string) error {
	if datachain.CheckLocale(typed) != nil {
		return badUsage(cmd, "--locale %q: want a language tag, such as fr or pt-BR", typed)
	}
	return nil
}

// writtenLocale returns the language of a release that suits one that was typed,
// and refuses one that it is not written in.
func writtenLocale(r *taxonomy.Release, typed string) (string, error) {
	if typed == "" {
		return "", nil
	}
	locale, err := search.Match(r.Locales(), typed)
	if err != nil {
		return "", err
	}
	if locale == "" {
		return "", fmt.Errorf("--locale %s: %s is written in %s", typed, r.Version(), strings.Join(r.Locales(), ", "))
	}
	return locale, nil
}
