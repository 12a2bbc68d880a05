package datachain_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
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
)

const module = "github.com/datachain-go/datachain"

// The third-party packages that the policy speaks of. Each is explained in
// docs/internals/dependencies.md.
const (
	awsSDK     = "github.com/aws/aws-sdk-go-v2"
	smithy     = "github.com/aws/smithy-go"
	cobra      = "github.com/spf13/cobra"
	compress   = "github.com/klauspost/compress"
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
	uax29      = "github.com/clipperhouse/uax29/v2"
	note       = "golang.org/x/mod/sumdb/note"
	qrCode     = "rsc.io/qr"
	yaml       = "go.yaml.in/yaml/v3"
)

// A layer is a part of the architecture. A package imports only lower layers, and within
// its own layer what its row names.
type layer int

const (
	model   layer = iota // the model and its helpers: pure, without a system, a network or a log
	core                 // validate, resolve, icons, search: pure, side by side
	upper                // authoring and evolution: pure
	entry                // the root package: the Service
	shared               // what several adapters use
	adapter              // a protocol or a storage, translated
	top                  // programs and examples
)

// A row says what the packages of a directory may import besides the harmless part
// of the standard library.
type row struct {
	dir   string // a pattern: "a/b", or "a/..." for a and all below it
	layer layer
	std   []string // impure standard packages allowed all the same
	mods  []string // third-party packages, with what is below them
	own   []string // packages of this module, as patterns
}

