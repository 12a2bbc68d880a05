package main

import (
	"cmp"
	"fmt"
	"runtime"
	"strings"

	"github.com/spf13/cobra"
)

// versionAnswer is the output of `datachain version --format json`.
type versionAnswer struct {
	Version string `json:"version"`
	// Revision is the commit that the program was built from, if known, and
	// Modified reports whether there were other changes.
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	// Time is the time of that commit, as RFC 3339.
	Time string `json:"time,omitempty"`
	// Tags are the build tags, separated by commas.
	Tags string `json:"tags,omitempty"`
	Go   string `json:"go"`
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
	var origin []string
	if a.Revision != "" {
		origin = append(origin, a.Revision)
	}
	if a.Modified {
		origin = append(origin, "modified")
	}
	if day, _, ok := strings.Cut(a.Time, "T"); ok {
		origin = append(origin, day)
	}
	if a.Tags != "" {
		origin = append(origin, "tags "+a.Tags)
	}
	line := "datachain " + a.Version
	if len(origin) > 0 {
		line += " (" + strings.Join(origin, ", ") + ")"
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
		case "vcs.time":
			a.Time = s.Value
		case "-tags":
			a.Tags = s.Value
		}
	}
	return a
}
