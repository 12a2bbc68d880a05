package pages

import (
	"cmp"
	"context"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/httpcache"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/pages/phrases"
	"github.com/datachain-go/datachain/register"
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
func (e *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h["X-Content-Type-Options"] = nosniff
	h["Content-Security-Policy"] = policy
	h["Referrer-Policy"] = noReferrer
	if file, ok := strings.CutPrefix(r.URL.Path, assetPrefix); ok {
		e.serveAsset(w, r, file)
		return
	}
	p, of := e.find(r.URL)
	allowed := []string{http.MethodGet, http.MethodHead}
	if p != nil && p.post != nil {
		allowed = append(allowed, http.MethodPost)
	}
	switch {
	case p == nil:
		e.fail(w, r, e.unknownPath(r.URL.Path))
	case r.Method == http.MethodOptions:
		h.Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		w.WriteHeader(http.StatusNoContent)
	case !slices.Contains(allowed, r.Method):
		h.Set("Allow", strings.Join(append(allowed, http.MethodOptions), ", "))
		e.fail(w, r, refusal(codes.MethodNotAllowed, "The method is not allowed here.", "use "+allowed[0]))
	case r.Method == http.MethodPost:
		if err := e.answerPost(w, r, p, func() (*request, error) { return e.open(r, p, of) }); err != nil {
			e.fail(w, r, err)
		}
	default:
		if err := e.get(w, r, p, of); err != nil {
			e.fail(w, r, err)
		}
	}
}

// get sends a page.
func (e *Handler) get(w http.ResponseWriter, r *http.Request, p *page, of place) error {
	q, err := e.open(r, p, of)
	if err != nil {
		return err
	}
	key := q.key()
	ans, ok := e.answers.Get(key)
	if !ok {
		if ans, err = e.produce(r.Context(), q, key); err != nil {
			return err
		}
	}
	return e.send(w, r, ans)
}

// produce makes a page, or waits for another request that does.
func (e *Handler) produce(ctx context.Context, q *request, key answerKey) (*httpcache.Answer, error) {
	limit := e.options.Timeout
	if q.page.heavy {
		limit *= 2 // to wait and to work
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	q.ctx = ctx
	return e.answers.Make(ctx, key, len(key.id)+len(key.params), func() (*httpcache.Answer, error) {
		if q.page.heavy {
			leave, err := e.begin(q)
			if err != nil {
				return nil, err
			}
			defer leave()
		}
		return q.answer()
	})
}

// begin waits for a place for the work of a request, and returns how to leave it. The work has
// the whole time limit, however long it has waited.
func (e *Handler) begin(q *request) (leave func(), err error) {
	waiting, cancel := context.WithTimeout(q.ctx, e.options.Timeout)
	defer cancel()
	free, err := e.work.enter(waiting)
	if err != nil {
		return nil, err
	}
	var done context.CancelFunc
	q.ctx, done = context.WithTimeout(q.ctx, e.options.Timeout)
	return func() { done(); free() }, nil
}

// send sends an answer.
func (e *Handler) send(w http.ResponseWriter, r *http.Request, ans *httpcache.Answer) error {
	var caching []string
	if e.options.Private {
		caching = httpcache.Private(nil, ans)
	}
	if ans.Send(w, r, caching) != nil {
		return refusal(codes.PreconditionFailed, "The page has changed.", "load it again")
	}
	return nil
}

// open reads what a page is made of, apart from its content.
func (e *Handler) open(r *http.Request, p *page, of place) (*request, error) {
	q, err := e.prepare(r.Context(), p, of)
	if err != nil {
		return nil, err
	}
	q.params = q.page.parameters(r.URL.RawQuery)
	if q.params.Has(boardParam) && q.state != nil {
		q.locales = q.state.Languages()
	}
	q.choose(r.URL.RawQuery, r.Header.Get("Accept-Language"))
	q.links = &serverLinks{handler: e, lang: q.asked}
	return q, nil
}

// prepare opens the version of a page.
func (e *Handler) prepare(ctx context.Context, p *page, of place) (*request, error) {
	q := &request{handler: e, ctx: ctx, page: p, id: of.id, edition: of.edition, state: e.state(), icons: new(int)}
	var err error
	if q.index, err = e.service.Versions(q.ctx); err != nil {
		return nil, err
	}
	switch {
	case of.version != "":
		if q.schema, err = e.service.Open(q.ctx, of.version); err != nil {
			return nil, err
		}
		q.locales = q.release().Locales()
	case p.register:
		err = q.openRegister()
	default:
		q.locales = e.overview(q.ctx, q.index).locales
	}
	return q, err
}

// refusal is the error for a request that is not served.
func refusal(code issue.Code, message, hint string) error {
	return &datachain.Error{Issue: issue.Issue{Code: code, Message: message, FixHint: hint}}
}

func noPage() error { return refusal(issue.CodeNotFound, "There is no page at this address.", "") }

// unknownPath is the error for a path that no page has. It suggests pages whose paths are similar.
func (e *Handler) unknownPath(path string) error {
	registered := e.state() != nil
	known := func(yield func(string) bool) {
		for _, p := range e.pages {
			fixed := p.name != "raw" && p.extension == "" && !strings.Contains(p.pattern, "{")
			short := len(p.pattern) <= len(registerPath) // every other short path is similar
			if fixed && !short && (registered || !p.register) && !yield(p.pattern) {
				return
			}
		}
	}
	none := &datachain.Error{
		Issue: issue.Issue{Code: issue.CodeNotFound, Message: "There is no page at this address."},
		Kind:  datachain.KindUnknown, Param: "path", Known: similar.AllNearest(path, known, maxNear), Err: taxonomy.ErrNotFound,
	}
	if len(none.Known) > 0 {
		none.Issue.FixHint = "use " + e.base + none.Known[0]
	}
	return none
}

// fail answers with a failure. Its cause is only logged.
func (e *Handler) fail(w http.ResponseWriter, r *http.Request, err error) {
	status, finding := datachain.HTTPStatus(err)
	if status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable && r.Context().Err() == nil { // else the client disconnected
		e.options.Logger.Error("page failed", "path", r.URL.Path, "code", finding.Code, "error", err)
	}
	e.refuse(w, r, status, finding, err)
}

// request is what a page is made of.
type request struct {
	handler *Handler
	ctx     context.Context //nolint:containedctx // a request is one call of build
	page    *page
	// index is what is published. schema is the version in the path, or nil.
	index  *taxonomy.Index
	schema *datachain.Schema
	// id and edition are wildcards of the pattern.
	id, edition string
	// state is what the register publishes, nil if there is none, and document the one
	// that the page is about, or nil.
	state    *register.State
	document *register.Document
	params   url.Values
	links    links
	// alone means that no other version is opened to compare with.
	alone bool

	// locales are the languages in which the page can be shown, locale is the one
	// that was chosen, and asked is it if the address names it.
	locales       []string
	locale, asked string
	texts         phrases.Chooser // see chooser
	words         words

	host  string // of a form, or ""
	icons *int   // how many are drawn, for their ids
}

// answerKey identifies a page. Pages name other versions, too, so they depend on the
// index: stores return the same one until it changes.
type answerKey struct {
	page          *page
	index         *taxonomy.Index
	version       taxonomy.Version
	content       taxonomy.Hash
	id, params    string
	edition       string
	state         string // the tag of the state of the register
	locale, asked string
}

// key returns the key of the page.
func (q *request) key() answerKey {
	k := answerKey{page: q.page, index: q.index, id: q.id, edition: q.edition, locale: q.locale, asked: q.asked}
	if q.page.unlocalized {
		k.index, k.locale, k.asked = nil, "", ""
	}
	if q.state != nil {
		k.state = q.state.Tag()
	}
	if q.schema != nil {
		k.version, k.content = q.schema.Release().Version(), q.schema.Release().ContentHash()
	}
	if len(q.params) > 0 {
		k.params = q.params.Encode()
	}
	if q.page.name == "home" { // an error of the source need not change the index
		k.params += strings.Join(q.handler.broken(), "\n")
	}
	return k
}

// find returns the page of a path, and the values of its wildcards. With documents, the
// start page is the register, and the taxonomies have a page of their own.
func (e *Handler) find(u *url.URL) (*page, place) {
	if path, ok := strings.CutSuffix(u.Path, "/"); ok && strings.HasPrefix(path, documentPrefix) {
		u = &url.URL{Path: path} // printed codes end with a slash, for static hosts
	}
	var room [maxSegments]string
	segments, ok := httpcache.Segments(u, room[:0])
	if !ok {
		return nil, place{}
	}
	registered := e.state() != nil
	for _, p := range e.pages {
		if of, ok := p.match(segments); ok && (registered || !p.register) && (p.pattern != "/" || p.register == registered) {
			return p, of
		}
	}
	return nil, place{}
}

// maxSegments is the number of segments of the longest pattern.
const maxSegments = 5

// maxQuery is the length of the longest query string that is read.
const maxQuery = 8 << 10

// parameters returns the parameters that a page depends on. Others are ignored.
func (p *page) parameters(query string) url.Values {
	if query == "" || len(query) > maxQuery {
		return nil
	}
	all, _ := url.ParseQuery(query) // what is malformed is left out
	for name, values := range all {
		values = slices.DeleteFunc(values, func(v string) bool { return v == "" || name == "part" && !slices.Contains(p.parts, v) })
		if name == boardParam || name == languagesParam {
			values = []string{strings.Join(values, ",")} // a form sends one by one, or none
		}
		if len(values) == 0 || name != "part" && !slices.Contains(p.params, name) {
			delete(all, name)
			continue
		}
		if name == "q" {
			values[0] = queryText(values[0])
		}
		all[name] = values[:1]
	}
	return all
}

// release returns the release of the version in the path.
func (q *request) release() *taxonomy.Release { return q.schema.Release() }

// preferenceKey identifies what a browser prefers among the languages of a page.
type preferenceKey struct {
	index   *taxonomy.Index
	version taxonomy.Version // zero for pages about all versions
	state   string           // of pages of the register, with the slug of the document
	slug    string
	header  string
}

// choose chooses the language of a request: the one that its address names, else the one
// that its browser prefers, else the first one of the version.
func (q *request) choose(query, header string) {
	if strings.Contains(query, "lang=") {
		values, _ := url.ParseQuery(query)
		if match := matching(q.locales, values.Get("lang")); match != "" {
			q.locale, q.asked = match, match
		}
	}
	if q.locale == "" {
		q.locale = q.preferred(header)
	}
	q.words = wordsIn(q.locale)
}

// chooser returns what chooses among the languages of texts. Cached pages need none.
func (q *request) chooser() *phrases.Chooser {
	if q.texts.Locale == "" {
		q.texts = phrases.NewChooser(q.locales, q.locale)
	}
	return &q.texts
}

// maxHeader is the length of the longest Accept-Language that is read, and maxPreferred
// how many of its languages are.
const (
	maxHeader    = 256
	maxPreferred = 16
)

// preferred returns the language that a browser prefers. Matching languages takes longer
// than sending a page, so the results are kept.
func (q *request) preferred(header string) string {
	if header == "" || len(header) > maxHeader {
		return q.locales[0]
	}
	key := preferenceKey{index: q.index, header: header}
	if q.schema != nil {
		key.version = q.release().Version()
	}
	if q.state != nil && (q.page.register || q.params.Has(boardParam)) {
		key.state = q.state.Tag()
		if q.document != nil {
			key.slug = q.document.Slug
		}
	}
	kept := q.handler.preferences
	if locale, ok := kept.Get(key); ok {
		return locale
	}
	locale, _ := kept.Do(q.ctx, key, func() (string, int64, error) { // creating it can't fail
		return accepted(q.locales, header), 1, nil
	})
	return cmp.Or(locale, q.locales[0])
}

// matching returns the locale that matches a wanted one, or "".
func matching(locales []string, want string) string {
	if !ident.IsLocale(want) {
		return ""
	}
	match, _ := taxonomy.MatchLocale(locales, want) // "" if it is malformed
	return match
}

// accepted returns the locale that Accept-Language prefers, or else the first one.
func accepted(locales []string, header string) string {
	type weighted struct {
		tag     string
		quality float64
	}
	var list []weighted
	for item := range strings.SplitSeq(header, ",") {
		tag, params, _ := strings.Cut(strings.TrimSpace(item), ";")
		quality := 1.0
		if value, ok := strings.CutPrefix(strings.TrimSpace(params), "q="); ok {
			quality, _ = strconv.ParseFloat(value, 64) // 0 if it is malformed
		}
		if quality > 0 && ident.IsLocale(tag) && len(list) < maxPreferred {
			list = append(list, weighted{tag, quality})
		}
	}
	slices.SortStableFunc(list, func(a, b weighted) int { return cmp.Compare(b.quality, a.quality) })
	for _, w := range list {
		if match := matching(locales, w.tag); match != "" {
			return match
		}
	}
	return locales[0]
}
