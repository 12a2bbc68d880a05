package validatetest_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/examples/published"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
	"github.com/datachain-go/datachain/validate/validatetest"
)

// untitled is a rule: a document has a title.
var untitled = &validate.Rule{
	Name: "untitled", Doc: "A document has a title.", Codes: []issue.Code{"untitled"},
	Run: func(_ context.Context, p *validate.Pass) error {
		if len(p.Instance.Title) == 0 {
			p.Report(issue.Issue{Code: "untitled", Path: issue.Root.Key("title"), Message: "The document has no title."})
		}
		return nil
	},
}

var found = []validatetest.Finding{{Code: "untitled", Path: "title", Message: "no title"}}

func release(t testing.TB) *taxonomy.Release {
	t.Helper()
	store, err := published.Store()
	require.NoError(t, err)
	r, err := store.Release(context.Background(), taxonomy.MustVersion("ai@2026-11-15-stable"))
	require.NoError(t, err)
	return r
}

// sample returns a sample document, in which the key old is renamed.
func sample(t testing.TB, name, old, renamed string) string {
	t.Helper()
	e, ok := documents.Find(name)
	require.True(t, ok)
	require.Contains(t, string(e.Text), `"`+old+`":`)
	return strings.Replace(string(e.Text), `"`+old+`":`, `"`+renamed+`":`, 1)
}

func TestRun(t *testing.T) {
	r := release(t)
	without := sample(t, "benefits.json", "title", "own_title")
	validatetest.Run(t, untitled, []validatetest.Case{
		{Name: "untitled", Release: r, Document: without, Want: found},
		{Name: "titled", Release: r, Document: sample(t, "benefits.json", "title", "title")},
		{Name: "resolved", Release: r, Document: sample(t, "benefits.resolved.json", "title", "title")},
		{Name: "unpublished", Document: sample(t, "benefits.resolved.json", "title", "title")},
		{Name: "invalid", Release: r, Document: strings.Replace(without, "purpose.benefits", "purpose.unknown", 1), Invalid: true, Want: found},
	})
	unfinished := *untitled
	unfinished.DespiteShape = true
	unfinished.Run = func(ctx context.Context, p *validate.Pass) error {
		if p.Open(issue.Root.Key("title")) {
			return nil
		}
		return untitled.Run(ctx, p)
	}
	validatetest.Run(t, &unfinished, []validatetest.Case{
		{Name: "untitled", Release: r, Document: without, Want: found},
		{Name: "cut off", Release: r, Document: strings.TrimSuffix(strings.TrimSpace(without), "}"), Invalid: true},
	})
}

// TestOwnRules runs rules of package validate: each reports what it reports anyway.
func TestOwnRules(t *testing.T) {
	r := release(t)
	for _, rule := range validate.Rules() {
		if rule.Name == "element_known" {
			document := strings.Replace(sample(t, "benefits.json", "title", "title"), "purpose.benefits", "purpose.unknown", 1)
			validatetest.Run(t, rule, []validatetest.Case{{
				Name: "unknown", Release: r, Document: document, Invalid: true,
				Want: []validatetest.Finding{{Code: "INSTANCE_ELEMENT_UNKNOWN", Path: "elements[0].element_id", Message: "There is no element"}},
			}})
		}
	}
}