// policy is the architecture as a table. The first row that matches a directory
// applies, and a directory without a row fails the test, so a new package begins
// with a row here.
var policy = []row{
	{dir: "taxonomy", std: []string{"context"}, mods: []string{jsonExp, tlog, text}, own: []string{"taxonomy/issue", "taxonomy/document", "internal/..."}},
	{dir: "taxonomy/issue", mods: []string{jsonExp}, own: []string{"internal/..."}},
	{dir: "taxonomy/document", mods: []string{jsonExp}, own: []string{"taxonomy/issue", "internal/..."}},
	{dir: "taxonomy/ledger", std: []string{"context"}, mods: []string{jsonExp, tlog}, own: []string{"taxonomy", "taxonomy/document", "internal/..."}},
	{dir: "internal/signedlog", std: []string{"context"}, mods: []string{jsonExp, tlog, note}, own: []string{"taxonomy", "taxonomy/document", "internal/codes", "internal/merkle", "internal/prose"}},
	{dir: "internal/merkle", mods: []string{tlog}},
	{dir: "internal/jsonedit", own: []string{"taxonomy/issue", "taxonomy/document", "internal/jcs"}},
	{dir: "authoring/source", layer: upper, own: []string{"taxonomy", "taxonomy/issue", "internal/source"}},
	{dir: "internal/source", layer: upper, mods: []string{jsonExp, text, yaml}, own: []string{"evolution/history", "taxonomy", "taxonomy/issue", "taxonomy/document", "icons", "internal/..."}},
	{dir: "internal/dtpr", layer: upper, mods: []string{text}, own: []string{"taxonomy", "taxonomy/issue", "taxonomy/document", "icons", "internal/..."}},
	{dir: "internal/diff", layer: upper, std: []string{"context"}, mods: []string{uax29}, own: []string{"evolution/history", "taxonomy", "taxonomy/issue", "taxonomy/document", "validate", "internal/..."}},
	{dir: "internal/translation", layer: upper, own: []string{"evolution/history", "taxonomy", "taxonomy/issue", "internal/..."}},
	{dir: "evolution/history", layer: core, own: []string{"taxonomy", "internal/codes"}},
	{dir: "evolution/upgrade", layer: upper, mods: []string{jsonExp}, own: []string{"evolution/history", "taxonomy", "taxonomy/issue", "taxonomy/document", "validate", "internal/..."}},
	{dir: "internal/report", layer: upper, std: []string{"path/filepath"}, mods: []string{text}, own: []string{"taxonomy/issue", "taxonomy/document", "internal/..."}},
	{dir: "internal/review", layer: upper, own: []string{"taxonomy", "search", "internal/..."}},
	{dir: "internal/publish", layer: upper, std: []string{"context"}, mods: []string{note}, own: []string{"taxonomy", "internal/..."}},
	{dir: "taxonomy/storetest", std: []string{"context", "testing"}, own: []string{"taxonomy", "taxonomy/issue", "taxonomy/document"}},
	{dir: "icons", layer: core, own: []string{"taxonomy", "taxonomy/issue", "taxonomy/document", "internal/..."}},
	{dir: "validate", layer: core, mods: []string{jsonExp, jsonSchema, text}, own: []string{"taxonomy", "taxonomy/issue", "taxonomy/document", "internal/..."}},
	{dir: "internal/derived", layer: upper, own: []string{"taxonomy", "taxonomy/document", "validate", "internal/..."}},
	{dir: "resolve", layer: core, mods: []string{jsonExp, text}, own: []string{"taxonomy", "taxonomy/issue", "taxonomy/document", "internal/..."}},
	{dir: "search", layer: core, mods: []string{text, uax29}, own: []string{"taxonomy", "taxonomy/issue", "taxonomy/document", "internal/..."}},
	{dir: "internal/published", std: []string{"context"}, own: []string{"taxonomy", "internal/concurrent", "internal/limited", "internal/prose", "internal/signedlog"}},
	{dir: "internal/concurrent", std: []string{"context"}, mods: []string{sys}},
	// Not pure, since it sends responses.
	{dir: "internal/web", layer: entry, std: []string{"context", "net"}, mods: []string{compress}, own: []string{"internal/concurrent"}},
	// Not pure, since they read and write directories.
	{dir: "internal/goldentest", layer: entry, std: []string{"testing"}, mods: []string{"github.com/google/go-cmp"}},
	{dir: "internal/enginetest", layer: entry, std: []string{"context", "net", "os", "path/filepath", "syscall", "testing"}, own: []string{"taxonomy", "internal/published", "internal/publish", "taxonomy/storetest"}},
	{dir: "internal/s3bucket", layer: entry, std: anyStd, mods: []string{awsSDK, smithy, jsonExp}, own: []string{"taxonomy", "internal/publish", "internal/published"}},
	{dir: "internal/dirtarget", layer: entry, std: []string{"context", "os", "path/filepath", "syscall"}, mods: []string{flock}, own: []string{"taxonomy", "internal/concurrent", "internal/prose", "internal/publish", "internal/published"}},
	{dir: "internal/files", layer: entry, std: []string{"context", "os", "path/filepath", "syscall"}, own: []string{"taxonomy", "internal/limited", "internal/published", "internal/signedlog"}},
	// Above the adapters, which it connects, and below the command.
	{
		dir: "internal/serve", layer: top, std: anyStd, mods: []string{prometheus, sys},
		own: []string{".", "taxonomy", "taxonomy/issue", "taxonomy/ledger", "documents", "adapters/...", "internal/..."},
	},
	{
		dir: "internal/stores", layer: top, std: anyStd, mods: []string{jsonExp, yaml},
		own: []string{".", "icons", "taxonomy", "taxonomy/issue", "taxonomy/ledger", "adapters/...", "examples/taxonomies", "internal/..."},
	},
	// Above the root package, whose summaries it puts into words.
	{dir: "internal/texts", layer: shared, mods: []string{idna, text}, own: []string{".", "taxonomy", "search", "internal/codes", "internal/prose"}},
	{
		dir: "internal/registers", layer: shared, std: []string{"context"}, mods: []string{compress, jsonExp, text},
		own: []string{".", "taxonomy", "taxonomy/issue", "taxonomy/document", "taxonomy/ledger", "evolution/history", "icons", "resolve", "search", "internal/..."},
	},
	{dir: "internal/sign", layer: shared, mods: []string{fixed, qrCode, svgo, text, typeset}, own: []string{".", "taxonomy", "icons", "internal/..."}},
	// Runs in a browser, too, so it is handed its streams and stores.
	{
		dir: "internal/lsp", layer: adapter, std: []string{"context"}, mods: []string{jsonExp},
		own: []string{".", "taxonomy", "taxonomy/issue", "taxonomy/document", "evolution/upgrade", "icons", "validate", "adapters/view", "internal/..."},
	},
	{dir: "internal/...", mods: []string{jsonExp, text}, own: []string{"internal/..."}},

	{
		dir: ".", layer: entry, std: []string{"context"},
		own: []string{"taxonomy", "taxonomy/issue", "taxonomy/document", "evolution/upgrade", "validate", "resolve", "icons", "search", "internal/..."},
	},

	{dir: "documents", layer: shared, std: []string{"context"}, own: []string{".", "taxonomy", "taxonomy/issue", "internal/registers"}},
	{dir: "adapters/ratelimit", layer: shared, std: []string{"context", "net"}},
	{dir: "adapters/ratelimit/ratelimittest", layer: shared, std: []string{"context", "testing"}, own: []string{"adapters/ratelimit"}},
	{dir: "adapters/view", layer: shared, own: []string{".", "taxonomy", "taxonomy/issue", "taxonomy/document", "icons", "internal/..."}},
	{
		dir: "adapters/httpapi", layer: adapter, std: anyStd, mods: []string{jsonExp},
		own: []string{".", "taxonomy", "taxonomy/issue", "taxonomy/ledger", "taxonomy/document", "evolution/upgrade", "icons", "validate", "documents", "adapters/ratelimit", "adapters/view", "internal/..."},
	},
	{
		dir: "adapters/mcp", layer: adapter, std: anyStd, mods: []string{jsonExp},
		own: []string{".", "taxonomy", "taxonomy/issue", "taxonomy/ledger", "taxonomy/document", "documents", "adapters/view", "internal/..."},
	},
	{
		dir: "adapters/explorer", layer: adapter, std: anyStd, mods: []string{jsonExp, text},
		own: []string{".", "taxonomy", "taxonomy/issue", "taxonomy/ledger", "taxonomy/document", "icons", "search", "validate", "evolution/upgrade", "documents", "adapters/ratelimit", "adapters/view", "internal/..."},
	},
	{dir: "adapters/memstore", layer: adapter, std: anyStd, own: []string{"taxonomy", "taxonomy/issue", "taxonomy/document", "internal/..."}},
	{dir: "adapters/laststore", layer: adapter, std: anyStd, own: []string{"taxonomy", "taxonomy/ledger", "internal/..."}},
	{dir: "adapters/fsstore", layer: adapter, std: anyStd, own: []string{"taxonomy", "taxonomy/ledger", "taxonomy/issue", "taxonomy/document", "icons", "internal/..."}},
	{dir: "adapters/httpstore", layer: adapter, std: anyStd, own: []string{"taxonomy", "taxonomy/ledger", "taxonomy/issue", "taxonomy/document", "internal/..."}},
	{dir: "adapters/redisshare", layer: adapter, std: anyStd, mods: []string{compress, goRedis}, own: []string{"adapters/ratelimit", "internal/concurrent"}},
	{dir: "adapters/s3store", layer: adapter, std: anyStd, mods: []string{awsSDK}, own: []string{"taxonomy", "taxonomy/ledger", "internal/..."}},

	// What pages in a browser call.
	{
		dir: "web/wasm/internal/engine", layer: adapter, std: []string{"context"}, mods: []string{jsonExp},
		own: []string{".", "taxonomy", "taxonomy/issue", "taxonomy/document", "evolution/upgrade", "adapters/view", "internal/..."},
	},
	// Above the language server, which it connects with a page.
	{
		dir: "web/wasm/internal/worker", layer: top, std: []string{"context"},
		own: []string{".", "taxonomy", "web/wasm/internal/engine", "internal/..."},
	},
	{dir: "web/wasm/internal/interop", layer: top, std: []string{"context", "syscall"}, mods: []string{jsonExp}, own: []string{"web/wasm/internal/engine"}},
	{dir: "web/wasm", layer: top, std: []string{"syscall"}, own: []string{"web/wasm/internal/engine", "web/wasm/internal/interop"}},
	{dir: "web/wasm/lsp", layer: top, std: []string{"context", "syscall"}, own: []string{"web/wasm/internal/interop", "web/wasm/internal/worker"}},
	{dir: "web/wasm/site", layer: top, std: []string{"context", "net", "syscall"}, own: []string{".", "adapters/explorer", "web/wasm/internal/interop", "web/wasm/internal/engine"}},
	{dir: "web/wasm/verify", layer: top, std: []string{"syscall"}, mods: []string{jsonExp}, own: []string{"taxonomy/ledger"}},

	// Examples import what any program could: nothing internal.
	{
		dir: "examples/...", layer: top, std: anyStd,
		own: []string{".", "taxonomy/...", "validate", "resolve", "icons", "search", "authoring/...", "evolution/...", "adapters/...", "examples/..."},
	},
	{dir: "cmd/...", layer: top, std: anyStd, mods: []string{cobra, note, pflag, term}, own: []string{"..."}},
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
	{"taxonomy", []string{"github.com/go-json-experiment/json", "golang.org/x/mod"}},
	{"icons", []string{"github.com/go-json-experiment/json", "golang.org/x/mod"}},
	{"resolve", []string{"github.com/go-json-experiment/json", "golang.org/x/mod"}},
	{"search", []string{"github.com/clipperhouse/uax29/v2", "github.com/go-json-experiment/json", "golang.org/x/mod", "golang.org/x/text"}},
	{"validate", []string{"github.com/go-json-experiment/json", "github.com/santhosh-tekuri/jsonschema/v6", "golang.org/x/mod", "golang.org/x/text"}},
}

