package command

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/advice"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/translation"
	"github.com/datachain-go/datachain/history/diff"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// translationsAnswer is the output of `datachain schema translations --format json`.
type translationsAnswer struct {
	console.Outcome                       // OK if everything is translated and up to date
	Versions        []*translation.Report `json:"versions"`
}

// good returns true: missing translations are not a failure.
func (a *translationsAnswer) Good() bool { return true }

func (a *translationsAnswer) print(c *console.Console, _ string) error {
	var texts []string
	for _, r := range a.Versions {
		texts = append(texts, r.Text(c.OutStyle(), c.OutWidth()))
	}
	return c.Printf("%s", strings.Join(texts, "\n"))
}

func schemaTranslationsCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "translations [DIR|VERSION]",
		Short: "List the texts that have to be translated",
		Long: `List the texts of a version that are not translated, and those whose translation is
older than the original: the text in the fallback locale has changed since the last
stable version, and the translation has not. Show the progress of each locale.

DIR is a schema source, or the directory of a datachain type or a version in it; of a
source the newest version of each type is listed. VERSION is a version id or an alias. The
default is what --schemas or --store names, or the working directory.

Originals are compared with the newest older stable version of the type or, if there is
none, with the newest older one. --against names another version of the same source or
store, or another store that has the older versions.`,
		Example: `  datachain schema translations
  datachain schema translations schemas/ai/2026-12-01-beta --locale fr
  datachain schema translations ai@latest-beta --against /srv/taxonomies --format json`,
	}
	format := console.FormatFlag(cmd, formatText, formatJSON)
	from := c.Reads(cmd)
	against := againstFlag(cmd)
	var locale string
	flags.Add(cmd, flags.New("locale", "only this language, such as fr or pt-BR", flags.Locale(&locale)))
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		chosen, err := choose(cmd, from, args)
		if err != nil {
			return nil, err
		}
		return translations(cmd.Context(), from, chosen, *against, locale)
	})
	return cmd
}

func translations(ctx context.Context, from *console.Versions, chosen *sources.Selection, against, locale string) (*translationsAnswer, error) {
	base, err := openBaseline(ctx, from, against, chosen.Store)
	if err != nil {
		return nil, err
	}
	answer := &translationsAnswer{Outcome: console.Outcome{OK: true}, Versions: []*translation.Report{}}
	for _, v := range chosen.Versions {
		c, err := console.Await(ctx, func() (*sources.Version, error) { return chosen.Load(ctx, v) })
		if err != nil {
			return nil, err
		}
		old, err := console.Await(ctx, func() (*taxonomy.Release, error) { return base.Release(ctx, v) })
		if err != nil {
			return nil, err
		}
		report := translation.Check(c.Release, old)
		if locale != "" {
			only, ok := report.Select(locale)
			if !ok {
				return nil, advice.Add(noTexts(v, locale, c.Release.Locales()), "To begin a translation, add the language to locales in schema.yaml.")
			}
			report = only
		}
		report.Locate(func(subject diff.Subject, id string, path issue.Path) issue.Position {
			return chosen.Source.Place(c.Find(subject, id, path))
		})
		answer.Versions = append(answer.Versions, report)
		answer.OK = answer.OK && len(report.Gaps) == 0
	}
	return answer, nil
}

// addStale adds stale translations to the findings of the newest version of each type,
// if it compiles.
func addStale(ctx context.Context, from *console.Versions, a *sources.Source, tree *source.Tree, against string) error {
	base, err := openBaseline(ctx, from, against, a)
	if err != nil {
		return err
	}
	last := ""
	for _, c := range tree.Versions { // the newest first
		if c.Version.Type() == last {
			continue
		}
		last = c.Version.Type()
		if c.Release == nil {
			continue
		}
		issues, err := console.Await(ctx, func() (issue.Issues, error) {
			old, err := base.Release(ctx, c.Version)
			if _, broken := errors.AsType[*sources.BrokenError](err); broken && against == "" || old == nil && err == nil {
				return nil, nil // lint of that version reports why
			}
			if err != nil {
				return nil, err
			}
			v, err := a.Version(c.Version)
			if err != nil {
				return nil, err
			}
			report := translation.Check(v.Release, old)
			report.Locate(v.Find)
			return report.StaleIssues(), nil
		})
		if err != nil {
			return err
		}
		c.Add(issues...)
	}
	return nil
}
