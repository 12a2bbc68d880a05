package source_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestFixes writes strings where they are, in the style of the file.
func TestFixes(t *testing.T) {
	const dir, file = "bikes/2026-09-01-beta/", "bikes/2026-09-01-beta/elements/all"
	path := issue.Root.Index(1).Key("category_id")
	for name, c := range map[string]struct {
		ext, text string
		path      issue.Path
		value     string
		want      string // "" if nothing can be fixed
	}{
		"plain":        {"yaml", "- id: a\n- id: b\n  category_id: dta # why\n", path, `"data"`, "- id: a\n- id: b\n  category_id: data # why\n"},
		"double":       {"yaml", "- {id: a}\n- {id: b, category_id: \"dta\"}\n", path, `"data"`, "- {id: a}\n- {id: b, category_id: \"data\"}\n"},
		"single":       {"yaml", "- {}\n- {category_id: 'dta'}\n", path, `"data"`, "- {}\n- {category_id: 'data'}\n"},
		"needs quotes": {"yaml", "- {}\n- {category_id: dta}\n", path, `"true"`, "- {}\n- {category_id: \"true\"}\n"},
		"an alias":     {"yaml", "- {category_id: &c dta}\n- {category_id: *c}\n", path, `"data"`, "- {category_id: &c dta}\n- {category_id: data}\n"},
		"JSON":         {"json", "[{},\n {\"category_id\": \"dta\"}]", path, `"data"`, "[{},\n {\"category_id\": \"data\"}]"},
		"the same":     {"yaml", "- {}\n- {category_id: data}\n", path, `"data"`, ""},
		"no such key":  {"yaml", "- {}\n- {id: b}\n", path, `"data"`, ""},
		"no such item": {"yaml", "- {}\n", path, `"data"`, ""},
		"no string":    {"yaml", "- {}\n- {category_id: [dta]}\n", path, `"data"`, ""},
		"no value":     {"yaml", "- {}\n- {category_id: dta}\n", path, `7`, ""},
		"broken":       {"yaml", "- {\n- {category_id: dta}\n", path, `"data"`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			name := file + "." + c.ext
			files := fstest.MapFS{dir + "schema.yaml": {Data: []byte("title: {en: x}\n")}, name: {Data: []byte(c.text)}}
			outline, err := source.NewOutline(files, taxonomy.MustVersion("bikes@2026-09-01-beta"), nil)
			require.NoError(t, err)
			wanted := issue.Issue{Position: issue.Position{File: name}, Fix: &issue.Fix{Path: c.path, Value: []byte(c.value)}}
			edits, fixed := outline.Fixes(files, issue.Issues{wanted, wanted, {Position: wanted.Position}})
			if c.want == "" {
				require.Empty(t, edits)
				require.Empty(t, fixed)
				return
			}
			require.Equal(t, issue.Issues{wanted}, fixed)
			text, err := document.ApplyEdits([]byte(c.text), edits[name])
			require.NoError(t, err)
			require.Equal(t, c.want, string(text))
		})
	}
}
