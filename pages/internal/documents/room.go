// Package documents has the pages of a register: its list in all formats, documents with their editions,
// documents side by side, and the signs that hang beside systems.
package documents

import (
	"embed"
	"slices"
	"sync/atomic"

	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/boardpage"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/register"
)

//go:embed *.html *.css *.js
var files embed.FS

var (
	listTemplate     = core.NewTemplates(files, "record.html", "register.html")
	documentTemplate = core.NewTemplates(files, "changes.html", "document.html")
	recentTemplate   = core.NewTemplates(files, "changes.html", "recent.html")
	historyTemplate  = core.NewTemplates(files, "changes.html", "history.html")
	boardTemplate    = core.NewTemplates(files, "board.html")
	signTemplate     = core.NewTemplates(files, "sign.html")
)

// The style sheets and the script of what other packages draw.
const (
	documentStyle  = "document.css"
	documentScript = "document.js"
	boardStyle     = "board.css"
)

// caching is the Cache-Control of what the register shows, and editionCaching that of
// editions, which can be erased.
const (
	caching        = "public, max-age=60"
	editionCaching = "public, max-age=3600"
)

// Documents has the pages.
type Documents struct {
	signs sheet.Drawer // or nil
	stats atomic.Pointer[registerStats]
}

// New returns the pages about documents. The drawer draws signs as files; nil means that they are only
// pages.
func New(signs sheet.Drawer) *Documents { return &Documents{signs: signs} }

// Room returns the pages.
func (d *Documents) Room() core.Room {
	assets := func() map[string][]byte {
		list := core.Files(files)()
		list[documentStyle], list[documentScript], list[boardStyle] = []byte(view.Style()), []byte(view.Script()), []byte(boardpage.CSS)
		return list
	}
	var pages []*core.Page
	for _, list := range [][]*core.Page{d.listPages(), {d.recentPage()}, d.documentPages(), d.signPages()} {
		pages = append(pages, list...)
	}
	return core.Room{Pages: pages, Assets: assets}
}

// request is what pages about documents are made of.
type request struct {
	*core.Request

	room *Documents
	// document is the one that the page is about, or nil, as of the edition earlier unless that is nil.
	document *register.Document
	earlier  *register.Edition
}

// open finds the document that a page is about.
func (d *Documents) open(q *core.Request) (*request, error) {
	own := &request{Request: q, room: d}
	if q.ID == "" {
		return own, nil
	}
	var ok bool
	if own.document, ok = q.Register.Document(q.ID); !ok {
		return nil, noDocument(q.Register, q.ID)
	}
	return own, nil
}

// languages are those of the document that a page is about, or of the whole register.
func (d *Documents) languages(q *core.Request) ([]string, error) {
	own, err := d.open(q)
	if err != nil || own.document == nil {
		return nil, err
	}
	return q.Register.LanguagesOf(own.document), nil
}

// pageLanguages are those of the document, and then the others of the register: its page has the
// register's words in them, and says in which language the document is.
func (d *Documents) pageLanguages(q *core.Request) ([]string, error) {
	own, err := d.languages(q)
	if own == nil || err != nil {
		return nil, err
	}
	for _, locale := range q.Register.Languages() {
		if !slices.ContainsFunc(own, func(known string) bool { return i18n.Same(known, locale) }) {
			own = append(own, locale)
		}
	}
	return own, nil
}

// dot returns the dot of the templates of a page.
func (q *request) dot(s *core.Scope) any { return &dot{s, q} }

// page returns what builds a page.
func (d *Documents) page(build func(*request) (*core.Content, error)) func(*core.Request) (*core.Content, error) {
	return func(q *core.Request) (*core.Content, error) {
		own, err := d.open(q)
		if err != nil {
			return nil, err
		}
		c, err := build(own)
		if c != nil {
			c.Dot = own.dot
		}
		return c, err
	}
}
