package command

import (
	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

// manCommand returns the hidden command that writes the man pages of a release. Their date is
// SOURCE_DATE_EPOCH.
func manCommand(c *console.Console) *cobra.Command {
	return &cobra.Command{
		Use:    "man DIR",
		Short:  "Write a man page for each command",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			cmd.Root().DisableAutoGenTag = true
			return doc.GenManTree(cmd.Root(), &doc.GenManHeader{Section: "1", Source: "datachain " + c.Version().Version}, args[0])
		},
	}
}
