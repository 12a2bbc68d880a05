package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/cmd/internal/console"
)

// TestDocumentsPage validates every document of the README and the pages about documents, strictly. An
// example with a schema_version is a document. Others belong to the document before:
// one with an element_id is a placement, and the rest are fields.
func TestDocumentsPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/documents.md")
	require.NoError(t, err)
	for _, other := range []string{"docs/register.md", "README.md"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "..", other))
		require.NoError(t, err)
		page = append(page, text...)
	}
	var base string
	examples := 0
	for _, part := range strings.Split(string(page), "```json\n")[1:] {
		example, _, closed := strings.Cut(part, "```")
		require.True(t, closed)
		if strings.HasPrefix(example, "[") {
			continue // a list is not a document, such as the accepted findings of a review
		}
		fields := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(example), &fields), example)
		if fields["schema_version"] != nil {
			base = example
		}
		doc := map[string]any{}
		require.NoError(t, json.Unmarshal([]byte(base), &doc))
		if fields["element_id"] != nil {
			placements, ok := doc["elements"].([]any)
			require.True(t, ok)
			fields = map[string]any{"elements": append(placements, fields)}
		}
		maps.Copy(doc, fields)
		text, err := json.Marshal(doc)
		require.NoError(t, err)
		p := newPlayer(t)
		p.sys.Stdin = strings.NewReader(string(text))
		code, stdout, stderr := execute(t.Context(), p.sys, "validate", "-", "--samples", "--strict")
		require.Zero(t, code, "%s\n%s%s", example, stdout, stderr)
		require.Equal(t, "1 file, 1 valid, no findings\n", stdout, example)
		examples++
	}
	require.Greater(t, examples, 8)
	require.Len(t, strings.Split(strings.TrimSpace(strings.Split(strings.Split(string(page), "```json\n")[1], "```")[0]), "\n"), 5, "the first document has five lines")
}

// TestProductsPage checks that the product in the page about products has no mistakes besides its gaps.
func TestProductsPage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../docs/products.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(page), "```json\n")
	product, _, closed := strings.Cut(rest, "```")
	require.True(t, closed)
	p := newPlayer(t)
	p.write("products/product.json", product)
	code, stdout, stderr := execute(t.Context(), p.sys, "documents", "check", "products", "--samples")
	require.Zero(t, code, "%s%s", stdout, stderr)
	require.Contains(t, stdout+stderr, "product")
	require.NotContains(t, stdout+stderr, "error")
}

// TestFindingPage shows that the finding in the page about validating is what the command writes
// about the first document of the page about documents, with a mistake.
func TestFindingPage(t *testing.T) {
	t.Parallel()
	documents, err := os.ReadFile("../../../docs/documents.md")
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(documents), "```json\n")
	first, _, _ := strings.Cut(rest, "```")
	p := newPlayer(t)
	p.write("chain.json", strings.Replace(first, "always_on", "alwayson", 1))
	code, stdout, _ := execute(t.Context(), p.sys, "validate", "chain.json", "--samples")
	require.Equal(t, 1, code)
	finding, _, _ := strings.Cut(stdout, "\n\n")
	page, err := os.ReadFile("../../../docs/validating.md")
	require.NoError(t, err)
	_, rest, _ = strings.Cut(string(page), "```text\n")
	shown, _, _ := strings.Cut(rest, "\n```\n")
	require.Equal(t, finding, shown)
}

// TestExampleRegister checks that every document of the example can be published.
func TestExampleRegister(t *testing.T) {
	t.Parallel()
	dir, err := filepath.Abs("../../../examples/register")
	require.NoError(t, err)
	code, stdout, stderr := execute(t.Context(), newPlayer(t).sys, "documents", "check", dir, "--samples")
	require.Zero(t, code, "%s%s", stdout, stderr)
	require.Contains(t, stderr, "5 documents can be published.")
}

// TestLinkOut shows that a link that leads out of the directory is refused without a line of what
// it leads to: reports are public in CI.
func TestLinkOut(t *testing.T) {
	t.Parallel()
	sys := newPlayer(t).sys
	secret := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(secret, []byte("secret: hunter2\n"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(sys.Dir, "linked"), 0o777))
	require.NoError(t, os.Symlink(secret, filepath.Join(sys.Dir, "linked", "link.json")))
	for _, format := range []string{"text", "json", "github", "sarif"} {
		code, stdout, stderr := execute(t.Context(), sys, "documents", "check", "linked", "--samples", "--format", format)
		require.Equal(t, 1, code, "%s%s", stdout, stderr)
		require.Contains(t, stdout+stderr, "link.json can't be read: it is a link that leads out of the directory")
		require.NotContains(t, stdout+stderr, "hunter2", format)
	}
}

