package explorer

import (
	"cmp"
	"encoding/json"
	"errors"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/internal/httpcache"
	"github.com/datachain-go/datachain/adapters/view/sheet"
	"github.com/datachain-go/datachain/evolution/upgrade"
	"github.com/datachain-go/datachain/internal/i18n"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/phrases"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/trust"
)

const composePath = "/compose"

// formTimes is how many times as large as its document a form can be: most parts of the
// document are fields as well.
const formTimes = 3

// composition is the data of the page. One of Start, Broken and Form is set.
type composition struct {
	Start  *composeStart
	Broken *brokenDocument
	Form   *composeForm
	Max    int64 // bytes of a document
}

// composeStart asks what the system is called and of what kind it is.
type composeStart struct {
	Query   string
	Types   []*composeType
	Samples []named
}

// composeType is a kind of system: a taxonomy to describe it with.
type composeType struct {
	Name, Kind, About text
	Version           string // the newest stable version, or else the newest
	// Found are titles of elements that match what is searched for.
	Found []text
	// Versions are the others: stable ones, then betas, each with its link.
	Versions []choice
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
	d.Max = q.explorer.options.MaxBody
	c := &content{
		Title: q.words.Word("compose.title"), Description: q.words.Word("compose.lead"), Path: composePath, Section: composePath, Data: d, State: q.params,
		Styles: []string{"tools.css", "compose.css"}, Policy: playPolicy(false), Unlisted: len(q.params) > 0 || d.Start == nil,
	}
	if q.links.forms() {
		c.Scripts = []string{"compose.js"}
	}
	return c
}

// maxStartFound is how many elements a search shows of each taxonomy.
const maxStartFound = 5

// startCompose lists the taxonomies, first the one with the element that fits best what is
// searched for.
func (q *request) startCompose(query string) (*composeStart, error) {
	d := &composeStart{Query: query}
	best := make(map[*composeType]float64)
	for _, t := range q.explorer.overview(q.ctx, q.index).types {
		schema, err := q.explorer.service.Open(q.ctx, t.first().String())
		if err != nil {
			continue // as on the start page
		}
		own := q.about(schema.Release())
		one := own.composeType(schema)
		for _, status := range []taxonomy.Status{taxonomy.Stable, taxonomy.Beta} {
			for _, e := range t.entries {
				if e.ID.Status() == status && e.ID != schema.Release().Version() && len(one.Versions) < maxOthers {
					one.Versions = append(one.Versions, choice{Name: q.words.Day(q.released(e.ID)), Note: q.status(status), URL: q.to(composePath, url.Values{"new": {e.ID.String()}})})
				}
			}
		}
		if query != "" {
			hits, _, err := schema.Search(q.ctx, own.chooser().Locale, search.Query{Text: query, Limit: maxStartFound})
			if err != nil {
				return nil, err
			}
			for _, hit := range hits.Hits {
				best[one] = max(best[one], hit.Score)
				one.Found = append(one.Found, own.titled(hit.Element, nil))
			}
		}
		d.Types = append(d.Types, one)
	}
	slices.SortStableFunc(d.Types, func(a, b *composeType) int { return cmp.Compare(best[b], best[a]) })
	for _, s := range q.explorer.options.Samples {
		if title, published := q.sampleTitle(&s); s.Code == "" && published {
			d.Samples = append(d.Samples, named{Name: title, Note: s.Name})
		}
	}
	return d, nil
}

func (q *request) composeType(schema *datachain.Schema) *composeType {
	r := schema.Release()
	return &composeType{
		Name: q.name(r.Manifest().Title, r.Version().Type()), Kind: q.name(r.Type().Name, r.Version().Type()),
		About: q.text(r.Manifest().Description), Version: r.Version().String(),
	}
}

// carriageReturns stand for those that the text of a document has: browsers change line ends
// in forms. No JSON text has the character.
var carriageReturns, fromCarriageReturns = strings.NewReplacer("\x1f", "\r"), strings.NewReplacer("\r", "\x1f")

