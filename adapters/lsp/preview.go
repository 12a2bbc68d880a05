package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/datachain-go/datachain/adapters/view"
	"github.com/datachain-go/datachain/internal/prose"
)

type previewResult struct {
	URI string `json:"uri"`
	// Version is that of the text on the page. It is older than the document if
	// that is invalid now.
	Version int `json:"version"`
	// HTML is the page, which needs nothing else, or "" if there is none yet.
	HTML string `json:"html"`
	// Locale is the language of the page.
	Locale string `json:"locale,omitzero"`
	// Note says why the page is not that of the current text.
	Note string `json:"note,omitzero"`
}

// preview renders the document as a page. While it is invalid, as half-typed text
// is, the page is that of the last valid text.
func (q *query) preview(ctx context.Context, doc snapshot, show bool) (any, error) {
	result, err := q.page(ctx, doc)
	if err != nil {
		return nil, err
	}
	if show {
		return nil, q.session.showPage(result)
	}
	return result, nil
}

func (q *query) page(ctx context.Context, doc snapshot) (*previewResult, error) {
	result, cause := q.render(ctx, doc.text)
	if result != nil {
		q.session.shown(doc.text)
		return result, nil
	}
	if errors.Is(cause, view.ErrTooLarge) {
		return nil, failed(codeRequestFailed, "The page would be larger than %d MiB: place fewer elements, or shorten their texts.", view.DefaultMaxBytes>>20)
	}
	count, first, err := q.errors(ctx)
	switch {
	case err != nil:
		return nil, err
	case count == 0:
		return nil, q.refused(ctx, "The document can't be shown", cause)
	}
	now := summary(count, first)
	if doc.good != nil && doc.good != doc.text {
		if result, _ = q.render(ctx, doc.good); result != nil {
			result.Note = fmt.Sprintf("This is the last valid version. The document can't be shown as it is now: %s", now)
			return result, nil
		}
	}
	return &previewResult{URI: doc.text.uri, Version: doc.text.version, Note: fmt.Sprintf("The document can't be shown yet: %s", now)}, ctx.Err()
}

// shown remembers a text that has a page: the next ones may be superseded before they
// are judged, and the page of an older one must not come back.
func (s *session) shown(t *text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.documents[t.at]; d != nil && (d.good == nil || d.good.version < t.version) {
		d.good = t
	}
}

// render renders a text, or returns nil and the cause if there is one.
func (q *query) render(ctx context.Context, t *text) (*previewResult, error) {
	_, shown, err := q.root.releases.Service.Present(ctx, t.content)
	if err != nil || shown == nil {
		return nil, err
	}
	var o view.Options
	if locales := q.session.client.locales; len(locales) > 0 {
		o.Locale = locales[0]
	}
	var b bytes.Buffer
	summary, err := view.Write(&b, shown, &o)
	if err != nil {
		return nil, err
	}
	return &previewResult{URI: t.uri, Version: t.version, HTML: b.String(), Locale: summary.Locale}, nil
}

// showPage lets the client open a page in a browser.
func (s *session) showPage(p *previewResult) error {
	if !s.canShowPages() {
		return failed(codeRequestFailed, "The editor can't show pages: it must support window/showDocument.")
	}
	if p.Note != "" {
		s.message(messageWarning, p.Note)
	}
	if p.HTML == "" {
		return nil
	}
	uri, err := s.server.options.SavePage(p.URI, []byte(p.HTML))
	if err != nil {
		return failed(codeRequestFailed, "%s.", prose.Sentence(err.Error()))
	}
	s.ask("window/showDocument", showDocumentParams{uri, true})
	return nil
}
