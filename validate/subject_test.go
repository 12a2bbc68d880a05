package validate_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// TestSubject checks that findings name the category and the variable that they are about,
// also if the document does not have them, and that their JSON does not.
func TestSubject(t *testing.T) {
	type about = issue.Subject
	const value = `[{"locale": "en", "value": "x"}]`
	for _, c := range []struct {
		name, elements string
		code           issue.Code
		field          string
		want           about
	}{
		{"a category without placements", `{"element_id": "contact.office"}`, "REQUIRED_CATEGORY_MISSING", "elements", about{Category: "purpose"}},
		{"a variable that is missing", `{"element_id": "contact.office"}`, "INSTANCE_REQUIRED_VARIABLE_MISSING", "variables", about{Category: "contact", Variable: "address"}},
		{"a variable that is empty", `{"element_id": "contact.office", "variables": [{"id": "address", "value": []}]}`, "INSTANCE_VARIABLE_VALUE_EMPTY", "value", about{Category: "contact", Variable: "address"}},
		{"an unknown variable", `{"element_id": "contact.office", "variables": [{"id": "other", "value": ` + value + `}]}`, "INSTANCE_VARIABLE_UNKNOWN", "id", about{Category: "contact", Variable: "other"}},
		{"a shape", `{"element_id": "contact.office", "variables": [{"id": "address", "value": 7}]}`, "parse_error", "value", about{Category: "contact", Variable: "address"}},
		{"an unknown element", `{"element_id": "weather"}`, "INSTANCE_ELEMENT_UNKNOWN", "element_id", about{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, err := document.Parse([]byte(`{"id": "a", "schema_version": "kiosk@2026-04-01-stable", "created_at": "2026-06-01T10:00Z", "elements": [` + c.elements + `]}`))
			require.NoError(t, err)
			result, err := validate.Instance(kiosk(), doc, nil)
			require.NoError(t, err)
			found := false
			for _, i := range result.Issues {
				if i.Code != c.code {
					continue
				}
				found = true
				assert.Equal(t, c.want, i.About)
				assert.Equal(t, c.field, i.Path.Field())
				text, err := json.Marshal(i)
				require.NoError(t, err)
				var members map[string]string
				require.NoError(t, json.Unmarshal(text, &members))
				for name := range members {
					assert.Contains(t, []string{"code", "message", "path", "fix_hint", "severity"}, name)
				}
			}
			assert.True(t, found, result.Issues)
		})
	}
}
