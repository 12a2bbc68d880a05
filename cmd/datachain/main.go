// Command datachain validates and resolves datachain documents, and lints, builds,
// compares, publishes and serves the taxonomies that they use.
//
// It exits with 0 on success, 1 if it found problems (an invalid document, lint
// errors, breaking changes) and 2 if it could not run. Results go to standard
// output, as text or, with --format json, as one JSON object. Progress and errors
// go to standard error.
//
// Each subcommand is a file: a function declares the command with its flags, another one runs
// it, and the answer that this returns knows how to print itself; see [answer]. Commands are a
// thin use of the packages of this module: a Go program can do the same with them.
package main

import (
	"context"
	"errors"
	"os"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/taxonomy"
)

func main() {
	os.Exit(run(console.UntilSignal(), os.Args[1:], thisSystem()))
}

// program is one run of the command.
type program struct {
	*console.Console
	host
	// signing says how to sign the log of the store that is changed.
	signing signing
}

// run runs a command line and returns the exit code.
func run(ctx context.Context, args []string, sys system) int {
	p := newProgram(sys)
	err := p.Run(ctx, args)
	switch {
	case errors.Is(err, server.ErrDrainTimeout):
		ctx = context.WithoutCancel(ctx) // the error says more than that there was a signal
	case errors.Is(err, taxonomy.ErrHashMismatch):
		err = advise(err, "'datachain check' lists every problem of a store.")
	}
	return p.Exit(ctx, err)
}

// newProgram declares the commands.
func newProgram(sys system) *program {
	root := &cobra.Command{
		Use:   "datachain",
		Short: "Validate datachain documents and publish the taxonomies they use",
		Long: `A datachain document explains a system, such as an AI service or a street camera, to the
people it affects. Write and check documents, publish them in a register, and keep the
taxonomies that they use.

Exit codes: 0 success, 1 problems found, 2 could not run.`,
	}
	p := &program{Console: console.New(root, sys.System), host: sys.host}
	addCommands(root, "documents", "Documents:", p.starterCommand(), p.validateCommand(), p.resolveCommand(), p.upgradeCommand(), p.renderCommand(), p.signCommand(), p.compareCommand(), p.verifyCommand())
	addCommands(root, "taxonomies", "Taxonomies:", p.schemaCommand(), p.iconsCommand(), p.searchCommand(), p.codesCommand(), p.crosswalkCommand())
	addCommands(root, "publishing", "Publishing:", p.documentsCommand(), p.logCommand(), p.siteCommand(), p.checkCommand())
	addCommands(root, "serving", "Serving:", p.serveCommand(), p.mcpCommand(), p.lspCommand())
	root.AddCommand(p.OptionsCommand(), p.versionCommand(), p.manCommand())
	p.Install()
	p.complete(root)
	return p
}

// with adds subcommands to a command.
func with(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(commands...)
	return cmd
}

// addCommands adds a group of commands.
func addCommands(cmd *cobra.Command, id, title string, commands ...*cobra.Command) {
	cmd.AddGroup(&cobra.Group{ID: id, Title: title})
	for _, c := range commands {
		c.GroupID = id
		cmd.AddCommand(c)
	}
}
