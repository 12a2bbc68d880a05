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
	use := func(id, label string) any { return struct{ ID, Label string }{id, label} }
	return template.Must(template.New("sheet").Funcs(template.FuncMap{"use": use}).Parse(htmlSource))
})

// HTML writes a contact sheet as a web page. If an icon cannot be drawn, it writes
// nothing.
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
