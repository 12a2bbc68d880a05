package command

import (
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/taxonomy"
)

// TestSignedStores publishes into a directory and a bucket with a key, adopts and
// rotates, and reads with a trust file.
func TestSignedStores(t *testing.T) {
	for _, store := range []string{"dist", inBucket} {
		t.Run(store, func(t *testing.T) {
			dir, src := t.TempDir(), t.TempDir()
			_, sys := withBucket(t, dir)
			run := func(want int, args ...string) string {
				t.Helper()
				code, stdout, stderr := execute(t.Context(), sys, args...)
				require.Equal(t, want, code, "%v: %s%s", args, stdout, stderr)
				return stdout + stderr
			}
			newKey := func(args ...string) string {
				code, stdout, stderr := execute(t.Context(), sys, append([]string{"log", "keys", "new"}, args...)...)
				require.Zero(t, code, stderr)
				return stdout
			}
			trust := newKey("example.org/log", "--out", "a.key")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "trust.json"), []byte(trust), 0o600))
			newKey("example.org/log", "--out", "b.key")
			newKey("example.org/log", "--out", "d.key")

			writeStarter(t, src, taxonomy.MustVersion("robot@2026-01-01-beta"))
			run(console.ExitGood, "schema", "publish", src, "--store", store)
			require.Contains(t, run(console.ExitFailed, "schema", "list", "--store", store, "--trust", "trust.json"), "log/checkpoint is missing, and the trust file requires a signed log")
			require.Contains(t, run(console.ExitFailed, "schema", "publish", src, "--store", store, "--key", "a.key"), "datachain log adopt")
			require.Contains(t, run(console.ExitGood, "log", "adopt", "--store", store, "--key", "a.key"), "begins with 1 release.\n")
			require.Contains(t, run(console.ExitGood, "log", "adopt", "--store", store, "--key", "a.key"), "has a log already")
			run(console.ExitGood, "schema", "list", "--store", store, "--trust", "trust.json")

			require.Contains(t, run(console.ExitFailed, "schema", "promote", "robot@2026-01-01-beta", "--store", store), "Use --key KEY.")
			run(console.ExitGood, "schema", "promote", "robot@2026-01-01-beta", "--store", store, "--key", "a.key")
			run(console.ExitGood, "log", "rotate", "--store", store, "--key", "a.key", "--new-key", "b.key")
			for _, when := range []string{"before the new key signed", "after the new key signed"} {
				for _, args := range [][]string{{"schema", "retire", "robot@2026-01-01-stable"}, {"log", "rotate", "--new-key", "d.key"}, {"documents", "withdraw", "camera", "--reason", "Test"}} {
					refused := run(console.ExitFailed, append(args, "--store", store, "--key", "a.key")...)
					require.Contains(t, refused, "the key was replaced and signs nothing any more", when)
					require.Contains(t, refused, "\nAnother key signs the log of this store: use that one with --key.\n", when)
				}
				require.Contains(t, run(console.ExitGood, "log", "rotate", "--store", store, "--key", "a.key", "--new-key", "b.key"), "Publish with it from now on", when)
				require.Contains(t, run(console.ExitFailed, "log", "rotate", "--store", store, "--key", "b.key", "--new-key", "a.key"), "the log had the new key before", when)
				if when == "before the new key signed" {
					run(console.ExitGood, "schema", "retire", "robot@2026-01-01-beta", "--store", store, "--key", "b.key")
				}
			}
			run(console.ExitGood, "check", "--store", store, "--trust", "trust.json")

			if runtime.GOOS == "windows" {
				return // its files have no such mode
			}
			require.NoError(t, os.Chmod(filepath.Join(dir, "b.key"), 0o644))
			require.Contains(t, run(console.ExitFailed, "schema", "retire", "robot@2026-01-01-stable", "--store", store, "--key", "b.key"), "chmod 600 b.key")
		})
	}
}

