package validate_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/validate"
)

// TestChoices checks that an edit is made without asking only if it invents nothing, and is
// offered otherwise.
func TestChoices(t *testing.T) {
	written := func(created, elements, rest string) string {
		return `{"id": "a", "schema_version": "kiosk@2026-04-01-stable", "created_at": "` + created + `", "elements": [` + elements + `]` + rest + `}`
	}
	const created, placed = "2026-06-01T10:00Z", `{"element_id": "purpose.service"}`
	const contact = `, {"element_id": "contact.office", "variables": [{"id": "address", "value": [{"locale": "fr", "value": "rue"}]}]}`
	for _, c := range []struct {
		name, text string
		fixed      string // what the text has afterwards, or "" if nothing is made
		choices    []string
	}{
		{"a superfluous context", written(created, `{"element_id": "purpose.service", "context_type_id": "blue"}`, ""), placed, nil},
		{"the first member", written(created, `{"context_type_id": "blue", "element_id": "purpose.service"}`, ""), placed, nil},
		{"a title in the only language of the document", written(created, placed+contact, `, "title": "Barrier"`), `"title": [{"locale": "fr", "value": "Barrier"}]`, nil},
		{"a title in the only language of the schema version", written(created, placed, `, "title": "Barrier"`), `"title": [{"locale": "en", "value": "Barrier"}]`, nil},
		{"a title in one of two languages", written(created, placed+contact, `, "title": "Barrier", "description": [{"locale": "en", "value": "x"}]`), "", []string{
			`[{"locale": "fr", "value": "Barrier"}]`, `[{"locale": "en", "value": "Barrier"}]`,
		}},
		{"a date", written("2026-06-01", placed, ""), "", []string{`"2026-06-01T10:00Z"`}},
		{"a time without a zone", written("2026-06-01 10:00", placed, ""), "", []string{`"2026-06-01T10:00Z"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := document.Parse([]byte(c.text))
			require.NoError(t, err, c.text)
			judge := func(doc *document.Document) (*validate.Result, error) { return validate.Instance(kiosk(), doc, nil) }
			result, err := judge(doc)
			require.NoError(t, err)
			fixed, err := validate.FixAll(doc, result, judge)
			require.NoError(t, err)
			if c.fixed == "" {
				assert.Empty(t, fixed.Edits)
			} else {
				assert.Contains(t, string(fixed.Document.Text()), c.fixed)
				assert.True(t, fixed.Result.OK())
			}
			var choices []string
			for _, i := range result.Issues {
				for k := range i.Choices {
					choices = append(choices, string(i.Choices[k].Value))
					chosen := i
					chosen.Fix = &i.Choices[k]
					_, applied := validate.Edits(doc, append(result.Issues[:0:0], chosen))
					assert.Len(t, applied, 1)
				}
			}
			assert.Equal(t, c.choices, choices)
		})
	}
}
