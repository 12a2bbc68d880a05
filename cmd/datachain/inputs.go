package main

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/cmd/internal/inputs"
	"github.com/datachain-go/datachain/cmd/internal/location"
	"github.com/datachain-go/datachain/cmd/internal/sources"
	"github.com/datachain-go/datachain/cmd/internal/usage"
	"github.com/datachain-go/datachain/internal/files"
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
		list = append(list, location.Relative(p.dir, file))
	}
	if len(list) > 0 {
		p.say("Using the documents in %s (%s).", wording.And(list), location.Relative(p.dir, project.File))
	}
	return list, nil
}

// documents lists the documents that were typed, or those of the project: directories
// stand for every .json file below them. Each is listed once.
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
	var list []inputs.Input
	seen := make(map[string]bool)
	add := func(d inputs.Input) {
		if !seen[d.Path] {
			seen[d.Path] = true
			list = append(list, d)
		}
	}
	for _, t := range typed {
		d := inputs.Named(p.dir, t)
		if info, err := os.Stat(d.Path); err != nil || !info.IsDir() {
			add(d) // reading it returns the error
			continue
		}
		below := inputs.Below(d.Path)
		switch {
		case len(below) == 0 && sources.RootOf(p.dir, t) != "":
			return nil, fmt.Errorf("%s: contains no .json files: it is a schema source, which 'datachain schema lint' checks", t)
		case len(below) == 0:
			return nil, fmt.Errorf("%s: contains no .json files", t)
		}
		for _, file := range below {
			add(inputs.Input{Name: p.shown(file, t), Path: file, Dir: d.Path})
		}
	}
	return list, nil
}

// readOne reads the file that was typed.
func (p *program) readOne(ctx context.Context, typed string) (inputs.Input, []byte, error) {
	d := inputs.Named(p.dir, typed)
	text, err := p.readText(ctx, d)
	return d, text, err
}

// readText reads a file. Standard input may never end.
func (p *program) readText(ctx context.Context, d inputs.Input) ([]byte, error) {
	s, err := await(ctx, func() (*files.Snapshot, error) { return d.Read(p.stdin) })
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.Name, err)
	}
	return s.Text, nil
}
