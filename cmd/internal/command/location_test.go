package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/examples/documents"
)

const notice = "Using the built-in sample taxonomies; name yours with --schemas or --store.\n"

const trips = `{"element_id": "data.trips", "context_type_id": "named"}`

// readingCommands are those that read versions.
var readingCommands = []string{
	"schema list", "schema diff TYPE@latest TYPE@latest-beta", "search data --schema-version TYPE@latest", "validate doc.json",
	"upgrade doc.json --to TYPE@latest --older", "resolve doc.json", "render doc.json", "new TYPE@latest", "icons show ELEMENT TYPE@latest",
	"icons sheet TYPE@latest", "icons bake TYPE@latest --out icons", "check", "schema export TYPE@latest --format csv", "schema export TYPE@latest",
	"schema json-schema TYPE@latest", "schema breaking TYPE@latest", "schema translations TYPE@latest",
}

// TestDefaultLocation shows that every command that reads takes the working directory if
// it holds a source, else the samples, and says so.
func TestDefaultLocation(t *testing.T) {
	t.Parallel()
	for _, line := range readingCommands {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			for _, c := range []struct {
				where, dir   string
				typ, element string
				document     string
				stderr       string
			}{
				{"at the root of a source", "schemas", "bikes", "data.trips", bikeDocument(trips), "Using the schema source of the working directory.\n"},
				{"in a directory without a source", "documents", "ai", "risk.bias", string(sampleDocument(t)), notice},
			} {
				p := newPlayer(t)
				p.write(c.dir+"/doc.json", c.document)
				p.sys.Dir = p.sys.Path(c.dir)
				args := strings.Fields(strings.NewReplacer("TYPE", c.typ, "ELEMENT", c.element).Replace(line))
				code, stdout, stderr := execute(t.Context(), p.sys, args...)
				require.NotEqual(t, console.ExitFailed, code, "%s: %s", c.where, stderr)
				require.NotEmpty(t, stdout, c.where)
				require.True(t, strings.HasPrefix(stderr, c.stderr), "%s: %s", c.where, stderr)
			}
		})
	}
}

// sampleDocument returns a valid document of the sample taxonomies.
func sampleDocument(t *testing.T) []byte {
	t.Helper()
	example, ok := documents.Find("benefits.json")
	require.True(t, ok)
	return example.Text
}

// TestDefaultLocationInside shows the rule inside of a source, in a store, and where
// there is something that only looks like a source.
func TestDefaultLocationInside(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, dir      string
		prepare        []string // a command line that runs first
		stdout, stderr string   // parts of them
	}{
		{"a datachain type", "schemas/bikes", nil, "bikes@2026-03-01-stable", ""},
		{"a version", "schemas/bikes/2026-09-01-beta", nil, "bikes@2026-09-01-beta", ""},
		{"a part of a version", "schemas/bikes/2026-09-01-beta/elements", nil, "bikes@2026-09-01-beta", ""},
		{"a store", "dist", []string{"schema", "publish", "schemas", "--store", "dist"}, "ai@latest", "use --store . for the published versions in this directory"},
		{"directories with a date", "logs", nil, "ai@latest", notice},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t)
			if c.prepare != nil {
				code, _, stderr := execute(t.Context(), p.sys, c.prepare...)
				require.Zero(t, code, stderr)
			}
			p.write("logs/web/2026-01-01/today.txt", "")
			p.sys.Dir = p.sys.Path(c.dir)
			code, stdout, stderr := execute(t.Context(), p.sys, "schema", "list")
			require.Zero(t, code, stderr)
			require.Contains(t, stdout, c.stdout)
			require.Contains(t, stderr, c.stderr)
		})
	}
}

