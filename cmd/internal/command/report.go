package command

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/flags"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/product"
	"github.com/datachain-go/datachain/register/profile"
	"github.com/datachain-go/datachain/taxonomy/document"
)

func reportCommand(c *console.Console) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "report FILE|DIR",
		Short: "Fill in the form of another register from documents",
		Long: `Fill in the form of another register from a document, or from all in a directory, as its profile
says. What is missing, too long or only in other languages is printed on standard error, with the
place to write it. Values that only that register asks for are answers: in the document, where
they are public, or in the file of --answers.

The result is a draft for a person, who must check and send it: nothing is sent, shortened or
translated. --format text shows where each value comes from. A directory can have a register.yaml,
as its parents can; the publisher in it is used.

PROFILE is a file or one of ` + wording.And(profileIDs()) + `.

The exit code is 1 if a required value is missing, a value is too long or no choice, or a document
was skipped.`,
		Example: `  datachain report housing.json --profile nl-algoritmeregister-1.0 -o nl.json
  datachain report documents --profile us-m-25-21-2025 -o inventory.csv
  datachain report housing.json --profile ./council.yaml --format text`,
	}
	var id, answers, format, out string
	var anyLanguage bool
	from := c.Reads(cmd)
	flags.Add(cmd,
		flags.New("profile", "profile of the other register", profileFlag(&id)),
		flags.New("format", "json, csv or text (default that of the profile)", flags.OneOf(&format, "json", "csv", "text")),
		flags.New("out", "write to this file instead of standard output", flags.File(&out, "json", "csv", "txt").Letter("o")),
		flags.New("any-language", "also fill in texts that are not in the language of the profile", flags.Switch(&anyLanguage)),
		flags.New("answers", "answers that are not in the documents: {field: value}, for a directory {slug: {field: value}}", flags.File(&answers, "json", "yaml")),
	)
	flags.Require(cmd, "profile")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := openProfile(cmd.Context(), c, id)
		if err != nil {
			return err
		}
		set, err := from.Open(cmd.Context())
		if err != nil {
			return err
		}
		w := &reporter{Console: c, profile: p, anyLanguage: anyLanguage}
		if w.answers, err = readAnswers(cmd.Context(), c, answers); err != nil {
			return err
		}
		dir := c.Path(args[0])
		info, err := os.Stat(dir)
		isDir := err == nil && info.IsDir()
		if !isDir {
			dir = filepath.Dir(dir)
		}
		if w.settings, err = settingsAbove(dir); err != nil {
			return err
		}
		if isDir {
			err = w.directory(cmd.Context(), set, args[0], from.Options())
		} else {
			err = w.file(cmd.Context(), set, args[0])
		}
		if err != nil {
			return err
		}
		if err := w.write(profile.Format(format), isDir, out); err != nil {
			return err
		}
		return w.conclude(format, out)
	}
	return cmd
}

// write writes the report of a document, or those of all in a directory.
func (w *reporter) write(format profile.Format, isDir bool, out string) error {
	var b bytes.Buffer
	var err error
	if isDir {
		err = profile.WriteAll(&b, w.profile, w.reports, format)
	} else {
		err = w.reports[0].Write(&b, format)
	}
	if err != nil {
		return err
	}
	return w.Write(out, b.Bytes())
}

// reporter reports documents.
type reporter struct {
	*console.Console
	profile     *profile.Profile
	settings    *register.Settings
	answers     source.Value // of --answers
	anyLanguage bool

	names   []string // of the documents
	reports []*profile.Report
	skipped int
}

// file reports one document.
func (w *reporter) file(ctx context.Context, set *stores.Set, typed string) error {
	text, shown, err := present(ctx, w.Console, set, typed)
	if err != nil {
		return err
	}
	if shown == nil {
		return console.ErrFindings
	}
	if typ := shown.Datachain.SchemaSnapshot.DatachainType.ID; !w.profile.Fits(typ) {
		return fmt.Errorf("%s is of the type %s, and %s is for %s", typed, typ, w.profile.ID, wording.Or(w.profile.Types))
	}
	if doc, err := document.Parse(text); err == nil && product.Is(doc) {
		return fmt.Errorf("%s is a product, and no system in use: report the documents that are based on it", typed)
	}
	return w.report(typed, shown, w.answers)
}

