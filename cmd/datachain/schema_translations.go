package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/datachain/internal/changes"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/sources"
	"github.com/datachain-go/datachain/cmd/datachain/internal/translation"
	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// translationsAnswer is the output of `datachain schema translations --format json`.
type translationsAnswer struct {
	// OK reports whether everything is translated and up to date.
	OK       bool                 `json:"ok"`
	Versions []translationVersion `json:"versions"`
}

// translationVersion is what is left to translate in a version.
type translationVersion struct {
	ID taxonomy.Version `json:"id"`
	// Since is the version whose originals are compared; the zero Version if there
	// is none.
	Since    taxonomy.Version      `json:"since,omitzero"`
	Fallback string                `json:"fallback"`
	Locales  []translationProgress `json:"locales"`
	Gaps     []translationGap      `json:"gaps"`
}

type translationProgress struct {
	translation.Progress
	Percent int `json:"percent"`
}

// translationGap is a text to translate, and its place in the source.
type translationGap struct {
	translation.Gap
	Position issue.Position `json:"position,omitzero"`
}

func (p *program) translationsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "translations [DIR|VERSION]",
		Short: "List the texts that have to be translated",
		Long: `List the texts of a version that are not translated, and those whose translation is
older than the original: the text in the fallback locale has changed since the last
stable version, and the translation has not. Show the progress of each locale.

DIR is a schema source, or the directory of a datachain type or a version in it; of a
source the newest version of each type is listed. The default is what --schemas or
--store names, or the working directory. An argument with an @ is a version of these.

Originals are compared with the newest older stable version of the type or, if there is
none, with the newest older one: in the same source or store, or in the store that
--against names. --against can also name a version of the same source or store.`,
		Example: `  datachain schema translations
  datachain schema translations schemas/ai/2026-12-01-beta --locale fr
  datachain schema translations ai@latest-beta --against /srv/taxonomies --format json`,
		ValidArgsFunction: completeDir,
	}
	format := formatFlag(cmd, formatText, formatJSON)
	p.reads(cmd)
	against := againstFlag(cmd)
	var locale string
	flags.Add(cmd, flags.New("locale", "only this language, such as fr or pt-BR", flags.Locale(&locale)))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		chosen, err := p.choose(cmd, args, false)
		if err != nil {
			return err
		}
		answer, err := p.translations(cmd.Context(), chosen, *against, locale)
		if err != nil {
			return err
		}
		return p.answer(*format, answer, true, func() error { return p.writeTranslations(answer) })
	}
	return cmd
}

func (p *program) translations(ctx context.Context, chosen *selection, against, locale string) (*translationsAnswer, error) {
	base, err := p.openBaseline(ctx, against, chosen.store)
	if err != nil {
		return nil, err
	}
	answer := &translationsAnswer{OK: true, Versions: []translationVersion{}}
	for _, v := range chosen.versions {
		c, err := chosen.load(ctx, v)
		if err != nil {
			return nil, err
		}
		old, err := base.release(ctx, v)
		if err != nil {
			return nil, err
		}
		report := translation.Check(c.release, old)
		if locale != "" {
			only, ok := report.Select(locale)
			if !ok {
				return nil, advise(fmt.Errorf("--locale %s: %s does not have this locale", wording.Plain(locale), v),
					"Use "+wording.Or(c.release.Locales())+", or add it to locales in schema.yaml.")
			}
			report = only
		}
		answer.Versions = append(answer.Versions, newTranslationVersion(report, c, chosen.source))
		answer.OK = answer.OK && len(report.Gaps) == 0
	}
	return answer, nil
}

func newTranslationVersion(r *translation.Report, c *chosenVersion, a *sources.Source) translationVersion {
	v := translationVersion{ID: r.Version, Since: r.Since, Fallback: r.Fallback, Locales: []translationProgress{}, Gaps: []translationGap{}}
	for _, progress := range r.Locales {
		v.Locales = append(v.Locales, translationProgress{progress, progress.Percent()})
	}
	for _, gap := range r.Gaps {
		g := translationGap{Gap: gap, Position: c.find(gap.Subject, gap.ID, gap.Path)}
		if g.Position.File != "" {
			g.Position.File = filepath.ToSlash(a.Shown(g.Position.File))
		}
		v.Gaps = append(v.Gaps, g)
	}
	return v
}

