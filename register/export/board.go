package export

import (
	"cmp"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"errors"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/style"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/taxonomy"
)

// MaxBoard is how many documents a [Board] can have. The least is two.
const MaxBoard = 6

// Board is some documents side by side, in one language: a row for each point of their
// summaries and, if all have the same datachain type, one for each category.
type Board struct {
	Locale  string        `json:"locale"`
	Columns []BoardColumn `json:"columns"`
	Rows    []BoardRow    `json:"rows"`

	texts phrases.Chooser
}

// BoardColumn is a document of a board.
type BoardColumn struct {
	ID      string `json:"id"`
	Title   string `json:"title"`
	Version string `json:"schema_version"`

	// URL is where the document is, or "", and Note is HTML below its title, for pages.
	URL  string `json:"-"`
	Note string `json:"-"`

	title string // with notes of [phrases.Chooser]
}

// BoardRow is what the documents say about one thing.
type BoardRow struct {
	// Role is that of a point of the summary; Category is the id of a category.
	Role     taxonomy.Role `json:"role,omitempty"`
	Category string        `json:"category,omitempty"`
	Name     string        `json:"name"`
	Cells    []BoardCell   `json:"cells"` // as many as columns
	// Differs reports that the cells do not all say the same.
	Differs bool `json:"differs"`

	name string // with notes
}

// BoardCell is what one document says.
type BoardCell struct {
	Text string `json:"text"`
	// Color is that of the context, #RRGGBB, or "".
	Color string `json:"color,omitempty"`
	// Absent means that the document says nothing; Text says so.
	Absent bool `json:"absent,omitempty"`

	key string // equal for cells that say the same

	// What pages show instead of Text, with notes: a level, lines and a remark.
	context *taxonomy.Context
	value   *taxonomy.ContextValue
	lines   []string
	remark  string
}

// NewBoard compares documents. The locale is the wanted language; roles are for schema
// versions without any, by datachain type, and can be nil. It fails if the context ends.
func NewBoard(ctx context.Context, list []*datachain.Presentation, locale string, roles map[string]*datachain.Roles) (*Board, error) {
	if len(list) < 2 || len(list) > MaxBoard {
		return nil, fmt.Errorf("a board compares two to %d documents, not %d", MaxBoard, len(list))
	}
	b := boardBuilder{list: list}
	var there []string
	for _, p := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		typ := p.Datachain.SchemaSnapshot.DatachainType.ID
		b.types = append(b.types, typ)
		entries, summary := p.Entries(roles[typ])
		b.entries, b.summaries = append(b.entries, entries), append(b.summaries, summary)
		there = append(there, p.Locales()...)
	}
	if i18n.Same(phrases.In(locale).Lang, locale) {
		there = append(there, locale) // whatever the documents have, the headings can be in it
	}
	b.texts = phrases.NewChooser(there, locale).Noting()
	b.board.Locale, b.board.texts = b.texts.Locale, b.texts
	for _, p := range list {
		title := cmp.Or(b.pick(p.Datachain.Title), p.Datachain.ID)
		b.board.Columns = append(b.board.Columns, BoardColumn{ID: p.Datachain.ID, Title: phrases.Plain(title), Version: p.Datachain.SchemaVersion, title: title})
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

type boardBuilder struct {
	list      []*datachain.Presentation
	types     []string
	texts     phrases.Chooser
	entries   [][]datachain.SummaryEntry
	summaries []*datachain.Summary
	board     Board
}

// pick returns a text in the language of the board, or else in another, with a note.
func (b *boardBuilder) pick(l taxonomy.Localized) string {
	text, _ := b.texts.Pick(l)
	return i18n.Clean(text)
}

// points adds the rows of the summaries.
func (b *boardBuilder) points(ctx context.Context) error {
	for _, role := range []taxonomy.Role{
		codes.RolePurpose, codes.RoleData, codes.RoleDecision, codes.RoleRisk, codes.RoleAccountable, codes.RoleRights,
	} {
		words := phrases.In(b.texts.Locale)
		row, name := BoardRow{Role: role}, words.Headings[role]
		known := false
		for _, s := range b.summaries {
			if err := ctx.Err(); err != nil {
				return err
			}
			p, ok := s.Point(role)
			if !ok || len(p.Entries) == 0 {
				row.Cells = append(row.Cells, b.absent(ok))
				known = known || ok
				continue
			}
			known = true
			if p.AtMost {
				name = words.Heading(p)
			}
			said := phrases.NewPoint(p, &b.texts)
			cell := newCell(said.Text(), said.Entries)
			cell.remark = cmp.Or(said.Contact, said.Safeguard)
			if said.Level != "" {
				cell.Color, cell.context, cell.value = p.Context.Color, &p.Category.Context, p.Context
			}
			row.Cells = append(row.Cells, cell)
		}
		if known {
			b.add(row, b.texts.Note(name, words.Lang))
		}
		if role == codes.RoleData {
			b.retention()
		}
	}
	return nil
}

// absent is a cell of a document that says nothing, because its author left it out or its taxonomy
// does not ask for it.
func (b *boardBuilder) absent(asked bool) BoardCell {
	words := phrases.In(b.texts.Locale)
	text := words.NotAsked
	if asked {
		text = words.NotSaid
	}
	cell := newCell(text, []string{b.texts.Note(text, words.Lang)})
	cell.key, cell.Absent = "", true
	return cell
}

// newCell returns a cell with a text and lines, which have notes, and say the same as others with that text.
func newCell(text string, lines []string) BoardCell {
	text = phrases.Plain(text)
	return BoardCell{Text: text, key: text, lines: lines}
}

// retention adds a row for how long data is kept, if a document says that: what it places
// in categories with that role, and other periods.
func (b *boardBuilder) retention() {
	phrase := phrases.In(b.texts.Locale)
	row := BoardRow{Role: codes.RoleRetention}
	known := false
	for _, entries := range b.entries {
		var said []string
		for i := range entries {
			e := &entries[i]
			if e.Element == nil || e.Role != codes.RoleRetention && len(e.Period) == 0 {
				continue
			}
			text := cmp.Or(b.pick(e.Name), b.pick(e.Element.Title))
			if period := b.pick(e.Period); period != "" {
				text += ": " + period
			}
			said = append(said, text)
		}
		cell := newCell(strings.Join(said, "; "), said)
		if len(said) == 0 {
			cell = b.absent(true)
		}
		known = known || !cell.Absent
		row.Cells = append(row.Cells, cell)
	}
	if known {
		b.add(row, b.texts.Note(phrase.Headings[codes.RoleRetention], phrase.Lang))
	}
}

// categories adds a row for each category, in the order of the first document that has it.
func (b *boardBuilder) categories(ctx context.Context) error {
	placed := make([]map[string][]*datachain.SummaryEntry, len(b.list)) // by category, as it is called now
	for column := range b.list {
		placed[column] = make(map[string][]*datachain.SummaryEntry)
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
			row := BoardRow{Category: id}
			for column := range b.list {
				cell, err := b.cell(ctx, column, id, placed[column][id])
				if err != nil {
					return err
				}
				row.Cells = append(row.Cells, cell)
			}
			b.add(row, b.pick(c.Name))
		}
	}
	return nil
}

