package main

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/datachain/internal/flags"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/export/crosswalk"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

func (p *program) crosswalkCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "crosswalk FILE",
		Short: "List what a document says about each entry of a scheme",
		Long: `List the entries of a scheme, such as the articles of a law, that the taxonomy of a
datachain document has mappings to: what the document says about each, and which entries
it says nothing about.

A mapping says that an element or a category answers to an entry; it does not say that a
document satisfies a law. --scheme can be omitted if the taxonomy has only one.`,
		Example: `  datachain crosswalk crossing.json --scheme eu-ai-act
  datachain crosswalk crossing.json --scheme gdpr --format md --locale fr`,
		ValidArgsFunction: completeJSON,
	}
	p.reads(cmd)
	format, out := formatFlag(cmd, formatText, formatJSON, "csv", formatMarkdown), outFlag(cmd, "txt", "json", "csv", "md")
	locale := localeFlag(cmd, "language of titles (default the first one of the taxonomy)")
	var scheme string
	flags.Add(cmd, flags.New("scheme", "id of the scheme", flags.ID(&scheme)))
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		schemas, err := p.open(cmd.Context())
		if err != nil {
			return err
		}
		_, shown, err := p.present(cmd.Context(), schemas, args[0])
		if err != nil {
			return err
		}
		if shown.Release == nil {
			return fmt.Errorf("%s is no longer published, so its mappings are not known: upgrade the document first", shown.Datachain.SchemaVersion)
		}
		w, err := newWalk(shown.Release, shown.Datachain, scheme, *locale)
		if err != nil {
			return err
		}
		text, err := w.write(*format)
		if err != nil {
			return err
		}
		return p.writeResult(*out, text, fmt.Sprintf("%d of %d entries of %s have a placement", w.said(), len(w.Entries), w.Scheme.ID))
	}
	return cmd
}

// walk is the crosswalk of a document, with titles in one language.
type walk struct {
	Document string          `json:"document"`
	Version  string          `json:"schema_version"`
	Scheme   taxonomy.Scheme `json:"scheme"`
	Entries  []walkEntry     `json:"entries"`
	title    string          // of the scheme
}

type walkEntry struct {
	ID string `json:"id"`
	// Placed is what the document has, and Open what it could have.
	Placed []walkItem `json:"placed"`
	Open   []walkItem `json:"open"`
}

type walkItem struct {
	CategoryID string            `json:"category_id,omitempty"`
	ElementID  string            `json:"element_id,omitempty"`
	Title      string            `json:"title"`
	Relation   taxonomy.Relation `json:"relation"`
	Note       string            `json:"note,omitempty"`
}

func newWalk(r *taxonomy.Release, document *taxonomy.Resolved, id, locale string) (*walk, error) {
	locale, err := releaseLocale(r, locale)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, s := range r.Manifest().Schemes {
		ids = append(ids, s.ID)
	}
	if id == "" && len(ids) == 1 {
		id = ids[0]
	}
	scheme, ok := r.Manifest().Scheme(id)
	switch {
	case len(ids) == 0:
		return nil, fmt.Errorf("%s has no schemes: a crosswalk needs a version with mappings", r.Version())
	case id == "":
		return nil, fmt.Errorf("%s has several schemes: use --scheme with %s", r.Version(), wording.Or(ids))
	case !ok:
		return nil, fmt.Errorf("%s has no scheme %q: use %s", r.Version(), id, wording.Or(ids))
	}
	show := func(l taxonomy.Localized) string { return l.Pick(locale) }
	items := func(list []crosswalk.Mapped) []walkItem {
		all := []walkItem{}
		for _, m := range list {
			all = append(all, walkItem{m.CategoryID, m.ElementID, show(m.Title), m.Relation, show(m.Note)})
		}
		return all
	}
	w := &walk{Document: document.ID, Version: r.Version().String(), Scheme: *scheme, Entries: []walkEntry{}, title: show(scheme.Title)}
	for _, e := range crosswalk.SchemeEntries(r, id, document) {
		w.Entries = append(w.Entries, walkEntry{e.ID, items(e.Placed()), items(e.Open())})
	}
	return w, nil
}

// said returns how many entries the document says something about.
func (w *walk) said() (n int) {
	for _, e := range w.Entries {
		if len(e.Placed) > 0 {
			n++
		}
	}
	return n
}

func (w *walk) write(format string) ([]byte, error) {
	var b bytes.Buffer
	switch format {
	case "json":
		err := report.WriteJSON(&b, w)
		return b.Bytes(), err
	case "csv":
		err := w.csv(&b)
		return b.Bytes(), err
	case "md":
		w.markdown(&b)
	default:
		w.text(&b)
	}
	return b.Bytes(), nil
}

// text writes what is said, then what is not.
func (w *walk) text(b *bytes.Buffer) {
	fmt.Fprintf(b, "%s (%s), by %s\n", w.title, w.Scheme.ID, w.Version)
	for _, e := range w.Entries {
		if len(e.Placed) > 0 {
			fmt.Fprintf(b, "\n%s\n", e.ID)
			for _, item := range e.Placed {
				fmt.Fprintf(b, "  %s\n", item)
			}
		}
	}
	if w.said() == len(w.Entries) {
		return
	}
	fmt.Fprintf(b, "\nThe document says nothing about\n")
	for _, e := range w.Entries {
		if len(e.Placed) == 0 {
			var names []string
			for _, item := range e.Open {
				names = append(names, item.id())
			}
			fmt.Fprintf(b, "  %s: place %s\n", e.ID, wording.Or(names))
		}
	}
}

// id names the item in a command or a document.
func (i walkItem) id() string {
	if i.ElementID != "" {
		return i.ElementID
	}
	return "an element of " + i.CategoryID
}

// String describes what a document has.
func (i walkItem) String() string {
	id := i.ElementID
	if id == "" {
		id = "category " + i.CategoryID
	}
	s := fmt.Sprintf("%s (%s, %s)", i.Title, id, i.Relation)
	if i.Note != "" {
		s += ": " + wording.Line(i.Note)
	}
	return s
}

func (w *walk) markdown(b *bytes.Buffer) {
	fmt.Fprintf(b, "**%s**\n\n| Entry | In the document | Not in the document |\n|---|---|---|\n", wording.Markdown(w.title))
	cell := func(items []walkItem) string {
		var list []string
		for _, i := range items {
			list = append(list, strings.ReplaceAll(wording.Markdown(i.String()), "|", `\|`))
		}
		return strings.Join(list, "<br>")
	}
	for _, e := range w.Entries {
		fmt.Fprintf(b, "| %s | %s | %s |\n", strings.ReplaceAll(wording.Markdown(e.ID), "|", `\|`), cell(e.Placed), cell(e.Open))
	}
}

func (w *walk) csv(b *bytes.Buffer) error {
	c := csv.NewWriter(b)
	c.UseCRLF = true
	rows := [][]string{{"scheme", "entry", "in_document", "category_id", "element_id", "title", "relation", "note"}}
	for _, e := range w.Entries {
		for k, items := range [][]walkItem{e.Placed, e.Open} {
			for _, i := range items {
				rows = append(rows, []string{w.Scheme.ID, e.ID, fmt.Sprint(k == 0), i.CategoryID, i.ElementID, i.Title, string(i.Relation), i.Note})
			}
		}
	}
	for _, row := range rows {
		for i, cell := range row {
			row[i] = wording.Cell(cell)
		}
	}
	return c.WriteAll(rows)
}
