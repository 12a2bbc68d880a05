package httpstore_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/adapters/laststore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// status answers with a status alone.
func status(code int, header ...string) fault {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		for i := 0; i < len(header); i += 2 {
			w.Header().Set(header[i], header[i+1])
		}
		w.WriteHeader(code)
		return true
	}
}

// body answers with a text of a type.
func body(contentType, text string) fault {
	return func(w http.ResponseWriter, _ *http.Request) bool {
		w.Header().Set("Content-Type", contentType)
		_, _ = w.Write([]byte(text))
		return true
	}
}

func gzipped(text []byte, times int) []byte {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	for range times {
		_, _ = w.Write(text)
	}
	_ = w.Close()
	return b.Bytes()
}

// instead answers with what the server would, changed.
func instead(s *server, change func([]byte) []byte) fault {
	return func(w http.ResponseWriter, r *http.Request) bool {
		rec := httptest.NewRecorder()
		s.fail(nil)
		s.ServeHTTP(rec, r)
		sendJSON(w, change(rec.Body.Bytes()))
		return true
	}
}

// cut promises more than it sends.
func cut(w http.ResponseWriter, _ *http.Request) bool {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", "1000")
	_, _ = w.Write([]byte(`{"ok":true,"versions":[]}`))
	return true
}

// abort ends the connection in the middle of a chunked body.
func abort(w http.ResponseWriter, _ *http.Request) bool {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"ok":true,`))
	_ = http.NewResponseController(w).Flush()
	panic(http.ErrAbortHandler)
}

// hang sends a beginning and no end.
func hang(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte(`{"ok":true,`))
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
	return true
}

// endless sends white space for ever.
func endless(w http.ResponseWriter, r *http.Request) bool {
	w.Header().Set("Content-Type", "application/json")
	for r.Context().Err() == nil {
		if _, err := w.Write(bytes.Repeat([]byte(" "), 1<<16)); err != nil {
			break
		}
	}
	return true
}

// packed is 20 MiB, compressed.
var packed = sync.OnceValue(func() []byte { return gzipped(make([]byte, 1<<20), 20) })

// bomb sends little that becomes much.
func bomb(w http.ResponseWriter, _ *http.Request) bool {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Encoding", "gzip")
	_, _ = w.Write(packed())
	return true
}

// TestFaults: for each way in which a server can fail, the store says what is
// wrong, and behind laststore one that has read something serves that, reports
// the failure, and recovers.
func TestFaults(t *testing.T) {
	pubs := layouttest.Publications()[:2]
	beta := pubs[1].Release
	changed := []listing.Publication{pubs[0], edited(t, beta, "Changed")}
	replace := func(from, to string) func([]byte) []byte {
		return func(b []byte) []byte { return bytes.ReplaceAll(b, []byte(from), []byte(to)) }
	}
	server := newServer(t, pubs)
	address := server.listen(t)
	for _, c := range []struct {
		name        string
		fault       func() fault
		want        string // of the index, or of both
		wantRelease string // "" if it is the same
	}{
		{"500", func() fault { return status(500) }, "500 Internal Server Error: the request is repeated later", ""},
		{"503", func() fault { return status(503) }, "503 Service Unavailable", ""},
		{"429", func() fault { return status(429) }, "increase Options.Refresh", ""},
		{"404", func() fault { return status(404) }, "404 Not Found: check that the URL", ""},
		{"401", func() fault { return status(401) }, "credentials", ""},
		{"204", func() fault { return status(204) }, "204 No Content", ""},
		{"304 unasked", func() fault { return status(304) }, "304 Not Modified: check the URL", ""},
		{"redirect", func() fault { return status(302, "Location", "http://evil.example/") }, `redirects to "http://evil.example/"`, ""},
		{"web page", func() fault { return body("text/html", "<html>Log in to the hotel's network") }, `must be application/json, not "text/html"`, ""},
		{"no type", func() fault { return body("", "{}") }, "must be application/json", ""},
		{"encoded", func() fault {
			return func(w http.ResponseWriter, _ *http.Request) bool {
				w.Header().Set("Content-Encoding", "br")
				return body("application/json", "{}")(w, nil)
			}
		}, `the encoding "br"`, ""},
		{"empty", func() fault { return body("application/json", "") }, "index: line 1", "does not match its hash"},
		{"no JSON", func() fault { return body("application/json", `{"versions":[`) }, "index: line 1", "does not match its hash"},
		{"deep JSON", func() fault { return body("application/json", strings.Repeat("[", 1<<16)) }, "index: line 1", "does not match its hash"},
		{"other JSON", func() fault { return body("application/json", `{"ok":false,"errors":[]}`) }, "the list versions is missing", "does not match its hash"},
		{"bad version", func() fault { return instead(server, replace("2026-09-01", "2026-13-01")) }, "2026-13-01 is not a valid date", "2026-13-01 is not a valid date"},
		{"a letter", func() fault { return instead(server, replace(`content_hash":"sha256-`, `content_hash":"sha256-0`)) }, "malformed content hash", "malformed content hash"},
		{"cut", func() fault { return cut }, "no complete response: unexpected EOF", ""},
		{"aborted", func() fault { return abort }, "no complete response", ""},
		{"hanging", func() fault { return hang }, "the server is slow", ""},
		{"endless", func() fault { return endless }, "larger than the limit", ""},
		{"bomb", func() fault { return bomb }, "larger than the limit", ""},
		{"long promise", func() fault { return status(200, "Content-Type", "application/json", "Content-Length", "99999999999") }, "larger than the limit", ""},
	} {
		for _, about := range []string{"index", "release"} {
			t.Run(about+" "+c.name, func(t *testing.T) {
				server.hold(t, pubs)
				server.fail(nil)
				var n news
				options := httpstore.Options{Refresh: -1, RetryAfter: -1, MaxRelease: 1 << 20, Timeout: time.Minute, ReleaseTimeout: time.Minute}
				hanging := c.name == "hanging"
				switch {
				case hanging && about == "index":
					options.Timeout = 100 * time.Millisecond
				case hanging:
					options.ReleaseTimeout = 100 * time.Millisecond
				}
				// A slow machine may need longer for a good answer.
				succeeds := func(read func() error) {
					t.Helper()
					if !hanging {
						require.NoError(t, read())
						return
					}
					require.Eventually(t, func() bool { return read() == nil }, time.Minute, time.Millisecond)
				}
				s := n.last(open(t, address, &options))
				succeeds(func() error { return errors.Join(holds(t, s, pubs), s.Err()) })
				n.take()
				fresh := open(t, address, &options)
				if about == "release" {
					_, err := fresh.Index(t.Context())
					require.NoError(t, err)
				}

				server.hold(t, changed)
				again := func() { // each fault is for one request
					f := c.fault()
					server.fail(func(w http.ResponseWriter, r *http.Request) bool {
						return strings.HasSuffix(r.URL.Path, "/release") == (about == "release") && f(w, r)
					})
				}
				want := c.want
				if about == "release" && c.wantRelease != "" {
					want = c.wantRelease
				}
				again()
				var err error
				if about == "release" {
					_, err = fresh.Release(t.Context(), beta.Version())
				} else {
					_, err = fresh.Index(t.Context())
				}
				require.ErrorContains(t, err, want)
				require.ErrorContains(t, err, address+"/api/v2/schemas")
				require.NotErrorIs(t, err, taxonomy.ErrNotFound)

				if c.name == "304 unasked" && about == "index" {
					return // it is not a fault if the store has an index
				}
				for range 2 {
					again()
					r, err := s.Release(t.Context(), beta.Version())
					require.NoError(t, err)
					require.Equal(t, string(wire(beta)), string(wire(r)))
				}
				require.ErrorContains(t, s.Err(), want)
				reports, recovered := n.take()
				require.NotEmpty(t, reports)
				require.ErrorContains(t, reports[0], want)
				if c.name != "aborted" && !hanging {
					require.Len(t, reports, 1, "what stays the same is reported once")
				}
				require.Zero(t, recovered)

				server.fail(nil)
				succeeds(func() error { return errors.Join(holds(t, s, changed), s.Err()) })
				reports, recovered = n.take()
				if hanging {
					require.NotZero(t, recovered)
					return
				}
				require.Empty(t, reports)
				require.Equal(t, 1, recovered)
			})
		}
	}
}

// TestWrongRelease shows that nothing but the release that the index names is
// served.
func TestWrongRelease(t *testing.T) {
	pubs := layouttest.Publications()
	beta, stable := pubs[1].Release, pubs[3].Release
	require.Equal(t, beta.ContentHash(), stable.ContentHash(), "promoted")
	for _, c := range []struct {
		name, text, want string
	}{
		{"another version of the same hash", string(wire(beta)), "this is the release ai@2026-09-01-beta, not ai@2026-09-01-stable"},
		{"another content", string(wire(edited(t, stable, "Changed").Release)), "but the index lists " + stable.ContentHash().String()},
		{"a word", strings.Replace(string(wire(stable)), `"en"`, `"de"`, 1), "does not match its hash"},
		{"without symbols", strings.Split(string(wire(stable)), `,"symbols":`)[0] + "}", "does not match its hash"},
		{"a stowaway", strings.Replace(string(wire(stable)), `{"categories"`, `{"x":1,"categories"`, 1), "unknown key"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := newServer(t, pubs)
			s := open(t, server.listen(t), nil)
			server.fail(func(w http.ResponseWriter, r *http.Request) bool {
				return strings.HasSuffix(r.URL.Path, "/release") && body("application/json", c.text)(w, r)
			})
			r, err := s.Release(t.Context(), stable.Version())
			require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
			require.ErrorContains(t, err, c.want)
			require.Nil(t, r)
		})
	}
}

// TestSeveralTroubles: a store has recovered when no problem is left, and a retired
// version has none.
func TestSeveralTroubles(t *testing.T) {
	pubs := layouttest.Publications()[:2]
	server := newServer(t, pubs)
	var n news
	s := n.last(open(t, server.listen(t), &httpstore.Options{Refresh: -1, RetryAfter: -1}))
	_, err := s.Index(t.Context())
	require.NoError(t, err)
	server.fail(func(w http.ResponseWriter, r *http.Request) bool {
		return strings.HasSuffix(r.URL.Path, "/release") && status(500)(w, r)
	})
	for _, p := range pubs {
		_, err := s.Release(t.Context(), p.Release.Version())
		require.ErrorContains(t, err, "500")
		require.ErrorContains(t, s.Err(), p.Release.Version().String())
	}
	reports, recovered := n.take()
	require.Len(t, reports, 2)
	require.Zero(t, recovered)

	server.hold(t, pubs[:1])
	_, err = s.Release(t.Context(), pubs[1].Release.Version())
	require.ErrorIs(t, err, taxonomy.ErrNotFound)
	require.NotContains(t, s.Err().Error(), pubs[1].Release.Version().String())
	_, recovered = n.take()
	require.Zero(t, recovered, "the other release fails on")
	server.fail(nil)
	require.NoError(t, holds(t, s, pubs[:1]))
	require.NoError(t, s.Err())
	reports, recovered = n.take()
	require.Empty(t, reports)
	require.Equal(t, 1, recovered)
}

// TestNoServer shows the plainest trouble.
func TestNoServer(t *testing.T) {
	h := httptest.NewServer(newServer(t, nil))
	address := strings.Replace(h.URL, "http://", "http://user:secret@", 1)
	h.Close()
	_, err := open(t, address, nil).Index(t.Context())
	require.ErrorContains(t, err, "check the URL and the network")
	require.ErrorContains(t, err, "user:xxxxx@")
	require.NotContains(t, err.Error(), "secret")
	require.Equal(t, 1, strings.Count(err.Error(), "/api/v2/schemas"))
}

// TestCompressed shows that a server may compress.
func TestCompressed(t *testing.T) {
	pubs := layouttest.Publications()
	plain := newServer(t, pubs)
	h := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec := httptest.NewRecorder()
		plain.ServeHTTP(rec, r)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(gzipped(rec.Body.Bytes(), 1))
	}))
	defer h.Close()
	require.NoError(t, holds(t, open(t, h.URL, nil), pubs))
}

// TestFlapping has a server that fails at random while its content changes, and
// many callers: each gets one of the contents, whole.
func TestFlapping(t *testing.T) {
	pubs := layouttest.Publications()
	beta := pubs[5].Release
	contents := map[string]bool{string(wire(beta)): true}
	states := [][]listing.Publication{pubs}
	for i := range 5 {
		p := edited(t, beta, "Edition "+strconv.Itoa(i))
		contents[string(wire(p.Release))] = true
		states = append(states, append(pubs[:5:5], p))
	}
	server := newServer(t, pubs)
	address := server.listen(t)
	dir := t.TempDir()
	stores := make([]*laststore.Store, 3)
	for i := range stores {
		stores[i] = openLast(t, address, &httpstore.Options{Refresh: -1, RetryAfter: time.Millisecond, CacheDir: dir})
		require.NoError(t, holds(t, stores[i], pubs))
	}
	faults := []fault{status(500), status(404), cut, abort, body("application/json", "{"), body("text/html", "{}"), nil, nil, nil, nil}
	server.fail(func(w http.ResponseWriter, r *http.Request) bool {
		f := faults[rand.N(len(faults))]
		return f != nil && f(w, r)
	})
	var wg sync.WaitGroup
	stop := make(chan struct{})
	for i := range 6 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				r, err := stores[i%3].Release(t.Context(), beta.Version())
				if err != nil || !contents[string(wire(r))] {
					t.Errorf("release: %v", err)
					return
				}
			}
		})
	}
	for i := range 100 {
		server.hold(t, states[i%len(states)])
		time.Sleep(time.Millisecond)
	}
	close(stop)
	wg.Wait()
	server.fail(nil)
	server.hold(t, pubs)
	for i, s := range stores {
		require.Eventually(t, func() bool { return holds(t, s, pubs) == nil && s.Err() == nil }, time.Minute, 5*time.Millisecond,
			"store %d recovers", i)
	}
	for name := range files(t, dir) {
		require.NotContains(t, name, ".datachain-")
	}
}
