package validate

import (
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/prose"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

var unknownField = &Rule{
	Name:  "unknown_field",
	Doc:   "In strict mode, every field is one that the schema knows.",
	Codes: []issue.Code{issue.CodeUnknownField},
	Run: func(p *Pass) {
		root := place{Value: p.Document.Root(), shape: instanceShape()}
		if p.Resolved != nil {
			root.shape = resolvedShape()
		}
		seen := 0
		checkFields(p, root, &seen)
	},
}

// checkFields reports the unknown fields of a value and of all in it. An object
// for which the schema names no fields may have any.
func checkFields(p *Pass, at place, seen *int) {
	at.shape = at.shape.alternative(at.Value)
	var absent []string // found out where one of them may be meant
	for child := range at.All() {
		if *seen++; !p.goOnAt(*seen) {
			return
		}
		if inside, ok := at.inside(child); ok {
			checkFields(p, inside, seen)
		} else if at.Kind() == '{' && len(at.shape.fields) > 0 {
			if absent == nil {
				absent = absentFields(at)
			}
			reportUnknown(p, at, child, absent)
		}
	}
}

// absentFields returns the known fields that an object does not have.
func absentFields(at place) []string {
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

func reportUnknown(p *Pass, object place, field document.Value, absent []string) {
	key := field.Key()
	p.misspeltKey(issue.Issue{
		Code: issue.CodeUnknownField, Severity: issue.SeverityWarning, Path: field.Path(),
		Message: fmt.Sprintf("The %s has a field %q, which is not known.", thing(object), prose.Clip(key)),
		FixHint: "remove it, unless a program of yours reads it",
	}, key, slices.Values(absent))
}
