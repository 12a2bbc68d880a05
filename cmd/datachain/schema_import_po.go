package main

import (
	"cmp"
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/source"
	"github.com/datachain-go/datachain/internal/translation"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// translationAnswer is the output of `datachain schema import po --format json`.
type translationAnswer struct {
	OK           bool                  `json:"ok"`
	Version      taxonomy.Version      `json:"version"`
	Language     string                `json:"language"`
	Translations []translation.Change  `json:"translations"`
	Skipped      []translation.Skipped `json:"skipped"`
	Files        []string              `json:"files"`
	Written      bool                  `json:"written"`
	// Issues are the errors that the source would have.
	Issues issue.Issues `json:"issues"`
}

func (p *program) exportPOCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "po VERSION --locale LANGUAGE",
		Short: "Write the texts of a version for translators",
		Long: `Write every text of a version with its translation into one language as a PO file of
GNU gettext, which translation tools read. 'datachain schema import po' takes the
translations from it. A text without a translation has an empty one.

A translation that is older than its original is marked as fuzzy, with the text that was
translated. Originals are compared as by 'datachain schema translations': with the newest
older stable version of the type, or what --against names.

VERSION is a version id or an alias; see --schemas and --store. The language must be one
of its locales.`,
		Example: `  datachain schema export po ai@latest-beta --schemas schemas --locale fr -o fr.po`,
		Args:    takes(1, "VERSION"),
	}
	from := p.locationFlags(cmd)
	out := cmd.Flags().StringP("out", "o", "", "write to this `file` instead of standard output")
	locale := cmd.Flags().String("locale", "", "`language` to translate into (required)")
	against := cmd.Flags().String("against", "", "`version` or store to compare with (default the last stable version, or the last one if none is stable)")
	completeOut(cmd, "po")
	completeFlag(cmd, "against", cobra.NoFileCompletions)
	completeFlag(cmd, "locale", cobra.NoFileCompletions)
	cmd.ValidArgsFunction = p.completeVersions(1, from)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *locale == "" {
			return badUsage(cmd, "missing --locale LANGUAGE")
		}
		schemas, err := p.open(cmd.Context(), *from)
		if err != nil {
			return err
		}
		r, err := schemas.release(cmd, args[0])
		if err != nil {
			return err
		}
		match, err := releaseLocale(r, *locale)
		if err != nil {
			return err
		}
		if match == r.Locales()[0] {
			return fmt.Errorf("--locale %s: is the language that is translated from", match)
		}
		stale, err := p.stale(cmd.Context(), schemas, r, match, *against)
		if err != nil {
			return err
		}
		f, err := schemas.textFile(cmd.Context(), r, match, stale)
		if err != nil {
			return err
		}
		return p.writeResult(*out, f.Text(), poSummary(f))
	}
	return cmd
}

func (p *program) exportPOTCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "pot VERSION",
		Short: "Write the texts of a version as a template for translators",
		Long: `Write every text of a version in its first language as a template (POT) of GNU gettext,
from which translation tools begin or update the PO file of a language.

Comments say where a text is shown, how long it may be, and what authors are told about it.

VERSION is a version id or an alias; see --schemas and --store.`,
		Example: `  datachain schema export pot ai@latest-beta --schemas schemas -o ai.pot
  msgmerge --update fr.po ai.pot`,
		Args: takes(1, "VERSION"),
	}
	from := p.locationFlags(cmd)
	out := cmd.Flags().StringP("out", "o", "", "write to this `file` instead of standard output")
	completeOut(cmd, "pot")
	cmd.ValidArgsFunction = p.completeVersions(1, from)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		schemas, err := p.open(cmd.Context(), *from)
		if err != nil {
			return err
		}
		r, err := schemas.release(cmd, args[0])
		if err != nil {
			return err
		}
		f, err := schemas.textFile(cmd.Context(), r, "", nil)
		if err != nil {
			return err
		}
		return p.writeResult(*out, f.Text(), prose.Count(len(f.Entries), "text"))
	}
	return cmd
}

// textFile returns the texts of a release with the day of its release, or else that in its id.
func (s *schemaSet) textFile(ctx context.Context, r *taxonomy.Release, locale string, stale map[string]string) (*translation.File, error) {
	x, err := s.store.Index(ctx)
	if err != nil {
		return nil, err
	}
	e, _ := x.Lookup(r.Version().Ref())
	f := translation.NewFile(source.FromRelease(r), locale, stale)
	f.Version, f.Date = r.Version().String(), cmp.Or(e.Released, r.Version().Date())
	return f, nil
}