// TestKeyErrors has mistakes with keys: messages name the flag, and what to do.
func TestKeyErrors(t *testing.T) {
	dir := t.TempDir()
	sys := testSystem(dir)
	run := func(args string) (code int, output string) {
		code, stdout, stderr := execute(t.Context(), sys, strings.Fields(args)...)
		return code, stdout + stderr
	}
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	for key, args := range map[string]string{"a": "example.org/log", "b": "example.org/log"} {
		code, stdout, stderr := execute(t.Context(), sys, strings.Fields("log keys new "+args+" --out "+key+".key")...)
		require.Equal(t, console.ExitGood, code, stderr)
		write(key+".json", stdout)
	}
	write("doc.json", `{"schema_version":"robot@2026-01-01-beta"}`)
	write("d.key", "PRIVATE+KEY+example.org/log+00000000+AAAA")
	writeStarter(t, filepath.Join(dir, "src"), taxonomy.MustVersion("robot@2026-01-01-beta"))
	code, output := run("schema publish src --store dist --key a.key")
	require.Equal(t, console.ExitGood, code, output)

	for args, want := range map[string]string{
		"log keys new a+b --out x.key":                           "such as example.org/taxonomies",
		"log keys new a --out a.key":                             "--out a.key: the file exists, and a key is never overwritten",
		"log keys show a.json":                                   "KEY a.json: it must hold a private key",
		"log keys show d.key":                                    "d.key: the private key is damaged: restore it from a copy",
		"schema publish src --store dist --key d.key":            "--key d.key: the private key is damaged",
		"log rotate --store dist --key a.key --new-key a.key":    "--new-key a.key: it is the key that --key names",
		"log rotate --store nowhere --key a.key --new-key b.key": "--store nowhere: it has no log",
		"schema list --store dist --trust doc.json":              "--trust doc.json: trust file: schema_version: the field is unknown; a trust file is JSON such as {\"origin\":",
		"schema publish src --store dist --key b.key":            "\nAnother key signs the log of this store: use that one with --key.\n",
		"schema publish src --store dist --key nothing.key":      "--key nothing.key: no such file",
		"schema publish src --store dist --key env:NOTHING_HERE": "the environment variable NOTHING_HERE must hold a private key",
	} {
		code, output := run(args)
		require.NotEqual(t, console.ExitGood, code, args)
		require.Contains(t, output, want, args)
	}
	require.NoDirExists(t, filepath.Join(dir, "nowhere"))
}

// TestTrustedMirror mirrors the register of a server with a trust file, which is also that of
// the store. That of another log is refused.
func TestTrustedMirror(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sys := testSystem(dir)
	good := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := execute(t.Context(), sys, args...)
		require.Equal(t, console.ExitGood, code, "%v: %s%s", args, stdout, stderr)
		return stdout
	}
	for name, origin := range map[string]string{"own": "example.org/log", "other": "example.org/other"} {
		trust := good("log", "keys", "new", origin, "--out", name+".key")
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), []byte(trust), 0o600))
	}
	require.NoError(t, os.CopyFS(filepath.Join(dir, "schemas"), os.DirFS("../../../examples/taxonomies")))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "documents"), os.DirFS("../../../examples/documents")))
	good("schema", "publish", "schemas", "--store", "dist", "--key", "own.key")
	good("documents", "publish", "documents", "--store", "dist", "--key", "own.key")
	origin := startServer(t, sys, "--store", "dist", "--addr", anyPort, fastDrain)
	url := strings.TrimSuffix(origin.api, "/api/v2")

	mirror := startServer(t, sys, "--store", url, "--documents", url, "--trust", "own.json", "--addr", anyPort, fastDrain)
	_, want := origin.get("/documents")
	require.Contains(t, want, "mill-street-crossing")
	mirror.become(mirror.api+"/documents/mill-street-crossing", http.StatusOK)
	_, got := mirror.get("/documents")
	require.Equal(t, want, got)

	code, _, stderr := execute(t.Context(), sys, "schema", "list", "--store", url, "--trust", "other.json")
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "trust file")

	// A server that never has read anything good ends with the reason.
	good("schema", "publish", "schemas", "--store", "unsigned")
	for store, args := range map[string][]string{
		"dist": {"not signed by a trusted key", "--trust", "other.json"}, url: {"not signed by a trusted key", "--trust", "other.json"},
		"unsigned": {"log/checkpoint is missing", "--trust", "own.json"},
	} {
		code, _, stderr := execute(t.Context(), sys, append([]string{"serve", "--store", store, "--addr", anyPort, fastDrain}, args[1:]...)...)
		require.Equal(t, console.ExitFailed, code, stderr)
		require.Contains(t, stderr, args[0])
		require.Contains(t, stderr, "get the publisher's newest trust file for --trust")
		require.NotContains(t, stderr, "retrying every second")
	}
}

