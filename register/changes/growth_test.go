package changes_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	samples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/growthtest"
	"github.com/datachain-go/datachain/register/internal/registertest"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestLinear shows that a comparison takes no more time than documents have placements.
func TestLinear(t *testing.T) {
	sample, ok := samples.Find("crossing-camera.json")
	require.True(t, ok)
	_, one, err := registertest.Service(t).Present(t.Context(), sample.Text)
	require.NoError(t, err)
	// with returns the document with many placements, each with words in another language than French.
	with := func(n int, name string) *datachain.Presentation {
		p, doc := *one, *one.Datachain
		doc.Elements = make([]taxonomy.Placement, n)
		for i := range doc.Elements {
			doc.Elements[i] = one.Datachain.Elements[0]
			doc.Elements[i].ElementInstanceID = ""
			doc.Elements[i].Label = &taxonomy.Label{Text: taxonomy.Localized{{Locale: "en", Value: name + " " + strconv.Itoa(i)}}}
		}
		p.Datachain = &doc
		return &p
	}
	growthtest.Linear(t, 2000, func(n int) func() {
		before, after := with(n, "Camera"), with(n, "Sensor")
		return func() { assert.Len(t, compare(t, before, after), n) }
	})
}
