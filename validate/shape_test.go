package validate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// shapeCase is a document with the issues of its shape.
type shapeCase struct {
	Name     string          `json:"name"`
	Document json.RawMessage `json:"document"`
	// Resolved is set if the document is validated as a resolved one.
	Resolved bool `json:"resolved,omitempty"`
	// Strict is set if the document is validated in strict mode.
	Strict bool         `json:"strict,omitempty"`
	Issues issue.Issues `json:"issues"`
	// Fixed are the paths that have a fix.
	Fixed []string `json:"fixed,omitempty"`
}

const shapeFiles = "testdata/shape/*.json"

func shapeCases(t testing.TB) []shapeCase {
	t.Helper()
	files, err := filepath.Glob(shapeFiles)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var all []shapeCase
	for _, file := range files {
		all = append(all, readShapeCases(t, file)...)
	}
	return all
}

func readShapeCases(t testing.TB, file string) []shapeCase {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var cases []shapeCase
	require.NoError(t, json.Unmarshal(text, &cases), file)
	require.NotEmpty(t, cases)
	return cases
}

// TestShape runs the cases of testdata/shape: documents of wrong shape and, in
// unknown_field.json, with unknown fields.
func TestShape(t *testing.T) {
	files, err := filepath.Glob(shapeFiles)
	require.NoError(t, err)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".json"), func(t *testing.T) {
			cases := readShapeCases(t, file)
			for i := range cases {
				t.Run(cases[i].Name, func(t *testing.T) { runShapeCase(t, &cases[i]) })
			}
			if goldentest.Updating() {
				writeShapeCases(t, file, cases)
			}
		})
	}
}

func runShapeCase(t *testing.T, c *shapeCase) {
	doc, err := document.Parse(c.Document)
	require.NoError(t, err)
	o := &validate.Options{Strict: c.Strict}
	var result *validate.Result
	if c.Resolved {
		result, err = validate.Resolved(nil, doc, o)
	} else {
		result, err = validate.Instance(sample(t), doc, o)
	}
	require.NoError(t, err)
	got := issue.Issues{}
	var fixed []string
	for _, i := range result.Issues {
		if i.Code != codes.ParseError && i.Code != codes.UnknownField {
			continue // other rules have their own cases
		}
		if i.Fix != nil {
			fixed = append(fixed, i.Path.String())
		}
		i.Fix, i.Choices, i.About = nil, nil, issue.Subject{} // not in the files
		got = append(got, i)
	}
	if goldentest.Updating() {
		c.Issues, c.Fixed = got, fixed
	}
	require.Equal(t, c.Issues, got)
	require.Equal(t, c.Fixed, fixed)
	checkFixed(t, doc, result.Issues, c)
}

// checkFixed makes the fixes and requires that they resolve their issues.
func checkFixed(t *testing.T, doc *document.Document, issues issue.Issues, c *shapeCase) {
	t.Helper()
	text, applied := validate.ApplyFixes(doc, issues)
	fixed, err := document.Parse(text)
	require.NoError(t, err)
	result, err := validate.Instance(sample(t), fixed, &validate.Options{Strict: c.Strict})
	if c.Resolved {
		result, err = validate.Resolved(nil, fixed, &validate.Options{Strict: c.Strict})
	}
	require.NoError(t, err)
	for _, was := range applied {
		for _, is := range result.Issues {
			require.NotEqual(t, was.String(), is.String(), "the fix did not help: %s", text)
		}
	}
}

func writeShapeCases(t *testing.T, file string, cases []shapeCase) {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	require.NoError(t, enc.Encode(cases))
	require.NoError(t, os.WriteFile(file, b.Bytes(), 0o666))
}

// sample returns the stable release of the ai sample.
func sample(t testing.TB) *taxonomy.Release {
	t.Helper()
	r, err := sampleRelease()
	require.NoError(t, err)
	return r
}