// cell is what a document places in a category. Cells are equal if they place the same with
// the same words, whatever the versions of the taxonomy call it.
func (b *boardBuilder) cell(ctx context.Context, column int, category string, entries []*datachain.SummaryEntry) (BoardCell, error) {
	var said, keys []string
	for _, entry := range entries {
		if err := ctx.Err(); err != nil {
			return BoardCell{}, err
		}
		e, placed := entry.Element, entry.Placement
		line, key := strings.Builder{}, b.now(column, history.ID{Kind: codes.IDElement, ID: e.ID})
		title, own := b.pick(e.Title), ""
		if placed.Label != nil {
			own = b.pick(phrases.OfLabel(*placed.Label))
		}
		if own == "" {
			line.WriteString(title)
		} else {
			line.WriteString(own + " (" + title + ")")
			key += "\x00" + phrases.Plain(own)
		}
		if entry.Context != nil {
			line.WriteString(": " + b.pick(entry.Context.Label))
			key += "\x00" + b.contextNow(column, category, entry.Context)
		}
		var values []string
		for k := range placed.Variables {
			v := &placed.Variables[k]
			if value := b.pick(value(e, v)); value != "" {
				line.WriteString(" – " + cmp.Or(b.pick(variableOf(e, v.ID).Label), v.ID) + ": " + value)
				values = append(values, phrases.Plain(value))
			}
		}
		slices.Sort(values)
		said, keys = append(said, line.String()), append(keys, key+"\x00"+strings.Join(values, "\x00"))
	}
	if len(said) == 0 {
		return b.absent(true), nil
	}
	slices.Sort(keys)
	cell := newCell(strings.Join(said, "; "), said)
	cell.key = strings.Join(keys, "\n")
	return cell, nil
}

