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

	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
)

// group is the RunE of a command that only has subcommands.
func (p *program) group(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args)
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
		return unknownCommand(cmd.Root(), args)
	case len(rest) > 0:
		return unknownCommand(named, rest)
	}
	named.InitDefaultHelpFlag() // so that it is listed
	return named.Help()
}

// unknownCommand suggests the command that was probably meant; typed are its name and what follows.
func unknownCommand(cmd *cobra.Command, typed []string) error {
	if old, now := renamedCommand(typed); now != "" && !cmd.HasParent() {
		return badUsage(cmd, "%q is now %q", cmd.Name()+" "+old, cmd.Name()+" "+now)
	}
	cmd.SuggestionsMinimumDistance = 2
	return badUsage(cmd, "unknown command %q for %q%s", typed[0], cmd.CommandPath(), didYouMean(strings.Join(cmd.SuggestionsFor(typed[0]), " or ")))
}

// flagError says what is wrong with a flag, or suggests the one that was probably meant.
func (p *program) flagError(cmd *cobra.Command, err error) error {
	if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
		// The flag belongs to a command that was mistyped.
		return unknownCommand(cmd, cmd.Flags().Args())
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		typed := invalid.GetFlag().Name + "=" + invalid.GetValue()
		if now := renamedFlag(cmd, typed); now != "" {
			return badUsage(cmd, "--%s is now %s", typed, now)
		}
	}
	if text := flags.Explain(err, ""); text != "" {
		return badUsage(cmd, "%s", text)
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return badUsage(cmd, "%w", err)
	}
	if unknown.GetSpecifiedShortnames() != "" {
		return badUsage(cmd, "unknown flag -%s for %q", unknown.GetSpecifiedName(), cmd.CommandPath())
	}
	name := "--" + unknown.GetSpecifiedName()
	if now := renamedFlag(cmd, unknown.GetSpecifiedName()); now != "" {
		return badUsage(cmd, "%s is now %s", name, now)
	}
	var known []string
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	for _, global := range p.locationFlags[cmd].flags {
		known = append(known, "--"+global)
	}
	hint := suggest(name, known)
	if longer := slices.DeleteFunc(known, func(flag string) bool { return !strings.HasPrefix(flag, name) }); len(longer) > 0 {
		hint = didYouMean(wording.Or(longer))
	}
	return badUsage(cmd, "unknown flag %s for %q%s", name, cmd.CommandPath(), hint)
}

// suggest returns "; did you mean NAME?" for the known name that is most similar, or "".
func suggest(name string, known []string) string {
	return didYouMean(similar.Nearest(name, slices.Values(known)))
}

func didYouMean(names string) string {
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

// complete adds what follows from the usage lines of a command and its subcommands: what to do if
// a subcommand is missing, and which arguments are taken and how they are completed, unless the
// command says so itself.
func (p *program) complete(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		p.complete(c)
	}
	if cmd.HasSubCommands() {
		cmd.Args, cmd.RunE = cobra.ArbitraryArgs, p.group
		return
	}
	words := strings.Fields(cmd.Use)[1:]
	if flag := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "--") }); flag >= 0 {
		words = words[:flag]
	}
	if cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = p.completeArguments(words)
	}
	if cmd.Args == nil {
		cmd.Args = argumentCheck(words)
	}
}

// argumentCheck returns a function that checks arguments by those in a usage line, such as ELEMENT [VERSION].
func argumentCheck(words []string) cobra.PositionalArgs {
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
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) < required:
			return badUsage(cmd, "missing %s", strings.Join(names[len(args):required], " and "))
		case len(args) > len(names) && !many:
			after := append([]string{cmd.CommandPath()}, names...)
			return badUsage(cmd, "unexpected argument %q after %q", args[len(names)], strings.Join(after, " "))
		}
		for i, arg := range args {
			name := names[min(i, len(names)-1)]
			if arg == "" {
				return badUsage(cmd, "%s must not be empty", strings.ReplaceAll(name, "|", " or "))
			}
			if slices.Contains([]string{"VERSION", "OLD", "NEW"}, name) {
				if wrong := flags.Version(new(string)).Wrong(name, arg); wrong != "" {
					return badUsage(cmd, "%s", wrong)
				}
			}
		}
		return nil
	}
}