// compose does what a form asks for: it makes the changes of the fields, then that of the
// button, and returns the form, or what the button wants of the document.
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
			return q.answerPage(q.composeContent(&composition{Start: d}))
		}
	}
	if f.file {
		state, f.fields, f.fix, do = &composeState{Lists: state.Lists}, nil, "", "check" // they are about another document
	}
	doc, err := document.Parse([]byte(f.text))
	if err == nil && doc.Root().Kind() == '{' {
		if f.text, err = q.edit(state, doc, f, do, argument); err != nil {
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

// answerCompose returns what the button wants of the document, or the form.
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
		for _, p := range q.explorer.pages {
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

// begin returns a new document. The time of its creation is added when something is written.
func (q *request) begin(version, title string, state *composeState) (string, error) {
	schema, err := q.explorer.service.Open(q.ctx, version)
	if err != nil {
		return "", err
	}
	r := schema.Release()
	chooser := phrases.NewChooser(r.Locales(), q.locale)
	state.Locales = []string{chooser.Locale}
	doc := struct {
		ID            string             `json:"id"`
		Title         taxonomy.Localized `json:"title,omitempty"`
		SchemaVersion string             `json:"schema_version"`
		CreatedAt     string             `json:"created_at"`
		Elements      []struct{}         `json:"elements"`
	}{ID: idOf(title), SchemaVersion: r.Version().String(), Elements: []struct{}{}}
	if title != "" {
		doc.Title = taxonomy.Localized{{Locale: chooser.Locale, Value: title}}
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	return string(text) + "\n", err
}

// complete gives a document that was begun here the time of its creation, and an id that follows
// its title until a person writes another.
func complete(before, doc *document.Document) ([]byte, error) {
	editor := edit.New(doc)
	put := func(key, value string) {
		if v, ok := doc.Root().Get(key); ok && v.Text() != value {
			editor.Replace(v, jcs.AppendQuote(nil, value))
		}
	}
	if textAt(doc.Root(), "created_at") == "" {
		put("created_at", time.Now().UTC().Format(time.RFC3339))
	}
	titled := func(d *document.Document) string {
		for t := range child(d.Root(), "title").All() {
			return idOf(textAt(t, "value"))
		}
		return idOf("")
	}
	if id := textAt(doc.Root(), "id"); id == textAt(before.Root(), "id") && id == titled(before) {
		put("id", titled(doc))
	}
	return document.ApplyEdits(doc.Text(), editor.Edits())
}

// maxOwnID is the length of an id that is made of a title.
const maxOwnID = 48

// idOf makes an id of a title: its letters and digits in lower case, with hyphens between
// them. Other letters are left out.
func idOf(title string) string {
	id := strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', '0' <= r && r <= '9':
			return r
		case r < 0x80:
			return '-'
		}
		return -1
	}, strings.ToLower(title))
	words := strings.FieldsFunc(id, func(r rune) bool { return r == '-' })
	for id = ""; len(words) > 0 && len(id)+len(words[0]) < maxOwnID; words = words[1:] {
		id += "-" + words[0]
	}
	return cmp.Or(strings.TrimPrefix(id, "-"), "my-datachain")
}

// edit returns the text of a document after the changes that a form asks for: elements that were
// chosen are placed, then fields are set, then the button does what it says.
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
		v, _, err := q.judge(string(text))
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
		state.Left = []string{everyQuestion}
		return q.upgraded(state, string(text), argument)
	default:
		return q.editItems(state, doc, do, argument)
	}
	return string(text), nil
}

