package form

import (
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/pages/internal/check"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
)

// formTimes limits a form to a multiple of the size of its document: most parts of the document are
// fields as well.
const formTimes = 3

// composition is the data of the page. One of Start, Product, Broken and Form is set.
type composition struct {
	Start   *composeStart
	Product *composeProduct
	Broken  *brokenDocument
	Form    *composeForm
	Max     int64 // bytes of a document
}

// brokenDocument is a document that the form can't show.
type brokenDocument struct {
	Text     string
	Findings []check.FindingView
	// Upgrade is the version to move it to, or "".
	Upgrade string
}

// buildCompose begins a document that is written by a form. It is never stored: its text is in
// the form, and each submit returns the form with the text as it is then.
func buildCompose(q *request) (*core.Content, error) {
	if version := q.Params.Get("new"); version != "" {
		state := &composeState{New: true, Open: "name"}
		text, err := q.begin(version, "", state)
		if err != nil {
			return nil, err
		}
		d, err := q.newComposition(state, text)
		if err != nil {
			return nil, err
		}
		return q.composeContent(d), nil
	}
	if slug := q.Params.Get(core.ChangeParam); slug != "" {
		return q.changeDocument(slug)
	}
	d, err := q.startCompose(q.Params.Get("q"))
	if err != nil {
		return nil, err
	}
	return q.composeContent(&composition{Start: d}), nil
}

func (q *request) composeContent(d *composition) *core.Content {
	d.Max = q.Site.MaxBody
	c := &core.Content{
		Title: q.Word("compose.title"), Description: q.Word("compose.lead"), Path: core.ComposePath, Section: core.ComposePath, Template: composeTemplate, Dot: func(s *core.Scope) any { return &view{s} }, Data: d, State: q.Params,
		Styles: []string{"compose.css"}, Policy: core.ToolPolicy(false), Unlisted: len(q.Params) > 0 || d.Start == nil,
	}
	if q.Links.Forms() {
		c.Scripts = []string{"compose.js"}
	}
	return c
}

// carriageReturns restores carriage returns. Browsers change line ends in forms, so the form has a
// control character in their place, which JSON does not allow.
var carriageReturns, fromCarriageReturns = strings.NewReplacer("\x1f", "\r"), strings.NewReplacer("\r", "\x1f")

// compose applies the fields of a form, then its button, and answers with the form or with the file or
// page that the button asks for.
func (q *request) compose(f *core.Form) (*httpcache.Answer, error) {
	state := &composeState{
		Open: f.Get("open"), Query: f.Get("find " + f.Get("open")), Left: valuesNamed(f, "left"), New: f.Get("begun") != "", Change: f.Get("change"), Locales: valuesNamed(f, "locale"), All: valuesNamed(f, "more"),
		Address: strings.TrimSpace(f.Get("address")), Lists: f.Get("lists") != "",
	}
	if state.Address == f.Get("proposed") {
		state.Address = "" // another one may be proposed now
	}
	do, argument, _ := strings.Cut(f.Do, " ")
	if !f.File {
		f.Text = carriageReturns.Replace(f.Text)
	}
	switch do {
	case "begin":
		title := i18n.Clean(f.Get("name"))
		state.New, state.Open = true, "name"
		if title != "" {
			state.leave = leaveAlways
		}
		text, err := q.begin(argument, title, state)
		if err != nil {
			return nil, err
		}
		f.Text, f.Fields = text, nil
	case "product":
		ask, err := q.beginFrom(f, state)
		if err != nil {
			return nil, err
		}
		if ask != nil {
			return q.AnswerPage(q.composeContent(&composition{Product: ask}))
		}
	case "sample":
		text, err := q.Sample(argument)
		if err != nil {
			return nil, err
		}
		f.Text = text
	default:
		if f.Text == "" {
			d, err := q.startCompose(f.Get("q"))
			if err != nil {
				return nil, err
			}
			d.Name = f.Get("name")
			return q.AnswerPage(q.composeContent(&composition{Start: d}))
		}
	}
	if f.File {
		state, f.Fields, f.Fix, do = &composeState{Lists: state.Lists}, nil, "", "check" // they are about another document
	}
	doc, err := q.Parse([]byte(f.Text))
	if err == nil && doc.Root().Kind() == '{' {
		if f.Text, err = q.edit(state, doc, f, do, argument); err == nil && !state.New {
			f.Text, err = q.dated(doc, f.Text)
		}
		if err != nil {
			return nil, err
		}
	}
	return q.answerCompose(state, f, do)
}

// valuesNamed returns the values of the fields with a name.
func valuesNamed(f *core.Form, name string) []string {
	var list []string
	for _, field := range f.Fields {
		if field.Name == name && !slices.Contains(list, field.Value) {
			list = append(list, field.Value)
		}
	}
	return list
}