// TestChangingNeedsSource shows that no command that writes takes the samples, and
// that the error names what to do.
func TestChangingNeedsSource(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"schema lint":                                "not a schema source",
		"schema publish --store dist":                "not a schema source",
		"schema promote ai@latest-beta":              "name one with --schemas, or a store with --store",
		"schema retire ai@2026-09-01-stable":         "--store is required",
		"icons bake ai@latest":                       "--store or --out is required",
		"schema promote ai@latest-beta --samples":    "does not use --samples",
		"schema new robot --from robot@latest":       "not a schema source",
		"schema list --samples --store dist":         "--samples and --store can't be used together",
		"schema list --samples --schemas ../schemas": "--samples and --schemas can't be used together",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t)
			p.sys.Dir = p.sys.Path("documents")
			before := tree(t, p.sys.Dir)
			code, stdout, stderr := execute(t.Context(), p.sys, strings.Fields(line)...)
			require.Equal(t, console.ExitFailed, code)
			require.Empty(t, stdout)
			require.Contains(t, stderr, want)
			require.Equal(t, before, tree(t, p.sys.Dir))
		})
	}
}

// TestNotFoundNamesFlag shows that the error for an unknown version names the flag
// with which it is found, if it is near.
func TestNotFoundNamesFlag(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, dir, line, want string }{
		{"a source below the directory", ".", "search trips --schema-version bikes@latest", "or use --schemas schemas, which has bikes@latest\n"},
		{"a store below the directory", ".", "search trips --schema-version bikes@2026-03-01-stable --schemas other", "or use --store dist, which has bikes@2026-03-01-stable\n"},
		{"the samples", "schemas", "icons show risk.bias ai@latest", "or use --samples, which has ai@latest\n"},
		{"the samples, in a document", "schemas", "validate sample.json", "or use --samples, which has ai@2026-"},
		{"a source, in a document", ".", "validate documents/good.json", "or use --schemas schemas, which has bikes@2026-09-01-beta\n"},
		{"nowhere", ".", "search x --schema-version drone@latest", "or name the taxonomies that have it with --schemas, --store or datachain.yaml; only the built-in samples were searched\n"},
		{"a misspelt version of a source that was named", ".", "search x --schemas schemas --schema-version bikes@lates", "Hint: use bikes@latest\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t)
			if c.name == "a store below the directory" {
				code, _, stderr := execute(t.Context(), p.sys, "schema", "publish", "schemas", "--store", "dist", "--schema-version", "bikes@2026-03-01-stable")
				require.Zero(t, code, stderr)
				require.NoError(t, os.RemoveAll(p.sys.Path("schemas/bikes/2026-03-01-stable")))
				require.NoError(t, os.CopyFS(p.sys.Path("other"), os.DirFS("testdata/tree/schemas")))
				require.NoError(t, os.RemoveAll(p.sys.Path("other/bikes/2026-03-01-stable")))
			}
			p.write("schemas/sample.json", string(sampleDocument(t)))
			p.sys.Dir = p.sys.Path(c.dir)
			code, stdout, stderr := execute(t.Context(), p.sys, strings.Fields(c.line)...)
			require.NotZero(t, code)
			require.Contains(t, stdout+stderr, c.want)
		})
	}
}

// TestServeDefaultOrigin shows that serve follows the same rule, and says what it
// serves.
func TestServeDefaultOrigin(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		dir  string
		args []string
		want string
	}{
		{"schemas", nil, "Serving the schema source in ., as it is edited\n"},
		{"schemas/bikes/2026-09-01-beta", nil, "Serving the schema source in ../.., as it is edited\n"},
		{"documents", nil, "Serving the built-in sample taxonomies; serve others with --schemas or --store\n"},
		{"schemas", []string{"--samples"}, "Serving the built-in sample taxonomies\n"},
		{".", []string{"--schemas", "schemas"}, "Serving the schema source in schemas, as it is edited\n"},
	} {
		t.Run(c.dir+strings.Join(c.args, " "), func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t)
			p.sys.Dir = p.sys.Path(c.dir)
			s := startServer(t, p.sys, append(c.args, "--addr", "localhost:0", "--drain-delay", "0s")...)
			require.Contains(t, s.log.String(), c.want)
		})
	}
}

