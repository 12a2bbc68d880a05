package datachain_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/mcp"
	"github.com/datachain-go/datachain/adapters/memstore"
	"github.com/datachain-go/datachain/adapters/ratelimit"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/search"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/listing"
	"github.com/datachain-go/datachain/validate"
)

// TestNil: what is missing is said where it is missing, not where it is used.
func TestNil(t *testing.T) {
	doc, err := document.Parse(read(t, "benefits.json"))
	require.NoError(t, err)
	release := open(t, "ai@latest").Release()
	for want, call := range map[string]func() error{
		"datachain: the store is nil":     func() error { _, err := datachain.New(nil, nil); return err },
		"httpapi: the service is nil":     func() error { _, err := httpapi.New(nil, nil); return err },
		"mcp: the service is nil":         func() error { _, err := mcp.New(nil, nil); return err },
		"laststore: the store is nil":     func() error { _, err := laststore.New(nil, nil); return err },
		"icons: the release is nil":       func() error { _, err := icons.NewSet(nil, nil); return err },
		"fsstore: the file system is nil": func() error { _, err := fsstore.Open(nil, nil); return err },
		"a publication has no release":    func() error { _, err := memstore.New(listing.Publication{}); return err },
		"validate: the release is nil":    func() error { _, err := validate.Instance(nil, doc, nil); return err },
		"validate: the document is nil":   func() error { _, err := validate.Resolved(release, nil, nil); return err },
		"resolve: the release is nil":     func() error { _, err := resolve.Resolve(nil, doc, nil); return err },
		"resolve: the document is nil":    func() error { _, err := resolve.Resolve(release, nil, nil); return err },
		"search: the release is nil":      func() error { _, err := search.Build(nil, "en"); return err },
	} {
		require.ErrorContains(t, call(), want)
	}
	assert.False(t, new(validate.Result).OK())
}

// options returns nil, or options whose numbers are all negative.
func options[T any](negative bool) *T {
	if !negative {
		return nil
	}
	o := new(T)
	for _, v := range reflect.ValueOf(o).Elem().Fields() {
		if v.CanInt() {
			v.SetInt(-1)
		}
	}
	return o
}

// TestNegative: nil options have limits, and negative numbers none.
func TestNegative(t *testing.T) {
	thin := read(t, "benefits.json")
	large := bytes.Replace(thin, []byte("{"), []byte(`{"note": "`+strings.Repeat("x", 2<<20)+`", `), 1)
	service := samples(t)
	schema := open(t, "ai@latest")
	post := func(h http.Handler, path, body string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
		return w
	}
	// Each returns whether something works that the defaults do not allow.
	for name, accepted := range map[string]func(below bool) bool{
		"datachain": func(below bool) bool {
			o := options[datachain.Options](below)
			s := openIn(t, must(datachain.New(sampleStore(t), o)), "ai@latest")
			_, bundle, err := s.Resolve(t.Context(), large, nil)
			return err == nil && bundle.Len() > len(large)
		},
		"resolve": func(below bool) bool {
			o := options[resolve.Options](below)
			_, err := resolve.Resolve(schema.Release(), must(document.Parse(large)), o)
			return err == nil
		},
		"ratelimit": func(below bool) bool {
			o := options[ratelimit.Options](below)
			if below {
				o.Limits = *options[ratelimit.Limits](below)
			}
			m, all := must(ratelimit.NewMemory(o)), true
			for range 1201 {
				all = must(m.Allow(t.Context(), ratelimit.NewKey(ratelimit.Pages, netip.Addr{}, ""))).Allowed
			}
			return all
		},
		"httpapi": func(below bool) bool {
			o := options[httpapi.Options](below)
			h := must(httpapi.New(service, o))
			alias := httptest.NewRecorder()
			h.ServeHTTP(alias, httptest.NewRequest(http.MethodGet, "/api/v2/schemas/ai@latest/manifest", http.NoBody))
			assert.Equal(t, below, alias.Header().Get("Cache-Control") == "public, max-age=0")
			return post(h, "/api/v2/schemas/ai@latest/validate", string(large)).Code == http.StatusOK
		},
		"mcp": func(below bool) bool {
			o := options[mcp.Options](below)
			server := must(mcp.New(service, o))
			call := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"validate_datachain","arguments":{"version":"ai@latest","datachain":%s}}}`, large)
			return strings.Contains(post(server.Handler(), "/mcp", call).Body.String(), `"ok":true`)
		},
		"mcp slots": func(below bool) bool {
			o := options[mcp.MemorySlotsOptions](below)
			slots := mcp.NewMemorySlots(o)
			for i := range 1025 {
				require.NoError(t, slots.Put(t.Context(), strconv.Itoa(i), thin))
			}
			_, ok, err := slots.Get(t.Context(), "0")
			return ok && err == nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			assert.False(t, accepted(false), "defaults")
			assert.True(t, accepted(true), "negative numbers")
		})
	}

	version := schema.Release().Version()
	t.Run("laststore", func(t *testing.T) {
		failing := &counting{Store: sampleStore(t), err: errors.New("the disk is broken")}
		store := must(laststore.New(failing, options[laststore.Options](true)))
		for range 3 {
			_, err := store.Index(t.Context())
			require.ErrorIs(t, err, failing.err)
		}
		assert.Equal(t, 3, failing.asked)
	})
	t.Run("httpstore", func(t *testing.T) {
		origin := &counting{Store: sampleStore(t)}
		server := httptest.NewServer(must(httpapi.New(must(datachain.New(origin, nil)), nil)))
		defer server.Close()
		store := must(httpstore.Open(server.URL, options[httpstore.Options](true)))
		defer store.Close()
		for range 3 {
			_, err := store.Index(t.Context())
			require.NoError(t, err)
		}
		assert.Equal(t, 3, origin.asked)
		_, err := store.Release(t.Context(), version)
		require.NoError(t, err)
	})
	t.Run("fsstore and icons", func(t *testing.T) {
		store := must(fsstore.Open(published.FS(), options[fsstore.Options](true)))
		defer store.Close()
		release, err := store.Release(t.Context(), version)
		require.NoError(t, err)
		id := release.Elements()[0].ID
		cached, err := must(icons.NewSet(release, nil)).Icon(id, taxonomy.VariantDefault)
		require.NoError(t, err)
		set := must(icons.NewSet(release, options[icons.SetOptions](true)))
		drawn, err := set.Icon(id, taxonomy.VariantDefault)
		require.NoError(t, err)
		assert.Equal(t, string(cached), string(drawn))
		_, err = set.Append(nil, id, taxonomy.VariantDefault, options[icons.Options](true))
		require.ErrorContains(t, err, "icons: size -1", "a size is no limit")
	})
}

// counting counts the reads of its index, which fail with err.
type counting struct {
	taxonomy.Store
	err   error
	asked int
}

func (c *counting) Index(ctx context.Context) (*taxonomy.Index, error) {
	c.asked++
	if c.err != nil {
		return nil, c.err
	}
	return c.Store.Index(ctx)
}
