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
