package validate_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/documenttest"
	"github.com/datachain-go/datachain/resolve"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// releases returns the releases for which documents are generated.
func releases(t testing.TB) map[string]*taxonomy.Release {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	both := all(t, store)
	maps.Copy(both, trail(t))
	return both
}

// generator makes documents, and breaks them.
type generator struct{ documenttest.Generator }

// generated checks a property of many documents of every release.
func generated(t *testing.T, property func(t *testing.T, g generator)) {
	for version, release := range releases(t) {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			seeds := uint64(6)
			if testing.Short() {
				seeds = 3
			}
			for seed := range seeds {
				g := generator{documenttest.New(seed, release)}
				property(t, g)
				if t.Failed() {
					t.Fatalf("with seed %d", seed)
				}
			}
		})
	}
}

func parsed(t testing.TB, text []byte) *document.Document {
	t.Helper()
	doc, err := document.Parse(text)
	require.NoError(t, err, "%s", text)
	return doc
}

func TestGeneratedDocumentsAreValid(t *testing.T) {
	generated(t, func(t *testing.T, g generator) {
		doc := parsed(t, g.Scramble(nil, g.Document()))
		result, err := validate.Instance(g.Release, doc, &validate.Options{MustPin: true})
		require.NoError(t, err)
		require.Empty(t, result.Issues.With(issue.SeverityError), "%s", doc.Text())
		for _, w := range result.Issues.With(issue.SeverityWarning) {
			require.Contains(t, []issue.Code{codes.ContextTypeMissing, codes.InstanceElementDeprecated}, w.Code, "%v", w)
		}
	})
}

// TestResolvedDocumentsAreValid resolves documents, validates the bundles with and
// without the live version, and compares their parts with the originals.
func TestResolvedDocumentsAreValid(t *testing.T) {
	generated(t, func(t *testing.T, g generator) {
		thin := parsed(t, g.Scramble(nil, g.Document()))
		bundle, err := resolve.Resolve(g.Release, thin, nil)
		require.NoError(t, err)
		resolved := parsed(t, bundle.AppendJSON(nil))
		var issues []issue.Issues
		for _, live := range []*taxonomy.Release{g.Release, nil} {
			result, err := validate.Resolved(live, resolved, nil)
			require.NoError(t, err)
			require.Empty(t, result.Issues.With(issue.SeverityError), "%s", thin.Text())
			issues = append(issues, result.Issues)
		}
		last := len(issues[1]) - 1
		require.EqualValues(t, codes.SnapshotNotCompared, issues[1][last].Code)
		require.Equal(t, issues[0], issues[1][:last])

		var before, after map[string]any
		require.NoError(t, json.Unmarshal(thin.Text(), &before))
		require.NoError(t, json.Unmarshal(resolved.Text(), &after))
		for _, key := range []string{"schema_snapshot", "suggested_elements"} {
			require.Contains(t, after, key)
			delete(after, key)
		}
		for _, key := range []string{"title", "description"} {
			if _, given := before[key]; !given {
				require.Equal(t, []any{}, after[key])
				delete(after, key)
			}
		}
		require.Equal(t, before, after)
	})
}

// TestFormattingMakesNoDifference validates documents, thin and resolved and most of
// them invalid, in two formattings.
func TestFormattingMakesNoDifference(t *testing.T) {
	generated(t, func(t *testing.T, g generator) {
		written := any(g.Document())
		if g.Chance(60) {
			bundle, err := resolve.Resolve(g.Release, parsed(t, g.Scramble(nil, written)), nil)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(bundle.AppendJSON(nil), &written))
		}
		m := documenttest.Mutator{Rand: g.Rand}
		for range 1 + g.IntN(4) {
			written = m.Mutate(written)
		}
		written = plain(t, written)
		once, err := json.Marshal(written)
		require.NoError(t, err)
		again := g.Scramble(nil, written)
		for _, judge := range []func(*document.Document) (*validate.Result, error){
			func(d *document.Document) (*validate.Result, error) {
				return validate.Instance(g.Release, d, &validate.Options{Strict: true})
			},
			func(d *document.Document) (*validate.Result, error) { return validate.Resolved(g.Release, d, nil) },
		} {
			require.Equal(t, verdictOf(t, parsed(t, once), judge), verdictOf(t, parsed(t, again), judge), "%s\n%s", once, again)
		}
	})
}

// plain returns a value as encoding/json decodes it.
func plain(t testing.TB, v any) any {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	var read any
	require.NoError(t, json.Unmarshal(text, &read))
	return read
}

// verdictOf returns the findings without their order, which is that of the document.
func verdictOf(t testing.TB, doc *document.Document, judge func(*document.Document) (*validate.Result, error)) []string {
	t.Helper()
	result, err := judge(doc)
	require.NoError(t, err, "%s", doc.Text())
	var found []string
	for _, i := range result.Issues {
		found = append(found, fmt.Sprintf("%s %s %s", i.Severity, i.Code, i.Path))
		_, registered := issue.LookupCode(i.Code)
		require.True(t, registered, i.Code)
		require.NotEmpty(t, i.Message)
		require.NotEmpty(t, i.FixHint)
	}
	slices.Sort(found)
	return found
}

// TestFindingsAreInOrder breaks documents and checks the order of findings: by rule,
// then by place in the text.
func TestFindingsAreInOrder(t *testing.T) {
	ruleOf := map[issue.Code]int{}
	for n, rule := range validate.Rules() {
		for _, code := range rule.Codes {
			ruleOf[code] = n
		}
	}
	generated(t, func(t *testing.T, g generator) {
		written := g.Document()
		documenttest.Spoil(g.Rand, written)
		doc := parsed(t, g.Scramble(nil, written))
		result, err := validate.Instance(g.Release, doc, nil)
		require.NoError(t, err)
		for i := 1; i < len(result.Issues); i++ {
			a, b := result.Issues[i-1], result.Issues[i]
			require.LessOrEqual(t, ruleOf[a.Code], ruleOf[b.Code], "%v before %v", a, b)
			if ruleOf[a.Code] == ruleOf[b.Code] {
				require.LessOrEqual(t, doc.Locate(a.Path).Value.Start.Offset, doc.Locate(b.Path).Value.Start.Offset, "%v before %v", a, b)
			}
		}
		again, err := validate.Instance(g.Release, parsed(t, bytes.Clone(doc.Text())), nil)
		require.NoError(t, err)
		require.Equal(t, result, again)
	})
}
