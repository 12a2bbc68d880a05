package stores_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/publishing"
	documents "github.com/datachain-go/datachain/register/rest"
	"github.com/datachain-go/datachain/release/publish"
	releases "github.com/datachain-go/datachain/release/rest"
	"github.com/datachain-go/datachain/release/trust"
	"github.com/datachain-go/datachain/release/trust/follow"
)

// longAgo runs something in the year 2000, so that what it publishes is older than readers
// tolerate.
func longAgo(t *testing.T, do func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, do)
}

// register publishes documents with a key, and then withdraws one.
func (p *place) register(t *testing.T, key *publish.Key, from *register.Register, withdrawn ...string) {
	t.Helper()
	require.NoError(t, p.change(t.Context(), nil, key, func(target publish.Target) error {
		_, err := publishing.Documents(t.Context(), target, from, nil)
		for _, slug := range withdrawn {
			if err == nil {
				_, err = publishing.Withdraw(t.Context(), target, slug, "It was removed")
			}
		}
		return err
	}))
}

// text returns a file of the store.
func (p *place) text(t *testing.T, name string) (text string) {
	t.Helper()
	require.NoError(t, p.change(t.Context(), nil, nil, func(target publish.Target) error {
		data, _, err := target.Read(t.Context(), name)
		text = string(data)
		return err
	}))
	return text
}

// remove deletes a file of the store.
func (p *place) remove(t *testing.T, name string) {
	t.Helper()
	require.NoError(t, p.change(t.Context(), nil, nil, func(target publish.Target) error {
		return target.Delete(t.Context(), name)
	}))
}

// TestOlderIndex deletes an index of a store that has a log, or replaces it by nothing or by an
// older one: whoever reads the store with a trust file keeps the last good state and says so, and
// a reader that begins then refuses it.
func TestOlderIndex(t *testing.T) {
	key, service := newKey(t), sampleService(t)
	trusted := trusting(t, key, nil)
	pubs, from := layouttest.Publications(), registerOf(t, "air-station.json", "wifi-counter.json")
	for kind, create := range places() {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			p := create(t)
			old := make(map[string]string)
			longAgo(t, func(t *testing.T) {
				p.publish(t, key, pubs[0])
				p.register(t, key, from)
				for _, name := range []string{"index.json", "documents/index.json"} {
					old[name] = p.text(t, name)
				}
				p.publish(t, key, pubs[1])
				p.register(t, key, from, "market-square-air")
			})
			opened, err := p.read(t, stores.Options{Trust: trusted, Follow: true, Refresh: 10 * time.Millisecond})
			require.NoError(t, err)
			var refused atomic.Pointer[error]
			r, err := register.New(service, []register.Origin{opened.Documents("the store")}, &register.Options{
				Refresh: 10 * time.Millisecond, Report: func(_ register.Origin, err error) { refused.Store(&err) },
			})
			require.NoError(t, err)
			defer func() { assert.NoError(t, r.Close()) }()
			reader := opened.Store.(interface{ Err() error })
			now := func() (n int, withdrawn bool) {
				d, ok := r.State().Document("market-square-air")
				return len(r.State().Documents()), ok && d.Withdrawn != nil
			}
			good := p.save()
			for name, lies := range map[string][]func(){
				"documents/index.json": {
					func() { p.remove(t, "documents/index.json") },
					func() { p.edit(t, "documents/index.json", func(string) string { return old["documents/index.json"] }) },
				},
				"index.json": {
					func() { p.remove(t, "index.json") },
					func() { p.edit(t, "index.json", func(string) string { return "" }) },
					func() { p.edit(t, "index.json", func(string) string { return old["index.json"] }) },
				},
			} {
				for i, lie := range lies {
					lie()
					alarm := func() error {
						if name == "index.json" {
							_, _ = opened.Index(t.Context())
							return reader.Err()
						}
						if err := refused.Load(); err != nil {
							return *err
						}
						return nil
					}
					eventually(t, func() bool { return alarm() != nil })
					require.ErrorIs(t, alarm(), trust.ErrRollback, "%s, %d", name, i)
					x, err := opened.Index(t.Context())
					require.NoError(t, err)
					require.Equal(t, 2, x.Len(), "the last good one")
					n, withdrawn := now()
					require.Equal(t, 2, n)
					require.True(t, withdrawn)

					another, err := p.read(t, stores.Options{Trust: trusted})
					if err == nil {
						_, err = register.New(service, []register.Origin{another.Documents("the store")}, nil)
						require.Error(t, err, "%s, %d", name, i)
						_, listErr := register.ListStored(t.Context(), another.Store.(register.Files), another.Log)
						require.ErrorIs(t, listErr, trust.ErrRollback)
					}
					require.ErrorIs(t, err, trust.ErrRollback, "%s, %d", name, i)
					good()
					eventually(t, func() bool { return alarm() == nil })
				}
			}
			// What was published just now may lag.
			last := p.text(t, "index.json")
			p.publish(t, key, pubs[2])
			p.edit(t, "index.json", func(string) string { return last })
			another, err := p.read(t, stores.Options{Trust: trusted})
			require.NoError(t, err)
			x, err := another.Index(t.Context())
			require.NoError(t, err)
			require.Equal(t, 2, x.Len())
		})
	}
}

