package changes_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain"
	samples "github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/register/changes"
	"github.com/datachain-go/datachain/register/internal/registertest"
)

func TestCompare(t *testing.T) {
	sample, ok := samples.Find("air-station.json")
	require.True(t, ok)
	text := string(sample.Text)
	present := func(text string) *datachain.Presentation {
		v, p, err := registertest.Service(t).Present(t.Context(), []byte(text))
		require.NoError(t, err)
		require.True(t, v.OK(), "%v", v.Issues)
		return p
	}
	before := present(text)
	assert.Empty(t, compare(t, before, before))
	for _, c := range []struct {
		name, from, to string
		want           []string
	}{
		{"the object register", `"elements": [`, `"register": {"status": "trial", "themes": ["Air"]}, "elements": [`, []string{
			"Added register.status: trial", `Added register.themes: ["Air"]`,
		}},
		{"what happened when people asked", `"elements": [`, `"register": {"answered": {"from": "2026-05-01", "to": "2026-10-31", "asked": 14, "answered": 13, "days": 9}}, "elements": [`, []string{
			"Added register.answered: From 1 May 2026 to 31 October 2026: 14 requests, 13 answered within 9 days.",
		}},
		{"numbers without a period", `"elements": [`, `"register": {"answered": {"asked": 14}}, "elements": [`, []string{`Added register.answered: {"asked":14}`}},
		{"a link", `"elements": [`, `"linked_instance_ids": ["weir"], "elements": [`, []string{`Added linked_instance_ids: ["weir"]`}},
		{"a label", `"element_id": "device.station"`, `"element_id": "device.station", "label": "North"`, []string{"Added North, label: North"}},
		{"a citation", `"element_id": "device.station"`, `"element_id": "device.station", "citation": "page 2"`, []string{"Added Air and weather station, citation: page 2"}},
		{"the date of the last change", `"elements": [`, `"updated_at": "2027-01-01T00:00Z", "elements": [`, nil},
		{"what only arranges", `"element_id": "device.station"`, `"element_id": "device.station", "priority": 1`, nil},
		{"the title", "Air on the market square", "Air at the market", []string{"Changed title: Air on the market square → Air at the market"}},
		{"a placement", `"elements": [`, `"elements": [{"element_id": "purpose.traffic"},`, []string{"Added Traffic and travel"}},
		{"a context", `"always_on"`, `"set_hours"`, []string{"Changed Air and weather station, context: Always on → At set times"}},
		{"options", `["air_quality", "weather"]`, `["weather"]`, []string{"Changed Measurements of the surroundings, What is measured: air quality, temperature and weather → temperature and weather"}},
		{"a text", "Town of Lindenau", "City of Lindenau", []string{"Changed Organisation in charge, Name of the organisation: Town of Lindenau → City of Lindenau"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.Contains(t, text, c.from)
			after := present(strings.Replace(text, c.from, c.to, 1))
			var words []string
			for _, change := range compare(t, before, after) {
				words = append(words, change.Words("en"))
			}
			assert.Equal(t, c.want, words)
			var back []string
			for _, change := range compare(t, after, before) {
				back = append(back, change.Words("en"))
			}
			assert.Len(t, back, len(words))
		})
	}
}

// compare returns the changes between two editions.
func compare(t *testing.T, before, after *datachain.Presentation) []changes.Change {
	t.Helper()
	list, err := changes.Compare(t.Context(), before, after)
	require.NoError(t, err)
	return list
}
