package repotest_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

const module = "github.com/datachain-go/datachain"

// The third-party packages that the policy speaks of. Each is explained in
// docs/internals/dependencies.md.
const (
	awsSDK     = "github.com/aws/aws-sdk-go-v2"
	smithy     = "github.com/aws/smithy-go"
	cobra      = "github.com/spf13/cobra"
	flock      = "github.com/gofrs/flock"
	typeset    = "github.com/go-text/typesetting"
	fixed      = "golang.org/x/image/math/fixed"
	idna       = "golang.org/x/net/idna"
	pflag      = "github.com/spf13/pflag"
	prometheus = "github.com/prometheus/client_golang/prometheus"
	goRedis    = "github.com/redis/go-redis/v9"
	jsonExp    = "github.com/go-json-experiment/json"
	jsonSchema = "github.com/santhosh-tekuri/jsonschema/v6"
	svgo       = "github.com/ajstarks/svgo/float"
	sys        = "golang.org/x/sys/unix"
	term       = "golang.org/x/term"
	text       = "golang.org/x/text"
	tlog       = "golang.org/x/mod/sumdb/tlog"
	udiff      = "github.com/aymanbagabas/go-udiff"
	uax29      = "github.com/clipperhouse/uax29/v2"
	note       = "golang.org/x/mod/sumdb/note"
	qrCode     = "rsc.io/qr"
	yaml       = "go.yaml.in/yaml/v3"
)

// The floors of folders, from the lowest up. A folder is a subject: it imports what is on the
// floors below its own, and nothing on its own floor.
const (
	ground    = iota // small leaves that know nothing of the model
	model            // the model, documents and findings
	core             // the core side by side
	stored           // what stores of files share
	past             // what became of ids, and logs of what was published
	derived          // what is derived from a release, and how releases are published
	changes          // what happens between versions
	authors          // source of taxonomies
	entry            // the root package: the Service
	words            // a summary in words
	registry         // a public register
	shared           // what several adapters use
	common           // what all pages have in common
	room             // the pages about one subject, and what serves or writes pages
	adapter          // a protocol or a storage, translated
	extension        // what the product adds to protocols
	assembly         // what serves all of it
	top              // programs and examples
)

// The two parts of the library. The service is what answers for the published contract, and what other
// programs build on: it never imports the product, which is built on it as any other program could be.
const (
	service = iota
	product
)

// A row says on which floor a folder stands, with all that is below it, and what it may import
// besides the harmless part of the standard library.
type row struct {
	dir   string
	floor int
	part  int
	std   []string // impure standard packages allowed all the same
	mods  []string // third-party packages, with what is below them
	// public means that it imports nothing internal of the module: it could stand elsewhere.
	public bool
}

