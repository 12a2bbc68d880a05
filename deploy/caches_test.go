package deploy_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestCaches runs nginx and Varnish with the configurations of this directory in front of a server
// that sends headers as the server does.
func TestCaches(t *testing.T) {
	for name, start := range map[string]func(t *testing.T, dir, listen, origin string) *exec.Cmd{"nginx": nginx, "varnish": varnish} {
		t.Run(name, func(t *testing.T) {
			origin := &origin{}
			server := httptest.NewServer(origin)
			defer server.Close()
			listen := freeAddress(t)
			cmd := start(t, t.TempDir(), listen, strings.TrimPrefix(server.URL, "http://"))
			cmd.Stderr = os.Stderr
			require.NoError(t, cmd.Start())
			defer func() {
				require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
				_ = cmd.Wait() // by the signal
			}()
			url := "http://" + listen
			require.Eventually(t, func() bool {
				conn, err := net.Dial("tcp", listen)
				if err == nil {
					err = conn.Close()
				}
				return err == nil
			}, time.Minute, 20*time.Millisecond)

			t.Run("requests for a new page become one", func(t *testing.T) {
				var all sync.WaitGroup
				for range 20 {
					all.Go(func() { assert.Equal(t, http.StatusOK, fetch(t, url+"/d/crowd?wait", "", "").StatusCode) })
				}
				all.Wait()
				assert.EqualValues(t, 1, origin.count("/d/crowd"))
			})
			t.Run("a client that has a page gets 304", func(t *testing.T) {
				etag := fetch(t, url+"/d/crowd?wait", "", "").Header.Get("ETag")
				assert.Equal(t, http.StatusNotModified, fetch(t, url+"/d/crowd?wait", "", etag).StatusCode)
				assert.EqualValues(t, 1, origin.count("/d/crowd"))
			})
			if name == "varnish" {
				t.Run("a page that was removed is fetched again", func(t *testing.T) {
					r, err := http.NewRequestWithContext(t.Context(), "PURGE", url+"/d/crowd?wait", http.NoBody)
					require.NoError(t, err)
					res, err := http.DefaultClient.Do(r)
					require.NoError(t, err)
					require.NoError(t, res.Body.Close())
					assert.Equal(t, http.StatusOK, res.StatusCode)
					fetch(t, url+"/d/crowd?wait", "", "")
					assert.EqualValues(t, 2, origin.count("/d/crowd"))
				})
			}
			t.Run("clients get their language", func(t *testing.T) {
				for accepted, want := range map[string]string{"fr-CA,fr;q=0.9,en;q=0.8": "fr", "de-DE,de;q=0.9,ES;q=0.8": "es", "de": "", "fro,xen": "", "": ""} {
					for range 2 {
						assert.Equal(t, want, strings.ToLower(fetch(t, url+"/d/language", accepted, "").Header.Get("Content-Language")), accepted)
					}
				}
				assert.EqualValues(t, 3, origin.count("/d/language"), "one of each language")
			})
			t.Run("an expired page is sent while it is confirmed", func(t *testing.T) {
				fetch(t, url+"/d/expired?short", "", "")
				assert.Eventually(t, func() bool {
					assert.Contains(t, fetch(t, url+"/d/expired?short", "", "").Header.Get("Cache-Status"), "; hit")
					return origin.same.Load() > 0
				}, 10*time.Second, 50*time.Millisecond)
			})
			t.Run("documents that are validated are not cached", func(t *testing.T) {
				for range 2 {
					res, err := http.Post(url+"/api/v2/validate", "application/json", strings.NewReader("{}"))
					require.NoError(t, err)
					require.NoError(t, res.Body.Close())
				}
				assert.EqualValues(t, 2, origin.count("/api/v2/validate"))
			})
			t.Run("pages are sent while the server is down", func(t *testing.T) {
				fetch(t, url+"/api/v2/schemas/manifest", "", "")
				server.Close()
				for _, path := range []string{"/d/crowd?wait", "/d/expired?short", "/api/v2/schemas/manifest"} {
					assert.Equal(t, http.StatusOK, fetch(t, url+path, "", "").StatusCode, path)
				}
				assert.GreaterOrEqual(t, fetch(t, url+"/d/other", "", "").StatusCode, 500)
			})
		})
	}
}

// origin is the server behind a cache.
type origin struct {
	mu    sync.Mutex
	asked map[string]int
	same  atomic.Int32
}

func (o *origin) count(path string) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.asked[path]
}

func (o *origin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	o.mu.Lock()
	if o.asked == nil {
		o.asked = make(map[string]int)
	}
	o.asked[r.URL.Path]++
	o.mu.Unlock()
	age := "60"
	switch r.URL.RawQuery {
	case "wait": // until other requests have come
		time.Sleep(300 * time.Millisecond)
	case "short":
		age = "1"
	}
	h := w.Header()
	h.Set("Cache-Control", "public, max-age="+age)
	if r.Method == http.MethodPost {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("ETag", `"one"`)
	h.Set("Vary", "Accept-Encoding, Accept-Language")
	h.Set("Content-Language", r.Header.Get("Accept-Language"))
	if r.Header.Get("If-None-Match") == `"one"` {
		o.same.Add(1)
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = io.WriteString(w, "a page") // the client may have gone
}

func fetch(t *testing.T, url, language, etag string) *http.Response {
	r, err := http.NewRequestWithContext(context.Background(), http.MethodGet, url, http.NoBody)
	require.NoError(t, err)
	for name, value := range map[string]string{"Accept-Language": language, "If-None-Match": etag} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	res, err := http.DefaultClient.Do(r)
	require.NoError(t, err)
	require.NoError(t, res.Body.Close())
	return res
}

func freeAddress(t *testing.T) string {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, l.Close())
	return l.Addr().String()
}

func nginx(t *testing.T, dir, listen, origin string) *exec.Cmd {
	site := strings.NewReplacer("/var/cache/", dir+"/", "listen      80;", "listen "+listen+";", "127.0.0.1:8080", origin).
		Replace(string(readFile(t, "nginx/datachain.conf")))
	var own strings.Builder
	for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		own.WriteString(name + "_temp_path " + dir + "/" + name + ";\n")
	}
	file := filepath.Join(dir, "nginx.conf")
	require.NoError(t, os.WriteFile(file, []byte("daemon off; master_process off; pid "+dir+"/pid; events {} http {\naccess_log off;\n"+own.String()+site+"}\n"), 0o600))
	return exec.CommandContext(t.Context(), "nginx", "-e", "stderr", "-c", file)
}

func varnish(t *testing.T, dir, listen, origin string) *exec.Cmd {
	host, port, err := net.SplitHostPort(origin)
	require.NoError(t, err)
	text := strings.NewReplacer(`"127.0.0.1"`, `"`+host+`"`, `"8080"`, `"`+port+`"`).Replace(string(readFile(t, "varnish/datachain.vcl")))
	file := filepath.Join(dir, "datachain.vcl")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	return exec.CommandContext(t.Context(), "varnishd", "-F", "-j", "none", "-n", dir, "-a", listen, "-f", file, "-s", "malloc,64m")
}
