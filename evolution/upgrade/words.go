package upgrade

import (
	"strings"

	"github.com/datachain-go/datachain/internal/jcs"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// pick returns a text in the fallback language of the new version, as far as a message
// repeats it.
func (m *move) pick(l taxonomy.Localized) string {
	return strings.TrimSpace(prose.Plain(l.Pick(m.to.Locales()...)))
}

// title returns the id of an element with its title, if the element is known.
func (m *move) title(id string, e *taxonomy.Element) string {
	if e == nil {
		return name(id)
	}
	return name(id) + m.parens(e.Title)
}

// parens returns a text in parentheses.
func (m *move) parens(l taxonomy.Localized) string {
	if text := m.pick(l); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// successor names an element that can take the place of another one.
func (m *move) successor(id string, note taxonomy.Localized) string {
	e, _ := m.to.Element(id)
	text := m.title(id, e)
	if about := m.pick(note); about != "" {
		text += " [" + about + "]"
	}
	return text
}

// sentence returns a note as a further sentence.
func (m *move) sentence(l taxonomy.Localized) string {
	text := m.pick(l)
	if text == "" {
		return ""
	}
	text = prose.Sentence(text)
	switch {
	case strings.HasSuffix(text, "."), strings.HasSuffix(text, "…"):
		return " " + text
	}
	return " " + text + "."
}

// maxNames is how many names a message lists.
const maxNames = 20

// some cuts a long list of names.
func some(names []string) []string {
	if len(names) > maxNames {
		return append(names[:maxNames:maxNames], "…")
	}
	return names
}

// name returns an id for a message. A document can have ids with any characters, which
// are quoted.
func name(id string) string {
	if taxonomy.ValidElementID(id) {
		return id
	}
	return prose.Quote(id)
}

// excerpt returns the JSON of a value that was dropped, whole: the report is the last
// place that has it.
func excerpt(v document.Value) string { return string(v.AppendCanonical(nil)) }

// maxShort is how many characters of a value that is still there a message repeats.
const maxShort = 200

// short returns the beginning of the JSON of a value.
func short(v document.Value) string {
	return prose.Cut(string(v.AppendCanonical(nil)), maxShort)
}

// linksOld reports whether a link has the old version as one of its parts.
func (m *move) linksOld(link string) bool {
	for part := range strings.FieldsFuncSeq(link, func(r rune) bool { return r == '/' || r == '?' || r == '#' }) {
		if part == m.from || part == m.from+".json" || part == strings.Replace(m.from, "@", "%40", 1) {
			return true
		}
	}
	return false
}

// quote returns a string as JSON.
func quote(s string) []byte { return jcs.AppendQuote(nil, s) }
