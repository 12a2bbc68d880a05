package repotest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	// namedPath matches a path in a script or in settings: names with slashes between them, at the
	// beginning of a word. One that begins with a variable or .. is not matched, nor an expression of sed.
	namedPath = regexp.MustCompile(`(?:^|[^\w./@$:%{}*-])(?:\./)?(\.?[A-Za-z_][\w-]+(?:/[\w.*-]+)+)`)

	// alternatives matches a pattern such as internal/(documenttest|resttest).
	alternatives = regexp.MustCompile(`([\w./-]+/)\(([\w|-]+)\)`)

	// elsewhere are paths that are not of the repository: what is built, platforms, actions of GitHub,
	// branches and packages.
	elsewhere = regexp.MustCompile(`(^|/)(build|dist|testdata)(/|$)|^(linux|js|wasip1|actions|origin|refs|\.git)/|^net/http$`)
)

// TestPaths checks that the paths in scripts, workflows and settings exist: what was moved, a tool
// skips without a word, or a step of CI fails that runs at night alone.
func TestPaths(t *testing.T) {
	t.Parallel()
	files := []string{"Makefile", "action.yml", "go.work", ".pre-commit-hooks.yaml", ".golangci.yml", ".gitattributes", "CONTRIBUTING.md"}
	for _, pattern := range []string{".ci/*", ".github/workflows/*"} {
		found, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, found, pattern)
		files = append(files, found...)
	}
	checked := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		for _, p := range paths(string(text)) {
			found, err := filepath.Glob(p)
			require.NoError(t, err, file)
			assert.NotEmpty(t, found, "%s names %s, which does not exist: name where it is now, or add it to elsewhere", file, p)
			checked++
		}
	}
	assert.Greater(t, checked, 100)
}

// paths returns the paths of the repository that a script or settings name.
func paths(text string) (list []string) {
	text = alternatives.ReplaceAllStringFunc(text, func(s string) string {
		m := alternatives.FindStringSubmatch(s)
		return m[1] + strings.ReplaceAll(m[2], "|", " "+m[1])
	})
	for _, m := range namedPath.FindAllStringSubmatch(text, -1) {
		if p := strings.TrimRight(m[1], "."); !elsewhere.MatchString(p) {
			list = append(list, p)
		}
	}
	return list
}

func TestPathsOfText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]string{
		`go test ./cmd/b, "docs/d.go".`:                 {"cmd/b", "docs/d.go"},
		"^cmd/(y|z)/":                                   {"cmd/y", "cmd/z"},
		".ci/run --out ../../dist $temp/x/y":            {".ci/run"},
		"linux/amd64 cmd/build/b s/x/y https://x.org/y": nil,
	} {
		assert.Equal(t, want, paths(text), text)
	}
}
