package translation

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Table has the elements of a schema version, one row an element, so that people can
// translate and edit them in a spreadsheet.
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
// Notes of mappings, successors, sources and former ids of elements are not part of the
// table and are kept as they are when a table is imported.
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
	// Cells are the texts by column. A column that is not there is not said
	// anything about; an empty cell is no value.
	Cells map[string]string
	// Number is that of the row in the table that was read, as a spreadsheet counts:
	// the header is 1.
	Number int
}

// NewTable returns the table of a schema version. With locales, it has only the texts in
// those, and in the first locale of the version, which they are translated from.
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

// flatten calls a function for each cell of an element: with its column, the locale of
// that, and the value.
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

// columns collects the columns that are used.
type columns struct {
	locales []string
	seen    map[string]bool
	// byLocale are the columns of texts, without locale, and others the rest, each
	// in the order of their first use.
	texts, others, late []string
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
		c.late = append(c.late, base+":")
	case strings.HasPrefix(base, "variable:"), strings.HasPrefix(base, "mapping:"):
		c.late = append(c.late, base)
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
	for _, base := range c.late {
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

// CSV returns the table as CSV with lines that end in CRLF, as RFC 4180 wants it.
func (t *Table) CSV() ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	w.UseCRLF = true
	record := make([]string, len(t.Columns))
	if err := w.Write(t.Columns); err != nil {
		return nil, err
	}
	for _, r := range t.Rows {
		for i, name := range t.Columns {
			record[i] = r.Cells[name]
			if c, err := parseColumn(name, t.locales); err == nil && c.cell == textCell {
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

// unguard removes the apostrophe.
func unguard(s string) string {
	if rest, ok := strings.CutPrefix(s, "'"); ok && isFormula(strings.TrimLeft(s, "'")) {
		return rest
	}
	return s
}

func isFormula(s string) bool { return s != "" && strings.ContainsRune("=+-@\t\r\n", rune(s[0])) }

// cellType is the form of the cells of a column.
type cellType int

const (
	textCell cellType = iota
	intCell
	boolCell
	idsCell
)

// column is what the name of a column means.
type column struct {
	path []edit.Step
	cell cellType
}

// elementFields are the fields of an element that are columns of their own: words,
// integers, true or false, and texts with a column for each locale. Columns of other fields have their
// own form.
var elementFields = sync.OnceValue(func() []jsonfields.Field {
	list, _ := jsonfields.Of(reflect.TypeFor[taxonomy.Element]())
	return slices.DeleteFunc(slices.Clone(list), func(f jsonfields.Field) bool {
		return f.Name == "id" || f.Type.Kind() != reflect.String && f.Type.Kind() != reflect.Int && f.Type.Kind() != reflect.Bool && f.Type != reflect.TypeFor[taxonomy.Localized]()
	})
})

// errUnknownColumn is returned for a column that is not part of the table, such as one
// for remarks.
type errUnknownColumn struct{}

func (errUnknownColumn) Error() string { return "unknown column, which is ignored" }

// parseColumn returns what the name of a column means.
func parseColumn(name string, locales []string) (column, error) {
	parts := strings.Split(name, ":")
	kind := reflect.Invalid
	if i := slices.IndexFunc(elementFields(), func(f jsonfields.Field) bool { return f.Name == parts[0] }); i >= 0 {
		kind = elementFields()[i].Type.Kind()
	}
	key := func(k string) edit.Step { return edit.Step{Key: k} }
	localized := func(path []edit.Step, locale string) (column, error) {
		i := ident.IndexLocale(locales, locale)
		if i < 0 {
			return column{}, fmt.Errorf("the version has no locale %s: write %s, or add it to locales in the schema file", wording.Quote(locale), wording.Or(locales))
		}
		return column{append(path, edit.Step{Locale: locales[i]}), textCell}, nil
	}
	switch n := len(parts); {
	case n == 1 && kind == reflect.String:
		return column{[]edit.Step{key(name)}, textCell}, nil
	case n == 1 && kind == reflect.Int:
		return column{[]edit.Step{key(name)}, intCell}, nil
	case n == 1 && kind == reflect.Bool:
		return column{[]edit.Step{key(name)}, boolCell}, nil
	case n == 2 && kind == reflect.Slice:
		return localized([]edit.Step{key(parts[0])}, parts[1])
	case n == 3 && parts[0] == "example":
		number, err := strconv.Atoi(parts[1])
		if err != nil || number < 1 || number > 1000 {
			return column{}, errUnknownColumn{}
		}
		return localized([]edit.Step{key("examples"), {Number: number}}, parts[2])
	case n >= 3 && parts[0] == "mapping" && ident.IsID(parts[1]) && strings.TrimSpace(strings.Join(parts[2:], ":")) != "":
		entry := edit.Step{Scheme: parts[1], ID: strings.TrimSpace(strings.Join(parts[2:], ":"))}
		return column{[]edit.Step{key("mappings"), entry, key("relation")}, textCell}, nil
	case n < 3 || parts[0] != "variable" || !ident.IsID(parts[1]):
		return column{}, errUnknownColumn{}
	}
	path := []edit.Step{key("variables"), {ID: parts[1]}}
	rest := parts[2:]
	switch {
	case len(rest) == 2 && rest[0] == "label":
		return localized(append(path, key("label")), rest[1])
	case len(rest) == 1 && rest[0] == "required":
		return column{append(path, key("required")), boolCell}, nil
	case len(rest) == 1 && (rest[0] == "type" || rest[0] == "role"):
		return column{append(path, key(rest[0])), textCell}, nil
	case len(rest) < 3 || rest[0] != "option" || !ident.IsID(rest[1]):
		return column{}, errUnknownColumn{}
	}
	path = append(path, key("options"), edit.Step{ID: rest[1]})
	switch {
	case len(rest) == 4 && (rest[2] == "label" || rest[2] == "description"):
		return localized(append(path, key(rest[2])), rest[3])
	case len(rest) == 3 && rest[2] == "applies_to":
		return column{append(path, key("applies_to")), idsCell}, nil
	}
	return column{}, errUnknownColumn{}
}

// value returns what a cell says, or nil if it is empty.
func (c column) value(cell string) (any, error) {
	trimmed := strings.TrimSpace(cell)
	switch {
	case trimmed == "":
		return nil, nil
	case c.cell == intCell:
		n, err := strconv.Atoi(trimmed)
		if err != nil {
			return nil, fmt.Errorf("%s is not an integer", wording.Quote(trimmed))
		}
		return n, nil
	case c.cell == boolCell:
		switch strings.ToLower(trimmed) {
		case "true":
			return true, nil
		case "false":
			return nil, nil
		}
		return nil, fmt.Errorf("%s is not true or false", wording.Quote(trimmed))
	case c.cell == idsCell:
		return strings.Fields(trimmed), nil
	}
	return cell, nil
}

// same reports whether two cells say the same: line breaks are as spreadsheets write
// them, and values that are not texts are compared as values.
func (c column) same(a, b string) bool {
	if c.cell == textCell {
		return normal(a) == normal(b)
	}
	x, errX := c.value(a)
	y, errY := c.value(b)
	return errX == nil && errY == nil && fmt.Sprint(x) == fmt.Sprint(y)
}

// normal returns a text without the carriage returns that CSV does not keep.
func normal(s string) string { return strings.ReplaceAll(s, "\r", "") }

// maxBytes is the size limit of a table that is read.
const maxBytes = 256 << 20

// maxColumns limits the columns of a table.
const maxColumns = 20_000

// ReadTable reads a table from CSV: UTF-8, with or without a byte order mark, with commas,
// semicolons or tabs. The findings say what is wrong with its form; it returns a table
// with the rows that it could read all the same.
func ReadTable(text []byte) (*Table, []TableFinding) {
	t := new(Table)
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	switch {
	case len(text) > maxBytes:
		return t, []TableFinding{{Row: 1, Message: fmt.Sprintf("the table is larger than %d bytes", maxBytes)}}
	case !utf8.Valid(text):
		return t, []TableFinding{{Row: 1, Message: "the table is not UTF-8: save it as CSV UTF-8"}}
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma = delimiter(text)
	r.FieldsPerRecord = -1
	header, err := r.Read()
	if err != nil {
		return t, []TableFinding{unreadable(err, "the table is empty", 0)}
	}
	breaks := lineBreaks(header) // in cells so far: a row may have several lines
	var found []TableFinding
	header, found = readHeader(header)
	t.Columns = header
	if !slices.Contains(header, "id") {
		return t, append(found, TableFinding{Row: 1, Message: "there is no column id"})
	}
	seen := make(map[string]int)
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			return t, found
		}
		if err != nil {
			return t, append(found, unreadable(err, "", breaks))
		}
		number, _ := r.FieldPos(0)
		number -= breaks
		breaks += lineBreaks(record)
		row, finding := readRow(header, record, number)
		first, twice := seen[row.ID]
		switch {
		case finding != nil:
			found = append(found, *finding)
		case row.Cells == nil: // an empty row
		case twice:
			found = append(found, TableFinding{Row: number, Column: "id", Message: fmt.Sprintf("%s is in row %d already", wording.Quote(row.ID), first)})
		default:
			seen[row.ID] = number
			t.Rows = append(t.Rows, row)
		}
	}
}

// readHeader returns the names of the columns. One that is there twice is ignored.
func readHeader(header []string) ([]string, []TableFinding) {
	var found []TableFinding
	if len(header) > maxColumns {
		found = append(found, TableFinding{Row: 1, Message: fmt.Sprintf("there are more than %d columns", maxColumns)})
		header = header[:maxColumns]
	}
	names := make([]string, len(header))
	seen := make(map[string]bool, len(header))
	for i, name := range header {
		name = strings.TrimSpace(unguard(name))
		if name != "" && seen[name] {
			found = append(found, TableFinding{Row: 1, Column: name, Message: "the column is there twice"})
			continue
		}
		seen[name] = true
		names[i] = name
	}
	return names, found
}

// readRow returns a row. Cells that the record does not have are not part of it.
func readRow(header, record []string, number int) (TableRow, *TableFinding) {
	r := TableRow{Number: number}
	empty := true
	cells := make(map[string]string, len(record))
	for i, cell := range record {
		empty = empty && strings.TrimSpace(cell) == ""
		if i < len(header) && header[i] != "" {
			cells[header[i]] = unguard(cell)
		}
	}
	if empty {
		return r, nil
	}
	if r.ID = strings.TrimSpace(cells["id"]); r.ID == "" {
		return r, &TableFinding{Row: number, Column: "id", Message: "the row has no id"}
	}
	r.Cells = cells
	return r, nil
}

// lineBreaks returns the number of line breaks in cells.
func lineBreaks(record []string) (n int) {
	for _, cell := range record {
		n += strings.Count(cell, "\n")
	}
	return n
}

// delimiter returns what separates the columns of the header: the character that is
// there most often outside quotes.
func delimiter(text []byte) rune {
	count := map[rune]int{}
	quoted := false
	for _, c := range string(text[:min(len(text), 1<<20)]) {
		if c == '"' {
			quoted = !quoted
		}
		if c == '\n' && !quoted {
			break
		}
		if !quoted {
			count[c]++
		}
	}
	best := ','
	for _, c := range ";\t" {
		if count[c] > count[best] {
			best = c
		}
	}
	return best
}

// unreadable returns the finding for a table that is not CSV.
func unreadable(err error, empty string, breaks int) TableFinding {
	if errors.Is(err, io.EOF) {
		return TableFinding{Row: 1, Message: empty}
	}
	if e, ok := errors.AsType[*csv.ParseError](err); ok {
		return TableFinding{Row: e.StartLine - breaks, Message: "the table is not CSV: " + e.Err.Error()}
	}
	return TableFinding{Row: 1, Message: err.Error()}
}
