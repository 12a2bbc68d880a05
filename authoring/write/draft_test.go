package write_test

import (
	"bytes"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/examples/taxonomies"
	"github.com/datachain-go/datachain/taxonomy"
)

const dir = sourcetest.Dir

var version = sourcetest.Version()

// compile compiles a version without issues.
func compile(t *testing.T, fsys fs.FS) *taxonomy.Release {
	t.Helper()
	c, err := source.Compile(fsys, version, nil)
	require.NoError(t, err)
	require.Empty(t, c.Issues)
	require.NotNil(t, c.Release)
	return c.Release
}

// TestDraftAliases removes the aliases from schema files: in the texts, what is
// between << and >>. Every other byte stays.
func TestDraftAliases(t *testing.T) {
	const locales, title = "locales: [en, fr] # both\n", "title: {en: A, fr: A}\n"
	const rest = title + `description: {en: A, fr: A}
datachain_type:
  id: ai
  name: {en: A, fr: A}
  categories: [purpose, data]
`
	const restJSON = `"title": {"en": "A", "fr": "\u2028A"}, "description": {"en": "A", "fr": "A"},
  "datachain_type": {"id": "ai", "name": {"en": "A", "fr": "A"}, "categories": ["purpose", "data"]}`
	for name, c := range map[string]struct{ ext, text string }{
		"none":                      {".yaml", locales + rest},
		"flow":                      {".yaml", locales + "<<aliases: [v1, v2]\n>>" + rest},
		"flow with a comment":       {".yaml", locales + "<<aliases: [v1] # first\n>># kept\n\n" + rest},
		"flow over lines":           {".yaml", locales + "<<aliases: [\nv1,\n  v2\n]\n>>" + rest},
		"block":                     {".yaml", locales + "# above\n<<aliases:\n  - v1\n  - v2\n>># below\n" + rest},
		"block in the first column": {".yaml", locales + "<<aliases:\n- v1\n- v2\n>>" + rest},
		"block with empty lines":    {".yaml", locales + "<<aliases:\n  # the first\n  - v1\n\n# the second\n  - v2\n>>\n" + rest},
		"several":                   {".yaml", "<<aliases: [v1]\n>>" + locales + "<<notes: {en: A, fr: A}\nreleased: \"2026-01-01\"\n>>" + rest},
		"empty":                     {".yaml", locales + "<<aliases: []\n>>" + rest},
		"null":                      {".yaml", locales + "<<aliases:\n>>" + rest},
		"null with an anchor":       {".yaml", locales + "<<aliases: &a\n>>" + rest},
		"first":                     {".yaml", "<<aliases: [v1]\n>>" + locales + rest},
		"first after a mark":        {".yaml", "\uFEFF<<aliases: [v1]\n>>" + locales + rest},
		"first after ---":           {".yaml", "%YAML 1.1\n---\n<<aliases: [v1]\n>>" + locales + rest},
		"last":                      {".yaml", locales + rest + "<<aliases: [v1]\n>># the end\n"},
		"last without a line end":   {".yaml", locales + rest + "<<aliases: [v1]>>"},
		"last before ...":           {".yaml", locales + rest + "<<aliases: [v1]\n>>...\n"},
		"CRLF":                      {".yaml", strings.ReplaceAll(locales+"<<aliases:\n  - v1\n>>"+rest, "\n", "\r\n")},
		"indented":                  {".yaml", "  " + strings.ReplaceAll(strings.TrimSuffix(locales+"<<aliases: [v1]\n>>"+rest, "\n"), "\n", "\n  ") + "\n"},
		"quoted":                    {".yaml", locales + "<<\"aliases\": [v1]\n>>" + rest},
		"after other line ends":     {".yaml", locales + "# a\u2028# b\u0085# c\r" + "<<aliases: [v1]\n>>" + rest},
		"explicit key":              {".yaml", locales + "<<? aliases\n: [v1]\n>>" + rest},
		"yml":                       {".yml", locales + "<<aliases: [v1]\n>>" + rest},
		"a text with the key":       {".yaml", locales + "title:\n  fr: A\n  en: |\n    aliases: [v1]\n\n    # no comment\n<<aliases: [v1]\n>>" + strings.TrimPrefix(rest, title)},
		"JSON":                      {".json", "{\n  \"locales\": [\"en\", \"fr\"],\n  <<\"aliases\": [\"v1\"],\n  >>" + restJSON + "\n}\n"},
		"JSON first":                {".json", "{<<\"aliases\": [\"v1\"], >>\"locales\": [\"en\", \"fr\"], " + restJSON + "}"},
		"JSON last":                 {".json", "{\"locales\": [\"en\", \"fr\"], " + restJSON + "<<,\n  \"aliases\": [\"}\"]>>\n}\n"},
		"JSON with a mark":          {".json", "\uFEFF{<<\"aliases\": [\"v1\"], >>\"locales\": [\"en\", \"fr\"], " + restJSON + "}"},
		"JSON in YAML":              {".yaml", "# generated\n{\"locales\": [\"en\", \"fr\"], " + restJSON + "<<, \"aliases\": [\"v1\"]>>}\n"},
		"braces":                    {".yaml", "{locales: [en, fr], <<aliases: [v1, é], >>title: {en: A, fr: A}, description: {en: A, fr: A},\n datachain_type: {id: ai, name: {en: A, fr: A}, categories: [purpose, data]}}\n"},
	} {
		t.Run(name, func(t *testing.T) {
			tree := sourcetest.Base(t)
			delete(tree, dir+"schema.yaml")
			tree[dir+"schema"+c.ext] = &fstest.MapFile{Data: []byte(strings.NewReplacer("<<", "", ">>", "").Replace(c.text))}
			files, err := write.Draft(tree, version)
			require.NoError(t, err)
			var want strings.Builder
			for i, part := range strings.Split(c.text, "<<") {
				if i > 0 {
					_, part, _ = strings.Cut(part, ">>")
				}
				want.WriteString(part)
			}
			assert.Equal(t, want.String(), string(files["schema"+c.ext]))
		})
	}
}

