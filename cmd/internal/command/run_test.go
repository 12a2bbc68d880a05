package command

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/cloud"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/internal/temptest"
)

// beProgram makes the test binary the program itself, and beSigner a --key-command.
const (
	beProgram = "TEST_BE_DATACHAIN"
	beSigner  = "TEST_BE_SIGNER"
)

func TestMain(m *testing.M) {
	switch {
	case os.Getenv(beProgram) != "":
		os.Exit(Main(Program{Name: "datachain", Buckets: cloud.Buckets{}, Redis: cloud.Redis{}}))
	case os.Getenv(beSigner) != "":
		os.Exit(signerMain(os.Getenv(beSigner)))
	}
	temptest.TempInMemory()
	debug.SetGCPercent(400) // many servers in one process would collect half of the time
	os.Exit(m.Run())
}

// execute runs a command line in a system and returns what it printed.
func execute(ctx context.Context, sys system, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	sys.Stdout, sys.Stderr = &out, &err
	code = run(ctx, args, sys)
	return code, out.String(), err.String()
}

// TestSamples reads the built-in taxonomies, which are used if neither a source
// nor a store is named.
func TestSamples(t *testing.T) {
	t.Parallel()
	sys := testSystem(t.TempDir())
	code, stdout, stderr := execute(t.Context(), sys, "schema", "list")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "ai@latest")
	require.Contains(t, stdout, "sensor@latest")

	code, stdout, _ = execute(t.Context(), sys, "schema", "diff", "ai@latest", "ai@latest-beta")
	require.Equal(t, console.ExitFindings, code)
	require.Contains(t, stdout, "breaking change")
}

func TestCompletionScripts(t *testing.T) {
	t.Parallel()
	for shell, want := range map[string]string{
		"bash": "complete -o default -F __start_datachain datachain", "zsh": "#compdef datachain",
		"fish": "complete -c datachain", "powershell": "Register-ArgumentCompleter -CommandName 'datachain'",
	} {
		t.Run(shell, func(t *testing.T) {
			code, stdout, stderr := execute(t.Context(), testSystem(""), "completion", shell)
			require.Zero(t, code, stderr)
			require.Contains(t, stdout, want)
		})
	}
}

// TestInterrupted shows that a signal ends each command that writes, and that
// nothing is left behind.
func TestInterrupted(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"schema", "lint", "schemas"},
		{"schema", "publish", "schemas", "--store", "store"},
		{"schema", "new", "bikes", "--schemas", "schemas"},
		{"schema", "promote", "bikes@latest-beta", "--schemas", "schemas"},
		{"schema", "diff", "bikes@latest", "bikes@latest-beta", "--schemas", "schemas"},
		{"validate", "documents", "--schemas", "schemas", "--fix", "--write"},
		{"resolve", "documents/good.json", "--schemas", "schemas", "-o", "out.json"},
		{"search", "bike", "--schemas", "schemas"},
	} {
		t.Run(strings.Join(args[:2], " "), func(t *testing.T) {
			p := newPlayer(t)
			before := tree(t, p.sys.Dir)
			ctx, cancel := context.WithCancel(t.Context())
			cancel()
			code, stdout, stderr := execute(ctx, p.sys, args...)
			require.Equal(t, console.ExitFailed, code)
			require.Empty(t, stdout)
			require.Equal(t, "datachain: interrupted\n", stderr)
			require.Equal(t, before, tree(t, p.sys.Dir))
		})
	}
}

// TestInterruptedWhileWriting sends the signal when the first file is written.
func TestInterruptedWhileWriting(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	p.sys.Stdout, p.sys.StderrTerminal = io.Discard, true
	p.sys.Stderr = writerFunc(func(b []byte) {
		if bytes.Contains(b, []byte("publishing: ")) {
			cancel()
		}
	})
	now := time.Now()
	p.sys.Now = func() time.Time { now = now.Add(time.Second); return now }
	require.Equal(t, console.ExitFailed, run(ctx, []string{"schema", "publish", "schemas", "--store", "result/dist"}, p.sys))
	require.Error(t, ctx.Err(), "the signal must have been sent")
	for name := range tree(t, filepath.Join(p.sys.Dir, "result")) {
		require.NotEqual(t, "index.json", filepath.Base(name)) // what else was begun is cleared by the next publisher
	}
}

