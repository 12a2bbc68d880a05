package source

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/internal/prose"
)

// invalidYAML describes an error of the YAML library, which reports at most the
// line where the value starts that it was reading.
//
// The problem is on the last of the fewest lines that fail in the same way. To
// find it the text is read after an empty line, because the library does not
// report the first line.
func invalidYAML(err error, data []byte) *problem {
	lines := yamlLines(data)
	failure := func(n int) string {
		_, _, err := decodeYAML(io.MultiReader(strings.NewReader("\n"), bytes.NewReader(bytes.Join(lines[:n], nil))))
		return fmt.Sprint(err)
	}
	whole := failure(len(lines))
	start, _ := splitYAMLError(whole)
	least := min(max(start-1, 1), len(lines))
	most := least
	for step := 1; most < len(lines) && failure(most) != whole; step *= 2 {
		least, most = most+1, min(most+step, len(lines))
	}
	at := least + sort.Search(most-least, func(i int) bool { return failure(least+i) == whole })

	if p := unquoted(lines[:at], max(start-2, 0)); p != nil {
		return p
	}
	_, message := splitYAMLError(err.Error())
	if start > 0 && start < at {
		message += fmt.Sprintf(", in the value that starts near line %d", start)
	}
	line := lines[at-1]
	indented := bytes.TrimLeft(line, " ")
	hint := "fix the YAML syntax; quote text that contains : or #, or that starts with a special character"
	switch indent := indentHint(lines[:at]); {
	case bytes.HasPrefix(bytes.TrimLeft(line, " -"), []byte("\t")):
		hint = "indent with spaces instead of tabs"
	case bytes.HasPrefix(line, []byte("%")):
		hint = directiveHint
	case indent != "":
		hint = indent
	}
	return invalid(place{at, len(line) - len(indented) + 1}, hint, "Invalid YAML: %s.", message)
}

// unquoted returns the problem of the first text inside braces or brackets, from a line
// on, that has a ? or a # and no quotes, or nil. The library reads such a text as
// something else, and reports only what it misses then.
func unquoted(lines [][]byte, from int) *problem {
	depth := 0
	for i := min(from, len(lines)-1); i < len(lines); i++ {
		line := lines[i]
		start := 0 // of the text: the first character after a separator that is not white space
		for at := 0; at < len(line); at++ {
			c := line[at]
			blankBefore := at == 0 || line[at-1] == ' ' || line[at-1] == '\t'
			switch {
			case c == ' ' || c == '\t':
				if start == at {
					start++
				}
			case (c == '"' || c == '\'') && start == at:
				end := bytes.IndexByte(line[at+1:], c)
				if end < 0 {
					return nil // a text of several lines
				}
				at += end + 1
			case (c == '{' || c == '[') && (depth > 0 || start == at):
				depth++
				start = at + 1
			case depth > 0 && (c == '}' || c == ']'):
				depth--
				start = at + 1
			case depth > 0 && c == ',', (c == ':' || c == '-') && at+1 < len(line) && line[at+1] == ' ':
				start = at + 1
			case c == '#' && blankBefore && (depth == 0 || !bytes.ContainsAny(line[at:], "}]")):
				at = len(line) // a comment
			case depth > 0 && (c == '?' || c == '#' && blankBefore):
				value := line[start:]
				if end := bytes.IndexAny(line[at:], ",}]"); end >= 0 {
					value = line[start : at+end]
				}
				because := "a ? ends it"
				if c == '#' {
					because = "# begins a comment, which hides the rest of the line"
				}
				return invalid(place{i + 1, utf8.RuneCount(line[:start]) + 1}, "put the text in quotes: "+prose.Quote(string(bytes.TrimSpace(value))),
					"Invalid YAML: a text without quotes inside { } or [ ]: %s.", because)
			}
		}
	}
	return nil
}

var yamlErrorFormat = regexp.MustCompile(`^yaml: (?:line (\d+): )?((?s).*)$`)

// splitYAMLError splits an error of the YAML library into the line, or 0, and
// the message. The library offers no more than the text.
func splitYAMLError(text string) (line int, message string) {
	m := yamlErrorFormat.FindStringSubmatch(text)
	if m == nil {
		return 0, text
	}
	line, _ = strconv.Atoi(m[1])
	return line, m[2]
}

// yamlLines splits a text into lines as YAML counts them, each with its end.
func yamlLines(data []byte) [][]byte {
	var lines [][]byte
	start := 0
	for i, r := range string(data) {
		if r == '\n' || r == '\u0085' || r == '\u2028' || r == '\u2029' || r == '\r' && !bytes.HasPrefix(data[i:], []byte("\r\n")) {
			end := i + utf8.RuneLen(r)
			lines = append(lines, data[start:end])
			start = end
		}
	}
	return append(lines, data[start:])
}
