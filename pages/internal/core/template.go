package core

import (
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"sync"
)

// Templates are those of a kind of page: the layout, what rooms share, and the files of its room. They
// are parsed when they are first used: a server that is never asked for pages does not need the memory.
type Templates struct {
	parse func() (*template.Template, error)
}

// NewTemplates returns the templates of a kind of page, from files of its room. One of them defines
// main, which is what the layout is around.
func NewTemplates(room fs.FS, names ...string) *Templates {
	return &Templates{sync.OnceValues(func() (*template.Template, error) {
		set, err := layout()
		if err == nil {
			set, err = set.Clone()
		}
		if err == nil {
			set, err = set.ParseFS(room, names...)
		}
		return set, err
	})}
}

var layout = sync.OnceValues(func() (*template.Template, error) {
	return template.New("layout").ParseFS(files, "layout.html", "shared.html")
})

// Execute writes a template.
func (t *Templates) Execute(w io.Writer, name string, data any) error {
	set, err := t.parse()
	if err != nil {
		return fmt.Errorf("pages: %w", err)
	}
	return set.ExecuteTemplate(w, name, data)
}
