package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBinaryAlone starts a register with the program and a document alone, by running the commands
// that it names.
func TestBinaryAlone(t *testing.T) {
	t.Parallel()
	sys := testSystem(t.TempDir())
	text, err := os.ReadFile("../../examples/register/library-chat.json")
	require.NoError(t, err)
	require.NoError(t, os.Mkdir(filepath.Join(sys.Dir, "documents"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(sys.Dir, "documents", "chat.json"), text, 0o644))

	named := regexp.MustCompile(`'datachain schema publish --samples --store dist'`)
	publish := []string{"schema", "publish", "--samples", "--store", "dist"}
	_, _, stderr := execute(t.Context(), sys, "documents", "publish", "documents", "--store", "dist")
	require.Regexp(t, named, stderr)
	code, stdout, stderr := execute(t.Context(), sys, append(publish, "--schema-version", "sensor@latest")...)
	require.Zero(t, code, stderr)
	require.Empty(t, stderr)
	require.Contains(t, stdout, "sensor@")
	code, _, stderr = execute(t.Context(), sys, "documents", "publish", "documents", "--store", "dist")
	require.Equal(t, 1, code)
	require.Regexp(t, named, stderr)
	code, _, stderr = execute(t.Context(), sys, publish...)
	require.Zero(t, code, stderr)
	require.Empty(t, stderr, "the samples have no findings")
	code, _, stderr = execute(t.Context(), sys, "documents", "publish", "documents", "--store", "dist")
	require.Zero(t, code, stderr)

	code, stdout, _ = execute(t.Context(), sys, "schema", "list", "--store", "dist", "--format", "json")
	require.Zero(t, code)
	_, samples, _ := execute(t.Context(), sys, "schema", "list", "--samples", "--format", "json")
	hashes := regexp.MustCompile(`"content_hash": "[^"]*"`)
	require.Equal(t, hashes.FindAllString(samples, -1), hashes.FindAllString(stdout, -1))
	_, _, stderr = execute(t.Context(), sys, append(publish, "documents")...)
	require.Contains(t, stderr, "--samples can't be used with the directory documents")
	_, _, stderr = execute(t.Context(), sys, "schema", "publish", "--store", "dist")
	require.Contains(t, stderr, "Publish the built-in samples with --samples.")
}
