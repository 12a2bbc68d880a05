package lsp

import (
	"bytes"
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// sourceCursor is what belongs at a place of an authoring file, also if the file can't
// be parsed. List items have the index 0 in YAML.
type sourceCursor struct {
	// path is that of the object around a key, and that of a value.
	path issue.Path
	// key and value say what can be typed. Both are set if it is not clear.
	key, value bool
	usedKeys   map[string]bool // keys that the object has
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
	json *document.Cursor
}

// cursor returns what is at an offset of a file.
func (t *text) cursor(offset int, isJSON bool) *sourceCursor {
	if !isJSON {
		return newYAMLFile(t.lines()).cursor(offset)
	}
	at := t.tree().At(offset)
	c := &sourceCursor{
		path: at.Path, key: at.Role == document.RoleKey, value: at.Role == document.RoleValue, typed: at.Prefix, json: &at,
		usedKeys: make(map[string]bool),
	}
	for n := range at.Siblings() {
		c.usedKeys[n.Key()] = true
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

// yamlFile is a YAML file by its lines. It does not parse: where a line belongs is decided
// by indentation, which also works while the file is being typed.
type yamlFile struct {
	lines  *lines
	tokens [][]yamlToken // of each line
}

// yamlToken is the start of a list item, a key, or another text.
type yamlToken struct {
	column int
	item   bool
	key    string
	end    int // of the key in the line; its colon follows
}

func newYAMLFile(l *lines) *yamlFile {
	f := &yamlFile{lines: l}
	for i := range l.Len() {
		f.tokens = append(f.tokens, yamlTokens(l.content(i)))
	}
	return f
}

func yamlTokens(line []byte) []yamlToken {
	var tokens []yamlToken
	at := 0
	for {
		for at < len(line) && line[at] == ' ' {
			at++
		}
		rest := line[at:]
		if len(rest) == 0 || rest[0] == '#' {
			return tokens
		}
		if rest[0] == '-' && (len(rest) == 1 || rest[1] == ' ') {
			tokens = append(tokens, yamlToken{column: at, item: true})
			at++
			continue
		}
		quotes := 0
		if rest[0] == '"' || rest[0] == '\'' {
			quotes = 1
		}
		t := yamlToken{column: at}
		size := idLength(rest[quotes:])
		after := rest[min(size+2*quotes, len(rest)):]
		if size > 0 && (bytes.Equal(after, []byte(":")) || bytes.HasPrefix(after, []byte(": "))) {
			t.key, t.end = string(rest[quotes:quotes+size]), at+size+2*quotes
		}
		return append(tokens, t)
	}
}

// cursor returns what is at an offset.
func (f *yamlFile) cursor(offset int) *sourceCursor {
	p := f.lines.at(offset)
	line := f.lines.content(p.Line)
	first, _ := f.lines.Line(p.Line + 1)
	column := offset - first
	tokens := f.tokens[p.Line]
	c := &sourceCursor{usedKeys: make(map[string]bool)}
	own, start := column, column // the column of what is typed, and where it starts
	if n := len(tokens); n > 0 && !tokens[n-1].item {
		last := tokens[n-1]
		if column < last.column {
			return c
		}
		own, start, tokens = last.column, last.column, tokens[:n-1]
		c.path = f.around(c, p.Line, own, tokens)
		switch {
		case last.key == "":
			c.key, c.value, c.colon = true, true, true
		case column <= last.end:
			c.key = true
		default:
			c.path, c.value, start = c.path.Key(last.key), true, last.end+1
		}
	} else {
		if bytes.IndexByte(line[:column], '#') >= 0 {
			return c // a comment
		}
		c.path = f.around(c, p.Line, own, tokens)
		c.key, c.value, c.colon = true, true, true
	}
	c.owner = f.owner(p.Line)
	c.within(line, start, column)
	c.from, c.to = c.from+first, c.to+first
	return c
}

// around returns the path of the object at a column, and marks the keys that it has.
func (f *yamlFile) around(c *sourceCursor, line, column int, before []yamlToken) issue.Path {
	var steps []yamlToken // the innermost first
	need, inItem := column, false
	for i := line; i >= 0; i-- {
		tokens := f.tokens[i]
		if i == line {
			tokens = before
		}
		for _, t := range slices.Backward(tokens) {
			parent := t.column < need && (t.item || t.key != "") || t.key != "" && inItem && t.column == need
			switch {
			case parent:
				steps = append(steps, t)
				need, inItem = t.column, t.item
			case t.key != "" && t.column == column && len(steps) == 0:
				c.usedKeys[t.key] = true
			}
		}
	}
	for _, tokens := range f.tokens[line+1:] {
		if len(tokens) > 0 && tokens[0].column < column {
			break
		}
		if len(tokens) > 0 && tokens[0].column == column {
			c.usedKeys[tokens[0].key] = true
		}
	}
	path := issue.Root
	for _, step := range slices.Backward(steps) {
		if step.item {
			path = path.Index(0)
		} else {
			path = path.Key(step.key)
		}
	}
	return path
}

// owner returns the fields of the element or category that a line belongs to: the item
// of the list that is the file, or the whole file.
func (f *yamlFile) owner(line int) func(field string) string {
	first := slices.IndexFunc(f.tokens, func(t []yamlToken) bool { return len(t) > 0 })
	isList := first >= 0 && f.tokens[first][0].item
	begins := func(i int) bool {
		t := f.tokens[i]
		return isList && len(t) > 0 && t[0].item && t[0].column == f.tokens[first][0].column
	}
	from, to := line, line+1
	for from > 0 && !begins(from) {
		from--
	}
	for to < len(f.tokens) && !begins(to) {
		to++
	}
	return func(field string) string {
		depth := -1 // of the fields
		for i := from; i < to; i++ {
			for _, t := range f.tokens[i] {
				if t.key != "" && depth < 0 {
					depth = t.column
				}
				if t.key == field && t.column == depth {
					value := bytes.Trim(f.lines.content(i)[t.end+1:], ` "'`)
					return string(value[:idLength(value)])
				}
			}
		}
		return ""
	}
}

// within finds the place in a value, which may be in braces and brackets, and what is
// typed there.
func (c *sourceCursor) within(line []byte, start, column int) {
	var frames []yamlFlow
	quote := byte(0)
	from := start
	for i := start; i < column; i++ {
		blank := len(bytes.TrimLeft(line[from:i], " ")) == 0
		switch char := line[i]; {
		case quote != 0:
			if char == quote {
				quote = 0
			}
		case (char == '"' || char == '\'') && blank:
			quote = char
		case (char == '{' || char == '[') && blank:
			frames = append(frames, yamlFlow{object: char == '{', keys: make(map[string]bool)})
			from = i + 1
		case len(frames) == 0:
		case char == '}' || char == ']':
			frames, from = frames[:len(frames)-1], i+1
		case char == ',':
			frames[len(frames)-1].key, from = "", i+1
		case char == ':' && frames[len(frames)-1].begin(line[from:i]):
			from = i + 1
		}
	}
	for _, f := range frames {
		c.key, c.value, c.colon = f.object && f.key == "", !f.object || f.key != "", true
		switch {
		case !f.object:
			c.path = c.path.Index(0)
		case f.key != "":
			c.path = c.path.Key(f.key)
		}
		c.usedKeys = f.keys
	}
	for from < column && line[from] == ' ' {
		from++
	}
	if from > 0 && line[from-1] == ':' {
		c.before = " "
	}
	if c.quoted = from < column && (line[from] == '"' || line[from] == '\''); c.quoted {
		from++
	}
	c.typed = string(line[from:column])
	c.from, c.to = from, column+idLength(line[column:])
	if c.key && c.to < len(line) && line[c.to] == ':' {
		c.colon = false
	}
}

// yamlFlow is an object or a list in braces or brackets.
type yamlFlow struct {
	object bool
	key    string // whose value follows
	keys   map[string]bool
}

// begin begins the value of a key, unless the colon is part of a value.
func (f *yamlFlow) begin(key []byte) bool {
	if !f.object || f.key != "" {
		return false
	}
	f.key = string(bytes.Trim(key, ` "'`))
	f.keys[f.key] = true
	return f.key != ""
}
