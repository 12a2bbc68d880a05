package editorschema

import (
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// text returns a text in the language of the schema.
func (b *builder) text(l taxonomy.Localized) string { return l.Pick(b.locales...) }

// annotation returns what an editor shows beside the title of an element: its category, and whether it
// is deprecated.
func (b *builder) annotation(e *taxonomy.Element, c *taxonomy.Category) string {
	note := b.text(c.Name)
	if !e.Deprecated() {
		return note
	}
	note += " · deprecated"
	f, _ := b.release.Fate(e.ID)
	if successors := f.Successors; len(successors) > 0 {
		ids := make([]string, len(successors))
		for i := range successors {
			ids[i] = successors[i].ID
		}
		note += ", use " + wording.Or(ids)
	}
	return note
}

// markdownOf returns a heading and a description in Markdown.
func (b *builder) markdownOf(title, note, description string) string {
	text := "**" + markdown(title) + "**"
	if note != "" {
		text += " · " + markdown(note)
	}
	if description = wording.Cut(description, b.share); description != "" {
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
