package lists_test

import (
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/register/lists"
)

// TestLinear shows that lists take no more time than documents have places.
func TestLinear(t *testing.T) {
	growthtest.Linear(t, 200, func(n int) func() {
		dir := t.TempDir()
		var places []any
		for i := range n {
			places = append(places, map[string]any{"name": fmt.Sprint("Street ", i), "geometry": map[string]any{"type": "Point", "coordinates": []any{12, 51}}})
		}
		registertest.Sample(t, dir, "air-station", "many", 1, map[string]any{"register": map[string]any{"places": places}})
		s := registertest.OpenDir(t, dir).State()
		require.Empty(t, s.Refused())
		found, err := s.Find(register.Query{})
		require.NoError(t, err)
		return func() { assert.NoError(t, lists.New(s, found, "").Write(io.Discard, lists.GeoJSON)) }
	})
}
