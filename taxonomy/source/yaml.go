package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"

	"go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// What the aliases of one file may stand for. The limits keep a small file
// from growing into a large one.
const (
	maxAliasNodes = 10_000
	maxAliasBytes = 1 << 20
)

// maxTags is how many %TAG directives a file may have. The format needs none,
// and the library takes quadratic time for many.
const maxTags = 16

// parseYAML reads one YAML document into nodes. YAML has more types than the
// format: dates, octals, tags and merge keys are not read as anything special.
func parseYAML(data []byte) (root *node, err error) {
	if bytes.Count(data, []byte("%TAG")) > maxTags {
		return nil, bad(place{1, 1}, "the file has too many %TAG directives", "remove the lines that begin with %; the format needs none")
	}
	defer func() {
		// The library reports what it does not understand as errors. Should
		// it ever panic over a file, that file is bad; the others are not.
		if r := recover(); r != nil {
			root, err = nil, bad(place{1, 1}, fmt.Sprintf("bad YAML: the parser failed: %v", r), "write it in a simpler way")
		}
	}()
	doc, err := parseOneYAML(data)
	if err != nil {
		return nil, err
	}
	root = &node{place: place{1, 1}}
	if doc != nil {
		c := yamlConverter{aliasNodes: maxAliasNodes, aliasBytes: maxAliasBytes}
		if err := c.convert(doc, root, 0); err != nil {
			return nil, err
		}
	}
	return root, nil
}

var errSecondDocument = errors.New("the file holds a second YAML document")

// parseOneYAML returns the only document of a file, or nil where it is empty.
func parseOneYAML(data []byte) (*yaml.Node, error) {
	doc, err := decodeYAML(bytes.NewReader(data))
	switch {
	case errors.Is(err, errSecondDocument):
		return nil, bad(placeOf(doc), err.Error(), "write one document a file; several elements go into one list")
	case err != nil:
		return nil, yamlError(err, data)
	case doc.Kind != yaml.DocumentNode || len(doc.Content) != 1:
		return nil, nil
	case doc.Content[0].Kind == yaml.ScalarNode && doc.Content[0].Value == "" && doc.Content[0].Style == 0:
		return nil, nil // --- and nothing after it
	}
	return doc.Content[0], nil
}

// decodeYAML returns the only document of a text. With errSecondDocument it
// returns the second.
func decodeYAML(r io.Reader) (*yaml.Node, error) {
	dec := yaml.NewDecoder(r)
	var doc, second yaml.Node
	if err := dec.Decode(&doc); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	switch err := dec.Decode(&second); {
	case err == nil:
		return &second, errSecondDocument
	case !errors.Is(err, io.EOF):
		return nil, err
	}
	return &doc, nil
}

type yamlConverter struct {
	inAlias    int // how many aliases we are in
	aliasNodes int // what is left for them
	aliasBytes int
}

// convert fills in n, whose parent and key the caller sets.
func (c *yamlConverter) convert(y *yaml.Node, n *node, depth int) error {
	n.place = placeOf(y)
	if y.Kind == yaml.AliasNode {
		y = y.Alias
		c.inAlias++
		defer func() { c.inAlias-- }()
	}
	if c.inAlias > 0 {
		c.aliasNodes--
		c.aliasBytes -= len(y.Value)
		if c.aliasNodes < 0 || c.aliasBytes < 0 {
			return bad(n.place, fmt.Sprintf("the aliases of the file stand for more than %d values or %d bytes", maxAliasNodes, maxAliasBytes), "write the values out")
		}
	}
	if y.Kind == yaml.ScalarNode {
		return scalar(y, n)
	}
	if depth >= document.MaxDepth {
		return bad(n.place, fmt.Sprintf("objects and lists nest deeper than %d levels", document.MaxDepth), "the format needs no such depth")
	}
	if y.Style&yaml.TaggedStyle != 0 {
		return badTag(y)
	}
	if y.Kind == yaml.MappingNode {
		n.kind = object
		return c.mapping(y, n, depth)
	}
	n.kind, n.items = list, make([]node, len(y.Content))
	for i, item := range y.Content {
		child := &n.items[i]
		child.parent, child.index = n, i
		if err := c.convert(item, child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (c *yamlConverter) mapping(y *yaml.Node, n *node, depth int) error {
	n.items = make([]node, len(y.Content)/2)
	var seen map[string]place // only where there are many keys
	if len(n.items) > 16 {
		seen = make(map[string]place, len(n.items))
	}
	for i := range n.items {
		key := y.Content[2*i]
		child := &n.items[i]
		child.parent, child.index, child.key, child.keyAt = n, i, key.Value, placeOf(key)
		switch {
		case key.Kind != yaml.ScalarNode:
			return bad(child.keyAt, "a key must be a plain text", "write key: value; a text that begins with { or [ needs quotes")
		case key.Tag == "!!merge":
			return bad(child.keyAt, "the merge key << is not part of the format", "write the keys out")
		case key.Style&yaml.TaggedStyle != 0:
			return badTag(key)
		}
		if first, twice := findKey(n.items[:i], seen, key.Value); twice {
			return &syntaxError{
				code: issue.CodeSourceDuplicateKey, place: child.keyAt,
				message: fmt.Sprintf("the key %q stands twice in one object, first in line %d", prose.Clip(key.Value), first.line),
				hint:    "remove one of the two",
			}
		}
		if seen != nil {
			seen[key.Value] = child.keyAt
		}
		if err := c.convert(y.Content[2*i+1], child, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// findKey looks for a key among the items before it.
func findKey(before []node, seen map[string]place, key string) (place, bool) {
	if seen != nil {
		at, twice := seen[key]
		return at, twice
	}
	for i := range before {
		if before[i].key == key {
			return before[i].keyAt, true
		}
	}
	return place{}, false
}

func placeOf(y *yaml.Node) place { return place{max(y.Line, 1), max(y.Column, 1)} }

func bad(at place, message, hint string) error {
	return &syntaxError{code: issue.CodeSourceSyntax, place: at, message: message, hint: hint}
}

func badTag(y *yaml.Node) error {
	return bad(placeOf(y), fmt.Sprintf("the YAML tag %s is not part of the format", prose.Clip(y.Tag)), "remove the tag; put a text that begins with ! in quotes")
}

// scalar gives n the type of a scalar.
func scalar(y *yaml.Node, n *node) error {
	n.value = y.Value
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	switch {
	case y.Style&yaml.TaggedStyle != 0 && y.Tag != "!!str":
		return badTag(y)
	case y.Style&(quoted|yaml.TaggedStyle) != 0:
		n.kind = text
	case y.Value == "" || y.Value == "~" || isWord(y.Value, "null"):
		n.kind = null
	case isWord(y.Value, "true") || isWord(y.Value, "false"):
		n.kind = boolean
	case isNumber(y.Value):
		n.kind = number
	default:
		n.kind = text
	}
	return nil
}

// isWord reports whether s is a word of YAML's core schema: lower case, upper
// case or capitalised.
func isWord(s, word string) bool {
	return len(s) == len(word) && (s == word || s == strings.ToUpper(word) || s == strings.ToUpper(word[:1])+word[1:])
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// isNumber reports whether a plain scalar is a number of JSON; all else that
// YAML 1.1 takes for one (012, 0x1f, 1_000, 2026-09-01) stays a text.
func isNumber(s string) bool {
	return (s[0] == '-' || '0' <= s[0] && s[0] <= '9') && jsonNumber.MatchString(s)
}
