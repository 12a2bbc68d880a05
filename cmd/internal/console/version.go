package console

import (
	"cmp"
	"runtime"
	"strings"
)

// Version is the output of the command version with --format json.
type Version struct {
	Version string `json:"version"`
	// Revision is the commit that the program was built from, if known, and
	// Modified reports whether there were other changes.
	Revision string `json:"revision,omitempty"`
	Modified bool   `json:"modified,omitempty"`
	// Time is the time of that commit, as RFC 3339.
	Time string `json:"time,omitempty"`
	Go   string `json:"go"`

	program string
}

// Good reports that the exit code is 0.
func (v Version) Good() bool { return true }

// String returns the version for people, after the name of the program.
func (v Version) String() string {
	var origin []string
	if v.Revision != "" {
		origin = append(origin, v.Revision)
	}
	if v.Modified {
		origin = append(origin, "modified")
	}
	if day, _, ok := strings.Cut(v.Time, "T"); ok {
		origin = append(origin, day)
	}
	line := v.program + " " + v.Version
	if len(origin) > 0 {
		line += " (" + strings.Join(origin, ", ") + ")"
	}
	return line + " " + v.Go
}

// Version returns the version of the program.
func (c *Console) Version() Version {
	v := Version{Version: "(unknown)", Go: runtime.Version(), program: c.Root.Name()}
	if c.Build == nil {
		return v
	}
	v.Version, v.Go = cmp.Or(c.Build.Main.Version, "(unknown)"), c.Build.GoVersion
	for _, s := range c.Build.Settings {
		switch s.Key {
		case "vcs.revision":
			v.Revision = s.Value
		case "vcs.modified":
			v.Modified = s.Value == "true"
		case "vcs.time":
			v.Time = s.Value
		}
	}
	return v
}
