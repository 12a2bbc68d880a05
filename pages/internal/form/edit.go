package form

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// The state of the form is the text of the document. The fields of the form are named for
// what they change in it: a letter for the kind, then the place.
//
//	t:PATH              a string
//	l:LOCALE:PATH       a localized text, or a label
//	v:LOCALE:N:VARIABLE the text of a variable of placement N
//	o:N:VARIABLE        the options of a variable of placement N
//	s:PATH              a list of strings, of which some are chosen
//	b:PATH              true, or nothing
//	n:PATH              a number
//	g:PATH              a GeoJSON Point, as latitude and longitude
//
// A field that has the value that the document has changes nothing, so a document that is
// opened and saved stays the same. Of o, s and b there is an empty value as well, since
// browsers do not send boxes that are not ticked.
const (
	maxEditPath   = 200  // bytes
	maxEditDepth  = 6    // steps
	maxEditValues = 1000 // of a field that has several
)

// fieldEdits collects what the fields of a form change in a document.
type fieldEdits struct {
	doc      *document.Document
	editor   *edit.Editor
	rejected map[string]string // values that can't be used, by the name of the field
	// variables are the places of variables in their lists, by placement and id.
	variables map[int]map[string]int
}

// textEntry is a text in a language.
type textEntry struct{ locale, value string }

// editedPlace is a place of the document that fields of the form change.
type editedPlace struct {
	kind, place string
	at          issue.Path // of kinds that have one
	name        string     // of the field, or of the first of several
	value       string
	values      []string    // of s, o and b, without the empty one
	entries     []textEntry // of l and v
}

// editedPlaces groups fields by the place that they change. Other fields are left out, and of
// fields with the same name, the first one counts.
func editedPlaces(fields []core.Field) []*editedPlace {
	var list []*editedPlace
	places := make(map[string]*editedPlace)
	for _, f := range fields {
		kind, place, ok := strings.Cut(f.Name, ":")
		locale := ""
		if ok && (kind == "l" || kind == "v") {
			locale, place, ok = strings.Cut(place, ":")
			ok = ok && ident.IsLocale(locale)
		}
		if !ok || len(kind) != 1 || len(place) > maxEditPath {
			continue
		}
		p := places[kind+place]
		if p == nil {
			p = &editedPlace{kind: kind, place: place, name: f.Name, value: f.Value}
			switch {
			case slices.Contains([]string{"l", "t", "s", "b", "n", "g"}, kind):
				var err error
				if p.at, err = issue.ParsePath(place); err != nil || len(p.at) == 0 || len(p.at) > maxEditDepth {
					continue
				}
			case kind != "v" && kind != "o":
				continue
			}
			places[kind+place], list = p, append(list, p)
		}
		switch {
		case len(p.entries)+len(p.values) == maxEditValues:
		case locale != "" && !slices.ContainsFunc(p.entries, func(t textEntry) bool { return t.locale == locale }):
			p.entries = append(p.entries, textEntry{locale, f.Value})
		case locale == "" && f.Value != "":
			p.values = append(p.values, f.Value)
		}
	}
	return list
}

// empty reports whether nothing is to be there.
func (e *editedPlace) empty() bool {
	return len(e.values) == 0 && !slices.ContainsFunc(e.entries, func(t textEntry) bool { return t.value != "" })
}

// applyFields returns the text of a document with the values of fields, and the values that
// can't be used. The document is an object.
func applyFields(ctx context.Context, doc *document.Document, fields []core.Field) ([]byte, map[string]string, error) {
	places := editedPlaces(fields)
	doc, err := withParents(ctx, doc, places)
	if err != nil {
		return nil, nil, err
	}
	e := &fieldEdits{doc: doc, editor: edit.New(doc), rejected: make(map[string]string), variables: make(map[int]map[string]int)}
	for i, p := range places {
		if err := interrupted(ctx, i); err != nil {
			return nil, nil, err
		}
		switch p.kind {
		case "v":
			e.variable(p.place, func(value editTarget) { e.texts(value, p.entries) })
		case "o":
			e.variable(p.place, func(value editTarget) { e.choices(value, p.values) })
		default:
			e.set(p)
		}
	}
	text, err := document.ApplyEdits(doc.Text(), e.editor.Edits())
	return text, e.rejected, err
}

// interrupted returns an error from time to time once a context has ended: looking up members
// takes long in an object with very many.
func interrupted(ctx context.Context, i int) error {
	if i%64 == 0 && ctx.Err() != nil {
		return ctx.Err()
	}
	return nil
}

