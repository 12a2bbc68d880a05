package explorer

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/answer"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Header values that all pages have. Only our own files are loaded, nothing inline, and
// nothing from other hosts; icons are part of the page.
var (
	policy = []string{"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"}
	nosniff    = []string{"nosniff"}
	noReferrer = []string{"no-referrer"}
)

// ServeHTTP answers a request.
func (e *Explorer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h["X-Content-Type-Options"] = nosniff
	h["Content-Security-Policy"] = policy
	h["Referrer-Policy"] = noReferrer
	if file, ok := strings.CutPrefix(r.URL.Path, assetPrefix); ok {
		e.serveAsset(w, r, file)
		return
	}
	p, version, id := e.find(r.URL)
	allowed := []string{http.MethodGet, http.MethodHead}
	if p != nil && p.post != nil {
		allowed = append(allowed, http.MethodPost)
	}
	switch {
	case p == nil:
		e.fail(w, r, noPage())
	case r.Method == http.MethodOptions:
		h.Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		w.WriteHeader(http.StatusNoContent)
	case !slices.Contains(allowed, r.Method):
		h.Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		e.fail(w, r, &datachain.Error{Issue: issue.Issue{
			Code: issue.CodeMethodNotAllowed, Message: "The method is not allowed here.", FixHint: "use " + allowed[0],
		}})
	case r.Method == http.MethodPost:
		if err := p.post(e, w, r); err != nil {
			e.fail(w, r, err)
		}
	default:
		if err := e.get(w, r, p, version, id); err != nil {
			e.fail(w, r, err)
		}
	}
}

// get sends a page.
func (e *Explorer) get(w http.ResponseWriter, r *http.Request, p *page, version, id string) error {
	q, err := e.open(r, p, version, id)
	if err != nil {
		return err
	}
	key := q.key()
	ans, ok := e.answers.Get(key)
	if !ok {
		ctx, cancel := context.WithTimeout(r.Context(), e.Timeout)
		defer cancel()
		q.ctx = ctx
		wanted := answer.Request[answerKey]{Key: key, KeySize: len(key.id) + len(key.params), Rare: len(q.params) > 0}
		ans, err = e.answers.Make(ctx, wanted, func() (*answer.Answer, error) {
			if p.heavy {
				leave, err := e.work.enter(ctx)
				if err != nil {
					return nil, err
				}
				defer leave()
			}
			return q.answer()
		})
		if err != nil {
			return err
		}
	}
	if err := e.send(w, r, ans); err != nil {
		return &datachain.Error{Issue: issue.Issue{Code: issue.CodePreconditionFailed, Message: "The page has changed.", FixHint: "load it again"}}
	}
	return nil
}

// send sends an answer.
func (e *Explorer) send(w http.ResponseWriter, r *http.Request, ans *answer.Answer) error {
	var caching []string
	if e.Private {
		caching = answer.Private(nil, ans)
	}
	return ans.Send(w, r, caching)
}

// open reads what a page is made of, apart from its content.
func (e *Explorer) open(r *http.Request, p *page, version, id string) (*request, error) {
	q, err := e.prepare(r.Context(), p, version, id)
	if err != nil {
		return nil, err
	}
	q.params = p.parameters(r.URL.RawQuery)
	if p.pattern == elementPattern {
		if element, err := q.schema.Element(id); err == nil {
			maps.DeleteFunc(q.params, func(name string, _ []string) bool {
				variable, ok := strings.CutPrefix(name, "v.")
				return ok && !slices.ContainsFunc(element.Variables, func(v taxonomy.Variable) bool { return v.ID == variable })
			})
		}
	}
	q.choose(r.URL.RawQuery, r.Header.Get("Accept-Language"))
	q.links = &serverLinks{explorer: e, lang: q.asked}
	return q, nil
}

// prepare opens the version of a page.
func (e *Explorer) prepare(ctx context.Context, p *page, version, id string) (*request, error) {
	q := &request{explorer: e, ctx: ctx, page: p, id: id}
	var err error
	if q.index, err = e.service.Versions(q.ctx); err != nil {
		return nil, err
	}
	if version != "" {
		if q.schema, err = e.service.Open(q.ctx, version); err != nil {
			return nil, err
		}
		q.locales, q.pinned = q.release().Locales(), version == q.release().Version().String()
	} else {
		q.locales = e.overview(q.ctx, q.index).locales
	}
	return q, nil
}

func noPage() error {
	return &datachain.Error{Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no page at this address."}}
}

// fail answers with a failure. Its cause is only logged.
func (e *Explorer) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, finding := datachain.HTTPStatus(err)
	if status >= http.StatusInternalServerError && r.Context().Err() == nil { // else the client disconnected
		e.Logger.Error("page failed", "path", r.URL.Path, "code", finding.Code, "error", err)
	}
	e.refuse(w, r, status, finding, err)
}
