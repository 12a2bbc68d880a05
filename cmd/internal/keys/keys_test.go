package keys_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/sumdb/note"

	"github.com/datachain-go/datachain/cmd/internal/keys"
)

// TestKeys creates a key and reads it from its file and from a variable. The tests of the command
// have the mistakes, and programs that sign.
func TestKeys(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.key")
	public, err := keys.Create(file, "example.org/log")
	require.NoError(t, err)
	_, err = keys.Create(file, "example.org/log")
	require.ErrorIs(t, err, fs.ErrExist)
	_, err = keys.Create(filepath.Join(dir, "b.key"), "a b")
	require.ErrorIs(t, err, keys.ErrName)
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	r := keys.Reader{Dir: dir, Getenv: func(name string) string { return map[string]string{"KEY": string(text)}[name] }}
	for _, typed := range []string{"a.key", file, "env:KEY"} {
		key, err := r.Signer(typed)
		require.NoError(t, err)
		require.Equal(t, public, key.Public)
		signed, err := note.Sign(&note.Note{Text: "text\n"}, key)
		require.NoError(t, err)
		v, err := note.NewVerifier(public)
		require.NoError(t, err)
		_, err = note.Open(signed, note.VerifierList(v))
		require.NoError(t, err)
	}
	_, err = keys.Public(strings.TrimSpace(string(text))[:40])
	require.ErrorContains(t, err, "damaged")
}
