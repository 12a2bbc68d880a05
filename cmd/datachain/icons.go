package main

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/publish"
	"github.com/datachain-go/datachain/internal/sheet"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

func (p *program) iconsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "icons",
		Short: "Draw the icons of schema versions",
		Long: `Draw the icons of schema versions: the symbol of an element on the shape of its
category, in the default and the dark variant and in the color of each context value.`,
		Args: cobra.ArbitraryArgs, RunE: p.group,
	}
	cmd.AddCommand(p.sheetCommand(), p.bakeCommand(), p.showCommand())
	return cmd
}

// noIconsFlag adds --no-icons to a command that writes a store.
func noIconsFlag(cmd *cobra.Command) *bool {
	return cmd.Flags().Bool("no-icons", false, "do not write icons; the server then draws them on demand")
}

// layoutFlag adds --layout to a command that publishes.
func layoutFlag(cmd *cobra.Command) *publish.Layout {
	var names []string
	for _, l := range publish.Layouts() {
		names = append(names, string(l))
	}
	chosen := new(string)
	cmd.Flags().Var(newValue(strings.Join(names, "|"), names[0], oneOf(chosen, names...)), "layout",
		"store each release as one pack, or in files by name for static hosts")
	completeFlag(cmd, "layout", cobra.FixedCompletions(names, cobra.ShellCompDirectiveNoFileComp))
	return (*publish.Layout)(chosen)
}

// publishing returns options to publish with search indexes, with the evolutions of types,
// and with icons unless they are unwanted.
func publishing(l publish.Layout, noIcons bool, evolutions map[string]*taxonomy.Evolution) *publish.Options {
	o := &publish.Options{Layout: l, SearchIndex: searchIndex, Evolutions: evolutions}
	if !noIcons {
		o.Icon = bakery()
	}
	return o
}

// bakery returns a function that draws the icons of releases as they are
// published. Icons that elements share are drawn once, as far as they fit into
// memory.
func bakery() publish.IconFunc {
	var mu sync.Mutex
	sets := make(map[taxonomy.Hash]*icons.Set)
	return func(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
		mu.Lock()
		set := sets[r.ContentHash()]
		if set == nil {
			set = icons.NewSet(r, nil)
			sets[r.ContentHash()] = set
		}
		mu.Unlock()
		return set.Icon(e.ID, variant)
	}
}

// searchIndex returns the search index of a release as it is published.
func searchIndex(r *taxonomy.Release, locale string) ([]byte, error) {
	index, err := search.Build(r, locale)
	if err != nil {
		return nil, err
	}
	return index.AppendBinary(nil)
}

// showOptions are the flags of `datachain icons show`.
type showOptions struct {
	from           *stores.Location
	variant, title string
	size           int
}

func (p *program) showCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "show ELEMENT [VERSION]",
		Short: "Print an icon as SVG",
		Long: `Print the icon of an element as SVG.

VERSION is a version id or an alias; see --schemas and --store. It can be omitted if
there is only one datachain type, whose latest version is then used.`,
		Example: `  datachain icons show risk.bias ai@latest --variant high > icon.svg
  datachain icons show data.place --schemas schemas --title Places`,
		Args:              takes(1, "ELEMENT", "VERSION"),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	o := &showOptions{from: p.locationFlags(cmd)}
	cmd.Flags().StringVar(&o.variant, "variant", taxonomy.VariantDefault, "`variant`: default, dark or a context value")
	cmd.Flags().StringVar(&o.title, "title", "", "`text` for screen readers")
	cmd.Flags().Var(newValue("pixels", "", integer(&o.size, 10_000)), "size", "width and height (default 36)")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		svg, err := p.showIcon(cmd, args[0], strings.Join(args[1:], ""), o)
		if err != nil {
			return err
		}
		// A file gets exactly the bytes that a server sends.
		if p.stdoutTerminal {
			svg = append(svg, '\n')
		}
		return p.write("", svg)
	}
	return cmd
}

func (p *program) showIcon(cmd *cobra.Command, element, version string, o *showOptions) ([]byte, error) {
	r, err := p.openRelease(cmd, *o.from, version)
	if err != nil {
		return nil, err
	}
	if !r.HasElement(element) {
		hint := meant(element, r.ElementIDs())
		if hint == "" {
			hint = "; find elements with 'datachain search'"
		}
		return nil, fmt.Errorf("%s has no element %q%s", r.Version(), element, hint)
	}
	return icons.NewSet(r, nil).Append(nil, element, o.variant, &icons.Options{Title: o.title, Size: o.size})
}

// sheetOptions are the flags of `datachain icons sheet`.
type sheetOptions struct {
	from           *stores.Location
	format, locale *string
}

func (p *program) sheetCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "sheet [VERSION]",
		Short: "Draw every icon of a version on one page",
		Long: `Draw every icon of a version, in every variant, on light and on dark background, on
one page without external resources.

VERSION is a version id or an alias; see --schemas and --store. It can be omitted if
there is only one datachain type, whose latest version is then used.`,
		Example: `  datachain icons sheet ai@latest -o sheet.html
  datachain icons sheet --schemas schemas --format svg --locale fr -o sheet.svg`,
		Args: takes(0, "VERSION"),
	}
	o := &sheetOptions{format: formatFlag(cmd, formatHTML, formatSVG), from: p.locationFlags(cmd)}
	out := cmd.Flags().StringP("out", "o", "", "write to this `file` instead of standard output")
	o.locale = cmd.Flags().String("locale", "", "`language` of titles, such as fr or pt-BR (default the first one of the version)")
	completeOut(cmd, formatHTML, formatSVG)
	localeFlag(cmd)
	cmd.ValidArgsFunction = p.completeVersions(1, o.from)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkLocale(cmd, *o.locale); err != nil {
			return err
		}
		page, err := p.drawSheet(cmd, strings.Join(args, ""), o)
		if err != nil {
			return err
		}
		return p.writeResult(*out, page, "")
	}
	return cmd
}

func (p *program) drawSheet(cmd *cobra.Command, version string, o *sheetOptions) ([]byte, error) {
	r, err := p.openRelease(cmd, *o.from, version)
	if err != nil {
		return nil, err
	}
	locale, err := releaseLocale(r, *o.locale)
	if err != nil {
		return nil, err
	}
	return await(cmd.Context(), func() ([]byte, error) {
		var b bytes.Buffer
		write := sheet.HTML
		if *o.format == formatSVG {
			write = sheet.SVG
		}
		err := write(&b, r, &sheet.Options{Locale: locale})
		return b.Bytes(), err
	})
}

// checkLocale refuses a --locale that is not a language tag.
func checkLocale(cmd *cobra.Command, typed string) error {
	if datachain.CheckLocale(typed) != nil {
		return badUsage(cmd, "--locale %q must be a language tag, such as fr or pt-BR", typed)
	}
	return nil
}

// releaseLocale returns the language of a release that matches the one that was
// typed, and an error if there is none.
func releaseLocale(r *taxonomy.Release, typed string) (string, error) {
	if typed == "" {
		return "", nil
	}
	locale, err := search.Match(r.Locales(), typed)
	if err == nil && locale == "" {
		err = fmt.Errorf("--locale %s: %s has texts in %s", typed, r.Version(), strings.Join(r.Locales(), ", "))
	}
	return locale, err
}
