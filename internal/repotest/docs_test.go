package repotest_test

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/jsonfields"
	"github.com/datachain-go/datachain/taxonomy"
)

// pages returns the Markdown files of the repository by path.
func pages(t *testing.T) map[string]*markdown {
	t.Helper()
	files := map[string]*markdown{}
	require.NoError(t, filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (name != "." && strings.HasPrefix(entry.Name(), ".") || slices.Contains([]string{"node_modules", "testdata", "build", "dist"}, entry.Name())):
			return fs.SkipDir
		case path.Ext(name) == ".md":
			text, err := os.ReadFile(name)
			files[filepath.ToSlash(name)] = parseMarkdown(filepath.ToSlash(name), string(text))
			return err
		}
		return nil
	}))
	return files
}

// markdown is what a page links to, and where links to it can lead.
type markdown struct {
	links   []string // paths in the repository, with their anchors
	anchors map[string]bool
}

var (
	codeBlock = regexp.MustCompile("(?ms)^ *```.*?^ *```$") //nolint:gocritic // ^ begins a line
	codeSpan  = regexp.MustCompile("`[^`\n]*`")
	link      = regexp.MustCompile(`\]\(([^)\s]+)\)`)
	heading   = regexp.MustCompile(`(?m)^#+ (.*)$`)
	named     = regexp.MustCompile(`<a (?:id|name)="([^"]+)"`)
)

func parseMarkdown(name, text string) *markdown {
	text = codeBlock.ReplaceAllString(text, "")
	m := &markdown{anchors: map[string]bool{}}
	for _, h := range heading.FindAllStringSubmatch(text, -1) {
		m.anchors[anchor(h[1])] = true
	}
	for _, a := range named.FindAllStringSubmatch(text, -1) {
		m.anchors[a[1]] = true
	}
	for _, l := range link.FindAllStringSubmatch(codeSpan.ReplaceAllString(text, ""), -1) {
		if u, err := url.Parse(l[1]); err != nil || u.IsAbs() || strings.HasPrefix(l[1], "/") {
			continue
		}
		target, fragment, _ := strings.Cut(l[1], "#")
		if target == "" {
			target = name
		} else {
			target = path.Join(path.Dir(name), target)
		}
		if fragment != "" {
			target += "#" + fragment
		}
		m.links = append(m.links, target)
	}
	return m
}

// anchor returns the anchor that GitHub gives to a heading.
func anchor(title string) string {
	title = link.ReplaceAllString(title, "]")
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '-', r == '_':
			return unicode.ToLower(r)
		}
		return -1
	}, title)
}

// TestLinks checks that each link in a page leads to a file, and to a heading of it.
func TestLinks(t *testing.T) {
	t.Parallel()
	all := pages(t)
	require.Greater(t, len(all), 30)
	for name, page := range all {
		for _, l := range page.links {
			target, fragment, _ := strings.Cut(l, "#")
			if to := all[target]; to != nil {
				assert.True(t, fragment == "" || to.anchors[fragment], "%s: %s has no such heading", name, l)
				continue
			}
			_, err := os.Stat(target)
			assert.NoError(t, err, "%s: %s", name, l)
		}
	}
}

// TestIndexed checks that the index lists every page of the documentation.
func TestIndexed(t *testing.T) {
	t.Parallel()
	all := pages(t)
	const index = "docs/README.md"
	listed := map[string]bool{index: true}
	for _, l := range all[index].links {
		listed[l] = true
	}
	for name := range all {
		assert.True(t, !strings.HasPrefix(name, "docs/") || listed[name], "add %s to %s", name, index)
	}
}

