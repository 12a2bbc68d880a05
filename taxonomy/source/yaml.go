package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain/taxonomy"
)

// maxAliasNodes is how many nodes the aliases of one file may stand for. It
// keeps a small file from growing into a large one.
const maxAliasNodes = 10_000

// parseYAML reads one YAML document into nodes. YAML has more types than the
// format: dates, octals, tags and merge keys are not read as anything special.
func parseYAML(data []byte) (*node, error) {
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var doc yaml.Node
	if err := dec.Decode(&doc); err != nil {
		if errors.Is(err, io.EOF) {
			return &node{kind: null, line: 1, col: 1}, nil
		}
		return nil, yamlError(err)
	}
	var second yaml.Node
	switch err := dec.Decode(&second); {
	case err == nil:
		return nil, &syntaxError{
			code: taxonomy.CodeSourceSyntax, line: second.Line, col: max(second.Column, 1),
			message: "the file holds a second YAML document",
			hint:    "write one document a file; several elements go into one list",
		}
	case !errors.Is(err, io.EOF):
		return nil, yamlError(err)
	}
	c := yamlConverter{aliasNodes: maxAliasNodes}
	return c.convert(&doc, 0)
}

var yamlLine = regexp.MustCompile(`^yaml: (?:unmarshal errors:\s*)?(?:line (\d+): )?(?s:(.*))$`)

// yamlError takes the line out of an error of the library, which has it in
// its text alone.
func yamlError(err error) error {
	e := &syntaxError{code: taxonomy.CodeSourceSyntax, line: 1, col: 1, message: err.Error(), hint: "mend the YAML syntax; texts with : or # in them need quotes"}
	if m := yamlLine.FindStringSubmatch(err.Error()); m != nil {
		if line, err := strconv.Atoi(m[1]); err == nil {
			e.line = line
		}
		e.message = "bad YAML: " + m[2]
	}
	return e
}

type yamlConverter struct {
	aliasNodes int
	inAlias    int
}

func (c *yamlConverter) convert(y *yaml.Node, depth int) (*node, error) {
	n := &node{line: max(y.Line, 1), col: max(y.Column, 1)}
	fail := func(message, hint string) (*node, error) {
		return nil, &syntaxError{code: taxonomy.CodeSourceSyntax, line: n.line, col: n.col, message: message, hint: hint}
	}
	if depth > taxonomy.MaxDepth {
		return fail(fmt.Sprintf("objects and lists nest deeper than %d levels", taxonomy.MaxDepth), "the format needs no such depth")
	}
	if c.inAlias > 0 {
		if c.aliasNodes--; c.aliasNodes < 0 {
			return fail(fmt.Sprintf("the aliases of the file stand for more than %d values", maxAliasNodes), "write the values out")
		}
	}
	switch y.Kind {
	case yaml.DocumentNode:
		if len(y.Content) != 1 {
			return &node{kind: null, line: 1, col: 1}, nil
		}
		return c.convert(y.Content[0], depth)
	case yaml.AliasNode:
		c.inAlias++
		defer func() { c.inAlias-- }()
		return c.convert(y.Alias, depth+1)
	case yaml.ScalarNode:
		return n, c.scalar(y, n)
	}
	if y.Style&yaml.TaggedStyle != 0 {
		return fail(fmt.Sprintf("the YAML tag %s is not part of the format", y.Tag), "remove the tag")
	}
	if y.Kind == yaml.SequenceNode {
		n.kind = list
		for _, item := range y.Content {
			child, err := c.convert(item, depth+1)
			if err != nil {
				return nil, err
			}
			n.add(nil, child)
		}
		return n, nil
	}
	n.kind = object
	return n, c.mapping(y, n, depth)
}

func (c *yamlConverter) mapping(y *yaml.Node, n *node, depth int) error {
	seen := make(seenKeys, len(y.Content)/2)
	for i := 0; i+1 < len(y.Content); i += 2 {
		yk := y.Content[i]
		key := &node{kind: text, value: yk.Value, line: yk.Line, col: yk.Column}
		switch {
		case yk.Kind != yaml.ScalarNode:
			return &syntaxError{code: taxonomy.CodeSourceSyntax, line: yk.Line, col: yk.Column, message: "a key must be a plain text", hint: "write key: value"}
		case yk.Tag == "!!merge":
			return &syntaxError{code: taxonomy.CodeSourceSyntax, line: yk.Line, col: yk.Column, message: "the merge key << is not part of the format", hint: "write the keys out"}
		case yk.Style&yaml.TaggedStyle != 0:
			return &syntaxError{code: taxonomy.CodeSourceSyntax, line: yk.Line, col: yk.Column, message: fmt.Sprintf("the YAML tag %s is not part of the format", yk.Tag), hint: "remove the tag"}
		}
		if err := seen.add(key); err != nil {
			return err
		}
		child, err := c.convert(y.Content[i+1], depth+1)
		if err != nil {
			return err
		}
		n.add(key, child)
	}
	return nil
}

// jsonNumber is what a plain scalar must look like to be a number; all else
// that YAML 1.1 takes for one (012, 0x1f, 1_000, 2026-09-01) stays a text.
var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// scalar gives n the type of a scalar.
func (c *yamlConverter) scalar(y *yaml.Node, n *node) error {
	n.value = y.Value
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	switch {
	case y.Style&yaml.TaggedStyle != 0 && y.Tag != "!!str":
		return &syntaxError{
			code: taxonomy.CodeSourceSyntax, line: n.line, col: n.col,
			message: fmt.Sprintf("the YAML tag %s is not part of the format", y.Tag), hint: "remove the tag",
		}
	case y.Style&(quoted|yaml.TaggedStyle) != 0:
		n.kind = text
	case y.Value == "" || y.Value == "~" || isWord(y.Value, "null"):
		n.kind = null
	case isWord(y.Value, "true") || isWord(y.Value, "false"):
		n.kind, n.value = boolean, strings.ToLower(y.Value)
	case jsonNumber.MatchString(y.Value):
		n.kind = number
	default:
		n.kind = text
	}
	return nil
}

// isWord reports whether s is a word of YAML's core schema: lower case, upper
// case or capitalised.
func isWord(s, word string) bool {
	return s == word || s == strings.ToUpper(word) || s == strings.ToUpper(word[:1])+word[1:]
}
