package source

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
)

// Draft returns the files of a new version made from an existing one, by path
// relative to the version's folder. They are the files as they are, but for
// the declared aliases, which can belong to one version only.
func Draft(fsys fs.FS, from taxonomy.Version, o *Options) (map[string][]byte, error) {
	c := &compiler{fsys: fsys, version: from, opts: o.withDefaults(), hints: newHints()}
	if err := c.list(); err != nil {
		return nil, fmt.Errorf("source: %s: %w", from, err)
	}
	files := make(map[string][]byte, c.files.count())
	for _, kind := range [][]file{c.files.schema, c.files.categories, c.files.elements, c.files.symbols} {
		for _, f := range kind {
			limit := c.opts.MaxFileSize
			if f.ext() == symbolExt {
				limit = maxSymbolSize
			}
			data, err := f.read(fsys, limit)
			if err != nil {
				return nil, fmt.Errorf("source: %s: %w", from, err)
			}
			if path.Dir(f.name) == folder(from) {
				if data, err = withoutAliases(f, data); err != nil {
					return nil, fmt.Errorf("source: %s: %s: %w", from, f.name, err)
				}
			}
			files[strings.TrimPrefix(f.name, folder(from)+"/")] = data
		}
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
	if root.kind != object || root.get("aliases") == nil {
		return data, nil
	}
	if f.ext() == ".json" {
		return withoutJSONMember(data, "aliases")
	}
	aliases := root.get("aliases")
	if aliases.key.col != 1 {
		return nil, fmt.Errorf("line %d: can't take out aliases: begin the key in the first column", aliases.key.line)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	end := aliases.key.line // of the lines that belong to the key, from 0
	for end < len(lines) && continues(lines[end]) {
		end++
	}
	return bytes.Join(append(lines[:aliases.key.line-1:aliases.key.line-1], lines[end:]...), nil), nil
}

// continues reports whether a line of YAML belongs to the top-level key above
// it: it is indented, or an item of a list.
func continues(line []byte) bool {
	return len(line) > 0 && (line[0] == ' ' || line[0] == '\t' || line[0] == '-' || line[0] == ']')
}

// withoutJSONMember cuts a member of the top-level object out of a JSON text.
func withoutJSONMember(data []byte, key string) ([]byte, error) {
	doc, err := taxonomy.ParseDocument(data)
	if err != nil {
		return nil, err
	}
	member, ok := doc.Root().Get(key)
	if !ok {
		return data, nil
	}
	start, end := member.KeyRange().Start, member.Range().End
	if rest := bytes.TrimLeft(data[end:], " \t\r\n"); bytes.HasPrefix(rest, []byte(",")) {
		// Up to the next key, so that its indentation stays.
		rest = bytes.TrimLeft(rest[1:], " \t\r\n")
		end = len(data) - len(rest)
	} else {
		before := bytes.TrimRight(data[:start], " \t\r\n")
		start = len(bytes.TrimSuffix(before, []byte(",")))
	}
	return append(bytes.Clone(data[:start]), data[end:]...), nil
}
