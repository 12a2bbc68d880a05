package usage

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/report"
)

// writeHelp prints what a command does, and how it is used.
func writeHelp(cmd *cobra.Command, width int) error {
	if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
		return unknownCommand(cmd, cmd.Flags().Args())
	}
	long := strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short+"."))
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n%s", report.Reflow(long, width), cmd.UsageString())
	return err
}

// writeUsage prints how a command is used: its commands and flags in groups.
func writeUsage(cmd *cobra.Command, width int) error {
	var b strings.Builder
	line := cmd.UseLine()
	if cmd.HasAvailableSubCommands() {
		line = cmd.CommandPath() + " [command]"
	}
	fmt.Fprintf(&b, "Usage:\n  %s\n", line)
	if cmd.HasExample() {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", continued(cmd.Example))
	}
	writeCommands(&b, cmd, width)
	more := writeFlags(&b, cmd, width)
	if cmd.Name() == "options" {
		b.WriteString(Global(cmd, width))
	}
	if taken := flags.Used(cmd); len(taken) > 0 {
		text := "--" + strings.Join(taken, ", --") + ": see '" + cmd.Root().Name() + " options'"
		fmt.Fprintf(&b, "\nGlobal flags:\n%s\n", report.Wrap("  "+text, width))
	}
	if more {
		fmt.Fprintf(&b, "\nUse \"%s --help-all\" for all flags.\n", cmd.CommandPath())
	}
	if cmd.HasAvailableSubCommands() {
		text := fmt.Sprintf("Use \"%s [command] --help\" for more information about a command.", cmd.CommandPath())
		if !cmd.HasParent() {
			text += "\nUse \"" + cmd.Root().Name() + " options\" for the flags of all commands: where versions come from."
		}
		fmt.Fprintf(&b, "\n%s\n", report.Wrap(text, width))
	}
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

// commandWidth is how many columns an example has.
const commandWidth = 80

// continued breaks commands that are too long before a flag, as a shell lets people do.
func continued(examples string) string {
	var b strings.Builder
	for line := range strings.Lines(examples) {
		line, rest := strings.TrimSuffix(line, "\n"), ""
		for i := strings.LastIndex(line, " -"); len(line)+len(" \\") > commandWidth && i > 0; i = strings.LastIndex(line, " -") {
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
func writeFlags(b *strings.Builder, cmd *cobra.Command, width int) (more bool) {
	var order []string
	groups := map[string]*pflag.FlagSet{}
	brief := flags.Brief(cmd)
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if flags.IsGlobal(f) {
			return
		}
		name := flags.GroupOf(f)
		if len(brief) > 0 {
			if more = true; !slices.Contains(brief, f.Name) {
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

// Global describes the global flags.
func Global(cmd *cobra.Command, width int) string {
	shown := pflag.NewFlagSet("", pflag.ContinueOnError)
	shown.SortFlags = false
	cmd.Root().PersistentFlags().VisitAll(shown.AddFlag)
	return "\nGlobal flags:\n" + shown.FlagUsagesWrapped(width)
}
