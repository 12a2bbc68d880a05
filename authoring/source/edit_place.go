package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// editor makes the edits of one object of a file.
type editor struct {
	*editedFile
	locales []string
	wait    func(path []Step, value any) // takes what the next round has to do
}

var errInPlace = errors.New("it is written in a way that can't be changed automatically: edit the file by hand")

// later leaves a change to the next round if its place is taken.
func (e *editor) later(at []Step, c *want, err error) error {
	if errors.Is(err, errTaken) {
		c.each(at, e.wait)
		return nil
	}
	return err
}

// object changes the members of an object, to which a path leads.
func (e *editor) object(n *node, path []Step, w *want) error {
	for _, c := range w.children {
		at := append(slices.Clip(path), c.step)
		member := n.get(c.step.Key)
		var err error
		switch {
		case member == nil && !c.adds():
		case member == nil:
			err = e.insertMember(n, c.step.Key, c.build())
		case c.adds() && member.kind == null, c.isLeaf && c.value != nil:
			err = e.replace(member, c.build())
		case c.isLeaf || e.emptied(member, c):
			err = e.removeMember(member)
		default:
			err = e.inside(member, at, c)
		}
		if err := e.later(at, c, err); err != nil {
			return fmt.Errorf("%s: %w", c.step.Key, err)
		}
	}
	return nil
}

// inside changes what is in a value: texts by locale, or items of a list.
func (e *editor) inside(n *node, path []Step, w *want) error {
	switch first := w.children[0].step; {
	case first.Locale != "":
		return e.localized(n, path, w)
	case first.Key != "":
		return e.object(n, path, w)
	case n.kind != list:
		return errInPlace
	}
	for _, c := range w.itemsLastFirst() {
		at := append(slices.Clip(path), c.step)
		item := itemOf(n, c.step)
		var err error
		switch {
		case item == nil && !c.adds():
		case item == nil:
			added, ok := (&want{children: []*want{c}}).build().([]mapping)
			if !ok {
				return errInPlace
			}
			err = e.insertItem(n, added[0])
		case c.isLeaf || e.emptied(item, c):
			err = e.removeItem(item)
		default:
			err = e.inside(item, at, c)
		}
		if err := e.later(at, c, err); err != nil {
			return err
		}
	}
	return nil
}

// itemsLastFirst returns the items to remove with the last first, so that one that waits
// keeps its number.
func (w *want) itemsLastFirst() []*want {
	if w.adds() {
		return w.children
	}
	list := slices.Clone(w.children)
	slices.SortStableFunc(list, func(a, b *want) int { return cmp.Compare(b.step.Number, a.step.Number) })
	return list
}

// itemOf returns the item of a list with an id or a number, or nil.
func itemOf(n *node, s Step) *node {
	for i := range n.items {
		item := &n.items[i]
		if s.Number == i+1 {
			return item
		}
		if id := item.get("id"); s.ID != "" && id != nil && id.value == s.ID {
			return item
		}
	}
	return nil
}

// emptied reports whether nothing is left of a value: what is removed is all it has.
func (e *editor) emptied(n *node, w *want) bool {
	if w.isLeaf {
		return w.value == nil
	}
	if w.adds() || n.kind != object && n.kind != list {
		return !w.adds() && n.kind == text // a plain text in the fallback locale
	}
	left := 0
	for i := range n.items {
		item := &n.items[i]
		if item.key == "id" {
			continue
		}
		c := w.childFor(item, i)
		if c == nil || !e.emptied(contentOf(item, c), c) {
			left++
		}
	}
	return left == 0
}

// contentOf returns the value that a step leads to.
func contentOf(item *node, c *want) *node {
	if c.step.Locale != "" && !item.inObject() {
		if value := item.get("value"); value != nil {
			return value
		}
	}
	return item
}

// childFor returns what is wanted of an item, or nil.
func (w *want) childFor(item *node, i int) *want {
	at := slices.IndexFunc(w.children, func(c *want) bool {
		switch {
		case c.step.Key != "":
			return item.key == c.step.Key
		case c.step.Locale != "":
			return strings.EqualFold(entryOf(item).locale, c.step.Locale)
		case c.step.ID != "":
			id := item.get("id")
			return id != nil && id.value == c.step.ID
		}
		return c.step.Number == i+1
	})
	if at < 0 {
		return nil
	}
	return w.children[at]
}

