package httpstore_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/storekit/layout/layouttest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/listing"
)

// FuzzServer lets a server answer anything: what is served is what the index
// names, by its version and its hash, or nothing.
func FuzzServer(f *testing.F) {
	pubs := layouttest.Publications()[:1]
	index, err := listing.Add(new(taxonomy.Index), pubs...)
	require.NoError(f, err)
	list, err := index.MarshalJSON()
	require.NoError(f, err)
	f.Add(list, wire(pubs[0].Release))
	f.Add(append([]byte(`{"ok":true,`), list[1:]...), []byte("{}"))
	f.Add([]byte(`{"versions":[]}`), []byte(nil))
	f.Fuzz(func(t *testing.T, list, release []byte) {
		s := open(t, address, over(direct{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.HasSuffix(r.URL.Path, "/release") {
				sendJSON(w, release)
			} else {
				sendJSON(w, list)
			}
		})}, ""))
		x, err := s.Index(t.Context())
		if err != nil {
			return
		}
		for _, e := range x.Entries() {
			r, err := s.Release(t.Context(), e.ID)
			if err != nil {
				require.ErrorIs(t, err, taxonomy.ErrHashMismatch)
				continue
			}
			require.Equal(t, e.ID, r.Version())
			require.Equal(t, e.ContentHash, r.ContentHash())
			again, err := taxonomy.DecodeRelease(wire(r), nil)
			require.NoError(t, err)
			require.Equal(t, e.ContentHash, again.ContentHash())
		}
	})
}