// policy says what each folder may import. The row with the longest name that a folder is, or is below,
// applies, and a folder without a row fails the test, so a new subject begins with a row here.
var policy = []row{
	{dir: "internal", floor: ground, std: []string{"context"}, mods: []string{jsonExp, text}},
	{dir: "internal/cputime", floor: ground, mods: []string{sys}},
	{dir: "internal/documenttest", floor: core},
	{dir: "internal/files", floor: ground, std: []string{"os", "path/filepath", "syscall"}},
	{dir: "internal/goldentest", floor: ground, std: []string{"os", "testing"}, mods: []string{"github.com/google/go-cmp"}},
	{dir: "internal/growthtest", floor: ground, std: []string{"runtime/debug", "testing"}, mods: []string{sys}},
	{dir: "internal/resttest", floor: ground, std: []string{"context", "net", "testing"}, mods: []string{jsonSchema, "github.com/stretchr/testify"}},
	{dir: "internal/temptest", floor: ground, std: []string{"os"}},
	{dir: "internal/wordtable/wordtabletest", floor: ground, std: []string{"os", "path/filepath", "testing"}},
	{dir: "internal/weblink", floor: ground, mods: []string{idna}},

	{dir: "taxonomy", floor: model, std: []string{"context"}, mods: []string{jsonExp, text, tlog}},
	{dir: "taxonomy/storetest", floor: model, std: []string{"context", "testing"}},

	{dir: "validate", floor: core, std: []string{"context"}, mods: []string{jsonExp, jsonSchema}},
	{dir: "validate/validatetest", floor: core, std: []string{"context", "testing"}},
	{dir: "resolve", floor: core},
	{dir: "icons", floor: core, mods: []string{svgo}},
	{dir: "search", floor: core, mods: []string{text, uax29}},
	{dir: "adapters/storekit", floor: stored},
	{dir: "adapters/storekit/layout/layouttest", floor: stored, std: []string{"testing"}},
	{dir: "adapters/storekit/reader", floor: stored, std: []string{"context"}},
	{dir: "adapters/storekit/cache", floor: stored, std: []string{"context", "os", "path/filepath", "syscall"}},
	{dir: "adapters/storekit/watch", floor: stored, std: []string{"context", "os", "path/filepath"}},
	{dir: "history", part: product, floor: past, mods: []string{jsonExp}},
	{dir: "release/trust", part: product, floor: past, std: []string{"context"}, mods: []string{tlog, note}},

	{dir: "release", part: product, floor: derived, std: []string{"context"}, mods: []string{jsonExp}},
	{dir: "release/publish/dirtarget", part: product, floor: derived, std: []string{"context", "os", "path/filepath", "syscall"}, mods: []string{flock}},
	{dir: "release/trust/follow", part: product, floor: changes, std: []string{"context", "os", "path/filepath"}},
	{dir: "release/publish/targettest", part: product, floor: authors, std: []string{"context", "testing"}},

	{dir: "history/diff", part: product, floor: changes, std: []string{"context"}, mods: []string{uax29}},
	{dir: "authoring", part: product, floor: authors, mods: []string{jsonExp, text}},
	{dir: "authoring/internal/yaml", part: product, floor: authors, mods: []string{yaml}},
	{dir: "authoring/internal/sourcetest", part: product, floor: authors, std: []string{"os", "testing"}},

	{dir: ".", floor: entry, std: []string{"context"}, mods: []string{jsonExp}},
	{dir: "history/upgrade", part: product, floor: words, std: []string{"context"}}, // moves documents with the Service
	{dir: "pages/summary", part: product, floor: derived},
	{dir: "pages/phrases", part: product, floor: words},
	{dir: "pages/internal/style", part: product, floor: words},
	{dir: "register", part: product, floor: registry, std: []string{"context"}, mods: []string{jsonExp, text}},
	{dir: "register/rule", part: product, floor: derived, std: []string{"context"}},
	{dir: "history/tools", part: product, floor: extension, std: []string{"context"}, mods: []string{jsonExp}, public: true},
	{dir: "register/review", part: product, floor: shared, std: []string{"context"}},
	{dir: "register/tools", part: product, floor: extension, std: []string{"context"}, mods: []string{jsonExp}},
	{dir: "register/internal/registertest", part: product, floor: top, std: []string{"os", "path/filepath", "testing"}},

	{dir: "internal/product", part: product, floor: shared}, // wires what programs of this repository open
	{dir: "internal/httpcache", floor: shared, std: []string{"context", "net"}},
	{dir: "adapters/manual", floor: shared},
	{dir: "adapters/ratelimit", floor: shared, std: []string{"context", "net"}},
	{dir: "adapters/ratelimit/ratelimittest", floor: shared, std: []string{"context", "testing"}},
	{dir: "pages/boardpage", part: product, floor: shared},
	{dir: "pages/view", part: product, floor: shared},
	{dir: "pages/sheet", part: product, floor: shared, std: []string{"context"}, mods: []string{qrCode, text}},
	{dir: "pages/view/mcpapp", part: product, floor: extension, std: []string{"context"}, public: true},
	{dir: "release/tools", part: product, floor: extension, std: []string{"context"}, public: true},
	{dir: "release/rest", part: product, floor: extension, std: []string{"context", "log"}, public: true},
	{dir: "pages/view/rest", part: product, floor: extension, std: []string{"context", "net/http"}, public: true},
	{dir: "history/rest", part: product, floor: extension, std: []string{"context"}, mods: []string{jsonExp}},
	{dir: "register/rest", part: product, floor: extension, std: []string{"context", "net/http"}, mods: []string{jsonExp}},
	{dir: "adapters/httpapi", floor: adapter, std: anyStd, mods: []string{jsonExp}},
	{dir: "adapters/mcp", floor: adapter, std: anyStd, mods: []string{jsonExp}},
	{dir: "adapters/mcp/slottest", floor: adapter, std: []string{"context", "testing"}},
	{dir: "pages/internal/words", part: product, floor: shared},
	{dir: "pages/internal/core", part: product, floor: common, std: []string{"context", "net/http"}, mods: []string{jsonExp}},
	{dir: "pages/internal/catalog", part: product, floor: room},
	{dir: "pages/internal/documents", part: product, floor: room, std: []string{"net/http"}},
	{dir: "pages/internal/versions", part: product, floor: room},
	{dir: "pages/internal/check", part: product, floor: room},
	{dir: "pages/internal/form", part: product, floor: room, std: []string{"context", "net"}},
	{dir: "pages/internal/reference", part: product, floor: room, std: []string{"net/http"}},
	{dir: "pages/internal/live", part: product, floor: room, std: []string{"context", "log/slog", "net/http"}},
	{dir: "pages/internal/static", part: product, floor: room, std: []string{"context", "net/http"}},
	{dir: "pages", part: product, floor: adapter, std: anyStd},
	{dir: "pages/server", part: product, floor: assembly, std: []string{"context", "log/slog", "net/http"}},
	{dir: "adapters/memstore", floor: adapter, std: anyStd},
	{dir: "adapters/laststore", floor: adapter, std: anyStd},
	{dir: "adapters/fsstore", floor: adapter, std: anyStd},
	{dir: "adapters/httpstore", floor: adapter, std: anyStd},
	{dir: "adapters/redisshare", floor: adapter, std: anyStd, mods: []string{goRedis}, public: true},
	{dir: "adapters/redisshare/redistest", floor: adapter, std: append([]string{"testing"}, anyStd...), public: true},
	// Draws signs with fonts. What reads fonts is needed here alone.
	{dir: "pages/sign", part: product, floor: adapter, std: []string{"context"}, mods: []string{fixed, svgo, typeset}, public: true},
	{dir: "adapters/s3store", floor: adapter, std: anyStd, mods: []string{awsSDK, smithy}, public: true},
	{dir: "adapters/s3store/s3target", part: product, floor: adapter, std: anyStd, public: true},

	// Runs in a browser, too, so it is handed its streams and stores.
	{dir: "editors/lsp", part: product, floor: assembly, std: []string{"context"}, mods: []string{jsonExp}},
	// What pages in a browser call.
	{dir: "editors/wasm", part: product, floor: top, std: []string{"context", "net", "syscall"}, mods: []string{jsonExp}},
	{dir: "editors/wasm/internal/engine", part: product, floor: adapter, std: []string{"context"}, mods: []string{jsonExp}},

	{dir: "cmd", part: product, floor: top, std: anyStd, mods: []string{cobra, note, pflag, term, text, udiff, yaml}},
	{dir: "cmd/internal/server", part: product, floor: top, std: anyStd, mods: []string{prometheus, "github.com/prometheus/client_model/go"}},
	{dir: "cmd/internal/contactsheet", part: product, floor: top},
	{dir: "cmd/internal/transcripttest", part: product, floor: top, std: append([]string{"testing"}, anyStd...), mods: []string{"github.com/stretchr/testify"}},
	// Examples import what any program could. Tests of the service read those that it may import.
	{dir: "examples", floor: top, std: anyStd, public: true},
	{dir: "examples/taxonomies", part: product, floor: top},
}

