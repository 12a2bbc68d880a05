package main

import (
	"cmp"
	"runtime"
	"strings"

	"github.com/spf13/cobra"

	"github.com/datachain-go/datachain/adapters/sign"
	"github.com/datachain-go/datachain/cmd/internal/flags"
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
	Go   string `json:"go"`
}

func (p *program) versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the version of this program",
	}
	format := formatFlag(cmd, formatText, formatJSON)
	licences := false
	flags.Add(cmd, flags.New("licences", "print the licence of the fonts that are part of the program", flags.Switch(&licences)))
	cmd.MarkFlagsMutuallyExclusive("format", "licences")
	version := p.answers(format, func(*cobra.Command, []string) (answer, error) { return p.versionAnswer(), nil })
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if licences {
			return p.printf("Noto Sans and Noto Sans Arabic\n\n%s", sign.FontLicence())
		}
		return version(cmd, args)
	}
	return cmd
}

func (a versionAnswer) good() bool { return true }

func (a versionAnswer) print(p *program, _ string) error { return p.printf("%s\n", a.line()) }

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
		}
	}
	return a
}
