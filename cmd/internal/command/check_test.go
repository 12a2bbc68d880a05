package command

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/keys"
	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/release/publish"
	"github.com/datachain-go/datachain/release/publish/dirtarget"
	"github.com/datachain-go/datachain/release/trust/signedlog"
	"github.com/datachain-go/datachain/taxonomy"
)

func TestCheckSamples(t *testing.T) {
	t.Parallel()
	code, stdout, stderr := execute(t.Context(), testSystem(t.TempDir()), "check")
	require.Equal(t, console.ExitGood, code, stderr)
	require.Contains(t, stdout, "\n5 versions, no problems\n")
}

// TestCheckFinds breaks a store in every way that check knows.
func TestCheckFinds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		harm  func(t *testing.T, archive string)
		icon  func(elementID, variant, svg string) string
		want  string
		baked bool
	}{
		{"nothing", nil, nil, "", true},
		{"a release", func(t *testing.T, archive string) {
			data, err := os.ReadFile(archive)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(archive, bytes.Replace(data, []byte("Purpose"), []byte("Porpoise"), 1), 0o644))
		}, nil, "The release can't be loaded: ", false},
		{"an icon", nil, func(elementID, variant, svg string) string {
			if elementID == "contact.office" && variant == "dark" {
				return "<svg/>"
			}
			return svg
		}, "The icon contact.office/dark is out of date: run 'datachain icons bake'.", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			publishStarter(t, dir, "robot@2026-01-01-beta")
			if tt.icon != nil {
				drawAgain(t, filepath.Join(dir, "store"), tt.icon)
			}
			if tt.harm != nil {
				tt.harm(t, onlyFile(t, filepath.Join(dir, "store", "robot", "2026-01-01-beta", "sha256-*", "*.zip")))
			}
			code, stdout, stderr := execute(t.Context(), testSystem(dir), "check", "--store", "store", "--format", "json")
			var answer checkAnswer
			require.NoError(t, json.Unmarshal([]byte(stdout), &answer), stderr)
			require.Len(t, answer.Versions, 1)
			v := answer.Versions[0]
			if tt.want == "" {
				require.Equal(t, console.ExitGood, code)
				assert.Empty(t, v.Problems)
				assert.Equal(t, tt.baked, v.Icons == v.BakedIcons)
				return
			}
			require.Equal(t, console.ExitFindings, code)
			require.Len(t, v.Problems, 1)
			assert.Contains(t, v.Problems[0], tt.want)
		})
	}
}

// drawAgain publishes the release of a store with other icons.
func drawAgain(t *testing.T, dir string, icon func(elementID, variant, svg string) string) {
	t.Helper()
	store, err := fsstore.OpenDir(dir, nil)
	require.NoError(t, err)
	defer store.Close()
	x, err := store.Index(t.Context())
	require.NoError(t, err)
	r, err := store.Release(t.Context(), x.Entries()[0].ID)
	require.NoError(t, err)
	target, err := dirtarget.Open(t.Context(), dir)
	require.NoError(t, err)
	_, err = publish.Bake(t.Context(), target, []*taxonomy.Release{r}, &publish.Options{
		Icon: func(r *taxonomy.Release, e *taxonomy.Element, variant string) ([]byte, error) {
			svg, err := must(icons.NewSet(r, nil)).Icon(e.ID, variant)
			return []byte(icon(e.ID, variant, string(svg))), err
		},
	})
	require.NoError(t, errors.Join(err, target.Close()))
}

func TestCheckNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "index.json"), []byte(`{"format":2,"versions":[]}`), 0o644))
	code, stdout, _ := execute(t.Context(), testSystem(dir), "check", "--store", ".")
	require.Equal(t, console.ExitFindings, code, "a server without a version is never ready")
	require.Equal(t, "no versions\n", stdout)
}

// TestCheckServer checks what another server serves, and one that is not there.
func TestCheckServer(t *testing.T) {
	t.Parallel()
	s := startServer(t, testSystem(t.TempDir()), "--addr", anyPort)
	code, stdout, stderr := execute(t.Context(), testSystem(""), "check", "--store", s.api)
	require.Equal(t, console.ExitGood, code, stderr)
	require.Contains(t, stdout, "sensor@2026-11-15-stable")
	s.stop()
	code, _, stderr = execute(t.Context(), testSystem(""), "check", "--store", s.api)
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "connection refused")
}

