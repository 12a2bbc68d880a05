package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

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

// diagnoseOpen judges an open document.
func (s *session) diagnoseOpen(ctx context.Context, doc snapshot) ([]diagnostic, error) {
	if !doc.recognized && doc.text.tooLarge == 0 {
		return nil, nil
	}
	found, err := s.diagnose(ctx, doc.root, doc.text)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.documents[doc.text.at]; d != nil && d.text == doc.text {
		d.judged(found)
	}
	return found, nil
}

// reported returns what was found in a file that is not open or belongs to a source,
// which may be nil. It waits until the source is linted.
func (s *session) reported(ctx context.Context, at address, source *root) ([]diagnostic, error) {
	s.typing.leave() // so that lint does not wait for this request
	defer s.typing.enter()
	for {
		s.mu.Lock()
		known, wait := s.reports[at], s.news
		linting := source != nil && source.linter.running
		s.mu.Unlock()
		switch {
		case !linting && known == nil:
			return nil, nil
		case !linting:
			return known.found, nil
		}
		select {
		case <-wait:
		case <-ctx.Done():
			return nil, ctx.Err()
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
