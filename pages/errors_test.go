package pages_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/pages"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// damaged is a store of which one release can't be read.
type damaged struct {
	taxonomy.Store
	version string
}

func (d *damaged) Release(ctx context.Context, v taxonomy.Version) (*taxonomy.Release, error) {
	if v.String() == d.version {
		return nil, errors.New("the disk is on fire")
	}
	return d.Store.Release(ctx, v)
}

// TestUnreadable checks what pages say if a release can't be read.
func TestUnreadable(t *testing.T) {
	samples, err := published.Store()
	require.NoError(t, err)
	s := open(t, &damaged{samples, beta}, &pages.Options{Logger: slog.New(slog.DiscardHandler)})
	for _, path := range []string{"/t/" + beta, "/t/" + beta + "/e/purpose.benefits", comparison} {
		res := s.do(http.MethodGet, path)
		assert.Equal(t, http.StatusBadGateway, res.StatusCode, path)
		p := parse(t, res.body)
		assert.Equal(t, "The taxonomy can't be read at the moment", p.first(t, "h1").text(), path)
		assert.Contains(t, p.first(t, "p.lead").text(), "Try again later.", path)
		assert.Contains(t, p.first(t, "main").first(t, "details").text(), ". Try again in a moment; if it keeps failing, tell the operator.", path)
		assert.NotContains(t, res.body, "fire")
	}
}

// TestRefuse checks that the words of a refusal fit its cause, whatever its status.
func TestRefuse(t *testing.T) {
	samples, err := published.Store()
	require.NoError(t, err)
	e, err := pages.New(must(datachain.New(samples, nil)), nil)
	require.NoError(t, err)
	for _, c := range []struct {
		status     int
		code       issue.Code
		en, fr, es string
	}{
		{http.StatusTooManyRequests, codes.RateLimited, "Too many requests", "Trop de requêtes", "Demasiadas peticiones"},
		{http.StatusServiceUnavailable, codes.Overloaded, "Too many requests", "Trop de requêtes", "Demasiadas peticiones"},
		{http.StatusServiceUnavailable, issue.CodeUpstreamError, "The taxonomy can't be read at the moment", "La taxonomie est illisible pour le moment", "La taxonomía no se puede leer en este momento"},
		{http.StatusServiceUnavailable, issue.CodeNotFound, "The taxonomy can't be read at the moment", "La taxonomie est illisible pour le moment", "La taxonomía no se puede leer en este momento"},
		{http.StatusInternalServerError, issue.CodeInternalError, "The page could not be made", "La page n’a pas pu être préparée", "No se pudo preparar la página"},
	} {
		for lang, title := range map[string]string{"en": c.en, "fr": c.fr, "es": c.es} {
			r := httptest.NewRequest(http.MethodGet, "/?lang="+lang, nil)
			r.Header.Set("Accept", "text/html")
			w := httptest.NewRecorder()
			e.Refuse(w, r, c.status, issue.Issue{Code: c.code, Message: "It failed."})
			assert.Equal(t, c.status, w.Code)
			p := parse(t, w.Body.String())
			assert.Equal(t, title, p.first(t, "h1").text(), c.code)
			assert.Equal(t, "It failed.", p.first(t, "main").first(t, "details").first(t, "p").text(), "there is no hint")
		}
	}
}

// TestRetiredVersion: the page of a retired version says when and why it was retired, and what
// to use instead.
func TestRetiredVersion(t *testing.T) {
	samples, err := published.Store()
	require.NoError(t, err)
	index, err := samples.Index(t.Context())
	require.NoError(t, err)
	entries := index.Entries()
	old, next := entries[len(entries)-1].ID, entries[len(entries)-2].ID
	require.Equal(t, old.Type(), next.Type())
	index, err = listing.Remove(index, taxonomy.RetiredVersion{ID: old, At: "2027-03-01", Reason: "It was <wrong>.", Successor: next})
	require.NoError(t, err)
	s := open(t, indexed{samples, index}, nil)
	for _, path := range []string{"", "/c/purpose"} {
		res := s.do(http.MethodGet, "/t/"+old.String()+path)
		assert.Equal(t, http.StatusNotFound, res.StatusCode)
		p := parse(t, res.body).first(t, "section.hero")
		assert.Contains(t, p.text(), old.String()+" Retired on 1 March 2027. It was <wrong>. Use instead: "+next.String())
	}
	assert.Contains(t, s.do(http.MethodGet, "/t/"+old.String(), "Accept-Language", "de").body, "Zurückgezogen am 1. März 2027.")
}

// indexed is a store with another index.
type indexed struct {
	taxonomy.Store
	index *taxonomy.Index
}

func (i indexed) Index(context.Context) (*taxonomy.Index, error) { return i.index, nil }

// TestNearDocuments: an address that is nearly that of a document suggests it.
func TestNearDocuments(t *testing.T) {
	shelf := newShelf(t)
	shelf.put("mill.json", "crossing-camera.json", map[string]any{"id": "mill-street-bridge"})
	s := shelf.serve(nil)
	for path, want := range map[string]string{"/d/mill-stret": "/d/mill-street-bridge", "/d/camra": "/d/camera", "/d/mill-street-brige/history": "/d/mill-street-bridge"} {
		res := s.do(http.MethodGet, path)
		assert.Equal(t, http.StatusNotFound, res.StatusCode)
		assert.Contains(t, res.body, `href="`+want+`"`, path)
		assert.Contains(t, s.do(http.MethodGet, path, "Accept", "application/json").body, "use "+strings.TrimPrefix(want, "/d/"))
	}
	assert.NotContains(t, s.do(http.MethodGet, "/d/quite-another").body, "Did you mean")
}

