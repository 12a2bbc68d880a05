package sheet

import (
	"bytes"
	_ "embed"
	"html/template"
	"io"
	"sync"

	"github.com/datachain-go/datachain/taxonomy"
)

//go:embed sheet.html
var htmlSource string

var htmlPage = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("sheet").Funcs(template.FuncMap{
		// An icon is composed of what was parsed and checked.
		"drawn": func(d drawing) template.HTML { return template.HTML(d.SVG) },
		"use":   func(id, label string) use { return use{id, label} },
	}).Parse(htmlSource))
})

// use is an icon where it is shown. Without a label a reader is told nothing:
// the same icon stands beside it.
type use struct{ ID, Label string }

// HTML writes a contact sheet as a page for browsers. It writes all of it or,
// where an icon can't be drawn, nothing.
func HTML(w io.Writer, r *taxonomy.Release, o *Options) error {
	p, err := newPage(r, o)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := htmlPage().Execute(&b, p); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}
