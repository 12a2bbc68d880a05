package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain"
	"github.com/datachain-go/datachain/cmd/datachain/internal/inputs"
	"github.com/datachain-go/datachain/cmd/datachain/internal/location"
	"github.com/datachain-go/datachain/cmd/datachain/internal/report"
	"github.com/datachain-go/datachain/cmd/datachain/internal/schemas"
	"github.com/datachain-go/datachain/cmd/datachain/internal/usage"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/codes/remedy"
	"github.com/datachain-go/datachain/internal/similar"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// codeAnswer is a code in the output of `datachain codes --format json`, and the output of
// `datachain codes CODE --format json`.
type codeAnswer struct {
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

func newCodeAnswer(c issue.CodeInfo) codeAnswer {
	r, _ := remedy.Lookup(string(c.Code)) // every code has one
	return codeAnswer{
		Code: c.Code, Severity: c.Severity, RaisedBy: c.RaisedBy, Meaning: c.Meaning, Example: c.Example,
		Fix: r.Advice, Bad: r.Bad, Good: r.Good,
	}
}

// codesAnswer is the output of `datachain codes --format json`.
type codesAnswer struct {
	Codes []codeAnswer `json:"codes"`
}

func newCodesAnswer() *codesAnswer {
	a := &codesAnswer{[]codeAnswer{}}
	for _, c := range issue.Codes() {
		a.Codes = append(a.Codes, newCodeAnswer(c))
	}
	return a
}

func (a *codesAnswer) good() bool { return true }

func (a *codesAnswer) print(p *program, _ string) error {
	rows := [][]string{{"CODE", "SEVERITY", "RAISED BY", "MEANING"}}
	for _, c := range a.Codes {
		rows = append(rows, []string{string(c.Code), string(c.Severity), c.RaisedBy, c.Meaning})
	}
	return p.table(rows)
}

func (p *program) codesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "codes [CODE]",
		Short: "Explain the codes of findings",
		Long: `List the codes of findings, or explain one: its meaning, an example and, if there is
one, a document that has it.`,
		Example: `  datachain codes
  datachain codes CONTEXT_TYPE_UNKNOWN`,
		ValidArgsFunction: completeNames(1, func(*cobra.Command, []string) (names []cobra.Completion) {
			for _, c := range issue.Codes() {
				names = append(names, cobra.CompletionWithDesc(string(c.Code), c.Meaning))
			}
			return names
		}),
	}
	format := formatFlag(cmd, formatText, formatJSON)
	cmd.RunE = p.answers(format, func(cmd *cobra.Command, args []string) (answer, error) {
		if len(args) == 0 {
			return newCodesAnswer(), nil
		}
		c, err := findCode(cmd, args[0])
		if err != nil {
			return nil, err
		}
		a := &explainedCode{codeAnswer: newCodeAnswer(c)}
		if example, found := documents.Invalid(c.Code); found {
			a.Document, a.example = string(example.Text), &example
			a.report, err = p.validateExample(cmd.Context(), example)
		}
		return a, err
	})
	return cmd
}

// findCode looks up a code, ignoring case.
func findCode(cmd *cobra.Command, typed string) (issue.CodeInfo, error) {
	var all, longer []string
	for _, c := range issue.Codes() {
		if strings.EqualFold(string(c.Code), typed) {
			return c, nil
		}
		all = append(all, string(c.Code))
		if strings.Contains(strings.ToLower(string(c.Code)), strings.ToLower(typed)) {
			longer = append(longer, string(c.Code))
		}
	}
	near := similar.AllNearest(typed, slices.Values(all), 3)
	if len(near) == 0 {
		near = longer[:min(len(longer), 3)]
	}
	hint := cmp.Or(usage.DidYouMean(near...), "; 'datachain codes' lists all")
	return issue.CodeInfo{}, usage.Error(cmd, "unknown code %q%s", typed, hint)
}

// explainedCode is a code with a document that has it, if there is one.
type explainedCode struct {
	codeAnswer
	example *documents.Example
	report  *report.Report // of the example
}

func (a *explainedCode) good() bool { return true }

func (a *explainedCode) print(p *program, _ string) error {
	s := p.outStyle()
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s of %s\n\n%s\n", s.Bold(string(a.Code)), a.Severity, a.RaisedBy,
		report.Wrap(a.Meaning+"\n\nExample: "+a.Example+"\n\nHow to fix it: "+a.Fix, p.outWidth()))
	if a.Good != "" {
		fmt.Fprintf(&b, "\nInstead of:\n\n%s\n\nwrite:\n\n%s\n", indent(a.Bad), indent(a.Good))
	}
	if a.example != nil {
		fmt.Fprintf(&b, "\nA document with this finding:\n\n%s\nOutput of %s:\n\n", indent(a.Document), s.Bold("validate"+exampleFlags(*a.example)))
		if err := report.Text(&b, a.report, &report.Options{Color: bool(s)}); err != nil {
			return err
		}
	}
	return p.printf("%s\n", strings.TrimRight(b.String(), "\n"))
}

// validateExample validates an example as `datachain validate` does.
func (p *program) validateExample(ctx context.Context, example documents.Example) (*report.Report, error) {
	opened, err := p.openStore(ctx, location.Location{Samples: true})
	if err != nil {
		return nil, err
	}
	set := schemas.New(opened.Store)
	validate, err := set.Validator(ctx, example.Version, &datachain.ValidateOptions{Strict: example.Strict})
	if err != nil {
		return nil, err
	}
	v, err := validate(ctx, example.Text)
	f := set.Report(inputs.Input{Name: example.Name}, example.Text, v, err, false)
	return &report.Report{Files: []report.File{f}}, f.Err
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
