package command

import (
	"cmp"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/console"
	"github.com/datachain-go/datachain/cmd/internal/explain"
	"github.com/datachain-go/datachain/cmd/internal/stores"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// codesAnswer is the output of `datachain codes --format json`.
type codesAnswer struct{ explain.Codes }

func (a *codesAnswer) Good() bool { return true }

func (a *codesAnswer) print(c *console.Console, _ string) error { return c.Table(a.Table()) }

// explainedCode is the output of `datachain codes CODE --format json`.
type explainedCode struct{ *explain.Explained }

func (a *explainedCode) Good() bool { return true }

func (a *explainedCode) print(c *console.Console, _ string) error {
	text, err := a.Text(c.OutStyle(), c.OutWidth())
	if err != nil {
		return err
	}
	return c.Printf("%s", text)
}

func codesCommand(c *console.Console) *cobra.Command {
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
	format := console.FormatFlag(cmd, formatText, formatJSON)
	cmd.RunE = runAnswer(c, format, func(cmd *cobra.Command, args []string) (answer, error) {
		if len(args) == 0 {
			return &codesAnswer{explain.All()}, nil
		}
		a := &explainedCode{explain.Find(args[0])}
		if a.Explained == nil {
			hint := cmp.Or(usage.DidYouMean(explain.Near(args[0])...), "; 'datachain codes' lists all")
			return nil, usage.Error(cmd, "unknown code %q%s", args[0], hint)
		}
		opened, err := c.Versions().OpenStore(cmd.Context(), stores.Location{Samples: true}, nil)
		if err == nil {
			err = a.Validate(cmd.Context(), stores.NewSet(opened.Store))
		}
		return a, err
	})
	return cmd
}
