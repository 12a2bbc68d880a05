package pages

import (
	"bytes"
	"html/template"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/boardpage"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/board"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// boardParam names the documents to compare: their slugs, separated by commas.
const boardParam = "documents"

// boardView is documents side by side.
type boardView struct {
	Table  template.HTML
	Select string // the list, to choose other documents
	JSON   string
	// Highest are the roles whose highest values the board names.
	Highest []taxonomy.Role
}

// chosen returns the documents that the address names, each once.
func (q *request) chosen() (list []*register.Document, err error) {
	if q.state == nil {
		return nil, noPage()
	}
	for _, slug := range strings.FieldsFunc(q.params.Get(boardParam), func(r rune) bool { return r == ',' }) {
		d, ok := q.state.Document(slug)
		if !ok || d.Gone() {
			return nil, q.noDocument(slug)
		}
		if !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	return list, nil
}

// fits reports whether a board has room for some documents.
func fits(list []*register.Document) bool { return len(list) >= 2 && len(list) <= board.Max }

// board compares documents.
func (q *request) board(list []*register.Document) (*board.Board, error) {
	var shown []*datachain.Presentation
	for _, d := range list {
		p, err := q.handler.register.Present(q.ctx, d, d.Current)
		if err != nil {
			return nil, err
		}
		shown = append(shown, p)
	}
	return board.New(q.ctx, shown, q.locale, q.state.Settings().Roles)
}

// buildBoard is the page with a board, or else the list, to choose documents from.
func buildBoard(q *request) (*content, error) {
	list, err := q.chosen()
	if err != nil {
		return nil, err
	}
	if !fits(list) {
		q.page = q.handler.pages[slices.IndexFunc(q.handler.pages, func(p *page) bool { return p.pattern == registerPath })]
		q.params = with(q.params, selectParam, "1")
		c, err := buildRegister(q)
		if err != nil {
			return nil, err
		}
		c.Unlisted = true
		return c, nil
	}
	b, err := q.board(list)
	if err != nil {
		return nil, err
	}
	w := q.words
	slugs := make([]string, len(list))
	for i, d := range list {
		slugs[i] = d.Slug
	}
	state := url.Values{boardParam: {strings.Join(slugs, ",")}}
	v := &boardView{Select: q.to(registerPath, with(state, selectParam, "1")), JSON: q.to(comparePath+".json", state), Highest: highestRoles(list)}
	var heads []boardpage.Head
	for _, d := range list {
		status := `<span lang="` + q.words.Lang + `" dir="` + i18n.Direction(q.words.Lang) + `">` + string(q.systemStatus(d)) + "</span>"
		heads = append(heads, boardpage.Head{URL: q.to(documentPrefix+d.Slug, nil), Note: q.typeName(d.Version.Type()).As("span", "meta") + template.HTML(status)}) //nolint:gosec // escaped
	}
	if v.Table, err = boardpage.Table(b, heads); err != nil {
		return nil, err
	}
	return &content{
		Title: q.words.Count("register.board", len(list)), Description: w.Word("register.boardlead"), Path: comparePath, State: state, Section: registerPath, Data: &compareView{Board: v}, Styles: []string{boardStyle},
		Unlisted: true, Caching: registerCaching,
	}, nil
}

// boardJSON answers with the board for programs.
func (q *request) boardJSON() (*content, error) {
	list, err := q.chosen()
	if err != nil {
		return nil, err
	}
	if !fits(list) {
		return nil, refusal(issue.CodeBadRequest, "Choose 2 to "+strconv.Itoa(board.Max)+" documents to compare.", "select them in the list of documents, or name their slugs, separated by commas")
	}
	b, err := q.board(list)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := b.WriteJSON(&body); err != nil {
		return nil, err
	}
	return &content{Path: comparePath + ".json", Type: typeJSON, Body: body.Bytes(), Caching: registerCaching}, nil
}
