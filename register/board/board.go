// Package board puts documents side by side: a row for each point of their summaries and, if all have
// the same datachain type, one for each category. Package pages/boardpage writes it as HTML.
//
// # Experimental
//
// This package may change in a minor version.
package board

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// A [Board] has from Min to Max documents.
const (
	Min = 2
	Max = 6
)

// Board is some documents side by side, in one language: a row for each point of their
// summaries and, if all have the same datachain type, one for each category.
type Board struct {
	Locale  string   `json:"locale"`
	Columns []Column `json:"columns"`
	Rows    []Row    `json:"rows"`
}

// Column is a document of a board.
type Column struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Version string `json:"schema_version"`

	// NotedTitle is the title with notes of [phrases.Chooser], for pages.
	NotedTitle string `json:"-"`
}

// Row is what the documents say about one thing.
type Row struct {
	// Role is that of a point of the summary; Category is the id of a category.
	Role     taxonomy.Role `json:"role,omitempty"`
	Category string        `json:"category,omitempty"`
	Name     string        `json:"name"`
	Cells    []Cell        `json:"cells"` // as many as columns
	// Differs reports that the cells do not all say the same.
	Differs bool `json:"differs"`

	// NotedName is the name with notes, for pages. Repeats reports that rows above say all of it, and
	// LinesDiffer that the cells do not all have the same lines.
	NotedName            string `json:"-"`
	Repeats, LinesDiffer bool   `json:"-"`
}

// Cell is what one document says.
type Cell struct {
	Text string `json:"text"`
	// Color is that of the context, #RRGGBB, or "".
	Color string `json:"color,omitempty"`
	// State is not_said if the document says nothing, and not_known if its schema version does not
	// mark what would say it, so that only its page tells; Text says so.
	State summary.State `json:"state"`

	// Level, Lines and Remark are what pages show instead of Text, with notes: a context value or nil,
	// a line for each thing, and how to reach whom or what is done against a risk. Lines leave out
	// what rows above say of the same placement. Repeats reports that they say all of it.
	Level   *Level   `json:"-"`
	Lines   []string `json:"-"`
	Remark  string   `json:"-"`
	Repeats bool     `json:"-"`

	key      string // equal for cells that say the same
	linesKey string // equal for cells with the same lines
}

// Absent reports whether the cell has nothing that the document says.
func (c Cell) Absent() bool { return c.State == summary.NotSaid || c.State == summary.NotKnown }

// Level is a context value, with those that it is one of.
type Level struct {
	Context *taxonomy.Context
	Value   *taxonomy.ContextValue
	Label   string
}

// New compares documents. The locale is the wanted language; roles are for schema
// versions without any, by datachain type, and can be nil. It fails if the context ends.
func New(ctx context.Context, list []*datachain.Presentation, locale string, roles map[string]*summary.Roles) (*Board, error) {
	if len(list) < Min || len(list) > Max {
		return nil, fmt.Errorf("a board compares %d to %d documents, not %d", Min, Max, len(list))
	}
	b := builder{list: list, told: make(map[*taxonomy.Placement]map[string]bool)}
	var there []string
	for _, p := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		typ := p.Datachain.SchemaSnapshot.DatachainType.ID
		b.types = append(b.types, typ)
		entries, of := summary.Entries(p.Datachain, p.Release, roles[typ])
		b.entries, b.summaries = append(b.entries, entries), append(b.summaries, of)
		there = append(there, p.Locales()...)
	}
	if i18n.Same(phrases.In(locale).Lang, locale) {
		there = append(there, locale) // whatever the documents have, the headings can be in it
	}
	b.texts = phrases.NewChooser(there, locale).Noting()
	b.board.Locale = b.texts.Locale
	for _, p := range list {
		title := cmp.Or(b.pick(p.Datachain.Title), p.Datachain.ID)
		b.board.Columns = append(b.board.Columns, Column{ID: p.Datachain.ID, Title: phrases.Plain(title), Version: p.Datachain.SchemaVersion, NotedTitle: title})
	}
	if err := b.points(ctx); err != nil {
		return nil, err
	}
	// Categories of different taxonomies have nothing to do with one another.
	if len(slices.Compact(slices.Clone(b.types))) == 1 {
		if err := b.categories(ctx); err != nil {
			return nil, err
		}
	}
	return &b.board, nil
}

type builder struct {
	list      []*datachain.Presentation
	types     []string
	texts     phrases.Chooser
	entries   [][]summary.Entry
	summaries []*summary.Summary
	told      map[*taxonomy.Placement]map[string]bool // texts in the rows of the summaries
	board     Board
}

// tell notes texts about a placement that a row has.
func (b *builder) tell(p *taxonomy.Placement, texts ...string) {
	if b.told[p] == nil {
		b.told[p] = make(map[string]bool)
	}
	for _, text := range texts {
		b.told[p][phrases.Plain(text)] = true
	}
}

