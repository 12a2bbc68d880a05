package lsp

import (
	"bytes"
	"strings"

	"github.com/datachain-go/datachain/internal/tolerant"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// sourceCursor is what belongs at a place of an authoring file, also if the file can't
// be parsed. List items have the index 0 in YAML.
type sourceCursor struct {
	// path is that of the object around a key, and that of a value.
	path issue.Path
	// key and value say what can be typed. Both are set if it is not clear.
	key, value bool
	taken      map[string]bool // keys that the object has
	typed      string
	// from and to are what a completion replaces, without quotes.
	from, to int
	quoted   bool
	// before and colon are what a completion of YAML has to add.
	before string
	colon  bool
	// owner is the element or category around, by its fields.
	owner func(field string) string
	// json is the place in a JSON file.
	json *tolerant.Cursor
}

// cursor returns what is at an offset of a file.
func (t *text) cursor(offset int, isJSON bool) *sourceCursor {
	if !isJSON {
		return newYAMLFile(t.lines()).cursor(offset)
	}
	at := t.tree().At(offset)
	c := &sourceCursor{
		path: at.Path, key: at.Role == tolerant.Key, value: at.Role == tolerant.Value, typed: at.Prefix, json: &at,
		taken: make(map[string]bool),
	}
	for n := range at.Siblings() {
		c.taken[n.Key()] = true
	}
	c.owner = func(field string) string {
		path := issue.Root
		if len(at.Path) > 0 {
			if _, isIndex := at.Path[0].IsIndex(); isIndex {
				path = at.Path[:1]
			}
		}
		n, _ := t.tree().Find(path.Key(field))
		return n.Text()
	}
	return c
}

// placeholder returns the range of the {{variable}} that is being typed before an
// offset, and whether it is closed.
func (t *text) placeholder(offset int) (from, to int, closed, ok bool) {
	line := t.content[:offset]
	line = line[bytes.LastIndexByte(line, '\n')+1:]
	open := bytes.LastIndex(line, []byte("{{"))
	if open < 0 || idLength(line[open+2:]) != len(line)-open-2 {
		return 0, 0, false, false
	}
	to = offset + idLength(t.content[offset:])
	return offset - len(line) + open + 2, to, bytes.HasPrefix(t.content[to:], []byte("}}")), true
}

// idLength returns the length of the id, key or locale that a text begins with.
func idLength(text []byte) int {
	n := 0
	for n < len(text) && (text[n] == '_' || text[n] == '-' || text[n] == '.' || text[n] == '$' ||
		'0' <= text[n] && text[n] <= '9' || 'a' <= text[n]|0x20 && text[n]|0x20 <= 'z') {
		n++
	}
	return n
}

// plainYAML returns an id as YAML reads it as a string.
func plainYAML(id string) string {
	switch strings.ToLower(id) {
	case "true", "false", "yes", "no", "on", "off", "y", "n", "null", "":
		return quote(id)
	}
	if first := id[0] | 0x20; first < 'a' || first > 'z' {
		return quote(id)
	}
	return id
}
