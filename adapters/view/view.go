package view

import (
	"bytes"
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	texttemplate "text/template"

	"github.com/datachain-go/datachain"
)

// Options say how a datachain is shown. A nil *Options is the defaults.
type Options struct {
	// Locale is the language that the reader asks for, such as fr or pt-BR.
	// Where the datachain is not written in it, the nearest one is taken, or
	// else the first that it is written in.
	Locale string
	// MaxBytes is the largest page; 0 means [DefaultMaxBytes].
	MaxBytes int
}

// DefaultMaxBytes is how many bytes a page may have. One of 40 elements has about
// 200,000.
const DefaultMaxBytes = 16 << 20

// Summary tells what a page shows.
type Summary struct {
	// Locale is the language of the page.
	Locale string
	// Sections are the categories, and Elements the placements.
	Sections, Elements int
}

// FragmentKey is where the _meta of a tool result holds a [Fragment].
const FragmentKey = "io.github.datachain-go/fragment"

// AwaitingTitle is the title of a [Placeholder].
const AwaitingTitle = "datachain (awaiting tool call)"

// ErrTooLarge is returned where a page would be larger than it may be. A small
// document can ask for a huge page, by repeating a long text many times.
var ErrTooLarge = errors.New("the page would be too large")

// ErrNothing is returned where there is no presentation, as of a document that is
// not valid.
var ErrNothing = errors.New("view: there is nothing to show")

// Write writes a datachain as a page. It writes all of it or, with an error,
// nothing.
func Write(w io.Writer, p *datachain.Presentation, o *Options) (Summary, error) {
	return write(w, "page", p, o)
}

// Fragment writes the part of a page that shows the datachain, without a head. A
// page that waits inside of a host puts it into its place.
func Fragment(w io.Writer, p *datachain.Presentation, o *Options) (Summary, error) {
	return write(w, "main", p, o)
}

// Placeholder writes the page before anything was rendered. Inside of a host it
// waits for the result of a tool call.
func Placeholder(w io.Writer) error {
	a := assets()
	return editionFor("en").pages().ExecuteTemplate(w, "placeholder", map[string]any{"Head": a.head, "Script": a.script, "Title": AwaitingTitle})
}

// cardBytes is about how much a placement takes.
const cardBytes = 3 << 10

func write(w io.Writer, name string, p *datachain.Presentation, o *Options) (Summary, error) {
	if p == nil {
		return Summary{}, ErrNothing
	}
	if o == nil {
		o = new(Options)
	}
	most := cmp.Or(o.MaxBytes, DefaultMaxBytes)
	pg := newPage(p, &Options{Locale: o.Locale, MaxBytes: most})
	pg.Head, pg.Script = assets().head, assets().script
	b := &bounded{most: most}
	b.Grow(min(most, len(pg.Head)+len(pg.Script)+len(pg.cards)*cardBytes))
	if err := pg.edition.pages().ExecuteTemplate(b, name, pg); err != nil {
		if b.exceeded {
			return Summary{}, fmt.Errorf("view: %w: more than %d bytes", ErrTooLarge, most)
		}
		return Summary{}, fmt.Errorf("view: %w", err)
	}
	_, err := w.Write(b.Bytes())
	return Summary{Locale: pg.Lang, Sections: len(pg.Sections), Elements: len(pg.cards)}, err
}

// bounded is a buffer that holds no more than it may.
type bounded struct {
	bytes.Buffer
	most     int
	exceeded bool
}

// Write refuses what does not fit.
func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.most {
		b.exceeded = true
		return 0, ErrTooLarge
	}
	return b.Buffer.Write(p)
}

// WriteString is Write.
func (b *bounded) WriteString(s string) (int, error) { return b.Write([]byte(s)) }

//go:embed page.html
var pageHTML string

// edition is the templates in one language: what pages say by themselves is put
// into them before they are compiled, so that it costs nothing to say.
type edition struct {
	*words
	// UI is the language as an attribute, where it is not that of the page.
	UI string

	pages func() *template.Template
}

// editions are one for each language, and a last one in English, for pages in a
// language that the dictionary does not have.
var editions = func() []*edition {
	list := make([]*edition, 0, len(dictionary)+1)
	for i := range dictionary {
		list = append(list, newEdition(&dictionary[i], ""))
	}
	return append(list, newEdition(&dictionary[0], ` lang="en" dir="ltr"`))
}()

func newEdition(w *words, attribute string) *edition {
	e := &edition{words: w, UI: attribute}
	e.pages = sync.OnceValue(func() *template.Template {
		var b strings.Builder
		source := texttemplate.Must(texttemplate.New("view").Delims("[[", "]]").Parse(pageHTML))
		if err := source.Execute(&b, e); err != nil {
			panic(err) // the source is good, as the tests show
		}
		return template.Must(template.New("view").Parse(b.String()))
	})
	return e
}

// editionFor returns the edition in the language of a locale, or the last one.
func editionFor(locale string) *edition {
	for _, e := range editions {
		if strings.EqualFold(e.Lang, language(locale)) {
			return e
		}
	}
	return editions[len(editions)-1]
}