// directory reports the documents of a directory, and names those that it skips.
func (w *reporter) directory(ctx context.Context, set *stores.Set, dir string, o *stores.Options) error {
	r, err := openDirectory(set.Service, dir, o)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was only read
	state := r.State()
	for _, refused := range state.Refused() {
		w.skip(refused.File, "it can't be published; 'datachain documents check' says why")
	}
	for _, p := range state.Products() {
		w.skip(p.File, "it is a product, and no system in use")
	}
	for _, d := range state.Documents() {
		if !w.profile.Fits(d.Version.Type()) {
			w.skip(d.File(), "it is of the type "+d.Version.Type())
			continue
		}
		shown, err := r.Present(ctx, d, d.Current)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			w.skip(d.File(), err.Error())
			continue
		}
		if err := w.report(d.File(), shown, w.answers.Get(d.Slug)); err != nil {
			return err
		}
	}
	return nil
}

func (w *reporter) skip(name, why string) {
	w.skipped++
	w.Say("Skipped %s: %s.", wording.Line(name), wording.Line(why))
}

// report reports a document with the answers of an object.
func (w *reporter) report(name string, shown *datachain.Presentation, answers source.Value) error {
	given := make(map[string][]string)
	for v := range answers.Items() {
		if v.IsObject() {
			continue // answers of a document of a directory
		}
		texts, ok := answerTexts(v)
		if !ok {
			return fmt.Errorf("--answers %s: an answer must be a text or a list of texts", v.Position())
		}
		given[v.Key()] = texts
	}
	w.names = append(w.names, name)
	w.reports = append(w.reports, w.profile.Report(shown, &profile.Options{Settings: w.settings, AnyLanguage: w.anyLanguage, Answers: given}))
	return nil
}

// conclude says what a person should look at.
func (w *reporter) conclude(format, out string) error {
	good := w.skipped == 0
	for i, r := range w.reports {
		w.Say("%s: %s", wording.Line(w.names[i]), r.Headline())
		for _, f := range r.Findings {
			if format != string(profile.Text) { // which has them
				w.Say("  %s: %s: %s", wording.Line(f.Field), f.Kind, wording.Line(f.Message))
			}
		}
		good = good && r.OK()
	}
	if t := w.profile.Target; t.Superseded {
		w.Say("The profile is for version %s of %s, which has a newer one.", t.Version, t.Name)
	} else if t.Checked != "" {
		w.Say("The profile was compared with %s on %s.", t.Name, t.Checked)
	}
	if out != "" {
		w.Say("Wrote %s. It is a draft: check each value before you send it.", out)
	}
	if !good {
		return console.ErrFindings
	}
	return nil
}

// settingsAbove returns the settings in a directory or the nearest parent that has some.
func settingsAbove(dir string) (*register.Settings, error) {
	for {
		s, err := register.ReadSettings(os.DirFS(dir))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dir, err)
		}
		up := filepath.Dir(dir)
		if s != nil || up == dir {
			return s, nil
		}
		dir = up
	}
}

// maxAnswers is the size of the largest file of answers.
const maxAnswers = 8 << 20

// readAnswers reads the file of --answers.
func readAnswers(ctx context.Context, c *console.Console, typed string) (answers source.Value, err error) {
	if typed == "" {
		return answers, nil
	}
	text, err := readSmall(ctx, c, typed, maxAnswers)
	if err != nil {
		return answers, fmt.Errorf("--answers %w", err)
	}
	answers, wrong := source.ParseValue(typed, text)
	switch {
	case wrong != nil:
		return answers, fmt.Errorf("--answers %s: %s", wrong.Position, wrong.Message)
	case !answers.IsObject():
		return answers, fmt.Errorf("--answers %s: write {field: value}, or for a directory {slug: {field: value}}", typed)
	}
	return answers, nil
}

// answerTexts returns a text, or a list of texts.
func answerTexts(v source.Value) (texts []string, ok bool) {
	if text, ok := v.Scalar(); ok {
		return []string{text}, true
	}
	for item := range v.Items() {
		text, ok := item.Scalar()
		if !ok {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, v.IsList()
}
