package translation

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// Table has a row for each element of a schema version, to translate and edit them in a spreadsheet.
//
// The columns are:
//
//	id, category_id, symbol_id, order                the position is empty for 0
//	status, max_placements, lead                     if an element has them
//	title:en, description:en, keywords:en            texts of each locale
//	authoring_guidance:en, example:1:en              if an element has them
//	variable:<id>:label:en                           variables of the element itself, not
//	variable:<id>:required                           those that it inherits from its category;
//	variable:<id>:type                               required is true or empty, type select or
//	variable:<id>:role                               empty for text
//	variable:<id>:option:<id>:label:en
//	variable:<id>:option:<id>:description:en
//	variable:<id>:option:<id>:applies_to             element ids, separated by spaces
//	mapping:<scheme>:<entry>                         the relation, such as close
//
// The table does not have notes of mappings, successors, sources and former ids. They stay as they
// are when a table is imported.
//
// A table is CSV as in RFC 4180, in UTF-8. Texts that a spreadsheet could take for a
// formula have an apostrophe before them, which is removed when the table is read.
type Table struct {
	// Columns are their names in order; the first is id.
	Columns []string
	Rows    []TableRow
	locales []string // of the version
}

// TableRow is an element.
type TableRow struct {
	ID string
	// Cells are the texts by column. An empty cell removes a value; a missing one leaves it as it
	// is.
	Cells map[string]string
	// Number is the number of a row that was read, as in a spreadsheet: the header is 1.
	Number int
}

// NewTable returns the table of a schema version. If locales are given, it has only the texts in those
// and in the first locale of the version, which is translated.
func NewTable(a *write.Authored, locales ...string) *Table {
	t := &Table{locales: a.Locales}
	shown := slices.DeleteFunc(slices.Clone(a.Locales), func(l string) bool {
		return len(locales) > 0 && l != a.Locales[0] && ident.IndexLocale(locales, l) < 0
	})
	used := newColumns(shown)
	for i := range a.Elements {
		e := &a.Elements[i]
		r := TableRow{ID: e.ID, Cells: map[string]string{"id": e.ID}}
		flatten(e, func(name, locale, value string) {
			if value != "" && (locale == "" || slices.Contains(shown, locale)) {
				r.Cells[name] = value
				used.add(name, locale)
			}
		})
		t.Rows = append(t.Rows, r)
	}
	t.Columns = used.all()
	return t
}

// flatten calls a function for each cell of an element, with its column, the locale of the column, and
// its value.
func flatten(e *taxonomy.Element, cell func(name, locale, value string)) {
	localized := func(prefix string, l taxonomy.Localized) {
		for _, t := range l {
			cell(prefix+":"+t.Locale, t.Locale, t.Value)
		}
	}
	for _, f := range elementFields() {
		switch v := reflect.ValueOf(e).Elem().FieldByIndex(f.Index); value := v.Interface().(type) {
		case taxonomy.Localized:
			localized(f.Name, value)
		case interface{ IsZero() bool }:
			if !value.IsZero() {
				cell(f.Name, "", v.String())
			}
		default:
			if !v.IsZero() {
				cell(f.Name, "", fmt.Sprint(value))
			}
		}
	}
	for i, l := range e.Examples {
		localized(fmt.Sprintf("example:%d", i+1), l)
	}
	for _, m := range e.Mappings {
		cell("mapping:"+m.Scheme+":"+m.ID, "", string(m.Relation))
	}
	for _, v := range e.Variables {
		prefix := "variable:" + v.ID
		localized(prefix+":label", v.Label)
		if v.Required {
			cell(prefix+":required", "", "true")
		}
		if v.Type == taxonomy.SelectVariable {
			cell(prefix+":type", "", string(v.Type))
		}
		cell(prefix+":role", "", string(v.Role))
		for _, o := range v.Options {
			at := prefix + ":option:" + o.ID
			localized(at+":label", o.Label)
			localized(at+":description", o.Description)
			cell(at+":applies_to", "", strings.Join(o.AppliesTo, " "))
		}
	}
}

// columns collects the columns that have values.
type columns struct {
	locales []string
	seen    map[string]bool
	// texts are the columns of texts, without their locales, and last those of variables and
	// mappings, each in the order of their first use. In last, those of texts end with a colon.
	texts, others, last []string
}

func newColumns(locales []string) *columns {
	c := &columns{locales: locales, seen: make(map[string]bool)}
	for _, name := range []string{"title", "description", "keywords"} {
		c.seen[name] = true
		c.texts = append(c.texts, name)
	}
	for _, name := range []string{"category_id", "symbol_id", "order"} {
		c.seen[name] = true
		c.others = append(c.others, name)
	}
	return c
}

func (c *columns) add(name, locale string) {
	base := strings.TrimSuffix(name, ":"+locale)
	if locale == "" {
		base = name
	}
	if c.seen[base] {
		return
	}
	c.seen[base] = true
	switch {
	case strings.HasPrefix(base, "variable:") && locale != "":
		c.last = append(c.last, base+":")
	case strings.HasPrefix(base, "variable:"), strings.HasPrefix(base, "mapping:"):
		c.last = append(c.last, base)
	case locale != "":
		c.texts = append(c.texts, base)
	default:
		c.others = append(c.others, base)
	}
}

// all returns the columns in order.
func (c *columns) all() []string {
	names := append([]string{"id"}, c.others...)
	for _, l := range c.locales {
		for _, base := range c.texts {
			names = append(names, base+":"+l)
		}
	}
	for _, base := range c.last {
		if !strings.HasSuffix(base, ":") {
			names = append(names, base)
			continue
		}
		for _, l := range c.locales {
			names = append(names, base+l)
		}
	}
	return names
}

// CSV returns the table as CSV with lines that end in CRLF (RFC 4180).
func (t *Table) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	record, hasText := make([]string, len(t.Columns)), make([]bool, len(t.Columns))
	for i, name := range t.Columns {
		c, err := parseColumn(name, t.locales)
		hasText[i] = err == nil && c.cell == textCell
	}
	if err := w.Write(t.Columns); err != nil {
		return nil, err
	}
	for _, r := range t.Rows {
		for i, name := range t.Columns {
			record[i] = r.Cells[name]
			if hasText[i] {
				record[i] = guard(record[i])
			}
		}
		if err := w.Write(record); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return b.Bytes(), w.Error()
}

// guard puts an apostrophe before a text that a spreadsheet would run as a formula, and
// before one that already looks guarded, so that [unguard] gives the text again.
func guard(s string) string {
	if isFormula(strings.TrimLeft(s, "'")) {
		return "'" + s
	}
	return s
}

func isFormula(s string) bool { return s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) }
