package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
)

// Draft is a document made of an entry of a target. It is not valid yet, as a rule: an element that is
// not known is the id of its category, as in a document that is started from a taxonomy.
type Draft struct {
	// Slug names the document, for a file. Drafts of several entries can have the same.
	Slug string
	// Document is the text.
	Document []byte
	// Notes say where each value of the entry went, one for each.
	Notes []Note
}

// Note says where a value of an entry went.
type Note struct {
	Field string `json:"field"`
	Value string `json:"value"`
	Place Place  `json:"place"`
	// Where is the place in the draft, or "".
	Where string `json:"where,omitempty"`
	// Message is what a person should know, or "".
	Message string `json:"message,omitempty"`
}

// Place is what became of a value.
type Place string

// The places of values. Nothing is lost: every value has one.
const (
	Exact    Place = "exact"    // where a report takes it from
	Drafted  Place = "draft"    // in a variable of a placement, which a person must look at
	Answered Place = "answer"   // in the answers of the filing
	Filed    Place = "filing"   // the id, the address or the date of the filing
	Constant Place = "constant" // every entry has it, so the draft does not
	Noted    Place = "noted"    // only in the note
)

// Places returns all places.
func Places() []Place { return []Place{Exact, Drafted, Answered, Filed, Constant, Noted} }

// Draft reads an entry of the target into a document of a version. The way back is not exact: a report
// of the draft differs in fields that are put together from several texts.
func (p *Profile) Draft(row *Row, release *taxonomy.Release, o *Options) (*Draft, error) {
	if o == nil {
		o = new(Options)
	}
	if !p.Fits(release.Type().ID) {
		return nil, fmt.Errorf("profile: %s is for documents of the type %s, not %s", p.ID, strings.Join(p.Types, " or "), release.Type().ID)
	}
	d := &drafter{
		profile: p, release: release, roles: new(summary.Roles), register: make(map[string]any), answers: make(map[string]any),
		taken: make(map[string]string), placed: make(map[placeKey]*draftPlacement), lists: make(map[listKey]map[string]any),
	}
	if o.Settings != nil && o.Settings.Roles[release.Type().ID] != nil {
		d.roles = o.Settings.Roles[release.Type().ID]
	}
	for _, c := range row.cells {
		d.cell(c)
	}
	return d.draft(o)
}

// drafter makes a draft.
type drafter struct {
	profile *Profile
	release *taxonomy.Release
	roles   *summary.Roles

	top      [3]string // id, title, description
	register map[string]any
	sources  []map[string]any
	filing   [3]string // id, url, filed
	answers  map[string]any
	size     int               // of the answers
	taken    map[string]string // values by path
	placed   map[placeKey]*draftPlacement
	order    []*draftPlacement
	lists    map[listKey]map[string]any
	notes    []Note
}

// value is a value of the entry that is to be placed.
type value struct {
	field *field // nil if the profile has no such field
	name  string // for notes and answers
	text  string
	index int // among the values of the field
	note  string
}

func (d *drafter) note(v *value, place Place, where string) {
	d.notes = append(d.notes, Note{v.name, v.text, place, where, v.note})
}

// cell places the values of a field.
func (d *drafter) cell(c cell) {
	f := d.profile.byName[c.name]
	index := 0
	for i, text := range c.texts {
		if f == nil || f.group == "" {
			i = index
		}
		if strings.TrimSpace(text) == "" {
			continue
		}
		index++
		d.place(&value{field: f, name: c.name, text: text, index: i})
	}
	for i := range c.items {
		for _, inner := range c.items[i].cells {
			var known *field
			if f != nil {
				if k := slices.IndexFunc(f.fields, func(f *field) bool { return f.name == inner.name }); k >= 0 {
					known = f.fields[k]
				}
			}
			for _, text := range inner.texts {
				if strings.TrimSpace(text) != "" {
					d.placeItem(f, &value{field: known, name: c.name + "." + inner.name, text: text, index: i})
				}
			}
			for k := range inner.items { // an object in an object
				d.nested(c.name+"."+inner.name, &inner.items[k])
			}
		}
	}
}

// nested answers the values of an object that no field has.
func (d *drafter) nested(name string, row *Row) {
	for _, c := range row.cells {
		for i, text := range c.texts {
			if strings.TrimSpace(text) != "" {
				d.answer(&value{name: name + "." + c.name, text: text, index: i, note: "the profile has no such field"})
			}
		}
		for k := range c.items {
			d.nested(name+"."+c.name, &c.items[k])
		}
	}
}