// TestFields checks that the pages for authors describe the fields of documents and of source.
func TestFields(t *testing.T) {
	t.Parallel()
	for page, parts := range map[string][]any{
		"docs/documents.md": {
			taxonomy.Instance{},
			taxonomy.Placement{},
			taxonomy.VariableValue{},
			taxonomy.SubchainInstance{},
			taxonomy.Action{},
			taxonomy.Provenance{},
			taxonomy.ElementProvenance{},
			taxonomy.SourceReference{},
			taxonomy.Source{},
		},
		"docs/authoring.md": {
			taxonomy.Manifest{},
			taxonomy.Type{},
			taxonomy.Subchain{},
			taxonomy.Category{},
			taxonomy.Context{},
			taxonomy.ContextValue{},
			taxonomy.Element{},
			taxonomy.Variable{},
			taxonomy.Option{},
			taxonomy.Source{},
		},
	} {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, part := range parts {
			list, _ := jsonfields.Of(reflect.TypeOf(part))
			for _, f := range list {
				computed := f.Name == "content_hash" || f.Name == "icon_variants"
				described := regexp.MustCompile("[`\"]" + f.Name + `\b`).Match(text)
				assert.True(t, described || computed, "describe %T.%s in %s", part, f.Name, page)
			}
		}
	}
}

// TestContributing checks that the files, tests and make targets that CONTRIBUTING.md names in
// backquotes exist: in the repository, or in a directory that the same section names.
func TestContributing(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("CONTRIBUTING.md")
	require.NoError(t, err)
	makefile, err := os.ReadFile("Makefile")
	require.NoError(t, err)
	quoted := regexp.MustCompile("`([^`\n]+)`")
	file := regexp.MustCompile(`^[\w.-]+(/[\w.-]+)+/?$|^\w+\.(go|md|csv)$`)
	generated := regexp.MustCompile(`(^|/)build(/|$)|^testdata/fuzz$`)
	for section := range strings.SplitSeq(string(page), "\n## ") {
		var names []string
		dirs, tests := []string{"."}, ""
		for _, m := range quoted.FindAllStringSubmatch(section, -1) {
			name, _, _ := strings.Cut(m[1], "<") // a/<name> is in a
			names = append(names, name)
			for _, dir := range []string{name, path.Dir(name)} {
				if found, _ := filepath.Glob(dir + "/*.go"); len(found) > 0 && !slices.Contains(dirs, dir) {
					dirs = append(dirs, dir)
				}
			}
		}
		for _, dir := range dirs {
			files, err := filepath.Glob(dir + "/*_test.go")
			require.NoError(t, err)
			for _, f := range files {
				text, err := os.ReadFile(f)
				require.NoError(t, err)
				tests += "\n" + string(text)
			}
		}
		for _, name := range names {
			found := true
			switch target, isTarget := strings.CutPrefix(name, "make "); {
			case isTarget:
				found = strings.Contains(string(makefile), "\n"+strings.Fields(target)[0]+":")
			case regexp.MustCompile(`^Test\w+$`).MatchString(name):
				found = strings.Contains(tests, "\nfunc "+name+"(")
			case file.MatchString(name) && !generated.MatchString(name) && name != "net/http":
				found = slices.ContainsFunc(dirs, func(dir string) bool {
					_, err := os.Stat(path.Join(dir, name))
					return err == nil
				})
			}
			assert.True(t, found, "CONTRIBUTING.md names `%s`, which does not exist: correct the page", name)
		}
	}
}

