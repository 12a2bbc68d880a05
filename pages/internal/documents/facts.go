package documents

import (
	"fmt"
	"html/template"

	"github.com/datachain-go/datachain/internal/weblink"
	"github.com/datachain-go/datachain/pages/phrases"
)

// documentEntry is one of several things of a fact, such as an assessment.
type documentEntry struct {
	Name phrases.Text
	// Notes say what it is in a few words, such as its state and date, and About says more.
	Notes []phrases.Text
	About phrases.Text
	// Address is where to read about it, "" if that is not known.
	Address string
}

// maxPlaces is how many places are shown before the others are folded.
const maxPlaces = 2

// places are the places of the document, each with its address in a line.
func (q *request) places() []phrases.Text {
	list := make([]phrases.Text, len(q.document.Details.Places))
	comma := phrases.In(q.Lang).Comma
	for i := range list {
		p := &q.document.Details.Places[i]
		list[i] = q.label(p.Name)
		parts := []phrases.Text{q.label(p.Address)}
		if p.Mobile {
			parts = append(parts, q.Own(q.Word("register.mobile")))
		}
		for _, t := range parts {
			if !t.Empty() {
				list[i] = phrases.Text{
					Value:  list[i].Value + comma + t.Value,
					Markup: list[i].HTML() + template.HTML(template.HTMLEscapeString(comma)) + t.HTML(), //nolint:gosec // escaped
				}
			}
		}
	}
	return list
}

// maxEntries is how many entries of a fact the page shows. The files of the document have all.
const maxEntries = 20

// entriesFact returns a fact with the entries of n things, as far as the page shows them.
func (q *request) entriesFact(name string, n int, entry func(i int) documentEntry) documentFact {
	f := documentFact{Name: name}
	for i := range min(n, maxEntries) {
		f.Entries = append(f.Entries, entry(i))
	}
	if n > maxEntries {
		f.More = q.Own(fmt.Sprintf(phrases.In(q.Lang).More, n-maxEntries))
	}
	return f
}

// administrative are the facts of a document with entries: its assessments, its classes, and where
// else it is filed. The answers that only another register asks for are left to the files.
func (q *request) administrative() (facts []documentFact) {
	details := &q.document.Details
	for _, f := range []documentFact{
		q.entriesFact(q.Word("register.assessments"), len(details.Assessments), q.assessment),
		q.entriesFact(q.Word("register.classes"), len(details.Classes), q.class),
		q.entriesFact(q.Word("register.filedat"), len(details.Filings), q.filing),
	} {
		if len(f.Entries) > 0 {
			facts = append(facts, f)
		}
	}
	return facts
}

func (q *request) assessment(i int) documentEntry {
	a := &q.document.Details.Assessments[i]
	e := documentEntry{Name: q.label(a.Name), About: q.label(a.Summary), Address: a.URL}
	state := a.State
	if state == "" {
		state = "done"
	}
	e.note(q.Own(q.Word("register.assessmentkinds." + a.Kind)))
	e.note(q.Own(q.Word("register.assessmentstates." + state)))
	e.noteDay(q, a.Date)
	return e
}

func (q *request) class(i int) documentEntry {
	c := &q.document.Details.Classes[i]
	e := documentEntry{Name: q.Raw(c.Class), About: q.label(c.Reason)}
	if weblink.New(c.Scheme, "https", "http").URL != "" {
		e.Address = c.Scheme
	} else {
		e.note(q.Raw(c.Scheme))
	}
	return e
}

func (q *request) filing(i int) documentEntry {
	f := &q.document.Details.Filings[i]
	e := documentEntry{Name: q.Raw(f.Profile), Address: f.URL}
	e.note(q.Raw(f.ID))
	e.noteDay(q, f.Filed)
	return e
}

// note adds a note, unless it is empty.
func (e *documentEntry) note(t phrases.Text) {
	if !t.Empty() {
		e.Notes = append(e.Notes, t)
	}
}

// noteDay adds a date, unless it is "".
func (e *documentEntry) noteDay(q *request, date string) {
	if date != "" {
		e.note(q.Own(q.Day(date)))
	}
}
