package datachain_test

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
	codeBlock = regexp.MustCompile("(?ms)^ *```.*?^ *```$")
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
