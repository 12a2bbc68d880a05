package httpcache_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/internal/httpcache"
)

// TestWrite shows that an answer that is written is sent like one of the same bytes, and that
// a large one needs little room in a cache.
func TestWriteAnswer(t *testing.T) {
	send := func(ans *httpcache.Answer, method string, header ...string) *http.Response {
		w := httptest.NewRecorder()
		r := httptest.NewRequestWithContext(t.Context(), method, "/", http.NoBody)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
		}
		require.NoError(t, ans.Send(w, r, nil))
		return w.Result()
	}
	for _, lines := range []int{0, 10, 10_000, 400_000} {
		t.Run(strconv.Itoa(lines), func(t *testing.T) {
			body := strings.Repeat("one line\n", lines)
			written, err := httpcache.WriteAnswer("text/plain", "no-cache", func(w io.Writer) error {
				for rest := body; rest != ""; {
					n := min(len(rest), 3000)
					if _, err := io.WriteString(w, rest[:n]); err != nil {
						return err
					}
					rest = rest[n:]
				}
				return nil
			})
			require.NoError(t, err)
			plain := httpcache.NewAnswer("text/plain", "no-cache", []byte(body))
			for _, accept := range []string{"", "gzip", "zstd", "zstd, gzip;q=0.1", "identity;q=1, gzip;q=0"} {
				got := send(written, http.MethodGet, "Accept-Encoding", accept)
				text, err := io.ReadAll(got.Body)
				require.NoError(t, err)
				assert.Equal(t, strconv.Itoa(len(text)), got.Header.Get("Content-Length"), accept)
				assert.Equal(t, got.Header, send(written, http.MethodHead, "Accept-Encoding", accept).Header)
				encoding := got.Header.Get("Content-Encoding")
				if encoding == "" {
					assert.Equal(t, body, string(text), accept)
					assert.Equal(t, send(plain, http.MethodGet).Header, got.Header, accept)
				}
				if encoding == "gzip" {
					r, err := gzip.NewReader(bytes.NewReader(text))
					require.NoError(t, err)
					unpacked, err := io.ReadAll(r)
					require.NoError(t, err)
					assert.Equal(t, body, string(unpacked), accept)
				}
				if encoding != "" {
					assert.Contains(t, accept, encoding)
				}
				tag := got.Header["ETag"][0] //nolint:staticcheck // written as it is sent
				assert.Equal(t, http.StatusNotModified, send(written, http.MethodGet, "Accept-Encoding", accept, "If-None-Match", tag).StatusCode, accept)
			}
			kept := httpcache.NewCache[string](1 << 20)
			_, err = kept.Make(t.Context(), "a", 0, func() (*httpcache.Answer, error) { return written, nil })
			require.NoError(t, err)
			_, ok := kept.Get("a")
			assert.True(t, ok)
		})
	}
	_, err := httpcache.WriteAnswer("text/plain", "no-cache", func(io.Writer) error { return errors.ErrUnsupported })
	require.ErrorIs(t, err, errors.ErrUnsupported)
}

// TestConditionsAreLinear holds conditions that name many entity tags to one pass.
func TestConditionsAreLinear(t *testing.T) {
	ans := httpcache.NewAnswer("text/plain", "no-cache", []byte("text"))
	growthtest.Linear(t, 1000, func(n int) func() {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/", http.NoBody)
		r.Header.Set("If-None-Match", strings.Repeat(`W/"5f,`, n)+`"5f"`)
		r.Header.Set("Accept-Encoding", strings.Repeat("gzip;q=0,", n)+"br")
		return func() {
			w := httptest.NewRecorder()
			require.NoError(t, ans.Send(w, r, nil))
			assert.Equal(t, http.StatusOK, w.Code)
		}
	})
}
