package pages

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/sheet"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
)

const composePath = "/compose"

// formTimes limits a form to a multiple of the size of its document: most parts of the document are
// fields as well.
const formTimes = 3

// composition is the data of the page. One of Start, Broken and Form is set.
type composition struct {
	Start  *composeStart
	Broken *brokenDocument
	Form   *composeForm
	Max    int64 // bytes of a document
}

// brokenDocument is a document that the form can't show.
type brokenDocument struct {
	Text     string
	Findings []findingView
	// Upgrade is the version to move it to, or "".
	Upgrade string
}

// buildCompose begins a document that is written by a form. It is never stored: its text is in
// the form, and each submit returns the form with the text as it is then.
func buildCompose(q *request) (*content, error) {
	if version := q.params.Get("new"); version != "" {
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
	if slug := q.params.Get(changeParam); slug != "" {
		return q.changeDocument(slug)
	}
	d, err := q.startCompose(q.params.Get("q"))
	if err != nil {
		return nil, err
	}
	return q.composeContent(&composition{Start: d}), nil
}

func (q *request) composeContent(d *composition) *content {
	d.Max = q.handler.options.MaxBody
	c := &content{
		Title: q.words.Word("compose.title"), Description: q.words.Word("compose.lead"), Path: composePath, Section: composePath, Data: d, State: q.params,
		Styles: []string{"compose.css"}, Policy: playPolicy(false), Unlisted: len(q.params) > 0 || d.Start == nil,
	}
	if q.links.forms() {
		c.Scripts = []string{"compose.js"}
	}
	return c
}

// carriageReturns restores carriage returns. Browsers change line ends in forms, so the form has a
// control character in their place, which JSON does not allow.
var carriageReturns, fromCarriageReturns = strings.NewReplacer("\x1f", "\r"), strings.NewReplacer("\r", "\x1f")

// compose applies the fields of a form, then its button, and answers with the form or with the file or
// page that the button asks for.
func (q *request) compose(f *form) (*httpcache.Answer, error) {
	state := &composeState{
		Open: f.get("open"), Query: f.get("find " + f.get("open")), Left: valuesNamed(f, "left"), New: f.get("begun") != "", Change: f.get("change"), Locales: valuesNamed(f, "locale"), All: valuesNamed(f, "more"),
		Address: strings.TrimSpace(f.get("address")), Lists: f.get("lists") != "",
	}
	if state.Address == f.get("proposed") {
		state.Address = "" // another one may be proposed now
	}
	do, argument, _ := strings.Cut(f.do, " ")
	if !f.file {
		f.text = carriageReturns.Replace(f.text)
	}
	switch do {
	case "begin":
		title := i18n.Clean(f.get("name"))
		state.New, state.Open = true, "name"
		if title != "" {
			state.leave = leaveAlways
		}
		text, err := q.begin(argument, title, state)
		if err != nil {
			return nil, err
		}
		f.text, f.fields = text, nil
	case "sample":
		text, err := q.sample(argument)
		if err != nil {
			return nil, err
		}
		f.text = text
	default:
		if f.text == "" {
			d, err := q.startCompose(f.get("q"))
			if err != nil {
				return nil, err
			}
			d.Name = f.get("name")
			return q.answerPage(q.composeContent(&composition{Start: d}))
		}
	}
	if f.file {
		state, f.fields, f.fix, do = &composeState{Lists: state.Lists}, nil, "", "check" // they are about another document
	}
	doc, err := document.Parse([]byte(f.text))
	if err == nil && doc.Root().Kind() == '{' {
		if f.text, err = q.edit(state, doc, f, do, argument); err == nil && !state.New {
			f.text, err = dated(doc, f.text)
		}
		if err != nil {
			return nil, err
		}
	}
	return q.answerCompose(state, f, do)
}

// valuesNamed returns the values of the fields with a name.
func valuesNamed(f *form, name string) []string {
	var list []string
	for _, field := range f.fields {
		if field.name == name && !slices.Contains(list, field.value) {
			list = append(list, field.value)
		}
	}
	return list
}

// answerCompose answers with what the button asks for, or with the form.
func (q *request) answerCompose(state *composeState, f *form, do string) (*httpcache.Answer, error) {
	switch do {
	case "save":
		return q.attachment(f.text, ".datachain.json", f.text), nil
	case "page":
		if page, err := q.answerShown(f.text); err != nil || page != nil {
			return page, err
		}
	case "sign":
		if html, err := q.composeSign(state, f.text); err != nil || html != nil {
			return httpcache.NewResult(typeHTML, html).With("Content-Security-Policy", sheet.ContentSecurityPolicy(sheet.Sign)), err
		}
	case "json":
		own := *q
		for _, p := range q.handler.pages {
			if p.pattern == playPath {
				own.page = p
			}
		}
		return own.answerForm(&form{text: f.text})
	}
	d, err := q.newComposition(state, f.text)
	if err != nil {
		return nil, err
	}
	return q.answerPage(q.composeContent(d))
}

// edit returns the text of a document after the changes of a form: it places elements, sets fields,
// then does what the button says.
func (q *request) edit(state *composeState, doc *document.Document, f *form, do, argument string) (string, error) {
	if name, value, ok := strings.Cut(f.get("set"), " "); ok {
		f.fields, do = append(f.fields, formField{name, value}), "done"
	}
	doc, err := q.filled(state, doc, f)
	if err != nil {
		return "", err
	}
	text := doc.Text()
	if f.fix != "" {
		v, err := q.judge(string(text))
		if err != nil {
			return "", err
		}
		fixed, _ := fixedText(v, f.fix) // it is JSON, so there is a verdict
		return fixed, nil
	}
	switch do {
	case "":
		if element := f.last("place"); element != "" {
			q.openQuestionOf(state, doc, element)
		}
	case "check", "page", "save", "send":
		state.Open, state.Left = "", []string{everyQuestion}
	case "open", "find":
		state.Open, state.Query = argument, f.get("find "+argument)
	case "next":
		state.leave = leaveAlways
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
func dated(before *document.Document, text string) (string, error) {
	if text == string(before.Text()) {
		return text, nil
	}
	doc, err := document.Parse([]byte(text))
	if err != nil || textAt(doc.Root(), "updated_at") != textAt(before.Root(), "updated_at") || trust.EditionHash(doc) == trust.EditionHash(before) {
		return text, nil //nolint:nilerr // the form says what is wrong with it
	}
	editor := edit.New(doc)
	editor.SetUpdatedAt(time.Now())
	after, err := document.ApplyEdits(doc.Text(), editor.Edits())
	return string(after), err
}

// filled returns a document with the placements and the fields of a form.
func (q *request) filled(state *composeState, doc *document.Document, f *form) (*document.Document, error) {
	before := doc
	var err error
	for _, element := range valuesNamed(f, "place") {
		if doc, err = placed(doc, element); err != nil {
			return nil, badForm("send it again") // only a form that was made by hand does this
		}
	}
	text, rejected, err := applyFields(q.ctx, doc, f.fields)
	if _, known := errors.AsType[*datachain.Error](err); known {
		return nil, err
	}
	state.Rejected = rejected
	if err == nil {
		doc, err = document.Parse(text)
	}
	if err == nil && state.New {
		if text, err = complete(before, doc); err == nil {
			doc, err = document.Parse(text)
		}
	}
	if err != nil {
		return nil, badForm("send it again")
	}
	return doc, nil
}

// openQuestionOf opens the question of an element that was just placed, which is left if it is answered.
func (q *request) openQuestionOf(state *composeState, doc *document.Document, element string) {
	state.leave, state.Query = leaveAnswered, ""
	if schema, _ := q.handler.service.OpenFor(q.ctx, doc.Text()); schema != nil {
		if e, ok := schema.Release().Element(element); ok {
			state.Open = "c-" + e.CategoryID
		}
	}
}

// upgraded returns the text of a document that is moved to a version. One whose shape is wrong is not
// moved; one that has no answers yet only pins the version.
func (q *request) upgraded(state *composeState, text, version string) (string, error) {
	schema, err := q.handler.service.Open(q.ctx, version)
	if err != nil {
		return "", err
	}
	result, err := upgrade.Run(q.ctx, schema, []byte(text), nil)
	if err != nil {
		return "", err
	}
	doc := result.Document
	if elements, ok := doc.Root().Get("elements"); ok && elements.Kind() == '[' && elements.Len() == 0 {
		editor := edit.New(doc)
		if pinned, ok := doc.Root().Get("schema_version"); ok {
			editor.Replace(pinned, jcs.AppendQuote(nil, schema.Release().Version().String()))
		}
		after, err := document.ApplyEdits(doc.Text(), editor.Edits())
		return string(after), err
	}
	state.Left, state.Upgraded = []string{everyQuestion}, result.Report.Changed
	shown := make(map[string]bool) // findings, which the page shows anyway
	for _, i := range result.Issues {
		shown[i.Path.String()+" "+i.Message] = true
	}
	for _, e := range result.Report.Entries {
		if shown[e.Path.String()+" "+e.Message] {
			continue
		}
		said := e.Message
		if e.FixHint != "" && !slices.Contains(shapeCodes, e.Code) {
			said += " " + wording.Sentence(e.FixHint) + "."
		}
		switch e.Class {
		case upgrade.Cannot, upgrade.NeedsPerson:
			state.Remains = append(state.Remains, said)
		case upgrade.Review:
			state.Review = append(state.Review, said)
		case upgrade.Done: // the document shows it
		}
	}
	return string(doc.Text()), nil
}