// writeTranslations prints what is left to translate, then the progress.
func (p *program) writeTranslations(a *translationsAnswer) error {
	style := p.outStyle()
	for i := range a.Versions {
		v := &a.Versions[i]
		var b strings.Builder
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString(style.Bold(v.ID.String()))
		if !v.Since.IsZero() {
			fmt.Fprintf(&b, ", compared with %s", v.Since)
		}
		b.WriteString("\n")
		last := ""
		for _, g := range v.Gaps {
			if heading := g.Locale + ", " + string(g.State); heading != last {
				last = heading
				fmt.Fprintf(&b, "\n%s\n", style.Yellow(heading))
			}
			b.WriteString(gapText(&g))
		}
		if err := p.printf("%s\n\n", strings.TrimSuffix(b.String(), "\n")); err != nil {
			return err
		}
		rows := [][]string{{"LOCALE", "TEXTS", "CURRENT", "MISSING", "STALE", "PROGRESS"}}
		for _, l := range v.Locales {
			rows = append(rows, []string{
				l.Locale, fmt.Sprint(l.Total), fmt.Sprint(l.Current), fmt.Sprint(l.Missing), fmt.Sprint(l.Stale), fmt.Sprintf("%d%%", l.Percent),
			})
		}
		if err := p.table(rows); err != nil {
			return err
		}
	}
	return nil
}

// gapText returns a text to translate with its place and, if it is stale, what it was.
func gapText(g *translationGap) string {
	place := (&diff.Change{Subject: g.Subject, ID: g.ID, Path: g.Path}).Place()
	var b strings.Builder
	if g.Position == (issue.Position{}) {
		fmt.Fprintf(&b, "  %s\n", wording.Line(place))
	} else {
		fmt.Fprintf(&b, "  %s: %s\n", g.Position, wording.Line(place))
	}
	if g.State == translation.Missing {
		fmt.Fprintf(&b, "      %s\n", wording.Line(wording.Cut(g.Original, longText)))
		return b.String()
	}
	fmt.Fprintf(&b, "      %s\n      %s\n", changes.Words(diff.Words(g.Before, g.Original), false), changes.Line(wording.Cut(g.Translation, longText)))
	return b.String()
}

// longText is how many characters of a text are shown.
const longText = 200

// addStale adds stale translations to the findings of the newest version of each type,
// if it compiles.
func (p *program) addStale(ctx context.Context, a *sources.Source, tree *source.Tree, against string) error {
	base, err := p.openBaseline(ctx, against, a)
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
		old, err := base.release(ctx, c.Version)
		if _, broken := errors.AsType[*sources.BrokenError](err); broken && against == "" {
			continue // lint of that version reports why
		}
		if err != nil {
			return err
		}
		if old == nil {
			continue
		}
		chosen, err := loadVersion(ctx, a, c.Version)
		if err != nil {
			return err
		}
		c.Add(chosen.staleTranslations(old)...)
	}
	return nil
}

// staleTranslations returns the stale translations of a version as findings.
func (c *chosenVersion) staleTranslations(old *taxonomy.Release) issue.Issues {
	report := translation.Check(c.release, old)
	var issues issue.Issues
	for _, g := range report.Gaps {
		if g.State != translation.Stale {
			continue
		}
		place := (&diff.Change{Subject: g.Subject, ID: g.ID, Path: g.Path}).Place()
		issues = append(issues, issue.Issue{
			Code: codes.TranslationStale, Severity: issue.SeverityWarning, Path: g.Path, Groups: []string{g.Locale},
			Position: c.find(g.Subject, g.ID, g.Path),
			Message:  fmt.Sprintf("%s is older than the text in %s, which has changed since %s.", wording.Sentence(place), report.Fallback, report.Since),
			FixHint:  "translate the new text: " + wording.Quote(g.Original),
		})
	}
	return issues
}
