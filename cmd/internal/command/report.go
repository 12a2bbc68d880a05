package command

import (
	"bytes"
	"context"
	"errors"
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

// reportOptions are the flags of `datachain report`.
type reportOptions struct {
	profile, answers, format, out string
	anyLanguage                   bool
}

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
	o := new(reportOptions)
	from := c.Reads(cmd)
	flags.Add(cmd,
		flags.New("profile", "profile of the other register", profileFlag(&o.profile)),
		flags.New("format", "json, csv or text (default that of the profile)", flags.OneOf(&o.format, "json", "csv", "text")),
		flags.New("out", "write to this file instead of standard output", flags.File(&o.out, "json", "csv", "txt").Letter("o")),
		flags.New("any-language", "also fill in texts that are not in the language of the profile", flags.Switch(&o.anyLanguage)),
		flags.New("answers", "answers that are not in the documents: {field: value}, for a directory {slug: {field: value}}", flags.File(&o.answers, "json", "yaml")),
	)
	flags.Require(cmd, "profile")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		p, err := openProfile(c, o.profile)
		if err != nil {
			return err
		}
		set, err := from.Open(cmd.Context())
		if err != nil {
			return err
		}
		w := &reporter{Console: c, profile: p, options: o}
		if info, err := os.Stat(c.Path(args[0])); err == nil && info.IsDir() {
			return w.directory(cmd.Context(), set, args[0], from.Options())
		}
		return w.file(cmd.Context(), set, args[0])
	}
	return cmd
}

// reporter reports documents.
type reporter struct {
	*console.Console
	profile *profile.Profile
	options *reportOptions
	skipped int
}