// TestNearPages: an address that is nearly that of a page suggests it, with a register and without.
func TestNearPages(t *testing.T) {
	for _, s := range []*site{open(t, nil, nil), newShelf(t).serve(nil)} {
		for path, want := range map[string]string{"/compos": "/compose", "/Compose": "/compose", "/compose/": "/compose", "/plya": "/play", "/%63odess": "/codes"} {
			res := s.do(http.MethodGet, path+"?lang=en")
			assert.Equal(t, http.StatusNotFound, res.StatusCode, path)
			main := parse(t, res.body).first(t, "#main")
			assert.Contains(t, main.text(), "Did you mean: "+want, path)
			assert.Contains(t, res.body, `href="`+want+`?lang=en"`, path)
			assert.Contains(t, s.do(http.MethodGet, path, "Accept", "application/json").body, `"fix_hint":"use `+want+`"`, path)
		}
		for _, path := range []string{"/x", "/quite-another", "/" + strings.Repeat("compose", 1000)} {
			res := s.do(http.MethodGet, path)
			assert.Equal(t, http.StatusNotFound, res.StatusCode)
			assert.NotContains(t, res.body, "Did you mean", path)
		}
	}
	assert.NotContains(t, open(t, nil, nil).do(http.MethodGet, "/taxonomie").body, "/taxonomies", "there is none without a register")
}

// TestSourceFindings: the start page of a schema source with errors shows them, not that nothing
// is published.
func TestSourceFindings(t *testing.T) {
	var wrong issue.Issues
	s := open(t, must(memstore.New()), &pages.Options{Findings: func() issue.Issues { return wrong }})
	assert.Contains(t, s.page("/").text(), "Nothing is published yet")
	wrong = issue.Issues{
		{Code: "x", Severity: issue.SeverityError, Message: "There is no key tilte.", FixHint: "use title", Position: issue.Position{File: "bikes/schema.yaml", Line: 3}},
		{Code: "x", Severity: issue.SeverityWarning, Message: "Only a warning."},
	}
	page := s.page("/").text()
	assert.Contains(t, page, "The schema source has errors")
	assert.Contains(t, page, "bikes/schema.yaml:3: There is no key tilte. (use title)")
	assert.NotContains(t, page, "Only a warning")
	assert.NotContains(t, page, "Nothing is published yet")
	assert.NotContains(t, page, "schema new")
	wrong = nil
	assert.Contains(t, s.page("/").text(), "Nothing is published yet")
}

// unlisted is a store whose index can't be read once it is broken.
type unlisted struct {
	taxonomy.Store
	broken atomic.Bool
}

func (u *unlisted) Index(ctx context.Context) (*taxonomy.Index, error) {
	if u.broken.Load() {
		return nil, errors.New("the disk is on fire")
	}
	return u.Store.Index(ctx)
}

// TestErrorPages checks that pages of failures are whole beside a register, also if nothing can be
// read, and that those of comparing documents are for citizens.
func TestErrorPages(t *testing.T) {
	shelf := newShelf(t)
	_, reg := shelf.register()
	samples, err := published.Store()
	require.NoError(t, err)
	store := &unlisted{Store: samples}
	s := open(t, store, &pages.Options{Documents: reg, Logger: slog.New(slog.DiscardHandler)})
	whole := func(path string, status int, lead string, tools bool) {
		res := s.do(http.MethodGet, path)
		assert.Equal(t, status, res.StatusCode, path)
		assert.True(t, strings.HasSuffix(strings.TrimSpace(res.body), "</html>"), path)
		p := parse(t, res.body)
		assert.Contains(t, p.first(t, "main").text(), lead, path)
		assert.Equal(t, tools, len(p.all("header.tools")) == 1, path)
	}
	for path, status := range map[string]int{
		"/t/nosuch@latest": 404, "/t/ai@latest/e/nosuch": 404, "/codes/nosuch": 404, "/compose?document=nosuch": 404,
		"/compose?new=nosuch": 400, "/docs/nosuch": 404, "/compare?old=x&new=y": 400, "/play/nosuch": 404,
	} {
		whole(path, status, "Check the address", true)
	}
	for path, lead := range map[string]string{
		"/nosuch":                          "There is no system at /nosuch",
		"/d/nosuch/history":                "There is no system at /d/nosuch.",
		"/compare?documents=camera,nosuch": "There is no system at /d/nosuch.",
		"/compare?documents=camera,camra":  "There is no system at /d/camra. Did you mean: Camera",
		"/compare?documents=a,b,c,d,e,f,g": "There is no system at /d/a.",
	} {
		whole(path, 404, lead, false)
	}
	assert.Equal(t, "Compare 2 systems", s.page("/compare?documents=camera,chat,camera").first(t, "h1").text())
	assert.Contains(t, s.page("/compare?documents=camera,camera").text(), "Select 2 to 6 systems to compare.")
	store.broken.Store(true)
	whole("/docs/nosuch", 404, "Check the address", true)
	whole("/compare?old="+stable+"&new="+beta, 502, "Try again later", true)
}

func TestNil(t *testing.T) {
	_, err := pages.New(nil, nil)
	require.ErrorContains(t, err, "pages: the service is nil")
}