// editItems returns the text of a document after a button that adds, removes or moves a part of it.
func (q *request) editItems(state *composeState, doc *document.Document, do, argument string) (string, error) {
	editor := edit.New(doc)
	var err error
	switch do {
	case "new":
		err = addItem(editor, doc, argument)
	case "remove":
		state.All = nil // they are named by their index
		err = removeItem(editor, doc, argument)
	case "up", "down":
		state.All = nil
		err = q.moveItem(editor, doc, argument, do == "up")
	case "unset":
		index, id, _ := strings.Cut(argument, " ")
		if i, e := strconv.Atoi(index); e == nil {
			list, _ := doc.Find(issue.Root.Key("elements").Index(i).Key("variables"))
			if j := variableAt(list, id); j >= 0 {
				editor.Remove(list, j)
			}
		}
	case "thin":
		if suggested, _ := doc.Root().Get("suggested_elements"); suggested.Len() == 0 {
			editor.RemoveMember(doc.Root(), "schema_snapshot")
			editor.RemoveMember(doc.Root(), "suggested_elements")
		}
	}
	if err != nil {
		return string(doc.Text()), nil //nolint:nilerr // the place is gone: the form shows what is there
	}
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
	if schema, _ := q.explorer.service.OpenFor(q.ctx, doc.Text()); schema != nil {
		if e, ok := schema.Release().Element(element); ok {
			state.Open = "c-" + e.CategoryID
		}
	}
}

// placed returns a document with one more placement.
func placed(doc *document.Document, element string) (*document.Document, error) {
	editor := edit.New(doc)
	addTo(editor, doc.Root(), "elements", placementOf(doc, element))
	text, err := document.ApplyEdits(doc.Text(), editor.Edits())
	if err != nil {
		return nil, err
	}
	return document.Parse(text)
}

var errNoPlace = errors.New("there is no such place")

// addTo adds an item to the list that is a member of an object, which may be missing.
func addTo(editor *edit.Editor, of document.Value, key string, item []byte) {
	if list, ok := of.Get(key); ok {
		if list.Kind() == '[' {
			editor.Add(list, "", item)
		}
		return
	}
	editor.AddTo(of, key, item)
}

// placementOf returns a placement of an element. If it is placed already, this one gets an
// id, so that the two can be told apart.
func placementOf(doc *document.Document, element string) []byte {
	taken := make(map[string]bool)
	for p := range child(doc.Root(), "elements").All() {
		taken[textAt(p, "element_id")], taken[textAt(p, "element_instance_id")] = true, true
	}
	json := jcs.AppendQuote([]byte(`{"element_id": `), element)
	if taken[element] {
		own := strings.ReplaceAll(element, ".", "-")
		n := 2
		for taken[own+"-"+strconv.Itoa(n)] {
			n++
		}
		json = jcs.AppendQuote(append(json, `, "element_instance_id": `...), own+"-"+strconv.Itoa(n))
	}
	return append(json, '}')
}

// addItem adds an item to the list at a path.
func addItem(editor *edit.Editor, doc *document.Document, path string) error {
	at, err := issue.ParsePath(path)
	if err != nil || len(at) == 0 || len(at) > maxEditDepth {
		return errNoPlace
	}
	key := at[len(at)-1].Name()
	item, known := newItems[key]
	of, ok := doc.Find(at[:len(at)-1])
	switch {
	case !known:
		return errNoPlace
	case ok && of.Kind() == '{':
		addTo(editor, of, key, []byte(item))
	case len(at) == 2: // in an object that is missing
		editor.Add(doc.Root(), at[0].Name(), []byte(`{"`+key+`": [`+item+`]}`))
	default:
		return errNoPlace
	}
	return nil
}

// itemAt returns the list and the index of the item at a path.
func itemAt(doc *document.Document, path string) (issue.Path, document.Value, int, error) {
	at, err := issue.ParsePath(path)
	if err != nil || len(at) < 2 || len(at) > maxEditDepth {
		return nil, document.Value{}, 0, errNoPlace
	}
	list, _ := doc.Find(at[:len(at)-1])
	i, _ := at[len(at)-1].IsIndex()
	if _, ok := list.At(i); !ok {
		return nil, document.Value{}, 0, errNoPlace
	}
	return at, list, i, nil
}

