package live

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/pages/internal/core"
	"github.com/datachain-go/datachain/taxonomy"
)

// ServeHTTP answers a request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header["X-Content-Type-Options"] = core.Nosniff
	header["Content-Security-Policy"] = core.Policy
	header["Referrer-Policy"] = core.NoReferrer
	if file, ok := strings.CutPrefix(r.URL.Path, core.AssetPrefix); ok {
		h.serveAsset(w, r, file)
		return
	}
	p, of := h.Find(r.URL)
	allowed := []string{http.MethodGet, http.MethodHead}
	if p != nil && p.Post != nil {
		allowed = append(allowed, http.MethodPost)
	}
	switch {
	case p == nil:
		h.Fail(w, r, h.UnknownPath(r.URL.Path))
	case r.Method == http.MethodOptions:
		header.Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		w.WriteHeader(http.StatusNoContent)
	case !slices.Contains(allowed, r.Method):
		header.Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		h.Fail(w, r, core.Refusal(codes.MethodNotAllowed, "The method is not allowed here.", "use "+allowed[0]))
	case r.Method == http.MethodPost:
		if err := h.AnswerPost(w, r, p, func() (*core.Request, error) { return h.open(r, p, of) }); err != nil {
			h.Fail(w, r, err)
		}
	default:
		if err := h.get(w, r, p, of); err != nil {
			h.Fail(w, r, err)
		}
	}
}

// get sends a page.
func (h *Handler) get(w http.ResponseWriter, r *http.Request, p *core.Page, of core.Wildcards) error {
	q, err := h.open(r, p, of)
	if err != nil {
		return err
	}
	key := keyOf(q)
	ans, ok := h.answers.Get(key)
	if !ok {
		if ans, err = h.produce(r.Context(), q, key); err != nil {
			return err
		}
	}
	return h.Send(w, r, ans)
}

// produce makes a page, or waits for another request that does.
func (h *Handler) produce(ctx context.Context, q *core.Request, key answerKey) (*httpcache.Answer, error) {
	limit := h.options.Timeout
	if q.Page.Heavy {
		limit *= 2 // to wait and to work
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	q.Ctx = ctx
	return h.answers.Make(ctx, key, len(key.id)+len(key.params), func() (*httpcache.Answer, error) {
		if q.Page.Heavy {
			leave, err := h.begin(q)
			if err != nil {
				return nil, err
			}
			defer leave()
		}
		return q.Answer()
	})
}

// begin waits for a place for the work of a request, and returns how to leave it. The work has
// the whole time limit, however long it has waited.
func (h *Handler) begin(q *core.Request) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(q.Ctx, h.options.Timeout)
	defer cancel()
	free, err := h.work.enter(waiting)
	if err != nil {
		return nil, err
	}
	var done context.CancelFunc
	q.Ctx, done = context.WithTimeout(q.Ctx, h.options.Timeout)
	return func() { done(); free() }, nil
}

// Send sends an answer.
func (h *Handler) Send(w http.ResponseWriter, r *http.Request, ans *httpcache.Answer) error {
	var caching []string
	if h.options.Private {
		caching = httpcache.Private(nil, ans)
	}
	if ans.Send(w, r, caching) != nil {
		return core.Refusal(codes.PreconditionFailed, "The page has changed.", "load it again")
	}
	return nil
}

// open reads what a page is made of, apart from its content.
func (h *Handler) open(r *http.Request, p *core.Page, of core.Wildcards) (*core.Request, error) {
	q, err := h.Open(r.Context(), p, of, r.URL.RawQuery)
	if err != nil {
		return nil, err
	}
	asked := askedLanguage(q.Locales, r.URL.RawQuery)
	q.Speak(cmp.Or(asked, h.preferred(q, r.Header.Get("Accept-Language"))), asked)
	q.Links = &links{h.Site, asked}
	return q, nil
}

// Fail answers with a failure. Its cause is only logged.
func (h *Handler) Fail(w http.ResponseWriter, r *http.Request, err error) {
	status, finding := datachain.HTTPStatus(err)
	if status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable && r.Context().Err() == nil { // else the client disconnected
		h.options.Logger.Error("page failed", "path", r.URL.Path, "code", finding.Code, "error", err)
	}
	h.refuse(w, r, status, finding, err)
}

// serveAsset sends a style sheet or a script.
func (h *Handler) serveAsset(w http.ResponseWriter, r *http.Request, file string) {
	ans, ok := h.Assets().Answers[file]
	// A Worker has the policy of its script.
	if name, isEditor := strings.CutPrefix(file, core.EditorPrefix); isEditor {
		ans, ok = h.Editor.Answer(name)
		w.Header().Set("Content-Security-Policy", core.ToolPolicy(h.Editor != nil))
	} else if file == h.Assets().Names[core.WorkerScript] {
		w.Header().Set("Content-Security-Policy", core.WorkerPolicy)
	}
	if !ok || r.Method != http.MethodGet && r.Method != http.MethodHead {
		h.Fail(w, r, core.NoPage())
		return
	}
	if h.Send(w, r, ans) != nil {
		w.WriteHeader(http.StatusPreconditionFailed)
	}
}

// answerKey identifies a page. Pages name other versions, too, so they depend on the
// index: stores return the same one until it changes.
type answerKey struct {
	page          *core.Page
	index         *taxonomy.Index
	version       taxonomy.Version
	content       taxonomy.Hash
	id, params    string
	edition       string
	state         string // the tag of the state of the register
	depends       string
	locale, asked string
}

// keyOf returns the key of the page of a request.
func keyOf(q *core.Request) answerKey {
	k := answerKey{page: q.Page, index: q.Index, id: q.ID, edition: q.Edition, locale: q.Locale, asked: q.Asked}
	if q.Page.Unlocalized {
		k.index, k.locale, k.asked = nil, "", ""
	}
	if q.Register != nil {
		k.state = q.Register.Tag()
	}
	if q.Schema != nil {
		k.version, k.content = q.Schema.Release().Version(), q.Schema.Release().ContentHash()
	}
	if len(q.Params) > 0 {
		k.params = q.Params.Encode()
	}
	if q.Page.Depends != nil {
		k.depends = q.Page.Depends()
	}
	return k
}
