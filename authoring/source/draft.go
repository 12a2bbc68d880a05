package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Draft returns the files of a new version that is based on an existing one, by
// path relative to the directory of the version. They are the same files, byte
// for byte, but what belongs to only one version is missing: the declared aliases,
// the notes and the day of the release. Files that are not part of the format are
// left out.
func Draft(fsys fs.FS, from taxonomy.Version, o *Options) (map[string][]byte, error) {
	return drafted(fsys, from, o, "aliases", "notes", "released")
}

// Promotion returns the files of the stable version that a beta version becomes. They
// are those of [Draft] with the notes, so that the content is the same, and with the
// day of the release.
func Promotion(fsys fs.FS, beta taxonomy.Version, o *Options) (map[string][]byte, error) {
	return drafted(fsys, beta, o, "aliases")
}

// drafted returns the files of a version without some keys of the schema file.
func drafted(fsys fs.FS, from taxonomy.Version, o *Options, without ...string) (map[string][]byte, error) {
	c := newCompiler(fsys, from, o)
	if err := c.list(); err != nil {
		return nil, err
	}
	files := make(map[string][]byte)
	for _, k := range []fileKind{schemaFiles, categoryFiles, elementFiles, symbolFiles} {
		for i, data := range readAll(c, k, func(d *decoder, data []byte) []byte {
			if k == schemaFiles {
				for _, key := range without {
					data = d.withoutKey(data, key)
				}
			}
			return data
		}) {
			files[strings.TrimPrefix(c.files[k][i].name, directory(from)+"/")] = data
		}
	}
	if c.tooLarge() {
		c.reportTooLarge()
	}
	if len(c.errors) > 0 {
		return nil, fmt.Errorf("source: %s: %s", from, c.errors[0])
	}
	return files, nil
}

// withoutKey removes a key from a schema file and keeps every other byte, comments
// included.
func (d *decoder) withoutKey(data []byte, key string) []byte {
	if len(d.errors) > 0 {
		return nil
	}
	root := d.parse(data)
	if root == nil {
		return nil
	}
	member := root.get(key)
	if member == nil {
		return data
	}
	// YAML can be written in many ways, so the result is parsed: it must be
	// the same but for the key.
	body := trimBOM(data)
	for _, cut := range []func([][]byte, *node) []byte{withoutLines, withoutMember} {
		rest := cut(d.file.lines(body), member)
		if left, p := d.file.parse(rest); p == nil && root.equalBut(left, key) {
			return slices.Concat(data[:len(data)-len(body)], rest)
		}
	}
	d.errorf(issue.CodeSourceSyntax, d.spot(member), "write "+key+" on lines of its own", "The key %s cannot be removed automatically.", key)
	return nil
}

// equalBut reports whether m equals n without a key of the root.
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

// withoutLines removes the lines of a member of a mapping in block style: from
// its key to the next one, but not the comments and empty lines before that.
func withoutLines(lines [][]byte, member *node) []byte {
	start, end := member.keyAt.line-1, len(lines)
	if next := member.next(); next != nil {
		end = next.keyAt.line - 1
	}
	for end > start+1 && isAside(lines[end-1]) {
		end--
	}
	return bytes.Join(slices.Concat(lines[:start], lines[max(start, end):]), nil)
}

// isAside reports whether a line of YAML has only a comment or the mark at the
// end of a document.
func isAside(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 0 || line[0] == '#' || string(line) == "..."
}

// withoutMember removes a member of an object that is written in braces.
func withoutMember(lines [][]byte, member *node) []byte {
	const space = " \t\r\n"
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

// offset returns the byte offset of a place.
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
