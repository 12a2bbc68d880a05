package report

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/datachain-go/datachain/internal/wording"
)

// noFile is the name of a file that does not exist in a diff.
const noFile = "/dev/null"

// Diff returns what changed in a file as a unified diff, which patch applies, and "" if nothing
// changed. If before is nil, the file is new; if after is nil, it is removed. Characters that
// control terminals are replaced.
func Diff(name string, before, after []byte, s Style) string {
	name = wording.Line(name)
	if strings.Contains(name, " ") {
		name += "\t" // where the name ends
	}
	from, to := name, name
	if before == nil {
		from = noFile
	}
	if after == nil {
		to = noFile
	}
	var b strings.Builder
	for i, line := range strings.Split(strings.TrimSuffix(udiff.Unified(from, to, string(before), string(after)), "\n"), "\n") {
		text, windows := strings.CutSuffix(line, "\r")
		line = wording.Printable(text)
		if windows {
			line += "\r"
		}
		switch {
		case line == "":
			continue
		case i < 2:
			line = s.Bold(line)
		case line[0] == '@':
			line = s.Dim(line)
		case line[0] == '-':
			line = s.Red(line)
		case line[0] == '+':
			line = s.Green(line)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}
