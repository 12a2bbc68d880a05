package check

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/pages/view"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

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
	Samples, Types []core.Named
	// Result is nil before a document is checked.
	Result *checked
}

func buildPlay(q *Request) (*core.Content, error) {
	d := q.playground()
	switch name, version := q.Params.Get("sample"), q.Params.Get("new"); {
	case name != "":
		var err error
		if d.Text, err = q.Sample(name); err != nil {
			return nil, err
		}
	case version != "":
		schema, err := q.Site.Service.Open(q.Ctx, version)
		if err != nil {
			return nil, err
		}
		chooser := phrases.NewChooser(schema.Release().Locales(), q.Locale)
		_, locale := chooser.Pick(schema.Release().Manifest().Title)
		body, err := write.Document(schema.Release(), "my-datachain", locale, time.Now().UTC().Truncate(time.Second))
		if err != nil {
			return nil, err
		}
		d.Text = string(body)
	}
	return q.playContent(d), nil
}

func (q *Request) playContent(d *playground) *core.Content {
	c := &core.Content{
		Title: q.Word("play.title"), Description: q.Word("play.lead"), Path: core.PlayPath, Section: core.PlayPath, Template: playTemplate, Data: d, State: q.Params,
		Styles: core.ToolStyles, Scripts: []string{"play.js"}, Policy: core.ToolPolicy(q.Site.Editor != nil),
	}
	c.Unlisted = len(q.Params) > 0 || d.Result != nil
	return c
}

// playground returns an empty page.
func (q *Request) playground() *playground {
	e := q.Site
	d := &playground{Max: e.MaxBody, Codes: e.Base, Editor: q.Links.Editor(), Locale: q.Locale}
	if d.Editor != "" {
		phrases, _ := json.Marshal(q.Words.Below("play.editor")) // strings
		d.Phrases = string(phrases)
	}
	for _, s := range q.samples {
		title, published := q.SampleTitle(&s)
		if s.Code == "" && published {
			d.Samples = append(d.Samples, core.Named{Name: title, URL: q.sampleURL(s.Name)})
		}
	}
	for _, t := range e.Overview(q.Ctx, q.Index).Types {
		if t.Schema != nil {
			own := q.Among(t.Schema.Release().Locales())
			title := own.Name(t.Schema.Release().Type().Name, t.ID)
			for _, v := range slices.Compact([]taxonomy.Version{t.First(), t.Latest.ID}) {
				d.Types = append(d.Types, core.Named{Name: title, Note: v.String(), URL: q.To(core.PlayPath, map[string][]string{"new": {v.String()}})})
			}
		}
	}
	return d
}

// Sample returns the text of the sample with a name.
func (q *Request) Sample(name string) (string, error) {
	for _, s := range q.samples {
		if s.Name == name {
			return string(s.Text), nil
		}
	}
	return "", core.NoPage()
}

func (q *Request) sampleURL(name string) string {
	return q.To(core.PlayPath, map[string][]string{"sample": {name}})
}

// SampleOf returns the sample for a code, if there is one.
func (c *Checker) SampleOf(r *core.Request, code issue.Code) *core.Choice {
	q := c.Of(r)
	for _, s := range q.samples {
		if _, published := q.SampleTitle(&s); s.Code == code && published && q.Has(core.PlayPath) {
			return &core.Choice{Name: s.Name, URL: q.sampleURL(s.Name)}
		}
	}
	return nil
}

// SampleTitle returns the title of a sample, and whether its version is published.
func (q *Request) SampleTitle(s *Sample) (phrases.Text, bool) {
	doc, err := document.Parse(s.Text)
	if err != nil {
		return phrases.Text{}, false
	}
	ref, err := taxonomy.ParseRef(core.TextAt(doc.Root(), "schema_version"))
	if err != nil {
		return phrases.Text{}, false
	}
	if _, published := q.Index.Lookup(ref); !published {
		return phrases.Text{}, false
	}
	instance, err := taxonomy.DecodeInstance(doc)
	if err != nil {
		return q.Raw(s.Name), true
	}
	var locales []string
	for _, t := range instance.Title {
		locales = append(locales, t.Locale)
	}
	return q.Among(append(locales, q.Locale)).Name(instance.Title, s.Name), true
}

