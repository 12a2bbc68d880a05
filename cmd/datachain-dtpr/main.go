// Command datachain-dtpr imports taxonomies and documents of the DTPR family (Digital Trust for
// Places and Routines) for the command datachain.
//
// It exits with 0 on success, 1 if something was lost or a result is invalid, and 2 if it could not
// run. Reports and results go to standard output or files, messages and errors to standard error.
package main

import (
	"context"
	"os"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

func main() {
	os.Exit(run(console.UntilSignal(), os.Args[1:], console.ThisSystem()))
}

// run runs a command line and returns the exit code.
func run(ctx context.Context, args []string, sys console.System) int {
	p := newProgram(sys)
	return p.Exit(ctx, p.Run(ctx, args))
}

// program is one run of the command.
type program struct{ *console.Console }

// newProgram declares the commands.
func newProgram(sys console.System) *program {
	root := &cobra.Command{
		Use:   "datachain-dtpr",
		Short: "Import taxonomies and documents of the DTPR family",
		Long: `Import taxonomies and documents of the DTPR family (Digital Trust for Places and Routines),
and report everything that was lost, changed, filled in or dropped. 'datachain' checks,
publishes and serves the results.

Exit codes: 0 success, 1 problems found, 2 could not run.`,
	}
	p := &program{console.New(root, sys)}
	root.AddCommand(p.schemaCommand(), p.documentsCommand(), p.OptionsCommand(), p.versionCommand())
	p.Install()
	return p
}

func (p *program) versionCommand() *cobra.Command {
	cmd := &cobra.Command{Use: "version", Short: "Print the version of this program"}
	format := console.FormatFlag(cmd, console.FormatText, console.FormatJSON)
	cmd.RunE = func(*cobra.Command, []string) error {
		v := p.Version()
		return p.PrintAnswer(v, *format, func() error { return p.Printf("%s\n", v) })
	}
	return cmd
}
