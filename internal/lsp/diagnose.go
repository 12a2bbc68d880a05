package lsp

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Diagnostics, as clients get them.
type (
	publishParams struct {
		URI         string       `json:"uri"`
		Version     *int         `json:"version,omitzero"`
		Diagnostics []diagnostic `json:"diagnostics"`
	}
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

// judgeOpen judges all open documents again. The caller has the lock.
func (s *session) judgeOpen() {
	if s.state != stateRunning {
		return
	}
	s.refresh()
	for _, d := range s.documents {
		if d.file.root == nil {
			s.judge(d)
		}
	}
}

// judge starts a run that judges a document, in place of one that is running. Clients
// that ask for diagnostics get them when they do. The caller has the lock.
func (s *session) judge(d *openDocument) {
	d.cancel()
	d.run++
	if s.client.pull {
		return
	}
	run, doc := d.run, snapshot{text: d.text, root: d.root, recognized: d.recognized}
	ctx, cancel := context.WithCancel(s.ctx)
	d.cancel = cancel
	s.typing.enter()
	s.work.Go(func() {
		t := doc.text
		defer s.typing.leave()
		defer cancel()
		defer s.recovered("diagnostics of "+t.uri, nil)
		if !s.unchanged(ctx) {
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
			s.publish(t.uri, &t.version, orEmpty(found))
		}
	})
}

// unchanged waits for the delay of the server. It reports false if the run was
// canceled meanwhile.
func (s *session) unchanged(ctx context.Context) bool {
	if s.server.options.Delay > 0 {
		timer := time.NewTimer(s.server.options.Delay)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// publish sends the diagnostics of a document, unless the client asks for them. The caller has the lock, so that they
// are sent in the order of the texts.
func (s *session) publish(uri string, version *int, found []diagnostic) {
	if s.client.pull {
		return
	}
	s.out.publish(uri, notification{Version: version2, Method: "textDocument/publishDiagnostics", Params: publishParams{uri, version, found}})
}

// diagnose judges a text.
func (s *session) diagnose(ctx context.Context, r *root, t *text) ([]diagnostic, error) {
	if t.tooLarge > 0 {
		return []diagnostic{{
			Severity: severityWarning, Code: issue.CodePayloadTooLarge, Source: serverName,
			CodeDescription: &codeDescription{s.href(issue.CodePayloadTooLarge)},
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
			list[i].Message += "\nSchema versions come from " + r.releases.Origin + "."
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
		more.Message = fmt.Sprintf("There %s %s%s.", verb, least, prose.Count(left, "more finding"))
		list = append(list, s.newDiagnostic(t, more))
	}
	return list
}

// verdict judges a text.
func (s *session) verdict(ctx context.Context, r *root, t *text, fix bool) (*datachain.Verdict, error) {
	return r.releases.Service.Validate(ctx, t.content, &datachain.ValidateOptions{Strict: true, Partial: true, Fix: fix})
}

// findings returns what is wrong with a text, as [datachain.Service.Validate] does in
// strict mode, also for the parts of a document whose shape is broken elsewhere. A store that fails is a finding, too: otherwise a document would look
// valid.
func (s *session) findings(ctx context.Context, r *root, t *text) ([]datachain.Finding, error) {
	v, err := s.verdict(ctx, r, t, false)
	if err == nil {
		return v.Findings(), nil
	}
	e, ok := errors.AsType[*datachain.Error](err)
	if !ok || ctx.Err() != nil {
		return nil, err
	}
	if f, syntax := e.Finding(); syntax {
		return []datachain.Finding{f}, nil
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
		CodeDescription: &codeDescription{s.href(f.Code)},
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
	if !at.Node.IsMember() {
		return document.Range{}, false
	}
	first, ok := at.Container.Get(at.Node.Key())
	return first.KeyRange(), ok && first != at.Node
}

// href returns the address that explains a code.
func (s *session) href(code issue.Code) string {
	return code.URL(s.server.options.BaseURL)
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

// report is what was found in a document that is not open, or in a file of a source.
type report struct {
	uri     string
	version *int
	found   []diagnostic
	// id is that of the result: equal ids mean equal diagnostics.
	id string
	// order says when the report changed: later ones have larger numbers.
	order int
	// source is set for a file of a source, and otherwise walk is the last walk
	// that found the document.
	source bool
	walk   int
	// shown is set if the client shows diagnostics of the file.
	shown bool
}

// resultID returns an id for diagnostics.
func resultID(found []diagnostic) string {
	h := fnv.New64a()
	if err := json.MarshalWrite(h, found, wire()); err != nil {
		return "" // never equal to another one
	}
	return strconv.FormatUint(h.Sum64(), 36)
}

// report keeps what was found in a file, for clients that ask for it, and publishes it
// to others. It reports whether that has changed. The caller has the lock.
func (s *session) report(at address, r *report) bool {
	was := s.reports[at]
	r.id = resultID(r.found)
	s.order++
	r.order = s.order
	if was != nil && was.id == r.id {
		r.order = was.order
	}
	if !r.source {
		s.scanner.count(was, -1)
		s.scanner.count(r, 1)
	}
	r.shown = len(r.found) > 0
	// A client keeps what it was sent. One that has opened the file waits for its version.
	if changed := was == nil || was.id != r.id; r.version != nil || changed && (r.shown || was != nil && was.shown) {
		s.publish(r.uri, r.version, orEmpty(r.found))
	}
	s.reports[at] = r
	s.wake()
	return was == nil || was.id != r.id
}

// forget removes what was found in a file that is not there any more, or has no findings.
// It reports whether there was a report. The caller has the lock.
func (s *session) forget(at address, uri string, version *int) bool {
	was := s.reports[at]
	if was != nil && was.shown || version != nil {
		s.publish(uri, version, []diagnostic{})
	}
	if was == nil {
		return false
	}
	if !was.source {
		s.scanner.count(was, -1)
	}
	delete(s.reports, at)
	s.wake()
	return true
}

// wake wakes the requests that wait for reports. The caller has the lock.
func (s *session) wake() {
	close(s.news)
	s.news = make(chan struct{})
}

// reportsSince returns the reports that changed after another one, in their order. Open
// documents have none: their texts are judged when they are asked for. The caller has the
// lock.
func (s *session) reportsSince(order int) []*report {
	var list []*report
	for _, r := range s.reports {
		if r.order > order && r.id != "" {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b *report) int { return a.order - b.order })
	return list
}

// working reports whether work is going on that may change reports. The caller has the
// lock.
func (s *session) working() bool {
	lints := func(r *root) bool { return r.linter.running }
	return !s.stopping && (s.scanner.running || slices.ContainsFunc(s.workspace.roots, lints))
}

// refresh asks a client to ask for all diagnostics again. The caller has the lock.
func (s *session) refresh() {
	if s.client.pull && s.client.refresh {
		s.refreshed++
		s.out.put(notification{version2, []byte(`"refresh-` + strconv.Itoa(s.refreshed) + `"`), "workspace/diagnostic/refresh", nil})
	}
}

// Reports of diagnostics, for clients that ask for them.
type (
	diagnosticOptions struct {
		Identifier string `json:"identifier"`
		// InterFile is set since findings in a source concern other files, too.
		InterFile bool `json:"interFileDependencies"`
		Workspace bool `json:"workspaceDiagnostics"`
	}
	diagnosticParams struct {
		documentParams
		Previous string `json:"previousResultId"`
	}
	documentReport struct {
		Kind     string       `json:"kind"`
		ResultID string       `json:"resultId"`
		Items    []diagnostic `json:"items,omitzero"`
	}
	workspaceDiagnosticParams struct {
		Previous []struct {
			URI   string `json:"uri"`
			Value string `json:"value"`
		} `json:"previousResultIds"`
		Token jsontext.Value `json:"partialResultToken"`
	}
	workspaceReport struct {
		Items []workspaceItem `json:"items"`
	}
	workspaceItem struct {
		documentReport
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	}
	progressParams struct {
		Token jsontext.Value `json:"token"`
		Value any            `json:"value"`
	}
)

// newReport returns a report for a client that has another one.
func newReport(found []diagnostic, id, previous string) documentReport {
	if id == previous && id != "" {
		return documentReport{Kind: "unchanged", ResultID: id}
	}
	return documentReport{Kind: "full", ResultID: id, Items: orEmpty(found)}
}

// pullDiagnostics returns the diagnostics of a document as it was when the request
// arrived. One that is not open has those that were found in the background.
func (s *session) pullDiagnostics(params jsontext.Value) (answerFunc, error) {
	p, err := decode[diagnosticParams](params)
	if err != nil {
		return nil, err
	}
	at := newAddress(p.Document.URI)
	doc, open := s.current(p.Document.URI)
	return func(ctx context.Context) (any, error) {
		var found []diagnostic
		var err error
		if open && doc.file.root == nil {
			found, err = s.diagnoseOpen(ctx, doc)
		} else {
			found, err = s.reported(ctx, at, doc.file.root)
		}
		if err != nil {
			return nil, err
		}
		return newReport(found, resultID(found), p.Previous), nil
	}, nil
}

// diagnoseOpen judges an open document, and remembers a text without errors.
func (s *session) diagnoseOpen(ctx context.Context, doc snapshot) ([]diagnostic, error) {
	if !doc.recognized && doc.text.tooLarge == 0 {
		return nil, nil
	}
	found, err := s.diagnose(ctx, doc.root, doc.text)
	if err != nil {
		return nil, err
	}
	if doc.recognized && !slices.ContainsFunc(found, func(f diagnostic) bool { return f.Severity == severityError }) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if d := s.documents[doc.text.at]; d != nil && d.text == doc.text {
			d.good = d.text
		}
	}
	return found, nil
}

// reported returns what was found in a file that is not open or belongs to a source,
// which may be nil. It waits until the source is linted.
func (s *session) reported(ctx context.Context, at address, source *root) ([]diagnostic, error) {
	s.typing.leave() // so that lint does not wait for this request
	defer s.typing.enter()
	var found []diagnostic
	err := s.await(ctx, func() bool {
		found = nil
		if known := s.reports[at]; known != nil {
			found = known.found
		}
		return source == nil || !source.linter.running
	})
	return found, err
}

// await waits until a condition holds, which a report or the state of a run can change. It is
// called with the lock.
func (s *session) await(ctx context.Context, holds func() bool) error {
	for {
		s.mu.Lock()
		done, news := holds(), s.news
		s.mu.Unlock()
		if done {
			return nil
		}
		select {
		case <-news:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// itemsAtOnce is how many reports a partial result has.
const itemsAtOnce = 100

// pullWorkspace returns the diagnostics of all documents and files of sources. It waits
// until all of them are judged. A client that gives a token gets them meanwhile.
func (s *session) pullWorkspace(params jsontext.Value) (answerFunc, error) {
	p, err := decode[workspaceDiagnosticParams](params)
	if err != nil {
		return nil, err
	}
	previous, gone := make(map[address]string), make(map[address]string)
	for _, r := range p.Previous {
		at := newAddress(r.URI)
		previous[at], gone[at] = r.Value, r.URI
	}
	return func(ctx context.Context) (any, error) {
		items := []workspaceItem{}
		add := func(uri string, version *int, found []diagnostic, id string) {
			at := newAddress(uri)
			delete(gone, at)
			items = append(items, workspaceItem{newReport(found, id, previous[at]), uri, version})
			if p.Token != nil && len(items) >= itemsAtOnce {
				s.progress(p.Token, &items)
			}
		}
		var flush func()
		if p.Token != nil {
			flush = func() { s.progress(p.Token, &items) }
		}
		if err := s.eachReport(ctx, flush, add); err != nil {
			return nil, err
		}
		for _, doc := range s.allOpen() {
			found, err := s.diagnoseOpen(ctx, doc)
			if err != nil {
				return nil, err
			}
			add(doc.text.uri, &doc.text.version, found, resultID(found))
		}
		for _, uri := range gone {
			add(uri, nil, nil, resultID(nil))
		}
		return workspaceReport{items}, nil
	}, nil
}

// eachReport calls a function for all reports when nothing is being judged any more. If
// flush is not nil, it does so whenever there are enough for a partial result, and calls
// flush; reports that change come again.
func (s *session) eachReport(ctx context.Context, flush func(), add func(uri string, version *int, found []diagnostic, id string)) error {
	for order := 0; ; {
		var list []*report
		s.mu.Lock()
		more, wait := s.working(), s.news
		if !more || flush != nil && s.order-order >= itemsAtOnce {
			list, order = s.reportsSince(order), s.order
		}
		s.mu.Unlock()
		for _, r := range list {
			add(r.uri, r.version, r.found, r.id)
		}
		if !more {
			return ctx.Err()
		}
		if flush != nil {
			flush()
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// allOpen returns all open documents, in the order of their URIs.
func (s *session) allOpen() []snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []snapshot
	for _, d := range s.documents {
		if d.file.root == nil && d.recognized {
			list = append(list, snapshot{text: d.text, recognized: true, root: d.root})
		}
	}
	slices.SortFunc(list, func(a, b snapshot) int { return strings.Compare(a.text.uri, b.text.uri) })
	return list
}

// progress sends a part of a result, if there is any.
func (s *session) progress(token jsontext.Value, items *[]workspaceItem) {
	if len(*items) > 0 {
		s.out.put(notification{Version: version2, Method: "$/progress", Params: progressParams{token, workspaceReport{*items}}})
		*items = []workspaceItem{}
	}
}
