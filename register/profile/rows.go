package profile

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// Row is an entry of the target of a profile.
type Row struct {
	values []rowValue // in the order of the entry
}

// rowValue is a value of an entry that is not empty.
type rowValue struct {
	field *field // nil if the profile has no such field
	outer *field // the list of objects that the field is in, or nil
	name  string // of the field, or its path in an object
	index int    // among the values of the field, or of the object that it is in
	text  string
	note  string // what a person should know of it
}

// Values returns the number of values that are not empty.
func (r *Row) Values() int { return len(r.values) }

// Rows reads entries of the target: a table if the name of the file ends with .csv, whose header has
// names or titles of fields; else JSON, one object or a list of objects. With facets, an entry is a
// list of two objects.
func (p *Profile) Rows(name string, text []byte) (rows []Row, err error) {
	text = bytes.TrimPrefix(text, []byte("\uFEFF"))
	if strings.EqualFold(path.Ext(name), ".csv") {
		rows, err = p.table(text)
	} else if doc, wrong := document.Parse(text); wrong != nil {
		err = wrong
	} else {
		rows, err = p.entries(doc.Root())
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

// entries returns the entries of a JSON file.
func (p *Profile) entries(v document.Value) ([]Row, error) {
	if row, ok := p.entry(v); ok {
		return []Row{row}, nil
	}
	if v.Kind() != '[' {
		return nil, errors.New("it must be an object, or a list of objects")
	}
	var rows []Row
	for one := range v.All() {
		row, ok := p.entry(one)
		if !ok {
			return nil, fmt.Errorf("entry %d must be an object", len(rows)+1)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// entry returns an entry: an object, or one with its facets.
func (p *Profile) entry(v document.Value) (row Row, ok bool) {
	objects := []document.Value{v}
	if v.Kind() == '[' && v.Len() == 2 && len(p.facets) > 0 {
		if objects = slices.Collect(v.All()); !p.isFacets(objects[1]) {
			return Row{}, false
		}
	}
	for _, object := range objects {
		if object.Kind() != '{' {
			return Row{}, false
		}
		for member := range object.All() {
			row.add(p.byName[member.Key()], member.Key(), member)
		}
	}
	return row, true
}

// isFacets reports whether an object has facets, and is not another entry.
func (p *Profile) isFacets(v document.Value) bool {
	return v.Len() == 0 || slices.ContainsFunc(p.facets, func(f *field) bool { _, ok := v.Get(f.name); return ok })
}

// add adds the values of a field: one, or those of a list. Objects come last.
func (r *Row) add(f *field, name string, v document.Value) {
	var texts []string
	objects := 0
	for item := range itemsIn(v) {
		texts = append(texts, textIn(item))
	}
	r.addTexts(f, name, texts)
	for item := range itemsIn(v) {
		if item.Kind() == '{' {
			r.addObject(&rowValue{field: f, name: name, index: objects}, item)
			objects++
		}
	}
}

// addTexts adds those that are not empty. In a group, empty ones count as well.
func (r *Row) addTexts(f *field, name string, texts []string) {
	index := 0
	for i, text := range texts {
		if f != nil && f.group != "" {
			index = i
		}
		if strings.TrimSpace(text) != "" {
			r.values = append(r.values, rowValue{field: f, name: name, index: index, text: text})
			index++
		}
	}
}

// addObject adds the members of an object that is a value, or in one.
func (r *Row) addObject(of *rowValue, object document.Value) {
	for member := range object.All() {
		v := rowValue{name: of.name + "." + member.Key(), index: of.index}
		if of.field != nil {
			for _, f := range of.field.fields {
				if f.name == member.Key() {
					v.field, v.outer = f, of.field
				}
			}
		}
		for item := range itemsIn(member) {
			if v.text = textIn(item); strings.TrimSpace(v.text) != "" {
				r.values = append(r.values, v)
			} else {
				r.addObject(&v, item)
			}
		}
	}
}

// itemsIn returns the items of a list, or the value itself.
func itemsIn(v document.Value) iter.Seq[document.Value] {
	if v.Kind() == '[' {
		return v.All()
	}
	return slices.Values([]document.Value{v})
}

// textIn returns a text, a number or a boolean as it is written, the JSON of a list, and "" for others.
func textIn(v document.Value) string {
	switch v.Kind() {
	case '"':
		return v.Text()
	case 'n', '{':
		return ""
	}
	return string(v.AppendCanonical(nil))
}

// table reads a table. Its header has names or titles of fields.
func (p *Profile) table(text []byte) (rows []Row, err error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	if len(records) == 0 {
		return nil, errors.New("the table is empty: it needs a header with the names of fields")
	}
	known := make(map[string]*field)
	for _, f := range p.all() {
		known[fold(f.title)] = f
	}
	for _, f := range p.all() {
		known[fold(f.name)] = f
	}
	for _, record := range records[1:] {
		var row Row
		for i, text := range record {
			name := fmt.Sprintf("column %d", i+1)
			if i < len(records[0]) && strings.TrimSpace(records[0][i]) != "" {
				name = formula(records[0][i])
			}
			if f := known[fold(name)]; f != nil {
				p.addCell(&row, f, formula(text))
			} else {
				row.addTexts(nil, wording.Plain(name), []string{formula(text)})
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// addCell adds the cell of a field: a list is JSON, or joined as the target does.
func (p *Profile) addCell(row *Row, f *field, text string) {
	if (f.many() || len(f.fields) > 0) && strings.HasPrefix(text, "[") {
		if doc, err := document.Parse([]byte(text)); err == nil {
			row.add(f, f.name, doc.Root())
			return
		}
	}
	texts := []string{text}
	if _, whole := f.choice(text); f.many() && p.joined != "" && !whole {
		texts = split(text, p.joined)
	}
	row.addTexts(f, f.name, texts)
}

// formula removes the apostrophe that keeps spreadsheets from evaluating a text.
func formula(text string) string {
	if strings.HasPrefix(text, "'") && wording.Cell(text[1:]) == text {
		return text[1:]
	}
	return text
}
