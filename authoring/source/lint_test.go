package source_test

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// TestLint runs the cases of testdata/lint. Each directory is a code, each file
// a tree and its issues. A case has only issues with the code of its directory;
// one whose name starts with ok_ is a near miss and has none.
func TestLint(t *testing.T) {
	cases, err := filepath.Glob("testdata/lint/*/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, cases)
	for _, name := range cases {
		code, short := filepath.Base(filepath.Dir(name)), strings.TrimSuffix(filepath.Base(name), ".txtar")
		t.Run(code+"/"+short, func(t *testing.T) {
			t.Parallel()
			c := readArchive(t, name)
			want := c.take("want")
			tree := baseTree(t)
			c.over(t, tree)

			compiled, err := source.CompileAll(tree, &source.Options{MaxFileSize: c.limit(t, "max-file-size"), MaxTotalSize: c.limit(t, "max-total-size")})
			require.NoError(t, err)
			issues := compiled.AllIssues()
			got := printed(issues)
			if *update {
				if c.files = append(c.files, archived{"want", got}); got == "" {
					c.files = c.files[:len(c.files)-1]
				}
				c.write(t, name)
			} else {
				assert.Equal(t, want, got)
			}
			var codes []string
			for _, i := range issues {
				if !slices.Contains(codes, string(i.Code)) {
					codes = append(codes, string(i.Code))
				}
			}
			switch {
			case strings.HasPrefix(short, "ok_") && code != string(issue.CodeTooManyFindings):
				assert.Empty(t, codes)
			case code != string(issue.CodeTooManyFindings):
				assert.Equal(t, []string{code}, codes)
			}
			checkIssues(t, tree, compiled)
		})
	}
}

// limit reads an option from the comment of a case.
func (a *archive) limit(t *testing.T, option string) int64 {
	t.Helper()
	for line := range strings.Lines(a.comment) {
		if value, ok := strings.CutPrefix(line, option+": "); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
			require.NoError(t, err)
			return n
		}
	}
	return 0
}

// printed prints issues, one per line. Of many with the same code it prints the
// first few.
func printed(issues issue.Issues) string {
	var b strings.Builder
	alike := 0
	for i, issue := range issues {
		if i > 0 && issues[i-1].Code == issue.Code {
			alike++
		} else {
			alike = 0
		}
		last := i == len(issues)-1 || issues[i+1].Code != issue.Code
		switch {
		case alike < 4:
			fmt.Fprintln(&b, issue)
		case last:
			fmt.Fprintf(&b, "… and %d more of the kind\n", alike-3)
		}
	}
	return b.String()
}

// TestEveryCodeHasACase compares the registry of codes with the cases.
func TestEveryCodeHasACase(t *testing.T) {
	for _, info := range issue.Codes() {
		if info.RaisedBy != "schema lint" {
			continue
		}
		cases, err := filepath.Glob("testdata/lint/" + string(info.Code) + "/*.txtar")
		require.NoError(t, err)
		cases = slices.DeleteFunc(cases, func(name string) bool { return strings.HasPrefix(filepath.Base(name), "ok_") })
		assert.NotEmpty(t, cases, "no case in testdata/lint gives the code %s", info.Code)
	}
	folders, err := filepath.Glob("testdata/lint/*")
	require.NoError(t, err)
	for _, dir := range folders {
		_, known := issue.LookupCode(issue.Code(filepath.Base(dir)))
		assert.True(t, known, "%s is not a code", dir)
	}
}

// checkIssues checks what holds for every issue: a registered code, a message, a
// hint, a position that exists, and the order of positions.
func checkIssues(t *testing.T, tree fstest.MapFS, compiled *source.Tree) {
	t.Helper()
	lines := map[string][]string{}
	for _, i := range compiled.AllIssues() {
		_, known := issue.LookupCode(i.Code)
		if !known || i.Message == "" || i.FixHint == "" || i.Path == nil || i.Severity == "" || i.Position.File == "" || len(i.Message)+len(i.FixHint) > 1500 {
			t.Errorf("incomplete issue: %#v", i)
		}
		f, ok := tree[i.Position.File]
		if !ok || i.Position.Line == 0 {
			continue
		}
		if lines[i.Position.File] == nil {
			lines[i.Position.File] = linesOf(i.Position.File, f.Data)
		}
		if of := lines[i.Position.File]; i.Position.Line > len(of) || i.Position.Column < 1 || i.Position.Column > utf8.RuneCountInString(of[i.Position.Line-1])+1 {
			t.Errorf("position outside the file: %v", i)
		}
	}
	for _, c := range compiled.Versions {
		listed := slices.DeleteFunc(slices.Clone(c.Issues), func(i issue.Issue) bool { return i.Code == issue.CodeTooManyFindings })
		assert.True(t, slices.IsSortedFunc(listed, func(a, b issue.Issue) int {
			return cmp.Or(strings.Compare(a.Position.File, b.Position.File), cmp.Compare(a.Position.Line, b.Position.Line), cmp.Compare(a.Position.Column, b.Position.Column))
		}))
		assert.Equal(t, c.Issues.HasErrors(), c.Release == nil)
	}
}

// linesOf splits a text into lines: YAML at everything that YAML takes for the
// end of a line.
func linesOf(name string, data []byte) []string {
	text := strings.TrimPrefix(string(data), "\uFEFF")
	if strings.HasSuffix(name, ".yaml") {
		text = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n").Replace(text)
	}
	return strings.Split(text, "\n")
}
