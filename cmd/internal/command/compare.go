package command

import (
	"bytes"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/boardpage"
	"github.com/datachain-go/datachain/register/board"
)

func compareCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare FILE FILE...",
		Short: "Show documents side by side",
		Long: `Show two to six datachain documents, thin or resolved, side by side: the points of their
summaries and, if all have the same datachain type, what they place in each category.
Documents of different versions are compared by the successors of their elements.

Use 'datachain schema diff' for versions of a taxonomy.`,
		Example: `  datachain compare north.json south.json -o board.html
  datachain compare north.json south.json --open
  datachain compare north.json south.json --format json`,
	}
	from := c.Reads(cmd)
	out, format := outFlag(cmd, "html"), console.FormatFlag(cmd, "html", "json")
	locale := localeFlag(cmd, "language of the board (default the first one of the taxonomy)")
	open := openFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if n := len(args); n > board.Max {
			return usage.Error(cmd, "%q takes 2 to %d files, not %d", cmd.CommandPath(), board.Max, n)
		}
		result := page{*out, *format, *open}
		if err := result.check(cmd, c); err != nil {
			return err
		}
		set, err := from.Open(cmd.Context())
		if err != nil {
			return err
		}
		var list []*datachain.Presentation
		for _, typed := range args {
			_, shown, err := present(cmd.Context(), c, set, typed)
			if err != nil {
				return err
			}
			list = append(list, shown)
		}
		side, err := board.New(cmd.Context(), list, *locale, nil)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if *format == "json" {
			err = side.WriteJSON(&b)
		} else {
			err = boardpage.Write(&b, side)
		}
		if err != nil {
			return err
		}
		return result.write(cmd.Context(), c, b.Bytes(), fmt.Sprintf("%s side by side, in %s", wording.Count(len(list), "document"), i18n.English(side.Locale)))
	}
	return cmd
}
