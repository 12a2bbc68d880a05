package export_test

import (
	"fmt"
	"io"
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/register/export"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestLinear shows that boards, comparisons and lists take no more time than documents have parts.
func TestLinear(t *testing.T) {
	one := shown(t, "crossing-camera.json")[0]
	// with returns the document with many placements, each with words in another language than French.
	with := func(n int, name string) *datachain.Presentation {
		p, doc := *one, *one.Datachain
		first := doc.Elements[0]
		doc.Elements = nil
		for i := range n {
			placed := first
			placed.ElementInstanceID = ""
			placed.Label = &taxonomy.Label{Text: taxonomy.Localized{{Locale: "en", Value: name + " " + strconv.Itoa(i)}}}
			doc.Elements = append(doc.Elements, placed)
		}
		p.Datachain = &doc
		return &p
	}
	t.Run("board", func(t *testing.T) {
		growthtest.Linear(t, 200, func(n int) func() {
			list := []*datachain.Presentation{with(n, "Camera"), with(n, "Sensor")}
			return func() {
				b, err := export.NewBoard(t.Context(), list, "fr", nil)
				assert.NoError(t, err)
				assert.NoError(t, b.Write(io.Discard, "html"))
			}
		})
	})
	t.Run("compare", func(t *testing.T) {
		growthtest.Linear(t, 2000, func(n int) func() {
			before, after := with(n, "Camera"), with(n, "Sensor")
			return func() { assert.Len(t, compare(t, before, after), n) }
		})
	})
	t.Run("places", func(t *testing.T) {
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
			return func() { assert.NoError(t, export.NewList(s, found, "").Write(io.Discard, export.GeoJSON)) }
		})
	})
}
