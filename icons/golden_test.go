package icons

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden publishes symbols as drawing programs export them. Each .svg in
// testdata/symbols has its expected outcome beside it: the published text, the
// paints and the issues.
func TestGolden(t *testing.T) {
	files, err := filepath.Glob("testdata/symbols/*.svg")
	require.NoError(t, err)
	require.NotEmpty(t, files, "the test data is missing")
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			src, err := os.ReadFile(file)
			require.NoError(t, err)
			golden := strings.TrimSuffix(file, ".svg") + ".golden"
			got := outcome(src)
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err, "run the test with -update")
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			requireIdempotent(t, src)
		})
	}
}

func outcome(src []byte) string {
	symbol, issues := Sanitize(src)
	var b strings.Builder
	if symbol != nil {
		b.WriteString(strings.ReplaceAll(string(symbol.SVG()), "><", ">\n<") + "\n")
		b.WriteString("paints: " + strings.Join(symbol.Paints(), " ") + "\n")
	}
	for _, issue := range issues {
		b.WriteString(issue.String() + "\n")
	}
	return b.String()
}

// requireIdempotent checks that sanitizing a published text does not change it.
func requireIdempotent(t *testing.T, src []byte) {
	t.Helper()
	first, issues := Sanitize(src)
	require.NotNil(t, first, "%v", issues)
	second, issues := Sanitize(first.SVG())
	require.Empty(t, issues, "of %s", first.SVG())
	require.Equal(t, string(first.SVG()), string(second.SVG()))
	require.Equal(t, first.Paints(), second.Paints())
}