// TestCheckBound changes what stable versions of a store are bound to.
func TestCheckBound(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	publishStarter(t, dir, "robot@2026-01-01-stable")
	publishStarter(t, dir, "robot@2026-02-02-stable")
	code, _, stderr := execute(t.Context(), testSystem(dir), "schema", "retire", "robot@2026-01-01-stable", "--store", "store")
	require.Equal(t, console.ExitGood, code, stderr)
	code, stdout, _ := execute(t.Context(), testSystem(dir), "check", "--store", "store")
	require.Equal(t, console.ExitGood, code, stdout)
	for version, says := range map[string]string{"2026-01-01-stable": " (retired): ", "2026-02-02-stable": ": "} {
		bound := filepath.Join(dir, "store", "robot", version, "bound")
		good, err := os.ReadFile(bound)
		require.NoError(t, err)
		for text, want := range map[string]string{
			"sha256-" + strings.Repeat("0", 64): "It is bound to the content sha256-0000",
			"?":                                 "The content that it is bound to can't be read: ",
		} {
			require.NoError(t, os.WriteFile(bound, []byte(text), 0o644))
			code, stdout, _ := execute(t.Context(), testSystem(dir), "check", "--store", "store")
			require.Equal(t, console.ExitFindings, code, stdout)
			require.Contains(t, strings.Join(strings.Fields(stdout), " "), "robot@"+version+says+want)
		}
		require.NoError(t, os.WriteFile(bound, good, 0o644))
	}
	require.NoError(t, os.Remove(filepath.Join(dir, "store", "robot", "2026-02-02-stable", "bound")))
	code, stdout, _ = execute(t.Context(), testSystem(dir), "check", "--store", "store")
	require.Equal(t, console.ExitGood, code, "as in stores of before: "+stdout)
}