// TestDraftEntwined checks that Draft fails if it cannot remove the aliases.
func TestDraftEntwined(t *testing.T) {
	for name, schema := range map[string]string{
		"an anchor that others need": "aliases: &a [v1]\nlocales: *a\n",
		"bad YAML":                   "aliases: [v1\n",
	} {
		t.Run(name, func(t *testing.T) {
			files, err := write.Draft(sourcetest.With(sourcetest.Base(t), map[string]string{dir + "schema.yaml": schema}), version)
			require.ErrorContains(t, err, "schema.yaml:1:")
			assert.Nil(t, files)
		})
	}
}

// TestDraft checks that the copy has the same content.
func TestDraft(t *testing.T) {
	tree := sourcetest.Base(t)
	tree[dir+"README.md"] = &fstest.MapFile{Data: []byte("About.")}
	files, err := write.Draft(tree, version)
	require.NoError(t, err)
	drafted := fstest.MapFS{}
	for name, data := range files {
		if original := tree[dir+name]; name == "schema.yaml" {
			assert.Equal(t, string(bytes.Replace(original.Data, []byte("aliases: [v1]\n"), nil, 1)), string(data))
		} else {
			assert.Equal(t, string(original.Data), string(data))
		}
		drafted["ai/2027-01-01-beta/"+name] = &fstest.MapFile{Data: data}
	}
	assert.Len(t, files, 7)
	c, err := source.Compile(drafted, taxonomy.MustVersion("ai@2027-01-01-beta"), nil)
	require.NoError(t, err)
	require.Empty(t, c.Issues)
	assert.Empty(t, c.Aliases)
	assert.Equal(t, compile(t, tree).ContentHash(), c.Release.ContentHash())
}

// TestStarter compiles the starter for names that are not strings in YAML.
func TestStarter(t *testing.T) {
	for _, typ := range []string{"ai", "true", "null", "No", "123", "1e5", "0x1f", "-", "--", "---", "_", "-1", "2026-09-01", "TYPE", "y", "NaN", strings.Repeat("x", 128)} {
		t.Run(typ, func(t *testing.T) {
			v, err := taxonomy.NewVersion(typ, "2026-09-01", taxonomy.Beta)
			require.NoError(t, err)
			tree := fstest.MapFS{}
			for name, data := range write.Starter(v) {
				tree[typ+"/2026-09-01-beta/"+name] = &fstest.MapFile{Data: data}
			}
			c, err := source.CompileAll(tree, nil)
			require.NoError(t, err)
			require.Empty(t, c.Issues())
			require.Len(t, c.Publications(), 1)
			r := c.Publications()[0].Release
			assert.Equal(t, typ, r.Type().ID)
			assert.Equal(t, typ, r.Type().Name.Pick())
			assert.Contains(t, r.Manifest().Title.Pick(), typ)
		})
	}
}

// TestFork copies a release to another type: it compiles, has the same ids, and credits the release.
func TestFork(t *testing.T) {
	from, v := taxonomy.MustVersion("ai@2026-11-15-stable"), taxonomy.MustVersion("lindenau-ai@2026-11-19-beta")
	for credit, want := range map[string]string{
		"": "Based on ai@2026-11-15-stable", "attribution: Town of Lindenau\nlicence: CC-BY-4.0\n": "Town of Lindenau; based on ai@2026-11-15-stable",
	} {
		tree := fstest.MapFS{}
		files, err := write.Promotion(taxonomies.FS(), from)
		require.NoError(t, err)
		files["schema.yaml"] = append(files["schema.yaml"], "removed:\n  - {id: output.noise, since: 2026-11-15-stable, replaced_by: output.labelled}\n"+credit...)
		for name, data := range files {
			tree[source.Directory(from)+"/"+name] = &fstest.MapFile{Data: data}
		}
		base, err := source.Compile(tree, from, nil)
		require.NoError(t, err)
		require.NotNil(t, base.Release, base.Issues)
		require.NotEmpty(t, base.Release.Manifest().Removed)
		for name, data := range write.Fork(base.Release, v.Type()).Files() {
			tree[source.Directory(v)+"/"+name] = &fstest.MapFile{Data: data}
		}
		fork, err := source.Compile(tree, v, nil)
		require.NoError(t, err)
		require.Empty(t, fork.Issues)
		was, is := base.Release.Manifest(), fork.Release.Manifest()
		require.Equal(t, want, is.Attribution)
		require.Equal(t, was.Licence, is.Licence)
		require.Equal(t, credit != "", is.Licence != "")
		require.Empty(t, is.Notes)
		require.Empty(t, is.Removed)
		require.Equal(t, base.Release.ElementIDs(), fork.Release.ElementIDs())
		require.Equal(t, "ai", base.Release.Type().ID, "the base is not changed")
	}
}
