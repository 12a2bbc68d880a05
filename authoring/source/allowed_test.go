package source_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestAllowedChanges(t *testing.T) {
	const dir = "ai/2026-09-01-beta/"
	version := taxonomy.MustVersion("ai@2026-09-01-beta")
	for _, c := range []struct {
		name, file string
		want       []source.Allowance
		issues     []string
	}{
		{"entries", "- rule: element-removed\n  subject: data.speed\n  reason: Nobody used it.\n- {rule: a, subject: b/c, reason: d}\n", []source.Allowance{
			{Rule: "element-removed", Subject: "data.speed", Reason: "Nobody used it."}, {Rule: "a", Subject: "b/c", Reason: "d"},
		}, nil},
		{"only comments", "# nothing\n", nil, nil},
		{"an object", "rule: a\n", nil, []string{"field_type"}},
		{"without a reason", "- {rule: a, subject: b}\n", nil, []string{"field_missing"}},
		{"an empty reason", "- {rule: a, subject: b, reason: ' '}\n", nil, []string{"field_value"}},
		{"an unknown key", "- {rule: a, subject: b, reason: c, until: never}\n", []source.Allowance{{Rule: "a", Subject: "b", Reason: "c"}}, []string{"field_unknown"}},
		{"not YAML", "- {", nil, []string{"source_syntax"}},
		{"not a list of objects", "- a\n", nil, []string{"field_type"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{
				dir + "schema.yaml":          {Data: []byte("locales: [en]\ntitle: {en: AI}\ndescription: {en: AI}\ndatachain_type: {id: ai, name: {en: AI}, categories: []}\n")},
				dir + "allowed-changes.yaml": {Data: []byte(c.file)},
			}
			compiled, err := source.Compile(files, version, nil)
			require.NoError(t, err)
			var codes []string
			for _, i := range compiled.Issues {
				if i.Position.File == dir+"allowed-changes.yaml" {
					codes = append(codes, string(i.Code))
				}
			}
			require.Equal(t, c.issues, codes, "%v", compiled.Issues)
			for i := range compiled.Allowed {
				require.NotZero(t, compiled.Allowed[i].Position.Line)
				compiled.Allowed[i].Position.File, compiled.Allowed[i].Position.Line, compiled.Allowed[i].Position.Column = "", 0, 0
			}
			require.Equal(t, c.want, compiled.Allowed)

			outline, err := source.NewOutline(files, version, nil)
			require.NoError(t, err)
			require.Empty(t, outline.Unread)
			draft, err := source.Draft(files, version, nil)
			require.NoError(t, err)
			require.NotContains(t, draft, "allowed-changes.yaml", "exceptions belong to one version")
		})
	}
}
