package crosswalk

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/notation"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Document is what a document says about the entries of a scheme, with titles in one language.
type Document struct {
	ID      string          `json:"document"`
	Version string          `json:"schema_version"`
	Scheme  taxonomy.Scheme `json:"scheme"`
	// Entries are those that the version has mappings to, in the order of [Mappings].
	Entries []Entry `json:"entries"`

	title string // of the scheme
}

// Entry is an entry of a scheme with what corresponds to it: what the document has, and what it could
// have.
type Entry struct {
	ID     string `json:"id"`
	Placed []Item `json:"placed"`
	Open   []Item `json:"open"`
}

// Item is a category or an element that is mapped to an entry.
type Item struct {
	CategoryID string            `json:"category_id,omitempty"`
	ElementID  string            `json:"element_id,omitempty"`
	Title      string            `json:"title"`
	Relation   taxonomy.Relation `json:"relation"`
	Note       string            `json:"note,omitempty"`
}

// Of returns what a document says about the entries of a scheme of its release. A category is
// placed if one of its elements is. The locale is one of the release, or "" for the first one.
func Of(r *taxonomy.Release, document *taxonomy.Resolved, scheme *taxonomy.Scheme, locale string) *Document {
	placed := make(map[string]bool)
	for i := range document.Elements {
		if e, ok := r.Element(document.Elements[i].ElementID); ok {
			placed["element "+e.ID], placed["category "+e.CategoryID] = true, true
		}
	}
	d := &Document{ID: document.ID, Version: r.Version().String(), Scheme: *scheme, Entries: []Entry{}, title: scheme.Title.Pick(locale)}
	for _, m := range mappings(r, scheme.ID, "") {
		if n := len(d.Entries); n == 0 || !notation.Same(d.Entries[n-1].ID, m.ID) {
			d.Entries = append(d.Entries, Entry{m.ID, []Item{}, []Item{}})
		}
		item := Item{m.CategoryID, m.ElementID, m.Title.Pick(locale), m.Relation, m.Note.Pick(locale)}
		if e := &d.Entries[len(d.Entries)-1]; placed["element "+m.ElementID] || placed["category "+m.CategoryID] {
			e.Placed = append(e.Placed, item)
		} else {
			e.Open = append(e.Open, item)
		}
	}
	return d
}

// Covered returns how many entries the document says something about.
func (d *Document) Covered() (n int) {
	for _, e := range d.Entries {
		if len(e.Placed) > 0 {
			n++
		}
	}
	return n
}

// Formats are the formats of [Document.Write].
func Formats() []string { return []string{"text", "json", "csv", "md"} }

// Write writes the crosswalk in a format.
func (d *Document) Write(w io.Writer, format string) error {
	switch format {
	case "text":
		_, err := io.WriteString(w, d.text())
		return err
	case "json":
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(d)
	case "csv":
		return d.writeCSV(w)
	case "md":
		_, err := io.WriteString(w, d.markdown())
		return err
	}
	return fmt.Errorf("crosswalk: the format %s is not known; use %s", wording.Quote(format), wording.Or(Formats()))
}

// text returns what the document says, then what it does not.
func (d *Document) text() string {
	var answered, open strings.Builder
	for _, e := range d.Entries {
		if len(e.Placed) == 0 {
			var names []string
			for _, i := range e.Open {
				name := i.ElementID
				if name == "" {
					name = "an element of " + i.CategoryID
				}
				names = append(names, name)
			}
			fmt.Fprintf(&open, "  %s: place %s\n", e.ID, wording.Or(names))
			continue
		}
		fmt.Fprintf(&answered, "\n%s\n", e.ID)
		for _, i := range e.Placed {
			fmt.Fprintf(&answered, "  %s\n", i)
		}
	}
	text := fmt.Sprintf("%s (%s), by %s\n", d.title, d.Scheme.ID, d.Version) + answered.String()
	if open.Len() > 0 {
		text += "\nThe document says nothing about\n" + open.String()
	}
	return text
}

// String describes what corresponds to an entry.
func (i Item) String() string {
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

func (d *Document) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s**\n\n| Entry | In the document | Not in the document |\n|---|---|---|\n", wording.Markdown(d.title))
	cell := func(items []Item) string {
		var list []string
		for _, i := range items {
			list = append(list, wording.Markdown(i.String()))
		}
		return strings.Join(list, "<br>")
	}
	for _, e := range d.Entries {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", wording.Markdown(e.ID), cell(e.Placed), cell(e.Open))
	}
	return b.String()
}

func (d *Document) writeCSV(w io.Writer) error {
	rows := [][]string{{"scheme", "entry", "in_document", "category_id", "element_id", "title", "relation", "note"}}
	for _, e := range d.Entries {
		for k, items := range [][]Item{e.Placed, e.Open} {
			for _, i := range items {
				row := []string{d.Scheme.ID, e.ID, strconv.FormatBool(k == 0), i.CategoryID, i.ElementID, i.Title, string(i.Relation), i.Note}
				for n := range row {
					row[n] = wording.Cell(row[n])
				}
				rows = append(rows, row)
			}
		}
	}
	table := csv.NewWriter(w)
	table.UseCRLF = true
	return table.WriteAll(rows)
}
