// Package questions lists what the authors of a new document have to answer.
package questions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Text returns the questions that a starter document leaves open, and what to do next. The file is
// where it was written, or ""; flags say where the version is, and are repeated in the command to run
// next.
func Text(r *taxonomy.Release, locale, file string, flags []string, width int) string {
	var b strings.Builder
	b.WriteString(map[bool]string{true: "A starter document", false: "Wrote " + file}[file == ""])
	fmt.Fprintf(&b, " for %s. Answer these questions:\n", r.Version())
	required := Required(r)
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
		fmt.Fprintf(&b, "\nOptional categories: %s. Find their elements with\n  %s\n", strings.Join(optional, ", "),
			report.Command(append([]string{"search", "WORDS", "--schema-version", r.Version().String()}, flags...)...))
	}
	fmt.Fprintf(&b, "\nGive it a title: \"title\": [{\"locale\": %q, \"value\": \"…\"}]\n", locale)
	if file == "" {
		b.WriteString("\nSave it in a file.\n")
	}
	fmt.Fprintf(&b, "\nThen run\n  %s", report.Command(append([]string{"validate", cmp.Or(file, "FILE")}, flags...)...))
	return report.Wrap(b.String(), width)
}

// Required returns the categories that every document must place, in the
// order of the datachain type.
func Required(r *taxonomy.Release) []*taxonomy.Category {
	return slices.DeleteFunc(slices.Clone(r.Categories()), func(c *taxonomy.Category) bool { return !c.Required && c.Cardinality.Min == 0 })
}

// maxChoices is how many elements of a category are listed.
const maxChoices = 12

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