// newest returns the newest schema version of the documents that is published, or nil.
func (b *boardBuilder) newest() *taxonomy.Release {
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
func (b *boardBuilder) now(column int, of history.ID) string {
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
func (b *boardBuilder) contextNow(column int, category string, v *taxonomy.ContextValue) string {
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
func (b *boardBuilder) add(row BoardRow, name string) {
	row.Name, row.name = phrases.Plain(name), name
	for _, c := range row.Cells[1:] {
		row.Differs = row.Differs || c.key != row.Cells[0].key || c.Absent != row.Cells[0].Absent
	}
	b.board.Rows = append(b.board.Rows, row)
}

// BoardFormats are the formats of [Board.Write].
func BoardFormats() []string { return []string{"html", "json"} }

// Write writes the board in a format. HTML is a self-contained page.
func (b *Board) Write(w io.Writer, format string) error {
	switch format {
	case "html":
		return b.writePage(w)
	case "json":
		return json.MarshalWrite(w, b, jsontext.WithIndent("  "))
	}
	return errors.New("the format " + wording.Quote(format) + " is not known; use " + wording.Or(BoardFormats()))
}

// BoardCSS is the style of boards, for pages that have the style sheet of package style.
//
//go:embed board.css
var BoardCSS string

func (b *Board) writePage(w io.Writer) error {
	var titles []string
	for _, c := range b.Columns {
		titles = append(titles, c.Title)
	}
	css := style.CSS + BoardCSS
	sum := sha256.Sum256([]byte(css))
	_, err := io.WriteString(w, "<!doctype html>\n<html lang=\""+html.EscapeString(b.Locale)+"\" dir=\""+i18n.Direction(b.Locale)+"\">\n"+
		"<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'sha256-"+
		base64.StdEncoding.EncodeToString(sum[:])+"'; base-uri 'none'; form-action 'none'\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"+html.EscapeString(strings.Join(titles, " · "))+
		"</title>\n<style>"+css+"</style>\n<main class=\"wrap board-scroll\">\n"+b.Table()+"</main>\n</html>\n")
	return err
}

// Table returns the board as an HTML table of class board. Rows in which all documents say the
// same have the class same and are marked with that word; cells of class absent say nothing. The
// roles are those that a table has anyway: on phones its rows are drawn as grids.
func (b *Board) Table() string {
	var s strings.Builder
	s.WriteString("<table class=\"board\" role=\"table\" lang=\"" + html.EscapeString(b.Locale) + "\">\n<thead role=\"rowgroup\"><tr role=\"row\"><td role=\"cell\"></td>")
	for _, c := range b.Columns {
		title := phrases.HTML(c.title)
		if c.URL != "" {
			title = `<a href="` + html.EscapeString(c.URL) + `">` + title + "</a>"
		}
		s.WriteString(`<th scope="col" role="columnheader">` + title + c.Note + "</th>")
	}
	s.WriteString("</tr></thead>\n<tbody role=\"rowgroup\">\n")
	words := phrases.In(b.Locale)
	for i, row := range b.Rows {
		if i > 0 && row.Role == "" && b.Rows[i-1].Role != "" {
			s.WriteString("</tbody>\n<tbody role=\"rowgroup\">\n") // the summary is above, what it is made of below
		}
		class, same := "", ""
		if !row.Differs {
			class, same = ` class="same"`, ` <small>`+phrases.HTML(b.texts.Note(words.Same, words.Lang))+"</small>"
		}
		s.WriteString("<tr role=\"row\"" + class + `><th scope="row" role="rowheader">` + phrases.HTML(row.name) + same + "</th>")
		for i := range row.Cells {
			b.writeCell(&s, &row.Cells[i])
		}
		s.WriteString("</tr>\n")
	}
	s.WriteString("</tbody>\n</table>\n")
	return s.String()
}

// writeCell writes what a document says: its level, then a line for each thing, then a remark.
func (b *Board) writeCell(s *strings.Builder, c *BoardCell) {
	if c.Absent {
		s.WriteString(`<td role="cell" class="absent">` + phrases.HTML(c.lines[0]) + "</td>")
		return
	}
	s.WriteString(`<td role="cell">`)
	if c.value != nil {
		label, _ := b.texts.Pick(c.value.Label)
		s.WriteString(style.Tag(c.context, c.value, phrases.HTML(i18n.Clean(cmp.Or(label, c.value.ID))), phrases.In(b.Locale).Level))
	}
	for _, line := range c.lines {
		s.WriteString("<p>" + phrases.HTML(line) + "</p>")
	}
	if c.remark != "" {
		s.WriteString(`<p class="quiet">` + b.linked(c.remark) + "</p>")
	}
	s.WriteString("</td>")
}

// linked returns a text as HTML with links to the email addresses and telephone numbers in it.
func (b *Board) linked(text string) string {
	shown, rest := "", phrases.HTML(text)
	text = phrases.Plain(text)
	for _, c := range weblink.Contacts(text) {
		name := html.EscapeString(text[c.From:c.To])
		before, after, ok := strings.Cut(rest, name)
		if !ok { // a language begins or ends within it
			continue
		}
		shown += before + `<a dir="ltr" href="` + html.EscapeString(c.URL) + `">` + strings.Replace(name, "@", "<wbr>@", 1) + "</a>"
		rest = after
	}
	return shown + rest
}