// file reports one document.
func (w *reporter) file(ctx context.Context, set *stores.Set, typed string) error {
	answers, err := readAnswers(w.Console, w.options.answers)
	if err != nil {
		return err
	}
	text, shown, err := present(ctx, w.Console, set, typed)
	if err != nil {
		return err
	}
	if shown == nil {
		return console.ErrFindings
	}
	typ := shown.Datachain.SchemaSnapshot.DatachainType.ID
	if !w.profile.Fits(typ) {
		return fmt.Errorf("%s is of the type %s, and %s is for %s", typed, typ, w.profile.ID, wording.Or(w.profile.Types))
	}
	if doc, err := document.Parse(text); err == nil && product.Is(doc) {
		return fmt.Errorf("%s is a product, and no system in use: report the documents that are based on it", typed)
	}
	settings, err := settingsAbove(filepath.Dir(w.Path(typed)))
	if err != nil {
		return err
	}
	r := w.profile.Report(shown, &profile.Options{Settings: settings, AnyLanguage: w.options.anyLanguage, Answers: answers.of("")})
	var b bytes.Buffer
	if err := r.Write(&b, profile.Format(w.options.format)); err != nil {
		return err
	}
	return w.finish(&b, []reported{{typed, r}})
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

// reported is the report of a document with its name.
type reported struct {
	name string
	*profile.Report
}

// directory reports the documents of a directory, and names those that it skips.
func (w *reporter) directory(ctx context.Context, set *stores.Set, dir string, o *stores.Options) error {
	answers, err := readAnswers(w.Console, w.options.answers)
	if err != nil {
		return err
	}
	r, err := openDirectory(set.Service, dir, o)
	if err != nil {
		return err
	}
	defer func() { _ = r.Close() }() // it was only read
	state := r.State()
	settings := state.Settings()
	if settings == nil || settings.URL == "" && len(settings.Publisher.Name) == 0 {
		if above, err := settingsAbove(filepath.Dir(w.Path(dir))); err != nil {
			return err
		} else if above != nil {
			settings = above
		}
	}
	for _, refused := range state.Refused() {
		w.skip(refused.File, "it can't be published; 'datachain documents check' says why")
	}
	var list []reported
	var all []*profile.Report
	for _, d := range state.Documents() {
		switch shown, err := r.Present(ctx, d, d.Current); {
		case err != nil:
			if ctx.Err() != nil {
				return err
			}
			w.skip(d.File(), err.Error())
		case isProduct(shown):
			w.skip(d.File(), "it is a product, and no system in use")
		case !w.profile.Fits(shown.Datachain.SchemaSnapshot.DatachainType.ID):
			w.skip(d.File(), fmt.Sprintf("it is of the type %s", shown.Datachain.SchemaSnapshot.DatachainType.ID))
		default:
			one := w.profile.Report(shown, &profile.Options{Settings: settings, AnyLanguage: w.options.anyLanguage, Answers: answers.of(d.Slug)})
			list, all = append(list, reported{d.File(), one}), append(all, one)
		}
	}
	var b bytes.Buffer
	if err := profile.WriteAll(&b, w.profile, all, profile.Format(w.options.format)); err != nil {
		return err
	}
	return w.finish(&b, list)
}

// isProduct reports whether a document describes a product of a supplier.
func isProduct(shown *datachain.Presentation) bool {
	v, err := document.Parse(shown.Datachain.Extra["register"])
	if err != nil {
		return false
	}
	_, ok := v.Root().Get("product")
	return ok
}

func (w *reporter) skip(name, why string) {
	w.skipped++
	w.Say("Skipped %s: %s.", wording.Line(name), wording.Line(why))
}

// finish writes the result, and says what a person should look at.
func (w *reporter) finish(b *bytes.Buffer, list []reported) error {
	if err := w.Write(w.options.out, b.Bytes()); err != nil {
		return err
	}
	good := w.skipped == 0
	for _, r := range list {
		w.Say("%s: %s", wording.Line(r.name), r.Headline())
		if w.options.format != "text" {
			for _, f := range r.Findings {
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
	if w.options.out != "" {
		w.Say("Wrote %s. It is a draft: check each value before you send it.", w.options.out)
	}
	if !good {
		return console.ErrFindings
	}
	return nil
}

// filedAnswers are those of a file, by field, or by slug and field.
type filedAnswers struct {
	fields map[string][]string
	slugs  map[string]map[string][]string
}

// of returns the answers for a document.
func (a *filedAnswers) of(slug string) map[string][]string {
	if slug == "" {
		return a.fields
	}
	return a.slugs[slug]
}

// maxAnswers is the size of the largest file of answers.
const maxAnswers = 8 << 20

// readAnswers reads the file of --answers.
func readAnswers(c *console.Console, typed string) (*filedAnswers, error) {
	a := &filedAnswers{make(map[string][]string), make(map[string]map[string][]string)}
	if typed == "" {
		return a, nil
	}
	text, err := readSmall(c, typed, maxAnswers)
	if err != nil {
		return nil, fmt.Errorf("--answers %w", err)
	}
	root, wrong := source.ParseValue(filepath.Base(typed), text)
	if wrong != nil {
		return nil, fmt.Errorf("--answers %s: %s: %s", typed, wrong.Position, wrong.Message)
	}
	if !root.IsObject() {
		return nil, fmt.Errorf("--answers %s: write {field: value}, or for a directory {slug: {field: value}}", typed)
	}
	for v := range root.Items() {
		if v.IsObject() {
			a.slugs[v.Key()] = make(map[string][]string)
			for inner := range v.Items() {
				if a.slugs[v.Key()][inner.Key()], err = answerTexts(inner); err != nil {
					return nil, fmt.Errorf("--answers %s: %w", typed, err)
				}
			}
		} else if a.fields[v.Key()], err = answerTexts(v); err != nil {
			return nil, fmt.Errorf("--answers %s: %w", typed, err)
		}
	}
	return a, nil
}

// answerTexts returns a text, or a list of texts.
func answerTexts(v source.Value) (texts []string, err error) {
	if text, ok := v.Scalar(); ok {
		return []string{text}, nil
	}
	if !v.IsList() {
		return nil, errors.New(v.Position().String() + ": an answer must be a text or a list of texts")
	}
	for item := range v.Items() {
		text, ok := item.Scalar()
		if !ok {
			return nil, errors.New(item.Position().String() + ": an answer must be a text or a list of texts")
		}
		texts = append(texts, text)
	}
	return texts, nil
}
