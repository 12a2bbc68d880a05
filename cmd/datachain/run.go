package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// The exit codes.
const (
	exitGood     = 0
	exitFindings = 1 // the answer is no, and was printed
	exitFailed   = 2 // there is no answer
)

// errFindings ends a command that has printed what it found.
var errFindings = errors.New("there are findings")

// program is one run of the command.
type program struct{ system }

// run runs the command line and returns the exit code.
func run(ctx context.Context, args []string, sys system) int {
	out := &checkedWriter{w: sys.stdout}
	sys.stdout = out
	p := &program{sys}
	root := p.rootCommand()
	root.SetArgs(append([]string{}, args...)) // nil would mean those of the process
	err := root.ExecuteContext(ctx)
	if out.err != nil {
		err = out.err
	}
	switch {
	case err == nil:
		return exitGood
	case errors.Is(err, errFindings):
		return exitFindings
	case ctx.Err() != nil && !errors.Is(err, errCutOff):
		err = errors.New("interrupted")
	case errors.Is(err, taxonomy.ErrHashMismatch):
		err = &adviceError{err, "What is published there is damaged, or there only in part: publish or copy it again.\n'datachain check' tells all that is wrong with a store."}
	}
	p.complain("%s", said(err))
	return exitFailed
}

// say prints a line for the person who waits.
func (p *program) say(format string, args ...any) {
	// There is nobody left to tell where standard error fails.
	_, _ = fmt.Fprintln(p.stderr, prose.Printable(fmt.Sprintf(format, args...)))
}

// complain prints a line about what went wrong.
func (p *program) complain(format string, args ...any) {
	_, _ = fmt.Fprintln(p.stderr, p.errStyle().Red("datachain:"), prose.Printable(fmt.Sprintf(format, args...)))
}

func (p *program) rootCommand() *cobra.Command {
	root := &cobra.Command{
		Use:   "datachain",
		Short: "Validate datachains, and publish the taxonomies that they use",
		Long: `Validate datachains and make them self-contained; lint, build, compare, publish
and serve the taxonomies that they use.

Exit codes: 0 good, 1 findings, 2 could not run.`,
		Args: cobra.ArbitraryArgs, RunE: p.group,
		SilenceErrors: true, SilenceUsage: true,
	}
	root.SetOut(p.stdout)
	root.SetErr(p.stderr)
	root.SetFlagErrorFunc(p.flagError)
	// A command with subcommands can't be run alone, whatever cobra thinks.
	root.SetUsageTemplate(strings.Replace(root.UsageTemplate(), "{{if .Runnable}}", "{{if not .HasAvailableSubCommands}}", 1))
	root.AddCommand(
		p.validateCommand(), p.resolveCommand(), p.renderCommand(), p.codesCommand(), p.searchCommand(),
		p.schemaCommand(), p.iconsCommand(), p.serveCommand(), p.mcpCommand(), p.checkCommand(), p.versionCommand(),
	)
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "completion":
			c.Args, c.RunE = cobra.ArbitraryArgs, p.group
		case "help":
			c.Run, c.RunE = nil, helpOn
		}
	}
	return root
}

// helpOn prints the help of the command that was named. That of cobra takes any
// word for the program itself.
func helpOn(cmd *cobra.Command, args []string) error {
	named, rest, err := cmd.Root().Find(args)
	switch {
	case err != nil:
		return badUsage(cmd, "%w", err)
	case len(rest) > 0:
		return unknownCommand(named, rest[0])
	}
	named.InitDefaultHelpFlag() // so that it is listed
	return named.Help()
}

// group is what a command does that only has subcommands.
func (p *program) group(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	_, _ = fmt.Fprintln(p.stderr, cmd.UsageString())
	return badUsage(cmd, "a command is missing after %q", cmd.CommandPath())
}

// adviceError is an error with a sentence that says what to do about it.
type adviceError struct {
	err    error
	advice string
}

// Error prints the advice on a line of its own.
func (e *adviceError) Error() string { return e.err.Error() + "\n" + e.advice }

// Unwrap returns the error.
func (e *adviceError) Unwrap() error { return e.err }

// badUsage is a command line that makes no sense.
func badUsage(cmd *cobra.Command, format string, args ...any) error {
	return &adviceError{fmt.Errorf(format, args...), fmt.Sprintf("Run '%s --help' for usage.", cmd.CommandPath())}
}

func unknownCommand(cmd *cobra.Command, name string) error {
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.Name() == "help" {
			known = append(known, c.Name())
		}
	}
	return badUsage(cmd, "unknown command %q for %q%s", name, cmd.CommandPath(), meant(name, known))
}

// flagError names the flag that was probably meant.
func (p *program) flagError(cmd *cobra.Command, err error) error {
	if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
		// The flag belongs to a command that was mistyped.
		return unknownCommand(cmd, cmd.Flags().Arg(0))
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok || unknown.GetSpecifiedShortnames() != "" {
		return badUsage(cmd, "%w", err)
	}
	name := "--" + unknown.GetSpecifiedName()
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	return badUsage(cmd, "unknown flag %s for %q%s", name, cmd.CommandPath(), meant(name, known))
}

func meant(name string, known []string) string {
	if near := nearest.One(name, slices.Values(known)); near != "" {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}

// takes checks how many arguments a command has; names are those in its usage,
// of which the first few are needed.
func takes(needed int, names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < needed:
			return badUsage(cmd, "missing %s", strings.Join(names[len(args):needed], " and "))
		case len(args) > len(names):
			after := append([]string{cmd.CommandPath()}, names...)
			return badUsage(cmd, "unexpected argument %q after %q", args[len(names)], strings.Join(after, " "))
		}
		if empty := slices.Index(args, ""); empty >= 0 {
			return badUsage(cmd, "%s is empty", names[empty])
		}
		return nil
	}
}
