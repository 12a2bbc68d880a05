package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// shownPlaces is how many places of a group are listed besides the first.
const shownPlaces = 3

// group is similar warnings.
type group struct {
	name    string // of [issue.Issue.Groups], or ""
	members []member
}

// member is a finding and the file that it is in.
type member struct {
	file    string
	lines   []string
	finding Finding
}

// groupKey is what the members of a group have in common.
type groupKey struct {
	code          issue.Code
	name          string
	message, hint string // if there is no name
}

// filtered returns the file with the findings of a severity.
func (f *File) filtered(s issue.Severity) *File {
	only := *f
	only.Findings = slices.DeleteFunc(slices.Clone(f.Findings), func(f Finding) bool { return f.Severity != s })
	return &only
}

// groups returns the warnings of a report in groups, in the order of their first members.
func groups(r *Report) []*group {
	var list []*group
	known := make(map[groupKey]*group)
	for i := range r.Files {
		f := r.Files[i].filtered(issue.SeverityWarning)
		if len(f.Findings) == 0 {
			continue
		}
		lines := f.lines()
		for _, finding := range byLine(f.located(lines)) {
			keys := []groupKey{{code: finding.Code, message: finding.Message, hint: finding.FixHint}}
			if len(finding.Groups) > 0 {
				keys = nil
				for _, name := range finding.Groups {
					keys = append(keys, groupKey{code: finding.Code, name: name})
				}
			}
			for _, key := range keys {
				g := known[key]
				if g == nil {
					g = &group{name: key.name}
					known[key], list = g, append(list, g)
				}
				g.members = append(g.members, member{f.Name, lines, finding})
			}
		}
	}
	return list
}

// writeGroups writes the warnings of a report.
func writeGroups(b *strings.Builder, r *Report, o Options) {
	written := make(map[issue.Position]bool) // findings that are alone in several groups
	for _, g := range groups(r) {
		first := &g.members[0]
		if len(g.members) > 1 {
			g.write(b, &o)
			continue
		}
		if place := first.finding.place(first.file); g.name == "" || !written[place] {
			written[place] = g.name != ""
			writeFinding(b, first.file, first.lines, &first.finding, o)
		}
	}
}

// write writes a group of several warnings, with their hint if they have the same one.
func (g *group) write(b *strings.Builder, o *Options) {
	first := &g.members[0]
	often := fmt.Sprintf("%d times: ", len(g.members))
	if g.name != "" {
		often = fmt.Sprintf("%s, %d times: ", wording.Line(g.name), len(g.members))
	}
	writeMessage(b, first.file, &first.finding, often, Style(o.Color))
	var places []string
	for _, m := range g.members[1:] {
		if place := m.finding.place(m.file); place != (issue.Position{}) && !slices.Contains(places, place.String()) {
			places = append(places, place.String())
		}
		if len(places) == shownPlaces {
			break
		}
	}
	if len(places) > 0 {
		line := "also at " + strings.Join(places, ", ")
		if more := len(g.members) - 1 - len(places); more > 0 {
			line += fmt.Sprintf(" and %d more", more)
		}
		fmt.Fprintf(b, "  %s\n", wording.Line(line))
	}
	hint := first.finding
	if slices.ContainsFunc(g.members, func(m member) bool { return m.finding.FixHint != hint.FixHint }) {
		hint.FixHint = ""
	}
	writeHint(b, &hint, o)
}