// pick returns a text in the language of the board, or else in another, with a note.
func (b *builder) pick(l taxonomy.Localized) string {
	text, _ := b.texts.Pick(l)
	return i18n.Clean(text)
}

// points adds the rows of the summaries.
func (b *builder) points(ctx context.Context) error {
	for _, role := range []taxonomy.Role{
		codes.RolePurpose, codes.RoleData, codes.RoleDecision, codes.RoleRisk, codes.RoleAccountable, codes.RoleRights,
	} {
		words := phrases.In(b.texts.Locale)
		row, name := Row{Role: role}, words.Highest[role]
		known := false
		for _, s := range b.summaries {
			if err := ctx.Err(); err != nil {
				return err
			}
			state := s.State(role)
			known = known || state != summary.NotKnown
			if state != summary.Said {
				row.Cells = append(row.Cells, b.absent(state))
				continue
			}
			p, _ := s.Point(role)
			if !p.AtMost { // it is the highest value of other columns alone
				name = ""
			}
			row.Cells = append(row.Cells, b.point(p))
		}
		if known {
			b.add(row, b.texts.Note(cmp.Or(name, words.Headings[role]), words.Lang))
		}
		if role == codes.RoleData {
			b.retention()
		}
	}
	return nil
}

// maxPurposes is how many purposes the row of the summaries has; that of the category has all others.
const maxPurposes = 2

// point is what a document says in a point of its summary.
func (b *builder) point(p *summary.Point) Cell {
	point := phrases.NewPoint(p, &b.texts)
	cell := newCell(point.Text(), point.Entries)
	cell.Remark = cmp.Or(point.Contact, point.Safeguard)
	if more := len(point.Entries) - maxPurposes; p.Role == codes.RolePurpose && more > 0 {
		words := phrases.In(b.texts.Locale)
		cell.Lines = append(slices.Clone(point.Entries[:maxPurposes]), b.texts.Note(fmt.Sprintf(words.More, more), words.Lang))
		point.Entries = point.Entries[:maxPurposes]
	}
	if point.Level != "" {
		cell.Color = p.Context.Color
		cell.Level = &Level{&p.Category.Context, p.Context, cmp.Or(b.pick(p.Context.Label), i18n.Clean(p.Context.ID))}
	}
	for i, text := range point.Entries {
		placed := p.Entries[i].Placement
		b.tell(placed, text)
		if cell.Level != nil && (p.AtMost || i == 0) {
			b.tell(placed, cell.Level.Label)
		}
		if i == 0 {
			b.tell(placed, point.Contact, point.Safeguard)
		}
	}
	return cell
}

// absent is a cell of a document that says nothing, or whose page one has to see.
func (b *builder) absent(state summary.State) Cell {
	words := phrases.In(b.texts.Locale)
	text := words.NotSaid
	if state == summary.NotKnown {
		text = words.SeePage
	}
	cell := newCell(text, []string{b.texts.Note(text, words.Lang)})
	cell.State = state
	return cell
}

// newCell returns a cell with a text and lines, which have notes, and say the same as others with that text.
func newCell(text string, lines []string) Cell {
	text = phrases.Plain(text)
	return Cell{Text: text, State: summary.Said, key: text, linesKey: text, Lines: lines}
}

// retention adds a row for how long data is kept, if a document says that: what it places in
// categories about that or about where data is kept, and other periods.
func (b *builder) retention() {
	phrase := phrases.In(b.texts.Locale)
	row := Row{Role: codes.RoleRetention}
	said := false
	for column, entries := range b.entries {
		var periods []string
		for i := range entries {
			e := &entries[i]
			if e.Element == nil || e.Role != codes.RoleRetention && e.Role != codes.RoleStorage && len(e.Period) == 0 {
				continue
			}
			text := cmp.Or(b.pick(e.Name), b.pick(e.Element.Title))
			period := b.pick(e.Period)
			b.tell(e.Placement, text, period)
			if period != "" {
				text += ": " + period
			}
			periods = append(periods, text)
		}
		cell := newCell(strings.Join(periods, "; "), periods)
		if len(periods) == 0 {
			cell = b.absent(b.retentionState(column))
		}
		said = said || len(periods) > 0
		row.Cells = append(row.Cells, cell)
	}
	if said {
		b.add(row, b.texts.Note(phrase.Headings[codes.RoleRetention], phrase.Lang))
	}
}

// retentionState is the state of a document that does not say how long data is kept.
func (b *builder) retentionState(column int) summary.State {
	for _, role := range []taxonomy.Role{codes.RoleRetention, codes.RoleStorage, codes.RolePeriod} {
		if b.summaries[column].State(role) != summary.NotKnown {
			return summary.NotSaid
		}
	}
	return summary.NotKnown
}

