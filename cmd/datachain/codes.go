package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/report"
	"github.com/datachain-go/datachain/examples/documents"
	"github.com/datachain-go/datachain/internal/nearest"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// codeAnswer is a code in what `datachain codes --format json` prints.
type codeAnswer struct {
	Code     issue.Code     `json:"code"`
	Severity issue.Severity `json:"severity"`
	RaisedBy string         `json:"raised_by"`
	Meaning  string         `json:"meaning"`
	Example  string         `json:"example"`
	// Document gives the code when it is validated.
	Document string `json:"document,omitempty"`
}

func newCodeAnswer(c issue.CodeInfo) codeAnswer {
	return codeAnswer{Code: c.Code, Severity: c.Severity, RaisedBy: c.RaisedBy, Meaning: c.Meaning, Example: c.Example}
}

// codesAnswer is what `datachain codes --format json` prints.
type codesAnswer struct {
	Codes []codeAnswer `json:"codes"`
}

func (p *program) codesCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "codes [CODE]",
		Short: "Explain the codes of findings",
		Long: `Explain the codes of findings: all of them in a table, or one with its meaning, an
example and, where there is one, a document that gives it.`,
		Example: `  datachain codes
  datachain codes CONTEXT_TYPE_UNKNOWN`,
		Args: takes(0, "CODE"),
		ValidArgsFunction: completeNames(func() (names []cobra.Completion) {
			for _, c := range issue.Codes() {
				names = append(names, cobra.CompletionWithDesc(string(c.Code), c.Meaning))
			}
			return names
		}),
	}
	form := formatFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return p.listCodes(*form)
		}
		c, err := findCode(cmd, args[0])
		if err != nil {
			return err
		}
		return p.explainCode(cmd, c, *form)
	}
	return cmd
}

// findCode looks a code up; capitals do not matter.
func findCode(cmd *cobra.Command, typed string) (issue.CodeInfo, error) {
	var known, longer []string
	for _, c := range issue.Codes() {
		if strings.EqualFold(string(c.Code), typed) {
			return c, nil
		}
		known = append(known, string(c.Code))
		if typed != "" && strings.Contains(strings.ToLower(string(c.Code)), strings.ToLower(typed)) {
			longer = append(longer, string(c.Code))
		}
	}
	near := nearest.All(typed, slices.Values(known), 3)
	if len(near) == 0 {
		near = longer[:min(len(longer), 3)]
	}
	hint := ""
	if len(near) > 0 {
		hint = "; did you mean " + strings.Join(near, " or ") + "?"
	}
	return issue.CodeInfo{}, badUsage(cmd, "unknown code %q%s", typed, hint)
}

func (p *program) listCodes(form format) error {
	if form == formatJSON {
		answer := codesAnswer{[]codeAnswer{}}
		for _, c := range issue.Codes() {
			answer.Codes = append(answer.Codes, newCodeAnswer(c))
		}
		return writeJSON(p.stdout, answer)
	}
	rows := [][]string{{"CODE", "SEVERITY", "RAISED BY", "MEANING"}}
	for _, c := range issue.Codes() {
		rows = append(rows, []string{string(c.Code), string(c.Severity), c.RaisedBy, c.Meaning})
	}
	return table(p.stdout, rows)
}

func (p *program) explainCode(cmd *cobra.Command, c issue.CodeInfo, form format) error {
	example, there := documents.Invalid(c.Code)
	if form == formatJSON {
		answer := newCodeAnswer(c)
		answer.Document = string(example.Text)
		return writeJSON(p.stdout, answer)
	}
	s := p.outStyle()
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s of %s\n\n%s\n\nExample: %s\n", s.Bold(string(c.Code)), c.Severity, c.RaisedBy, c.Meaning, c.Example)
	if there {
		r, err := p.judgeExample(cmd, example)
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "\nA document that gives it:\n\n%s\n%s says:\n\n", indent(string(example.Text)), s.Bold("validate"+howJudged(example)))
		if err := report.Text(&b, r, &report.Options{Color: bool(s)}); err != nil {
			return err
		}
	}
	_, err := io.WriteString(p.stdout, strings.TrimRight(b.String(), "\n")+"\n")
	return err
}

// judgeExample judges an example as `datachain validate` would.
func (p *program) judgeExample(cmd *cobra.Command, example documents.Example) (*report.Report, error) {
	s, err := p.openLibrary(cmd.Context(), origin{})
	if err != nil {
		return nil, err
	}
	defer s.close()
	j, err := newJudge(cmd.Context(), s, example.Version)
	if err != nil {
		return nil, err
	}
	j.strict = example.Strict
	f := j.one(cmd.Context(), input{name: example.Name}, example.Text)
	return &report.Report{Files: []report.File{f}}, f.Err
}

// howJudged returns the flags that an example needs to give its code.
func howJudged(example documents.Example) string {
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
