package lsp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Diagnostics, as clients get them.
type (
	diagnostic struct {
		Range           span             `json:"range"`
		Severity        int              `json:"severity"`
		Code            issue.Code       `json:"code"`
		CodeDescription *codeDescription `json:"codeDescription,omitzero"`
		Source          string           `json:"source"`
		Message         string           `json:"message"`
		Tags            []int            `json:"tags,omitempty"`
		Related         []related        `json:"relatedInformation,omitempty"`
		Data            diagnosticData   `json:"data"`
	}
	codeDescription struct {
		HRef string `json:"href"`
	}
	related struct {
		Location location `json:"location"`
		Message  string   `json:"message"`
	}
	location struct {
		URI   string `json:"uri"`
		Range span   `json:"range"`
	}
	// diagnosticData is the finding as `datachain validate` has it.
	diagnosticData struct {
		Path    issue.Path `json:"path"`
		Message string     `json:"message"`
		FixHint string     `json:"fix_hint,omitempty"`
	}
)

// The severities and tags that the server uses.
const (
	severityError   = 1
	severityWarning = 2

	tagUnnecessary = 1
	tagDeprecated  = 2
)

// serverName is the name of the server, in diagnostics too.
const serverName = "datachain"

// validateOpen validates all open documents again. The caller has the lock.
func (s *session) validateOpen() {
	if s.state != stateRunning {
		return
	}
	for _, d := range s.documents {
		if !d.inSource() {
			s.validate(d)
		}
	}
}

// validate starts a run that validates a document, in place of one that is running. The caller
// has the lock.
func (s *session) validate(d *openDocument) {
	d.cancel()
	d.run++
	run, doc := d.run, d.snapshot
	ctx, cancel := context.WithCancel(s.ctx)
	d.cancel = cancel
	s.urgent++
	s.work.Go(func() {
		t := doc.text
		defer s.urgentDone()
		defer cancel()
		defer s.recovered("diagnostics of "+t.uri, nil)
		select { // a later run cancels this one
		case <-time.After(s.server.options.Delay):
		case <-ctx.Done():
			return
		}
		found, err := s.diagnoseOpen(ctx, doc)
		if err != nil {
			if ctx.Err() == nil {
				s.log(logError, "diagnostics of "+t.uri+": "+err.Error())
			}
			return
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.documents[t.at] == d && d.run == run {
			s.publish(t.uri, &t.version, found)
		}
	})
}

// diagnoseOpen validates an open document, and remembers a text without errors.
func (s *session) diagnoseOpen(ctx context.Context, doc snapshot) ([]diagnostic, error) {
	if !doc.recognized && doc.text.tooLarge == 0 {
		return nil, nil
	}
	found, err := s.diagnose(ctx, doc.releases, doc.text)
	if err != nil {
		return nil, err
	}
	if doc.recognized && !slices.ContainsFunc(found, func(f diagnostic) bool { return f.Severity == severityError }) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if d := s.documents[doc.text.at]; d != nil && d.text == doc.text {
			d.lastGood = d.text
		}
	}
	return found, nil
}

// publish sends the diagnostics of a document. The caller has the lock, so that they are sent in
// the order of the texts.
func (s *session) publish(uri string, version *int, found []diagnostic) {
	params := object{"uri": uri, "diagnostics": orEmpty(found)}
	if version != nil {
		params["version"] = *version
	}
	s.out.add(&outgoing{uri: uri, body: newNotification("textDocument/publishDiagnostics", params)})
}

// diagnose validates a text.
func (s *session) diagnose(ctx context.Context, r *openReleases, t *text) ([]diagnostic, error) {
	if t.tooLarge > 0 {
		return []diagnostic{{
			Severity: severityWarning, Code: issue.CodePayloadTooLarge, Source: serverName,
			CodeDescription: &codeDescription{issue.CodePayloadTooLarge.URL(s.server.options.BaseURL)},
			Message:         fmt.Sprintf("The document is not checked: it has more than %d bytes.", t.tooLarge),
		}}, nil
	}
	findings, err := s.findings(ctx, r, t)
	if err != nil {
		return nil, err
	}
	list := s.newDiagnostics(t, findings)
	for i := range list {
		if list[i].Code == issue.CodeNotFound {
			list[i].Message += "\nSchema versions come from " + r.Origin + "."
		}
	}
	return list, nil
}

// maxShown is how many findings of a document are sent: all of them are sent again after
// each key that a user presses.
const maxShown = 200