// writerFunc is a function that is called with what is written.
type writerFunc func([]byte)

func (f writerFunc) Write(b []byte) (int, error) { f(b); return len(b), nil }

// tree lists the files of a directory with their content.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		files[path] = string(data)
		return err
	}))
	return files
}

func TestProgress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		terminal bool
		tick     time.Duration // how long each file takes
		want     string
	}{
		{"fast work shows nothing", true, time.Millisecond, ""},
		{"slow work is shown and cleared", true, 301 * time.Millisecond, "\r\x1b[Kcompiling: 1 of 5\r\x1b[Kcompiling: 2 of 5"},
		{"without a terminal nothing is shown", false, time.Second, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlayer(t)
			now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
			p.sys.StderrTerminal = c.terminal
			p.sys.Now = func() time.Time { now = now.Add(c.tick); return now }
			code, stdout, stderr := execute(t.Context(), p.sys, "schema", "lint", "schemas/bikes/2026-09-01-beta", "--errors-only")
			require.Zero(t, code)
			require.Equal(t, "1 version, 2 warnings (not listed)\n", stdout)
			if c.want == "" {
				require.Empty(t, stderr)
				return
			}
			require.True(t, strings.HasPrefix(stderr, c.want), "%q", stderr)
			require.True(t, strings.HasSuffix(stderr, "\r\x1b[K"), "%q", stderr)
		})
	}
}

// fullDisk is an output that takes so many bytes.
type fullDisk struct{ room int }

var errNoSpace = errors.New("no space left")

func (d *fullDisk) Write(p []byte) (int, error) {
	if d.room -= len(p); d.room < 0 {
		return 0, errNoSpace
	}
	return len(p), nil
}

// TestOutputLost shows that a result which can't be written is a failure.
func TestOutputLost(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		"--help", "version", "version --format json", "completion bash", "schema list --schemas schemas",
		"schema lint schemas", "schema lint broken", "schema diff bikes@latest bikes@latest-beta --schemas schemas",
		"validate documents --schemas schemas", "validate documents --schemas schemas --format json", "validate documents --schemas schemas --format sarif",
		"validate documents --schemas schemas --format github", "resolve documents/good.json --schemas schemas", "codes", "codes parse_error", "codes --format json",
		"schema json-schema", "schema json-schema instance",
	} {
		t.Run(line, func(t *testing.T) {
			p := newPlayer(t)
			var stderr bytes.Buffer
			p.sys.Stdout, p.sys.Stderr = &fullDisk{5}, &stderr
			require.Equal(t, console.ExitFailed, run(t.Context(), strings.Fields(line), p.sys))
			require.Equal(t, "datachain: can't write the output: no space left\n", stderr.String())
		})
	}
}

// TestHostileSource shows that what is quoted from source can't steer a
// terminal, and that long lines are cut around the place.
func TestHostileSource(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"escape sequences", "more.json", "{\"id\": \"\x1b[31mred\"}", []string{"    {\"id\": \"\uFFFD[31mred\"}\n"}},
		{"text that runs backwards", "more.yaml", "ti\u202Etle: x", []string{"    ti\uFFFDtle: x\n    ^\n"}},
		{"tabs", "more.json", "{\t\t1}", []string{"    {\t\t1}\n     \t\t^\n"}},
		{"no UTF-8", "more.yaml", "title: \xff\xfe", []string{"    title: \uFFFD\n           ^\n"}},
		{"a long line", "more.json", "[\"" + strings.Repeat("é", 300) + "\", x, \"" + strings.Repeat("é", 300) + "\"]", []string{"    …éé", "\", x, \"", "éé…\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlayer(t)
			file := p.sys.Path("schemas/bikes/2026-09-01-beta/elements/" + c.file)
			require.NoError(t, os.WriteFile(file, []byte(c.text), 0o644))
			code, stdout, stderr := execute(t.Context(), p.sys, "schema", "lint", "schemas")
			require.Equal(t, console.ExitFindings, code, stderr)
			for _, want := range c.want {
				require.Contains(t, stdout, want)
			}
			require.NotContains(t, stdout, "\x1b")
			for line := range strings.Lines(stdout) {
				require.Less(t, len([]rune(line)), 1000)
			}
		})
	}
}

