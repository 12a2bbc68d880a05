package validate

import (
	"context"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var unknownField = &Rule{
	Name:  "unknown_field",
	Doc:   "In strict mode, the schema knows every field.",
	Codes: []issue.Code{codes.UnknownField},
	// A key is not reported if it is a required one that is misspelled.
	DespiteShape: true,
	Run: func(_ context.Context, p *Pass) error {
		root := shapedValue{Value: p.Original.Root(), shape: instanceShape()}
		if p.Resolved != nil {
			root.shape = resolvedShape()
		}
		checkFields(p, root)
		return nil
	},
}

// checkFields reports the unknown fields of a value and its contents. An object for
// which the schema names no fields can have any.
func checkFields(p *Pass, at shapedValue) {
	at.shape = at.shape.alternative(at.Value)
	var absent []string // computed when needed
	for child := range at.All() {
		if !p.Next() {
			return
		}
		if p.broken != nil && (p.Broken(child.Path()) || p.renamed[child.Path().String()]) {
			continue
		}
		if inside, ok := at.inside(child); ok {
			checkFields(p, inside)
			continue
		}
		if at.Kind() != '{' || len(at.shape.fields) == 0 || child.Broken() || child.BrokenKey() || child.Doubtful() {
			continue
		}
		if absent == nil {
			absent = absentFields(at)
		}
		key := child.Key()
		if len(at.Path()) == 0 && slices.ContainsFunc(p.opts.Rules, func(r *Rule) bool { return slices.Contains(r.Fields, key) }) {
			continue
		}
		p.reportMeantKey(issue.Issue{
			Code: codes.UnknownField, Severity: issue.SeverityWarning, Path: child.Path(),
			Message: fmt.Sprintf("The %s has an unknown field %q.", thing(at), wording.Clip(key)),
			FixHint: "remove it, unless another program uses it",
		}, p.hints.nearest(key, slices.Values(absent)))
	}
}

// absentFields returns the known fields that an object does not have.
func absentFields(at shapedValue) []string {
	there := make([]bool, len(at.shape.fields))
	for m := range at.All() {
		if i := at.shape.find(m, 0); i >= 0 {
			there[i] = true
		}
	}
	absent := []string{}
	for i, f := range at.shape.fields {
		if !there[i] {
			absent = append(absent, f.name)
		}
	}
	return absent
}
