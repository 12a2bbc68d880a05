package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

func (p *program) starterCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "new [VERSION]",
		Short: "Start a datachain document, which explains one system",
		Long: `Start a datachain document, which explains one system. It has a placement for each required
category; the questions to answer are printed on standard error. To start a taxonomy instead,
use 'datachain schema new'.

The document is not valid yet: each element is the name of its category, and the values of
variables are empty. 'datachain validate' reports what to fill in, and lists the choices.

VERSION is a version id or an alias (default the latest version, if there is only one
datachain type). An existing file is never overwritten.`,
		Example: `  datachain new ai@latest -o library-chat.json
  datachain new ai@latest --locale fr > chat.json`,
	}
	p.Read(cmd)
	out, locale := outFlag(cmd, "json"), localeFlag(cmd, "language of the document and the questions (default the first one of the version)")
	var id string
	flags.Add(cmd, flags.New("id", "id of the document (default the name of the file)", flags.ID(&id)))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *out != "" {
			if _, err := os.Lstat(p.path(*out)); !errors.Is(err, fs.ErrNotExist) {
				return fmt.Errorf("--out %s: already exists: name another file", *out)
			}
		}
		r, err := p.openRelease(cmd, strings.Join(args, ""))
		if err != nil {
			return err
		}
		return p.start(r, *out, id, *locale, p.Typed(cmd))
	}
	return cmd
}

// start writes a starter document and prints its questions. The flags say where the version is, and
// are repeated in the command to run next.
func (p *program) start(r *taxonomy.Release, out, id, locale, flags string) error {
	locale, err := releaseLocale(r, cmp.Or(locale, r.Locales()[0]))
	if err != nil {
		return err
	}
	name := filepath.Base(out)
	id = cmp.Or(id, strings.TrimSuffix(name, filepath.Ext(name)), "my-datachain")
	text, err := datachain.Starter(r, id, locale, p.now())
	if err != nil {
		return err
	}
	if err := p.write(out, text); err != nil {
		return err
	}
	p.say("%s", report.Wrap(starterText(r, locale, out, flags, p.errWidth()), p.errWidth()))
	return nil
}

// requiredCategories returns the categories that every document must place, in the
// order of the datachain type.
func requiredCategories(r *taxonomy.Release) []*taxonomy.Category {
	return slices.DeleteFunc(slices.Clone(r.Categories()), func(c *taxonomy.Category) bool { return !c.Required && c.Cardinality.Min == 0 })
}

// maxChoices is how many elements of a category are listed.
const maxChoices = 12

// starterText returns the questions that a starter document leaves open, and what to do
// next.
func starterText(r *taxonomy.Release, locale, file, flags string, width int) string {
	var b strings.Builder
	b.WriteString(map[bool]string{true: "A starter document", false: "Wrote " + file}[file == ""])
	fmt.Fprintf(&b, " for %s. Answer these questions:\n", r.Version())
	required := requiredCategories(r)
	for i, c := range required {
		question := c.Prompt.Pick(locale)
		if question == "" {
			question = c.Description.Pick(locale)
		}
		text := wording.Line(c.Name.Pick(locale) + ": " + question)
		fmt.Fprintf(&b, "\n%s\n", report.Hang(fmt.Sprintf("%d. ", i+1), text, width))
		for _, choice := range choices(r, c, locale) {
			fmt.Fprintln(&b, report.Hang("   "+choice[0]+": ", choice[1], width))
		}
	}
	var optional []string
	for _, c := range r.Categories() {
		if !slices.Contains(required, c) {
			optional = append(optional, c.ID)
		}
	}
	if len(optional) > 0 {
		fmt.Fprintf(&b, "\nOptional categories: %s. 'datachain search' finds their elements.\n", strings.Join(optional, ", "))
	}
	fmt.Fprintf(&b, "\nGive it a title: \"title\": [{\"locale\": %q, \"value\": \"…\"}]\n", locale)
	fmt.Fprintf(&b, "\nThen run\n  datachain validate %s%s", cmp.Or(file, "FILE"), flags)
	return b.String()
}

// choices returns what can be written in a placement of a category, by field.
func choices(r *taxonomy.Release, c *taxonomy.Category, locale string) (list [][2]string) {
	var elements, values []string
	for _, e := range r.ElementsOf(c.ID) {
		elements = append(elements, e.ID)
	}
	more := ""
	if n := len(elements) - maxChoices; n > 0 {
		elements, more = elements[:maxChoices], fmt.Sprintf(" and %d more", n)
	}
	list = append(list, [2]string{"element_id", strings.Join(elements, ", ") + more})
	for _, v := range c.Context.Values {
		values = append(values, v.ID)
	}
	if len(values) > 0 {
		list = append(list, [2]string{"context_type_id", strings.Join(values, ", ")})
	}
	for _, v := range c.Variables {
		if v.Required {
			list = append(list, [2]string{v.ID, wording.Line(v.Label.Pick(locale)) + optionList(v.Options)})
		}
	}
	return list
}

// optionList lists the options of a select variable.
func optionList(options []taxonomy.Option) string {
	var ids []string
	for _, o := range options {
		ids = append(ids, o.ID)
	}
	if len(ids) == 0 {
		return ""
	}
	return " (" + strings.Join(ids, ", ") + ")"
}
