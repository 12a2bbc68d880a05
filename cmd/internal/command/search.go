package command

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/hits"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/search"
)

// searchOptions are the flags of search.
type searchOptions struct {
	versions   *[]string
	locale     *string
	categories []string
	limit      int
}

func searchCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "search [WORDS]...",
		Short: "Search for elements",
		Long: `Search for elements that have any of the words in their title, description or
keywords. The best matches are shown, up to where the scores fall off; use --limit to
see more. The last word may be incomplete, and typing errors are tolerated.

Without words, list the elements of categories.

By default, the latest version of each datachain type is searched.

The exit code is 1 if nothing is found.`,
		Example: `  datachain search how long is it kept
  datachain search données personnelles --locale fr --schema-version ai@latest
  datachain search camera --category device --format json
  datachain search --category device`,
	}
	from := c.Reads(cmd)
	format := console.FormatFlag(cmd, formatText, formatJSON)
	o := &searchOptions{
		versions: versionsFlag(cmd, "search this version, an id or an alias; can be repeated", completeVersions(from, -1)),
		locale:   localeFlag(cmd, "language of the words, such as fr or pt-BR (default en, or the first one of the version)"),
	}
	flags.Add(cmd,
		flags.New("category", "only elements of the category with this id; can be repeated", flags.List(&o.categories, flags.ID)),
		flags.New("limit", "maximum number of elements to show per version (default 10, without words all)", flags.Integer(&o.limit, 2<<20)),
	)
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		words := strings.Join(args, " ")
		switch {
		case len(args) == 0 && len(o.categories) == 0:
			return nil, usage.Error(cmd, "missing WORDS or --category")
		case len(args) > 0 && !search.HasWord(words):
			return nil, usage.Error(cmd, "%q has no letters or digits to search for", words)
		}
		set, err := from.Open(cmd.Context())
		if err != nil {
			return nil, err
		}
		return searchElements(cmd, set, words, o)
	})
	return cmd
}

// searchAnswer is the output of `datachain search --format json`.
type searchAnswer struct {
	hits.Answer
	all bool // --limit says how many are shown
}

func (a *searchAnswer) Good() bool { return a.OK }

func (a *searchAnswer) print(c *console.Console, _ string) error {
	return c.Printf("%s", a.Text(c.OutStyle(), c.OutWidth(), a.all))
}

// searchElements searches some versions, or the latest of each datachain type.
func searchElements(cmd *cobra.Command, set *stores.Set, words string, o *searchOptions) (*searchAnswer, error) {
	versions, err := set.Each(cmd.Context(), *o.versions, set.Latest)
	if err != nil {
		return nil, err
	}
	if err := checkCategories(cmd, versions, o.categories); err != nil {
		return nil, err
	}
	answer := &searchAnswer{Answer: hits.Answer{Query: words, Versions: []hits.Version{}}, all: cmd.Flags().Changed("limit")}
	limit := cmp.Or(o.limit, 10)
	if words == "" {
		limit = cmp.Or(o.limit, -1)
	}
	for _, schema := range versions {
		v, err := hits.Search(cmd.Context(), schema, *o.locale, search.Query{Text: words, Categories: o.categories, Limit: limit})
		if err != nil {
			return nil, err
		}
		answer.OK = answer.OK || v.Total > 0
		answer.Versions = append(answer.Versions, v)
	}
	return answer, nil
}

// checkCategories refuses a category that no version has.
func checkCategories(cmd *cobra.Command, versions []*datachain.Schema, ids []string) error {
	var all []string
	for _, schema := range versions {
		for _, c := range schema.Release().Categories() {
			if !slices.Contains(all, c.ID) {
				all = append(all, c.ID)
			}
		}
	}
	for _, id := range ids {
		if !slices.Contains(all, id) {
			return usage.Error(cmd, "--category %q: no searched version has it%s", id, cmp.Or(usage.Suggest(id, all), ": use "+wording.Or(all)))
		}
	}
	return nil
}
