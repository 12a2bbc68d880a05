// Package command has the commands of the program datachain.
//
// Each subcommand is a file: a function declares the command with its flags, and asks the
// [console.Console] for the schema versions that it reads, or [publishes] for the store that it
// changes. Another function does the work with what it is given, and the answer that this returns
// knows how to print itself; see [answer]. Commands are a thin use of the packages of this module: a
// Go program can do the same with them.
package command

import (
	"context"
	"errors"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/advice"
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
func Main(p Program) int {
	sys := system{console.ThisSystem(), p.Name, p.Redis}
	sys.Buckets = p.Buckets
	return run(console.UntilSignal(), os.Args[1:], sys)
}

// system is what the commands use of the operating system and of the program, so that a test can
// replace it.
type system struct {
	console.System

	name  string
	redis Redis // or nil
}

// run runs a command line and returns the exit code.
func run(ctx context.Context, args []string, sys system) int {
	c := newConsole(sys)
	err := c.Run(ctx, args)
	switch {
	case errors.Is(err, server.ErrDrainTimeout):
		ctx = context.WithoutCancel(ctx) // the error says more than that there was a signal
	case errors.Is(err, taxonomy.ErrHashMismatch):
		err = advice.Add(err, "'datachain check' lists every problem of a store.")
	}
	return c.Exit(ctx, err)
}

// newConsole declares the commands.
func newConsole(sys system) *console.Console {
	root := &cobra.Command{
		Use:   sys.name,
		Short: "Validate datachain documents and publish the taxonomies they use",
		Long: `A datachain document explains a system, such as an AI service or a street camera, to the
people it affects. Write and check documents, publish them in a register, and keep the
taxonomies that they use.

Exit codes: 0 success, 1 problems found, 2 could not run.`,
	}
	c := console.New(root, sys.System)
	addCommands(root, "documents", "Documents:", newCommand(c), validateCommand(c), resolveCommand(c), upgradeCommand(c), mergeCommand(c), renderCommand(c), signCommand(c), compareCommand(c), verifyCommand(c))
	addCommands(root, "taxonomies", "Taxonomies:", schemaCommand(c), iconsCommand(c), searchCommand(c), codesCommand(c), crosswalkCommand(c))
	addCommands(root, "registers", "Other registers:", reportCommand(c), importCommand(c), profileCommand(c))
	addCommands(root, "publishing", "Publishing:", documentsCommand(c), logCommand(c), siteCommand(c), checkCommand(c))
	addCommands(root, "serving", "Serving:", serveCommand(c, sys.redis), mcpCommand(c), lspCommand(c))
	root.AddCommand(c.OptionsCommand(), versionCommand(c), manCommand(c))
	rename(root, sys.name)
	c.Install()
	completeBelow(root, c.Versions())
	return c
}

// rename lets the examples of a command name a program.
func rename(cmd *cobra.Command, program string) {
	cmd.Example = strings.ReplaceAll(cmd.Example, "datachain ", program+" ")
	for _, below := range cmd.Commands() {
		rename(below, program)
	}
}

// withCommands adds subcommands to a command.
func withCommands(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
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
