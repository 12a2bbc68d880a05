package validate_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// TestCustomRules runs additional rules. Their issues are sorted, and are errors unless
// they say that they are warnings.
func TestCustomRules(t *testing.T) {
	backwards := &validate.Rule{Name: "backwards", Codes: []issue.Code{"custom"}, Run: func(_ context.Context, p *validate.Pass) error {
		var places []*validate.Placed
		for placed := range p.Placements() {
			places = append([]*validate.Placed{placed}, places...)
		}
		for _, placed := range places {
			category := "none"
			if placed.Category != nil {
				category = placed.Category.ID
			}
			p.Report(issue.Issue{Code: "custom", Message: category, Path: placed.Path()})
		}
		return nil
	}}
	last := &validate.Rule{Name: "last", Codes: []issue.Code{"custom"}, Run: func(_ context.Context, p *validate.Pass) error {
		p.Report(issue.Issue{Code: "custom", Path: issue.Root, Severity: issue.SeverityWarning})
		p.Report(issue.Issue{Code: "custom", Path: issue.Root, Severity: "info"})
		return nil
	}}
	result := judge(t, walk(`{"element_id":"unknown"}`), &validate.Options{Rules: []*validate.Rule{backwards, last}})
	var got []string
	for _, i := range result.Issues {
		got = append(got, fmt.Sprintf("%s %s %q %s", i.Severity, i.Code, i.Path, i.Message))
	}
	require.Equal(t, []string{
		`error INSTANCE_ELEMENT_UNKNOWN "elements[3].element_id" There is no element "unknown" in trail@2026-03-01-stable.`,
		`error custom "elements[0]" access`,
		`error custom "elements[1]" access`,
		`error custom "elements[2]" surface`,
		`error custom "elements[3]" none`,
		`warning custom "" `,
		`error custom "" `,
	}, got)
	require.Len(t, result.Issues, len(result.Issues.With(issue.SeverityError))+len(result.Issues.With(issue.SeverityWarning)))
}

// TestRulesThatFail runs rules that can't be used. What could not be validated is neither
// valid nor invalid, so there is no result, and the error names the rule.
func TestRulesThatFail(t *testing.T) {
	codes := []issue.Code{"custom"}
	fine := &validate.Rule{Name: "fine", Codes: codes, Run: func(context.Context, *validate.Pass) error { return nil }}
	for name, c := range map[string]struct {
		rules   []*validate.Rule
		invalid bool // so Check finds it
		want    string
	}{
		"none":         {},
		"fine":         {rules: []*validate.Rule{fine}},
		"nil":          {[]*validate.Rule{fine, nil}, true, "rule 1 is nil"},
		"no name":      {[]*validate.Rule{{Codes: codes, Run: fine.Run}}, true, "rule 0 has no name"},
		"no function":  {[]*validate.Rule{{Name: "empty", Codes: codes}}, true, "the rule empty has no function Run"},
		"no codes":     {[]*validate.Rule{{Name: "silent", Run: fine.Run}}, true, "the rule silent must list the codes"},
		"an empty one": {[]*validate.Rule{{Name: "silent", Codes: []issue.Code{""}, Run: fine.Run}}, true, "the rule silent must list the codes"},
		"twice":        {[]*validate.Rule{fine, fine}, true, "two rules have the name fine"},
		"undeclared": {[]*validate.Rule{{Name: "sly", Codes: codes, Run: func(_ context.Context, p *validate.Pass) error {
			p.Report(issue.Issue{Code: "another", Path: issue.Root})
			return nil
		}}}, false, `the rule sly reports the code "another", which is not in its Codes`},
		"failing": {[]*validate.Rule{fine, {Name: "lost", Codes: codes, Run: func(context.Context, *validate.Pass) error { return io.ErrUnexpectedEOF }}}, false, "the rule lost: unexpected EOF"},
		"panic":   {[]*validate.Rule{fine, {Name: "loud", Codes: codes, Run: func(context.Context, *validate.Pass) error { panic("boom") }}}, false, "the rule loud panicked: boom ("},
		"nil pointer": {[]*validate.Rule{{Name: "crash", Codes: codes, Run: func(_ context.Context, p *validate.Pass) error {
			p.Report(issue.Issue{Code: "custom", Message: p.Resolved.ID})
			return nil
		}}}, false, "the rule crash panicked: runtime error: invalid memory address or nil pointer dereference ("},
	} {
		t.Run(name, func(t *testing.T) {
			for _, partial := range []bool{false, true} {
				doc, err := document.Parse(walk())
				require.NoError(t, err)
				result, err := validate.Instance(trail(t)[stable], doc, &validate.Options{Rules: c.rules, Partial: partial})
				if c.want == "" {
					require.NoError(t, err)
					continue
				}
				require.Nil(t, result)
				require.ErrorContains(t, err, "validate: "+c.want)
				if strings.HasSuffix(c.want, "(") {
					require.ErrorContains(t, err, "rule_test.go:")
				}
			}
			if err := (&validate.Options{Rules: c.rules}).Check(); c.invalid {
				require.ErrorContains(t, err, c.want)
			} else {
				require.NoError(t, err)
			}
		})
	}
}