// newDiagnostics shows the findings of a text in their order. If there are too many, the
// last ones are left out, warnings before errors, and a finding at the start of the text
// says how many.
func (s *session) newDiagnostics(t *text, findings []datachain.Finding) []diagnostic {
	list := make([]diagnostic, 0, min(len(findings), maxShown+1))
	errors, warnings := 0, 0 // that still can be shown
	for _, f := range findings {
		if f.Severity == issue.SeverityError && errors < maxShown {
			errors++
		}
	}
	warnings = maxShown - errors
	more := datachain.Finding{Issue: issue.Issue{
		Code: codes.TooManyFindings, Severity: issue.SeverityWarning, Path: issue.Root, FixHint: "fix the ones that are shown first",
	}}
	left, least := 0, ""
	for _, f := range findings {
		budget := &warnings
		if f.Severity == issue.SeverityError {
			budget = &errors
		}
		if *budget > 0 {
			*budget--
			list = append(list, s.newDiagnostic(t, f))
			continue
		}
		if f.Severity == issue.SeverityError {
			more.Severity = issue.SeverityError
		}
		if f.Code == codes.TooManyFindings {
			least = "at least "
		} else {
			left++
		}
	}
	if left > 0 {
		verb := "are"
		if left == 1 {
			verb = "is"
		}
		more.Message = fmt.Sprintf("There %s %s%s.", verb, least, wording.Count(left, "more finding"))
		list = append(list, s.newDiagnostic(t, more))
	}
	return list
}

// verdict validates a text.
func (s *session) verdict(ctx context.Context, r *openReleases, t *text, fix bool) (*datachain.Verdict, error) {
	return r.Service.Validate(ctx, t.content, &datachain.ValidateOptions{Strict: true, Partial: true, Fix: fix})
}

// findings returns what is wrong with a text, as [datachain.Service.Validate] does in
// strict mode, also for the parts of a document whose shape is broken elsewhere. A store
// that fails is a finding, too: otherwise a document would look valid.
func (s *session) findings(ctx context.Context, r *openReleases, t *text) ([]datachain.Finding, error) {
	v, err := s.verdict(ctx, r, t, false)
	if err == nil {
		return v.Findings(), nil
	}
	e, ok := errors.AsType[*datachain.Error](err)
	if !ok || ctx.Err() != nil {
		return nil, err
	}
	s.log(logError, e.Error())
	failure := e.Issue
	failure.Severity, failure.Path = issue.SeverityError, issue.Root
	return []datachain.Finding{{Issue: failure}}, nil
}

// newDiagnostic shows a finding.
func (s *session) newDiagnostic(t *text, f datachain.Finding) diagnostic {
	d := diagnostic{
		Range:    t.lines().span(visible(t.content, f.Span.Start.Offset, f.Span.End.Offset)),
		Severity: severityError, Code: f.Code, Source: serverName, Message: f.Message,
		CodeDescription: &codeDescription{f.Code.URL(s.server.options.BaseURL)},
		Data:            diagnosticData{f.Path, f.Message, f.FixHint},
	}
	if f.Severity == issue.SeverityWarning {
		d.Severity = severityWarning
	}
	if f.FixHint != "" {
		d.Message += "\nHint: " + f.FixHint
	}
	switch f.Code {
	case codes.UnknownField:
		d.Tags = []int{tagUnnecessary} // it is ignored
	case codes.InstanceElementDeprecated, codes.SchemaVersionDeprecated:
		d.Tags = []int{tagDeprecated}
	}
	if at, ok := t.related(f); ok && s.client.related {
		d.Related = []related{{t.location(at), "The first one is here."}}
	}
	return d
}

// related returns the other place that a finding is about.
func (t *text) related(f datachain.Finding) (document.Range, bool) {
	if f.Related != nil {
		other, ok := t.tree().Find(f.Related)
		return other.Range(), ok
	}
	// A key that an object has twice is not valid JSON.
	if f.Code != issue.CodeBadRequest {
		return document.Range{}, false
	}
	at := t.tree().At(f.Span.Start.Offset)
	if !at.Value.IsMember() {
		return document.Range{}, false
	}
	first, ok := at.Container.Get(at.Value.Key())
	return first.KeyRange(), ok && first != at.Value
}

// visible returns a range that can be underlined: an empty one is extended by the
// character after it, or at the end of a line by the one before.
func visible(text []byte, from, to int) (start, end int) {
	if to > from {
		return from, to
	}
	if r, size := utf8.DecodeRune(text[min(from, len(text)):]); size > 0 && r != '\n' && r != '\r' {
		return from, from + size
	}
	if r, size := utf8.DecodeLastRune(text[:min(from, len(text))]); size > 0 && r != '\n' && r != '\r' {
		return from - size, from
	}
	return from, to
}
