package command

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/taxonomy"
)

func iconsShowCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ELEMENT [VERSION]",
		Short: "Draw an icon as SVG",
		Long: `Draw the icon of an element as SVG.

VERSION is a version id or an alias (default the latest version, if there is only one
datachain type).`,
		Example: `  datachain icons show risk.bias ai@latest --variant high -o icon.svg
  datachain icons show data.place --schemas schemas --title Places`,
	}
	from := c.Reads(cmd)
	out, open, o := outFlag(cmd, "svg"), openFlag(cmd), new(icons.Options)
	var variant string
	flags.Add(cmd,
		flags.New("variant", "default, dark or a context value", flags.ID(&variant).Shown("variant").Default(taxonomy.VariantDefault)),
		flags.New("title", "text for screen readers", flags.Text(&o.Title, "text", "a text")),
		flags.New("size", "width and height (default 36)", flags.Integer(&o.Size, 10_000).Shown("pixels")),
	)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		result := page{*out, "svg", *open}
		if err := result.check(cmd, c); err != nil {
			return err
		}
		r, err := from.Release(cmd, strings.Join(args[1:], ""))
		if err != nil {
			return err
		}
		element := args[0]
		if !r.HasElement(element) {
			hint := cmp.Or(usage.Suggest(element, r.ElementIDs()), "; find elements with 'datachain search WORDS'")
			return fmt.Errorf("%s has no element %q%s", r.Version(), element, hint)
		}
		set, err := icons.NewSet(r, nil)
		if err != nil {
			return err
		}
		svg, err := set.Append(nil, element, variant, o)
		if err != nil {
			return err
		}
		return result.write(cmd.Context(), c, svg, "") // exactly the bytes that a server sends
	}
	return cmd
}
