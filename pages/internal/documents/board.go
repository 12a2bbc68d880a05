package documents

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
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/board"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Board is the page of documents side by side, at the address of comparisons.
func (d *Documents) Board(q *core.Request) (*core.Content, error) { return d.page(buildBoard)(q) }

// BoardJSON is the same for programs.
func (d *Documents) BoardJSON(q *core.Request) (*core.Content, error) {
	return d.page(buildBoardJSON)(q)
}

// boardView is documents side by side.
type boardView struct {
	Table  template.HTML
	Select string // the list, to choose other documents
	JSON   string
}

// chosen returns the documents that the address names, each once.
func (q *request) chosen() (list []*register.Document, err error) {
	if q.Register == nil {
		return nil, core.NoPage()
	}
	for _, slug := range strings.FieldsFunc(q.Params.Get(core.BoardParam), func(r rune) bool { return r == ',' }) {
		d, ok := q.Register.Document(slug)
		if !ok || d.Removed() {
			return nil, noDocument(q.Register, slug)
		}
		if !slices.Contains(list, d) {
			list = append(list, d)
		}
	}
	return list, nil
}

// fits reports whether a board has room for some documents.
func fits(list []*register.Document) bool { return len(list) >= board.Min && len(list) <= board.Max }

// board compares documents.
func (q *request) board(list []*register.Document) (*board.Board, error) {
	var shown []*datachain.Presentation
	for _, d := range list {
		p, err := q.Site.Register.Present(q.Ctx, d, d.Current)
		if err != nil {
			return nil, err
		}
		shown = append(shown, p)
	}
	return board.New(q.Ctx, shown, q.Locale, q.Register.Settings().Roles)
}

// buildBoard is the page with a board, or else the list, to choose documents from.
func buildBoard(q *request) (*core.Content, error) {
	list, err := q.chosen()
	if err != nil {
		return nil, err
	}
	if !fits(list) {
		q.Params = core.With(q.Params, selectParam, "1")
		c, err := buildList(q)
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
	w := q.Words
	slugs := make([]string, len(list))
	for i, d := range list {
		slugs[i] = d.Slug
	}
	state := url.Values{core.BoardParam: {strings.Join(slugs, ",")}}
	v := &boardView{Select: q.To(core.RegisterPath, core.With(state, selectParam, "1")), JSON: q.To(core.ComparePath+".json", state)}
	var heads []boardpage.Head
	for _, d := range list {
		status := `<span lang="` + q.Lang + `" dir="` + i18n.Direction(q.Lang) + `">` + string(q.systemStatus(d)) + "</span>"
		heads = append(heads, boardpage.Head{URL: q.To(core.DocumentPrefix+d.Slug, nil), Note: q.typeName(d.Version.Type()).As("span", "meta") + template.HTML(status)}) //nolint:gosec // escaped
	}
	if v.Table, err = boardpage.Table(b, heads); err != nil {
		return nil, err
	}
	return &core.Content{
		Title: q.Count("register.board", len(list)), Description: w.Word("register.boardlead"), Path: core.ComparePath, State: state, Section: core.RegisterPath, Template: boardTemplate, Data: v, Styles: []string{boardStyle},
		Unlisted: true, Caching: caching,
	}, nil
}

// buildBoardJSON answers with the board for programs.
func buildBoardJSON(q *request) (*core.Content, error) {
	list, err := q.chosen()
	if err != nil {
		return nil, err
	}
	if !fits(list) {
		return nil, core.Refusal(issue.CodeBadRequest, "Choose 2 to "+strconv.Itoa(board.Max)+" documents to compare.", "select them in the list of documents, or name their slugs, separated by commas")
	}
	b, err := q.board(list)
	if err != nil {
		return nil, err
	}
	var body bytes.Buffer
	if err := b.WriteJSON(&body); err != nil {
		return nil, err
	}
	return &core.Content{Path: core.ComparePath + ".json", Type: core.TypeJSON, Body: body.Bytes(), Caching: caching}, nil
}
