package yaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/wording"
)

// The limits on what the aliases of a file expand to. Without them a small file
// could grow into a large one.
const (
	maxAliasNodes = 10_000
	maxAliasBytes = 1 << 20
)

// maxTags limits the %TAG directives of a file, which the format does not use:
// the library takes quadratic time for them.
const maxTags = 16

const directiveHint = "remove the lines that start with %; the format does not use directives"

// parseYAML reads a file of one YAML document into nodes. It knows only the
// types of JSON: dates, octal numbers, tags and merge keys have no meaning.
func parseYAML(data []byte) (root *Node, p *Problem) {
	if bytes.Count(data, []byte("%TAG")) > maxTags {
		return nil, invalid(Place{1, 1}, directiveHint, "The file has too many %%TAG directives.")
	}
	defer func() {
		// The library returns errors. If it panics over a file all the same,
		// only that file is invalid.
		if r := recover(); r != nil {
			root, p = nil, invalid(Place{1, 1}, "rewrite the file in simpler YAML", "Invalid YAML: the parser failed: %v.", r)
		}
	}()
	doc, second, err := decodeYAML(bytes.NewReader(data))
	switch {
	case err != nil:
		return nil, invalidYAML(err, data)
	case second != nil:
		return nil, invalid(placeOf(second), "write one document per file; put several elements into one list", "The file contains a second YAML document.")
	}
	root = &Node{Place: Place{1, 1}}
	if doc != nil {
		c := yamlConverter{aliasNodes: maxAliasNodes, aliasBytes: maxAliasBytes}
		p = c.convert(doc, root, 0)
	}
	return root, p
}

// decodeYAML returns the value of the first document, or nil if there is none,
// and the second document if there is one.
func decodeYAML(r io.Reader) (value, second *yaml.Node, err error) {
	dec := yaml.NewDecoder(r)
	var first, next yaml.Node
	if err := dec.Decode(&first); err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	switch err := dec.Decode(&next); {
	case err == nil:
		second = &next
	case !errors.Is(err, io.EOF):
		return nil, nil, err
	}
	if first.Kind == yaml.DocumentNode && len(first.Content) == 1 {
		value = first.Content[0]
	}
	return value, second, nil
}

type yamlConverter struct {
	inAlias    int // the number of aliases we are in
	aliasNodes int // what is left of the limits
	aliasBytes int
}

// convert fills in n. The caller sets its parent and key.
func (c *yamlConverter) convert(y *yaml.Node, n *Node, depth int) *Problem {
	n.Place = placeOf(y)
	if y.Kind == yaml.AliasNode {
		y = y.Alias
		n.Target = placeOf(y)
		c.inAlias++
		defer func() { c.inAlias-- }()
	}
	if c.inAlias > 0 {
		c.aliasNodes--
		c.aliasBytes -= len(y.Value)
		if c.aliasNodes < 0 || c.aliasBytes < 0 {
			return invalid(n.Place, "write the values out", "The aliases of the file expand to more than %d values or %d bytes.", maxAliasNodes, maxAliasBytes)
		}
	}
	switch {
	case y.Kind == yaml.ScalarNode:
		return scalar(y, n)
	case depth >= jcs.MaxDepth:
		return invalid(n.Place, "reduce the nesting", "Objects and lists are nested more than %d levels deep.", jcs.MaxDepth)
	case y.Style&yaml.TaggedStyle != 0:
		return invalidTag(y)
	case y.Kind == yaml.MappingNode:
		n.Kind = Object
		return c.mapping(y, n, depth)
	}
	n.Kind, n.Items = List, make([]Node, len(y.Content))
	for i, item := range y.Content {
		child := &n.Items[i]
		child.Parent, child.Index = n, i
		if p := c.convert(item, child, depth+1); p != nil {
			return p
		}
	}
	return nil
}