// helpWidth is how many columns help has: fewer on a narrow terminal.
func (p *program) helpWidth() int { return min(p.outWidth(), textWidth) }

// help prints what a command does, and how it is used.
func (p *program) help(cmd *cobra.Command, _ []string) {
	if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
		p.helpError = unknownCommand(cmd, cmd.Flags().Args())
		return
	}
	long := strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short+"."))
	_, _ = fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s", report.Reflow(long, p.helpWidth()), cmd.UsageString())
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
		fmt.Fprintf(&b, "\nExamples:\n%s\n", continued(cmd.Example))
	}
	width := p.helpWidth()
	writeCommands(&b, cmd, width)
	more := p.writeFlags(&b, cmd, width)
	if cmd.Name() == "options" {
		b.WriteString(globalUsage(cmd, width))
	}
	if taken := p.locationFlags[cmd].flags; len(taken) > 0 {
		text := "--" + strings.Join(taken, ", --") + ": see 'datachain options'"
		fmt.Fprintf(&b, "\nGlobal flags:\n%s\n", report.Wrap("  "+text, width))
	}
	if more {
		fmt.Fprintf(&b, "\nUse \"%s --help-all\" for all flags.\n", cmd.CommandPath())
	}
	if cmd.HasAvailableSubCommands() {
		text := fmt.Sprintf("Use \"%s [command] --help\" for more information about a command.", cmd.CommandPath())
		if !cmd.HasParent() {
			text += "\nUse \"datachain options\" for the flags of all commands: where versions come from."
		}
		fmt.Fprintf(&b, "\n%s\n", report.Wrap(text, width))
	}
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

// continued breaks commands that are too long before a flag, as a shell lets people do.
func continued(examples string) string {
	var b strings.Builder
	for line := range strings.Lines(examples) {
		line, rest := strings.TrimSuffix(line, "\n"), ""
		for i := strings.LastIndex(line, " -"); len(line)+len(" \\") > textWidth && i > 0; i = strings.LastIndex(line, " -") {
			line, rest = line[:i], line[i:]+rest
		}
		if rest != "" {
			line += " \\\n   " + rest
		}
		b.WriteString(line + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
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

// writeFlags writes the flags of a command in groups, and reports whether some were left out:
// a command with --help-all shows those that most people need.
func (p *program) writeFlags(b *strings.Builder, cmd *cobra.Command, width int) (more bool) {
	var order []string
	groups := map[string]*pflag.FlagSet{}
	all := cmd.Flags().Lookup(helpAll)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if flags.IsGlobal(f) {
			return
		}
		name := flags.GroupOf(f)
		if all != nil && !all.Changed {
			if more = true; !slices.Contains(common, f.Name) {
				return
			}
			name = "Flags"
		}
		if groups[name] == nil {
			order, groups[name] = append(order, name), pflag.NewFlagSet(name, pflag.ContinueOnError)
			groups[name].SortFlags = cmd.Flags().SortFlags
		}
		groups[name].AddFlag(f)
	})
	for _, name := range order {
		fmt.Fprintf(b, "\n%s:\n%s", report.Wrap(name, width), groups[name].FlagUsagesWrapped(width))
	}
	return more
}

// optionsCommand shows the global flags.
func (p *program) optionsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "options",
		Short: "Show the flags of all commands: where schema versions come from",
		Long: `Show the flags of all commands that use schema versions. One of --schemas, --store and
--samples says where these come from. Without it, they come from the environment variable
DATACHAIN_STORE or DATACHAIN_SCHEMAS, else from the project file datachain.yaml, else
from the working directory if it is a schema source, else they are the samples.

Each flag has an environment variable, such as DATACHAIN_S3_REGION for --s3-region. Flags
override environment variables, and these override the project file. A command that
changes a store takes it from --store only.`,
	}
	cmd.RunE = func(cmd *cobra.Command, _ []string) error {
		return p.printf("%s\n%s", report.Reflow(cmd.Long, p.helpWidth()), globalUsage(cmd, p.helpWidth()))
	}
	return cmd
}

// globalUsage describes the global flags.
func globalUsage(cmd *cobra.Command, width int) string {
	shown := pflag.NewFlagSet("", pflag.ContinueOnError)
	shown.SortFlags = false
	cmd.Root().PersistentFlags().VisitAll(shown.AddFlag)
	return "\nGlobal flags:\n" + shown.FlagUsagesWrapped(width)
}