// TestCheckLies forges a store that must follow from a signed log: every lie is a problem, in
// every format, and a store that can't be read is not.
func TestCheckLies(t *testing.T) {
	dir := t.TempDir()
	sys := testSystem(dir)
	run := func(args ...string) (code int, stdout, stderr string) { return execute(t.Context(), sys, args...) }
	for _, name := range []string{"a", "b"} {
		code, stdout, stderr := run("log", "keys", "new", "example.org/log", "--out", name+".key")
		require.Equal(t, console.ExitGood, code, stderr)
		require.NoError(t, os.WriteFile(filepath.Join(dir, name+".json"), []byte(stdout), 0o600))
	}
	writeStarter(t, filepath.Join(dir, "src"), taxonomy.MustVersion("robot@2026-01-01-beta"))
	code, _, stderr := run("schema", "publish", "src", "--store", "signed", "--key", "a.key")
	require.Equal(t, console.ExitGood, code, stderr)
	code, _, stderr = run("schema", "publish", "src", "--store", "unsigned")
	require.Equal(t, console.ExitGood, code, stderr)

	edit := func(name string, change func(string) string) func(store string) {
		return func(store string) {
			file := filepath.Join(store, filepath.FromSlash(name))
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(file, []byte(change(string(text))), 0o600))
		}
	}
	half := func(s string) string { return s[:len(s)/2] }
	remove := func(name string) func(store string) {
		return func(store string) { require.NoError(t, os.Remove(filepath.Join(store, filepath.FromSlash(name)))) }
	}
	// add introduces a key to the log, as a publisher whose clock is wrong. Both keys sign, or only
	// the one that is replaced.
	add := func(behind time.Duration, both bool) func(store string) {
		return func(store string) {
			read := func(_ context.Context, name string) ([]byte, error) {
				return os.ReadFile(filepath.Join(store, "log", name))
			}
			private, err := os.ReadFile(filepath.Join(dir, "a.key"))
			require.NoError(t, err)
			signer, err := note.NewSigner(strings.TrimSpace(string(private)))
			require.NoError(t, err)
			checkpoint, err := read(t.Context(), "checkpoint")
			require.NoError(t, err)
			c, err := signedlog.ParseCheckpoint(checkpoint)
			require.NoError(t, err)
			public, err := keys.Public(strings.TrimSpace(readAll(t, dir, "b.key")))
			require.NoError(t, err)
			key, err := signedlog.Endorse("example.org/log", public, time.Now().Add(-behind), signer)
			require.NoError(t, err)
			next, err := note.NewSigner(strings.TrimSpace(readAll(t, dir, "b.key")))
			require.NoError(t, err)
			files, err := signedlog.NewLog(c, read).Append(t.Context(), []*signedlog.Entry{key}, map[bool][]signedlog.Signer{true: {signer, next}, false: {signer}}[both]...)
			require.NoError(t, err)
			for _, f := range files {
				require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(store, "log", f.Name)), 0o777))
				require.NoError(t, os.WriteFile(filepath.Join(store, "log", f.Name), f.Data, 0o600))
			}
		}
	}
	for name, c := range map[string]struct {
		from, trust string
		forge       func(store string)
		code        int
		want        string
	}{
		"nothing":                           {"signed", "a", func(string) {}, console.ExitGood, "no problems"},
		"no log":                            {"unsigned", "a", func(string) {}, console.ExitFindings, "log/checkpoint is missing"},
		"log removed":                       {"signed", "a", func(store string) { require.NoError(t, os.RemoveAll(filepath.Join(store, "log"))) }, console.ExitFindings, "log/checkpoint is missing"},
		"another key":                       {"signed", "b", func(string) {}, console.ExitFindings, "not signed by a trusted key"},
		"checkpoint forged":                 {"signed", "a", edit("log/checkpoint", func(s string) string { return strings.Replace(s, "\n2\n", "\n3\n", 1) }), console.ExitFindings, "does not match the checkpoint"},
		"checkpoint cut off":                {"signed", "a", edit("log/checkpoint", half), console.ExitFindings, "checkpoint"},
		"tile cut off":                      {"signed", "a", edit("log/tile/0/000.p/2", half), console.ExitFindings, "tile/0/000.p/2 is truncated: it has 32 bytes, but must have 64"},
		"tile altered":                      {"signed", "a", edit("log/tile/0/000.p/2", strings.ToUpper), console.ExitFindings, "does not match its checkpoint"},
		"tile removed":                      {"signed", "a", remove("log/tile/0/000.p/2"), console.ExitFindings, "does not match its checkpoint"},
		"bundle cut off":                    {"signed", "a", edit("log/tile/entries/000.p/2", half), console.ExitFindings, "truncated"},
		"entry altered":                     {"signed", "a", edit("log/tile/entries/000.p/2", func(s string) string { return strings.Replace(s, "beta", "bета", 1) }), console.ExitFindings, "log"},
		"index altered":                     {"signed", "a", edit("index.json", func(s string) string { return strings.Replace(s, "sha256-", "sha256-0", 1) }), console.ExitFindings, "the index does not follow from the log"},
		"other content hash":                {"signed", "a", edit("index.json", otherHash), console.ExitFindings, "the log has another content hash"},
		"index cut off":                     {"signed", "a", edit("index.json", half), console.ExitFindings, "the index does not follow from the log"},
		"sequence of 2^53-1":                {"signed", "a", edit("index.json", lastSequence), console.ExitFindings, "index.json has the sequence 9007199254740991"},
		"sequence of 2^53-1, no log":        {"unsigned", "", edit("index.json", lastSequence), console.ExitFindings, "the file was altered: restore it, or set the sequence that it had"},
		"index with no size":                {"signed", "a", edit("index.json", func(s string) string { return strings.Replace(s, `"log_size":2,`, "", 1) }), console.ExitFindings, "it has no log_size"},
		"entry of now":                      {"signed", "a", add(-4*time.Minute, true), console.ExitGood, "no problems"},
		"entry of tomorrow":                 {"signed", "a", add(-24*time.Hour, true), console.ExitFindings, "which is in the future"},
		"entry of yesterday":                {"signed", "a", add(24*time.Hour, true), console.ExitFindings, "is before that of the entry before it"},
		"signed by a key that was replaced": {"signed", "a", add(0, false), console.ExitFindings, "the log replaced example.org/log+"},
		"no such store":                     {"", "a", func(string) {}, console.ExitFailed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			store := filepath.Join(t.TempDir(), "store")
			if c.from != "" {
				require.NoError(t, os.CopyFS(store, os.DirFS(filepath.Join(dir, c.from))))
				c.forge(store)
			}
			for _, format := range []string{"text", "json"} {
				args := []string{"check", "--store", store, "--format", format}
				if c.trust != "" {
					args = append(args, "--trust", c.trust+".json")
				}
				code, stdout, stderr := run(args...)
				require.Equal(t, c.code, code, "%s%s", stdout, stderr)
				if code == console.ExitFailed {
					require.NotEmpty(t, stderr)
					continue
				}
				if format == "json" {
					var answer checkAnswer
					require.NoError(t, json.Unmarshal([]byte(stdout), &answer))
					require.Equal(t, c.code == console.ExitGood, answer.OK)
					stdout = strings.Join(append(answer.Problems, "no problems"), "\n")
				}
				require.Contains(t, strings.Join(strings.Fields(stdout), " "), c.want)
			}
		})
	}
}

