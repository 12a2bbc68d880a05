package httpstore_test

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/httpstore"
	"github.com/datachain-go/datachain/taxonomy"
)

// flood answers with an index of versions, and with releases that do not end. It counts the bytes of
// those that are open.
type flood struct {
	index string

	mu         sync.Mutex
	open, peak int
}

func (f *flood) RoundTrip(r *http.Request) (*http.Response, error) {
	res := &http.Response{StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}}, ContentLength: -1, Request: r}
	if res.Body = io.NopCloser(strings.NewReader(f.index)); strings.HasSuffix(r.URL.Path, "/release") {
		res.Body = &floodBody{flood: f}
	}
	return res, nil
}

type floodBody struct {
	*flood
	read int
}

func (f *floodBody) Read(p []byte) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.read, f.open = f.read+len(p), f.open+len(p)
	f.peak = max(f.peak, f.open)
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

func (f *floodBody) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.open -= f.read
	return nil
}

// TestTogether shows that the releases of a server, of which a program may ask for many at once, are
// not bounded one by one only.
func TestTogether(t *testing.T) {
	const versions, limit = 9, 8 << 20
	var entries []taxonomy.Entry
	for i := range versions {
		id := taxonomy.MustVersion("t" + string(rune('a'+i)) + "@2026-01-01-stable")
		entries = append(entries, taxonomy.Entry{ID: id, ContentHash: taxonomy.Hash{byte(i + 1)}})
	}
	index, err := taxonomy.NewIndex(entries)
	require.NoError(t, err)
	text, err := index.MarshalJSON()
	require.NoError(t, err)
	f := &flood{index: string(text)}
	s := open(t, address, &httpstore.Options{HTTPClient: &http.Client{Transport: f}, MaxRelease: limit})
	var group sync.WaitGroup
	for _, e := range entries {
		group.Go(func() {
			_, err := s.Release(t.Context(), e.ID)
			assert.ErrorContains(t, err, "larger than the limit of 8388608 bytes")
		})
	}
	group.Wait()
	assert.Zero(t, f.open)
	assert.LessOrEqual(t, f.peak, 2*limit+1<<20)
}
