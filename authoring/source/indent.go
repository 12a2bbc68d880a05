package source

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/datachain-go/datachain/internal/prose"
)

// level is an indentation at which the keys of an object, or the dashes of a list, are
// written.
type level struct {
	column int
	dashes bool
}

// indentHint returns the hint for the last of some lines if its indentation fits none
// of the lines before it, or "".
func indentHint(lines [][]byte) string {
	last := lines[len(lines)-1]
	column := indentation(last)
	levels, opens := openLevels(lines[:len(lines)-1])
	if len(levels) == 0 || isBlank(last) {
		return ""
	}
	dash := isDash(last[column:])
	deepest := levels[len(levels)-1]
	switch at := slices.IndexFunc(levels, func(l level) bool { return l.column == column }); {
	case at >= 0 && levels[at].dashes && !dash && at+1 < len(levels):
		// A key of a list item that is not indented enough.
		return "indent it with " + spaces(levels[at+1].column) + ", like the other keys of the list item"
	case at >= 0, column > deepest.column && opens:
		return ""
	case column > deepest.column:
		return fmt.Sprintf("indent it with %s, like the line above; if it continues the text above, quote that text", spaces(deepest.column))
	}
	var fits []string
	for _, l := range levels {
		fits = append(fits, spaces(l.column))
	}
	return "indent it like a line above that it belongs to, with " + prose.Or(slices.Compact(fits))
}

// openLevels returns the levels that are open after some lines, and whether the last
// one opens a deeper level.
func openLevels(lines [][]byte) (levels []level, opens bool) {
	for _, line := range lines {
		if isBlank(line) {
			continue
		}
		column := indentation(line)
		levels = slices.DeleteFunc(levels, func(l level) bool { return l.column > column })
		rest := line[column:]
		for isDash(rest) {
			levels = enter(levels, level{column, true})
			inner := len(rest) - len(bytes.TrimLeft(rest[1:], " "))
			rest, column = rest[inner:], column+inner
		}
		if !isBlank(rest) {
			levels = enter(levels, level{column, false})
		}
		opens = isBlank(rest) || bytes.HasSuffix(bytes.TrimSpace(rest), []byte(":"))
	}
	return levels, opens
}

// enter adds a level, unless it is the deepest one.
func enter(levels []level, l level) []level {
	if n := len(levels); n > 0 && levels[n-1] == l {
		return levels
	}
	return append(levels, l)
}

func indentation(line []byte) int { return len(line) - len(bytes.TrimLeft(line, " ")) }

// isBlank reports whether a line has nothing but white space or a comment.
func isBlank(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#'
}

func isDash(text []byte) bool {
	return len(text) > 0 && text[0] == '-' && (len(text) == 1 || text[1] == ' ' || text[1] == '\n' || text[1] == '\r')
}

func spaces(n int) string {
	if n == 0 {
		return "no spaces"
	}
	return prose.Count(n, "space")
}
