package translation

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/wording"
)

// maxBytes is the size limit of a table that is read.
const maxBytes = 256 << 20

// maxColumns limits the columns of a table.
const maxColumns = 20_000

// ReadTable reads a table from CSV: UTF-8, with or without a byte order mark, with commas,
// semicolons or tabs. Rows with findings are not in the table.
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

// readHeader returns the names of the columns. It ignores one that is there twice.
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

// readRow returns a row without the cells that the record does not have. An empty row has no cells.
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

// unguard removes the apostrophe.
func unguard(s string) string {
	if text, ok := strings.CutPrefix(s, "'"); ok && isFormula(strings.TrimLeft(s, "'")) {
		return text
	}
	return s
}

// lineBreaks returns the number of line breaks in cells.
func lineBreaks(record []string) (n int) {
	for _, cell := range record {
		n += strings.Count(cell, "\n")
	}
	return n
}

// delimiter returns the comma, semicolon or tab that is most frequent in the header, outside quotes.
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
