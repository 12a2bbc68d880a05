package command

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/taxonomy"
)

// completeBelow lets commands complete their arguments, unless they say so themselves.
func completeBelow(cmd *cobra.Command, from *console.Versions) {
	for _, c := range cmd.Commands() {
		completeBelow(c, from)
	}
	if !cmd.HasSubCommands() && cmd.ValidArgsFunction == nil {
		cmd.ValidArgsFunction = completeArguments(from, usage.Arguments(cmd))
	}
}

// completeArguments completes arguments by the first one in a usage line, such as [DIR|VERSION].
func completeArguments(from *console.Versions, words []string) cobra.CompletionFunc {
	first, many := strings.CutSuffix(append(words, "")[0], "...")
	names := strings.Split(strings.Trim(first, "[]"), "|")
	switch {
	case slices.Contains(names, "FILE"), slices.Contains(names, "DOCUMENT"):
		return completeJSON
	case slices.Contains(names, "DIR"):
		return completeDir
	case names[0] == "VERSION" && many:
		return completeVersions(from, -1)
	case names[0] == "VERSION":
		return completeVersions(from, 1)
	}
	return cobra.NoFileCompletions
}

// completeDir completes a single directory.
func completeDir(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeJSON completes .json files and directories.
var completeJSON = completeFiles("json")

// completeFiles completes files with some extensions, and directories.
func completeFiles(extensions ...string) cobra.CompletionFunc {
	return cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt)
}

// completeNames completes up to most arguments, or any number if most is
// negative. A description may follow a name after a tab.
func completeNames(most int, names func(cmd *cobra.Command, args []string) []cobra.Completion) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if most >= 0 && len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		list := slices.DeleteFunc(names(cmd, args), func(name string) bool { return !strings.HasPrefix(name, typed) })
		return list, cobra.ShellCompDirectiveNoFileComp
	}
}

// completeVersions completes arguments to the versions and aliases of the location of a command.
func completeVersions(from *console.Versions, most int) cobra.CompletionFunc {
	return completeListed(most, func(cmd *cobra.Command, _ []string) (taxonomy.Store, error) {
		if err := from.Complete(cmd); err != nil {
			return nil, err
		}
		l := from.Location
		if !l.Known() {
			l = stores.Location{Schemas: "."}
		}
		if l.Store == "" && l.Schemas != "" {
			return from.OpenSource(l) // which is not compiled, so the list is there at once
		}
		opened, err := from.OpenStore(cmd.Context(), l, nil)
		if err != nil {
			return nil, err
		}
		return opened.Store, nil
	})
}

// completeSource completes arguments to the versions and aliases of a schema source.
func completeSource(from *console.Versions, in func(args []string) (stores.Location, error)) cobra.CompletionFunc {
	return completeListed(-1, func(_ *cobra.Command, args []string) (taxonomy.Store, error) {
		l, err := in(args)
		if err != nil {
			return nil, err
		}
		return from.OpenSource(l)
	})
}

func completeListed(most int, open func(cmd *cobra.Command, args []string) (taxonomy.Store, error)) cobra.CompletionFunc {
	return completeNames(most, func(cmd *cobra.Command, args []string) (names []cobra.Completion) {
		s, err := open(cmd, args)
		if err != nil {
			return nil
		}
		x, err := s.Index(cmd.Context())
		if err != nil {
			return nil
		}
		for _, e := range x.Entries() {
			names = append(names, slices.Insert(e.Aliases, 0, e.ID.String())...)
		}
		return names
	})
}
