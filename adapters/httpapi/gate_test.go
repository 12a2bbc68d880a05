package httpapi_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/adapters/httpapi"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// loopback are the proxies of a test, so that it can have several addresses.
var loopback = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}

// TestClientsTakeTurns shows that a client whose documents wait delays the document
// of another one by one of its own, and that it can't take all places in the queue.
func TestClientsTakeTurns(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var order []string
	step := make(chan struct{})
	rule := &validate.Rule{Name: "order", Doc: "Notes the order.", Codes: []issue.Code{"order"}, Run: func(p *validate.Pass) {
		mu.Lock()
		order = append(order, p.Instance.ID)
		mu.Unlock()
		<-step
	}}
	h, err := httpapi.New(must(datachain.New(odd(t), &datachain.Options{Rules: []*validate.Rule{rule}, MaxCPU: -1})), &httpapi.Options{MaxWork: 1, WorkTimeout: 10 * time.Minute})
	require.NoError(t, err)
	post := func(ctx context.Context, client, id string) int {
		body := strings.Replace(oddDocument(oddStable), `"id":"d"`, `"id":"`+id+`"`, 1)
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, api+"/schemas/"+oddStable+"/validate", strings.NewReader(body))
		r.RemoteAddr = client + ":1"
		rec := httptest.NewRecorder()
		h.ServeHTTP(rec, r)
		return rec.Code
	}
	var group sync.WaitGroup
	wait := func(n int) {
		t.Helper()
		require.Eventually(t, func() bool { return httpapi.Waiting(h) == n }, time.Minute, time.Millisecond)
	}
	group.Go(func() { post(t.Context(), "192.0.2.1", "first") })
	require.Eventually(t, func() bool {
		mu.Lock()
		defer mu.Unlock()
		return len(order) == 1
	}, time.Minute, time.Millisecond)
	gone, leave := context.WithCancel(t.Context())
	group.Go(func() { post(gone, "192.0.2.1", "gone") })
	wait(1)
	for range 15 {
		group.Go(func() { post(t.Context(), "192.0.2.1", "greedy") })
	}
	wait(16)
	require.Equal(t, http.StatusServiceUnavailable, post(t.Context(), "192.0.2.1", "too much"))
	group.Go(func() { post(t.Context(), "192.0.2.2", "other") })
	wait(17)
	leave()
	wait(16)
	close(step)
	group.Wait()
	require.NotContains(t, order, "gone")
	require.LessOrEqual(t, slices.Index(order, "other"), 2, "%v", order)
	require.Contains(t, order, "other")
	require.Len(t, order, 17)
	require.Equal(t, http.StatusOK, post(t.Context(), "192.0.2.3", "last"), "all places were returned")
}
