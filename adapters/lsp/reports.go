package lsp

import (
	"context"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

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
		s.publish(r.uri, r.version, r.found)
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
		s.publish(uri, version, nil)
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

// reportsSince returns the reports that changed after another one, in their order. Open
// documents have none: their texts are validated when they are asked for. The caller has the
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
	return !s.stopping && (s.scanner.running || s.linting())
}

// refresh asks a client to ask for all diagnostics again. The caller has the lock.
func (s *session) refresh() {
	if s.client.pull && s.client.refresh {
		s.refreshed++
		s.out.put(newCall("refresh-"+strconv.Itoa(s.refreshed), "workspace/diagnostic/refresh", nil))
	}
}

// Reports of diagnostics, for clients that ask for them.
type (
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
	workspaceItem struct {
		documentReport
		URI     string `json:"uri"`
		Version *int   `json:"version"`
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
		if open && !doc.inSource() {
			found, err = s.diagnoseOpen(ctx, doc)
		} else {
			found, err = s.reported(ctx, at, doc.file.releases)
		}
		if err != nil {
			return nil, err
		}
		return newReport(found, resultID(found), p.Previous), nil
	}, nil
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
			d.good = d.text
		}
	}
	return found, nil
}

// reported returns what was found in a file that is not open or belongs to a source,
// which may be nil. It waits until the source is linted.
func (s *session) reported(ctx context.Context, at address, source *openReleases) ([]diagnostic, error) {
	s.urgentDone() // so that lint does not wait for this request
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.urgent++
	}()
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

// itemsAtOnce is how many reports a partial result has.
const itemsAtOnce = 100

// pullWorkspace returns the diagnostics of all documents and files of sources. It waits
// until all of them are validated. A client that gives a token gets them meanwhile.
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
		flush := func() {
			if p.Token != nil && len(items) > 0 {
				s.out.put(newCall("", "$/progress", object{"token": p.Token, "value": object{"items": items}}))
				items = []workspaceItem{}
			}
		}
		add := func(uri string, version *int, found []diagnostic, id string) {
			at := newAddress(uri)
			delete(gone, at)
			items = append(items, workspaceItem{newReport(found, id, previous[at]), uri, version})
			if len(items) >= itemsAtOnce {
				flush()
			}
		}
		order := 0 // of the last report; those that change meanwhile come again
		for working := true; working; {
			var list []*report
			err := s.await(ctx, func() bool {
				working = s.working()
				ready := !working || p.Token != nil && s.order-order >= itemsAtOnce
				if ready {
					list, order = s.reportsSince(order), s.order
				}
				return ready
			})
			if err != nil {
				return nil, err
			}
			for _, r := range list {
				add(r.uri, r.version, r.found, r.id)
			}
			if working {
				flush()
			}
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
		return object{"items": items}, ctx.Err()
	}, nil
}

// allOpen returns all open documents, in the order of their URIs.
func (s *session) allOpen() []snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []snapshot
	for _, d := range s.documents {
		if !d.inSource() && d.recognized {
			list = append(list, d.snapshot)
		}
	}
	slices.SortFunc(list, func(a, b snapshot) int { return strings.Compare(a.text.uri, b.text.uri) })
	return list
}