// localized changes the texts of a localized string.
func (e *editor) localized(n *node, path []Step, w *want) error {
	if n.kind == text {
		return e.localizePlain(n, w)
	}
	if n.kind != object && n.kind != list {
		return errInPlace
	}
	for _, c := range w.children {
		i := slices.IndexFunc(n.items, func(item node) bool { return strings.EqualFold(entryOf(&item).locale, c.step.Locale) })
		var err error
		switch {
		case i < 0 && c.value == nil:
		case i < 0 && n.kind == object:
			err = e.insertMember(n, c.step.Locale, c.value)
		case i < 0:
			err = e.insertItem(n, mapping{{"locale", c.step.Locale}, {"value", c.value}})
		case c.value != nil:
			err = e.replace(contentOf(&n.items[i], c), c.value)
		case n.kind == object:
			err = e.removeMember(&n.items[i])
		default:
			err = e.removeItem(&n.items[i])
		}
		if err := e.later(append(slices.Clip(path), c.step), c, err); err != nil {
			return err
		}
	}
	return nil
}

// localizePlain changes a text that is written as a plain string, which is in the
// fallback locale.
func (e *editor) localizePlain(n *node, w *want) error {
	if len(e.locales) == 0 {
		return errInPlace
	}
	all := mapping{{e.locales[0], n.value}}
	for _, c := range w.children {
		switch {
		case c.value == nil:
			return errInPlace
		case strings.EqualFold(c.step.Locale, e.locales[0]):
			all[0].value = c.value
		default:
			all = append(all, member{c.step.Locale, c.value})
		}
	}
	if len(all) == 1 {
		return e.replace(n, all[0].value)
	}
	return e.replace(n, all)
}

// edit adds an edit of the text without a byte order mark.
func (e *editor) edit(start, end int, text string) error {
	if bytes.Contains(e.text.data, []byte("\r\n")) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return e.take(document.Edit{Range: e.text.in(start, end), Text: []byte(text)})
}

// at returns the byte at an offset.
func (e *editor) at(offset int) byte {
	if offset < 0 || offset >= len(e.text.data) {
		return 0
	}
	return e.text.data[offset]
}

// inFlow reports whether a value is written in braces or brackets, or in JSON.
func (e *editor) inFlow(n *node) bool {
	for ; n != nil; n = n.parent {
		if c := e.at(e.text.skipProperties(e.text.offset(n.place))); (n.kind == object || n.kind == list) && (c == '{' || c == '[') {
			return true
		}
	}
	return false
}

func (e *editor) isJSON() bool { return e.ext() == ".json" }

// lineStart and lineEnd return the ends of the line of an offset, without its break.
func (e *editor) lineStart(offset int) int {
	return bytes.LastIndexByte(e.text.data[:offset], '\n') + 1
}

func (e *editor) lineEnd(offset int) int {
	i := bytes.IndexByte(e.text.data[offset:], '\n')
	switch {
	case i < 0:
		return len(e.text.data)
	case i > 0 && e.text.data[offset+i-1] == '\r':
		i--
	}
	return offset + i
}

// jsonText returns a value as JSON on one line.
func jsonText(value any) string {
	switch v := value.(type) {
	case mapping:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = jsonText(m.key) + ": " + jsonText(m.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []mapping:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = jsonText(m)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(value) // strings, numbers, booleans and lists of strings
	return strings.TrimSuffix(b.String(), "\n")
}

// flowText returns a value as YAML on one line, in braces and brackets.
func flowText(value any) string {
	switch v := value.(type) {
	case mapping:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = inline(m.key) + ": " + flowText(m.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []mapping:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = flowText(m)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case []string:
		parts := make([]string, len(v))
		for i, s := range v {
			parts[i] = inline(s)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case string:
		return inline(v)
	}
	return fmt.Sprint(value)
}