// beside are folders that use others on their floor: what is behind them, and the samples.
var beside = map[string][]string{
	"pages/internal/form":            {"pages/internal/check"},
	"pages/internal/static":          {"pages/internal/live"}, // which answers scripts in a browser
	"cmd":                            {"examples", "examples/taxonomies"},
	"cmd/internal/server":            {"examples"},
	"register/internal/registertest": {"examples"},
}

// impure is the part of the standard library that reaches outside the program,
// or differs from one system to another, with what lies below each path. A pure
// package takes bytes, an io.Reader or an fs.FS instead, and a context only where
// it declares an interface that does I/O.
var impure = []string{
	"C", "context", "database/sql", "debug/buildinfo", "expvar", "flag", "io/ioutil", "log", "net", "os",
	"path/filepath", "plugin", "runtime/cgo", "runtime/debug", "runtime/pprof", "runtime/trace",
	"syscall", "testing", "unsafe",
}

// harmless lies below an impure path, and is pure.
var harmless = []string{"net/netip", "net/url"}

// anyStd is what packages outside the core may use of the impure: all but what
// gives up the safety of the language, or belongs in tests.
var anyStd = slices.DeleteFunc(slices.Clone(impure), func(p string) bool {
	return slices.Contains([]string{"C", "plugin", "runtime/cgo", "testing", "unsafe"}, p)
})

