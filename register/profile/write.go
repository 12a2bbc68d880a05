package profile

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
)

// Format is a form of a report.
type Format string

// The formats of a report.
const (
	JSON Format = "json" // one object, with facets a list of two
	CSV  Format = "csv"  // a row, below the names of the fields
	Text Format = "text" // all fields with their origin, and the findings, for people
)

// Write writes the report in a format, "" for that of the target.
func (r *Report) Write(w io.Writer, f Format) error {
	return write(w, r.Profile, []*Report{r}, f, false)
}

// WriteAll writes reports of one profile as the target takes several: a list, or a table with a row
// for each.
func WriteAll(w io.Writer, p *Profile, reports []*Report, f Format) error {
	return write(w, p, reports, f, true)
}

func write(w io.Writer, p *Profile, reports []*Report, f Format, list bool) error {
	if f == "" {
		f = p.Format
	}
	var b bytes.Buffer
	switch f {
	case JSON:
		text := appendItems(nil, reports, func(b []byte, r *Report) []byte { return r.appendJSON(b) })
		if list {
			text = slices.Concat([]byte("["), text, []byte("]"))
		}
		if err := json.Indent(&b, text, "", "  "); err != nil {
			return err
		}
		b.WriteByte('\n')
	case CSV:
		if err := p.writeCSV(&b, reports); err != nil {
			return err
		}
	case Text:
		for i, r := range reports {
			if i > 0 {
				b.WriteByte('\n')
			}
			r.writeText(&b)
		}
	default:
		return fmt.Errorf("profile: there is no format %q", string(f))
	}
	_, err := w.Write(b.Bytes())
	return err
}

// appendItems appends items with a comma between them.
func appendItems[T any](b []byte, items []T, one func([]byte, T) []byte) []byte {
	for i, item := range items {
		if i > 0 {
			b = append(b, ',')
		}
		b = one(b, item)
	}
	return b
}

// appendJSON appends an object, or one for the fields and one for the facets.
func (r *Report) appendJSON(b []byte) []byte {
	if len(r.Facets) == 0 {
		return appendObject(b, r.Values)
	}
	return append(appendItems(append(b, '['), [][]Value{r.Values, r.Facets}, appendObject), ']')
}

// appendObject appends the values that are sent: not those that are empty, or that the target gives.
func appendObject(b []byte, values []Value) []byte {
	sent := slices.DeleteFunc(slices.Clone(values), func(v Value) bool { return v.Empty() || v.spec.auto })
	return append(appendItems(append(b, '{'), sent, func(b []byte, v Value) []byte {
		return v.appendJSON(append(jcs.AppendQuote(b, v.Field), ':'))
	}), '}')
}

func (v *Value) appendJSON(b []byte) []byte {
	text := func(b []byte, text string) []byte { return jcs.AppendQuote(b, v.written(text)) }
	switch {
	case len(v.Items) > 0:
		return append(appendItems(append(b, '['), v.Items, appendObject), ']')
	case v.spec.many():
		return append(appendItems(append(b, '['), v.Texts, text), ']')
	}
	return text(b, v.Texts[0])
}

// written returns a text as the type has it.
func (v *Value) written(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if v.spec.typ == typeHTML {
		return html.EscapeString(text)
	}
	return text
}

// cell returns a value as a cell of a table: a list is joined as the target does, or else JSON.
func (v *Value) cell(joined string) string {
	switch {
	case v.Empty() || v.spec.auto:
		return ""
	case len(v.Items) > 0 || v.spec.many() && joined == "":
		return string(v.appendJSON(nil))
	}
	texts := make([]string, len(v.Texts))
	for i, text := range v.Texts {
		texts[i] = v.written(text)
	}
	return strings.Join(texts, joined)
}

func (p *Profile) writeCSV(b *bytes.Buffer, reports []*Report) error {
	rows := make([][]string, 1+len(reports))
	for _, f := range p.all() {
		name := f.name
		if p.titles {
			name = f.title
		}
		rows[0] = append(rows[0], wording.Cell(name))
	}
	for i, r := range reports {
		for _, v := range slices.Concat(r.Values, r.Facets) {
			rows[i+1] = append(rows[i+1], wording.Cell(v.cell(p.joined)))
		}
	}
	return csv.NewWriter(b).WriteAll(rows)
}

// Headline says how much of the profile is filled in.
func (r *Report) Headline() string {
	text := fmt.Sprintf("%s: %d of %d fields, %d of %d required", r.Profile.ID, r.Filled(), len(r.Values), r.Given, r.Required)
	if n := len(r.Facets); n > 0 {
		text += fmt.Sprintf(", %d of %d facets", filled(r.Facets), n)
	}
	return text
}

// writeText writes all fields for people.
func (r *Report) writeText(b *bytes.Buffer) {
	t := r.Profile.Target
	fmt.Fprintf(b, "%s: %s\n", wording.Line(r.ID), r.Headline())
	if t.Checked != "" {
		fmt.Fprintf(b, "The profile was compared with %s on %s.\n", wording.Line(strings.TrimSpace(t.Name+" "+t.Version)), t.Checked)
	}
	if t.Superseded {
		b.WriteString("The target has a newer version.\n")
	}
	b.WriteString("This is a draft: check each value before you send it.\n\n")
	for _, v := range slices.Concat(r.Values, r.Facets) {
		mark := ""
		if v.Required {
			mark = " *"
		}
		value := "–"
		if !v.Empty() {
			value = v.cell("; ")
			if v.spec.auto {
				value = strings.Join(v.Texts, "; ")
			}
		}
		fmt.Fprintf(b, "%s%s\n    %s\n", wording.Line(v.Field), mark, strings.ReplaceAll(wording.Printable(value), "\n", "\n    "))
		if v.Origin != "" {
			fmt.Fprintf(b, "    ← %s\n", wording.Line(v.Origin))
		}
	}
	if len(r.Findings) > 0 {
		b.WriteByte('\n')
		for _, f := range r.Findings {
			fmt.Fprintf(b, "%s: %s: %s\n", wording.Line(f.Field), f.Kind, wording.Line(f.Message))
		}
	}
}
