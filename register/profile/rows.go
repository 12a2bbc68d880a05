package profile

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
)

// Row is an entry of a target: the values of its fields, in order.
type Row struct {
	cells []cell
}

// cell is a field of an entry with its values, or objects with fields of their own.
type cell struct {
	name  string
	texts []string
	items []Row
}

// Values returns the number of values that are not empty.
func (r *Row) Values() (n int) {
	for _, c := range r.cells {
		for _, text := range c.texts {
			if strings.TrimSpace(text) != "" {
				n++
			}
		}
		for i := range c.items {
			n += c.items[i].Values()
		}
	}
	return n
}

// maxNesting is that of objects and lists in an entry.
const maxNesting = 20

// Rows reads entries of the target: a table if the name of the file ends with .csv, whose header has
// names or titles of fields; else JSON, one object or a list of objects. With facets, an entry is a
// list of two objects.
func (p *Profile) Rows(name string, text []byte) ([]Row, error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if strings.EqualFold(path.Ext(name), ".csv") {
		return p.table(text)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	v, err := readValue(d, 0)
	if err == nil {
		if _, end := d.Token(); !errors.Is(end, io.EOF) {
			err = errors.New("there is more than one value")
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	rows, err := p.entries(v)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

// object is a JSON object whose members keep their order, also those with the same name.
type object []struct {
	name  string
	value any
}

// readValue reads a value: an object, a list, or a text as it is written.
func readValue(d *json.Decoder, depth int) (any, error) {
	token, err := d.Token()
	if err != nil {
		return nil, fmt.Errorf("the JSON can't be read: %w", err)
	}
	if depth > maxNesting {
		return nil, fmt.Errorf("the JSON is nested more than %d levels deep", maxNesting)
	}
	switch token {
	case json.Delim('{'):
		o := object{}
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, fmt.Errorf("the JSON can't be read: %w", err)
			}
			value, err := readValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			o = append(o, struct {
				name  string
				value any
			}{name.(string), value}) //nolint:errcheck,forcetypeassert // the name of a member
		}
		_, err = d.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for d.More() {
			value, err := readValue(d, depth+1)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		_, err = d.Token()
		return list, err
	case nil:
		return "", nil
	}
	return fmt.Sprint(token), nil
}

// entries returns the entries of a JSON file.
func (p *Profile) entries(v any) ([]Row, error) {
	if row, ok := p.entry(v); ok {
		return []Row{row}, nil
	}
	list, ok := v.([]any)
	if !ok {
		return nil, errors.New("it must be an object, or a list of objects")
	}
	var rows []Row
	for i, one := range list {
		row, ok := p.entry(one)
		if !ok {
			return nil, fmt.Errorf("entry %d must be an object", i+1)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// entry returns an entry: an object, or one with its facets.
func (p *Profile) entry(v any) (Row, bool) {
	if o, ok := v.(object); ok {
		return o.row(), true
	}
	pair, ok := v.([]any)
	if !ok || len(pair) != 2 || len(p.facets) == 0 {
		return Row{}, false
	}
	fields, one := pair[0].(object)
	facets, two := pair[1].(object)
	isFacets := slices.ContainsFunc(p.facets, func(f *field) bool {
		return slices.ContainsFunc(facets.row().cells, func(c cell) bool { return c.name == f.name })
	})
	if !one || !two || len(facets) > 0 && !isFacets {
		return Row{}, false
	}
	return append(slices.Clone(fields), facets...).row(), true
}

func (o object) row() Row {
	var r Row
	for _, m := range o {
		c := cell{name: m.name}
		list, ok := m.value.([]any)
		if !ok {
			list = []any{m.value}
		}
		for _, one := range list {
			switch one := one.(type) {
			case string:
				c.texts = append(c.texts, one)
			case object:
				c.items = append(c.items, one.row())
			default:
				text, _ := json.Marshal(one) // which was decoded
				c.texts = append(c.texts, string(text))
			}
		}
		r.cells = append(r.cells, c)
	}
	return r
}

// MarshalJSON keeps the order of the members.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		name, _ := json.Marshal(m.name)
		value, err := json.Marshal(m.value)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// table reads a table. Its header has names or titles of fields.
func (p *Profile) table(text []byte) ([]Row, error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, errors.New("the table is empty: it needs a header with the names of fields")
	}
	byTitle := make(map[string]*field)
	for _, f := range p.all() {
		byTitle[fold(f.title)] = f
	}
	for _, f := range p.all() {
		byTitle[fold(f.name)] = f
	}
	var rows []Row
	for _, record := range records[1:] {
		var row Row
		for i, text := range record {
			text = formula(text)
			name := fmt.Sprintf("column %d", i+1)
			if i < len(records[0]) && strings.TrimSpace(records[0][i]) != "" {
				name = formula(records[0][i])
			}
			f := byTitle[fold(name)]
			if f == nil {
				row.cells = append(row.cells, cell{name: wording.Plain(name), texts: []string{text}})
				continue
			}
			row.cells = append(row.cells, p.cell(f, text))
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// cell reads the cell of a field: a list is JSON, or joined as the target does.
func (p *Profile) cell(f *field, text string) cell {
	if (f.many() || len(f.fields) > 0) && strings.HasPrefix(text, "[") {
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		if v, err := readValue(d, 0); err == nil {
			if _, end := d.Token(); errors.Is(end, io.EOF) {
				return object{{f.name, v}}.row().cells[0]
			}
		}
	}
	if _, whole := f.choice(text); f.many() && p.joined != "" && !whole {
		var texts []string
		for part := range strings.SplitSeq(text, strings.TrimSpace(p.joined)) {
			texts = append(texts, strings.TrimSpace(part))
		}
		return cell{name: f.name, texts: texts}
	}
	return cell{name: f.name, texts: []string{text}}
}

// formula removes the apostrophe that keeps spreadsheets from evaluating a text.
func formula(text string) string {
	if strings.HasPrefix(text, "'") && wording.Cell(text[1:]) == text {
		return text[1:]
	}
	return text
}