var sampleRelease = sync.OnceValues(func() (*taxonomy.Release, error) {
	store, err := published.Store()
	if err != nil {
		return nil, err
	}
	return store.Release(context.Background(), taxonomy.MustVersion("ai@2026-09-01-stable"))
})

const head = `{"id":"x","schema_version":"ai@2026-09-01-stable","created_at":"2026-06-01T10:00Z"`

// TestHostileShapes checks that documents full of mistakes get a bounded result in
// bounded memory.
func TestHostileShapes(t *testing.T) {
	size := 1 << 20
	if testing.Short() {
		size >>= 3
	}
	many := func(item string) string { return strings.Repeat(item+",", size/(len(item)+1)) + item }
	entries := func(value string) string {
		var b strings.Builder
		for i := 0; b.Len() < size; i++ {
			b.WriteString(`"k` + strings.Repeat("i", i%50) + string(rune('0'+i%10)) + jsonInt(i) + `":` + value + `,`)
		}
		return strings.TrimSuffix(b.String(), ",")
	}
	cases := map[string]string{
		"placements":           head + `,"elements":[` + many(`{}`) + `]}`,
		"numbers":              head + `,"elements":[` + many(`1`) + `]}`,
		"nulls in a value":     head + `,"elements":[{"element_id":"x","variables":[{"id":"v","value":[` + many(`null`) + `]}]}]}`,
		"texts then an object": head + `,"elements":[{"element_id":"x","variables":[{"id":"v","value":["a",` + many(`{}`) + `]}]}]}`,
		"actions":              head + `,"elements":[{"element_id":"x","actions":[` + many(`{"type":1}`) + `]}]}`,
		"provenance":           head + `,"elements":[{"element_id":"x"}],"authoring_provenance":{"element_provenance":{` + entries(`null`) + `}}}`,
		"locales":              head + `,"title":[` + many(`{"local":""}`) + `]}`,
		"unknown fields":       `{` + entries(`1`) + `}`,
		"one long text":        `{"id":1,"elements":"` + strings.Repeat("x", size) + `"}`,
		"near keys":            `{"elements":[` + many(`{"element_ids":1}`) + `]}`,
	}
	for name, text := range cases {
		t.Run(name, func(t *testing.T) {
			doc, err := document.Parse([]byte(text))
			require.NoError(t, err)
			release := sample(t)
			validate.Fits("instance", doc) // initialize what is computed once
			before := allocated()
			result, err := validate.Instance(release, doc, &validate.Options{Strict: true})
			require.NoError(t, err)
			require.Less(t, allocated()-before, uint64(12<<20), "bytes allocated")
			require.False(t, result.OK())
			require.LessOrEqual(t, len(result.Issues), validate.MaxFindings+1)
			if len(result.Issues) > validate.MaxFindings {
				last := result.Issues[validate.MaxFindings]
				require.EqualValues(t, codes.TooManyFindings, last.Code)
			}
			for _, i := range result.Issues {
				require.Less(t, len(i.Message)+len(i.FixHint), 1000)
			}
		})
	}
}

