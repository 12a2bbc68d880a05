package issue_test

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/codes/remedy"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// codePage is generated from the registry.
const codePage = "../../docs/codes.md"

func TestCodesAreDocumented(t *testing.T) {
	form := regexp.MustCompile(`^[A-Za-z]+(_[A-Za-z]+)*$`)
	seen := make(map[issue.Code]bool)
	for _, info := range issue.Codes() {
		require.False(t, seen[info.Code], "%s is registered twice", info.Code)
		seen[info.Code] = true
		require.Regexp(t, form, string(info.Code))
		require.Contains(t, []issue.Severity{issue.SeverityError, issue.SeverityWarning}, info.Severity, info.Code)
		require.NotEmpty(t, info.RaisedBy, info.Code)
		require.True(t, strings.HasSuffix(info.Meaning, "."), "%s: the meaning is a sentence", info.Code)
		require.NotEmpty(t, info.Example, info.Code)

		found, ok := issue.LookupCode(info.Code)
		require.True(t, ok)
		require.Equal(t, info, found)
	}
	_, ok := issue.LookupCode("no_such_code")
	require.False(t, ok)
}

// The registry has all constants of internal/codes that are codes, and no other codes.
func TestCodesAreRegistered(t *testing.T) {
	declared := make(map[issue.Code]bool)
	for name, value := range codeConstants(t) {
		_, ok := issue.LookupCode(value)
		require.True(t, ok, "add a row for %s to the registry in taxonomy/issue/code.go", name)
		require.False(t, declared[value], "two constants say %s", value)
		declared[value] = true
	}
	for _, exported := range []issue.Code{
		issue.CodeBadRequest, issue.CodeNotFound, issue.CodePayloadTooLarge, issue.CodeTimeout, issue.CodeUpstreamError, issue.CodeInternalError,
	} {
		require.True(t, declared[exported], exported)
	}
	require.NotEmpty(t, declared)
	require.Len(t, issue.Codes(), len(declared))
}

// codeConstants returns the constants of the file with codes in internal/codes.
func codeConstants(t *testing.T) map[string]issue.Code {
	t.Helper()
	constants := make(map[string]issue.Code)
	syntax, err := parser.ParseFile(token.NewFileSet(), "../../internal/codes/codes.go", nil, parser.SkipObjectResolution)
	require.NoError(t, err)
	ast.Inspect(syntax, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		for i, name := range spec.Names {
			value, err := strconv.Unquote(spec.Values[i].(*ast.BasicLit).Value)
			require.NoError(t, err)
			constants[name.Name] = issue.Code(value)
		}
		return true
	})
	return constants
}

func TestCodesAreCopied(t *testing.T) {
	first := issue.Codes()[0]
	issue.Codes()[0] = issue.CodeInfo{}
	require.Equal(t, first, issue.Codes()[0])
}

func TestCodePage(t *testing.T) {
	goldentest.File(t, codePage, renderCodes(issue.Codes()))
}

func renderCodes(registry []issue.CodeInfo) string {
	var b strings.Builder
	b.WriteString("<!-- Generated from the registry of codes by `make generate`; do not edit. -->\n\n# Codes\n\n" +
		"Every finding has a code. Codes are stable: match on them, not on messages.\n")
	var groups []string
	rows := make(map[string]string)
	for _, info := range registry {
		if !slices.Contains(groups, info.RaisedBy) {
			groups = append(groups, info.RaisedBy)
		}
		remedy, _ := remedy.Lookup(string(info.Code))
		rows[info.RaisedBy] += fmt.Sprintf("| <a id=%q></a>%s | %s | %s | %s | %s |\n",
			info.Code, codeCell(string(info.Code)), info.Severity, cell(info.Meaning), codeCell(info.Example), cell(remedy.Advice))
	}
	for _, group := range groups {
		fmt.Fprintf(&b, "\n## %s\n\n| Code | Severity | Meaning | Example | How to fix it |\n|---|---|---|---|---|\n", strings.ToUpper(group[:1])+group[1:])
		b.WriteString(rows[group])
	}
	return b.String()
}

// cell escapes the markup of Markdown.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`, "_", `\_`).Replace(s)
}

// codeCell returns text as code. A bar would end the cell even there.
func codeCell(s string) string {
	return "`" + strings.ReplaceAll(s, "|", `\|`) + "`"
}

func TestRemedies(t *testing.T) {
	for _, info := range issue.Codes() {
		r, ok := remedy.Lookup(string(info.Code))
		require.True(t, ok, "add a remedy for %s to internal/codes/remedy/remedies.txt", info.Code)
		assert.True(t, strings.HasSuffix(r.Advice, "."), "%s: the advice is a sentence", info.Code)
		assert.NotEmpty(t, r.Bad, info.Code)
		assert.NotEqual(t, r.Bad, r.Good, info.Code)
		for _, part := range []string{r.Bad, r.Good} {
			assert.Equal(t, strings.TrimSpace(part), part, info.Code)
			assert.True(t, wellFormed(part), "%s: %s", info.Code, part)
		}
	}
	_, ok := remedy.Lookup("no_such_code")
	require.False(t, ok)

	// The file has no others, and each once.
	text, err := os.ReadFile("../../internal/codes/remedy/remedies.txt")
	require.NoError(t, err)
	seen := make(map[string]bool)
	for line := range strings.Lines(string(text)) {
		if code, ok := strings.CutPrefix(strings.TrimSpace(line), "=== "); ok {
			require.False(t, seen[code], "%s has two remedies", code)
			seen[code] = true
			_, known := issue.LookupCode(issue.Code(code))
			require.True(t, known, "there is no code %s", code)
		}
	}
}

// wellFormed reports whether a part of a JSON document can be pasted into one.
func wellFormed(part string) bool {
	switch {
	case part == "":
		return true
	case part[0] == '"':
		return json.Valid([]byte("{" + part + "}"))
	case part[0] == '[', part[0] == '{':
		return json.Valid([]byte("[" + part + "]"))
	}
	return true // YAML, SVG or HTTP
}

func TestCodeURL(t *testing.T) {
	for base, want := range map[string]string{
		"":                         "https://github.com/datachain-go/datachain/blob/main/docs/codes.md#parse_error",
		"https://example.org":      "https://example.org/codes/parse_error",
		"https://example.org/t/":   "https://example.org/t/codes/parse_error",
		"http://localhost:8080/x/": "http://localhost:8080/x/codes/parse_error",
	} {
		assert.Equal(t, want, issue.Code(codes.ParseError).URL(base))
	}
}