// place places a value of a field.
func (d *drafter) place(v *value) {
	f := v.field
	if f == nil {
		v.note = "the profile has no such field"
		d.answer(v)
		return
	}
	if len(f.fields) > 0 {
		v.note = "it should be an object"
		d.answer(v)
		return
	}
	text, ok := d.read(v)
	if !ok {
		d.answer(v)
		return
	}
	var each *eachItem
	if f.each != nil {
		each = &eachItem{f.each, v.index}
	}
	for _, o := range f.from {
		if place, where := d.turn(o, v, text, each); place != "" {
			d.note(v, place, where)
			return
		}
	}
	place, where := d.importText(v, text)
	if place == "" {
		d.answer(v)
		return
	}
	d.note(v, place, where)
}

// placeItem places a value of an object of a list.
func (d *drafter) placeItem(list *field, v *value) {
	if v.field == nil || list == nil {
		v.note = "the profile has no such field"
		d.answer(v)
		return
	}
	if text, ok := d.read(v); ok {
		for _, o := range v.field.from {
			if place, where := d.turn(o, v, text, &eachItem{list.each, v.index}); place != "" {
				d.note(v, place, where)
				return
			}
		}
	}
	d.answer(v)
}

// read returns the text of a value as a document has it: the id of a choice, a date, or a text without
// HTML. It is false if the value has not the form of the field.
func (d *drafter) read(v *value) (text string, ok bool) {
	f := v.field
	text = strings.TrimSpace(v.text)
	if f.typ == typeText || f.typ == typeHTML {
		if plain := plainText(text); plain != text {
			text, v.note = plain, "HTML became text"
		}
		return text, text != ""
	}
	if len(f.choices) > 0 {
		c, ok := f.choice(text)
		if !ok {
			v.note = "it is no choice of the field"
			return "", false
		}
		return c.id, true
	}
	if f.typ == typeMonth && ident.IsDate(text+"-01") {
		v.note = "the first day of the month was added"
		return text + "-01", true
	}
	written, must := f.form(text)
	if must != "" {
		v.note = "it is not " + must
		return "", false
	}
	if f.typ == typeMonth {
		written = text[:len("2026-11-15")]
	}
	return written, true
}

// maxAnswers is less than what the rule of the object register allows, for the names and signs of
// JSON.
const maxAnswers = 48 << 10

// answer writes a value into the answers of the filing, or only notes it if there are too many.
func (d *drafter) answer(v *value) {
	quoted, _ := json.Marshal(v.text)
	if d.size += len(quoted) + len(v.name) + 6; d.size > maxAnswers {
		d.size -= len(quoted) + len(v.name) + 6
		v.note = cmp.Or(v.note, "nothing takes it") + "; the answers are full"
		d.note(v, Noted, "")
		return
	}
	if v.field != nil && v.note == "" {
		v.note = "nothing else in a document takes it"
	}
	many := v.field != nil && v.field.many()
	if v.field != nil && v.field.group != "" {
		list, _ := d.answers[v.name].([]any)
		for len(list) <= v.index {
			list = append(list, "")
		}
		list[v.index] = v.text
		d.answers[v.name] = list
		d.note(v, Answered, fmt.Sprintf("register.filings[0].answers.%s[%d]", v.name, v.index))
		return
	}
	switch old := d.answers[v.name].(type) {
	case nil:
		if d.answers[v.name] = any(v.text); many {
			d.answers[v.name] = []any{v.text}
		}
	case string:
		d.answers[v.name] = []any{old, v.text}
	case []any:
		d.answers[v.name] = append(old, v.text)
	}
	d.note(v, Answered, "register.filings[0].answers."+v.name)
}

// importText puts a text where the key import of the field says.
func (d *drafter) importText(v *value, text string) (place Place, where string) {
	index := 0
	if v.field.group != "" {
		index = v.index
	}
	switch t := v.field.target; t.kind {
	case toFilingURL:
		if ident.IsURL(text) && d.file(1, text) {
			return Filed, "register.filings[0].url"
		}
	case toAction:
		c := d.category(&selector{role: t.role})
		if c == nil {
			return "", ""
		}
		kind := "url"
		if isEmail(text) {
			kind = "email"
		} else if !ident.IsURL(text) {
			return "", ""
		}
		on := d.at(&selector{role: t.role, lead: true}, 0)
		if on == nil {
			return "", ""
		}
		on.actions = append(on.actions, map[string]any{"type": kind, "label": v.field.title, "target": text})
		return Drafted, on.name() + ".actions"
	case toVariable:
		on := d.at(&selector{categories: []string{t.category}}, index)
		if on != nil && d.setVariable(on, t.variable, text) {
			return Drafted, on.name() + "." + t.variable
		}
	}
	return "", ""
}

// file sets a field of the filing, once.
func (d *drafter) file(i int, text string) bool {
	if d.filing[i] != "" && d.filing[i] != text {
		return false
	}
	d.filing[i] = text
	return true
}

// plainText returns a text without the tags and entities of HTML.
func plainText(text string) string {
	if !strings.Contains(text, "<") && !strings.Contains(text, "&") {
		return text
	}
	return unescape(text)
}