// stale returns the originals of translations that are older than them, by key.
func (p *program) stale(ctx context.Context, schemas *schemaSet, r *taxonomy.Release, locale, against string) (map[string]string, error) {
	base, err := p.openBaseline(ctx, against, schemas.store)
	if err != nil {
		return nil, err
	}
	old, err := base.release(ctx, r.Version())
	if err != nil {
		return nil, err
	}
	stale := make(map[string]string)
	report, _ := translation.Check(r, old).Select(locale)
	for i := range report.Gaps {
		if g := &report.Gaps[i]; g.State == translation.Stale {
			stale[g.Key()] = g.Before
		}
	}
	return stale, nil
}

// poSummary counts what is left to translate.
func poSummary(f *translation.File) string {
	missing, fuzzy := 0, 0
	for _, e := range f.Entries {
		switch {
		case e.Value == "":
			missing++
		case e.Fuzzy:
			fuzzy++
		}
	}
	summary := fmt.Sprintf("%s, %d without a translation", prose.Count(len(f.Entries), "text"), missing)
	if fuzzy > 0 {
		summary += fmt.Sprintf(", %d older than the original", fuzzy)
	}
	return summary
}

func (p *program) importPOCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "po FILE --into DIR",
		Short: "Take translations from a PO file",
		Long: `Take translations from a PO file that 'datachain schema export po' wrote, and show as a
diff what they change in a schema source. Use --write to change the files.

A translation changes that text in its file, and nothing else. Entries without a
translation, entries that are marked as fuzzy and those whose original has changed since
are skipped and listed.

FILE is the PO file; - is standard input. DIR is the directory of a version, or one above
if it has a single version or --schema-version names one.

The exit code is 1 if the result would have errors.`,
		Example: `  datachain schema import po fr.po --into schemas/ai/2026-12-01-beta --write`,
		Args:    takes(1, "FILE"),
	}
	o := p.editFlags(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if err := o.check(cmd); err != nil {
			return err
		}
		return p.importPO(cmd.Context(), args[0], o)
	}
	return cmd
}

// importPO reads a PO file, and shows or makes the changes.
func (p *program) importPO(ctx context.Context, typed string, o *editOptions) error {
	text, err := p.readTable(ctx, typed)
	if err != nil {
		return err
	}
	file, err := translation.ParseFile(text)
	if err != nil {
		return fmt.Errorf("%s: %w", typed, err)
	}
	a, v, content, err := p.openEdited(ctx, o)
	if err != nil {
		return err
	}
	plan, err := file.Plan(content)
	if err != nil {
		return fmt.Errorf("%s: %w", typed, err)
	}
	edits, err := p.planEdits(ctx, a, v, plan.Source(), func(after *source.Authored) error { return plan.Check(content, after) })
	if err != nil {
		return err
	}
	answer := &translationAnswer{
		OK: len(edits.issues) == 0, Version: v, Language: file.Language,
		Translations: append([]translation.Change{}, plan.Translations...), Skipped: append([]translation.Skipped{}, plan.Skipped...),
		Files: edits.shown(), Issues: append(issue.Issues{}, edits.issues...),
	}
	if answer.OK && o.write {
		if err := edits.write(); err != nil {
			return err
		}
		answer.Written = len(answer.Files) > 0
	}
	return p.answer(*o.format, answer, answer.OK, func() error { return p.printTranslations(typed, edits, answer) })
}

// printTranslations prints the changes, and what was skipped.
func (p *program) printTranslations(typed string, s *sourceEdits, answer *translationAnswer) error {
	for _, k := range answer.Skipped {
		p.say("%s:%d: %s: skipped: %s", typed, k.Line, k.Context, k.Reason)
	}
	if !answer.Written {
		if err := p.printEdits(s); err != nil {
			return err
		}
	}
	if !answer.OK {
		p.complain("nothing was changed")
		return nil
	}
	summary := fmt.Sprintf("%s changed in %s", prose.Count(len(answer.Translations), "translation"), prose.Count(len(answer.Files), "file"))
	return p.sumUp(summary, len(answer.Files), answer.Written)
}
