package upgrade

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
)

// pick returns a text in the fallback language of the new version, as far as a message
// repeats it.
func (u *upgrader) pick(l taxonomy.Localized) string {
	return strings.TrimSpace(wording.Plain(l.Pick(u.to.Locales()...)))
}

// title returns the id of an element with its title, if the element is known.
func (u *upgrader) title(id string, e *taxonomy.Element) string {
	if e == nil {
		return ident.Name(id)
	}
	return ident.Name(id) + u.parens(e.Title)
}

// parens returns a text in parentheses.
func (u *upgrader) parens(l taxonomy.Localized) string {
	if text := u.pick(l); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// successor names an element that can take the place of another one.
func (u *upgrader) successor(id string, note taxonomy.Localized) string {
	e, _ := u.to.Element(id)
	text := u.title(id, e)
	if about := u.pick(note); about != "" {
		text += " [" + about + "]"
	}
	return text
}

// sentence returns a note as a further sentence.
func (u *upgrader) sentence(l taxonomy.Localized) string {
	text := u.pick(l)
	if text == "" {
		return ""
	}
	text = wording.Sentence(text)
	switch {
	case strings.HasSuffix(text, "."), strings.HasSuffix(text, "…"):
		return " " + text
	}
	return " " + text + "."
}

// maxNames is how many names a message lists.
const maxNames = 20

// clipNames cuts a long list of names.
func clipNames(names []string) []string {
	if len(names) > maxNames {
		return append(names[:maxNames:maxNames], "…")
	}
	return names
}

// excerpt returns the JSON of a value that was dropped, whole: the report is the last
// place that has it.
func excerpt(v document.Value) string { return string(v.AppendCanonical(nil)) }

// maxShort is how many characters of a value that is still there a message repeats.
const maxShort = 200

// short returns the beginning of a value: the ids of its options, or its texts.
func (v *value) short() string {
	var parts []string
	for _, id := range v.given.Options {
		parts = append(parts, ident.Name(id))
	}
	for _, t := range v.given.Text {
		parts = append(parts, fmt.Sprintf("%q (%s)", t.Value, wording.Plain(t.Locale)))
	}
	return cmp.Or(wording.Cut(strings.Join(parts, ", "), maxShort), "empty")
}

// itemOf returns the id and the title of an item of a schema.
type itemOf[T any] func(*T) (id string, title taxonomy.Localized)

// choices returns the ids to choose from: those of the items that were renamed from the old
// one, or else all.
func choices[T any](all []T, renamed []*T, of itemOf[T]) (ids []string) {
	for i := 0; i < len(all) && len(renamed) == 0; i++ {
		id, _ := of(&all[i])
		ids = append(ids, ident.Name(id))
	}
	for _, item := range renamed {
		id, _ := of(item)
		ids = append(ids, ident.Name(id))
	}
	return ids
}

// label returns the title of an item in parentheses, "" without an item.
func label[T any](u *upgrader, item *T, of itemOf[T]) string {
	if item == nil {
		return ""
	}
	_, title := of(item)
	return u.parens(title)
}

func ofVariable(v *taxonomy.Variable) (string, taxonomy.Localized) { return v.ID, v.Label }

func ofOption(o *taxonomy.Option) (string, taxonomy.Localized) { return o.ID, o.Label }

func ofContext(v *taxonomy.ContextValue) (string, taxonomy.Localized) { return v.ID, v.Label }