// withParents returns a document with the objects that new values are members of. An item is
// added only if it is the first of its list.
func withParents(ctx context.Context, doc *document.Document, places []*editedPlace) (*document.Document, error) {
	type member struct {
		of  document.Value
		key string
	}
	for range maxEditDepth {
		added := make(map[member]bool)
		editor := edit.New(doc)
		for n, p := range places {
			if err := interrupted(ctx, n); err != nil {
				return nil, err
			}
			if p.at == nil || p.empty() {
				continue
			}
			v, parents := doc.Root(), p.at[:len(p.at)-1]
			for i, step := range parents {
				next, there := childOf(v, step)
				if there {
					v = next
					continue
				}
				m := member{v, step.Name()}
				if v.Kind() != '{' || added[m] || !creates(p.at[i:]) {
					break
				}
				added[m] = true
				switch {
				case !isItem(p.at[i+1]):
					editor.Add(v, m.key, []byte("{}"))
				case len(p.at) == i+2:
					editor.AddTo(v, m.key, []byte(newItems[m.key]))
				default:
					editor.AddTo(v, m.key, []byte("{}"))
				}
				break
			}
		}
		if len(added) == 0 {
			break
		}
		text, err := document.ApplyEdits(doc.Text(), editor.Edits())
		if err != nil {
			return nil, err
		}
		if doc, err = document.Parse(text); err != nil {
			return nil, err
		}
	}
	return doc, nil
}

// creates reports whether the form can make everything on a path: items only as the first of a list,
// which it shows.
func creates(at issue.Path) bool {
	for i, step := range at {
		if n, ok := step.IsIndex(); ok && (i == 0 || n != 0 || newItems[at[i-1].Name()] == "") {
			return false
		}
	}
	return true
}

func isItem(step issue.Step) bool {
	_, is := step.IsIndex()
	return is
}

// childOf returns a member or an item of a value.
func childOf(v document.Value, step issue.Step) (document.Value, bool) {
	if i, ok := step.IsIndex(); ok {
		return v.At(i)
	}
	return v.Get(step.Name())
}

// editTarget is a place of the document: the value there, if there is one, and how to put
// another there and to remove it.
type editTarget struct {
	document.Value

	there bool
	put   func(json []byte)
	drop  func()
}

// target returns the member or item of a value.
func (f *fieldEdits) target(of document.Value, step issue.Step) editTarget {
	v, there := childOf(of, step)
	return editTarget{Value: v, there: there, put: func(json []byte) {
		if there {
			f.editor.Replace(v, json)
		} else {
			f.editor.Add(of, step.Name(), json)
		}
	}, drop: func() { f.editor.RemoveMember(of, step.Name()) }}
}

// set changes the value at the path of a field.
func (f *fieldEdits) set(p *editedPlace) {
	of, ok := f.doc.Find(p.at[:len(p.at)-1])
	last := p.at[len(p.at)-1]
	to := f.target(of, last)
	if !ok || !to.there && (isItem(last) || of.Kind() != '{') {
		return
	}
	if isItem(last) { // which only its own button removes
		to.drop = func() { to.put([]byte(`""`)) }
	}
	switch p.kind {
	case "l":
		f.texts(to, p.entries)
	case "s":
		f.choices(to, p.values)
	default:
		f.scalar(to, p)
	}
}

// texts sets the texts of a list in some languages. A list without texts is removed.
func (f *fieldEdits) texts(v editTarget, entries []textEntry) {
	var written []textEntry
	for _, t := range entries {
		if t.value != "" {
			written = append(written, t)
		}
	}
	plain := v.there && v.Kind() == '['
	if plain {
		for item := range v.All() {
			plain = plain && item.Kind() == '{'
		}
	}
	if !plain {
		if len(written) > 0 {
			v.put(textList(written))
		}
		return
	}
	at := func(locale string) (int, document.Value) { // the first text in a language
		for i := range v.Len() {
			if item, _ := v.At(i); core.TextAt(item, "locale") == locale {
				return i, item
			}
		}
		return -1, document.Value{}
	}
	remain := len(written) > 0
	for item := range v.All() { // in languages that the form does not have
		named := slices.ContainsFunc(entries, func(t textEntry) bool { return t.locale == core.TextAt(item, "locale") })
		remain = remain || !named && core.TextAt(item, "value") != ""
	}
	if !remain {
		if slices.ContainsFunc(entries, func(t textEntry) bool { _, item := at(t.locale); return core.TextAt(item, "value") != "" }) {
			v.drop()
		}
		return
	}
	for _, t := range entries {
		i, item := at(t.locale)
		switch {
		case i < 0 && t.value != "":
			f.editor.Add(v.Value, "", textItem(t))
		case i < 0 || sent(core.TextAt(item, "value")) == t.value:
		case t.value == "":
			f.editor.Remove(v.Value, i)
		default:
			f.target(item, issue.Root.Key("value")[0]).put(jcs.AppendQuote(nil, t.value))
		}
	}
}

// textList writes a localized text.
func textList(entries []textEntry) []byte {
	b := []byte("[")
	for i, t := range entries {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(b, textItem(t)...)
	}
	return append(b, ']')
}

func textItem(t textEntry) []byte {
	b := jcs.AppendQuote([]byte(`{"locale": `), t.locale)
	return append(jcs.AppendQuote(append(b, `, "value": `...), t.value), '}')
}

