// Package command has the commands of the program datachain.
//
// Each subcommand is a file: a function declares the command with its flags, another one runs
// it, and the answer that this returns knows how to print itself; see [answer]. Commands are a
// thin use of the packages of this module: a Go program can do the same with them.
package command

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
)

// Program is a program that has these commands.
type Program struct {
	Name string
	// Buckets opens stores in buckets, and Redis connects servers; nil if the program can't.
	Buckets stores.Buckets
	Redis   Redis
}

// Redis is what servers share.
type Redis interface {
	// Check returns what is wrong with an address, without its password.
	Check(address string) error
	Open(address string, o *server.ShareOptions) (server.Share, error)
}

// Main runs the command line of the process and returns the exit code.
func Main(p Program) int { return run(console.UntilSignal(), os.Args[1:], thisSystem(p)) }

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
		Use:   sys.name,
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
	p.rename(root)
	p.Install()
	p.complete(root)
	return p
}

// rename lets the examples of a command name this program.
func (p *program) rename(cmd *cobra.Command) {
	cmd.Example = strings.ReplaceAll(cmd.Example, "datachain ", p.name+" ")
	for _, c := range cmd.Commands() {
		p.rename(c)
	}
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
