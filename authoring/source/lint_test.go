package source_test

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/authoring/internal/sourcetest"
	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/authoring/write"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
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
			c := sourcetest.ReadArchive(t, name)
			want := c.Take("want")
			tree := sourcetest.Base(t)
			c.Over(t, tree)

			compiled, err := source.CompileAll(tree, &source.Options{MaxFileSize: limit(t, c, "max-file-size"), MaxTotalSize: limit(t, c, "max-total-size")})
			require.NoError(t, err)
			issues := compiled.Issues()
			got := printed(issues)
			if goldentest.Updating() {
				if c.Files = append(c.Files, sourcetest.Named{Name: "want", Data: got}); got == "" {
					c.Files = c.Files[:len(c.Files)-1]
				}
				c.Write(t, name)
			} else {
				assert.Equal(t, want, got, "if this is meant, run the test with UPDATE=1, and read the diff")
			}
			var found []string
			for _, i := range issues {
				if !slices.Contains(found, string(i.Code)) {
					found = append(found, string(i.Code))
				}
			}
			switch {
			case strings.HasPrefix(short, "ok_") && code != codes.TooManyFindings:
				assert.Empty(t, found)
			case code != codes.TooManyFindings:
				assert.Equal(t, []string{code}, found)
			}
			checkIssues(t, tree, compiled)
		})
	}
}

// limit reads an option from the comment of a case.
func limit(t *testing.T, a *sourcetest.Archive, option string) int64 {
	t.Helper()
	for line := range strings.Lines(a.Comment) {
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
	for _, i := range compiled.Issues() {
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
		listed := slices.DeleteFunc(slices.Clone(c.Issues), func(i issue.Issue) bool { return i.Code == codes.TooManyFindings })
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

func TestAllowedChanges(t *testing.T) {
	const dir = "ai/2026-09-01-beta/"
	version := taxonomy.MustVersion("ai@2026-09-01-beta")
	for _, c := range []struct {
		name, file string
		want       []source.Allowance
		issues     []string
	}{
		{"entries", "- rule: element-removed\n  subject: data.speed\n  reason: Nobody used it.\n- {rule: a, subject: b/c, reason: d}\n", []source.Allowance{
			{Rule: "element-removed", Subject: "data.speed", Reason: "Nobody used it."}, {Rule: "a", Subject: "b/c", Reason: "d"},
		}, nil},
		{"only comments", "# nothing\n", nil, nil},
		{"an object", "rule: a\n", nil, []string{"field_type"}},
		{"without a reason", "- {rule: a, subject: b}\n", nil, []string{"field_missing"}},
		{"an empty reason", "- {rule: a, subject: b, reason: ' '}\n", nil, []string{"field_value"}},
		{"an unknown key", "- {rule: a, subject: b, reason: c, until: never}\n", []source.Allowance{{Rule: "a", Subject: "b", Reason: "c"}}, []string{"field_unknown"}},
		{"not YAML", "- {", nil, []string{"source_syntax"}},
		{"not a list of objects", "- a\n", nil, []string{"field_type"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files := fstest.MapFS{
				dir + "schema.yaml":          {Data: []byte("locales: [en]\ntitle: {en: AI}\ndescription: {en: AI}\ndatachain_type: {id: ai, name: {en: AI}, categories: []}\n")},
				dir + "allowed-changes.yaml": {Data: []byte(c.file)},
			}
			compiled, err := source.Compile(files, version, nil)
			require.NoError(t, err)
			var found []string
			for _, i := range compiled.Issues {
				if i.Position.File == dir+"allowed-changes.yaml" {
					found = append(found, string(i.Code))
				}
			}
			require.Equal(t, c.issues, found, "%v", compiled.Issues)
			for i := range compiled.Allowed {
				require.NotZero(t, compiled.Allowed[i].Position.Line)
				compiled.Allowed[i].Position.File, compiled.Allowed[i].Position.Line, compiled.Allowed[i].Position.Column = "", 0, 0
			}
			require.Equal(t, c.want, compiled.Allowed)

			outline, err := outline.New(files, version)
			require.NoError(t, err)
			require.Empty(t, outline.Unread)
			draft, err := write.Draft(files, version)
			require.NoError(t, err)
			require.NotContains(t, draft, "allowed-changes.yaml", "exceptions belong to one version")
		})
	}
}

// TestUnderscores has tags with an underscore, such as pt_BR. Each mistake is
// reported once, where it is, with the right spelling.
func TestUnderscores(t *testing.T) {
	v := taxonomy.MustVersion("robot@2026-01-01-beta")
	lint := func(locales, title string) issue.Issues {
		fsys := fstest.MapFS{}
		for name, data := range write.Starter(v) {
			text := strings.Replace(string(data), "locales: [en]", "locales: "+locales, 1)
			text = strings.Replace(text, "en: Providing a service", title, 1)
			fsys["robot/"+v.Folder()+"/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
		c, err := source.Compile(fsys, v, nil)
		require.NoError(t, err)
		var errors issue.Issues
		for _, i := range c.Issues {
			if i.Severity == issue.SeverityError {
				errors = append(errors, i)
			}
		}
		return errors
	}
	inSchema := lint("[en, pt_BR]", "{en: Service, pt-BR: Serviço}")
	require.Len(t, inSchema, 1)
	require.EqualValues(t, codes.LocaleMalformed, inSchema[0].Code)
	require.Equal(t, "write pt-BR", inSchema[0].FixHint)

	inText := lint("[en, pt-BR]", "{en: Service, pt_BR: Serviço}")
	require.Len(t, inText, 1)
	require.EqualValues(t, codes.LocaleNotAllowed, inText[0].Code)
	require.Equal(t, "write pt-BR", inText[0].FixHint)

	require.Empty(t, lint("[en, pt-BR]", "{en: Service, pt-br: Serviço}"))
}

// TestInterrupt ends a run early, with the error of the caller.
func TestInterrupt(t *testing.T) {
	tree := sourcetest.Big(60)
	calls := 0
	var mu sync.Mutex
	_, err := source.Compile(tree, version, &source.Options{Interrupt: func() error {
		mu.Lock()
		defer mu.Unlock()
		if calls++; calls > 5 {
			return io.ErrNoProgress
		}
		return nil
	}})
	require.ErrorIs(t, err, io.ErrNoProgress)
	assert.Less(t, calls, 10, "no more files are read")
	c, err := source.Compile(tree, version, &source.Options{Interrupt: func() error { return nil }})
	require.NoError(t, err)
	assert.NotNil(t, c.Release)
}