// TestUnusableStore shows the errors for a --store that can't be read: what is
// wrong, where, and what to do.
func TestUnusableStore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	put("file", "")
	put("half/index.json", `{"versions":[{`)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "folder", "index.json"), 0o755))
	publishStarter(t, dir, "robot@2026-01-01-stable")
	archive := onlyFile(t, filepath.Join(dir, "store", "robot", "2026-01-01-stable", "sha256-*", "*.zip"))
	require.NoError(t, os.Truncate(archive, 100))
	for store, want := range map[string]string{
		"nowhere":                      "datachain: --store nowhere: not a store: it has no index.json\n",
		"file":                         "datachain: --store file: not a directory\n",
		"half":                         "\nThe store is damaged or incomplete: publish or copy it again.\n",
		"folder":                       "datachain: --store folder: ",
		"store":                        ": publish or copy the release again\n'datachain check' lists every problem of a store.\n",
		"http://me:secret@127.0.0.1:1": "datachain: --store http://me:xxxxx@127.0.0.1:1: httpstore: ",
	} {
		t.Run(store, func(t *testing.T) {
			code, stdout, stderr := execute(t.Context(), testSystem(dir), "schema", "list", "--store", store)
			assert.Equal(t, console.ExitFailed, code)
			assert.Empty(t, stdout)
			assert.Contains(t, stderr, want)
			assert.NotContains(t, stderr, "secret")
		})
	}
}

// TestEnvironment shows that every command that reads versions takes them from the same
// variables, that flags override them, and that errors name the variable.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	upstream := startServer(t, newPlayer(t).sys, "--schemas", "schemas", "--addr", anyPort, fastDrain)
	url := strings.TrimSuffix(upstream.api, "/api/v2")
	for _, line := range readingCommands {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			for _, c := range []struct{ name, value, stderr string }{
				{"DATACHAIN_STORE", url, "Using the store at " + url + " (DATACHAIN_STORE).\n"},
				{"DATACHAIN_STORE", "../dist", "Using the store in ../dist (DATACHAIN_STORE).\n"},
				{"DATACHAIN_SCHEMAS", "../schemas", "Using the schema source in ../schemas (DATACHAIN_SCHEMAS).\n"},
			} {
				p := newPlayer(t)
				code, _, stderr := execute(t.Context(), p.sys, "schema", "publish", "schemas", "--store", "dist")
				require.Zero(t, code, stderr)
				p.write("documents/doc.json", bikeDocument(trips))
				p.sys.Dir = p.sys.Path("documents")
				args := strings.Fields(strings.NewReplacer("TYPE", "bikes", "ELEMENT", "data.trips").Replace(line))
				p.Env[c.name] = "nowhere"
				code, _, stderr = execute(t.Context(), p.sys, args...)
				require.Equal(t, console.ExitFailed, code)
				require.Contains(t, stderr, c.name+" nowhere: no")

				p.Env[c.name] = c.value
				code, stdout, stderr := execute(t.Context(), p.sys, args...)
				require.NotEqual(t, console.ExitFailed, code, "%s: %s", c.value, stderr)
				require.NotEmpty(t, stdout)
				require.True(t, strings.HasPrefix(stderr, c.stderr), stderr)
			}
		})
	}
	p := newPlayer(t)
	p.Env["DATACHAIN_STORE"], p.Env["DATACHAIN_SCHEMAS"] = "nowhere", "nowhere"
	code, _, stderr := execute(t.Context(), p.sys, "schema", "list", "--schemas", "schemas")
	require.Zero(t, code, stderr)
	require.Empty(t, stderr)
	_, _, stderr = execute(t.Context(), p.sys, "schema", "list")
	require.Contains(t, stderr, "DATACHAIN_SCHEMAS and DATACHAIN_STORE can't be used together")
	delete(p.Env, "DATACHAIN_SCHEMAS")
	p.sys.Dir = p.sys.Path("documents")
	for _, line := range []string{"schema retire bikes@2026-03-01-stable", "schema collect", "icons bake", "schema publish ../schemas"} {
		_, _, stderr = execute(t.Context(), p.sys, strings.Fields(line)...)
		require.Regexp(t, "--store (or --out )?is required", stderr, "what is changed is named on the command line")
	}
}