// TestLinksStayInside shows that nothing outside of the source is printed.
func TestLinksStayInside(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	secret := filepath.Join(p.sys.Dir, "secret.yaml")
	require.NoError(t, os.WriteFile(secret, []byte("password: hunter2"), 0o644))
	require.NoError(t, os.Symlink(secret, p.sys.Path("schemas/bikes/2026-09-01-beta/elements/link.yaml")))
	code, stdout, _ := execute(t.Context(), p.sys, "schema", "lint", "schemas")
	require.Equal(t, console.ExitFindings, code)
	require.Contains(t, stdout, "link.yaml")
	require.NotContains(t, stdout, "hunter2")
}

// TestAbsoluteFolder shows that a folder is printed as it was typed.
func TestAbsoluteFolder(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	elsewhere := p.sys
	elsewhere.Dir = t.TempDir()
	code, stdout, _ := execute(t.Context(), elsewhere, "schema", "lint", p.sys.Path("broken/bikes"))
	require.Equal(t, console.ExitFindings, code)
	require.Contains(t, stdout, p.sys.Path("broken/bikes/2026-09-01-beta/notes.txt")+": warning:")
}

// TestNameWithNewline shows that the name of a file can't pass for a line of the
// answer.
func TestNameWithNewline(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	name := p.sys.Path("schemas/bikes/2026-09-01-beta/elements/a\n1 version, no findings\nx.yaml")
	require.NoError(t, os.WriteFile(name, []byte("id: [\n"), 0o644))
	code, stdout, _ := execute(t.Context(), p.sys, "schema", "lint", "schemas")
	require.Equal(t, console.ExitFindings, code)
	require.NotContains(t, strings.Split(stdout, "\n"), "1 version, no findings")
}

// TestUnknownPinIsHintedByID shows that no alias is suggested for a
// schema_version, which must be an id.
func TestUnknownPinIsHintedByID(t *testing.T) {
	t.Parallel()
	sys := testSystem(t.TempDir())
	doc := `{"id":"x","schema_version":"ai@2026-09-01-beta","created_at":"2026-06-01T10:00Z","elements":[{"element_id":"x"}]}`
	require.NoError(t, os.WriteFile(filepath.Join(sys.Dir, "x.json"), []byte(doc), 0o644))
	code, stdout, _ := execute(t.Context(), sys, "validate", "x.json")
	require.Equal(t, console.ExitFindings, code)
	require.Contains(t, stdout, "hint: write ai@2026-")
	require.NotContains(t, stdout, "@latest")
}

// Each command is a function call away: what a program prints can be shown here.
func Example() {
	sys := testSystem("")
	sys.Stdout, sys.Stderr = os.Stdout, os.Stderr
	code := run(context.Background(), []string{"schema", "diff", "sensor@latest", "sensor@latest"}, sys)
	fmt.Println("exit", code)
	// Output:
	// sensor@2026-11-15-stable -> sensor@2026-11-15-stable
	//
	// No changes: the content is the same.
	// exit 0
}

// TestInstalledAssets checks that the assets of an archive are found from any directory, and
// through a link, and that --assets counts more.
func TestInstalledAssets(t *testing.T) {
	prefix := t.TempDir()
	program := filepath.Join(prefix, "bin", "datachain")
	require.NoError(t, os.MkdirAll(filepath.Dir(program), 0o755))
	require.NoError(t, os.WriteFile(program, nil, 0o755))
	require.Empty(t, console.InstalledAssets(program))

	assets := filepath.Join(prefix, "share", "datachain")
	require.NoError(t, os.MkdirAll(assets, 0o755))
	want, err := filepath.EvalSymlinks(assets)
	require.NoError(t, err)
	require.Equal(t, want, console.InstalledAssets(program))
	link := filepath.Join(t.TempDir(), "datachain")
	if os.Symlink(program, link) == nil { // Windows allows it only to some users
		require.Equal(t, want, console.InstalledAssets(link))
	}

	sys := testSystem(t.TempDir())
	sys.Assets = assets
	code, _, stderr := execute(t.Context(), sys, "site", "--out", "public")
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "--assets "+assets+": ")
	code, _, stderr = execute(t.Context(), sys, "serve")
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "--assets "+assets+": ")
	code, _, stderr = execute(t.Context(), sys, "site", "--out", "public", "--assets", "elsewhere")
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "--assets elsewhere: ")
}
