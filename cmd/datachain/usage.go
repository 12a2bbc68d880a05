package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
)

// messageError is an error with another message.
type messageError struct {
	message string
	err     error
}

// Error returns the message.
func (e *messageError) Error() string { return e.message }

// Unwrap returns the error.
func (e *messageError) Unwrap() error { return e.err }

// advise adds a sentence to an error that says what to do.
func advise(err error, advice string) error { return &messageError{err.Error() + "\n" + advice, err} }

// readable returns an error for people: that of a [datachain.Service] as its
// message, its cause and its hint.
func readable(err error) error {
	e, ok := err.(*datachain.Error) //nolint:errorlint // what wraps it has a message of its own
	if !ok {
		return err
	}
	text := e.Issue.Message
	if e.Kind == datachain.KindFailure && e.Err != nil {
		text += " " + e.Err.Error()
	} else if e.Issue.FixHint != "" {
		text += "\nHint: " + e.Issue.FixHint
	}
	return &messageError{text, err}
}

// badUsage is the error for an invalid command line.
func badUsage(cmd *cobra.Command, format string, args ...any) error {
	return advise(fmt.Errorf(format, args...), fmt.Sprintf("Run '%s --help' for usage.", cmd.CommandPath()))
}

// group is the RunE of a command that only has subcommands.
func (p *program) group(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args[0])
	}
	_, _ = fmt.Fprintln(p.stderr, cmd.UsageString())
	return badUsage(cmd, "missing command after %q", cmd.CommandPath())
}

// helpOn prints the help of a command. The one of cobra answers an unknown
// command with the help of the program.
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

func unknownCommand(cmd *cobra.Command, name string) error {
	cmd.SuggestionsMinimumDistance = 2
	return badUsage(cmd, "unknown command %q for %q%s", name, cmd.CommandPath(), oneMeant(strings.Join(cmd.SuggestionsFor(name), " or ")))
}

// flagError suggests the flag that was probably meant.
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
	hint := meant(name, known)
	if longer := slices.DeleteFunc(known, func(flag string) bool { return !strings.HasPrefix(flag, name) }); len(longer) > 0 {
		hint = oneMeant(wording.Or(longer))
	}
	return badUsage(cmd, "unknown flag %s for %q%s", name, cmd.CommandPath(), hint)
}

// sourceIsArgument makes an unknown flag --schemas say that the schema source is
// an argument of this command.
func (p *program) sourceIsArgument(cmd *cobra.Command) {
	cmd.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		unknown, ok := errors.AsType[*pflag.NotExistError](err)
		if ok && strings.TrimSuffix(unknown.GetSpecifiedName(), "s") == "schema" {
			return badUsage(cmd, "unknown flag --%s for %q; the schema source is an argument: %[2]s DIR",
				unknown.GetSpecifiedName(), cmd.CommandPath())
		}
		return p.flagError(cmd, err)
	})
}

// meant suggests the known name that was probably meant.
func meant(name string, known []string) string {
	return oneMeant(similar.Nearest(name, slices.Values(known)))
}

func oneMeant(names string) string {
	if names == "" {
		return ""
	}
	return "; did you mean " + names + "?"
}

// with adds subcommands to a command.
func with(cmd *cobra.Command, commands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(commands...)
	return cmd
}

// complete adds what follows from the help of a command and its subcommands: what to do without
// one of them, or else which arguments are taken, unless the command says so itself, and how
// flags are completed.
func (p *program) complete(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		p.complete(c)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if _, known := cmd.GetFlagCompletionFunc(f.Name); !known {
			kind, _ := pflag.UnquoteUsage(f)
			completeKind(cmd, f.Name, kind)
		}
	})
	if cmd.HasSubCommands() {
		cmd.Args, cmd.RunE = cobra.ArbitraryArgs, p.group
		return
	}
	words := strings.Fields(cmd.Use)[1:]
	if flag := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "--") }); flag >= 0 {
		words = words[:flag]
	}
	if len(words) == 0 {
		cmd.ValidArgsFunction = cobra.NoFileCompletions
	}
	if cmd.Args == nil {
		cmd.Args = taken(words)
	}
}

// taken checks the number of arguments by those in a usage line, such as ELEMENT [VERSION].
func taken(words []string) cobra.PositionalArgs {
	required, many := 0, false
	var names []string
	for _, word := range words {
		word, many = strings.CutSuffix(word, "...")
		name := strings.Trim(word, "[]")
		if name == word {
			required++
		}
		names = append(names, strings.TrimSuffix(name, "|-"))
	}
	if !many {
		return takes(required, names...)
	}
	return func(cmd *cobra.Command, args []string) error {
		return takes(required, names...)(cmd, args[:min(len(args), required)])
	}
}

// takes checks the number of arguments; names are those in the usage line, of
// which the first few are required.
func takes(required int, names ...string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < required:
			return badUsage(cmd, "missing %s", strings.Join(names[len(args):required], " and "))
		case len(args) > len(names):
			after := append([]string{cmd.CommandPath()}, names...)
			return badUsage(cmd, "unexpected argument %q after %q", args[len(names)], strings.Join(after, " "))
		}
		if empty := slices.Index(args, ""); empty >= 0 {
			return badUsage(cmd, "%s must not be empty", names[empty])
		}
		return nil
	}
}

// help prints what a command does, and how it is used.
func (p *program) help(cmd *cobra.Command, _ []string) {
	long := strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short))
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s", report.Reflow(long, p.outWidth()), cmd.UsageString())
}

// usage prints how a command is used: its commands and flags in groups.
func (p *program) usage(cmd *cobra.Command) error {
	var b strings.Builder
	line := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		line = cmd.CommandPath() + " [command]"
	}
	fmt.Fprintf(&b, "Usage:\n  %s\n", line)
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	writeCommands(&b, cmd, p.outWidth())
	writeFlags(&b, cmd, p.outWidth())
	if cmd.HasAvailableSubCommands() {
		more := fmt.Sprintf("Use \"%s [command] --help\" for more information about a command.", cmd.CommandPath())
		fmt.Fprintf(&b, "\n%s\n", report.Wrap(more, p.outWidth()))
	}
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

func writeCommands(b *strings.Builder, cmd *cobra.Command, width int) {
	for _, g := range slices.Concat(cmd.Groups(), []*cobra.Group{{Title: "Commands:"}}) {
		title := "\n" + g.Title + "\n"
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && (c.IsAvailableCommand() || c.Name() == "help") {
				label := fmt.Sprintf("  %-*s ", c.NamePadding(), c.Name())
				fmt.Fprintf(b, "%s%s\n", title, report.Hang(label, c.Short, width))
				title = ""
			}
		}
	}
}

// groupKey is the annotation with the group of a flag.
const groupKey = "datachain-group"

func writeFlags(b *strings.Builder, cmd *cobra.Command, width int) {
	var order []string
	groups := map[string]*pflag.FlagSet{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := append(f.Annotations[groupKey], "Flags")[0]
		if groups[name] == nil {
			order, groups[name] = append(order, name), pflag.NewFlagSet(name, pflag.ContinueOnError)
			groups[name].SortFlags = cmd.Flags().SortFlags
		}
		groups[name].AddFlag(f)
	})
	for _, name := range order {
		fmt.Fprintf(b, "\n%s:\n%s", report.Wrap(name, width), groups[name].FlagUsagesWrapped(width))
	}
}

func known(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " (known: " + strings.Join(names, ", ") + ")"
}
