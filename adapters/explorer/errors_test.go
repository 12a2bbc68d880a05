package explorer_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/explorer"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
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
	samples, err := taxonomies.Store()
	require.NoError(t, err)
	s := open(t, &damaged{samples, beta}, &explorer.Options{Logger: slog.New(slog.DiscardHandler)})
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
	samples, err := taxonomies.Store()
	require.NoError(t, err)
	e, err := explorer.New(must(datachain.New(samples, nil)), nil)
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