// Answer does what a form asks for. If the document is invalid, that is to check it.
func (q *Request) Answer(f *core.Form) (*httpcache.Answer, error) {
	switch f.Do {
	case "page":
		if page, err := q.AnswerShown(f.Text); err != nil || page != nil {
			return page, err
		}
	case "save":
		return q.Attachment(f.Text, ".datachain.json", f.Text)
	case "resolved":
		body, err := q.resolve(f.Text)
		if err != nil {
			return nil, err
		}
		if body != nil {
			return q.Attachment(f.Text, ".resolved.json", string(body))
		}
	}
	d := q.playground()
	var moved *Moved
	if version, ok := strings.CutPrefix(f.Do, "upgrade "); ok {
		var err error
		if f.Text, moved, err = q.Upgraded(f.Text, version); err != nil {
			return nil, err
		}
	}
	var err error
	if d.Text, d.Result, err = q.check(f); err != nil {
		return nil, err
	}
	if moved != nil {
		d.Result.Moved = *moved
	}
	return q.AnswerPage(q.playContent(d))
}

// Attachment answers with a file to save, which is named for a document.
func (q *Request) Attachment(doc, suffix, body string) (*httpcache.Answer, error) {
	name := "datachain"
	if parsed, err := q.Parse([]byte(doc)); err == nil {
		name = SavedName(parsed)
	}
	if err := q.Ctx.Err(); err != nil {
		return nil, err
	}
	return httpcache.NewResult("application/json; charset=utf-8", []byte(body)).
		With("Content-Disposition", `attachment; filename="`+name+suffix+`"`), nil
}

// Parse parses a document that was sent, as long as the request has time.
func (q *Request) Parse(text []byte) (*document.Document, error) {
	return document.ParseWith(text, &document.Options{Interrupt: q.Ctx.Err})
}

// SavedName returns the name of the file of a document, without a suffix: its id.
func SavedName(doc *document.Document) string {
	if id := core.TextAt(doc.Root(), "id"); ident.IsID(id) {
		return id
	}
	return "datachain"
}

// AnswerShown answers with the page of a document. It returns nil if show returns "".
func (q *Request) AnswerShown(doc string) (*httpcache.Answer, error) {
	html, err := q.show(doc, false)
	if html == "" {
		return nil, err
	}
	return httpcache.NewResult(core.TypeHTML, []byte(html)).With("Content-Security-Policy", view.ContentSecurityPolicy()), err
}

// AnswerPreview answers with the page of a document that may be unfinished, with its gaps marked. It
// returns nil if the document can't be shown at all.
func (q *Request) AnswerPreview(doc string) (*httpcache.Answer, error) {
	if page, err := q.AnswerShown(doc); err != nil || page != nil {
		return page, err
	}
	shown, err := q.Site.Service.Preview(q.Ctx, []byte(doc))
	if err != nil {
		return nil, IgnoreInvalid(err)
	}
	html, _, err := view.Append(nil, shown, &view.Options{Locale: q.Locale, MaxBytes: core.MaxPage, Interrupt: q.Ctx.Err, Unfinished: true})
	if errors.Is(err, view.ErrTooLarge) {
		return nil, nil
	}
	return httpcache.NewResult(core.TypeHTML, html).With("Content-Security-Policy", view.ContentSecurityPolicy()), err
}

// show returns the page of a document, or "" if it is invalid or its page is too large.
func (q *Request) show(doc string, inert bool) (string, error) {
	_, shown, err := q.Site.Service.Present(q.Ctx, []byte(doc))
	if err != nil || shown == nil {
		return "", IgnoreInvalid(err)
	}
	var b strings.Builder
	_, err = view.Write(&b, shown, &view.Options{Locale: q.Locale, MaxBytes: core.MaxPage, Interrupt: q.Ctx.Err, Inert: inert})
	if errors.Is(err, view.ErrTooLarge) {
		return "", nil
	}
	return b.String(), err
}

// resolve returns the resolved form of a document, or nil if it is invalid.
func (q *Request) resolve(doc string) ([]byte, error) {
	schema, err := q.Site.Service.OpenFor(q.Ctx, []byte(doc))
	if err != nil {
		return nil, IgnoreInvalid(err)
	}
	_, bundle, err := schema.Resolve(q.Ctx, []byte(doc), nil)
	if err != nil || bundle == nil {
		return nil, IgnoreInvalid(err)
	}
	return bundle.AppendJSON(nil), nil
}

// IgnoreInvalid drops errors that are the document's: checking it reports them.
func IgnoreInvalid(err error) error {
	if known, ok := errors.AsType[*datachain.Error](err); ok && known.Kind != datachain.KindFailure {
		return nil
	}
	return err
}