// signerMain is a --key-command: it signs with the private key in a file, or does something
// else.
func signerMain(what string) int {
	kind, file, _ := strings.Cut(what, " ")
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return 1
	}
	private, err := os.ReadFile(file)
	if err != nil {
		return 1
	}
	signer, err := note.NewSigner(strings.TrimSpace(string(private)))
	if err != nil {
		return 1
	}
	sig, err := signer.Sign(text)
	if err != nil {
		return 1
	}
	switch kind {
	case "bytes":
		_, err = os.Stdout.Write(sig)
	case "base64":
		_, err = fmt.Println(base64.StdEncoding.EncodeToString(sig))
	case "fails":
		fmt.Fprintln(os.Stderr, "the token is locked\x1b[2J")
		return 3
	case "hangs":
		time.Sleep(time.Hour)
	case "garbage":
		_, err = fmt.Println("signature: ", sig)
	case "silent":
	}
	if err != nil {
		return 1
	}
	return 0
}

// TestSignCommand publishes with a program that signs, and with programs that do not.
func TestSignCommand(t *testing.T) {
	dir, src := t.TempDir(), t.TempDir()
	sys := testSystem(dir)
	sys.SignLimit = time.Minute
	run := func(args ...string) (int, string, string) { return execute(t.Context(), sys, args...) }
	for _, name := range []string{"a", "b"} {
		code, stdout, stderr := run("log", "keys", "new", "example.org/log", "--out", name+".key")
		require.Zero(t, code, stderr)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), []byte(stdout), 0o600))
		_, public, _ := run("log", "keys", "show", name+".key")
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".pub"), []byte(public), 0o600))
	}
	writeStarter(t, src, taxonomy.MustVersion("robot@2026-01-01-beta"))
	exe, err := os.Executable()
	require.NoError(t, err)
	for _, c := range []struct {
		kind, key, want string
		limit           time.Duration
	}{
		{"fails", "a", "--key-command " + exe + ": exit status 3: the token is locked\uFFFD[2J\nNothing was published. Run the program by hand", time.Minute},
		{"hangs", "a", "it did not end within 300ms, so nothing was published", 300 * time.Millisecond},
		{"garbage", "a", "which are not a signature, so nothing was published: it must print an Ed25519 signature", time.Minute},
		{"silent", "a", "printed 0 bytes, which are not a signature", time.Minute},
		{"bytes", "b", "that the public key of --key does not verify, so nothing was published: name the public key", time.Minute},
		{"bytes", "a", "", time.Minute},
		{"base64", "a", "", time.Minute},
	} {
		t.Run(c.kind+" "+c.key, func(t *testing.T) {
			store := t.TempDir()
			sys.SignLimit = c.limit
			t.Setenv(beSigner, c.kind+" "+filepath.Join(dir, c.key+".key"))
			code, _, stderr := run("schema", "publish", src, "--store", store, "--key", "a.pub", "--key-command", exe)
			list, _, _ := run("schema", "list", "--store", store, "--trust", "a.json")
			if c.want == "" {
				require.Equal(t, console.ExitGood, code, stderr)
				require.Equal(t, console.ExitGood, list)
				return
			}
			require.Equal(t, console.ExitFailed, code)
			require.Contains(t, stderr, c.want)
			require.Equal(t, console.ExitFailed, list)
			require.NoFileExists(t, filepath.Join(store, "index.json"))
			require.NoDirExists(t, filepath.Join(store, "log"))
		})
	}
	for want, args := range map[string][]string{
		"--key-command requires --key": {"--key-command", exe},
		"must name the public key":     {"--key", "a.key", "--key-command", exe},
		"no-such-program":              {"--key", "a.pub", "--key-command", "no-such-program"},
	} {
		code, _, stderr := run(append([]string{"schema", "publish", src, "--store", t.TempDir()}, args...)...)
		require.Equal(t, console.ExitFailed, code)
		require.Contains(t, stderr, want)
	}
}