// TestProblems shows cases that fail.
func TestProblems(t *testing.T) {
	r := release(t)
	without := sample(t, "benefits.json", "title", "own_title")
	titled := sample(t, "benefits.json", "title", "title")
	failing := *untitled
	failing.Run = func(context.Context, *validate.Pass) error { return errors.New("no connection") }
	twice := *untitled
	twice.Run = func(ctx context.Context, p *validate.Pass) error {
		return errors.Join(untitled.Run(ctx, p), untitled.Run(ctx, p))
	}
	careful := *untitled
	careful.DespiteShape, careful.Needs = true, validate.AllInstances
	careless := *untitled
	careless.DespiteShape = true
	cutOff := strings.TrimSuffix(strings.TrimSpace(without), "}")
	silent := *untitled
	silent.Codes = []issue.Code{"untitled", "never"}
	ofShape := strings.Replace(without, `"created_at": "`, `"created_at": "on `, 1)
	for _, c := range []struct {
		name string
		rule *validate.Rule
		last validatetest.Case
		want string
	}{
		{"fine", untitled, validatetest.Case{Release: r, Document: without, Want: found}, ""},
		{"nothing reported", untitled, validatetest.Case{Release: r, Document: titled, Want: found}, "the rule reports\n\tnothing\nwanted\n\tuntitled at title: no title"},
		{"not wanted", untitled, validatetest.Case{Release: r, Document: without}, "the rule reports\n\tuntitled at title: The document has no title."},
		{"reported twice", &twice, validatetest.Case{Release: r, Document: without, Want: found}, "the rule reports"},
		{"another path", untitled, validatetest.Case{Release: r, Document: without, Want: []validatetest.Finding{{Code: "untitled", Path: "id"}}}, "the rule reports"},
		{"another message", untitled, validatetest.Case{Release: r, Document: without, Want: []validatetest.Finding{{Code: "untitled", Path: "title", Message: "a title"}}}, "the rule reports"},
		{"not JSON", untitled, validatetest.Case{Release: r, Document: "{"}, "the document can't be read"},
		{"no release", untitled, validatetest.Case{Document: without}, "validate: the release is nil"},
		{"errors", untitled, validatetest.Case{Release: r, Document: strings.Replace(without, "purpose.benefits", "purpose.unknown", 1), Want: found}, "the document has errors without the rule"},
		{"no errors", untitled, validatetest.Case{Release: r, Document: without, Want: found, Invalid: true}, "do not set Invalid"},
		{"wrong shape", untitled, validatetest.Case{Release: r, Document: ofShape, Want: found}, "the document has errors without the rule"},
		{"skipped for the shape", untitled, validatetest.Case{Release: r, Document: ofShape, Invalid: true}, "the rule did not run"},
		{"skipped for a fact", &careful, validatetest.Case{Release: r, Document: strings.Replace(without, `"element_instance_id": "income"`, `"element_instance_id": 7`, 1), Invalid: true}, "the rule did not run"},
		{"skipped for the syntax", untitled, validatetest.Case{Release: r, Document: cutOff, Invalid: true}, "the rule did not run"},
		{"what was not read", &careless, validatetest.Case{Release: r, Document: cutOff, Invalid: true}, "the rule reports\n\tuntitled at title"},
		{"failing", &failing, validatetest.Case{Release: r, Document: without, Want: found}, "validate: the rule untitled: no connection"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.last.Name = "last"
			// The first case wants the code.
			cases := []validatetest.Case{{Name: "first", Release: r, Document: without, Want: found}, c.last}
			problem := validatetest.Problems(t.Context(), c.rule, cases)["last"]
			require.Contains(t, problem, c.want)
			require.Equal(t, c.want == "", problem == "", problem)
		})
	}
	for name, c := range map[string]struct {
		rule  *validate.Rule
		cases []validatetest.Case
		want  string
	}{
		"no cases":        {untitled, nil, "no case wants the code untitled of the rule untitled"},
		"no finding":      {untitled, []validatetest.Case{{Release: r, Document: titled}}, "no case wants the code untitled"},
		"a code too many": {&silent, []validatetest.Case{{Release: r, Document: without, Want: found}}, "no case wants the code never"},
		"no rule":         {nil, nil, "validate: rule 0 is nil"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, validatetest.Problems(t.Context(), c.rule, c.cases)[""], c.want)
		})
	}
}

// TestHandMade shows that a rule can't pass on a pass that was made by hand.
func TestHandMade(t *testing.T) {
	for name, use := range map[string]func(p *validate.Pass){
		"report":     func(p *validate.Pass) { p.Report(issue.Issue{Code: "untitled"}) },
		"placements": func(p *validate.Pass) { p.Placements() },
		"next":       func(p *validate.Pass) { p.Next() },
		"broken":     func(p *validate.Pass) { p.Broken(issue.Root) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				require.Contains(t, fmt.Sprint(recover()), "use package validatetest")
			}()
			use(&validate.Pass{Instance: new(taxonomy.Instance)})
		})
	}
}
