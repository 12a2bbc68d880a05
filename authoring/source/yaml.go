package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"go.yaml.in/yaml/v3"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
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
func parseYAML(data []byte) (root *node, p *problem) {
	if bytes.Count(data, []byte("%TAG")) > maxTags {
		return nil, invalid(place{1, 1}, directiveHint, "The file has too many %%TAG directives.")
	}
	defer func() {
		// The library returns errors. If it panics over a file all the same,
		// only that file is invalid.
		if r := recover(); r != nil {
			root, p = nil, invalid(place{1, 1}, "rewrite the file in simpler YAML", "Invalid YAML: the parser failed: %v.", r)
		}
	}()
	doc, second, err := decodeYAML(bytes.NewReader(data))
	switch {
	case err != nil:
		return nil, invalidYAML(err, data)
	case second != nil:
		return nil, invalid(placeOf(second), "write one document per file; put several elements into one list", "The file contains a second YAML document.")
	}
	root = &node{place: place{1, 1}}
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
func (c *yamlConverter) convert(y *yaml.Node, n *node, depth int) *problem {
	n.place = placeOf(y)
	if y.Kind == yaml.AliasNode {
		y = y.Alias
		n.target = placeOf(y)
		c.inAlias++
		defer func() { c.inAlias-- }()
	}
	if c.inAlias > 0 {
		c.aliasNodes--
		c.aliasBytes -= len(y.Value)
		if c.aliasNodes < 0 || c.aliasBytes < 0 {
			return invalid(n.place, "write the values out", "The aliases of the file expand to more than %d values or %d bytes.", maxAliasNodes, maxAliasBytes)
		}
	}
	switch {
	case y.Kind == yaml.ScalarNode:
		return scalar(y, n)
	case depth >= document.MaxDepth:
		return invalid(n.place, "reduce the nesting", "Objects and lists are nested more than %d levels deep.", document.MaxDepth)
	case y.Style&yaml.TaggedStyle != 0:
		return invalidTag(y)
	case y.Kind == yaml.MappingNode:
		n.kind = object
		return c.mapping(y, n, depth)
	}
	n.kind, n.items = list, make([]node, len(y.Content))
	for i, item := range y.Content {
		child := &n.items[i]
		child.parent, child.index = n, i
		if p := c.convert(item, child, depth+1); p != nil {
			return p
		}
	}
	return nil
}

func (c *yamlConverter) mapping(y *yaml.Node, n *node, depth int) *problem {
	n.items = make([]node, len(y.Content)/2)
	var seen map[string]place // only if there are many keys
	if len(n.items) > 16 {
		seen = make(map[string]place, len(n.items))
	}
	for i := range n.items {
		key := y.Content[2*i]
		child := &n.items[i]
		child.parent, child.index, child.key, child.keyAt = n, i, key.Value, placeOf(key)
		switch {
		case key.Kind != yaml.ScalarNode:
			return invalid(child.keyAt, "write key: value; quote text that starts with { or [", "A key must be a string.")
		case key.Tag == "!!merge":
			return invalid(child.keyAt, "write the keys out", "The merge key << is not supported.")
		case key.Style&yaml.TaggedStyle != 0:
			return invalidTag(key)
		}
		if first, twice := findKey(n.items[:i], seen, key.Value); twice {
			return &problem{
				code: issue.CodeSourceDuplicateKey, place: child.keyAt, hint: "remove one of them",
				message: fmt.Sprintf("The key %q appears twice in one object, first on line %d.", prose.Clip(key.Value), first.line),
			}
		}
		if seen != nil {
			seen[key.Value] = child.keyAt
		}
		if p := c.convert(y.Content[2*i+1], child, depth+1); p != nil {
			return p
		}
		if child.kind == null && child.value == "" {
			child.blank, child.comment = true, key.LineComment
		}
	}
	return nil
}

// findKey looks for a key in seen if there is such a map, else in before.
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

func invalidTag(y *yaml.Node) *problem {
	return invalid(placeOf(y), "remove the tag; quote text that starts with !", "The YAML tag %s is not supported.", prose.Plain(y.Tag))
}

// scalar sets the type and value of n.
func scalar(y *yaml.Node, n *node) *problem {
	const quoted = yaml.SingleQuotedStyle | yaml.DoubleQuotedStyle | yaml.LiteralStyle | yaml.FoldedStyle
	n.kind, n.value = text, y.Value
	switch {
	case y.Style&yaml.TaggedStyle != 0 && y.Tag != "!!str":
		return invalidTag(y)
	case y.Style&(quoted|yaml.TaggedStyle) == 0:
		n.kind = plainKind(y.Value)
		if n.kind == text && hidesText(y.LineComment) {
			n.comment = y.LineComment
		}
	}
	return nil
}

// plainKind returns the type of a plain scalar in YAML's core schema.
func plainKind(s string) kind {
	switch s {
	case "", "~", "null", "Null", "NULL":
		return null
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return boolean
	}
	if isNumber(s) {
		return number
	}
	return text
}

var jsonNumber = regexp.MustCompile(`^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$`)

// isNumber reports whether a plain scalar is a JSON number. What else YAML 1.1
// reads as a number (012, 0x1f, 1_000, 2026-09-01) is a string.
func isNumber(s string) bool {
	return (s[0] == '-' || '0' <= s[0] && s[0] <= '9') && jsonNumber.MatchString(s)
}
