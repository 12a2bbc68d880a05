package translation

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/authoring/edit"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TableFinding is a problem in a table.
type TableFinding struct {
	// Row counts the rows as a spreadsheet does: the header is 1. Column is the name
	// of the column or "".
	Row    int    `json:"row"`
	Column string `json:"column,omitempty"`
	// Ignored means that the table can be imported nevertheless.
	Ignored bool   `json:"ignored,omitempty"`
	Message string `json:"message"`
}

// String returns where and what the problem is.
func (f TableFinding) String() string {
	at := fmt.Sprintf("row %d", f.Row)
	if f.Column != "" {
		at += ", column " + wording.Plain(f.Column)
	}
	return at + ": " + f.Message
}

// CellChange is one cell that differs.
type CellChange struct {
	ID     string `json:"id"`
	Column string `json:"column"`
	Old    string `json:"old"`
	New    string `json:"new"`
}

// TablePlan is what importing a table changes.
type TablePlan struct {
	Changes []CellChange
	// Added are the ids of new elements, and Removed of those that are missing in the table, with
	// [PlanOptions.Prune].
	Added, Removed []string

	source edit.Changes
	wanted *Table
}

// PlanOptions configure [Table.Plan]. Nil and the zero value mean the defaults.
type PlanOptions struct {
	// Prune removes elements that the table does not have.
	Prune bool
}

// Plan compares a table that was read with the one of a schema version from [NewTable]. Findings that
// are not ignored keep the table from being imported.
func (t *Table) Plan(now *Table, o *PlanOptions) (*TablePlan, []TableFinding) {
	p := &planner{plan: new(TablePlan), columns: make(map[string]column), now: make(map[string]TableRow, len(now.Rows))}
	p.readColumns(t, now.locales)
	for _, r := range now.Rows {
		p.now[r.ID] = r
	}
	present := make(map[string]bool, len(t.Rows))
	for _, r := range t.Rows {
		present[r.ID] = true
	}
	for id := range p.now {
		if !present[id] {
			p.missing = append(p.missing, id)
		}
	}
	slices.Sort(p.missing)
	for _, r := range t.Rows {
		p.row(t, r)
	}
	if o != nil && o.Prune {
		for _, r := range now.Rows {
			if !present[r.ID] {
				p.plan.Removed = append(p.plan.Removed, r.ID)
			}
		}
	}
	p.plan.source.Add, p.plan.source.Remove = p.plan.Added, p.plan.Removed
	p.plan.wanted = t
	return p.plan, p.found
}

type planner struct {
	plan    *TablePlan
	columns map[string]column
	now     map[string]TableRow
	missing []string // the elements without a row
	found   []TableFinding
}

// readColumns reads the names of the columns and reports unknown ones.
func (p *planner) readColumns(t *Table, locales []string) {
	for _, name := range t.Columns {
		if name == "id" || name == "" {
			continue
		}
		c, err := parseColumn(name, locales)
		if err != nil {
			p.found = append(p.found, TableFinding{Row: 1, Column: name, Message: err.Error(), Ignored: errors.Is(err, errUnknownColumn)})
			continue
		}
		p.columns[name] = c
	}
}

// row compares a row with the element.
func (p *planner) row(t *Table, r TableRow) {
	now, known := p.now[r.ID]
	if !known && !p.add(r) {
		return
	}
	for _, name := range t.Columns {
		c, isColumn := p.columns[name]
		cell, isThere := r.Cells[name]
		if !isColumn || !isThere || c.equal(cell, now.Cells[name]) {
			continue
		}
		value, err := c.value(cell)
		if err != nil {
			p.found = append(p.found, TableFinding{Row: r.Number, Column: name, Message: err.Error()})
			continue
		}
		if known {
			p.plan.Changes = append(p.plan.Changes, CellChange{r.ID, name, now.Cells[name], cell})
		}
		p.plan.source.Set = append(p.plan.source.Set, edit.Change{Kind: source.KindElement, ID: r.ID, Path: c.path, Value: value})
	}
}

// add adds a new element. In a row without both fields that every element has, the id may be
// misspelled.
func (p *planner) add(r TableRow) bool {
	required := []string{"category_id", "symbol_id"}
	missing := slices.DeleteFunc(slices.Clone(required), func(name string) bool { return strings.TrimSpace(r.Cells[name]) != "" })
	switch {
	case len(missing) > 0:
		message := "the version has no element " + wording.Quote(r.ID) + "; a new one needs " + wording.And(missing)
		if near := similar.Nearest(r.ID, maps.Keys(p.now)); near != "" && len(missing) == len(required) {
			message += "; if " + near + " is meant, write that"
		}
		p.found = append(p.found, TableFinding{Row: r.Number, Column: "id", Message: message})
	case !ident.IsElementID(r.ID):
		p.found = append(p.found, TableFinding{Row: r.Number, Column: "id", Message: wording.Quote(r.ID) + " is not a valid id: use letters, digits, _ and -"})
	default:
		if near := similar.Nearest(r.ID, slices.Values(p.missing)); near != "" {
			p.found = append(p.found, TableFinding{Row: r.Number, Column: "id", Message: "this is a new element; if " + near + " is meant, write that", Ignored: true})
		}
		p.plan.Added = append(p.plan.Added, r.ID)
		return true
	}
	return false
}

// Source returns the changes of the source.
func (p *TablePlan) Source() *edit.Changes { return &p.source }

// Empty reports whether nothing changes.
func (p *TablePlan) Empty() bool {
	return len(p.source.Set) == 0 && len(p.Added) == 0 && len(p.Removed) == 0
}