// TestOlderAnswers lies by the answers of a server: it says that there are no versions or no
// documents, or repeats what it said before.
func TestOlderAnswers(t *testing.T) {
	key, service := newKey(t), sampleService(t)
	trusted := trusting(t, key, nil)
	pubs, from := layouttest.Publications(), registerOf(t, "air-station.json", "wifi-counter.json")
	p, before := inDirectory(t), inDirectory(t)
	longAgo(t, func(t *testing.T) {
		p.publish(t, key, pubs[0])
		p.register(t, key, from)
		replaceDir(t, before.store, p.store)
		p.publish(t, key, pubs[1])
		p.register(t, key, from, "market-square-air")
	})
	api := func(p *place) http.Handler {
		opened, err := p.read(t, stores.Options{Follow: true, Refresh: 10 * time.Millisecond})
		require.NoError(t, err)
		api, err := httpapi.New(sampleService(t), &httpapi.Options{
			Routes: slices.Concat(documents.Routes(openRegister(t, opened.Documents("the store"))), releases.Log(stores.LogOf(opened.Store, opened.Log), nil)),
		})
		require.NoError(t, err)
		return api
	}
	now, then := api(p), api(before)
	releases, older := proxy(t, p.serve(t)), proxy(t, before.serve(t))
	var lie atomic.Int64 // a status, or 0, or 1 for the old answers
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		lies, documents := int(lie.Load()), strings.HasPrefix(r.URL.Path, "/api/v2/documents")
		handler := releases
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/v2/log/") || lies == 0 && documents:
			handler = now
		case lies > 1:
			http.Error(w, "no", lies)
			return
		case lies == 1 && documents:
			handler = then
		case lies == 1:
			handler = older
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	store := func() *httpstore.Store {
		s, err := httpstore.Open(server.URL, &httpstore.Options{Verify: follow.Served(trusted, "").Verify, Refresh: -1, RetryAfter: -1})
		require.NoError(t, err)
		t.Cleanup(func() { assert.NoError(t, s.Close()) })
		return s
	}
	var refused atomic.Bool
	mirror := func() (*register.Register, error) {
		origin, err := openDocuments(server.URL, &stores.Options{Trust: trusted})
		require.NoError(t, err)
		return register.New(service, []register.Origin{origin}, &register.Options{
			Refresh: 10 * time.Millisecond, Report: func(_ register.Origin, err error) { refused.Store(errors.Is(err, trust.ErrRollback)) },
		})
	}
	s := store()
	x, err := s.Index(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, x.Len())
	m, err := mirror()
	require.NoError(t, err)
	defer func() { assert.NoError(t, m.Close()) }()
	for _, status := range []int{http.StatusNotFound, http.StatusGone, 1} {
		lie.Store(int64(status))
		x, err := s.Index(t.Context())
		require.NoError(t, err, status)
		require.Equal(t, 2, x.Len())
		require.NotEmpty(t, trust.Reason(s.Err()), status)
		_, err = store().Index(t.Context())
		require.ErrorIs(t, err, trust.ErrRollback, status)
		if status > 1 {
			eventually(t, refused.Load)
		}
		d, ok := m.State().Document("market-square-air")
		require.True(t, ok && d.Withdrawn != nil)
		_, err = mirror()
		require.ErrorIs(t, err, trust.ErrRollback, status)
		lie.Store(0)
		eventually(t, func() bool { return !refused.Load() })
		_, err = s.Index(t.Context())
		require.NoError(t, err)
		require.NoError(t, s.Err())
	}
}
