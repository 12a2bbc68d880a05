package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/publish"
)

func (p *program) iconsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "icons",
		Short: "Draw the icons of schema versions",
		Long: `Draw the icons of schema versions: the symbol of an element on the shape of its
category, as it is, dark, and in the colour of each context value.`,
		Args: cobra.ArbitraryArgs, RunE: p.group,
	}
	cmd.AddCommand(p.sheetCommand(), p.bakeCommand(), p.showCommand())
	return cmd
}

// noIconsFlag adds --no-icons to a command that writes a store.
func noIconsFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("no-icons", false, "leave the icons to whoever serves the store, which draws them when asked")
}

// bakery returns what draws the icons of releases as they are published; nil
// where that is not wanted.
func bakery(unwanted bool) publish.IconFunc {
	if unwanted {
		return nil
	}
	var mu sync.Mutex
	sets := make(map[taxonomy.Hash]*icons.Set)
	return func(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
		mu.Lock()
		set := sets[r.ContentHash()]
		if set == nil {
			// Each icon is written once, so none is kept.
			set = icons.NewSet(r, &icons.SetOptions{MaxBytes: -1})
			sets[r.ContentHash()] = set
		}
		mu.Unlock()
		return set.Icon(e.ID, variant)
	}
}

// searchIndex makes the search index of a release as it is published.
func searchIndex(r *taxonomy.Release, locale string) ([]byte, error) {
	index, err := search.Build(r, locale)
	if err != nil {
		return nil, err
	}
	return index.AppendBinary(nil)
}

func (p *program) showCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ELEMENT [VERSION]",
		Short: "Print one icon as SVG",
		Long: `Print the icon of an element as SVG.

VERSION is a version id or an alias, of a source, a store, or without either of the
sample taxonomies in this program. Without it, the latest version of the only
datachain type.`,
		Example: `  datachain icons show risk.rights ai@latest --variant high > icon.svg
  datachain icons show data.place --schemas schemas --title Places`,
		Args: takes(1, "ELEMENT", "VERSION"),
	}
	from := originFlags(cmd, "")
	variant := cmd.Flags().String("variant", taxonomy.VariantDefault, "`variant`: default, dark or a context value")
	title := cmd.Flags().String("title", "", "`text` that a screen reader says")
	var size int
	cmd.Flags().Var(numberValue(&size, 10_000), "size", "width and height in `pixels` (default 36)")
	cmd.ValidArgsFunction = cobra.NoFileCompletions
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := from.check(cmd); err != nil {
			return err
		}
		s, err := p.openLibrary(cmd.Context(), *from)
		if err != nil {
			return err
		}
		defer s.close()
		r, err := openRelease(cmd, s, strings.Join(args[1:], ""))
		if err != nil {
			return err
		}
		svg, err := icons.NewSet(r, nil).Append(nil, args[0], *variant, &icons.Options{Title: *title, Size: size})
		if _, ok := errors.AsType[*icons.UnknownElementError](err); ok {
			var known []string
			for _, e := range r.Elements() {
				known = append(known, e.ID)
			}
			hint := meant(args[0], known)
			if hint == "" {
				hint = "; 'datachain search' finds elements by words"
			}
			return fmt.Errorf("%s has no element %q%s", r.Version(), args[0], hint)
		}
		if err != nil {
			return err
		}
		// A file has the bytes that a server would send, and no more.
		if p.stdoutTerminal {
			svg = append(svg, '\n')
		}
		_, err = p.stdout.Write(svg)
		return err
	}
	return cmd
}
