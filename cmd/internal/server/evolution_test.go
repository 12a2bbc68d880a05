package server_test

import (
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/cmd/internal/server"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
)

// TestDamagedEvolution: a text of evolution that can't be decoded is refused like a damaged index. The
// last good one stays, and a server that has none does not serve the store.
func TestDamagedEvolution(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	evolve := func(text string) {
		target, err := dirtarget.Create(t.Context(), dir)
		require.NoError(t, err)
		_, err = publish.Publish(t.Context(), target, layouttest.Publications(), &publish.Options{Evolutions: map[string][]byte{"sensor": []byte(text)}})
		require.NoError(t, err)
		require.NoError(t, target.Close())
	}
	renamed := func(to string) string {
		return `{"renamed":[{"kind":"element","from":"purpose.old","to":"` + to + `","since":"sensor@2026-02-28-stable"}]}`
	}
	serve := func() *running {
		files, err := os.OpenRoot(dir)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, files.Close()) })
		store, err := fsstore.Open(files.FS(), nil)
		require.NoError(t, err)
		return start(t, store, server.Options{AdminAddr: anyPort})
	}
	validate := func(s *running) (status int, body string) {
		text := `{"id":"x","schema_version":"sensor@2026-02-28-stable","created_at":"2026-06-01T10:00Z","elements":[{"element_id":"purpose.old"}]}`
		res, err := http.Post(s.URL+"/api/v2/schemas/sensor@2026-02-28-stable/validate", "application/json", strings.NewReader(text))
		require.NoError(t, err)
		answer, err := io.ReadAll(res.Body)
		require.NoError(t, err)
		require.NoError(t, res.Body.Close())
		return res.StatusCode, string(answer)
	}
	const path = "/types/sensor/evolution"

	evolve(renamed("purpose.safety"))
	s := serve()
	s.become(s.AdminURL+"/readyz", http.StatusOK)
	_, body := validate(s)
	require.Contains(t, body, "write purpose.safety")

	evolve(`{"renamed": 7}`)
	s.logged("evolution of sensor: ")
	_, body = validate(s)
	assert.Contains(t, body, "write purpose.safety")
	_, body = s.get(path)
	assert.Equal(t, renamed("purpose.safety"), body)
	_, metrics := fetch(t, s.AdminURL+"/metrics")
	assert.Contains(t, metrics, "\ndatachain_store_in_trouble 1\n")

	fresh := serve()
	status, _ := fetch(t, fresh.AdminURL+"/readyz")
	assert.Equal(t, http.StatusServiceUnavailable, status)
	status, body = validate(fresh)
	assert.Equal(t, http.StatusBadGateway, status)
	requireCode(t, "upstream_error", body)
	fresh.logged("evolution of sensor: ")

	evolve(renamed("purpose_2"))
	for _, s := range []*running{s, fresh} {
		require.Eventually(t, func() bool {
			_, body := validate(s)
			return strings.Contains(body, "write purpose_2")
		}, 30*time.Second, 10*time.Millisecond)
		s.logged("store recovered")
	}
}