// Finding returns the place in the table that an issue of the changed source is about, if the table has
// it. The edits are those of [TablePlan.Source].
func (p *TablePlan) Finding(edits source.Edits, i issue.Issue) (TableFinding, bool) {
	v, unreadable := source.ParseValue(i.Position.File, edits[i.Position.File])
	if unreadable != nil {
		return TableFinding{}, false
	}
	id, _ := v.Get("id").Text()
	var column []string
	for _, s := range i.Path {
		n, isIndex := s.IsIndex()
		if !isIndex {
			v = v.Get(s.Name())
			switch key := s.Name(); key {
			case "variables", "options", "examples", "mappings":
				column = append(column, strings.TrimSuffix(key, "s"))
			case "locale", "value": // of a text in the list form
			default:
				column = append(column, key)
			}
			continue
		}
		items := slices.Collect(v.Items())
		if n >= len(items) {
			return TableFinding{}, false
		}
		v = items[n]
		itemID, hasID := v.Get("id").Text()
		if scheme, ok := v.Get("scheme").Text(); ok {
			column = append(column, scheme)
		}
		locale, hasLocale := v.Get("locale").Text()
		switch {
		case id == "":
			id = itemID // of a list of elements
		case hasID:
			column = append(column, itemID)
		case hasLocale:
			column = append(column, locale)
		default:
			column = append(column, strconv.Itoa(n+1))
		}
	}
	row := slices.IndexFunc(p.wanted.Rows, func(r TableRow) bool { return r.ID == id })
	if row < 0 {
		return TableFinding{}, false
	}
	f := TableFinding{Row: p.wanted.Rows[row].Number, Message: strings.TrimSuffix(i.Message, ".")}
	if i.FixHint != "" {
		f.Message += "; " + i.FixHint
	}
	name := strings.ToLower(strings.Join(column, ":")) + ":"
	for _, c := range p.wanted.Columns {
		// The issue may be about a part of the cell, or about all texts of a field.
		if have := strings.ToLower(c) + ":"; len(column) > 0 && c != "" && (strings.HasPrefix(have, name) || strings.HasPrefix(name, have)) {
			f.Column = c
			break
		}
	}
	return f, true
}

// numbered returns cells with their examples numbered without gaps, as in a list.
func numbered(cells map[string]string) map[string]string {
	byNumber := make(map[int]map[string]string)
	all := make(map[string]string, len(cells))
	for name, cell := range cells {
		column, isExample := strings.CutPrefix(name, "example:")
		digits, locale, _ := strings.Cut(column, ":")
		n, err := strconv.Atoi(digits)
		switch {
		case !isExample || err != nil:
			all[name] = cell
		case strings.TrimSpace(cell) == "":
		case byNumber[n] == nil:
			byNumber[n] = map[string]string{locale: cell}
		default:
			byNumber[n][locale] = cell
		}
	}
	for i, n := range slices.Sorted(maps.Keys(byNumber)) {
		for locale, cell := range byNumber[n] {
			all[fmt.Sprintf("example:%d:%s", i+1, locale)] = cell
		}
	}
	return all
}

// Order returns a finding if the elements of a category are in another order in the table than they
// are after the changes: rows have no order of their own.
func (p *TablePlan) Order(after *Table) (TableFinding, bool) {
	last := make(map[string]TableRow) // of each category
	at := make(map[string]int, len(after.Rows))
	for i, r := range after.Rows {
		at[r.ID] = i
	}
	for _, r := range p.wanted.Rows {
		i, ok := at[r.ID]
		if !ok {
			continue
		}
		category := after.Rows[i].Cells["category_id"]
		if before, ok := last[category]; ok && i < at[before.ID] {
			return TableFinding{Row: r.Number, Ignored: true, Message: fmt.Sprintf(
				"the order of rows is not imported: %s comes before %s, since the elements of a category are sorted by order, then by id; number them in the column order", r.ID, before.ID)}, true
		}
		last[category] = r
	}
	return TableFinding{}, false
}

// Check returns an error unless the source after the changes has what the table says, and
// everything else as before.
func (p *TablePlan) Check(before, after *Table) error {
	got := make(map[string]TableRow, len(after.Rows))
	for _, r := range after.Rows {
		got[r.ID] = r
	}
	want := make(map[string]map[string]string, len(got))
	for _, r := range before.Rows {
		if !slices.Contains(p.Removed, r.ID) {
			want[r.ID] = maps.Clone(r.Cells)
		}
	}
	for _, r := range p.wanted.Rows {
		if want[r.ID] == nil {
			want[r.ID] = map[string]string{"id": r.ID}
		}
		for name, cell := range r.Cells {
			if _, err := parseColumn(name, before.locales); err == nil {
				want[r.ID][name] = cell
			}
		}
	}
	for id, cells := range want {
		want[id] = numbered(cells)
	}
	for id, cells := range want {
		of := "table: "
		if i := slices.IndexFunc(p.wanted.Rows, func(r TableRow) bool { return r.ID == id }); i >= 0 {
			of += fmt.Sprintf("row %d: ", p.wanted.Rows[i].Number)
		}
		for _, name := range slices.Sorted(maps.Keys(cells)) {
			c, err := parseColumn(name, before.locales)
			if err == nil && !c.equal(got[id].Cells[name], cells[name]) {
				return fmt.Errorf("%s%s of %s can't be changed automatically: edit the file by hand", of, name, id)
			}
		}
		for name, cell := range got[id].Cells {
			if _, known := cells[name]; !known && cell != "" {
				return fmt.Errorf("%s%s of %s would change, too: edit the file by hand", of, name, id)
			}
		}
	}
	if len(got) != len(want) {
		return errors.New("table: other elements would be added or removed: edit the files by hand")
	}
	return nil
}
