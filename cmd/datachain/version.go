package main

import (
	"cmp"
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// versionAnswer is the output of `datachain version --format json`.
type versionAnswer struct {
	Version string `json:"version"`
	// Revision is the commit that the program was built from, if known, and
	// Modified reports whether there were other changes.
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
	format := formatFlag(cmd, formatText, formatJSON)
	cmd.RunE = func(*cobra.Command, []string) error {
		a := p.versionAnswer()
		return p.answer(*format, a, true, func() error {
			_, err := fmt.Fprintln(p.stdout, a.line())
			return err
		})
	}
	return cmd
}

// line returns the answer for people.
func (a versionAnswer) line() string {
	line := "datachain " + a.Version
	switch {
	case a.Modified:
		line += " (" + a.Revision + ", modified)"
	case a.Revision != "":
		line += " (" + a.Revision + ")"
	}
	return line + " " + a.Go
}

func (p *program) versionAnswer() versionAnswer {
	if p.build == nil {
		return versionAnswer{Version: "(unknown)", Go: runtime.Version()}
	}
	a := versionAnswer{Version: cmp.Or(p.build.Main.Version, "(unknown)"), Go: p.build.GoVersion}
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