func (c *yamlConverter) mapping(y *yaml.Node, n *Node, depth int) *Problem {
	n.Items = make([]Node, len(y.Content)/2)
	var seen map[string]Place // only if there are many keys
	if len(n.Items) > 16 {
		seen = make(map[string]Place, len(n.Items))
	}
	for i := range n.Items {
		key := y.Content[2*i]
		child := &n.Items[i]
		child.Parent, child.Index, child.Key, child.KeyAt = n, i, key.Value, placeOf(key)
		switch {
		case key.Kind == yaml.MappingNode && len(key.Content) > 0 && placeOf(key) == (Place{y.Line, y.Column + 1}):
			return unquotedBraces(placeOf(y), "{{"+key.Content[0].Value+"}}")
		case key.Kind != yaml.ScalarNode:
			return invalid(child.KeyAt, "write key: value; quote text that starts with { or [", "A key must be a string.")
		case key.Tag == "!!merge":
			return invalid(child.KeyAt, "write the keys out", "The merge key << is not supported.")
		case key.Style&yaml.TaggedStyle != 0:
			return invalidTag(key)
		}
		if first, twice := findKey(n.Items[:i], seen, key.Value); twice {
			return &Problem{
				Code: codes.SourceDuplicateKey, Place: child.KeyAt, Hint: "remove one of them",
				Message: fmt.Sprintf("The key %q appears twice in one object, first on line %d.", wording.Clip(key.Value), first.Line),
			}
		}
		if seen != nil {
			seen[key.Value] = child.KeyAt
		}
		if p := c.convert(y.Content[2*i+1], child, depth+1); p != nil {
			return p
		}
		if child.Kind == Null && child.Value == "" {
			child.Blank, child.Comment = true, key.LineComment
		}
	}
	return nil
}

// findKey looks for a key in seen if there is such a map, else in before.
func findKey(before []Node, seen map[string]Place, key string) (Place, bool) {
	if seen != nil {
		at, twice := seen[key]
		return at, twice
	}
	for i := range before {
		if before[i].Key == key {
			return before[i].KeyAt, true
		}
	}
	return Place{}, false
}

func placeOf(y *yaml.Node) Place { return Place{max(y.Line, 1), max(y.Column, 1)} }

func invalidTag(y *yaml.Node) *Problem {
	return invalid(placeOf(y), "remove the tag; quote text that starts with !", "The YAML tag %s is not supported.", wording.Plain(y.Tag))
}

// scalar sets the type and value of n.
func scalar(y *yaml.Node, n *Node) *Problem {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	n.Kind, n.Value = String, y.Value
	switch {
	case y.Style&yaml.TaggedStyle != 0 && y.Tag != "!!str":
		return invalidTag(y)
	case y.Style&(quoted|yaml.TaggedStyle) == 0:
		n.Kind = PlainKind(y.Value)
		if n.Kind == String && HidesText(y.LineComment) {
			n.Comment = y.LineComment
		}
	}
	return nil
}

// HidesText reports whether a comment looks like text that was meant as the value.
func HidesText(comment string) bool {
	value, ok := strings.CutPrefix(comment, "#")
	return ok && value != "" && !strings.ContainsAny(value[:1], " \t#")
}

// PlainKind returns the type of a plain scalar in YAML's core schema.
func PlainKind(s string) Kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return Null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Boolean
	}
	if isNumber(s) {
		return Number
	}
	return String
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// isNumber reports whether a plain scalar is a JSON number. What else YAML 1.1
// reads as a number (012, 0x1f, 1_000, 2026-09-01) is a string.
func isNumber(s string) bool {
	return (s[0] == '-' || '0' <= s[0] && s[0] <= '9') && jsonNumber.MatchString(s)
}

// invalidYAML describes an error of the YAML library, which reports at most the
// line where the value starts that it was reading.
//
// The problem is on the last of the fewest lines that fail in the same way. To
// find it the text is read after an empty line, because the library does not
// report the first line.
func invalidYAML(err error, data []byte) *Problem {
	lines := yamlLines(data)
	failure := func(n int) string {
		_, _, err := decodeYAML(io.MultiReader(strings.NewReader("\n"), bytes.NewReader(bytes.Join(lines[:n], nil))))
		return fmt.Sprint(err)
	}
	wholeMessage := failure(len(lines))
	start, _ := splitYAMLError(wholeMessage)
	low := min(max(start-1, 1), len(lines))
	high := low
	for step := 1; high < len(lines) && failure(high) != wholeMessage; step *= 2 {
		low, high = high+1, min(high+step, len(lines))
	}
	at := low + sort.Search(high-low, func(i int) bool { return failure(low+i) == wholeMessage })

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
	return invalid(Place{at, len(line) - len(indented) + 1}, hint, "Invalid YAML: %s.", message)
}

