// Package validatetest runs the rules of programs on documents, as package validate does.
//
// A rule reads a [validate.Pass], which can't be made by hand. [Run] validates the documents
// of some cases by a release, and compares what the rule reports with what is wanted. It
// fails a case that shows nothing, because the rule did not run.
package validatetest

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
	"github.com/datachain-go/datachain/validate"
)

// Case is a document with the findings that a rule must report, in order.
type Case struct {
	Name string
	// Release is what a thin document is validated against. For a document with a
	// snapshot it is the release that the document pins, or nil if that is not published.
	Release *taxonomy.Release
	// Document is the text.
	Document string
	// Invalid means that the document has errors besides those of the rule, which can
	// hide what the rule looks for. One of the wrong shape, or with syntax errors, is
	// validated with [validate.Options.Partial].
	Invalid bool
	// Want are the findings of the rule, in their order.
	Want []Finding
}

// Finding is a finding that is wanted.
type Finding struct {
	Code issue.Code
	// Path is that of the issue, such as elements[0].variables.
	Path string
	// Message is a part of the message.
	Message string
}

// Run validates the document of each case with the rule, and without it to know which findings are
// its own. Each code of the rule must be wanted by a case.
func Run(t *testing.T, rule *validate.Rule, cases []Case) {
	t.Helper()
	if problem := suiteProblem(rule, cases); problem != "" {
		t.Fatal(problem)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			t.Helper()
			if problem := c.problem(t.Context(), rule); problem != "" {
				t.Error(problem)
			}
		})
	}
}

// suiteProblem says what is wrong with a rule and its cases, or "".
func suiteProblem(rule *validate.Rule, cases []Case) string {
	if err := (&validate.Options{Rules: []*validate.Rule{rule}}).Check(); err != nil {
		return err.Error()
	}
	for _, code := range rule.Codes {
		wants := func(f Finding) bool { return f.Code == code }
		if !slices.ContainsFunc(cases, func(c Case) bool { return slices.ContainsFunc(c.Want, wants) }) {
			return fmt.Sprintf("no case wants the code %s of the rule %s: add one, or remove the code", code, rule.Name)
		}
	}
	return ""
}

// problem says what is wrong in a case, or "".
func (c *Case) problem(ctx context.Context, rule *validate.Rule) string {
	doc, err := document.ParseWith([]byte(c.Document), &document.Options{Recover: c.Invalid})
	if err != nil {
		return "the document can't be read: " + err.Error()
	}
	without, err := c.validate(ctx, doc)
	if err != nil {
		return err.Error()
	}
	switch errors := without.Issues.With(issue.SeverityError); {
	case len(errors) > 0 && !c.Invalid:
		return "the document has errors without the rule, so it may show nothing: correct them, or set Invalid" + lines(errors)
	case len(errors) == 0 && c.Invalid:
		return "the document is valid without the rule: do not set Invalid"
	case len(without.Issues) > validate.MaxFindings:
		return "the document has too many findings without the rule: correct them"
	}
	ran := false
	watched := *rule
	watched.Run = func(ctx context.Context, p *validate.Pass) error {
		ran = true
		return rule.Run(ctx, p)
	}
	with, err := c.validate(ctx, doc, &watched)
	switch {
	case err != nil:
		return err.Error()
	case !ran:
		return "the rule did not run, because of these errors; see DespiteShape and Needs of validate.Rule" + lines(without.Issues)
	}
	return compare(c.Want, added(without.Issues, with.Issues))
}

// validate validates the document of the case.
func (c *Case) validate(ctx context.Context, doc *document.Document, rules ...*validate.Rule) (*validate.Result, error) {
	o := &validate.Options{Rules: rules, Partial: true, Context: ctx}
	if _, resolved := doc.Root().Get("schema_snapshot"); resolved {
		return validate.Resolved(c.Release, doc, o)
	}
	return validate.Instance(c.Release, doc, o)
}

// added returns the issues that are in a list and not in another one.
func added(before, after issue.Issues) (own issue.Issues) {
	for _, i := range after {
		if len(before) > 0 && reflect.DeepEqual(i, before[0]) {
			before = before[1:]
			continue
		}
		own = append(own, i)
	}
	return own
}

// compare says how findings differ, or "".
func compare(want []Finding, got issue.Issues) string {
	same := slices.EqualFunc(want, got, func(f Finding, i issue.Issue) bool {
		return f.Code == i.Code && f.Path == i.Path.String() && strings.Contains(i.Message, f.Message)
	})
	if same {
		return ""
	}
	var b strings.Builder
	for _, f := range want {
		fmt.Fprintf(&b, "\n\t%s at %s: %s", f.Code, f.Path, f.Message)
	}
	return fmt.Sprintf("the rule reports%s\nwanted%s", lines(got), &b)
}

// lines returns issues on a line each.
func lines(issues issue.Issues) string {
	if len(issues) == 0 {
		return "\n\tnothing"
	}
	var b strings.Builder
	for _, i := range issues {
		fmt.Fprintf(&b, "\n\t%s at %s: %s", i.Code, i.Path, i.Message)
	}
	return b.String()
}