// TestProjectFile shows what commands take from a project file, from below it, too.
func TestProjectFile(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, line string
		env              string // DATACHAIN_STORE
		code             int
		stdout, stderr   string // parts of them
	}{
		{"store", "store: dist", "schema list", "", 0, "bikes@2026-03-01-stable", "Using the store in ../dist (../datachain.yaml).\n"},
		{"source", "schemas: schemas", "schema list", "", 0, "bikes@2026-09-01-beta", "Using the schema source in ../schemas (../datachain.yaml).\n"},
		{"a flag overrides it", "store: nowhere", "schema list --schemas ../schemas", "", 0, "bikes@2026-09-01-beta", ""},
		{"a variable overrides it", "store: nowhere", "schema list", "../dist", 0, "bikes@2026-03-01-stable", "Using the store in ../dist (DATACHAIN_STORE).\n"},
		{"no location", "locale: fr", "schema list", "", 0, "ai@latest", notice},
		{"documents", "{schemas: schemas, documents: documents/good.json}", "validate", "", 0, "1 file", "Using the documents in good.json (../datachain.yaml).\n"},
		{"documents in a list", "{schemas: schemas, documents: [documents/good.json, documents/loose.json]}", "validate", "", 0, "2 files", "good.json and loose.json"},
		{"documents of upgrade", "{schemas: schemas, documents: documents/good.json}", "upgrade --to bikes@latest-beta", "", 0, "1 file", "Using the documents in good.json"},
		{"documents of a site", "{schemas: schemas, documents: documents/good.json}", "site --out public", "", 0, "Wrote", "Using the documents in good.json"},
		{"no documents", "schemas: schemas", "validate", "", 2, "", "missing FILE, DIR or -"},
		{"locale", "{schemas: schemas, locale: fr}", "new bikes@latest", "", 0, "", `"locale": "fr"`},
		{"a flag overrides the locale", "{schemas: schemas, locale: fr}", "new bikes@latest --locale en", "", 0, "", `"locale": "en"`},
		{"not strict", "schemas: schemas", "validate loose.json", "", 0, "valid", ""},
		{"strict", "{schemas: schemas, strict: true}", "validate loose.json", "", 1, "unknown_field", ""},
		{"a flag overrides strict", "{schemas: schemas, strict: true}", "validate loose.json --strict=false", "", 0, "valid", ""},
		{"source of lint", "schemas: schemas", "schema lint", "", 0, "2 versions", "Using the schema source in ../schemas (../datachain.yaml).\n"},
		{"source of translations", "schemas: schemas", "schema translations", "", 0, "bikes@2026-09-01-beta", "(../datachain.yaml)"},
		{"store that does not exist", "store: nowhere", "schema list", "", 2, "", "../datachain.yaml: store ../nowhere: not a store"},
		{"unknown key", "stor: dist", "schema list", "", 2, "", "datachain.yaml: line 1: \"stor\" is unknown: did you mean store?"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t)
			require.NoError(t, os.Mkdir(p.sys.Path(".git"), 0o755))
			if strings.Contains(c.file+c.env, "dist") {
				code, _, stderr := execute(t.Context(), p.sys, "schema", "publish", "schemas", "--store", "dist")
				require.Zero(t, code, stderr)
			}
			p.write("datachain.yaml", c.file)
			p.write("documents/loose.json", strings.Replace(bikeDocument(trips), "{", `{"unheard": 1, `, 1))
			p.Env["DATACHAIN_STORE"] = c.env
			p.sys.Dir = p.sys.Path("documents")
			code, stdout, stderr := execute(t.Context(), p.sys, strings.Fields(c.line)...)
			require.Equal(t, c.code, code, stdout+stderr)
			require.Contains(t, stdout, c.stdout)
			require.Contains(t, stderr, c.stderr)
		})
	}
	t.Run("of another user", func(t *testing.T) {
		t.Parallel()
		p := newPlayer(t)
		p.write("datachain.yaml", "store: nowhere")
		p.sys.UID++
		code, stdout, stderr := execute(t.Context(), p.sys, "schema", "list")
		require.Zero(t, code, stderr)
		require.Contains(t, stdout, "ai@latest")
		require.Equal(t, 1, strings.Count(stderr, "datachain.yaml: ignored, because it belongs to another user\n"), stderr)
	})
	t.Run("of a server", func(t *testing.T) {
		t.Parallel()
		p := newPlayer(t)
		p.write("datachain.yaml", "schemas: schemas")
		s := startServer(t, p.sys, "--addr", anyPort, fastDrain)
		require.Contains(t, s.log.String(), "Serving the schema source in schemas, as it is edited (datachain.yaml)\n")
	})
}
