package live

import (
	"context"
	"net/http"

	"github.com/datachain-go/datachain/pages/internal/core"
)

// AnswerPost reads the form of a page, and answers it while there is a place for the work.
func (h *Handler) AnswerPost(w http.ResponseWriter, r *http.Request, p *core.Page, open func() (*core.Request, error)) error {
	form, err := h.readForm(w, r, p.Times)
	if err != nil {
		return err
	}
	q, err := open()
	if err != nil {
		return err
	}
	q.Params, q.Host = nil, r.Host
	leave, err := h.begin(q)
	if err != nil {
		return err
	}
	defer leave()
	ans, err := p.Post(q, form)
	if err != nil {
		return err
	}
	return h.Send(w, r, ans)
}

// readForm reads a form while there is a place for it.
func (h *Handler) readForm(w http.ResponseWriter, r *http.Request, times int64) (*core.Form, error) {
	leave, err := h.forms.enter(r.Context())
	if err != nil {
		return nil, err
	}
	defer leave()
	return core.ReadForm(w, r, h.MaxBody, times)
}

// gate limits how many requests do something at once.
type gate chan struct{}

// enter waits for a place until the context ends, and returns how to leave it.
func (g gate) enter(ctx context.Context) (leave func(), err error) {
	select {
	case g <- struct{}{}:
		return func() { <-g }, nil
	case <-ctx.Done():
		return nil, core.Overloaded(ctx.Err())
	}
}
