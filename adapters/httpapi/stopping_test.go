package httpapi_test

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpapi"
)

// TestStopping shows that clients are asked to disconnect once the server stops,
// also by the responses to requests that began before.
func TestStopping(t *testing.T) {
	t.Parallel()
	var stopping atomic.Bool
	o := &httpapi.Options{Stopping: stopping.Load}
	o.Mounts = []httpapi.Mount{{Path: "/other", Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		stopping.Store(true)
		_, _ = io.WriteString(w, "answer")
	})}}
	w := open(t, odd(t), o)
	paths := []string{"/api/v2/schemas", "/api/v2/schemas/" + oddStable + "/manifest", "/nothing"}
	closes := func(method, path string) bool {
		r, err := http.NewRequestWithContext(t.Context(), method, w.url+path, http.NoBody)
		require.NoError(t, err)
		res, err := client.Do(r)
		require.NoError(t, err)
		defer res.Body.Close()
		return res.Close
	}
	for _, path := range paths {
		require.False(t, closes(http.MethodGet, path), path)
	}
	require.True(t, closes(http.MethodGet, "/other"), "it began before")
	for _, path := range paths {
		require.True(t, closes(http.MethodGet, path), path)
		require.True(t, closes(http.MethodOptions, path), path)
	}
}