// promises are the third-party modules that a program takes in with a package,
// all of them. A longer list is a cost for everyone who imports it: think twice,
// and tell the changelog.
var promises = []struct {
	pkg     string
	modules []string
}{
	{"taxonomy", []string{"github.com/go-json-experiment/json", "golang.org/x/mod", "golang.org/x/text"}},
	{"icons", []string{"github.com/ajstarks/svgo", "github.com/go-json-experiment/json", "golang.org/x/mod", "golang.org/x/text"}},
	{"resolve", []string{"github.com/go-json-experiment/json", "golang.org/x/mod", "golang.org/x/text"}},
	{"search", []string{"github.com/clipperhouse/uax29/v2", "github.com/go-json-experiment/json", "golang.org/x/mod", "golang.org/x/text"}},
	{"validate", []string{"github.com/go-json-experiment/json", "github.com/santhosh-tekuri/jsonschema/v6", "golang.org/x/mod", "golang.org/x/text"}},
}

// nested are the modules beside the library, by folder.
var nested = []string{"adapters/redisshare", "adapters/s3store", "cmd", "pages/sign"}

// required is what the library requires: what its packages import, and for their tests go-cmp,
// testify and goleak. Everyone who imports a package inherits it, so that what only a test needs is
// required in a module below tools, and what only the command needs in that of the command.
var required = []string{
	"github.com/ajstarks/svgo", "github.com/clipperhouse/uax29/v2", "github.com/go-json-experiment/json", "github.com/gofrs/flock",
	"github.com/google/go-cmp", "github.com/santhosh-tekuri/jsonschema/v6", "github.com/stretchr/testify",
	"go.uber.org/goleak", "go.yaml.in/yaml/v3", "golang.org/x/mod", "golang.org/x/net", "golang.org/x/sys", "golang.org/x/text", "rsc.io/qr",
}

// TestModules compares the modules with the lists above. The stores and what draws are used with a
// newer library, too, whose internal packages may differ: not even their tests import these.
func TestModules(t *testing.T) {
	text, err := os.ReadFile("go.work")
	require.NoError(t, err)
	work, err := modfile.ParseWork("go.work", text, nil)
	require.NoError(t, err)
	var used []string
	for _, u := range work.Use {
		used = append(used, path.Clean(u.Path))
	}
	assert.Equal(t, append([]string{"."}, nested...), used)

	text, err = os.ReadFile("go.mod")
	require.NoError(t, err)
	library, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	var found []string
	for _, r := range library.Require {
		found = append(found, r.Mod.Path)
	}
	assert.Equal(t, required, found)

	for _, dir := range nested {
		if dir == "cmd" { // it names one version of the library
			continue
		}
		files, err := parsed(dir)
		require.NoError(t, err)
		require.NotEmpty(t, files, dir)
		for _, f := range files {
			for _, spec := range f.syntax.Imports {
				assert.NotContains(t, spec.Path.Value, module+"/internal", f.name)
			}
		}
	}
}

