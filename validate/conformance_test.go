package validate_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/adapters/fsstore"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/goldentest"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// conformanceCase is a file of testdata/cases; see the README there.
type conformanceCase struct {
	Description string          `json:"description"`
	Operation   string          `json:"operation"`
	Version     string          `json:"version"`
	Strict      bool            `json:"strict,omitempty"`
	Document    json.RawMessage `json:"document"`
	Wanted      []wantedIssue   `json:"wanted"`

	file    string
	disable []issue.Code // besides, for TestDisable
}

type wantedIssue struct {
	Code     issue.Code     `json:"code"`
	Path     string         `json:"path"`
	Severity issue.Severity `json:"severity"`
	Message  string         `json:"message"`
	FixHint  string         `json:"fix_hint"`
}

// verdict is the part of an issue that every implementation must agree on.
func (w wantedIssue) verdict() wantedIssue {
	return wantedIssue{Code: w.Code, Path: w.Path, Severity: w.Severity}
}

// TestConformance runs the cases.
func TestConformance(t *testing.T) {
	releases := trail(t)
	for _, c := range conformanceCases(t) {
		t.Run(strings.TrimSuffix(c.file, ".json"), func(t *testing.T) {
			got := []wantedIssue{}
			for _, i := range c.run(t, releases) {
				got = append(got, wantedIssue{i.Code, i.Path.String(), i.Severity, i.Message, i.FixHint})
			}
			require.Equal(t, verdicts(c.Wanted), verdicts(got), c.Description)
			if goldentest.Updating() {
				c.Wanted = got
				c.save(t)
			}
			assert.Equal(t, c.Wanted, got, "messages and hints: run with UPDATE=1, and read them")
		})
	}
}

func verdicts(list []wantedIssue) []wantedIssue {
	short := []wantedIssue{}
	for _, w := range list {
		short = append(short, w.verdict())
	}
	return short
}

// run runs the operation of the case. A valid case of resolve is also resolved.
func (c *conformanceCase) run(t *testing.T, releases map[string]*taxonomy.Release) issue.Issues {
	doc, err := document.Parse(c.Document)
	require.NoError(t, err)
	addressed := releases[c.Version]
	require.NotNil(t, addressed, "the version must be in the taxonomy")
	o := &validate.Options{Strict: c.Strict, MustPin: c.Operation == "resolve", Disable: c.disable}
	var result *validate.Result
	switch c.Operation {
	case "validate", "resolve":
		result, err = validate.Instance(addressed, doc, o)
	case "validate_resolved":
		pinned, _ := doc.Root().Get("schema_version")
		live := releases[pinned.Text()]
		result, err = validate.Resolved(live, doc, o)
	default:
		t.Fatalf("unknown operation %q", c.Operation)
	}
	require.NoError(t, err)
	if c.Operation == "resolve" && result.OK() {
		_, err = resolve.Resolve(addressed, doc, nil)
		require.NoError(t, err)
	}
	return result.Issues
}

func (c *conformanceCase) save(t *testing.T) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	require.NoError(t, enc.Encode(c))
	require.NoError(t, os.WriteFile(filepath.Join("testdata", "cases", c.file), b.Bytes(), 0o644))
}

// TestEveryCodeHasCases requires for each code of documents a case that reports only
// that code, and a near miss.
func TestEveryCodeHasCases(t *testing.T) {
	cases := conformanceCases(t)
	all := []issue.Code{codes.ParseError}
	for _, r := range validate.Rules() {
		all = append(all, r.Codes...)
	}
	for _, code := range all {
		t.Run(string(code), func(t *testing.T) {
			alone, miss := false, false
			for _, c := range cases {
				if filepath.Dir(c.file) != string(code) {
					continue
				}
				of := func(w wantedIssue) bool { return w.Code == code }
				others := func(w wantedIssue) bool { return !of(w) }
				alone = alone || slices.ContainsFunc(c.Wanted, of) && !slices.ContainsFunc(c.Wanted, others)
				miss = miss || !slices.ContainsFunc(c.Wanted, of)
			}
			assert.True(t, alone, "write a case in validate/testdata/cases/%s that gives the code alone", code)
			assert.True(t, miss, "write a case in validate/testdata/cases/%s that misses the code by little", code)
		})
	}
}

// TestRules checks the documentation of the rules.
func TestRules(t *testing.T) {
	for _, r := range validate.Rules() {
		assert.True(t, strings.HasSuffix(r.Doc, "."), "the documentation of %s is not a sentence", r.Name)
		for _, code := range r.Codes {
			_, registered := issue.LookupCode(code)
			assert.True(t, registered, "%s: add a row for %s to the registry in taxonomy/issue/code.go", r.Name, code)
		}
	}
	require.NoError(t, (&validate.Options{Rules: validate.Rules()}).Check(), "names and codes")
}

// TestMessages checks the form of messages and hints: a message is a sentence, and a
// hint is an instruction without a period.
func TestMessages(t *testing.T) {
	for _, c := range conformanceCases(t) {
		for _, w := range c.Wanted {
			assert.Regexp(t, `^[^a-z](?s:.*)\.$`, w.Message, "%s: a message begins with a capital letter and ends with a period", c.file)
			assert.Regexp(t, `^[^A-Z](?s:.*)[^.]$`, w.FixHint, "%s: a hint begins with a small letter and has no period", c.file)
		}
	}
}

// trail returns the releases of the taxonomy of the cases by version.
func trail(t testing.TB) map[string]*taxonomy.Release {
	t.Helper()
	store, err := fsstore.Open(os.DirFS(filepath.Join("testdata", "published")), nil)
	require.NoError(t, err)
	return all(t, store)
}

// all returns the releases of a store by version.
func all(t testing.TB, store taxonomy.Store) map[string]*taxonomy.Release {
	t.Helper()
	index, err := store.Index(t.Context())
	require.NoError(t, err)
	require.NotEmpty(t, index.Entries())
	releases := make(map[string]*taxonomy.Release)
	for _, e := range index.Entries() {
		releases[e.ID.String()], err = store.Release(t.Context(), e.ID)
		require.NoError(t, err)
	}
	return releases
}

func conformanceCases(t testing.TB) []conformanceCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "cases", "*", "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	cases := make([]conformanceCase, len(files))
	for i, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		require.NoError(t, dec.Decode(&cases[i]), file)
		cases[i].file, err = filepath.Rel(filepath.Join("testdata", "cases"), file)
		require.NoError(t, err)
		require.NotEmpty(t, cases[i].Description, file)
	}
	return cases
}