func jsonInt(i int) string {
	b, _ := json.Marshal(i)
	return string(b)
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// TestShapeInterrupted interrupts an explanation.
func TestShapeInterrupted(t *testing.T) {
	enough := errors.New("enough")
	doc, err := document.Parse([]byte(head + `,"elements":[` + strings.Repeat(`{"element_id":"x"},`, 5000) + `{}]}`))
	require.NoError(t, err)
	asked := 0
	result, err := validate.Instance(sample(t), doc, &validate.Options{Interrupt: func() error {
		if asked++; asked == 3 {
			return enough
		}
		return nil
	}})
	require.ErrorIs(t, err, enough)
	require.Nil(t, result)
	require.Equal(t, 3, asked, "it is not asked again")
}

// TestFitsAllocatesNothing checks that the fast path does not allocate.
func TestFitsAllocatesNothing(t *testing.T) {
	for _, name := range []string{"instance", "resolved", "release", "index"} {
		doc, err := document.Parse(readFull(t, name))
		require.NoError(t, err)
		require.True(t, validate.Fits(name, doc))
		require.Zero(t, testing.AllocsPerRun(100, func() { validate.Fits(name, doc) }), name)
	}
}

// TestEscapes checks that escapes in keys and strings do not change the verdict.
func TestEscapes(t *testing.T) {
	plain := `{"id":"x","schema_version":"ai@2026-09-01-stable","created_at":"2026-06-01T10:00Z","elements":[{"element_id":"y","actions":[{"type":"url","label":"","target":"t"}]}]}`
	escaped := plain
	for _, pair := range []string{`"id"`, `"created_at"`, `"url"`, `"elements"`, `"ai@2026-09-01-stable"`, `"2026-06-01T10:00Z"`} {
		escaped = strings.ReplaceAll(escaped, pair, `"\u00`+hexByte(pair[1])+pair[2:])
	}
	require.NotEqual(t, plain, escaped)
	require.True(t, checkShape(t, "instance", []byte(plain)))
	require.True(t, checkShape(t, "instance", []byte(escaped)))
	require.False(t, checkShape(t, "instance", []byte(strings.ReplaceAll(escaped, "0075rl", "0075rn"))), "not by accident")
}

func hexByte(c byte) string {
	const digits = "0123456789abcdef"
	return string([]byte{digits[c>>4], digits[c&15]})
}

// TestCompileShape compiles schemas that are not supported.
func TestCompileShape(t *testing.T) {
	for name, c := range map[string]struct{ schema, want string }{
		"a choice or null":   {`{"type":"object","properties":{"a":{"type":["string","null"],"enum":["b"]}}}`, `enum is supported for strings only`},
		"an unknown keyword": {`{"type":"object","maxProperties":3}`, `maxProperties: is not a supported keyword`},
		"one further down":   {`{"type":"array","items":{"type":"string","maxLength":3}}`, `maxLength: is not a supported keyword`},
		"a misspelt one":     {`{"type":"object","requried":["a"]}`, `requried`},
		"no type":            {`{"title":"x"}`, `neither type`},
		"an unknown type":    {`{"type":"number"}`, `unknown type "number"`},
		"an unknown format":  {`{"type":"string","pattern":"x","format":"email"}`, `unknown format email: use datachain-version`},
		"a bare format":      {`{"type":"string","format":"datachain-version"}`, `needs a pattern`},
		"a long minimum":     {`{"type":"string","minLength":2}`, `only 1 is supported`},
		"a required stranger": {
			`{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}`, `b is not a property`,
		},
		"an assertion beside a reference": {`{"$ref":"#/$defs/a","minLength":1,"$defs":{"a":{"type":"string"}}}`, `not supported with a $ref`},
		"a property twice": {
			`{"$ref":"#/$defs/a","properties":{"x":{"type":"string"}},"$defs":{"a":{"type":"object","properties":{"x":{"type":"string"}}}}}`,
			`x is also a property`,
		},
		"a reference to nowhere": {`{"$ref":"#/$defs/a"}`, `not found`},
		"a circle":               {`{"type":"array","items":{"$ref":"#"}}`, `refers to itself`},
		"anyOf beside a type":    {`{"type":"string","anyOf":[{"type":"string"}]}`, `both anyOf and type`},
		"a bad pattern":          {`{"type":"string","pattern":"("}`, `pattern`},
		"a boolean schema":       {`{"type":"array","items":true}`, `not found`},
	} {
		t.Run(name, func(t *testing.T) { require.ErrorContains(t, validate.CompileShape([]byte(c.schema)), c.want) })
	}
}

// TestNothingIsLoaded checks that no schema is loaded from a URL.
func TestNothingIsLoaded(t *testing.T) {
	file := filepath.Join(t.TempDir(), "x.json")
	require.NoError(t, os.WriteFile(file, []byte(`{}`), 0o666))
	for _, url := range []string{file, "file://" + file, "https://example.org/x.json"} {
		require.ErrorContains(t, validate.LoadSchema(url), "not embedded")
	}
}