// TestImports holds every package to its row of the policy, which names no third-party package
// that is not imported, and keeps it free of work at start: importing one changes nothing.
func TestImports(t *testing.T) {
	imports := map[string][]string{} // by the folder of the row
	for dir, files := range sources(t) {
		t.Run(dir, func(t *testing.T) {
			for _, f := range files {
				for _, spec := range f.syntax.Imports {
					imported, err := strconv.Unquote(spec.Path.Value)
					require.NoError(t, err)
					assert.NoError(t, allowed(dir, imported), f.name)
					r, _ := lookup(dir)
					imports[r.dir] = append(imports[r.dir], imported)
				}
				for _, decl := range f.syntax.Decls {
					fn, ok := decl.(*ast.FuncDecl)
					assert.False(t, ok && fn.Recv == nil && fn.Name.Name == "init", "%s has an init function", f.name)
				}
			}
		})
	}
	for _, r := range policy {
		for _, mod := range r.mods {
			used := slices.ContainsFunc(imports[r.dir], func(imported string) bool { return within(imported, []string{mod}) })
			assert.True(t, used, "%s does not import %s: remove it from its row", r.dir, mod)
		}
	}
}

// TestImportsOfTests holds tests of the service to its part: whoever changes it needs nothing of the
// product.
func TestImportsOfTests(t *testing.T) {
	files, err := parsed(".")
	require.NoError(t, err)
	for _, f := range files {
		dir := filepath.ToSlash(filepath.Dir(f.name))
		from, err := lookup(dir)
		require.NoError(t, err)
		if from.part == product || !strings.HasSuffix(f.name, "_test.go") {
			continue
		}
		for _, spec := range f.syntax.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			require.NoError(t, err)
			own, isOwn := strings.CutPrefix(imported, module+"/")
			if !isOwn {
				continue
			}
			to, err := lookup(own)
			require.NoError(t, err, f.name)
			assert.Equal(t, service, to.part, "%s imports %s, which is of the product: read examples/published, or move the test", f.name, own)
		}
	}
}

// TestPromises compares what a package pulls in with what was promised.
func TestPromises(t *testing.T) {
	for _, p := range promises {
		t.Run(p.pkg, func(t *testing.T) {
			t.Parallel()
			cmd := exec.CommandContext(t.Context(), "go", "list", "-deps",
				"-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}", "./"+p.pkg)
			var stderr strings.Builder
			cmd.Stderr = &stderr
			out, err := cmd.Output()
			require.NoError(t, err, stderr.String())
			modules := strings.Fields(string(out))
			slices.Sort(modules)
			assert.Equal(t, p.modules, slices.Compact(modules))
		})
	}
}

// TestBrowsers shows that modules for browsers do not contain what draws signs, and its fonts.
func TestBrowsers(t *testing.T) {
	t.Parallel()
	for target, drawn := range map[string]bool{"js/wasm ./editors/wasm/...": false, "linux/amd64 ./cmd/datachain": true} {
		platform, dir, _ := strings.Cut(target, " ")
		system, architecture, _ := strings.Cut(platform, "/")
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}} {{.EmbedFiles}}", dir)
		cmd.Env = append(cmd.Environ(), "GOOS="+system, "GOARCH="+architecture)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		require.NoError(t, err, stderr.String())
		assert.Contains(t, string(out), module+"/pages/sheet ", target)
		assert.Equal(t, drawn, strings.Contains(string(out), typeset), target)
		assert.Equal(t, drawn, strings.Contains(string(out), ".ttf"), target)
	}
}

// TestLight holds the command to few modules: what opens buckets and Redis is in datachain-cloud.
func TestLight(t *testing.T) {
	t.Parallel()
	const mostModules = 32
	for program, cloud := range map[string]bool{"datachain": false, "datachain-dtpr": false, "datachain-cloud": true} {
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}} {{with .Module}}{{.Path}}{{end}}", "./cmd/"+program)
		out, err := cmd.Output()
		require.NoError(t, err, program)
		modules := map[string]bool{}
		for line := range strings.Lines(string(out)) {
			imported, module, _ := strings.Cut(strings.TrimSpace(line), " ")
			modules[module] = module != "" // the standard library has none
			if within(imported, []string{awsSDK, smithy, goRedis}) {
				assert.True(t, cloud, "%s contains %s", program, imported)
			}
		}
		assert.Equal(t, cloud, modules[awsSDK] && modules[smithy] && modules[goRedis], program)
		assert.True(t, cloud || len(modules)-1 <= mostModules, "%s is compiled from %d modules", program, len(modules)-1)
	}
}

