package jsonschema

import (
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
)

// choices are ids to choose from, with what an editor shows beside them.
type choices struct {
	ids, titles, descriptions []string
	seen                      map[string]bool
}

// add adds an id, unless it is there already: a release can have a variable or an
// option twice, of which the first one counts.
func (c *choices) add(id, title, description string) {
	if c.seen == nil {
		c.seen = make(map[string]bool)
	}
	if !c.seen[id] {
		c.seen[id] = true
		c.ids, c.titles, c.descriptions = append(c.ids, id), append(c.titles, title), append(c.descriptions, description)
	}
}

// schema returns the schema of a value that is one of the ids. Nothing fits if there
// are none.
func (c *choices) schema(description string) any {
	if len(c.ids) == 0 {
		return false
	}
	return obj("description", description).with("enum", texts(c.ids)).
		with("enumDetails", texts(c.titles)).with("markdownEnumDescriptions", texts(c.descriptions))
}

// hasID returns the schema of an object whose member is one of some ids. Editors use
// it for conditions, not for suggestions.
func hasID(key string, ids *object) *object {
	return obj("properties", obj(key, ids.with("doNotSuggest", true))).with("required", list{key})
}

// oneOf returns the schema of one of some ids.
func oneOf(ids []string) *object {
	if len(ids) == 1 {
		return obj("const", ids[0])
	}
	return obj("enum", texts(ids))
}

// define returns a reference to a definition, which it adds unless there is one with
// the same content.
func (b *builder) define(kind string, schema *object) *object {
	content := string(appendTree(nil, schema))
	name, known := b.named[content]
	if !known {
		name = kind + "." + strconv.Itoa(len(b.named)+1) // no name of package validate has a period
		b.named[content] = name
		*b.defs = append(*b.defs, member{name, schema})
	}
	return obj("$ref", "#/$defs/"+name)
}

// text returns a text in the language of the schema.
func (b *builder) text(l taxonomy.Localized) string { return l.Pick(b.locales...) }

// noted returns what stands beside the title of an element: its category, and whether it
// is deprecated.
func (b *builder) noted(e *taxonomy.Element, c *taxonomy.Category) string {
	note := b.text(c.Name)
	if !e.Deprecated() {
		return note
	}
	note += " · deprecated"
	if successors := b.release.Successors(e.ID); len(successors) > 0 {
		ids := make([]string, len(successors))
		for i := range successors {
			ids[i] = successors[i].ID
		}
		note += ", use " + prose.Or(ids)
	}
	return note
}

// described returns a heading and a description in Markdown.
func (b *builder) described(title, note, description string) string {
	text := "**" + markdown(title) + "**"
	if note != "" {
		text += " · " + markdown(note)
	}
	if description = prose.Cut(description, b.share); description != "" {
		text += "\n\n" + markdown(description)
	}
	return text
}

// escapes are for the characters that mean something in Markdown.
var escapes = strings.NewReplacer(`\`, `\\`, "`", "\\`", `*`, `\*`, `_`, `\_`, `{`, `\{`, `}`, `\}`, `[`, `\[`, `]`, `\]`,
	`<`, `\<`, `>`, `\>`, `#`, `\#`, `|`, `\|`, `~`, `\~`, `&`, `\&`, `!`, `\!`)

// markdown returns plain text as Markdown. Line breaks become spaces, so that no line
// begins a list or a heading.
func markdown(text string) string {
	return escapes.Replace(strings.Join(strings.Fields(text), " "))
}
