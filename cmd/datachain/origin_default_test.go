package main

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
)

const notice = "Using the built-in sample taxonomies; name yours with --schemas or --store.\n"

const trips = `{"element_id": "data.trips", "context_type_id": "named"}`

// TestDefaultOrigin shows that every command that reads takes the working directory if
// it holds a source, else the samples, and says so.
func TestDefaultOrigin(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{
		"list": "schema list", "diff": "schema diff TYPE@latest TYPE@latest-beta", "search": "search data --schema-version TYPE@latest",
		"validate": "validate doc.json", "upgrade": "upgrade doc.json --to TYPE@latest", "resolve": "resolve doc.json", "render": "render doc.json",
		"show": "icons show ELEMENT TYPE@latest", "sheet": "icons sheet TYPE@latest", "bake": "icons bake TYPE@latest --out icons", "check": "check",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, c := range []struct {
				where, dir   string
				typ, element string
				document     string
				stderr       string
			}{
				{"at the root of a source", "schemas", "bikes", "data.trips", bikeDocument(trips), ""},
				{"in a directory without a source", "documents", "ai", "risk.bias", string(sampleDocument(t)), notice},
			} {
				p := newPlayer(t)
				p.write(c.dir+"/doc.json", c.document)
				p.sys.dir = p.sys.path(c.dir)
				args := strings.Fields(strings.NewReplacer("TYPE", c.typ, "ELEMENT", c.element).Replace(line))
				code, stdout, stderr := execute(t.Context(), p.sys, args...)
				require.NotEqual(t, exitFailed, code, "%s: %s", c.where, stderr)
				require.NotEmpty(t, stdout, c.where)
				require.Equal(t, c.stderr, stderr, c.where)
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

// TestDefaultOriginInside shows the rule inside of a source, in a store, and where
// there is something that only looks like a source.
func TestDefaultOriginInside(t *testing.T) {
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
			p.sys.dir = p.sys.path(c.dir)
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
		"schema build":                               "not a schema source",
		"schema lint":                                "not a schema source",
		"schema publish --store dist":                "not a schema source",
		"schema promote ai@latest-beta":              "name one with --schemas, or a store with --store",
		"schema retire ai@2026-09-01-stable":         "missing --store",
		"icons bake ai@latest":                       "missing --store or --out",
		"schema promote ai@latest-beta --samples":    "unknown flag --samples",
		"schema new robot --from ai@latest":          "not a schema source",
		"schema list --samples --store dist":         "--store and --samples can't be used together",
		"schema list --samples --schemas ../schemas": "--schemas and --samples can't be used together",
	} {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t)
			p.sys.dir = p.sys.path("documents")
			before := tree(t, p.sys.dir)
			code, stdout, stderr := execute(t.Context(), p.sys, strings.Fields(line)...)
			require.Equal(t, exitFailed, code)
			require.Empty(t, stdout)
			require.Contains(t, stderr, want)
			require.Equal(t, before, tree(t, p.sys.dir))
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
		{"nowhere", ".", "search x --schema-version drone@latest", "or use --schemas or --store to name the taxonomies that have it\n"},
		{"a misspelt version of a source that was named", ".", "search x --schemas schemas --schema-version bikes@lates", "Hint: use bikes@latest\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := newPlayer(t)
			if c.name == "a store below the directory" {
				code, _, stderr := execute(t.Context(), p.sys, "schema", "publish", "schemas", "--store", "dist", "--schema-version", "bikes@2026-03-01-stable")
				require.Zero(t, code, stderr)
				require.NoError(t, os.RemoveAll(p.sys.path("schemas/bikes/2026-03-01-stable")))
				require.NoError(t, os.CopyFS(p.sys.path("other"), os.DirFS("testdata/tree/schemas")))
				require.NoError(t, os.RemoveAll(p.sys.path("other/bikes/2026-03-01-stable")))
			}
			p.write("schemas/sample.json", string(sampleDocument(t)))
			p.sys.dir = p.sys.path(c.dir)
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
			p.sys.dir = p.sys.path(c.dir)
			s := startServer(t, p.sys, append(c.args, "--addr", "localhost:0", "--drain-delay", "0s")...)
			require.Contains(t, s.log.String(), c.want)
		})
	}
}

// TestVersionFlagAlias shows that --version is another name of --schema-version.
func TestVersionFlagAlias(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	code, stdout, stderr := execute(t.Context(), p.sys, "search", "trips", "--schemas", "schemas",
		"--version", "bikes@latest", "--schema-version", "bikes@latest-beta")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "bikes@2026-03-01-stable")
	require.Contains(t, stdout, "bikes@2026-09-01-beta")
	code, stdout, stderr = execute(t.Context(), p.sys, "schema", "build", "schemas", "--version", "bikes@latest-beta")
	require.Zero(t, code, stderr)
	require.NotContains(t, stdout, "bikes@2026-03-01-stable")
}