// TestPolicy shows that the policy refuses what it should.
func TestPolicy(t *testing.T) {
	for _, c := range []struct {
		dir, imported string
		want          string // part of the reason, or "" where it is allowed
	}{
		{"taxonomy", "strings", ""},
		{"taxonomy", "net/url", ""},
		{"taxonomy", tlog, ""},
		{"search", text + "/language", ""},
		{"taxonomy", module + "/internal/wording", ""},
		{"taxonomy", "net/http", "not pure"},
		{"taxonomy", "os", "not pure"},
		{"taxonomy", "os/exec", "not pure"},
		{"taxonomy", "log/slog", "not pure"},
		{"taxonomy", "unsafe", "not pure"},
		{"taxonomy", yaml, "third-party"},
		{"taxonomy", cobra, "third-party"},
		{"taxonomy", module + "/icons", "not below"},
		{"taxonomy", module + "/taxonomy/document", ""},
		{"taxonomy/storetest", module + "/taxonomy", ""},
		{"taxonomy/storetest", module + "/authoring/source", "of the product"},
		{"icons", module + "/authoring/source", "of the product"},
		{"taxonomy", module + "/adapters/fsstore", "not below"},
		{"adapters/ratelimit", module + "/pages/phrases", "of the product"},
		{"pages", module + "/taxonomy", ""},
		{"pages", module + "/pages/internal/catalog", ""},
		{"pages/internal/catalog", module + "/pages/internal/core", ""},
		{"pages/internal/catalog", module + "/pages/internal/documents", "not below"},
		{"pages/internal/core", module + "/pages/internal/catalog", "not below"},
		{"taxonomy", module + "/unheard", "no row"},
		{"internal/ident", module + "/taxonomy", "not below"},
		{"internal/ident", module + "/internal/similar", ""},
		{"authoring/internal/yaml", yaml, ""},
		{"authoring/source", module + "/icons", ""},
		{"validate", module + "/search", "not below"},
		{"icons", "context", "not pure"},
		{".", module + "/taxonomy", ""},
		{".", module + "/adapters/memstore", "not below"},
		{"adapters/storekit/watch", module + "/adapters/storekit/layout", ""},
		{"release/publish/dirtarget", flock, ""},
		{"adapters/fsstore", "os", ""},
		{"adapters/fsstore", "unsafe", "not pure"},
		{"adapters/memstore", flock, "third-party"},
		{"adapters/fsstore", module + "/adapters/memstore", "not below"},
		{"adapters/httpapi", module + "/pages/view", "of the product"},
		{"pages/sign", module + "/pages/sheet", ""},
		{"pages/sign", module + "/internal/i18n", "internal"},
		{"adapters/s3store", module + "/adapters/s3store/s3bucket", ""},
		{"adapters/s3store", module + "/internal/files", "internal"},
		{"adapters/redisshare", module + "/internal/hub", "internal"},
		{"cmd/internal/server", module + "/adapters/fsstore", ""},
		{"cmd/internal/command", module + "/adapters/fsstore", ""},
		{"cmd/internal/command", module + "/cmd/internal/server", ""},
		{"cmd/internal/command", prometheus, "third-party"},
		{"examples/hello", module + "/adapters/memstore", ""},
		{"examples/hello", module + "/internal/wording", "internal"},
		{"unheard", "strings", "no row"},
	} {
		t.Run(c.dir+" imports "+c.imported, func(t *testing.T) {
			err := allowed(c.dir, c.imported)
			if c.want == "" {
				assert.NoError(t, err)
			} else {
				assert.ErrorContains(t, err, c.want)
			}
		})
	}
}

