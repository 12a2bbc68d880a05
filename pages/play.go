package pages

import (
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

const playPath = "/play"

// Sample is a document to start from in the playground. It is offered while the version
// that it pins is published.
type Sample struct {
	// Name identifies the sample in addresses.
	Name string
	Text []byte
	// Code is what the document is an example of, or "" for a valid one. Such a
	// document is offered on the page about the code only.
	Code issue.Code
}

// playground is the data of the page.
type playground struct {
	// Text is what is in the editor.
	Text   string
	Max    int64  // bytes of a document
	Editor string // the address of the editor's script, or ""
	Codes  string // the base URL of pages about codes
	// Locale is the language of texts in the editor, and Phrases are its words, as JSON.
	Locale, Phrases string
	// Samples and Types are what to start from.
	Samples, Types []named
	// Result is nil before a document is checked.
	Result *checked
}

func buildPlay(q *request) (*content, error) {
	d := q.playground()
	switch name, version := q.params.Get("sample"), q.params.Get("new"); {
	case name != "":
		var err error
		if d.Text, err = q.sample(name); err != nil {
			return nil, err
		}
	case version != "":
		schema, err := q.handler.service.Open(q.ctx, version)
		if err != nil {
			return nil, err
		}
		chooser := phrases.NewChooser(schema.Release().Locales(), q.locale)
		_, locale := chooser.Pick(schema.Release().Manifest().Title)
		body, err := write.Document(schema.Release(), "my-datachain", locale, time.Now().UTC().Truncate(time.Second))
		if err != nil {
			return nil, err
		}
		d.Text = string(body)
	}
	return q.playContent(d), nil
}

func (q *request) playContent(d *playground) *content {
	c := &content{
		Title: q.words.Word("play.title"), Description: q.words.Word("play.lead"), Path: playPath, Section: playPath, Data: d, State: q.params,
		Styles: toolStyles, Scripts: []string{"play.js"}, Policy: q.handler.playPolicy,
	}
	c.Unlisted = len(q.params) > 0 || d.Result != nil
	return c
}

// playPolicy lets the page run WebAssembly, if there is some, and show a document in a
// frame with the style sheet of its page.
func playPolicy(editor bool) string {
	scripts, images := "'self'", "'self'"
	if editor {
		scripts, images = "'self' 'wasm-unsafe-eval'", "'self' data:" // data: for squiggles and icons of the editor
	}
	return "default-src 'none'; script-src " + scripts + "; worker-src 'self'; style-src 'self' " + view.StyleSource() + "; img-src " + images +
		"; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
}

// playground returns an empty page.
func (q *request) playground() *playground {
	e := q.handler
	d := &playground{Max: e.options.MaxBody, Codes: e.base, Editor: q.links.editor(), Locale: q.locale}
	if d.Editor != "" {
		phrases, _ := json.Marshal(q.words.Below("play.editor")) // strings
		d.Phrases = string(phrases)
	}
	for _, s := range e.options.Samples {
		title, published := q.sampleTitle(&s)
		if s.Code == "" && published {
			d.Samples = append(d.Samples, named{Name: title, URL: q.sampleURL(s.Name)})
		}
	}
	for _, t := range e.overview(q.ctx, q.index).types {
		if t.schema != nil {
			own := q.about(t.schema.Release())
			title := own.name(t.schema.Release().Type().Name, t.id)
			for _, v := range slices.Compact([]taxonomy.Version{t.first(), t.latest.ID}) {
				d.Types = append(d.Types, named{Name: title, Note: v.String(), URL: q.to(playPath, map[string][]string{"new": {v.String()}})})
			}
		}
	}
	return d
}

// sample returns the text of the sample with a name.
func (q *request) sample(name string) (string, error) {
	for _, s := range q.handler.options.Samples {
		if s.Name == name {
			return string(s.Text), nil
		}
	}
	return "", noPage()
}

func (q *request) sampleURL(name string) string {
	return q.to(playPath, map[string][]string{"sample": {name}})
}

// sampleOf returns the sample for a code, if there is one.
func (q *request) sampleOf(c issue.Code) *choice {
	for _, s := range q.handler.options.Samples {
		if _, published := q.sampleTitle(&s); s.Code == c && published && q.has(playPath) {
			return &choice{Name: s.Name, URL: q.sampleURL(s.Name)}
		}
	}
	return nil
}

// sampleTitle returns the title of a sample, and whether its version is published.
func (q *request) sampleTitle(s *Sample) (text, bool) {
	doc, err := document.Parse(s.Text)
	if err != nil {
		return text{}, false
	}
	ref, err := taxonomy.ParseRef(textAt(doc.Root(), "schema_version"))
	if err != nil {
		return text{}, false
	}
	if _, published := q.index.Lookup(ref); !published {
		return text{}, false
	}
	instance, err := taxonomy.DecodeInstance(doc)
	if err != nil {
		return q.raw(s.Name), true
	}
	own := *q
	var locales []string
	for _, t := range instance.Title {
		locales = append(locales, t.Locale)
	}
	own.texts = phrases.NewChooser(append(locales, q.locale), q.locale)
	return own.name(instance.Title, s.Name), true
}

// answerPost reads the form of a page, and answers it while there is a place for the work.
func (e *Handler) answerPost(w http.ResponseWriter, r *http.Request, p *page, open func() (*request, error)) error {
	form, err := e.readForm(w, r, p.times)
	if err != nil {
		return err
	}
	q, err := open()
	if err != nil {
		return err
	}
	q.params, q.host = nil, r.Host
	leave, err := e.begin(q)
	if err != nil {
		return err
	}
	defer leave()
	ans, err := p.post(q, form)
	if err != nil {
		return err
	}
	return e.send(w, r, ans)
}

// answerForm does what a form asks for. If the document is invalid, that is to check it.
func (q *request) answerForm(f *form) (*httpcache.Answer, error) {
	switch f.do {
	case "page":
		if page, err := q.answerShown(f.text); err != nil || page != nil {
			return page, err
		}
	case "save":
		return q.attachment(f.text, ".datachain.json", f.text), nil
	case "resolved":
		if body, err := q.resolve(f.text); err != nil || body != nil {
			return q.attachment(f.text, ".resolved.json", string(body)), err
		}
	}
	d := q.playground()
	state := new(composeState)
	if version, ok := strings.CutPrefix(f.do, "upgrade "); ok {
		text, err := q.upgraded(state, f.text, version)
		if err != nil {
			return nil, err
		}
		f.text = text
	}
	var err error
	if d.Text, d.Result, err = q.check(f); err != nil {
		return nil, err
	}
	d.Result.moved = state.moved
	return q.answerPage(q.playContent(d))
}

// answerPage answers a form with a page.
func (q *request) answerPage(c *content) (*httpcache.Answer, error) {
	body, err := q.render(c)
	if err != nil {
		return nil, err
	}
	return httpcache.NewResult(typeHTML, body).Varying("Accept-Language").
		With("Content-Language", q.locale).With("Content-Security-Policy", c.Policy), nil
}

// attachment answers with a file to save, which is named for a document.
func (q *request) attachment(doc, suffix, body string) *httpcache.Answer {
	name := "datachain"
	if parsed, err := document.Parse([]byte(doc)); err == nil {
		name = savedName(parsed)
	}
	return httpcache.NewResult("application/json; charset=utf-8", []byte(body)).
		With("Content-Disposition", `attachment; filename="`+name+suffix+`"`)
}

// savedName returns the name of the file of a document, without a suffix: its id.
func savedName(doc *document.Document) string {
	if id := textAt(doc.Root(), "id"); ident.IsID(id) {
		return id
	}
	return "datachain"
}

// answerShown answers with the page of a document. It returns nil if show returns "".
func (q *request) answerShown(doc string) (*httpcache.Answer, error) {
	html, err := q.show(doc, false)
	if html == "" {
		return nil, err
	}
	return httpcache.NewResult(typeHTML, []byte(html)).With("Content-Security-Policy", view.ContentSecurityPolicy()), err
}

// show returns the page of a document, or "" if it is invalid or its page is too large.
func (q *request) show(doc string, inert bool) (string, error) {
	_, shown, err := q.handler.service.Present(q.ctx, []byte(doc))
	if err != nil || shown == nil {
		return "", ignoreInvalid(err)
	}
	var b strings.Builder
	_, err = view.Write(&b, shown, &view.Options{Locale: q.locale, MaxBytes: maxPage, Interrupt: q.ctx.Err, Inert: inert})
	if errors.Is(err, view.ErrTooLarge) {
		return "", nil
	}
	return b.String(), err
}

// maxPage limits the size of the page of a document.
const maxPage = 4 << 20

// resolve returns the resolved form of a document, or nil if it is invalid.
func (q *request) resolve(doc string) ([]byte, error) {
	schema, err := q.handler.service.OpenFor(q.ctx, []byte(doc))
	if err != nil {
		return nil, ignoreInvalid(err)
	}
	_, bundle, err := schema.Resolve(q.ctx, []byte(doc), nil)
	if err != nil || bundle == nil {
		return nil, ignoreInvalid(err)
	}
	return bundle.AppendJSON(nil), nil
}

// ignoreInvalid drops errors that are the document's: checking it reports them.
func ignoreInvalid(err error) error {
	if known, ok := errors.AsType[*datachain.Error](err); ok && known.Kind != datachain.KindFailure {
		return nil
	}
	return err
}
