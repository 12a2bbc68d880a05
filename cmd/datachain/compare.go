package main

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/registers"
)

func (p *program) compareCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "compare FILE FILE...",
		Short: "Show documents side by side",
		Long: `Show two to six datachain documents, thin or resolved, side by side: the points of their
summaries and, if all have the same datachain type, what they place in each category.
Documents of different versions are compared by the successors of their elements.

Use 'datachain schema diff' for versions of a taxonomy.`,
		Example: `  datachain compare north.json south.json -o board.html
  datachain compare north.json south.json --format md`,
		Args:              takes(2, slices.Repeat([]string{"FILE"}, registers.MaxBoard)...),
		ValidArgsFunction: completeJSON,
	}
	from := p.locationFlags(cmd)
	out := cmd.Flags().StringP("out", "o", "", "write to this `file` instead of standard output")
	locale := cmd.Flags().String("locale", "", "`language` of the board (default the first one of the taxonomy)")
	format := cmd.Flags().String("format", "html", "`format`: "+prose.Or(registers.BoardFormats()))
	completeOut(cmd, "html")
	localeFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkLocale(cmd, *locale); err != nil {
			return err
		}
		schemas, err := p.open(cmd.Context(), *from)
		if err != nil {
			return err
		}
		var list []*datachain.Presentation
		for _, typed := range args {
			_, shown, err := p.present(cmd.Context(), schemas, typed)
			if err != nil {
				return err
			}
			list = append(list, shown)
		}
		board, err := registers.NewBoard(list, *locale, nil)
		if err != nil {
			return err
		}
		var b bytes.Buffer
		if err := board.Write(&b, *format); err != nil {
			return err
		}
		return p.writeResult(*out, b.Bytes(), fmt.Sprintf("%s side by side, language %s", prose.Count(len(list), "document"), board.Locale))
	}
	return cmd
}
