package upgrade

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// note is an entry of the report before its place in the new document is known. It is about a value
// of the original document.
type note struct {
	ReportEntry
	at document.Value
	// below is the place of something new inside the value.
	below issue.Path
	// removed means that the value is not in the new document.
	removed bool
	// codes are those of findings in the new document that say the same.
	codes []issue.Code
}

func (u *upgrader) note(n note) { u.notes = append(u.notes, n) }

// done notes what was done to a value.
func (u *upgrader) done(kind Kind, at document.Value, format string, args ...any) {
	u.note(note{at: at, ReportEntry: ReportEntry{Kind: kind, Class: Done, Message: fmt.Sprintf(format, args...)}})
}

// review notes what a person should look at.
func (u *upgrader) review(kind Kind, at document.Value, hint, format string, args ...any) {
	u.note(note{at: at, ReportEntry: ReportEntry{Kind: kind, Class: Review, Message: fmt.Sprintf(format, args...), FixHint: hint}})
}

// ask notes what a person has to do. A finding in the new document with the code, if there is one, says
// the same.
func (u *upgrader) ask(kind Kind, at document.Value, code issue.Code, hint, format string, args ...any) {
	e := ReportEntry{Kind: kind, Class: NeedsPerson, Message: fmt.Sprintf(format, args...), FixHint: hint}
	n := note{at: at, ReportEntry: e}
	if code != "" {
		n.codes = []issue.Code{code}
	}
	u.note(n)
}

// noteRemoved notes why a value is not in the new document.
func (u *upgrader) noteRemoved(kind Kind, at document.Value, format string, args ...any) {
	u.note(note{at: at, removed: true, ReportEntry: ReportEntry{Kind: kind, Class: Done, Message: fmt.Sprintf(format, args...)}})
}

// draft is a note, or a finding of the new document that no note announces.
type draft struct {
	note
	offset int  // in the new document
	listed bool // in the report
}

// drafts puts notes and findings together, in the order of the document.
func drafts(edits []document.Edit, doc *document.Document, notes []note, issues issue.Issues) []*draft {
	after := edit.Moved(edits)
	list := make([]*draft, 0, len(notes)+len(issues))
	announced := make(map[string][]int) // by path
	for _, n := range notes {
		offset, there := after(n.at.Range().Start)
		n.removed = n.removed || !there
		d := &draft{note: n, offset: offset}
		if !n.removed && (len(n.codes) > 0 || n.below != nil) { // paths of others can be long, and many
			d.Path = append(edit.PathAt(doc, d.offset), n.below...)
			d.offset = doc.Locate(d.Path).Value.Start.Offset
			key := d.Path.String()
			announced[key] = append(announced[key], len(list))
		}
		list = append(list, d)
	}
	for _, i := range issues {
		same := announced[i.Path.String()]
		if k := slices.IndexFunc(same, func(k int) bool { return slices.Contains(list[k].codes, i.Code) }); k >= 0 {
			d := list[same[k]]
			d.Code, d.FixHint = i.Code, cmp.Or(d.FixHint, i.FixHint)
			continue
		}
		list = append(list, newDraft(cmp.Or(findingKinds[i.Code], kindFinding), i, doc))
	}
	slices.SortStableFunc(list, func(a, b *draft) int { return cmp.Compare(a.offset, b.offset) })
	return list
}

// newDraft returns the draft for a finding in a document.
func newDraft(kind Kind, i issue.Issue, doc *document.Document) *draft {
	e := ReportEntry{Kind: kind, Class: Review, Path: i.Path, Message: i.Message, FixHint: i.FixHint, Code: i.Code}
	if i.Severity == issue.SeverityError {
		e.Class = NeedsPerson
	}
	return &draft{note: note{ReportEntry: e}, offset: doc.Locate(i.Path).Value.Start.Offset}
}

// maxReportBytes limits the texts of a report, apart from twice the size of the document:
// a hostile document can have long keys, and each is in every path through it.
const maxReportBytes = 1 << 20

// list sets the entries of a report. The edited document has the places of drafts, and
// final the same values in the form that is returned.
func (r *Report) list(all []*draft, edited, final *document.Document) {
	for _, d := range all {
		*r.Counts.of(d.Class)++
	}
	budget := maxReportBytes + 2*len(final.Text())
	listed := 0
	for _, d := range mostSerious(all) {
		if budget <= 0 {
			break
		}
		if d.Path == nil && !d.removed {
			d.Path = append(edit.PathAt(edited, d.offset), d.below...)
		}
		if old := d.at.Path(); old != nil && d.below == nil && !old.Equal(d.Path) {
			d.OldPath = old
		}
		budget -= len(d.Message) + len(d.FixHint)
		for _, step := range slices.Concat(d.Path, d.OldPath) {
			budget -= len(step.Name()) + 1
		}
		d.listed = true
		listed++
	}
	r.Entries = make([]ReportEntry, 0, listed)
	for _, d := range all {
		if !d.listed {
			continue
		}
		if d.Path != nil {
			at := final.Locate(d.Path).Value.Start
			d.Position = issue.Position{Line: at.Line, Column: at.Column}
		}
		r.Entries = append(r.Entries, d.ReportEntry)
	}
	if more := len(all) - listed; more > 0 {
		r.Entries = append(r.Entries, ReportEntry{
			Kind: kindMore, Class: Review, Path: issue.Root, Position: issue.Position{Line: 1, Column: 1},
			Message: fmt.Sprintf("There are %d more entries than the %d listed.", more, listed),
			FixHint: "settle these first, then upgrade again",
		})
	}
}

// mostSerious returns which drafts a report lists: first what is not in the document any
// more, since the report is the last place that has it, and that it became thin, then the
// others by class.
func mostSerious(all []*draft) []*draft {
	shown := make([]*draft, 0, min(len(all), maxEntries))
	add := func(which func(*draft) bool) {
		for _, d := range all {
			if len(shown) < maxEntries && which(d) {
				shown = append(shown, d)
			}
		}
	}
	first := func(d *draft) bool { return d.removed || d.Kind == kindWrittenThin }
	add(func(d *draft) bool { return d.Kind == kindWrittenThin })
	add(func(d *draft) bool { return d.removed })
	for _, class := range []Class{Cannot, NeedsPerson, Review, Done} {
		add(func(d *draft) bool { return !first(d) && d.Class == class })
	}
	return shown
}

// linksOld reports whether a link has the old version as one of its parts.
func (u *upgrader) linksOld(link string) bool {
	for part := range strings.FieldsFuncSeq(link, func(r rune) bool { return r == '/' || r == '?' || r == '#' }) {
		if part == u.from || part == u.from+".json" || part == strings.Replace(u.from, "@", "%40", 1) {
			return true
		}
	}
	return false
}

// quote returns a string as JSON.
func quote(s string) []byte { return jcs.AppendQuote(nil, s) }
