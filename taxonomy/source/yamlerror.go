package source

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/issue"
)

var yamlLine = regexp.MustCompile(`^yaml: (?:unmarshal errors:\s*)?(?:line (\d+): )?(?s:(.*))$`)

// yamlError makes a finding of an error of the library.
func yamlError(err error, data []byte) error {
	lines := yamlLines(data)
	line, message := yamlProblem(err)
	e := &syntaxError{
		code: issue.CodeSourceSyntax, message: "bad YAML: " + message,
		hint: "mend the YAML syntax; a text with : or # in it, or one that begins with a special character, needs quotes",
	}
	switch {
	case strings.Contains(message, "cannot start any token"):
		e.hint = "indent with spaces instead of tabs, and put a text that begins with @, ` or % in quotes"
	case strings.Contains(message, "directive") || strings.Contains(message, "incompatible YAML"):
		e.hint = "remove the lines that begin with %; the format needs none"
	case fromYAMLParser(message):
		// The line, counted from 0, is where the list or mapping begins.
		begin := line + 1
		if line = locateYAML(lines, message); begin < line && strings.HasPrefix(message, "did") {
			e.message += fmt.Sprintf(" in what begins in line %d", begin)
		}
	}
	e.line = min(max(line, 1), len(lines))
	e.col = len(lines[e.line-1]) - len(bytes.TrimLeft(lines[e.line-1], " ")) + 1
	return e
}

// yamlProblem takes apart an error of the library, which has the line in its
// text alone. The line is 0 where it has none.
func yamlProblem(err error) (line int, message string) {
	m := yamlLine.FindStringSubmatch(err.Error())
	if m == nil {
		return 0, err.Error()
	}
	line, _ = strconv.Atoi(m[1])
	return line, m[2]
}

// fromYAMLParser reports whether a message is one of those for which the
// library does not tell the line of the problem. They come from its parser, or
// from building nodes; with the others, of its scanner, the line is right.
func fromYAMLParser(message string) bool {
	for _, begin := range []string{
		"did not find expected key", "did not find expected '-'", "did not find expected ','", "did not find expected node content",
		"did not find expected <document", "found undefined tag handle", "unknown anchor",
	} {
		if strings.HasPrefix(message, begin) {
			return true
		}
	}
	return false
}

// locateYAML finds the line of a problem. It gives the library the text line by
// line: the problem is in the last line it wants, or a little before, which
// shows when the text ends earlier.
func locateYAML(lines [][]byte, message string) int {
	const lookBack = 8
	same := func(lines [][]byte) (int, bool) {
		r := lineReader{lines: lines}
		_, err := decodeYAML(&r)
		if err == nil {
			return 0, false
		}
		_, again := yamlProblem(err)
		return r.read, again == message
	}
	last, ok := same(lines)
	for range lookBack {
		if ok && last > 1 {
			if _, ok = same(lines[:last-1]); ok {
				last--
			}
		}
	}
	return last
}

// lineReader reads a text one line at a time, and counts.
type lineReader struct {
	lines [][]byte
	read  int
	rest  []byte
}

func (r *lineReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		if r.read == len(r.lines) {
			return 0, io.EOF
		}
		r.rest = r.lines[r.read]
		r.read++
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// yamlLines cuts a text into lines as YAML counts them, each with its end.
func yamlLines(data []byte) [][]byte {
	var lines [][]byte
	start := 0
	for i := 0; i < len(data); i++ {
		switch data[i] {
		case '\n':
		case '\r':
			if bytes.HasPrefix(data[i:], []byte("\r\n")) {
				i++
			}
		case 0xC2: // perhaps U+0085
			if !bytes.HasPrefix(data[i:], []byte("\u0085")) {
				continue
			}
			i++
		case 0xE2: // perhaps U+2028 or U+2029
			if !bytes.HasPrefix(data[i:], []byte("\u2028")) && !bytes.HasPrefix(data[i:], []byte("\u2029")) {
				continue
			}
			i += 2
		default:
			continue
		}
		lines = append(lines, data[start:i+1])
		start = i + 1
	}
	return append(lines, data[start:])
}
