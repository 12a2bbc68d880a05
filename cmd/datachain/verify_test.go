package main

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/internal/signedlog"
)

// signStore writes a log with all versions of a store, and a trust file.
func signStore(t *testing.T, store, trust string) {
	t.Helper()
	s, err := fsstore.OpenDir(store, nil)
	require.NoError(t, err)
	defer func() { require.NoError(t, s.Close()) }()
	x, err := s.Index(t.Context())
	require.NoError(t, err)
	var entries []*signedlog.Entry
	for _, e := range x.Entries() {
		r, err := s.Release(t.Context(), e.ID)
		require.NoError(t, err)
		entries = append(entries, &signedlog.Entry{
			Op: signedlog.OpPublish, Time: time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC), Version: e.ID, ContentHash: r.ContentHash(), Leaves: r.Leaves(),
		})
	}
	private, public, err := note.GenerateKey(strings.NewReader(strings.Repeat("k", 64)), "example.org/log")
	require.NoError(t, err)
	signer, err := note.NewSigner(private)
	require.NoError(t, err)
	empty := func(context.Context, string) ([]byte, error) { return nil, fs.ErrNotExist }
	files, err := signedlog.NewLog(&signedlog.Checkpoint{Origin: "example.org/log"}, empty).Append(t.Context(), entries, signer)
	require.NoError(t, err)
	for _, f := range files {
		path := filepath.Join(store, "log", filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o777))
		require.NoError(t, os.WriteFile(path, f.Data, 0o666))
	}
	require.NoError(t, os.WriteFile(trust, []byte(`{"origin":"example.org/log","keys":[{"key":"`+public+`"}]}`), 0o666))
}

// readAll returns the text of a file.
func readAll(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return string(text)
}

// TestVerify resolves a document with a proof, and verifies it without the store.
func TestVerify(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(dir, os.DirFS("testdata/tree")))
	run := func(want int, args ...string) (stdout, stderr string) {
		t.Helper()
		stdout, stderr, code := runIn(t, dir, args...)
		require.Equal(t, want, code, "%s%s", stdout, stderr)
		return stdout, stderr
	}
	run(0, "schema", "publish", "schemas", "--store", "dist")
	_, stderr := run(2, "resolve", "documents/good.json", "--store", "dist", "--proof")
	require.Contains(t, stderr, "no log")
	_, stderr = run(2, "resolve", "documents/good.json", "--schemas", "schemas", "--proof")
	require.Contains(t, stderr, "--proof needs a store that has a log")
	signStore(t, filepath.Join(dir, "dist"), filepath.Join(dir, "trust.json"))
	_, stderr = run(0, "resolve", "documents/good.json", "--store", "dist", "--symbols", "--proof", "-o", "good.resolved.json")
	require.Contains(t, stderr, "Wrote good.resolved.proof.json.")
	run(0, "resolve", "documents/good.json", "--store", "dist", "--proof=bare.json", "-o", "bare.resolved.json")
	for _, args := range [][]string{
		{"resolve", "documents/good.json", "--store", "dist", "--proof", "spaced.json"},
		{"resolve", "--proof", "spaced.json", "documents/good.json", "--store", "dist"},
	} {
		run(0, args...)
		run(0, "verify", "bare.resolved.json", "--proof", "spaced.json", "--trust", "trust.json")
		require.NoError(t, os.Remove(filepath.Join(dir, "spaced.json")))
	}
	_, stderr = run(2, "resolve", "documents/good.json", "--store", "dist", "--proof", "spaced.json", "other.json")
	require.Contains(t, stderr, `unexpected argument "other.json"`)
	_, stderr = run(2, "resolve", "--proof", "--store", "dist", "documents/good.json", "other.json")
	require.Contains(t, stderr, `unexpected argument "other.json"`)
	_, stderr = run(2, "resolve", "-", "--store", "dist", "--proof")
	require.Contains(t, stderr, "use --proof FILE")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "dist")))

	stdout, _ := run(0, "verify", "good.resolved.json", "--trust", "trust.json")
	require.Contains(t, stdout, "publisher  the log example.org/log, signed by example.org/log")
	require.Contains(t, stdout, "Not proven:\n  placements:")
	run(0, "verify", "bare.resolved.json", "--proof", "bare.json", "--trust", "trust.json")
	stdout, _ = run(0, "verify", "good.resolved.json", "--trust", "trust.json", "--format", "json")
	var report map[string]any
	require.NoError(t, json.Unmarshal([]byte(stdout), &report))
	require.Equal(t, true, report["ok"])
	require.Equal(t, "example.org/log", report["origin"])

	// The page of the document contains both, in any language, and that of others nothing.
	for doc, want := range map[string]int{"good.resolved.json": 2, "embedded.json": 1, "bare.resolved.json": 0} {
		if doc == "embedded.json" {
			text, proof := readAll(t, dir, "good.resolved.json"), readAll(t, dir, "good.resolved.proof.json")
			require.NoError(t, os.WriteFile(filepath.Join(dir, doc), []byte(strings.TrimSuffix(text, "}")+`,"proof":`+proof+"}"), 0o666))
		}
		page, _ := run(0, "render", doc, "--schemas", "schemas", "--locale", "fr")
		files := regexp.MustCompile(`<a download="([^"]+)" href="data:application/json;base64,([^"]+)"`).FindAllStringSubmatch(page, -1)
		require.Len(t, files, want, doc)
		saved := t.TempDir()
		for _, f := range files {
			body, err := base64.StdEncoding.DecodeString(f[2])
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(filepath.Join(saved, f[1]), body, 0o666))
		}
		if want > 0 {
			require.NoError(t, os.WriteFile(filepath.Join(saved, "trust.json"), []byte(readAll(t, dir, "trust.json")), 0o666))
			command := regexp.MustCompile(`<kbd dir="ltr">datachain ([^<]+)</kbd>`).FindStringSubmatch(page)
			require.NotNil(t, command)
			_, stderr, code := runIn(t, saved, strings.Fields(command[1])...)
			require.Zero(t, code, stderr)
		}
	}

	_, stderr = run(1, "verify", "good.resolved.json", "--proof", "bare.json", "--trust", "trust.json")
	require.Contains(t, stderr, "good.resolved.json is not proven: proof does not hold")
	stdout, _ = run(1, "verify", "documents/good.json", "--proof", "bare.json", "--trust", "trust.json", "--format", "json")
	require.Contains(t, stdout, "resolve it first")
	_, stderr = run(2, "verify", "good.resolved.json")
	require.Contains(t, stderr, "--trust is missing")
	_, stderr = run(2, "verify", "documents/good.json", "--trust", "trust.json")
	require.Contains(t, stderr, "name its file with --proof")

	_, other, err := note.GenerateKey(strings.NewReader(strings.Repeat("x", 64)), "example.org/log")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.json"), []byte(`{"origin":"example.org/log","keys":[{"key":"`+other+`"}]}`), 0o666))
	_, stderr = run(1, "verify", "good.resolved.json", "--trust", "other.json")
	require.Contains(t, stderr, "not signed by a trusted key")
	require.Contains(t, stderr, "newest trust file")
}
