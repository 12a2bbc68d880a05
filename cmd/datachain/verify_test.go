package main

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/trust"
	"github.com/datachain-go/datachain/trust/signedlog"
)

// signStore writes a log with all versions of a store and then more entries, and a trust file.
func signStore(t *testing.T, store, trusted string, more ...*signedlog.Entry) {
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
	entries = append(entries, more...)
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
	require.NoError(t, os.WriteFile(trusted, []byte(`{"origin":"example.org/log","keys":[{"key":"`+public+`"}]}`), 0o666))
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
	_, stderr := run(2, "resolve", "documents/good.json", "--store", "dist", "--proof", "p.json")
	require.Contains(t, stderr, "no log")
	_, stderr = run(2, "resolve", "documents/good.json", "--schemas", "schemas", "--proof", "p.json")
	require.Contains(t, stderr, "--proof requires a store with a log")
	thin, err := document.Parse([]byte(readAll(t, dir, "documents/good.json")))
	require.NoError(t, err)
	id, _ := thin.Root().Get("id")
	signStore(t, filepath.Join(dir, "dist"), filepath.Join(dir, "trust.json"), &signedlog.Entry{
		Op: signedlog.OpPublishDocument, Time: time.Date(2026, 11, 17, 0, 0, 0, 0, time.UTC), Slug: "good",
		Document: signedlog.DocumentHash(id.Text()), Edition: trust.EditionHash(thin),
	})
	_, stderr = run(0, "resolve", "documents/good.json", "--store", "dist", "--symbols", "--proof", "good.resolved.proof.json", "-o", "good.resolved.json")
	require.Contains(t, stderr, "Wrote good.resolved.proof.json.")
	run(0, "resolve", "documents/good.json", "--store", "dist", "--proof=bare.json", "-o", "bare.resolved.json")
	_, stderr = run(2, "resolve", "documents/good.json", "--store", "dist", "--proof", "spaced.json", "other.json")
	require.Contains(t, stderr, `unexpected argument "other.json"`)
	_, stderr = run(2, "resolve", "documents/good.json", "--proof", "-o", "x.json")
	require.Contains(t, stderr, `--proof must be a file, not "-o"`)
	store, err := fsstore.OpenDir(filepath.Join(dir, "dist"), nil)
	require.NoError(t, err)
	resolved, err := document.Parse([]byte(readAll(t, dir, "good.resolved.json")))
	require.NoError(t, err)
	version, _ := resolved.Root().Get("schema_version")
	release, err := store.Release(t.Context(), taxonomy.MustVersion(version.Text()))
	require.NoError(t, err)
	edition, err := trust.NewProver(stores.LogOf(store)).Prove(t.Context(), release, resolved, "good")
	require.NoError(t, err)
	text, err := json.Marshal(edition)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "edition.json"), text, 0o666))
	require.NoError(t, store.Close())
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "dist")))

	// The first line says what is proven: the snapshot alone is enough only if it is asked for.
	const whole, part = "The whole document is proven: the register published exactly this.\n", "Only the schema snapshot is proven: what the document says about its system is not.\n"
	require.NoError(t, os.WriteFile(filepath.Join(dir, "changed.json"), []byte(strings.Replace(string(resolved.Text()), `"elements":[`, `"remark":"Another one","elements":[`, 1)), 0o666))
	for _, c := range []struct {
		code          int
		doc, proof    string
		first, advice string
		flag          string
		ok            bool
		scope         any
	}{
		{0, "good.resolved.json", "edition.json", whole, "", "", true, "document"},
		{0, "good.resolved.json", "edition.json", whole, "", "--snapshot", true, "document"},
		{1, "good.resolved.json", "good.resolved.proof.json", part, "from the register that published it", "", false, "snapshot"},
		{0, "good.resolved.json", "good.resolved.proof.json", part, "", "--snapshot", true, "snapshot"},
		{1, "changed.json", "good.resolved.proof.json", part, "use --snapshot", "", false, "snapshot"},
		{0, "changed.json", "good.resolved.proof.json", part, "", "--snapshot", true, "snapshot"},
		{1, "changed.json", "edition.json", "", "changed.json is not proven", "", false, nil},
		{1, "changed.json", "edition.json", "", "changed.json is not proven", "--snapshot", false, nil},
	} {
		args := []string{"verify", c.doc, "--proof", c.proof, "--trust", "trust.json"}
		if c.flag != "" {
			args = append(args, c.flag)
		}
		stdout, stderr := run(c.code, args...)
		require.True(t, strings.HasPrefix(stdout, c.first), "%v: %s", args, stdout)
		require.Contains(t, strings.Join(strings.Fields(stderr), " "), c.advice)
		stdout, _ = run(c.code, append(args, "--format", "json")...)
		var report map[string]any
		require.NoError(t, json.Unmarshal([]byte(stdout), &report))
		require.Equal(t, []any{c.ok, c.scope}, []any{report["ok"], report["scope"]})
	}
	stdout, _ := run(0, "verify", "good.resolved.json", "--trust", "trust.json", "--snapshot")
	require.Contains(t, stdout, "publisher  the log example.org/log, signed by example.org/log")
	require.Contains(t, stdout, "Not proven:\n  placements:")
	run(0, "verify", "bare.resolved.json", "--proof", "bare.json", "--trust", "trust.json", "--snapshot")

	_, stderr = run(1, "verify", "good.resolved.json", "--proof", "bare.json", "--trust", "trust.json")
	require.Contains(t, stderr, "good.resolved.json is not proven: proof does not hold")
	stdout, _ = run(1, "verify", "documents/good.json", "--proof", "bare.json", "--trust", "trust.json", "--format", "json")
	require.Contains(t, stdout, "resolve it first")
	_, stderr = run(2, "verify", "good.resolved.json")
	require.Contains(t, stderr, "--trust is required")
	_, stderr = run(2, "verify", "documents/good.json", "--trust", "trust.json")
	require.Contains(t, stderr, "name its file with --proof")

	_, other, err := note.GenerateKey(strings.NewReader(strings.Repeat("x", 64)), "example.org/log")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "other.json"), []byte(`{"origin":"example.org/log","keys":[{"key":"`+other+`"}]}`), 0o666))
	_, stderr = run(1, "verify", "good.resolved.json", "--trust", "other.json")
	require.Contains(t, stderr, "not signed by a trusted key")
	require.Contains(t, stderr, "newest trust file")
}