// TestQuestions checks that the page that answers a question of a newcomer is at most two
// links away from the README, and has the heading with the answer.
func TestQuestions(t *testing.T) {
	t.Parallel()
	all := pages(t)
	clicks := map[string]int{"README.md": 0}
	for n, from := 1, []string{"README.md"}; n <= 2; n++ {
		var next []string
		for _, name := range from {
			for _, l := range all[name].links {
				target, _, _ := strings.Cut(l, "#")
				if _, seen := clicks[target]; !seen && all[target] != nil {
					clicks[target] = n
					next = append(next, target)
				}
			}
		}
		from = next
	}
	for _, test := range []struct{ question, page, heading string }{
		{"How do I install it?", "docs/install.md", "with-go"},
		{"How do I remove it, and which connections does it make?", "docs/install.md", "removing-it"},
		{"What does this word mean?", "docs/glossary.md", "documents"},
		{"How do I write my first document?", "docs/tutorials/describe-a-system.md", "start-with-the-questions"},
		{"Which fields can a document have?", "docs/documents.md", "placements"},
		{"What does this error code mean?", "docs/codes.md", "INSTANCE_ELEMENT_UNKNOWN"},
		{"How do I see the page that people get?", "docs/view.md", ""},
		{"How do I print a sign?", "docs/view.md", "signs"},
		{"How do I use it in VS Code?", "docs/editors.md", ""},
		{"How do I move documents to a new version?", "docs/upgrading.md", ""},
		{"How do I start a taxonomy?", "docs/tutorials/keep-a-taxonomy.md", "draft-a-version"},
		{"How do I draw a symbol?", "docs/authoring.md", "symbols"},
		{"How do I remove an element without breaking documents?", "docs/authoring.md", "changing-a-taxonomy"},
		{"How do I translate a taxonomy?", "docs/authoring.md", "translating"},
		{"How do I check documents in CI?", "docs/ci.md", "github-actions"},
		{"How do I publish a register?", "docs/tutorials/run-a-register.md", "publish-into-a-store"},
		{"How do I set up TLS, and back up a server?", "docs/tutorials/run-a-register.md", "one-machine"},
		{"What does this flag do?", "docs/server-reference.md", "flags"},
		{"How many servers do I need?", "docs/scale.md", "one-server"},
		{"How do I call it over HTTP?", "docs/rest.md", ""},
		{"How do I connect a language model?", "docs/mcp.md", ""},
		{"What must I do when this alert fires?", "docs/runbook.md", "datachainserverdown"},
		{"How do I say that a language model wrote a text?", "docs/documents.md", "provenance"},
		{"How do I describe one system that is part of another?", "docs/documents.md", "subchains"},
		{"How do I withdraw a published document?", "docs/register.md", "publishing"},
		{"Can another city copy our register?", "docs/register.md", "mirrors"},
		{"In which language is the page?", "docs/view.md", "language"},
		{"Can I publish without a server?", "docs/explorer.md", "as-static-files"},
		{"What is different in the new version?", "docs/explorer.md", ""},
		{"Can I edit elements in a spreadsheet?", "docs/importing.md", "tables"},
		{"Can I use the taxonomy of DTPR?", "docs/importing.md", "taxonomies-of-the-dtpr-family"},
		{"Which changes break documents?", "docs/changes.md", "breaking"},
		{"How do I retire a version?", "docs/releases.md", "deprecate-and-retire"},
		{"Why does search not find my word?", "docs/searching.md", "writing-for-search"},
		{"How do I prove who published a document?", "docs/trust.md", "verifying"},
		{"How do I check files before each commit?", "docs/ci.md", "pre-commit"},
		{"Which exit codes are there?", "docs/validating.md", "exit-codes"},
		{"How do I run it in a container?", "docs/operating.md", "container"},
		{"Why does the server see only the address of my proxy?", "docs/operating.md", "behind-a-proxy"},
		{"Which metrics are there?", "docs/server-reference.md", "metrics"},
		{"Why do I get 429?", "docs/rest.md", "good-clients"},
		{"How do I use it in a web page?", "editors/wasm/README.md", "loading"},
		{"How do I report a vulnerability?", "SECURITY.md", ""},
		{"How is the code organised?", "docs/internals/design.md", "packages"},
	} {
		_, found := clicks[test.page]
		assert.True(t, found, "%s %s is more than two clicks away", test.question, test.page)
		if page := all[test.page]; assert.NotNil(t, page, test.page) {
			assert.True(t, test.heading == "" || page.anchors[test.heading], "%s %s has no heading %s", test.question, test.page, test.heading)
		}
	}
}
