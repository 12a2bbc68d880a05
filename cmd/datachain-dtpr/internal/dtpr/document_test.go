package dtpr_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/datachain-dtpr/internal/dtpr"
	"github.com/datachain-go/datachain/taxonomy/document"
)

func TestDocument(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in, want string
		version  string
		notes    []string
	}{
		"nothing to change": {
			in:      `{ "schema_version" : "ai@2026-05-06-beta", "elements": [{"element_id": "a",  "x": {"y": null}}], "more": 1.0 }`,
			want:    `{ "schema_version" : "ai@2026-05-06-beta", "elements": [{"element_id": "a",  "x": {"y": null}}], "more": 1.0 }`,
			version: "ai@2026-05-06-beta",
		},
		"stable version": {
			in:      "{\n  \"schema_version\": \"ai@2026-04-16\"\n}",
			want:    "{\n  \"schema_version\": \"ai@2026-04-16-stable\"\n}",
			version: "ai@2026-04-16-stable",
			notes:   []string{"changed 2:21 schema_version (ai@2026-04-16 -> ai@2026-04-16-stable): a version without a status is stable"},
		},
		"texts and dates": {
			in: `{"title": "T", "description": [], "created_at": "2026-05-06", "elements": [{"variables": [{"id": "v", "value": "x"}, {"id": "w", "value": ["o"]}]}]}`,
			want: `{"title": [{"locale":"de","value":"T"}], "description": [], "created_at": "2026-05-06T00:00:00Z", "elements": [{"variables": ` +
				`[{"id": "v", "value": [{"locale":"de","value":"x"}]}, {"id": "w", "value": ["o"]}]}]}`,
			notes: []string{
				"changed 1:11 title (de): a text without a locale has one",
				"changed 1:49 created_at (2026-05-06): a date has a time, midnight in UTC",
				"changed 1:112 elements[0].variables[0].value (de): a text without a locale has one",
			},
		},
		"ids": {
			in:   `{"elements": [{"element_id": "an element", "context_type_id": "dark"}, {"element_id": "…", "context_type_id": 5}]}`,
			want: `{"elements": [{"element_id": "an_element", "context_type_id": "dark_2"}, {"element_id": "…", "context_type_id": 5}]}`,
			notes: []string{
				"changed 1:30 elements[0].element_id (an element -> an_element): the id is malformed or reserved, so it was changed",
				"changed 1:63 elements[0].context_type_id (dark -> dark_2): the id is malformed or reserved, so it was changed",
			},
		},
		"resolved": {
			in:   `{"schema_snapshot": {"a": 1}, "suggested_elements": [], "id": "x", "updated_at": null, "instance_version": null}`,
			want: `{"id": "x"}`,
			notes: []string{
				"dropped 1:21 schema_snapshot (): the copy of the schema is omitted: resolve the document to create it again",
				"changed 1:82 updated_at (): updated_at is null, so it is omitted",
				"changed 1:108 instance_version (): instance_version is null, so it is omitted",
			},
		},
		"suggestions": {
			in:    `{"id": "x", "suggested_elements": [{"id": "s"}]}`,
			want:  `{"id": "x"}`,
			notes: []string{"dropped 1:35 suggested_elements (): suggested_elements is not imported: only resolved documents have it"},
		},
		"only nulls":    {in: `{"a": null, "b": null}`, want: `{}`, notes: []string{"changed 1:7 a (): a is null, so it is omitted", "changed 1:18 b (): b is null, so it is omitted"}},
		"null between":  {in: `{"a": 1, "b": null, "c": 2, "d": null}`, want: `{"a": 1, "c": 2}`, notes: []string{"changed 1:15 b (): b is null, so it is omitted", "changed 1:34 d (): d is null, so it is omitted"}},
		"not an object": {in: `[null]`, want: `[null]`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, err := dtpr.Document([]byte(c.in), &dtpr.DocumentOptions{Locale: "de"})
			require.NoError(t, err)
			assert.Equal(t, c.want, string(r.Text))
			assert.Equal(t, c.version, r.Version)
			assert.Equal(t, c.notes, lines(r.Notes))
			again, err := dtpr.Document(r.Text, nil)
			require.NoError(t, err)
			assert.Equal(t, string(r.Text), string(again.Text), "importing twice")
		})
	}
	_, err := dtpr.Document([]byte(`{"a": 1, "a": 2}`), nil)
	var syntax *document.SyntaxError
	require.ErrorAs(t, err, &syntax)
}

// FuzzDocument shows that any JSON stays JSON.
func FuzzDocument(f *testing.F) {
	f.Add([]byte(`{"schema_version": "ai@2026-04-16", "title": "T", "elements": [{"element_id": " ", "a": null, "variables": [{"id": "v", "value": "x"}]}], "schema_snapshot": null}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := dtpr.Document(text, nil)
		if err != nil {
			return
		}
		_, err = document.Parse(r.Text)
		require.NoError(t, err)
	})
}
