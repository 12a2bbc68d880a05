// Package boardpage writes boards, which are documents side by side, as HTML.
//
// # Experimental
//
// This package may change in a minor version.
package boardpage

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"html"
	"html/template"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/pages/internal/style"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/register/board"
)

// CSS is the style of boards, for pages that have the style sheet of package style.
//
//go:embed board.css
var CSS string

//go:embed board.html
var source string

var templates = sync.OnceValue(func() *template.Template { return template.Must(template.New("board").Parse(source)) })

// Head is what pages add to the head of a column.
type Head struct {
	URL  string        // of the document, or ""
	Note template.HTML // below the title
}

// Table returns a board as an HTML table of class board, first in short and then in full, without what
// was said in short. Heads are those of the columns, or nil. Rows in which all documents say the same have the class same and are marked with that word; cells of
// class absent say nothing, or link to the document.
func Table(b *board.Board, heads []Head) (template.HTML, error) {
	var s strings.Builder
	err := templates().ExecuteTemplate(&s, "table", newView(b, heads))
	return template.HTML(s.String()), err //nolint:gosec // written by a template
}

// Write writes a board as a self-contained page.
func Write(w io.Writer, b *board.Board) error {
	return templates().ExecuteTemplate(w, "page", newView(b, nil))
}

// view is what the templates show.
type view struct {
	Board *board.Board
	Heads []head
	Rows  []row
	// Same marks rows in which all documents say the same, and NothingMore cells that only say what
	// rows above do.
	Same, NothingMore template.HTML

	words *phrases.Words
}

type head struct {
	Head
	Title string // with notes
}

type row struct {
	*board.Row
	// Begins is the heading of what begins with the row, or "": what documents say in short, or in full.
	Begins template.HTML
}

func newView(b *board.Board, heads []Head) *view {
	words := phrases.In(b.Locale)
	texts := phrases.NewChooser([]string{b.Locale}, b.Locale).Noting()
	own := func(text string) template.HTML {
		return template.HTML(phrases.HTML(texts.Note(text, words.Lang))) //nolint:gosec // escaped
	}
	v := &view{Board: b, Same: own(words.Same), NothingMore: own(words.NothingMore), words: words}
	for i := range b.Columns {
		h := head{Title: b.Columns[i].NotedTitle}
		if i < len(heads) {
			h.Head = heads[i]
		}
		v.Heads = append(v.Heads, h)
	}
	for i := range b.Rows {
		if r := &b.Rows[i]; !r.Repeats {
			v.Rows = append(v.Rows, row{Row: r})
		}
	}
	full := slices.IndexFunc(v.Rows, func(r row) bool { return r.Role == "" })
	if full > 0 {
		v.Rows[0].Begins, v.Rows[full].Begins = own(words.InShort), own(words.InFull)
	}
	return v
}

// Page is the address of the document if a cell of its column does not tell what it says, or "".
func (v *view) Page(column int, c board.Cell) string {
	if c.State != summary.NotKnown {
		return ""
	}
	return v.Heads[column].URL
}

// Width is how many columns the table has.
func (v *view) Width() int { return 1 + len(v.Heads) }

// Title is that of the page.
func (v *view) Title() string {
	var titles []string
	for _, c := range v.Board.Columns {
		titles = append(titles, c.Title)
	}
	return strings.Join(titles, " · ")
}

// Direction is that of the language of the page.
func (v *view) Direction() string { return i18n.Direction(v.Board.Locale) }

// Style is the style sheet of the page.
func (v *view) Style() template.HTML {
	return "<style>" + template.HTML(style.CSS+CSS) + "</style>" //nolint:gosec // our own
}

// Hash is that of the style sheet, for the content security policy.
func (v *view) Hash() string {
	sum := sha256.Sum256([]byte(style.CSS + CSS))
	return base64.StdEncoding.EncodeToString(sum[:])
}

// HTML returns a text with notes.
func (v *view) HTML(noted string) template.HTML {
	return template.HTML(phrases.HTML(noted)) //nolint:gosec // escaped
}

// Tag returns a level.
func (v *view) Tag(l *board.Level) template.HTML {
	return template.HTML(style.Tag(l.Context, l.Value, phrases.HTML(l.Label), v.words.Level)) //nolint:gosec // escaped
}

// Linked returns a text with links to the email addresses and telephone numbers in it.
func (v *view) Linked(text string) template.HTML {
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
	return template.HTML(shown + rest) //nolint:gosec // escaped
}
