package command

import (
	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/pages/sign"
)

// versionAnswer is the output of `datachain version`.
type versionAnswer struct{ console.Version }

func versionCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program",
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	licences := false
	flags.Add(cmd, flags.New("licences", "print the licence of the fonts that are part of the program", flags.Switch(&licences)))
	flags.Exclusive(cmd, "format", "licences")
	version := runAnswer(c, format, func(*cobra.Command, []string) (answer, error) { return versionAnswer{c.Version()}, nil })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if licences {
			return c.Printf("Noto Sans and Noto Sans Arabic\n\n%s", sign.FontLicence())
		}
		return version(cmd, args)
	}
	return cmd
}

func (a versionAnswer) print(c *console.Console, _ string) error { return c.Printf("%s\n", a) }
