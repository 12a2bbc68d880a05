package product

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/history/upgrade"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/document/edit"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// note is an entry of the report before its place in the new document is known. It is about a value
// of the document before the merge, or something new inside it.
type note struct {
	upgrade.ReportEntry

	at      document.Value
	below   issue.Path
	removed bool
	offset  int // in the new document
}

// noteUpgrade takes over what an upgrade reported, besides the findings of the document as it was then.
func (m *merger) noteUpgrade(r *upgrade.Report) {
	for _, e := range r.Entries {
		if e.Code != "" {
			continue
		}
		n := &note{ReportEntry: e, removed: e.Path == nil}
		if n.at, _ = m.doc.Find(e.Path); !n.at.Exists() {
			n.at = m.doc.Root()
		}
		m.notes = append(m.notes, n)
	}
}

// shape returns what is wrong with the shape of a document.
func (m *merger) shape(doc *document.Document) (issue.Issues, error) {
	result, err := validate.InstanceShape(doc, &validate.Options{Version: m.release.Version(), Interrupt: m.opts.Interrupt})
	if err != nil {
		return nil, err
	}
	return result.Issues.With(issue.SeverityError), nil
}

// refused returns the result for a document that does not have the shape of a datachain.
func (m *merger) refused(issues issue.Issues, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	m.doc = m.original
	for _, i := range issues {
		n := &note{at: m.doc.Root()}
		n.Kind, n.Class, n.Path, n.Message, n.FixHint, n.Code = "shape", upgrade.Cannot, i.Path, i.Message, i.FixHint, i.Code
		m.notes = append(m.notes, n)
	}
	result := &Result{From: m.from, To: m.to}
	result.Document, result.Issues = m.original, issues
	m.report(result, m.original, nil)
	return result, nil
}

// result makes the edits, and validates the new document.
func (m *merger) result() (*Result, error) {
	edits := m.edit.Edits()
	if len(edits)+len(m.upgraded) > 0 && !m.opts.UpdatedAt.IsZero() {
		dated := m.edit.Clone()
		dated.SetUpdatedAt(m.opts.UpdatedAt)
		edits = dated.Edits()
	}
	text, err := document.ApplyEdits(m.doc.Text(), edits)
	if err != nil {
		return nil, fmt.Errorf("product: %w", err)
	}
	doc, err := document.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("product: an edit breaks the document: %w", err)
	}
	result := &Result{From: m.from, To: m.to, Open: m.open, Found: m.found}
	result.Document = doc
	if result.Edits, err = document.MergeEdits(m.original.Text(), m.upgraded, edits); err != nil {
		return nil, fmt.Errorf("product: %w", err)
	}
	if formOf(m.original) == "resolved" {
		return result, m.resolveAgain(result, edits)
	}
	o := new(validate.Options)
	if m.opts.Validate != nil {
		*o = *m.opts.Validate
	}
	o.Interrupt = m.opts.Interrupt
	found, err := validate.Instance(m.release, doc, o)
	if err != nil {
		return nil, err
	}
	result.Issues = found.Issues
	m.noteFindings(doc, found.Issues)
	m.report(result, doc, edits)
	return result, nil
}

// resolveAgain gives a resolved document the snapshot that it needs now.
func (m *merger) resolveAgain(result *Result, edits []document.Edit) error {
	merged := result.Document
	again, err := upgrade.Document(merged, m.release, m.release, &upgrade.Options{Validate: m.opts.Validate, Interrupt: m.opts.Interrupt})
	if err != nil {
		return err
	}
	result.Document, result.Issues = again.Document, again.Issues
	if result.Edits, err = document.MergeEdits(m.original.Text(), result.Edits, again.Edits); err != nil {
		return fmt.Errorf("product: %w", err)
	}
	if edits, err = document.MergeEdits(m.doc.Text(), edits, again.Edits); err != nil {
		return fmt.Errorf("product: %w", err)
	}
	for _, e := range again.Report.Entries {
		m.notes = append(m.notes, &note{ReportEntry: e})
	}
	m.report(result, result.Document, edits)
	return nil
}

// noteFindings notes what validating the new document found.
func (m *merger) noteFindings(doc *document.Document, issues issue.Issues) {
	for _, i := range issues {
		n := &note{}
		n.Kind, n.Class, n.Path, n.Message, n.FixHint, n.Code = "finding", upgrade.Review, i.Path, i.Message, i.FixHint, i.Code
		if i.Severity == issue.SeverityError {
			n.Class = upgrade.NeedsPerson
		}
		n.offset = doc.Locate(i.Path).Value.Start.Offset
		m.notes = append(m.notes, n)
	}
}

// maxEntries is how many entries a report lists.
const maxEntries = 1000

// report sets the report of a result: the entries in the order of the new document or, if there are
// too many, the most serious ones.
func (m *merger) report(result *Result, doc *document.Document, edits []document.Edit) {
	r := &result.Report
	*r = upgrade.Report{From: pinOf(m.original), To: m.release.Version(), Changed: len(result.Edits) > 0, Form: formOf(doc)}
	after := edit.Moved(edits)
	for _, n := range m.notes {
		r.Counts.Add(n.Class)
		if n.at.Exists() {
			n.offset, _ = after(n.at.Range().Start)
		}
	}
	listed := m.notes
	if len(listed) > maxEntries {
		listed = slices.Clone(listed)
		rank := func(n *note) int {
			return slices.Index([]upgrade.Class{upgrade.Cannot, upgrade.NeedsPerson, upgrade.Review, upgrade.Done}, n.Class)
		}
		slices.SortStableFunc(listed, func(a, b *note) int { return cmp.Compare(rank(a), rank(b)) })
		listed = listed[:maxEntries]
	}
	slices.SortStableFunc(listed, func(a, b *note) int { return cmp.Compare(a.offset, b.offset) })
	r.Entries = make([]upgrade.ReportEntry, 0, len(listed))
	for _, n := range listed {
		e := n.ReportEntry
		switch {
		case n.removed:
			e.Path = nil
		case n.at.Exists() && e.Code == "":
			e.Path = append(edit.PathAt(doc, n.offset), n.below...)
		}
		if e.Path != nil {
			at := doc.Locate(e.Path).Value.Start
			e.Position = issue.Position{Line: at.Line, Column: at.Column}
		}
		r.Entries = append(r.Entries, e)
	}
	if more := len(m.notes) - len(listed); more > 0 {
		r.Entries = append(r.Entries, upgrade.ReportEntry{
			Kind: "more", Class: upgrade.Review, Path: issue.Root, Position: issue.Position{Line: 1, Column: 1},
			Message: fmt.Sprintf("There are %d more entries than the %d listed.", more, len(listed)), FixHint: "settle these first, then merge again",
		})
	}
}

// formOf returns whether a document is thin or resolved.
func formOf(doc *document.Document) string {
	if _, ok := doc.Root().Get("schema_snapshot"); ok {
		return "resolved"
	}
	return "thin"
}