// removeItem removes the item of a list at a path, and the list with its last item unless the
// document must have it.
func removeItem(editor *edit.Editor, doc *document.Document, path string) error {
	at, list, i, err := itemAt(doc, path)
	if err != nil {
		return err
	}
	if of, ok := doc.Find(at[:len(at)-2]); ok && list.Len() == 1 && of.Kind() == '{' && path != "elements[0]" {
		editor.RemoveMember(of, at[len(at)-2].Name())
		return nil
	}
	editor.Remove(list, i)
	return nil
}

// moveItem exchanges an item with the one before or after it: of placements, with that of the
// same category. Their texts stay as they are.
func (q *request) moveItem(editor *edit.Editor, doc *document.Document, path string, up bool) error {
	_, list, i, err := itemAt(doc, path)
	if err != nil {
		return err
	}
	step := 1
	if up {
		step = -1
	}
	item, _ := list.At(i)
	j := i + step
	if strings.HasPrefix(path, "elements[") && strings.Count(path, "[") == 1 {
		if schema, _ := q.explorer.service.OpenFor(q.ctx, doc.Text()); schema != nil {
			category := func(v document.Value) string {
				if e, ok := schema.Release().Element(textAt(v, "element_id")); ok {
					return e.CategoryID
				}
				return ""
			}
			for {
				other, ok := list.At(j)
				if !ok || category(other) == category(item) {
					break
				}
				j += step
			}
		}
	}
	other, ok := list.At(j)
	if !ok {
		return errNoPlace
	}
	editor.Replace(item, other.Raw())
	editor.Replace(other, item.Raw())
	return nil
}

// upgraded returns the text of a document that is moved to a version.
func (q *request) upgraded(state *composeState, text, version string) (string, error) {
	schema, err := q.explorer.service.Open(q.ctx, version)
	if err != nil {
		return "", err
	}
	result, err := schema.Upgrade(q.ctx, []byte(text), nil)
	if err != nil {
		return "", err
	}
	state.Upgraded = true
	for _, e := range result.Report.Entries {
		said := e.Message
		if e.FixHint != "" {
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
	return string(result.Document.Text()), nil
}

// composeSign returns the sign of a document, or nil if it is invalid. Its code leads to the
// address that the form has.
func (q *request) composeSign(state *composeState, text string) ([]byte, error) {
	_, shown, err := q.explorer.service.Present(q.ctx, []byte(text))
	if err != nil || shown == nil {
		return nil, ignoreInvalid(err)
	}
	doc, err := document.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	address := cmp.Or(state.Address, q.pageAddress(doc))
	if at, err := url.Parse(address); err != nil || at.Host == "" || at.User != nil || at.Scheme != "https" && at.Scheme != "http" || len(address) > maxAddress {
		state.NoAddress = true
		return nil, nil //nolint:nilerr // the form asks for an address
	}
	subject := &sheet.Subject{Presentation: shown, Summary: shown.Summary(nil), Address: address, Date: time.Now(), Edition: trust.EditionHash(doc)}
	if q.state != nil {
		subject.Publisher = q.state.Settings().Publisher.Name
	}
	html, err := sheet.Append(nil, &sheet.Options{Locales: []string{q.locale}}, subject)
	if long, ok := errors.AsType[*sheet.FitError](err); ok {
		state.Remains = append(state.Remains, long.Error())
		return nil, nil
	}
	return html, err
}

// maxAddress is the length of the longest address on a sign.
const maxAddress = 300

// pageAddress proposes where the page of a document will be: in the register of this server. If
// its public address is not known, it is the one that the browser uses.
func (q *request) pageAddress(doc *document.Document) string {
	base := q.explorer.baseURL()
	if !q.explorer.absolute() {
		name := (&url.URL{Host: q.host}).Hostname()
		switch ip := net.ParseIP(name); {
		case name == "":
			return "" // a static site
		case name == "localhost", ip.IsLoopback():
			base = "http://" + q.host + base
		default:
			base = "https://" + q.host + base
		}
	}
	return base + documentPrefix + url.PathEscape(cmp.Or(textAt(doc.Root(), "register", "slug"), idOf(textAt(doc.Root(), "id")))) + "/"
}
