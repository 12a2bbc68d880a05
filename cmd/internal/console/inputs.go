package console

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/files"
	"github.com/datachain-go/datachain/internal/wording"
)

// NamedDocuments returns the files and directories that were typed or, if there are none, those that the
// project file names, as the user would type them. It says so.
func (v *Versions) NamedDocuments(typed []string) ([]string, error) {
	if len(typed) > 0 {
		return typed, nil
	}
	project, err := v.Project()
	if err != nil || project == nil {
		return nil, err
	}
	for _, file := range project.Documents {
		typed = append(typed, files.Relative(v.console.Dir, file))
	}
	if len(typed) > 0 {
		v.console.Say("Using the documents in %s (%s).", wording.And(typed), files.Relative(v.console.Dir, project.File))
	}
	return typed, nil
}

// Documents lists the documents of [Versions.NamedDocuments], each once: directories stand for every
// .json file below them.
func (v *Versions) Documents(cmd *cobra.Command, typed []string) ([]inputs.Input, error) {
	named, err := v.NamedDocuments(typed)
	if err != nil {
		return nil, err
	}
	if len(named) == 0 {
		return nil, usage.Error(cmd, "missing FILE, DIR or -")
	}
	return v.console.list(named)
}

// list lists the documents that were typed.
func (c *Console) list(typed []string) ([]inputs.Input, error) {
	var list []inputs.Input
	seen := make(map[string]bool)
	add := func(d inputs.Input) {
		if !seen[d.Path] {
			seen[d.Path] = true
			list = append(list, d)
		}
	}
	for _, t := range typed {
		d := inputs.Named(c.Dir, t)
		if info, err := os.Stat(d.Path); err != nil || !info.IsDir() {
			add(d) // reading it returns the error
			continue
		}
		below := inputs.Below(d.Path)
		switch {
		case len(below) == 0 && sources.RootOf(c.Dir, t) != "":
			return nil, fmt.Errorf("%s: contains no .json files: it is a schema source, which 'datachain schema lint' checks", t)
		case len(below) == 0:
			return nil, fmt.Errorf("%s: contains no .json files", t)
		}
		for _, file := range below {
			add(inputs.Input{Name: c.Shown(file, t), Path: file, Dir: d.Path})
		}
	}
	return list, nil
}

// ReadInput reads the file that was typed.
func (c *Console) ReadInput(ctx context.Context, typed string) (inputs.Input, []byte, error) {
	d := inputs.Named(c.Dir, typed)
	text, err := c.ReadText(ctx, d)
	return d, text, err
}

// ReadText reads a file. Standard input may never end.
func (c *Console) ReadText(ctx context.Context, d inputs.Input) ([]byte, error) {
	s, err := Await(ctx, func() (*files.Snapshot, error) { return d.Read(c.Stdin) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
	}
	return s.Text, nil
}
