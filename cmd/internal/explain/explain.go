// Package explain explains the codes of findings, with documents that have them.
package explain

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/report"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/codes/remedy"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Code is a code of findings.
type Code struct {
	Code     issue.Code     `json:"code"`
	Severity issue.Severity `json:"severity"`
	RaisedBy string         `json:"raised_by"`
	Meaning  string         `json:"meaning"`
	Example  string         `json:"example"`
	// Fix says how to fix it; Bad and Good are a part before and after.
	Fix  string `json:"fix"`
	Bad  string `json:"bad"`
	Good string `json:"good,omitempty"`
	// Document has a finding with the code.
	Document string `json:"document,omitempty"`
}

func newCode(c issue.CodeInfo) Code {
	r, _ := remedy.Lookup(string(c.Code)) // every code has one
	return Code{
		Code: c.Code, Severity: c.Severity, RaisedBy: c.RaisedBy, Meaning: c.Meaning, Example: c.Example,
		Fix: r.Advice, Bad: r.Bad, Good: r.Good,
	}
}

// Codes are all codes.
type Codes struct {
	Codes []Code `json:"codes"`
}

// All returns all codes.
func All() Codes {
	a := Codes{[]Code{}}
	for _, c := range issue.Codes() {
		a.Codes = append(a.Codes, newCode(c))
	}
	return a
}

// Table returns rows for people, the first being the heading.
func (a Codes) Table() [][]string {
	rows := [][]string{{"CODE", "SEVERITY", "RAISED BY", "MEANING"}}
	for _, c := range a.Codes {
		rows = append(rows, []string{string(c.Code), string(c.Severity), c.RaisedBy, c.Meaning})
	}
	return rows
}

// Explained is a code with a document that has it, if there is one.
type Explained struct {
	Code
	example *documents.Example
	report  *report.Report // of the example
}

// Find returns a code, ignoring case, or nil.
func Find(typed string) *Explained {
	for _, c := range issue.Codes() {
		if !strings.EqualFold(string(c.Code), typed) {
			continue
		}
		e := &Explained{Code: newCode(c)}
		if example, found := documents.Invalid(c.Code); found {
			e.Document, e.example = string(example.Text), &example
		}
		return e
	}
	return nil
}

// Near returns up to three codes that are similar to a text, or contain it.
func Near(typed string) []string {
	var all, longer []string
	for _, c := range issue.Codes() {
		all = append(all, string(c.Code))
		if strings.Contains(strings.ToLower(string(c.Code)), strings.ToLower(typed)) {
			longer = append(longer, string(c.Code))
		}
	}
	if near := similar.AllNearest(typed, slices.Values(all), 3); len(near) > 0 {
		return near
	}
	return longer[:min(len(longer), 3)]
}

// Validate validates the document against the samples, for its text.
func (e *Explained) Validate(ctx context.Context, samples *stores.Set) error {
	if e.example == nil {
		return nil
	}
	validate, err := samples.Validator(ctx, e.example.Version, &datachain.ValidateOptions{Strict: e.example.Strict})
	if err != nil {
		return err
	}
	v, err := validate(ctx, e.example.Text)
	f := samples.Report(inputs.Input{Name: e.example.Name}, e.example.Text, v, err, false)
	e.report = &report.Report{Files: []report.File{f}}
	return f.Err
}

// Text explains the code for people.
func (e *Explained) Text(s report.Style, width int) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s of %s\n\n%s\n", s.Bold(string(e.Code.Code)), e.Severity, e.RaisedBy,
		report.Wrap(e.Meaning+"\n\nExample: "+e.Example+"\n\nHow to fix it: "+e.Fix, width))
	if e.Good != "" {
		fmt.Fprintf(&b, "\nInstead of:\n\n%s\n\nwrite:\n\n%s\n", indent(e.Bad), indent(e.Good))
	}
	if e.example != nil {
		fmt.Fprintf(&b, "\nA document with this finding:\n\n%s\nOutput of %s:\n\n", indent(e.Document), s.Bold("validate"+exampleFlags(*e.example)))
		if err := report.Text(&b, e.report, &report.Options{Color: bool(s)}); err != nil {
			return "", err
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n", nil
}

// exampleFlags returns the flags of validate that an example needs.
func exampleFlags(example documents.Example) string {
	flags := ""
	if example.Version != "" {
		flags += " --schema-version " + example.Version
	}
	if example.Strict {
		flags += " --strict"
	}
	return flags
}

func indent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString("    " + line)
	}
	return b.String()
}
