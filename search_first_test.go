package datachain_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/search"
)

// Concurrent first searches of a release and locale build one index, which later ones use.
func TestFirstSearchesBuildOnce(t *testing.T) {
	service := must(datachain.New(sampleStore(t), nil))
	built := make([]*search.Index, 16)
	var wg sync.WaitGroup
	for i := range built {
		wg.Go(func() {
			found, index, err := openIn(t, service, "ai@latest").Search(t.Context(), "en", search.Query{Text: "camera"})
			if err != nil || found.Total == 0 {
				t.Errorf("found %d: %v", found.Total, err)
			}
			built[i] = index
		})
	}
	wg.Wait()
	for _, index := range built {
		require.Same(t, built[0], index)
	}
	_, again, err := openIn(t, service, "ai@latest").Search(t.Context(), "en", search.Query{Text: "camera"})
	require.NoError(t, err)
	require.Same(t, built[0], again)
	_, other, err := openIn(t, service, "ai@latest").Search(t.Context(), "fr", search.Query{Text: "camera"})
	require.NoError(t, err)
	require.NotSame(t, built[0], other)
}
