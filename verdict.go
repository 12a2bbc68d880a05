package datachain

import (
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Verdict is the result of judging a document. That a document is invalid is an
// answer, not an error.
type Verdict struct {
	// Release is what the document was judged by; for a resolved document it
	// is the version that was addressed. It is nil if the document pins a
	// version that is not published.
	Release *taxonomy.Release
	// Document is the parsed document.
	Document *document.Document
	// Resolved reports whether it was judged as a resolved document, by the
	// snapshot that it carries.
	Resolved bool
	// Issues are all findings, in the order of the rules. If one of them is an
	// [issue.CodeParseError], the shape is wrong, and no rule was checked, or
	// with [ValidateOptions.Partial] those that do not depend on what is wrong.
	Issues issue.Issues
	// Fixed is the outcome of [ValidateOptions.Fix], or nil if that was not
	// requested.
	Fixed *Fixed

	pool *document.Pool // that the document is from
}

// Fixed is a document after the edits that its findings describe.
type Fixed struct {
	// Verdict is the verdict on the edited document; its Document has the text.
	Verdict *Verdict
	// Edits turn the text of the original document into that of the edited one.
	Edits []document.Edit
	// Issues are the findings of the original document that no longer apply.
	Issues issue.Issues
}

// Finding is an issue with its position in the text: what an editor underlines.
type Finding struct {
	issue.Issue
	Span document.Span
}

// Free lets the service use the memory of the document for another one, which a server
// that judges many should do. The document and its values must not be used afterwards, nor
// Findings and Edits, which need it; what was made of them, such as a bundle or Fixed, is
// not affected.
func (v *Verdict) Free() {
	if v.pool != nil && v.Document != nil {
		v.pool.Put(v.Document)
		v.Document = nil
	}
}

// OK reports whether the document is valid; it may have warnings.
func (v *Verdict) OK() bool { return !v.Issues.HasErrors() }

// Errors returns the findings that make the document invalid.
func (v *Verdict) Errors() issue.Issues { return v.Issues.With(issue.SeverityError) }

// Warnings returns the other findings.
func (v *Verdict) Warnings() issue.Issues { return v.Issues.With(issue.SeverityWarning) }

// Edits returns the fixes of some findings as edits of the document, and the findings
// that they fix; see [validate.Edits].
func (v *Verdict) Edits(findings ...issue.Issue) ([]document.Edit, issue.Issues) {
	return validate.Edits(v.Document, findings)
}

// Findings returns all findings with their positions, in the order of the rules.
func (v *Verdict) Findings() []Finding {
	findings := make([]Finding, len(v.Issues))
	for i, found := range v.Issues {
		findings[i] = Finding{found, validate.Mark(v.Document, found)}
	}
	return findings
}