// TestUnreadableBelow shows that a directory is not called valid if it has a link to nothing or a
// socket.
func TestUnreadableBelow(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	at := func(name string) string { return filepath.Join(p.sys.Dir, "odd", name) }
	require.NoError(t, os.Mkdir(at(""), 0o777))
	require.NoError(t, os.Symlink("nowhere", at("lost.json")))
	require.NoError(t, os.Symlink(".", at("same.json")))
	socket, err := net.ListenUnix("unix", &net.UnixAddr{Name: at("s.json")})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, socket.Close()) })
	code, stdout, stderr := execute(t.Context(), p.sys, "validate", "odd")
	require.Equal(t, console.ExitFailed, code)
	require.Equal(t, "2 files, no findings, 2 unreadable\n", stdout)
	require.Contains(t, stderr, "lost.json: a link to a file that does not exist\nodd/s.json: not a regular file\n")
}

// TestListWithoutStore shows that documents are listed of a store only.
func TestListWithoutStore(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	code, _, stderr := execute(t.Context(), p.sys, "documents", "list")
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "--store is required: ")
	_, _, stderr = execute(t.Context(), p.sys, "documents", "list", "--samples")
	require.Contains(t, stderr, `"datachain documents list" does not use --samples`)
}

// TestSiteUnknownVersion shows that a document that can't be shown is reported by its message.
func TestSiteUnknownVersion(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	p.write("a.json", `{"id": "a", "schema_version": "robot@2026-01-01-stable", "created_at": "2026-01-01T00:00:00Z", "elements": [{"element_id": "x"}]}`)
	code, _, stderr := execute(t.Context(), p.sys, "site", "a.json", "--samples", "--out", "public")
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "datachain: a.json: There is no schema version robot@2026-01-01-stable.\nHint: ")
}

// TestSiteVersions shows that a site of documents has the versions that they use, unless all are
// asked for, and a site without documents has all.
func TestSiteVersions(t *testing.T) {
	t.Parallel()
	p := newPlayer(t)
	versions := func(args ...string) (names []string) {
		out := strconv.Itoa(len(args))
		code, _, stderr := execute(t.Context(), p.sys, append([]string{"site", "--schemas", "schemas", "--languages", "en", "--out", out}, args...)...)
		require.Zero(t, code, stderr)
		list, err := filepath.Glob(filepath.Join(p.sys.Dir, out, "*", "t", "*.html"))
		require.NoError(t, err)
		for _, file := range list {
			require.Equal(t, "en", filepath.Base(filepath.Dir(filepath.Dir(file))))
			names = append(names, strings.TrimSuffix(filepath.Base(file), ".html"))
		}
		return names
	}
	require.Equal(t, []string{"bikes@2026-09-01-beta"}, versions("documents/good.json"))
	require.Len(t, versions("documents/good.json", "--all-versions"), 2)
	require.Len(t, versions(), 2)

	code, _, stderr := execute(t.Context(), p.sys, "site", "--schemas", "schemas", "--languages", "en,tlh", "--out", "x")
	require.Equal(t, console.ExitFailed, code)
	require.Contains(t, stderr, "no text is in the language tlh: use ")
}

// TestElsewhere shows that a publisher of one of several directories is not told the names of
// all documents of the others.
func TestElsewhere(t *testing.T) {
	t.Parallel()
	sys := newPlayer(t).sys
	store := []string{"--store", "store"}
	code, _, stderr := execute(t.Context(), sys, append([]string{"schema", "publish", "schemas"}, store...)...)
	require.Zero(t, code, stderr)
	for _, dir := range []string{"first", "second"} {
		text, err := os.ReadFile(filepath.Join(sys.Dir, "documents", "good.json"))
		require.NoError(t, err)
		require.NoError(t, os.Mkdir(filepath.Join(sys.Dir, dir), 0o777))
		for i := range 25 {
			id := fmt.Sprintf("%s-%02d", dir, i)
			named := strings.Replace(string(text), "harbour-bikes", id, 1)
			require.NoError(t, os.WriteFile(filepath.Join(sys.Dir, dir, id+".json"), []byte(named), 0o666))
		}
		code, _, stderr = execute(t.Context(), sys, append([]string{"documents", "publish", dir}, store...)...)
		require.Zero(t, code, stderr)
	}
	require.Contains(t, stderr, "first-19 and 5 more. Withdraw")
}
