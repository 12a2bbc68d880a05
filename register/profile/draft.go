package profile

import (
	"cmp"
	"encoding/json"
	"fmt"
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
		profile: p, release: release, roles: o.roles(release.Type().ID), register: make(map[string]any), filing: map[string]any{"profile": p.ID},
		answers: make(map[string]*answered), written: make(map[string]string), placed: make(map[placeKey]*draftPlacement), items: make(map[string]map[string]any),
	}
	for _, v := range row.values {
		d.place(&v)
	}
	return d.draft(o)
}

// drafter makes a draft.
type drafter struct {
	profile *Profile
	release *taxonomy.Release
	roles   *summary.Roles

	register map[string]any // the object register
	filing   map[string]any
	answers  map[string]*answered
	size     int                       // of the answers
	written  map[string]string         // texts by path
	items    map[string]map[string]any // of lists of the object register, and sources
	sources  []map[string]any
	placed   map[placeKey]*draftPlacement
	order    []*draftPlacement
	notes    []Note
}

// answered are the answers of a field.
type answered struct {
	texts []string
	list  bool // also if there is only one
}

// place writes a value into the draft: where a report takes it from, where the field says, or else into
// the answers.
func (d *drafter) place(v *rowValue) {
	place, where := d.take(v)
	if place == "" {
		place, where = d.answer(v)
	}
	d.notes = append(d.notes, Note{v.name, v.text, place, where, v.note})
}

// take returns no place if nothing but the answers takes the value.
func (d *drafter) take(v *rowValue) (place Place, where string) {
	switch {
	case v.field == nil:
		v.note = "the profile has no such field"
		return "", ""
	case len(v.field.fields) > 0:
		v.note = "it should be an object"
		return "", ""
	}
	text, ok := v.read()
	if !ok {
		return "", ""
	}
	for _, o := range v.field.from {
		if place, where = d.reverse(o, v, text); place != "" {
			return place, where
		}
	}
	t, index := v.field.target, 0
	if v.field.group != "" {
		index = v.index
	}
	switch {
	case t.filingURL && ident.IsURL(text):
		return d.setFiling("url", text)
	case t.on != nil:
		return d.setPlacement(t.on, index, t.placeholder, v, text)
	}
	return "", ""
}

// read returns the text of a value as a document has it: the id of a choice, a date, or a text without
// HTML. It is false if the value has not the form of the field.
func (v *rowValue) read() (text string, ok bool) {
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
func (d *drafter) answer(v *rowValue) (Place, string) {
	quoted, _ := json.Marshal(v.text) // a text has JSON
	a := d.answers[v.name]
	if a == nil {
		a = &answered{list: v.field != nil && v.field.many()}
	}
	gaps := 0
	if v.field != nil && v.field.group != "" {
		gaps = max(0, v.index-len(a.texts))
	}
	size := len(quoted) + len(v.name) + 6 + 3*gaps
	if d.size+size > maxAnswers {
		v.note = cmp.Or(v.note, "nothing takes it") + "; the answers are full"
		return Noted, ""
	}
	d.size += size
	if v.field != nil {
		v.note = cmp.Or(v.note, "nothing else in a document takes it")
	}
	a.texts = append(append(a.texts, make([]string, gaps)...), v.text)
	d.answers[v.name] = a
	where := "register.filings[0].answers." + v.name
	if v.field != nil && v.field.group != "" {
		where += fmt.Sprintf("[%d]", len(a.texts)-1)
	}
	return Answered, where
}

// setFiling sets a field of the filing, once.
func (d *drafter) setFiling(key, text string) (Place, string) {
	if old := d.filing[key]; old != nil && old != text {
		return "", ""
	}
	d.filing[key] = text
	return Filed, "register.filings[0]." + key
}
