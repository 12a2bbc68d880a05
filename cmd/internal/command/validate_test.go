package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// write puts a file into the world of a player and returns its path.
func (p *player) write(name, text string) string {
	p.T.Helper()
	path := p.sys.Path(name)
	require.NoError(p.T, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(p.T, os.WriteFile(path, []byte(text), 0o644))
	return path
}

// bikeDocument is a valid document with a place to put something else.
func bikeDocument(elements string) string {
	return `{"id": "a", "schema_version": "bikes@2026-09-01-beta", "created_at": "2026-09-02T08:00Z", "elements": [` + elements + `]}`
}

const slip = `{"element_id": "data.trip", "context_type_id": "named"}`

// TestSARIFPaths names documents relative to the working directory.
func TestSARIFPaths(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	outside := filepath.Join(t.TempDir(), "outside.json")
	require.NoError(t, os.WriteFile(outside, []byte("{"), 0o644))
	code, stdout, stderr := execute(t.Context(), p.sys, "validate", "documents/slips.json", outside, "nowhere.json",
		"--schemas", "schemas", "--strict", "--format", "sarif")
	require.Equal(t, console.ExitFailed, code, stderr)
	require.Contains(t, stdout, `"version": "v1.2.3"`)
	require.Contains(t, stdout, `"uri": "documents/slips.json",`)
	require.Contains(t, stdout, `"uri": "file://`+filepath.ToSlash(outside)+`"`)
	require.Contains(t, stdout, `"text": "nowhere.json: no such file or directory"`)
}

// TestGitHubWorkspace shows that annotations count paths from the checkout,
// wherever in it the command runs.
func TestGitHubWorkspace(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	p.Env["GITHUB_WORKSPACE"] = p.sys.Dir
	p.sys.Dir = p.sys.Path("documents")
	_, stdout, _ := execute(t.Context(), p.sys, "validate", "slips.json", "--schemas", "../schemas", "--format", "github")
	require.Contains(t, stdout, "::error file=documents/slips.json,line=6,")
}

// TestValidateMany judges many documents side by side, and answers in order.
func TestValidateMany(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	const n = 300
	for i := range n {
		text := bikeDocument(slip)
		if i%3 == 0 {
			text = bikeDocument(strings.Replace(slip, "data.trip", "data.trips", 1))
		}
		p.write(fmt.Sprintf("many/%03d.json", i), text)
	}
	now := time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)
	p.sys.StderrTerminal = true
	p.sys.Now = func() time.Time { now = now.Add(200 * time.Millisecond); return now }
	code, stdout, stderr := execute(t.Context(), p.sys, "validate", "many", "--schemas", "schemas", "--format", "json")
	require.Equal(t, console.ExitFindings, code)
	var answer struct {
		Files []struct {
			File string
			OK   bool
		}
		Summary report.Summary
	}
	require.NoError(t, json.Unmarshal([]byte(stdout), &answer))
	require.Len(t, answer.Files, n)
	for i, f := range answer.Files {
		require.Equal(t, fmt.Sprintf("many/%03d.json", i), f.File)
		require.Equal(t, i%3 == 0, f.OK)
	}
	require.Equal(t, report.Summary{Files: n, Valid: n / 3, Errors: n - n/3}, answer.Summary)
	require.Contains(t, stderr, "\r\x1b[Kvalidating: ")
	require.True(t, strings.HasSuffix(stderr, "\r\x1b[K"), "%q", stderr)
}

// TestResolveCap takes a bundle of exactly so many bytes, and not one more.
func TestResolveCap(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	code, bundle, stderr := execute(t.Context(), p.sys, "resolve", "documents/good.json", "--schemas", "schemas")
	require.Zero(t, code, stderr)
	doc, err := document.Parse([]byte(bundle))
	require.NoError(t, err)
	require.Equal(t, bundle, string(doc.Root().AppendCanonical(nil)))

	args := []string{"resolve", "documents/good.json", "--schemas", "schemas", "--max-bytes"}
	code, again, _ := execute(t.Context(), p.sys, append(args, fmt.Sprint(len(bundle)))...)
	require.Zero(t, code)
	require.Equal(t, bundle, again)
	code, none, stderr := execute(t.Context(), p.sys, append(args, fmt.Sprint(len(bundle)-1))...)
	require.Equal(t, console.ExitFindings, code)
	require.Empty(t, none)
	require.Contains(t, stderr, fmt.Sprintf("has %d bytes; at most %d are allowed", len(bundle), len(bundle)-1))
	require.Equal(t, 524288, resolve.DefaultMaxBytes)
}