// allowed says why the package in a folder may not import a path; nil where it may.
func allowed(dir, imported string) error {
	r, err := lookup(dir)
	if err != nil {
		return err
	}
	own, isOwn := strings.CutPrefix(imported+"/", module+"/")
	switch {
	case isOwn:
		return allowedOwn(r, dir, path.Clean(own))
	case !strings.Contains(strings.Split(imported, "/")[0], "."): // standard library
		if within(imported, impure) && !within(imported, harmless) && !within(imported, r.std) {
			return fmt.Errorf("%s imports %s, which is not pure", dir, imported)
		}
	case !within(imported, r.mods):
		return fmt.Errorf("%s imports %s, a third-party package that its row does not name", dir, imported)
	}
	return nil
}

// allowedOwn judges the import of another package of this module.
func allowedOwn(r row, dir, own string) error {
	to, err := lookup(own)
	switch {
	case err != nil:
		return err
	case r.public && within(own, []string{"internal"}):
		return fmt.Errorf("%s imports %s, which is internal", dir, own)
	case r.part == service && to.part == product:
		return fmt.Errorf("%s imports %s, which is of the product", dir, own)
	case to.floor < r.floor, within(r.dir, []string{to.dir}), within(to.dir, []string{r.dir}), slices.Contains(beside[r.dir], to.dir):
		return nil
	case subject(to.dir) == subject(r.dir) && to.floor == r.floor:
		return nil
	}
	return fmt.Errorf("%s imports %s, which is not below it", dir, own)
}

// subject returns the folder that a subject has for itself: one of adapters, a room of pages, or a
// top-level folder.
func subject(dir string) string {
	if within(dir, []string{"pages/internal"}) {
		return dir
	}
	parts := strings.SplitN(dir, "/", 3)
	if parts[0] == "adapters" && len(parts) > 1 {
		return path.Join(parts[:2]...)
	}
	return parts[0]
}

// lookup finds the row of a folder.
func lookup(dir string) (row, error) {
	var found row
	for _, r := range policy {
		if within(dir, []string{r.dir}) && len(r.dir) > len(found.dir) {
			found = r
		}
	}
	if found.dir == "" {
		return row{}, fmt.Errorf("folder %s has no row in the table policy: add one to internal/repotest/policy_test.go", dir)
	}
	return found, nil
}

// within reports whether a path is one of those listed, or below one.
func within(p string, listed []string) bool {
	return slices.ContainsFunc(listed, func(l string) bool { return strings.HasPrefix(p+"/", l+"/") })
}

type source struct {
	name   string
	syntax *ast.File
}

// sources parses the files of every package of the library and the modules beside it by folder,
// whatever their build tags, tests left out.
func sources(t *testing.T) map[string][]source {
	t.Helper()
	files, err := parsed(".")
	require.NoError(t, err)
	found := map[string][]source{}
	for _, f := range files {
		if !strings.HasSuffix(f.name, "_test.go") {
			dir := filepath.ToSlash(filepath.Dir(f.name))
			found[dir] = append(found[dir], f)
		}
	}
	dirs := slices.Sorted(maps.Keys(found))
	for _, dir := range append([]string{"taxonomy"}, nested...) {
		require.True(t, slices.ContainsFunc(dirs, func(d string) bool { return within(d, []string{dir}) }), "there is no package in %s", dir)
	}
	return found
}

// parsed parses the files below a folder.
func parsed(root string) (files []source, err error) {
	err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return skip(p, d.Name())
		case !strings.HasSuffix(p, ".go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		files = append(files, source{p, f})
		return err
	})
	return files, err
}

// skip leaves out the folders that the go command leaves out, modules that are not nested, and
// what npm has installed.
func skip(p, name string) error {
	if p == "." {
		return nil
	}
	_, err := os.Stat(filepath.Join(p, "go.mod"))
	if err == nil && !slices.Contains(nested, filepath.ToSlash(p)) || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "node_modules" {
		return fs.SkipDir
	}
	return nil
}