// categories adds a row for each category, in the order of the first document that has it.
func (b *builder) categories(ctx context.Context) error {
	placed := make([]map[string][]*summary.Entry, len(b.list)) // by category, as it is called now
	for column := range b.list {
		placed[column] = make(map[string][]*summary.Entry)
		now := make(map[string]string)
		for i := range b.entries[column] {
			entry := &b.entries[column][i]
			if entry.Element == nil {
				continue
			}
			category, known := now[entry.Element.CategoryID]
			if !known {
				category = b.now(column, history.ID{Kind: codes.IDCategory, ID: entry.Element.CategoryID})
				now[entry.Element.CategoryID] = category
			}
			placed[column][category] = append(placed[column][category], entry)
		}
	}
	seen := make(map[string]bool)
	for column, p := range b.list {
		for i := range p.Datachain.SchemaSnapshot.Categories {
			c := &p.Datachain.SchemaSnapshot.Categories[i]
			id := b.now(column, history.ID{Kind: codes.IDCategory, ID: c.ID})
			if seen[id] {
				continue
			}
			seen[id] = true
			row := Row{Category: id}
			for column := range b.list {
				cell, err := b.cell(ctx, column, id, placed[column][id])
				if err != nil {
					return err
				}
				row.Cells = append(row.Cells, cell)
			}
			row.Repeats = b.repeats(row.Cells, roleOf(placed, id))
			b.add(row, b.pick(c.Name))
		}
	}
	return nil
}

// roleOf returns the role of a category that has placements, or "".
func roleOf(placed []map[string][]*summary.Entry, category string) taxonomy.Role {
	for _, entries := range placed {
		if len(entries[category]) > 0 {
			return entries[category][0].Role
		}
	}
	return ""
}

// repeats reports whether the rows of the summaries say all that the cells of a category with a role do.
func (b *builder) repeats(cells []Cell, role taxonomy.Role) bool {
	for column, c := range cells {
		point := slices.ContainsFunc(b.board.Rows, func(r Row) bool { return r.Role == role && role != "" && r.Cells[column].State == c.State })
		if !c.Repeats && !(c.Absent() && point) {
			return false
		}
	}
	return true
}

// cell is what a document places in a category. Cells are equal if they place the same with
// the same words, whatever the versions of the taxonomy call it.
func (b *builder) cell(ctx context.Context, column int, category string, entries []*summary.Entry) (Cell, error) {
	var texts, lines, keys, linesKeys []string
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return Cell{}, err
		}
		p := b.placed(column, category, entry)
		texts, keys = append(texts, p.line(nil)), append(keys, p.key(nil))
		if told := b.told[entry.Placement]; !p.isTold(told) {
			lines, linesKeys = append(lines, p.line(told)), append(linesKeys, p.key(told))
		}
	}
	if len(texts) == 0 {
		state := summary.NotKnown
		for _, id := range b.list[column].Datachain.SchemaSnapshot.DatachainType.Categories {
			if b.now(column, history.ID{Kind: codes.IDCategory, ID: id}) == category {
				state = summary.NotSaid
			}
		}
		return b.absent(state), nil
	}
	slices.Sort(keys)
	slices.Sort(linesKeys)
	cell := newCell(strings.Join(texts, "; "), lines)
	cell.key, cell.linesKey, cell.Repeats = strings.Join(keys, "\n"), strings.Join(linesKeys, "\n"), len(lines) == 0
	return cell, nil
}

// newest returns the newest schema version of the documents that is published, or nil.
func (b *builder) newest() *taxonomy.Release {
	var newest *taxonomy.Release
	for _, p := range b.list {
		if p.Release != nil && (newest == nil || p.Release.Version().Compare(newest.Version()) < 0) {
			newest = p.Release
		}
	}
	return newest
}

// now returns what an id of a document is in the newest of the schema versions, or else in its
// own.
func (b *builder) now(column int, of history.ID) string {
	newest := b.newest()
	if newest == nil {
		return of.ID
	}
	since, _ := taxonomy.ParseVersion(b.list[column].Datachain.SchemaVersion)
	now, _ := history.Of(since, newest).CurrentID(of)
	return cmp.Or(now, of.ID)
}

// contextNow returns what a context value of a document is called in the newest of the schema
// versions, or else in its own.
func (b *builder) contextNow(column int, category string, v *taxonomy.ContextValue) string {
	id := b.now(column, history.ID{Kind: codes.IDContextValue, In: category, ID: v.ID})
	if newest := b.newest(); newest != nil {
		if c, ok := newest.Category(category); ok {
			if now, ok := c.Context.Value(id); ok {
				v = now
			}
		}
	}
	return phrases.Plain(b.pick(v.Label))
}

// add adds a row, whose name has notes.
func (b *builder) add(row Row, name string) {
	row.Name, row.NotedName = phrases.Plain(name), name
	for _, c := range row.Cells[1:] {
		first := &row.Cells[0]
		row.Differs = row.Differs || c.key != first.key || c.State != first.State
		row.LinesDiffer = row.LinesDiffer || c.linesKey != first.linesKey || c.State != first.State
	}
	b.board.Rows = append(b.board.Rows, row)
}

// WriteJSON writes the board as JSON.
func (b *Board) WriteJSON(w io.Writer) error {
	return json.MarshalWrite(w, b, jsontext.WithIndent("  "))
}
