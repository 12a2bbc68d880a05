package command

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestBinaryAlone starts a register with the program and a document alone, by running the commands
// that it names.
func TestBinaryAlone(t *testing.T) {
	t.Parallel()
	sys := testSystem(t.TempDir())
	text, err := os.ReadFile("../../../examples/register/library-chat.json")
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

var advisedCommand = regexp.MustCompile(`(?m)'(datachain [^']*)'|^  (datachain .*)$`)

// TestAdvice follows what messages advise, in a directory with nothing but a document, until the
// document is published.
func TestAdvice(t *testing.T) {
	t.Parallel()
	sys := testSystem(t.TempDir())
	text, err := os.ReadFile("../../../examples/documents/crossing-camera.json")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(sys.Dir, "camera.json"), text, 0o600))
	// advice runs a command and returns the commands that its messages print.
	advice := func(wantCode int, line string) (list []string) {
		t.Helper()
		code, _, stderr := execute(t.Context(), sys, shellWords(line)[1:]...)
		require.Equal(t, wantCode, code, "%s\n%s", line, stderr)
		for _, m := range advisedCommand.FindAllStringSubmatch(strings.ReplaceAll(stderr, "\\\n", ""), -1) {
			list = append(list, m[1]+m[2])
		}
		return list
	}
	next := advice(2, `datachain documents publish . --store "the store"`)
	require.Equal(t, []string{
		`datachain schema publish DIR --store "the store"`, `datachain schema publish --samples --store "the store"`,
	}, next)
	source := strings.Replace(next[0], "DIR", `"my schemas"`, 1)
	require.NoError(t, os.Mkdir(filepath.Join(sys.Dir, "my schemas"), 0o700))
	create := advice(2, source)
	require.Equal(t, []string{`datachain schema new TYPE --schemas "my schemas"`}, create)
	require.Empty(t, advice(0, strings.Replace(create[0], "TYPE", "bench", 1)))
	require.Empty(t, advice(0, source))

	missing := advice(1, `datachain documents publish . --store "the store"`)
	require.Equal(t, next, missing, "the store lacks the version that the document pins")
	require.Empty(t, advice(0, missing[1]))
	require.Empty(t, advice(0, `datachain documents publish . --store "the store"`))
	require.Empty(t, advice(0, `datachain documents publish . --store "the store"`), "the store is not read as documents")
	require.Empty(t, advice(0, `datachain documents check . --store "the store"`))

	questions := advice(0, `datachain new bench@latest --schemas "my schemas" -o "a bench.json"`)
	require.Len(t, questions, 2)
	require.Empty(t, advice(0, strings.Replace(questions[0], "WORDS", "service", 1)))
	require.Equal(t, `datachain validate "a bench.json" --schemas "my schemas"`, questions[1])
	require.Empty(t, advice(1, questions[1]), "it is not filled in")

	require.Empty(t, advice(0, `datachain log keys new register --out "a key"`))
	require.Empty(t, advice(0, `datachain log keys new register --out next.key`))
	adopt := advice(2, `datachain log rotate --store "the store" --key "a key" --new-key next.key`)
	require.Equal(t, []string{`datachain log adopt --store "the store" --key KEY`}, adopt)
	require.Empty(t, advice(0, strings.Replace(adopt[0], "KEY", `"a key"`, 1)))

	code, stdout, _ := execute(t.Context(), sys, "validate", "a bench.json", "--samples")
	require.Equal(t, 1, code)
	require.Contains(t, stdout, `or use --schemas "my schemas", which has bench@`)
}

// shellWords splits a command line whose quotes are double ones.
func shellWords(line string) (words []string) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			words = append(words, part)
		} else {
			words = append(words, strings.Fields(part)...)
		}
	}
	return words
}
