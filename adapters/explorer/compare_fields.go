package explorer

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/internal/direction"
	"github.com/datachain-go/datachain/internal/fields"
	"github.com/datachain-go/datachain/internal/prose"
	"github.com/datachain-go/datachain/internal/texts"
	"github.com/datachain-go/datachain/taxonomy"
)

// changeView is a change as it is shown.
type changeView struct {
	Kind, KindName string
	Field          []fieldStep
	// Words is how a text was reworded.
	Words []diff.Span
	// Before and After are other values, or "".
	Before, After string
	// Lang and Dir are those of the words and values, or "".
	Lang, Dir   string
	Text        text // of what was added or removed as a whole
	Consequence text
	Inherited   string
	Successors  []choice
	Rule        string
}

// fieldStep is a step of the path of a field: a word, or an id.
type fieldStep struct{ Word, ID string }

// maxShown is how many characters of a value are shown.
const maxShown = 300

func (v *changeViews) change(c *diff.Change) *changeView {
	q := v.request
	view := &changeView{
		Kind: string(c.Kind), KindName: q.words.Compare.kind(c.Kind), Field: q.fieldOf(c), Rule: string(c.Rule),
		Consequence: q.english(prose.Sentence(c.Consequence) + "."), Words: cleanWords(c.Words()),
	}
	if c.Inherited > 0 {
		view.Inherited = q.words.Count(q.words.Compare.Inherited, c.Inherited)
	}
	for _, id := range c.Successors {
		s := choice{Name: id}
		if _, ok := v.pair.new.Release().Element(id); ok {
			s.URL = q.to(elementPath(v.pair.new.Release().Version(), id), nil)
		}
		view.Successors = append(view.Successors, s)
	}
	if len(c.Path) == 0 {
		view.Text = v.described(c)
		return view
	}
	if locale := c.Path[len(c.Path)-1].Name(); v.hasLocale(locale) {
		view.Lang, view.Dir = locale, direction.Of(locale)
	}
	if view.Words == nil {
		view.Before, view.After = shownValue(c.Old), shownValue(c.New)
	}
	return view
}

// hasLocale reports whether a version has texts in a locale, which is the last step of
// the path of a localized text. That of other texts, such as a color, is a key.
func (v *changeViews) hasLocale(locale string) bool {
	return slices.Contains(v.pair.new.Release().Locales(), locale) || slices.Contains(v.pair.old.Release().Locales(), locale)
}

// cleanWords removes what reorders text from each part of a text by itself, so nothing
// that one of them begins reaches another.
func cleanWords(words []diff.Span) []diff.Span {
	for i := range words {
		words[i].Text = texts.CleanPart(words[i].Text)
	}
	return words
}

// described returns the description of an element or category that was added or removed.
func (v *changeViews) described(c *diff.Change) text {
	var described struct{ Description taxonomy.Localized }
	value := c.New
	if c.Kind == diff.Removed {
		value = c.Old
	}
	if c.Subject == diff.Symbol || json.Unmarshal(value, &described) != nil {
		return text{}
	}
	t, locale := v.request.texts.Pick(described.Description)
	return v.request.in(locale, short(t, maxShown))
}

// shownValue returns a value as people read it: a text without quotes, a list with commas.
// Objects are left out; the JSON form has them.
func shownValue(value json.RawMessage) string {
	var one string
	var list []string
	switch {
	case len(value) == 0 || value[0] == '{':
		return ""
	case json.Unmarshal(value, &one) == nil:
	case json.Unmarshal(value, &list) == nil:
		one = strings.Join(list, ", ")
	case value[0] == '[':
		return ""
	default:
		one = string(value)
	}
	return short(texts.Clean(one), maxShown)
}

// fieldOf returns the path of a change in words.
func (q *request) fieldOf(c *diff.Change) []fieldStep {
	var steps []fieldStep
	for _, s := range c.Path {
		name := s.Name()
		if word := q.words.Compare.Fields[name]; word != "" && (len(steps) == 0 || steps[len(steps)-1].ID != "" || !isList(c, len(steps))) {
			steps = append(steps, fieldStep{Word: word})
			continue
		}
		steps = append(steps, fieldStep{ID: prose.Line(name)})
	}
	return steps
}

// isList reports whether step i of a path names an item of a list, which may have the name
// of a field.
func isList(c *diff.Change, i int) bool { return namedLists()[c.Path[i-1].Name()] }

// namedLists are the fields of the model that are lists of ids, or of objects with one.
var namedLists = sync.OnceValue(func() map[string]bool {
	lists := make(map[string]bool)
	for _, part := range []any{taxonomy.Manifest{}, taxonomy.Type{}, taxonomy.Category{}, taxonomy.Element{}} {
		fields.Structs(reflect.TypeOf(part), func(_ reflect.Type, list []fields.Field) {
			for _, f := range list {
				if f.Type.Kind() != reflect.Slice {
					continue
				}
				named := f.Type.Elem().Kind() == reflect.String
				if f.Type.Elem().Kind() == reflect.Struct {
					_, named = f.Type.Elem().FieldByName("ID")
				}
				lists[f.Name] = lists[f.Name] || named
			}
		})
	}
	return lists
})

// own returns a text in the words of the page.
func (q *request) own(s string) text { return q.in(q.words.Lang, s) }