// TestEndlessInput shows that a signal ends a command that waits for input.
func TestEndlessInput(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"validate", "resolve"} {
		p := newPlayer(t)
		in, out := io.Pipe()
		p.sys.Stdin = in
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_, _ = out.Write([]byte("{")) // returns when it is read
			cancel()
		}()
		code, _, stderr := execute(ctx, p.sys, command, "-", "--schemas", "schemas")
		require.Equal(t, console.ExitFailed, code)
		require.Equal(t, "datachain: interrupted\n", stderr)
		require.NoError(t, out.Close())
	}
}

// TestDocumentTooLarge shows that a file is not read without end.
func TestDocumentTooLarge(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	p.sys.Stdin = bytes.NewReader(make([]byte, inputs.MaxSize+1))
	code, stdout, stderr := execute(t.Context(), p.sys, "validate", "-", "--samples")
	require.Equal(t, console.ExitFailed, code)
	require.Equal(t, "1 file, no findings, 1 unreadable\n", stdout)
	require.Equal(t, "datachain: stdin: too large for a datachain document: more than 16 MiB\n", stderr)
}

// TestHostileDocument shows that what is quoted from documents can't steer a
// terminal or a workflow, and that long lines are cut around the place.
func TestHostileDocument(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       string // in the text
	}{
		{"escape sequences", "{\"\x1b[31m", "    {\"\uFFFD[31m\n"},
		{"text that runs backwards", bikeDocument("{\"element_id\": \"a\u202Eb\"}"), "{\"element_id\": \"a\uFFFDb\"}"},
		{"a workflow command", bikeDocument(`{"element_id": "\n::error::gotcha"}`), `There is no element "\n::error::gotcha"`},
		{"no UTF-8", "{\"\xff\xfe", "    {\"\uFFFD\n"},
		{"Windows line ends", "{\r\n  \"id\": 1\r\n}\r\n", "      \"id\": 1\n            ^\n"},
		{"wide characters", bikeDocument(`{"label": "自転車́", "element_id": "x"}`), `"自転車́", "element_id": "x"`},
		{"a long line", bikeDocument(`{"label": "` + strings.Repeat("é", 300) + `", "element_id": "x", "citation": "` + strings.Repeat("é", 300) + `"}`), `"element_id": "x"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := newPlayer(t)
			p.write("a.json", c.text)
			code, stdout, stderr := execute(t.Context(), p.sys, "validate", "a.json", "--schemas", "schemas")
			require.Equal(t, console.ExitFindings, code, stderr)
			require.Contains(t, stdout, c.want)
			require.NotContains(t, stdout, "\x1b")
			for line := range strings.Lines(stdout) {
				require.Less(t, len([]rune(line)), 300)
			}
			_, stdout, _ = execute(t.Context(), p.sys, "validate", "a.json", "--schemas", "schemas", "--format", "github")
			for line := range strings.Lines(stdout) {
				require.Regexp(t, `^(::(error|warning) file=a.json,line=\d+,|1 file, )`, line)
			}
		})
	}
}

// TestValidateGroups shows that a warning about many documents is written once.
func TestValidateGroups(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	slips, err := os.ReadFile(filepath.Join(p.sys.Dir, "documents", "slips.json"))
	require.NoError(t, err)
	for _, name := range []string{"a", "b", "c"} {
		p.write("many/"+name+".json", string(slips))
	}
	_, stdout, _ := execute(t.Context(), p.sys, "validate", "many", "--schemas", "schemas")
	require.Equal(t, 1, strings.Count(stdout, "[CONTEXT_TYPE_MISSING]"), stdout)
	require.Contains(t, stdout, "warning: 3 times: ")
}