// lastSequence sets the sequence of an index to the highest number that is exact in JSON.
func lastSequence(index string) string {
	return regexp.MustCompile(`"sequence":\d+`).ReplaceAllString(index, `"sequence":9007199254740991`)
}

// otherHash changes the first content hash of an index.
func otherHash(index string) string {
	at := strings.Index(index, `"content_hash":"sha256-`) + len(`"content_hash":"sha256-`)
	digit := "0"
	if index[at] == '0' {
		digit = "1"
	}
	return index[:at] + digit + index[at+1:]
}

// TestCheckOldCopy checks an old copy of a store, and one whose key has expired: the day of a copy can
// be claimed, which is said, unless the log has later entries.
func TestCheckOldCopy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	sys := testSystem(dir)
	sys.CacheDir = t.TempDir()
	good := func(line string) string {
		t.Helper()
		code, stdout, stderr := execute(t.Context(), sys, strings.Fields(line)...)
		require.Equal(t, console.ExitGood, code, stderr)
		return stdout
	}
	trusted := good("log keys new example.org/log --out a.key")
	require.NoError(t, os.WriteFile(filepath.Join(dir, "valid.json"), []byte(trusted), 0o600))
	writeStarter(t, filepath.Join(dir, "src"), taxonomy.MustVersion("robot@2026-01-01-beta"))
	good("schema publish src --store dist --key a.key")
	require.NoError(t, os.CopyFS(filepath.Join(dir, "old"), os.DirFS(filepath.Join(dir, "dist"))))
	good("schema promote robot@2026-01-01-beta --store dist --key a.key")
	good("check --store dist --trust valid.json")
	today := time.Now().UTC().Truncate(24 * time.Hour)
	expired := strings.Replace(trusted, `"key":`, `"until":"`+today.Format(time.RFC3339)+`","key":`, 1)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "trust.json"), []byte(expired), 0o600))
	day := func(days int) string { return today.AddDate(0, 0, days).Format(time.DateOnly) }
	for _, c := range []struct {
		args string
		code int
		says string
	}{
		{"--store dist --trust trust.json", console.ExitFindings, "signed by a key that is not valid at this time: the trust file has example.org/log until " + today.Format(time.RFC3339)},
		{"--store dist --trust trust.json", console.ExitFindings, "For an old copy, name its day with --at."},
		{"--store dist --trust trust.json --at " + day(0), console.ExitGood, "The keys were valid on " + day(0) + ", the day that --at claims: nothing proves that the copy is of that day."},
		{"--store dist --trust trust.json --at " + day(-3), console.ExitFindings, "so the copy is not of " + day(-3) + ", as was claimed"},
		{"--store dist --trust trust.json --at " + day(2), console.ExitFailed, "--at " + day(2) + ": it is in the future"},
		{"--store dist --trust trust.json --at yesterday", console.ExitFailed, "must be a date of the form YYYY-MM-DD"},
		{"--store dist --at " + day(0), console.ExitFailed, "--at requires --trust"},
		{"--store old --trust valid.json", console.ExitFindings, "it has 2 entries, and 3 were seen before. For an old copy, name its day with --at."},
		{"--store old --trust valid.json --at " + day(0), console.ExitGood, "nothing proves that the copy is of that day."},
	} {
		code, stdout, stderr := execute(t.Context(), sys, strings.Fields("check "+c.args)...)
		require.Equal(t, c.code, code, "%s: %s%s", c.args, stdout, stderr)
		require.Contains(t, strings.Join(strings.Fields(stdout+stderr), " "), c.says, c.args)
	}
}

// must returns a value, and fails on an error.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
