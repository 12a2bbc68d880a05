package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy"
)

// Draft returns the files of a new version made from an existing one, by path
// relative to the version's folder. They are the files as they are, but for
// the declared aliases, which can belong to one version only. Files that
// nothing reads are left behind.
func Draft(fsys fs.FS, from taxonomy.Version, o *Options) (map[string][]byte, error) {
	c := newCompiler(fsys, from, o)
	if err := c.list(); err != nil {
		return nil, fmt.Errorf("source: %s: %w", from, err)
	}
	if len(c.errors) > 0 {
		return nil, fmt.Errorf("source: %s: %s", from, c.errors[0].Message)
	}
	files := make(map[string][]byte, c.files.count())
	total := int64(0)
	for _, f := range slices.Concat(c.files.schema, c.files.categories, c.files.elements, c.files.symbols) {
		data, err := f.read(fsys, c.limit(f))
		if err != nil {
			return nil, fmt.Errorf("source: %s: %w", from, err)
		}
		if total += int64(len(data)); total > c.opts.MaxTotalSize {
			return nil, fmt.Errorf("source: %s: the files are larger than %d bytes together", from, c.opts.MaxTotalSize)
		}
		if path.Dir(f.name) == folder(from) {
			if data, err = withoutAliases(f, data); err != nil {
				return nil, fmt.Errorf("source: %s: %s: %w", from, f.name, err)
			}
		}
		files[strings.TrimPrefix(f.name, folder(from)+"/")] = data
	}
	return files, nil
}

// withoutAliases takes the key aliases out of a schema file and leaves every
// other byte as it is, comments included.
func withoutAliases(f file, data []byte) ([]byte, error) {
	root, err := f.parse(data)
	if err != nil {
		return nil, err
	}
	aliases := root.get("aliases")
	if aliases == nil {
		return data, nil
	}
	// YAML can be written in many ways, so the result is read again: what is
	// left must be the same without the aliases.
	body := trimBOM(data)
	for _, cut := range []func([][]byte, *node) []byte{withoutLines, withoutMember} {
		rest := cut(f.lines(body), aliases)
		if left, err := f.parse(rest); err == nil && root.equalBut(left, aliases.key) {
			return slices.Concat(data[:len(data)-len(body)], rest), nil
		}
	}
	return nil, fmt.Errorf("line %d: can't take out the aliases: write them on lines of their own", aliases.keyAt.line)
}

// equalBut reports whether m says the same as n does without a key.
func (n *node) equalBut(m *node, key string) bool {
	if n.kind != m.kind || n.value != m.value {
		return false
	}
	k := 0
	for i := range n.items {
		item := &n.items[i]
		if n.kind == object && n.parent == nil && item.key == key {
			continue
		}
		if k == len(m.items) || m.items[k].key != item.key || !item.equalBut(&m.items[k], key) {
			return false
		}
		k++
	}
	return k == len(m.items)
}

// withoutLines cuts the lines of a member out of a mapping that is written in
// block style: from its key up to the next one, but for the comments and empty
// lines before that.
func withoutLines(lines [][]byte, member *node) []byte {
	start, end := member.keyAt.line-1, len(lines)
	if next := member.next(); next != nil {
		end = next.keyAt.line - 1
	}
	for end > start+1 && aside(lines[end-1]) {
		end--
	}
	return bytes.Join(slices.Concat(lines[:start], lines[max(start, end):]), nil)
}

// aside reports whether a line of YAML holds nothing but a comment, or the mark
// at the end of a document.
func aside(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#' || bytes.Equal(line, []byte("..."))
}

const space = " \t\r\n"

// withoutMember cuts a member out of an object that is written in braces.
func withoutMember(lines [][]byte, member *node) []byte {
	data := bytes.Join(lines, nil)
	start := offset(lines, member.keyAt)
	if next := member.next(); next != nil {
		return slices.Concat(data[:start], data[offset(lines, next.keyAt):])
	}
	before := bytes.TrimSuffix(bytes.TrimRight(data[:start], space), []byte(","))
	inside := bytes.TrimRight(data[:max(start, bytes.LastIndexByte(data, '}'))], space)
	return slices.Concat(before, data[len(inside):])
}

// next returns the member of an object after n, or nil.
func (n *node) next() *node {
	if siblings := n.parent.items; n.index+1 < len(siblings) {
		return &siblings[n.index+1]
	}
	return nil
}

// offset returns where a place is in bytes.
func offset(lines [][]byte, p place) int {
	at := 0
	for _, line := range lines[:p.line-1] {
		at += len(line)
	}
	line := lines[p.line-1]
	for range p.col - 1 {
		_, size := utf8.DecodeRune(line)
		at, line = at+size, line[size:]
	}
	return at
}
