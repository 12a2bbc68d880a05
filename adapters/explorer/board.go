package explorer

import (
	"bytes"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/export"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// boardParam names the documents to compare: their slugs, separated by commas.
const boardParam = "documents"

// boardView is documents side by side.
type boardView struct {
	Table   template.HTML
	Select  string // the list, to choose other documents
	Formats []choice
}

// buildBoardCSV is the board as a table; it is there as JSON and as Markdown, too.
func buildBoardCSV(q *request) (*content, error) {
	return q.boardAs("csv", export.CSV.ContentType())
}

// chosen returns the slugs of the documents that the address names, and whether there are as many
// as a board has.
func (q *request) chosen() (slugs []string, fits bool) {
	slugs = strings.FieldsFunc(q.params.Get(boardParam), func(r rune) bool { return r == ',' })
	return slugs, len(slugs) >= 2 && len(slugs) <= export.MaxBoard
}

// board compares the documents that the address names.
func (q *request) board() (*export.Board, []*register.Document, error) {
	if q.state == nil {
		return nil, nil, noPage()
	}
	slugs, fits := q.chosen()
	if !fits {
		return nil, nil, refusal(issue.CodeBadRequest, "Choose two to "+strconv.Itoa(export.MaxBoard)+" documents to compare.", "select them in the list of documents, or name their slugs, separated by commas")
	}
	var list []*register.Document
	var shown []*datachain.Presentation
	for _, slug := range slugs {
		d, ok := q.state.Document(slug)
		if !ok || d.Gone() {
			return nil, nil, noPage()
		}
		p, err := q.explorer.register.Present(q.ctx, d, d.Current)
		if err != nil {
			return nil, nil, err
		}
		list, shown = append(list, d), append(shown, p)
	}
	b, err := export.NewBoard(shown, q.locale, q.state.Settings().Roles)
	return b, list, err
}

// buildBoard is the page with a board, or else the list, to choose documents from.
func buildBoard(q *request) (*content, error) {
	if _, fits := q.chosen(); !fits && q.state != nil {
		q.page = q.explorer.pages[slices.IndexFunc(q.explorer.pages, func(p *page) bool { return p.pattern == registerPath })]
		q.params = with(q.params, selectParam, "1")
		c, err := buildRegister(q)
		if err != nil {
			return nil, err
		}
		c.Unlisted = true
		return c, nil
	}
	b, list, err := q.board()
	if err != nil {
		return nil, err
	}
	w := q.words
	state := url.Values{boardParam: {q.params.Get(boardParam)}}
	v := &boardView{Select: q.to(registerPath, with(state, selectParam, "1"))}
	for i, d := range list {
		c := &b.Columns[i]
		c.URL, c.Note = q.to(documentPrefix+d.Slug, nil), string(q.typeName(d.Version.Type()).As("span", "meta"))+`<span lang="`+q.words.Lang+`" dir="`+i18n.Direction(q.words.Lang)+`">`+string(q.stateOf(d))+"</span>"
	}
	v.Table = template.HTML(b.Table()) //nolint:gosec // escaped
	for _, f := range []struct{ name, extension string }{{"JSON", ".json"}, {"Markdown", ".md"}, {"CSV", ".csv"}} {
		v.Formats = append(v.Formats, choice{Name: f.name, URL: q.to(comparePath+f.extension, state)})
	}
	return &content{
		Title: q.words.Count("register.board", len(list)), Description: w.Word("register.boardlead"), Path: comparePath, State: state, Section: registerPath, Data: &compareView{Board: v}, Styles: []string{boardStyle},
		Unlisted: true, Caching: registerCaching,
	}, nil
}

// boardAs answers with the board in a format for programs.
func (q *request) boardAs(format, mediaType string) (*content, error) {
	b, _, err := q.board()
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := b.Write(&body, format); err != nil {
		return nil, err
	}
	return &content{Path: comparePath + "." + format, Type: mediaType, Body: body.Bytes(), Caching: registerCaching}, nil
}