// TestImports holds every package to its row of the policy, and keeps it free of work at
// start: importing one changes nothing.
func TestImports(t *testing.T) {
	for dir, files := range sources(t) {
		t.Run(dir, func(t *testing.T) {
			for _, f := range files {
				for _, spec := range f.syntax.Imports {
					imported, err := strconv.Unquote(spec.Path.Value)
					require.NoError(t, err)
					assert.NoError(t, allowed(dir, imported), f.name)
				}
				for _, decl := range f.syntax.Decls {
					fn, ok := decl.(*ast.FuncDecl)
					assert.False(t, ok && fn.Recv == nil && fn.Name.Name == "init", "%s has an init function", f.name)
				}
			}
		})
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
	for target, drawn := range map[string]bool{"js/wasm ./web/wasm/...": false, "linux/amd64 ./cmd/datachain": true} {
		platform, dir, _ := strings.Cut(target, " ")
		system, architecture, _ := strings.Cut(platform, "/")
		cmd := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{.ImportPath}} {{.EmbedFiles}}", dir)
		cmd.Env = append(cmd.Environ(), "GOOS="+system, "GOARCH="+architecture)
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		require.NoError(t, err, stderr.String())
		assert.Contains(t, string(out), module+"/internal/sign ", target)
		assert.Equal(t, drawn, strings.Contains(string(out), typeset), target)
		assert.Equal(t, drawn, strings.Contains(string(out), ".ttf"), target)
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
		{"taxonomy", text + "/language", ""},
		{"taxonomy", module + "/internal/prose", ""},
		{"taxonomy", "net/http", "not pure"},
		{"taxonomy", "os", "not pure"},
		{"taxonomy", "os/exec", "not pure"},
		{"taxonomy", "log/slog", "not pure"},
		{"taxonomy", "unsafe", "not pure"},
		{"taxonomy", yaml, "third-party"},
		{"taxonomy", cobra, "third-party"},
		{"taxonomy", module + "/icons", "is above it"},
		{"taxonomy/storetest", module + "/search", "is above it"},
		{"icons", module + "/internal/source", "is above it"},
		{"taxonomy", module + "/adapters/fsstore", "is above it"},
		{"taxonomy", module + "/unheard", "no row"},
		{"internal/source", yaml, ""},
		{"internal/source", module + "/icons", ""},
		{"validate", module + "/search", "do not import one another"},
		{"icons", "context", "not pure"},
		{".", module + "/taxonomy", ""},
		{".", module + "/adapters/memstore", "is above it"},
		{"adapters/fsstore", "os", ""},
		{"internal/dirtarget", flock, ""},
		{"adapters/fsstore", "unsafe", "not pure"},
		{"adapters/memstore", flock, "third-party"},
		{"adapters/fsstore", module + "/adapters/memstore", "one another"},
		{"adapters/httpapi", module + "/internal/serve", "above"},
		{"internal/serve", module + "/adapters/fsstore", ""},
		{"cmd/datachain", module + "/adapters/fsstore", ""},
		{"cmd/datachain", module + "/internal/serve", ""},
		{"cmd/datachain", yaml, "third-party"},
		{"examples/hello", module + "/adapters/memstore", ""},
		{"examples/hello", module + "/internal/prose", "not in the row"},
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

// allowedOwn judges the import of another package of this module. The layers
// hold whatever a row says.
func allowedOwn(r row, dir, own string) error {
	to, err := lookup(own)
	switch {
	case err != nil:
		return err
	case to.layer > r.layer:
		return fmt.Errorf("%s imports %s, which is above it", dir, own)
	case to.layer == adapter && r.layer == adapter:
		return fmt.Errorf("%s imports %s, but adapters do not import one another", dir, own)
	case to.layer == core && r.layer == core && part(own) != part(dir):
		return fmt.Errorf("%s imports %s, but the parts of the core do not import one another", dir, own)
	case !slices.ContainsFunc(r.own, func(pattern string) bool { return matches(pattern, own) }):
		return fmt.Errorf("%s imports %s, which is not in the row", dir, own)
	}
	return nil
}

// part returns the top-level directory of a package.
func part(dir string) string {
	top, _, _ := strings.Cut(dir, "/")
	return top
}

// lookup finds the row of a folder.
func lookup(dir string) (row, error) {
	i := slices.IndexFunc(policy, func(r row) bool { return matches(r.dir, dir) })
	if i < 0 {
		return row{}, fmt.Errorf("package %s has no row in the table policy: add one to policy_test.go", dir)
	}
	return policy[i], nil
}

// matches reports whether a folder fits a pattern.
func matches(pattern, dir string) bool {
	if base, ok := strings.CutSuffix(pattern, "..."); ok {
		return strings.HasPrefix(dir+"/", base)
	}
	return pattern == dir
}

// within reports whether a path is one of those listed, or below one.
func within(p string, listed []string) bool {
	return slices.ContainsFunc(listed, func(l string) bool { return strings.HasPrefix(p+"/", l+"/") })
}

type source struct {
	name   string
	syntax *ast.File
}

// sources parses the files of every package of this module by folder, whatever
// their build tags, tests left out.
func sources(t *testing.T) map[string][]source {
	t.Helper()
	found := map[string][]source{}
	err := filepath.WalkDir(".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return skip(p, d.Name())
		case !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go"):
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), p, nil, parser.SkipObjectResolution)
		dir := filepath.ToSlash(filepath.Dir(p))
		found[dir] = append(found[dir], source{p, f})
		return err
	})
	require.NoError(t, err)
	require.Contains(t, found, "taxonomy", "the test must run in the root of the module")
	return found
}

// skip leaves out the folders that the go command leaves out, other modules, and what npm
// has installed.
func skip(p, name string) error {
	if p == "." {
		return nil
	}
	_, err := os.Stat(filepath.Join(p, "go.mod"))
	if err == nil || strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "node_modules" {
		return fs.SkipDir
	}
	return nil
}