// sent returns a text as a browser sends it in a form: line ends are those of Unix here.
func sent(s string) string { return sentText.Replace(s) }

var sentText = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD")

// variable changes the value of a variable, which is named by the index of its placement and
// its id.
func (f *fieldEdits) variable(name string, change func(editTarget)) {
	index, id, _ := strings.Cut(name, ":")
	i, err := strconv.Atoi(index)
	elements, _ := f.doc.Root().Get("elements")
	placement, _ := elements.At(i)
	list, listed := placement.Get("variables")
	if err != nil || placement.Kind() != '{' || id == "" || listed && list.Kind() != '[' {
		return
	}
	known := f.variables[i]
	if known == nil {
		known = make(map[string]int)
		for k := range list.Len() {
			item, _ := list.At(k)
			id := core.TextAt(item, "id")
			if _, twice := known[id]; !twice {
				known[id] = k
			}
		}
		f.variables[i] = known
	}
	j, there := known[id]
	item, _ := list.At(j)
	if !there {
		change(editTarget{put: func(json []byte) {
			item := append(append(jcs.AppendQuote([]byte(`{"id": `), id), `, "value": `...), json...)
			if item = append(item, '}'); listed {
				f.editor.Add(list, "", item)
			} else {
				f.editor.AddTo(placement, "variables", item)
			}
		}, drop: func() {}})
		return
	}
	to := f.target(item, issue.Root.Key("value")[0])
	to.drop = func() { f.editor.Remove(list, j) }
	change(to)
}

// variableAt returns the place of the variable with an id in a list, or -1.
func variableAt(list document.Value, id string) int {
	i := 0
	for item := range list.All() {
		if of, _ := item.Get("id"); of.Kind() == '"' && of.Text() == id {
			return i
		}
		i++
	}
	return -1
}

// choices sets the strings of a list. Those that stay keep their places.
func (f *fieldEdits) choices(v editTarget, chosen []string) {
	plain := v.there && v.Kind() == '['
	var now []string
	for item := range v.All() {
		plain = plain && item.Text() != ""
		now = append(now, sent(item.Text()))
	}
	if !plain { // the form does not show it
		if len(chosen) > 0 {
			list, _ := json.Marshal(chosen) // strings
			v.put(list)
		}
		return
	}
	if len(chosen) == 0 && len(now) > 0 {
		v.drop()
		return
	}
	for i, s := range now {
		if !slices.Contains(chosen, s) {
			f.editor.Remove(v.Value, i)
		}
	}
	for _, s := range chosen {
		if !slices.Contains(now, s) {
			now = append(now, s)
			f.editor.Add(v.Value, "", jcs.AppendQuote(nil, s))
		}
	}
}

var wholeNumber = regexp.MustCompile(`^(0|[1-9][0-9]{0,8})$`)

// scalar sets a value that is not a list.
func (f *fieldEdits) scalar(v editTarget, p *editedPlace) {
	value, now := strings.TrimSpace(p.value), string(v.Raw())
	var json []byte
	switch p.kind {
	case "t":
		if v.there && v.Kind() != '"' {
			return
		}
		value, now = p.value, sent(v.Text())
		json = jcs.AppendQuote(nil, value)
	case "b":
		if value = ""; len(p.values) > 0 {
			value, json = "true", []byte("true")
		}
		if now != "true" {
			now = ""
		}
	case "n":
		if wholeNumber.MatchString(value) {
			json = []byte(value)
		}
	case "g":
		now = pointText(v.Value)
		if latitude, longitude, ok := parsePoint(value); ok {
			json = []byte(`{"type": "Point", "coordinates": [` + longitude + `, ` + latitude + `]}`)
		}
	}
	switch {
	case value == now:
	case value == "":
		v.drop()
	case json == nil:
		f.rejected[p.name] = p.value
	default:
		v.put(json)
	}
}

// pointText returns a GeoJSON Point as latitude and longitude, or "" if it is not one.
func pointText(v document.Value) string {
	at := core.Child(v, "coordinates")
	longitude, _ := at.At(0)
	latitude, ok := at.At(1)
	if core.TextAt(v, "type") != "Point" || !ok || at.Len() != 2 {
		return ""
	}
	return string(latitude.Raw()) + ", " + string(longitude.Raw())
}

var degrees = regexp.MustCompile(`^-?(0|[1-9][0-9]{0,2})(\.[0-9]{1,9})?$`)

// parsePoint parses a latitude and a longitude in degrees.
func parsePoint(s string) (latitude, longitude string, ok bool) {
	latitude, longitude, _ = strings.Cut(s, ",")
	latitude, longitude = strings.TrimSpace(latitude), strings.TrimSpace(longitude)
	within := func(s string, most float64) bool {
		n, err := strconv.ParseFloat(s, 64)
		return err == nil && degrees.MatchString(s) && -most <= n && n <= most
	}
	return latitude, longitude, within(latitude, 90) && within(longitude, 180)
}
