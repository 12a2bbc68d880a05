package datachain

import (
	"errors"

	"github.com/go-json-experiment/json"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Verdict is the result of validating a document. That a document is invalid, or not even
// JSON, is an answer, not an error.
type Verdict struct {
	// Release is what the document was validated against; for a resolved document it
	// is the version that was addressed. It is nil if the document pins a
	// version that is not published, or is not JSON.
	Release *taxonomy.Release
	// Resolved reports whether it was validated as a resolved document, by the
	// snapshot that it carries.
	Resolved bool
	// Issues are all findings: those of the syntax, then in the order of the rules. If
	// one of them is a parse_error, the shape is wrong and no rule was checked, except
	// with [ValidateOptions.Partial] those that do not depend on the wrong parts.
	Issues issue.Issues
	// Fixed is the outcome of [ValidateOptions.Fix], or nil if that was not
	// requested. See also [Verdict.AfterFix].
	Fixed *validate.Fixed

	doc    *document.Document
	syntax *Error
}

// newSyntaxVerdict returns the verdict on a text that is not strict JSON, or nil if err is
// another error.
func newSyntaxVerdict(err error, fix bool) *Verdict {
	e, ok := errors.AsType[*Error](err)
	if !ok || e.Kind != KindSyntax {
		return nil
	}
	found, _ := e.Finding()
	v := &Verdict{Issues: issue.Issues{found.Issue}, syntax: e}
	if fix {
		v.Fixed = &validate.Fixed{Result: &validate.Result{Issues: v.Issues}}
	}
	return v
}

// Document returns the parsed document, or nil if the text is not strict JSON. With
// [ValidateOptions.Partial] it is never nil, and [document.Document.Strict] tells them apart.
func (v *Verdict) Document() *document.Document { return v.doc }

// SyntaxError returns an [*Error] with [KindSyntax] if the text is not strict JSON, or nil. The
// verdict has it as its first finding; protocols that refuse such a text return it instead.
func (v *Verdict) SyntaxError() error {
	if v.syntax == nil {
		return nil
	}
	return v.syntax
}

// AfterFix returns the verdict on the fixed document, or v if nothing was fixed.
func (v *Verdict) AfterFix() *Verdict {
	if v.Fixed == nil || len(v.Fixed.Edits) == 0 {
		return v
	}
	return &Verdict{Release: v.Release, Resolved: v.Resolved, Issues: v.Fixed.Result.Issues, doc: v.Fixed.Document}
}

// Finding is an issue with its position in the text: what an editor underlines.
type Finding struct {
	issue.Issue
	Span document.Span
}

// OK reports whether the document is valid. It may have warnings. The zero Verdict is not OK.
func (v *Verdict) OK() bool { return v.Issues != nil && !v.Issues.HasErrors() }

// MarshalJSON returns {"ok": true, "warnings": [...]} or {"ok": false, "errors": [...],
// "warnings": [...]}, as the REST API does. It has no warnings if the text is not JSON or the
// shape of the document is wrong, because then the rules did not run.
func (v *Verdict) MarshalJSON() ([]byte, error) {
	answer := struct {
		OK       bool         `json:"ok"`
		Errors   issue.Issues `json:"errors,omitempty"`
		Warnings issue.Issues `json:"warnings,omitzero"`
	}{v.OK(), v.Errors(), v.Warnings()}
	if v.syntax != nil || len(answer.Errors) > 0 && answer.Errors[0].Code == codes.ParseError {
		answer.Warnings = nil
	}
	return json.Marshal(answer)
}

// Errors returns the findings that make the document invalid.
func (v *Verdict) Errors() issue.Issues { return v.Issues.With(issue.SeverityError) }

// Warnings returns the other findings.
func (v *Verdict) Warnings() issue.Issues { return v.Issues.With(issue.SeverityWarning) }

// Edits returns the fixes of some findings as edits of the document, and the findings
// that they fix; see [validate.Edits].
func (v *Verdict) Edits(findings ...issue.Issue) ([]document.Edit, issue.Issues) {
	if v.doc == nil {
		return nil, nil
	}
	return validate.Edits(v.doc, findings)
}

// Findings returns all findings with their positions, in the order of the rules.
func (v *Verdict) Findings() []Finding {
	if v.doc == nil && v.syntax != nil {
		found, _ := v.syntax.Finding()
		return []Finding{found}
	}
	findings := make([]Finding, len(v.Issues))
	for i, found := range v.Issues {
		findings[i] = Finding{found, validate.Mark(v.Document(), found)}
	}
	return findings
}
