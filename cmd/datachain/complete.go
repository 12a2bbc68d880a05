package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/taxonomy"
)

// completeDir completes the one folder that a command takes.
func completeDir(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return nil, cobra.ShellCompDirectiveFilterDirs
}

// dirFlag makes a flag complete to folders.
func dirFlag(cmd *cobra.Command, name string) {
	_ = cmd.MarkFlagDirname(name) // fails only for a flag that is not there
}

// completeVersions completes up to most arguments to the versions and aliases of
// an origin.
func (p *program) completeVersions(most int, from func(args []string) origin) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return p.versionNames(cmd.Context(), from(args), typed), cobra.ShellCompDirectiveNoFileComp
	}
}

// versionFlag makes a flag complete to the versions of an origin.
func (p *program) versionFlag(cmd *cobra.Command, name string, from func(args []string) origin) {
	// It fails only for a flag that is not there.
	_ = cmd.RegisterFlagCompletionFunc(name, func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return p.versionNames(cmd.Context(), from(args), typed), cobra.ShellCompDirectiveNoFileComp
	})
}

// versionNames lists the ids and aliases that begin like what was typed, none
// where the origin can't be read: a person who presses tab is told nothing that
// they did not ask for.
func (p *program) versionNames(ctx context.Context, from origin, typed string) []cobra.Completion {
	x, err := p.index(ctx, from)
	if err != nil {
		return nil
	}
	var names []cobra.Completion
	for _, e := range x.Entries() {
		names = append(names, slices.Insert(e.Aliases, 0, e.ID.String())...)
	}
	return slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, typed) })
}

// completeNames completes the one name that a command takes. A description may
// follow a name after a tab.
func completeNames(names func() []cobra.Completion) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return slices.DeleteFunc(names(), func(name string) bool { return !strings.HasPrefix(name, typed) }), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeJSON completes to .json files and folders.
func completeJSON(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return []cobra.Completion{"json"}, cobra.ShellCompDirectiveFilterFileExt
}

// index lists an origin. A source is not compiled for it, so that the answer is
// there at once.
func (p *program) index(ctx context.Context, from origin) (*taxonomy.Index, error) {
	if from.store != "" || from.schemas == "" {
		s, err := p.openLibrary(ctx, from)
		if err != nil {
			return nil, err
		}
		defer s.close()
		return s.Index(ctx)
	}
	a, err := p.openAuthoring(from.schemas)
	if err != nil {
		return nil, err
	}
	defer a.close()
	versions, _, err := a.versions()
	if err != nil {
		return nil, err
	}
	if x, err := a.index(versions); err == nil {
		return x, nil
	}
	return indexOf(versions)
}