// answerCompose answers with what the button asks for, or with the form.
func (q *request) answerCompose(state *composeState, f *core.Form, do string) (*httpcache.Answer, error) {
	switch do {
	case "save":
		return q.Attachment(f.Text, ".datachain.json", f.Text)
	case "page":
		if page, err := q.AnswerPreview(f.Text); err != nil || page != nil {
			return page, err
		}
	case "sign":
		if html, err := q.composeSign(state, f.Text); err != nil || html != nil {
			return httpcache.NewResult(core.TypeHTML, html).With("Content-Security-Policy", sheet.ContentSecurityPolicy(sheet.Sign)), err
		}
	case "json":
		return q.Answer(&core.Form{Text: f.Text})
	}
	d, err := q.newComposition(state, f.Text)
	if err != nil {
		return nil, err
	}
	return q.AnswerPage(q.composeContent(d))
}

// edit returns the text of a document after the changes of a form: it places elements, sets fields,
// then does what the button says.
func (q *request) edit(state *composeState, doc *document.Document, f *core.Form, do, argument string) (string, error) {
	if name, value, ok := strings.Cut(f.Get("set"), " "); ok {
		f.Fields, do = append(f.Fields, core.Field{Name: name, Value: value}), "done"
	}
	doc, err := q.filled(state, doc, f)
	if err != nil {
		return "", err
	}
	text := doc.Text()
	if f.Fix != "" {
		v, err := q.Judge(string(text))
		if err != nil {
			return "", err
		}
		fixed, _ := check.FixedText(v, f.Fix) // it is JSON, so there is a verdict
		return fixed, nil
	}
	switch do {
	case "":
		if element := f.Last("place"); element != "" {
			q.openQuestionOf(state, doc, element)
		}
	case "check", "page", "save", "send":
		state.Open, state.Left = "", []string{everyQuestion}
	case "open", "find":
		state.Open, state.Query = argument, f.Get("find "+argument)
	case "next":
		if state.leave = leaveAlways; state.Adding {
			state.leave = leaveComplete // what they ask for was not seen yet
		}
	case "done":
		state.leave = leaveComplete
	case "more":
		state.All = append(state.All, argument)
	case "upgrade":
		return q.upgraded(state, string(text), argument)
	default:
		return q.editItems(state, doc, do, argument)
	}
	return string(text), nil
}

// dated returns the text of a document that existed before, with the time of its change as updated_at.
// A text of the same edition keeps its time, and a time that a person writes stays.
func (q *request) dated(before *document.Document, text string) (string, error) {
	if text == string(before.Text()) {
		return text, nil
	}
	doc, err := q.Parse([]byte(text))
	if err != nil || core.TextAt(doc.Root(), "updated_at") != core.TextAt(before.Root(), "updated_at") || trust.EditionHash(doc) == trust.EditionHash(before) {
		return text, nil //nolint:nilerr // the form says what is wrong with it
	}
	editor := edit.New(doc)
	editor.SetUpdatedAt(time.Now())
	after, err := document.ApplyEdits(doc.Text(), editor.Edits())
	return string(after), err
}

// filled returns a document with the placements and the fields of a form.
func (q *request) filled(state *composeState, doc *document.Document, f *core.Form) (*document.Document, error) {
	before := doc
	var err error
	ticked := valuesNamed(f, "also")
	state.Adding = len(ticked) > 0
	if len(ticked) > maxListed {
		return nil, core.BadForm("send it again")
	}
	for _, element := range append(valuesNamed(f, "place"), ticked...) {
		if err := q.Ctx.Err(); err != nil {
			return nil, err
		}
		if doc, err = placed(doc, element); err != nil {
			return nil, core.BadForm("send it again") // only a form that was made by hand does this
		}
	}
	text, rejected, err := applyFields(q.Ctx, doc, f.Fields)
	state.Rejected = rejected
	if err == nil {
		doc, err = q.Parse(text)
	}
	if err == nil && state.New {
		if text, err = complete(before, doc); err == nil {
			doc, err = q.Parse(text)
		}
	}
	if late := q.Ctx.Err(); late != nil {
		return nil, late
	}
	if err != nil {
		return nil, core.BadForm("send it again")
	}
	return doc, nil
}

// openQuestionOf opens the question of an element that was just placed, which is left if it is answered.
func (q *request) openQuestionOf(state *composeState, doc *document.Document, element string) {
	state.leave, state.Query = leaveAnswered, ""
	if schema, _ := q.Site.Service.OpenFor(q.Ctx, doc.Text()); schema != nil {
		if e, ok := schema.Release().Element(element); ok {
			state.Open = "c-" + e.CategoryID
		}
	}
}

// upgraded returns the text of a document that is moved to a version. Then all findings are shown.
func (q *request) upgraded(state *composeState, text, version string) (string, error) {
	text, moved, err := q.Upgraded(text, version)
	if moved != nil {
		state.Left, state.Moved = []string{everyQuestion}, *moved
	}
	return text, err
}
