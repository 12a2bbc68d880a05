package command

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/contactsheet"
)

func iconsSheetCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sheet [VERSION]",
		Short: "Draw every icon of a version on one page",
		Long: `Draw every icon of a version, in every variant, on light and dark backgrounds, on
one page without external resources.

VERSION is a version id or an alias (default the latest version, if there is only one
datachain type).`,
		Example: `  datachain icons sheet ai@latest -o sheet.html
  datachain icons sheet --schemas schemas --locale fr --open`,
	}
	from := c.Reads(cmd)
	out, open, locale := outFlag(cmd, "html"), openFlag(cmd), localeFlag(cmd, "language of titles, such as fr or pt-BR (default the first one of the version)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		result := page{*out, formatHTML, *open}
		if err := result.check(cmd, c); err != nil {
			return err
		}
		r, err := from.Release(cmd, strings.Join(args, ""))
		if err != nil {
			return err
		}
		locale, err := releaseLocale(r, *locale)
		if err != nil {
			return err
		}
		text, err := console.Await(cmd.Context(), func() ([]byte, error) { return contactsheet.HTML(r, locale) })
		if err != nil {
			return err
		}
		return result.write(cmd.Context(), c, text, "")
	}
	return cmd
}
