package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// versionAnswer is what `datachain version --format json` prints.
type versionAnswer struct {
	Version string `json:"version"`
	// Revision is the commit that the program was built from, if known, and
	// Modified says that there were changes besides.
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	Go       string `json:"go"`
}

func (p *program) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:               "version",
		Short:             "Print the version of this program",
		Args:              takes(0),
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	form := formatFlag(cmd)
	cmd.RunE = func(*cobra.Command, []string) error {
		a := p.versionAnswer()
		if *form == formatJSON {
			return writeJSON(p.stdout, a)
		}
		line := "datachain " + a.Version
		if a.Revision != "" {
			line += " (" + a.Revision
			if a.Modified {
				line += ", modified"
			}
			line += ")"
		}
		_, err := fmt.Fprintf(p.stdout, "%s %s\n", line, a.Go)
		return err
	}
	return cmd
}

func (p *program) versionAnswer() versionAnswer {
	a := versionAnswer{Version: "(unknown)", Go: runtime.Version()}
	if p.build == nil {
		return a
	}
	a.Go = p.build.GoVersion
	if v := p.build.Main.Version; v != "" {
		a.Version = v
	}
	for _, s := range p.build.Settings {
		switch s.Key {
		case "vcs.revision":
			a.Revision = s.Value
		case "vcs.modified":
			a.Modified = s.Value == "true"
		}
	}
	return a
}