// unquotedBraces is the problem of a text that begins with a placeholder and has no quotes.
func unquotedBraces(at Place, value string) *Problem {
	return invalid(at, "put the text in quotes: "+wording.Quote(value), "Invalid YAML: a text without quotes that begins with {{, which YAML reads as the start of an object.")
}

// bracedText returns a text without quotes that begins with a placeholder: up to the end of the
// line or, inside braces or brackets, of the entry.
func bracedText(open, line []byte) string {
	end := len(line)
	if len(open) > 0 {
		end = 0
		for braces := 0; end < len(line); end++ {
			c := line[end]
			if braces == 0 && (c == '}' || c == ']' || c == ',' && separates(open[len(open)-1], line[end+1:])) {
				break
			}
			switch c {
			case '{':
				braces++
			case '}':
				braces--
			}
		}
	}
	return string(bytes.TrimSpace(line[:end]))
}

// unquoted returns the problem of the first text from a line on that begins with {{ or, inside
// braces or brackets, has a ? or a #, and has no quotes, or nil. The library reads such a text as
// something else, and reports only what it misses then.
func unquoted(lines [][]byte, from int) *Problem {
	var open []byte // the braces and brackets around the text
	for i := min(from, len(lines)-1); i < len(lines); i++ {
		line := lines[i]
		start := 0 // of the text: the first character after a separator that is not white space
		for at := 0; at < len(line); at++ {
			c := line[at]
			blankBefore := at == 0 || line[at-1] == ' ' || line[at-1] == '\t'
			depth := len(open)
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
			case bytes.HasPrefix(line[at:], []byte("{{")) && start == at && (depth > 0 || bytes.HasSuffix(bytes.TrimSpace(line[:at]), []byte(":"))):
				return unquotedBraces(Place{i + 1, utf8.RuneCount(line[:at]) + 1}, bracedText(open, line[at:]))
			case (c == '{' || c == '[') && (depth > 0 || start == at):
				open = append(open, c)
				start = at + 1
			case depth > 0 && (c == '}' || c == ']'):
				open = open[:depth-1]
				start = at + 1
			case depth > 0 && c == ',' && separates(open[depth-1], line[at+1:]), (c == ':' || c == '-') && at+1 < len(line) && line[at+1] == ' ':
				start = at + 1
			case c == '#' && blankBefore && (depth == 0 || !bytes.ContainsAny(line[at:], "}]")):
				at = len(line) // a comment
			case depth > 0 && (c == '?' || c == '#' && blankBefore):
				end := at
				for end < len(line) && line[end] != '}' && line[end] != ']' && (line[end] != ',' || !separates(open[depth-1], line[end+1:])) {
					end++
				}
				value := line[start:end]
				reason := "a ? ends it"
				if c == '#' {
					reason = "# begins a comment, which hides the rest of the line"
				}
				return invalid(Place{i + 1, utf8.RuneCount(line[:start]) + 1}, "put the text in quotes: "+wording.Quote(string(bytes.TrimSpace(value))),
					"Invalid YAML: a text without quotes inside { } or [ ]: %s.", reason)
			}
		}
	}
	return nil
}

// separates reports whether a comma begins another entry, and is not a part of a text: in braces, an
// entry has a key.
func separates(open byte, after []byte) bool {
	if end := bytes.IndexAny(after, ",}]"); end >= 0 {
		after = after[:end]
	}
	return open == '[' || bytes.Contains(after, []byte(":")) || len(bytes.TrimSpace(after)) == 0
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
	return "indent it like a line above that it belongs to, with " + wording.Or(slices.Compact(fits))
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
	return wording.Count(n, "space")
}
