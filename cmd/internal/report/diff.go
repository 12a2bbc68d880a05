package report

import (
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
)

// diffContext is the number of lines shown around a change.
const diffContext = 3

// Diff returns what changed in a file as a unified diff.
func Diff(name string, before, after []byte, s Style) string {
	var b strings.Builder
	name = wording.Line(name)
	fmt.Fprintf(&b, "%s\n%s\n", s.Bold("--- "+name), s.Bold("+++ "+name))
	script := diffLines(strings.SplitAfter(string(before), "\n"), strings.SplitAfter(string(after), "\n"))
	for len(script) > 0 {
		var hunk []diffLine
		hunk, script = cutHunk(script)
		writeHunk(&b, s, hunk)
	}
	return b.String()
}

// diffLine is a line of a diff: ' ' is in both texts, '-' in the old one only, '+'
// in the new one only.
type diffLine struct {
	sign     byte
	text     string
	old, new int // numbers from 1 of the line, or of the next one, in both texts
}

// diffLines compares lines. Fixes are small, so the next common line is found by looking a little
// further in both texts.
func diffLines(before, after []string) []diffLine {
	var script []diffLine
	i, j := 0, 0
	emit := func(sign byte, text string) {
		if text != "" { // after the last line end
			script = append(script, diffLine{sign, text, i + 1, j + 1})
		}
	}
	for i < len(before) || j < len(after) {
		if i < len(before) && j < len(after) && before[i] == after[j] {
			emit(' ', before[i])
			i, j = i+1, j+1
			continue
		}
		di, dj := meet(before[i:], after[j:])
		for range di {
			emit('-', before[i])
			i++
		}
		for range dj {
			emit('+', after[j])
			j++
		}
	}
	return script
}

// meet returns how many lines of each text come before one that both have, the
// fewest in total.
func meet(before, after []string) (int, int) {
	for sum := 1; sum < len(before)+len(after); sum++ {
		for di := max(0, sum-len(after)); di <= min(sum, len(before)); di++ {
			if dj := sum - di; di < len(before) && dj < len(after) && before[di] == after[dj] {
				return di, dj
			}
		}
	}
	return len(before), len(after)
}

// cutHunk returns the first changes that are close together, with the lines around them, and the
// lines after the last of them.
func cutHunk(script []diffLine) (hunk, after []diffLine) {
	first := 0
	for first < len(script) && script[first].sign == ' ' {
		first++
	}
	if first == len(script) {
		return nil, nil
	}
	last := first // of the changes in the hunk
	for i := first; i < len(script) && i <= last+2*diffContext+1; i++ {
		if script[i].sign != ' ' {
			last = i
		}
	}
	return script[max(first-diffContext, 0):min(last+diffContext+1, len(script))], script[last+1:]
}

func writeHunk(b *strings.Builder, s Style, hunk []diffLine) {
	if len(hunk) == 0 {
		return
	}
	before, after := 0, 0
	for _, l := range hunk {
		if l.sign != '+' {
			before++
		}
		if l.sign != '-' {
			after++
		}
	}
	fmt.Fprintf(b, "%s\n", s.Dim(fmt.Sprintf("@@ -%d,%d +%d,%d @@", hunk[0].old, before, hunk[0].new, after)))
	for _, l := range hunk {
		text, ended := strings.CutSuffix(l.text, "\n")
		text, windows := strings.CutSuffix(text, "\r")
		line := string(l.sign) + wording.Printable(text)
		if windows {
			line += "\r"
		}
		switch l.sign {
		case '-':
			line = s.Red(line)
		case '+':
			line = s.Green(line)
		}
		b.WriteString(line + "\n")
		if !ended {
			b.WriteString("\\ No newline at end of file\n")
		}
	}
}
