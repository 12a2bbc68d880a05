// Package usage says how commands are used: it formats their help, checks arguments by usage lines,
// and explains command lines that are wrong.
package usage

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
)

// Install gives a command and those below it their help, and the errors for wrong command lines.
// Commands without a check of arguments take those in their usage lines. The width of help is asked
// for when it is printed. The function that it returns says why the last help could not be printed,
// which cobra can't.
func Install(root *cobra.Command, width func() int) (helpFailed func() error) {
	var failed error
	root.SetFlagErrorFunc(flagError)
	root.SetUsageFunc(func(cmd *cobra.Command) error { return writeUsage(cmd, width()) })
	root.SetHelpFunc(func(cmd *cobra.Command, _ []string) { failed = writeHelp(cmd, width()) })
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	install(root)
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args, c.Run, c.RunE = cobra.ArbitraryArgs, nil, helpOn
		}
	}
	return func() error { return failed }
}

func install(cmd *cobra.Command) {
	for _, c := range cmd.Commands() {
		install(c)
	}
	switch {
	case cmd.HasSubCommands():
		cmd.Args, cmd.RunE = cobra.ArbitraryArgs, group
	case cmd.Args == nil:
		cmd.Args = argumentCheck(Arguments(cmd))
	}
}

// Error is the error for an invalid command line.
func Error(cmd *cobra.Command, format string, args ...any) error {
	return advice.Add(fmt.Errorf(format, args...), "Run '%s --help' for usage.", cmd.CommandPath())
}

// group is the RunE of a command that only has subcommands.
func group(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return unknownCommand(cmd, args)
	}
	cmd.PrintErrln(cmd.UsageString())
	return Error(cmd, "missing command after %q", cmd.CommandPath())
}

// unknownCommand suggests the command that was probably meant; typed are its name and what follows.
func unknownCommand(cmd *cobra.Command, typed []string) error {
	cmd.SuggestionsMinimumDistance = 2
	return Error(cmd, "unknown command %q for %q%s", typed[0], cmd.CommandPath(), DidYouMean(cmd.SuggestionsFor(typed[0])...))
}

// flagError says what is wrong with a flag, or suggests the one that was probably meant.
func flagError(cmd *cobra.Command, err error) error {
	if cmd.HasSubCommands() && cmd.Flags().NArg() > 0 {
		// The flag belongs to a command that was mistyped.
		return unknownCommand(cmd, cmd.Flags().Args())
	}
	if text := flags.Explain(err, ""); text != "" {
		return Error(cmd, "%s", text)
	}
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return Error(cmd, "%w", err)
	}
	if unknown.GetSpecifiedShortnames() != "" {
		return Error(cmd, "unknown flag -%s for %q", unknown.GetSpecifiedName(), cmd.CommandPath())
	}
	name := "--" + unknown.GetSpecifiedName()
	var known []string
	cmd.LocalFlags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	for _, global := range flags.Used(cmd) {
		known = append(known, "--"+global)
	}
	hint := Suggest(name, known)
	if longer := slices.DeleteFunc(known, func(flag string) bool { return !strings.HasPrefix(flag, name) }); len(longer) > 0 {
		hint = DidYouMean(longer...)
	}
	return Error(cmd, "unknown flag %s for %q%s", name, cmd.CommandPath(), hint)
}

// Suggest returns "; did you mean NAME?" for the known name that is most similar, or "".
func Suggest(name string, known []string) string {
	if near := similar.Nearest(name, slices.Values(known)); near != "" {
		return DidYouMean(near)
	}
	return ""
}

// DidYouMean returns "; did you mean ONE or OTHER?", or "" without names.
func DidYouMean(names ...string) string {
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + wording.Or(names) + "?"
}

// Arguments returns the arguments in the usage line of a command, such as ELEMENT and [VERSION].
func Arguments(cmd *cobra.Command) []string {
	words := strings.Fields(cmd.Use)[1:]
	if flag := slices.IndexFunc(words, func(w string) bool { return strings.HasPrefix(w, "--") }); flag >= 0 {
		words = words[:flag]
	}
	return words
}

// argumentCheck returns a function that checks arguments by those in a usage line.
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
			return Error(cmd, "missing %s", strings.Join(names[len(args):required], " and "))
		case len(args) > len(names) && !many:
			after := append([]string{cmd.CommandPath()}, names...)
			return Error(cmd, "unexpected argument %q after %q", args[len(names)], strings.Join(after, " "))
		}
		for i, arg := range args {
			name := names[min(i, len(names)-1)]
			if arg == "" {
				return Error(cmd, "%s must not be empty", strings.ReplaceAll(name, "|", " or "))
			}
			if slices.Contains([]string{"VERSION", "OLD", "NEW"}, name) {
				if wrong := flags.Version(new(string)).Wrong(name, arg); wrong != "" {
					return Error(cmd, "%s", wrong)
				}
			}
		}
		return nil
	}
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
