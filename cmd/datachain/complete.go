package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/taxonomy"
)

// completeFlag sets how a flag is completed. Cobra fails only if there is no such
// flag.
func completeFlag(cmd *cobra.Command, name string, complete cobra.CompletionFunc) {
	_ = cmd.RegisterFlagCompletionFunc(name, complete)
}

// dirFlag completes a flag to directories.
func dirFlag(cmd *cobra.Command, name string) {
	completeFlag(cmd, name, func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	})
}

// completeOut completes --out to files with one of some extensions.
func completeOut(cmd *cobra.Command, extensions ...string) {
	completeFlag(cmd, "out", cobra.FixedCompletions(extensions, cobra.ShellCompDirectiveFilterFileExt))
}

// completeDir completes a single directory.
func completeDir(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// completeJSON completes .json files and directories.
var completeJSON = cobra.FixedCompletions([]cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt)

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

// completeVersions completes arguments to the versions and aliases of an origin.
func (p *program) completeVersions(most int, from func(args []string) origin) cobra.CompletionFunc {
	return completeNames(most, func(cmd *cobra.Command, args []string) []cobra.Completion {
		x, err := p.index(cmd.Context(), from(args))
		if err != nil {
			return nil
		}
		var names []cobra.Completion
		for _, e := range x.Entries() {
			names = append(names, slices.Insert(e.Aliases, 0, e.ID.String())...)
		}
		return names
	})
}

// index lists an origin. A source is not compiled for it, so that the list is
// there at once.
func (p *program) index(ctx context.Context, from origin) (*taxonomy.Index, error) {
	from = p.settle(from)
	if from.store != "" || from.schemas == "" {
		s, err := p.open(ctx, from)
		if err != nil {
			return nil, err
		}
		return s.Versions(ctx)
	}
	a, err := p.openAuthoring(from.schemas)
	if err != nil {
		return nil, err
	}
	versions, _, err := a.versions()
	if err != nil {
		return nil, err
	}
	if x, err := a.index(versions); err == nil {
		return x, nil
	}
	return indexOf(versions)
}
