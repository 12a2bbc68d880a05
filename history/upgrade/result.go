package upgrade

import (
	"bytes"
	"cmp"
	"fmt"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// pending reports whether the document places a suggested element. It can't be thin
// then, so one without a snapshot is the result of an upgrade that left gaps.
func (u *upgrader) pending() bool {
	for i := range u.placements {
		if p := &u.placements[i]; !p.dropped && u.isSuggested(p) {
			return true
		}
	}
	return false
}

// isSuggested reports whether a placement is that of a suggested element.
func (u *upgrader) isSuggested(p *placement) bool {
	s := u.suggested[p.given.ElementID]
	return s != nil && p.element == s.element
}

// resolved returns the result as a resolved document, or nil if that would not be valid.
func (u *upgrader) resolved() (*Result, error) {
	text := u.newSnapshot()
	if text == nil {
		return nil, nil
	}
	edit := u.edit.Clone()
	var notes []note
	root := u.doc.Root()
	old, _ := root.Get("schema_snapshot")
	n := note{at: old, ReportEntry: ReportEntry{
		Kind: kindResolvedAgain, Class: Done,
		Message: fmt.Sprintf("Replaced the snapshot with that of %s.", u.to.Version()),
	}}
	switch {
	case !u.embedded:
		n.at, n.below = root, issue.Root.Key("schema_snapshot")
		n.Message = fmt.Sprintf("Added the snapshot of %s.", u.to.Version())
		edit.Add(root, "schema_snapshot", text)
		notes = append(notes, n)
	case !bytes.Equal(old.AppendCanonical(nil), text):
		edit.Rewrite(old, text)
		notes = append(notes, n)
	}
	doc, edits, err := u.apply(edit)
	if err != nil {
		return nil, err
	}
	if most := u.maxBytes(); most > 0 {
		if size := len(doc.Root().AppendCanonical(nil)); size > most {
			u.tooLarge = size
			return nil, nil
		}
	}
	result, err := validate.Resolved(u.to, doc, u.validateOptions())
	if err != nil || !result.OK() {
		return nil, err
	}
	return u.result(resolved, doc, edits, append(notes, u.notes...), result.Issues), nil
}

// maxBytes is the size limit of a resolved document; a negative one is none.
func (u *upgrader) maxBytes() int { return cmp.Or(u.opts.MaxBytes, 512<<10) }

// newSnapshot returns the snapshot of the new version, or nil if an element is unknown.
// As before, it has the categories of suggested elements that are placed.
func (u *upgrader) newSnapshot() []byte {
	var ids []string
	categories := make(map[string]bool)
	for i := range u.placements {
		switch p := &u.placements[i]; {
		case p.dropped:
		case p.element == nil:
			return nil
		case !u.isSuggested(p):
			ids = append(ids, p.target)
			categories[p.element.CategoryID] = true
		case p.category != nil:
			if _, had := u.oldCategory(p.element.CategoryID); had {
				categories[p.category.ID] = true
			}
		}
	}
	ids, err := u.to.SortIDs(ids)
	if err != nil {
		return nil
	}
	text := []byte(`{"categories":[`)
	for _, c := range u.to.Categories() {
		if categories[c.ID] {
			text = append(append(text, u.to.CategoryJSON(c.ID)...), ',')
		}
	}
	text = append(append(closeList(text), `,"datachain_type":`...), u.to.TypeJSON()...)
	text = append(text, `,"elements":[`...)
	for _, id := range ids {
		text = append(append(text, u.to.ElementJSON(id)...), ',')
	}
	return append(closeList(text), '}')
}

// closeList closes an array whose items end with commas.
func closeList(text []byte) []byte {
	if last := len(text) - 1; text[last] == ',' {
		text = text[:last]
	}
	return append(text, ']')
}

// thin returns the result as a thin document.
func (u *upgrader) thin() (*Result, error) {
	reason, but, hint := "it can't be resolved yet", "", "settle the other entries, then upgrade again"
	if u.tooLarge > 0 {
		reason = fmt.Sprintf("the resolved document would have %d bytes, and at most %d are allowed", u.tooLarge, u.maxBytes())
		but, hint = ", but "+reason, "remove placements, then upgrade again"
	}
	if u.embedded {
		u.edit.RemoveMember(u.doc.Root(), "schema_snapshot")
		hint := hint
		if u.tooLarge == 0 && !u.pending() {
			hint = "settle the other entries, then resolve the document"
		}
		u.review(kindWrittenThin, u.doc.Root(), hint, "The document is written without schema_snapshot, because %s.", reason)
	}
	for i := range u.placements {
		if p := &u.placements[i]; !p.dropped && u.isSuggested(p) {
			u.ask(kindSuggestionPending, p.member("element_id"), codes.InstanceElementUnknown, hint,
				"The element %s is a suggestion, which only a resolved document can place%s.", ident.Name(p.target), but)
		}
	}
	doc, edits, err := u.apply(u.edit)
	if err != nil {
		return nil, err
	}
	result, err := validate.Instance(u.to, doc, u.validateOptions())
	if err != nil {
		return nil, err
	}
	return u.result(thin, doc, edits, u.notes, result.Issues), nil
}

// validateOptions are the options for validating the new document.
func (u *upgrader) validateOptions() *validate.Options {
	o := new(validate.Options)
	if u.opts.Validate != nil {
		*o = *u.opts.Validate
	}
	o.Interrupt = u.opts.Interrupt
	return o
}

// apply makes the edits.
func (u *upgrader) apply(e *edit.Editor) (*document.Document, []document.Edit, error) {
	edits := e.Edits()
	if len(edits) == 0 {
		return u.doc, nil, nil
	}
	if !u.opts.UpdatedAt.IsZero() {
		dated := e.Clone()
		dated.SetUpdatedAt(u.opts.UpdatedAt)
		edits = dated.Edits()
	}
	text, err := document.ApplyEdits(u.doc.Text(), edits)
	if err != nil {
		return nil, nil, fmt.Errorf("upgrade: %w", err)
	}
	doc, err := document.Parse(text)
	if err != nil {
		return nil, nil, fmt.Errorf("upgrade: an edit breaks the document: %w", err)
	}
	return doc, edits, nil
}

// result puts the result together.
func (u *upgrader) result(form string, doc *document.Document, edits []document.Edit, notes []note, issues issue.Issues) *Result {
	r := &Result{Document: doc, Edits: edits, Issues: issues}
	r.Report = Report{From: u.from, To: u.to.Version(), Changed: len(edits) > 0, Form: form}
	list := drafts(edits, doc, notes, issues)
	// A document that was canonical JSON stays so: a new key can be at another place. Most documents
	// are indented, which the second character shows.
	was, now := u.doc.Root(), doc.Root()
	if len(edits) > 0 && was.Raw()[1] > ' ' && bytes.Equal(was.AppendCanonical(nil), was.Raw()) {
		text := append(now.AppendCanonical(nil), doc.Text()[now.Range().End:]...) // files end with a line break
		if canonical, err := document.Parse(text); err == nil && !bytes.Equal(canonical.Root().Raw(), now.Raw()) {
			r.Document = canonical
			r.Edits = []document.Edit{{Range: document.Range{End: len(u.doc.Text())}, Text: text}}
		}
	}
	r.Report.list(list, doc, r.Document)
	return r
}

// refused returns the result for a document that does not have the shape of a datachain.
func (u *upgrader) refused(issues issue.Issues, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	form := thin
	if _, ok := u.doc.Root().Get("schema_snapshot"); ok {
		form = resolved
	}
	r := &Result{Document: u.doc, Issues: issues, Report: Report{From: u.from, To: u.to.Version(), Form: form}}
	var list []*draft
	for _, i := range issues {
		d := newDraft(kindShape, i, u.doc)
		d.Class = Cannot
		list = append(list, d)
	}
	r.Report.list(list, u.doc, u.doc)
	return r, nil
}
