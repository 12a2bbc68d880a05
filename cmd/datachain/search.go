package main

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
)

// searchOptions are the flags of search.
type searchOptions struct {
	from       *origin
	form       *format
	versions   []string
	locale     string
	categories []string
	limit      int
}

func (p *program) searchCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "search WORDS...",
		Short: "Find elements by words",
		Long: `Find the elements that have any of the words in their title, description or
keywords, the best first. The last word may be unfinished, and slips of the keyboard
are forgiven.

Without --version, the latest version of each datachain type is searched, of a
source, a store, or without either of the sample taxonomies in this program.

Exits with 1 where nothing is found.`,
		Example: `  datachain search how long is it kept
  datachain search données personnelles --locale fr --version ai@latest
  datachain search camera --category device --format json`,
		Args: func(cmd *cobra.Command, args []string) error {
			words := strings.Join(args, " ")
			switch {
			case strings.TrimSpace(words) == "":
				return badUsage(cmd, "missing WORDS")
			case !search.HasWord(words):
				return badUsage(cmd, "there is no word in %q: want letters or digits", words)
			}
			return nil
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	o := &searchOptions{form: formatFlag(cmd), from: originFlags(cmd, ""), limit: 10}
	flags := cmd.Flags()
	flags.StringArrayVar(&o.versions, "version", nil, "search this `version`, an id or an alias; may be repeated")
	flags.StringVar(&o.locale, "locale", "", "`language` of the words, such as fr or pt-BR (default en, or else the first of the version)")
	flags.StringArrayVar(&o.categories, "category", nil, "only elements of the category with this `id`; may be repeated")
	flags.Var(numberValue(&o.limit, search.MaxElements), "limit", "show this `number` of elements of a version at most")
	p.versionFlag(cmd, "version", func([]string) origin { return *o.from })
	// They fail only for flags that are not there.
	_ = cmd.RegisterFlagCompletionFunc("locale", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("category", cobra.NoFileCompletions)
	_ = cmd.RegisterFlagCompletionFunc("limit", cobra.NoFileCompletions)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(cmd); err != nil {
			return err
		}
		return p.search(cmd, strings.Join(args, " "), o)
	}
	return cmd
}

func (o *searchOptions) check(cmd *cobra.Command) error {
	return errors.Join(checkLocale(cmd, o.locale), o.from.check(cmd))
}

func (p *program) search(cmd *cobra.Command, words string, o *searchOptions) error {
	s, err := p.openLibrary(cmd.Context(), *o.from)
	if err != nil {
		return err
	}
	defer s.close()
	releases, err := searched(cmd.Context(), s, o.versions)
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
		v, err := searchRelease(r, words, o)
		if err != nil {
			return err
		}
		answer.OK = answer.OK || v.Total > 0
		answer.Versions = append(answer.Versions, v)
	}
	return p.answer(*o.form, answer, answer.OK, func() error { return answer.writeText(p.stdout, p.outStyle()) })
}

// searched opens the versions that were typed or, where none was, the latest of
// each datachain type.
func searched(ctx context.Context, s taxonomy.Store, typed []string) ([]*taxonomy.Release, error) {
	if len(typed) == 0 {
		x, err := s.Index(ctx)
		if err != nil {
			return nil, err
		}
		if typed = latestOf(x); len(typed) == 0 {
			return nil, errNoVersions
		}
	}
	return openEach(ctx, s, typed)
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
		if slices.Contains(all, id) {
			continue
		}
		hint := meant(id, all)
		if hint == "" {
			hint = known(all)
		}
		return badUsage(cmd, "--category %q: no version that is searched has it%s", id, hint)
	}
	return nil
}

// searchRelease searches a release in the locale that suits best. Where the
// language was not asked for, the first one of the release will do.
func searchRelease(r *taxonomy.Release, words string, o *searchOptions) (versionHits, error) {
	v := versionHits{Version: r.Version(), Elements: len(r.Elements()), Hits: []hitAnswer{}}
	locale, err := search.Match(r.Locales(), cmp.Or(o.locale, "en"))
	switch {
	case err != nil:
		return v, err
	case locale == "" && (o.locale != "" || len(r.Locales()) == 0):
		v.Locales, v.asked = r.Locales(), o.locale
		return v, nil
	case locale == "":
		locale = r.Locales()[0]
	}
	x, err := search.Build(r, locale)
	if err != nil {
		return v, err
	}
	q := search.Query{Text: words, Categories: o.categories, Limit: o.limit}
	result := x.Search(q)
	v.Locale, v.Total = locale, result.Total
	for _, h := range result.Hits {
		v.Hits = append(v.Hits, newHitAnswer(r, locale, h, x.Places(h.Element, q)))
	}
	if v.Total == 0 {
		v.Otherwise = otherwise(r, locale, q)
	}
	return v, nil
}

// otherwise says how the words would find something: in other categories, or in
// another language. Spelling does not help, since slips are forgiven.
func otherwise(r *taxonomy.Release, locale string, q search.Query) *otherwiseAnswer {
	if q.Categories != nil {
		if n := total(r, locale, search.Query{Text: q.Text}); n > 0 {
			return &otherwiseAnswer{Locale: locale, AnyCategory: true, Total: n}
		}
	}
	for _, other := range r.Locales() {
		if n := total(r, other, q); n > 0 {
			return &otherwiseAnswer{Locale: other, Total: n}
		}
	}
	return nil
}

// total returns how many elements a query finds in a locale.
func total(r *taxonomy.Release, locale string, q search.Query) int {
	x, err := search.Build(r, locale)
	if err != nil {
		return 0
	}
	return x.Search(q).Total
}
