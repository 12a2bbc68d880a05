package command

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/location"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/wording"
)

// projectDocuments returns the documents that the project file names, as the user would
// type them, and says so.
func (p *program) projectDocuments() ([]string, error) {
	project, err := p.Project()
	if err != nil || project == nil {
		return nil, err
	}
	var list []string
	for _, file := range project.Documents {
		list = append(list, location.Relative(p.Dir, file))
	}
	if len(list) > 0 {
		p.Say("Using the documents in %s (%s).", wording.And(list), location.Relative(p.Dir, project.File))
	}
	return list, nil
}

// documents lists the documents that were typed, or those of the project.
func (p *program) documents(cmd *cobra.Command, typed []string) ([]inputs.Input, error) {
	if len(typed) == 0 {
		var err error
		if typed, err = p.projectDocuments(); err != nil {
			return nil, err
		}
		if len(typed) == 0 {
			return nil, usage.Error(cmd, "missing FILE, DIR or -")
		}
	}
	return p.Documents(typed)
}

// readOne reads the file that was typed.
func (p *program) readOne(ctx context.Context, typed string) (inputs.Input, []byte, error) {
	d := inputs.Named(p.Dir, typed)
	text, err := p.ReadText(ctx, d)
	return d, text, err
}