// TestOlderCopy publishes into a store that was replaced by an older copy, or lost its log.
func TestOlderCopy(t *testing.T) {
	dir, old, src := t.TempDir(), filepath.Join(t.TempDir(), "old"), t.TempDir()
	sys := testSystem(dir)
	sys.CacheDir = t.TempDir()
	run := func(want int, args ...string) string {
		t.Helper()
		code, stdout, stderr := execute(t.Context(), sys, args...)
		require.Equal(t, want, code, "%v: %s%s", args, stdout, stderr)
		return stdout + stderr
	}
	restore := func() {
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "dist")))
		require.NoError(t, os.CopyFS(filepath.Join(dir, "dist"), os.DirFS(old)))
	}
	run(console.ExitGood, "log", "keys", "new", "example.org/log", "--out", "a.key")
	writeStarter(t, src, taxonomy.MustVersion("robot@2026-01-01-beta"))
	run(console.ExitGood, "schema", "publish", src, "--store", "dist", "--key", "a.key")
	require.NoError(t, os.CopyFS(old, os.DirFS(filepath.Join(dir, "dist"))))
	promote := []string{"schema", "promote", "robot@2026-01-01-beta", "--store", "dist", "--key", "a.key"}
	run(console.ExitGood, promote...)

	for what, replace := range map[string]func(){
		"the log was rolled back": restore,
		"the store has no log, and the key has signed one of 3 entries": func() { require.NoError(t, os.RemoveAll(filepath.Join(dir, "dist"))) },
		"the log was rewritten": func() { // by a publisher that did not know of the newest copy
			restore()
			kept := sys.CacheDir
			sys.CacheDir = t.TempDir()
			run(console.ExitGood, "schema", "retire", "robot@2026-01-01-beta", "--store", "dist", "--key", "a.key")
			sys.CacheDir = kept
		},
	} {
		replace()
		require.Contains(t, run(console.ExitFailed, "schema", "publish", src, "--store", "dist", "--key", "a.key"), what)
	}
	// Another store with the same key would be a second log.
	require.Contains(t, run(console.ExitFailed, "schema", "publish", src, "--store", "other", "--key", "a.key"), "datachain log keys new")

	restore()
	_, advice, _ := strings.Cut(run(console.ExitFailed, promote...), "delete ")
	file, _, _ := strings.Cut(advice, " to continue from here")
	require.NoError(t, os.Remove(file))
	run(console.ExitGood, promote...)

	// A store that begins again with a new key of the same name is another one.
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "dist")))
	run(console.ExitGood, "log", "keys", "new", "example.org/log", "--out", "b.key")
	run(console.ExitGood, "schema", "publish", src, "--store", "dist", "--key", "b.key")
}

// TestCopiedStore publishes into copies of a store: one after another, and then into two of the same
// state.
func TestCopiedStore(t *testing.T) {
	dir := t.TempDir()
	sys := testSystem(dir)
	sys.CacheDir = t.TempDir()
	run := func(want int, line string) string {
		t.Helper()
		code, stdout, stderr := execute(t.Context(), sys, strings.Fields(line)...)
		require.Equal(t, want, code, "%s: %s%s", line, stdout, stderr)
		return stderr
	}
	copied := func(to string) string {
		require.NoError(t, os.CopyFS(filepath.Join(dir, to), os.DirFS(filepath.Join(dir, "dist"))))
		return to
	}
	change := func(want int, store, reason string) string {
		return run(want, "schema deprecate sensor@2026-06-15-stable --reason "+reason+" --key a.key --store "+store)
	}
	run(console.ExitGood, "log keys new example.org/log --out a.key")
	run(console.ExitGood, "schema publish --samples --no-icons --store dist --key a.key")

	for _, reason := range []string{"one", "two"} { // copy it, publish into the copy, and rename that
		change(console.ExitGood, copied("next"), reason)
		require.NoError(t, os.RemoveAll(filepath.Join(dir, "dist")))
		require.NoError(t, os.Rename(filepath.Join(dir, "next"), filepath.Join(dir, "dist")))
	}

	first, second := copied("p1"), copied("p2")
	for _, reason := range []string{"three", "four", "five"} {
		change(console.ExitGood, first, reason)
	}
	refused := change(console.ExitFailed, second, "six")
	require.Contains(t, refused, "the log was rolled back")
	require.Contains(t, refused, "publish into the newest copy")
	for _, name := range []string{"index.json", "log/checkpoint"} {
		was, err := os.ReadFile(filepath.Join(dir, "dist", name))
		require.NoError(t, err)
		is, err := os.ReadFile(filepath.Join(dir, second, name))
		require.NoError(t, err)
		require.Equal(t, string(was), string(is))
	}
	change(console.ExitGood, first, "six")
}

// TestAdoptDocuments begins the log of a store that has documents, too.
func TestAdoptDocuments(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "schemas"), os.DirFS("../../../examples/taxonomies")))
	require.NoError(t, os.CopyFS(filepath.Join(dir, "documents"), os.DirFS("../../../examples/register")))
	var output string
	for _, line := range []string{
		"schema publish schemas --store dist", "documents publish documents --store dist",
		"log keys new example.org/log --out a.key", "log adopt --store dist --key a.key",
	} {
		code, stdout, stderr := execute(t.Context(), testSystem(dir), strings.Fields(line)...)
		require.Equal(t, console.ExitGood, code, "%s: %s", line, stderr)
		output = stdout
	}
	require.Equal(t, "The log of dist begins with 5 releases and 5 documents.\n", output)
}
