package main

import (
	"cmp"
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/stores"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// searchOptions are the flags of search.
type searchOptions struct {
	from       *stores.Location
	format     *string
	versions   []string
	locale     string
	categories []string
	limit      int
}

func (p *program) searchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "search WORDS...",
		Short: "Search for elements",
		Long: `Search for elements that have any of the words in their title, description or
keywords. The best matches are shown, up to where the scores fall off; use --limit to
see more. The last word may be incomplete, and typing errors are tolerated.

By default, the latest version of each datachain type is searched; see --schemas and
--store.

The exit code is 1 if nothing is found.`,
		Example: `  datachain search how long is it kept
  datachain search données personnelles --locale fr --schema-version ai@latest
  datachain search camera --category device --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			words := strings.Join(args, " ")
			switch {
			case strings.TrimSpace(words) == "":
				return badUsage(cmd, "missing WORDS")
			case !search.HasWord(words):
				return badUsage(cmd, "%q has no letters or digits to search for", words)
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	o := &searchOptions{format: formatFlag(cmd, formatText, formatJSON), from: p.locationFlags(cmd)}
	flags := cmd.Flags()
	versionFlag(cmd, &o.versions, "search this `version`, an id or an alias; can be repeated")
	flags.StringVar(&o.locale, "locale", "", "`language` of the words, such as fr or pt-BR (default en, or the first one of the version)")
	flags.StringArrayVar(&o.categories, "category", nil, "only elements of the category with this `id`; can be repeated")
	flags.Var(newValue("number", "10", integer(&o.limit, search.MaxElements)), "limit", "maximum number of elements to show per version")
	completeFlag(cmd, versionFlagName, p.completeVersions(-1, o.from))
	localeFlag(cmd)
	for _, name := range []string{"category", "limit"} {
		completeFlag(cmd, name, cobra.NoFileCompletions)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := checkLocale(cmd, o.locale); err != nil {
			return err
		}
		return p.search(cmd, strings.Join(args, " "), o)
	}
	return cmd
}

func (p *program) search(cmd *cobra.Command, words string, o *searchOptions) error {
	schemas, err := p.open(cmd.Context(), *o.from)
	if err != nil {
		return err
	}
	releases, err := schemas.releases(cmd.Context(), o.versions, schemas.latest)
	if err != nil {
		return err
	}
	if err := checkCategories(cmd, releases, o.categories); err != nil {
		return err
	}
	answer := searchAnswer{Query: words, Versions: []versionHits{}}
	for _, r := range releases {
		if err := cmd.Context().Err(); err != nil {
			return err
		}
		v, err := searchRelease(r, words, o, schemas.indexes(cmd.Context(), r))
		if err != nil {
			return err
		}
		answer.OK = answer.OK || v.Total > 0
		answer.Versions = append(answer.Versions, v)
	}
	return p.answer(*o.format, answer, answer.OK, func() error {
		printer := &hitPrinter{style: p.outStyle(), width: p.outWidth(), all: cmd.Flags().Changed("limit")}
		printer.answer(&answer)
		_, err := io.WriteString(p.stdout, printer.String())
		return err
	})
}

// checkCategories refuses a category that no version has.
func checkCategories(cmd *cobra.Command, releases []*taxonomy.Release, ids []string) error {
	var all []string
	for _, r := range releases {
		for _, c := range r.Categories() {
			if !slices.Contains(all, c.ID) {
				all = append(all, c.ID)
			}
		}
	}
	for _, id := range ids {
		if !slices.Contains(all, id) {
			return badUsage(cmd, "--category %q: no searched version has it%s", id, cmp.Or(meant(id, all), known(all)))
		}
	}
	return nil
}

// searchRelease searches a release in the language that matches best. If no
// language was typed, the first one of the release will do.
func searchRelease(r *taxonomy.Release, words string, o *searchOptions, index indexFunc) (versionHits, error) {
	v := versionHits{Version: r.Version(), Elements: len(r.ElementIDs()), Hits: []hitAnswer{}}
	locale, err := search.Match(r.Locales(), cmp.Or(o.locale, datachain.DefaultLocale))
	switch {
	case err != nil:
		return v, err
	case locale == "" && (o.locale != "" || len(r.Locales()) == 0):
		v.Locales, v.asked = r.Locales(), o.locale
		return v, nil
	case locale == "":
		locale = r.Locales()[0]
	}
	q := search.Query{Text: words, Categories: o.categories, Limit: o.limit}
	x, result, err := index.search(r, locale, q)
	if err != nil {
		return v, err
	}
	v.Locale, v.Total = locale, result.Total
	for _, h := range result.Hits {
		v.Hits = append(v.Hits, newHitAnswer(r, locale, h, x.Places(h.Element, q)))
	}
	if v.Total == 0 {
		v.Otherwise = otherwise(r, locale, q, index)
	}
	return v, nil
}

// otherwise returns how the words would find something: in any category, or in
// another language.
func otherwise(r *taxonomy.Release, locale string, q search.Query, index indexFunc) *otherwiseAnswer {
	if q.Categories != nil {
		if _, found, err := index.search(r, locale, search.Query{Text: q.Text}); err == nil && found.Total > 0 {
			return &otherwiseAnswer{Locale: locale, AnyCategory: true, Total: found.Total}
		}
	}
	for _, other := range r.Locales() {
		if _, found, err := index.search(r, other, q); err == nil && found.Total > 0 {
			return &otherwiseAnswer{Locale: other, Total: found.Total}
		}
	}
	return nil
}

// indexFunc returns the search index of a release in a locale.
type indexFunc func(locale string) (*search.Index, error)

// indexes returns the search indexes that were published with a release, or builds them.
func (s *schemaSet) indexes(ctx context.Context, r *taxonomy.Release) indexFunc {
	return func(locale string) (*search.Index, error) {
		schema, err := s.Open(ctx, r.Version().String())
		if err != nil {
			return nil, err
		}
		return schema.SearchIndex(ctx, locale)
	}
}

// search searches a release in a locale.
func (index indexFunc) search(r *taxonomy.Release, locale string, q search.Query) (*search.Index, search.Result, error) {
	x, err := index(locale)
	if err != nil {
		return nil, search.Result{}, err
	}
	found := x.Search(q)
	if x.Err() == nil {
		return x, found, nil
	}
	if x, err = search.Build(r, locale); err != nil {
		return nil, search.Result{}, err
	}
	found = x.Search(q)
	return x, found, nil
}