// TestContext passes a context to rules, and ends a run with its error, which errors.Is finds
// also if a rule returns it.
func TestContext(t *testing.T) {
	type key struct{}
	doc, err := document.Parse(walk())
	require.NoError(t, err)
	for name, c := range map[string]struct {
		run  func(context.Context, *validate.Pass) error
		want error
	}{
		"kept":     {func(context.Context, *validate.Pass) error { return nil }, nil},
		"returned": {func(ctx context.Context, _ *validate.Pass) error { return context.Cause(ctx) }, context.Canceled},
		"ignored":  {func(context.Context, *validate.Pass) error { return nil }, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, name))
			defer cancel()
			var got any
			codes := []issue.Code{"custom"}
			ran := false
			rules := []*validate.Rule{
				{Name: "first", Codes: codes, Run: func(ctx context.Context, p *validate.Pass) error {
					got = ctx.Value(key{})
					if c.want != nil {
						cancel()
					}
					return c.run(ctx, p)
				}},
				{Name: "second", Codes: codes, Run: func(context.Context, *validate.Pass) error { ran = true; return nil }},
			}
			result, err := validate.Instance(trail(t)[stable], doc, &validate.Options{Context: ctx, Rules: rules})
			require.ErrorIs(t, err, c.want)
			require.Equal(t, c.want == nil, result != nil)
			require.Equal(t, c.want == nil, ran)
			require.Equal(t, name, got)
		})
	}
	without := &validate.Rule{Name: "without", Codes: []issue.Code{"custom"}, Run: func(ctx context.Context, _ *validate.Pass) error { return ctx.Err() }}
	_, err = validate.Instance(trail(t)[stable], doc, &validate.Options{Rules: []*validate.Rule{without}})
	require.NoError(t, err, "rules always get a context")
}

// TestDisable disables each code of each case, alone: the other findings stay as they are.
func TestDisable(t *testing.T) {
	releases := trail(t)
	for _, c := range conformanceCases(t) {
		if c.Operation == "resolve" {
			continue // see TestDisableResolving
		}
		for _, w := range c.Wanted {
			if w.Code == codes.ParseError || w.Code == codes.TooManyFindings {
				continue
			}
			c.disable = []issue.Code{w.Code}
			want := issue.Issues{}
			for _, i := range (&conformanceCase{Operation: c.Operation, Version: c.Version, Strict: c.Strict, Document: c.Document}).run(t, releases) {
				if i.Code != w.Code {
					want = append(want, i)
				}
			}
			require.Equal(t, want, c.run(t, releases), c.file)
		}
	}
}

// TestDisabledRules skips rules without another code, and refuses codes that no rule reports.
func TestDisabledRules(t *testing.T) {
	ran := 0
	rule := &validate.Rule{Name: "two", Codes: []issue.Code{"one", "other"}, Run: func(_ context.Context, p *validate.Pass) error {
		ran++
		p.Report(issue.Issue{Code: "one"})
		p.Report(issue.Issue{Code: "other"})
		return nil
	}}
	for _, c := range []struct {
		disable []issue.Code
		ran     int
		want    []issue.Code
	}{
		{nil, 1, []issue.Code{"one", "other"}},
		{[]issue.Code{"one"}, 1, []issue.Code{"other"}},
		{[]issue.Code{"one", "other"}, 0, nil},
	} {
		ran = 0
		var got []issue.Code
		for _, i := range judge(t, walk(), &validate.Options{Rules: []*validate.Rule{rule}, Disable: c.disable}).Issues {
			got = append(got, i.Code)
		}
		require.Equal(t, c.want, got)
		require.Equal(t, c.ran, ran)
	}
	for _, code := range []issue.Code{"one", "", codes.ParseError, codes.TooManyFindings} {
		_, err := validate.Instance(trail(t)[stable], parsed(t, walk()), &validate.Options{Disable: []issue.Code{code}})
		require.ErrorContains(t, err, fmt.Sprintf("validate: the code %q can't be disabled", code))
	}
	require.NoError(t, (*validate.Options)(nil).Check())
}

// TestDisableResolving reports every error of a document that is to be resolved.
func TestDisableResolving(t *testing.T) {
	disable := []issue.Code{codes.InstanceElementUnknown, codes.SchemaVersionMismatch, codes.ContextTypeMissing}
	text := bytes.Replace(walk(`{"element_id":"unknown"}`, `{"element_id":"facility.hut"}`), []byte("2026-03-01"), []byte("2025-01-01"), 1)
	require.Empty(t, judge(t, text, &validate.Options{Disable: disable}).Issues)
	require.Len(t, judge(t, text, &validate.Options{Disable: disable, MustPin: true}).Issues, 2)
	require.Len(t, judge(t, text, &validate.Options{MustPin: true}).Issues, 3)
}

// TestResult separates errors and warnings.
func TestResult(t *testing.T) {
	result := judge(t, walk(`{"element_id":"facility.hut"}`, `{"element_id":"hazard.ice"}`), nil)
	require.False(t, result.OK())
	require.Len(t, result.Issues, 2)
	require.Equal(t, result.Issues[:1], result.Issues.With(issue.SeverityWarning))
	require.Equal(t, result.Issues[1:], result.Issues.With(issue.SeverityError))

	fine := judge(t, walk(), nil)
	require.True(t, fine.OK())
	require.NotNil(t, fine.Issues, "no findings are an empty list on the wire")
	require.NotNil(t, fine.Issues.With(issue.SeverityError))
	require.NotNil(t, fine.Issues.With(issue.SeverityWarning))
}

// TestRulesAreCopies changes rules.
func TestRulesAreCopies(t *testing.T) {
	for _, r := range validate.Rules() {
		r.Codes[0], r.Run = "changed", nil
	}
	for _, r := range validate.Rules() {
		require.NotContains(t, r.Codes, issue.Code("changed"))
		require.NotNil(t, r.Run)
	}
	require.True(t, judge(t, walk(), &validate.Options{Strict: true}).OK())
}
