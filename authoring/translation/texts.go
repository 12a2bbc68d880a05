package translation

import (
	"reflect"
	"slices"

	"github.com/datachain-go/datachain/evolution/diff"
	"github.com/datachain-go/datachain/internal/fields"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Text is a localized text of a release.
type Text struct {
	// Subject and ID are the part of the release that has the text, as in a
	// [diff.Change].
	Subject diff.Subject
	ID      string
	// Path is the field. It names items of lists by their ids, as in
	// variables.contact.label.
	Path issue.Path
	// Texts are the text in each language.
	Texts taxonomy.Localized

	// former are the keys of the text in older releases, its own first.
	former []string
}

// Texts returns the texts of a release that are meant to be translated: those of the
// manifest and the datachain type, then of the categories and the elements in order. An
// element has those of the variables that it does not inherit.
func Texts(r *taxonomy.Release) []Text {
	w := &walker{fallback: r.Locales()[0]}
	w.walk(newSpot(diff.Manifest, ""), reflect.ValueOf(r.Manifest()).Elem())
	w.walk(newSpot(diff.DatachainType, ""), reflect.ValueOf(r.Type()).Elem())
	for _, c := range r.Categories() {
		w.walk(newSpot(diff.Category, c.ID, c.RenamedFrom...), reflect.ValueOf(c).Elem())
	}
	for _, e := range r.Elements() {
		c, _ := r.Category(e.CategoryID)
		own := *e
		own.Variables = slices.DeleteFunc(slices.Clone(e.Variables), func(v taxonomy.Variable) bool {
			return slices.ContainsFunc(c.Variables, func(inherited taxonomy.Variable) bool {
				return inherited.ID == v.ID && reflect.DeepEqual(inherited, v)
			})
		})
		w.walk(newSpot(diff.Element, e.ID), reflect.ValueOf(&own).Elem())
	}
	return w.texts
}

// walker collects the texts of a release.
type walker struct {
	fallback string
	texts    []Text
}

// spot is the place of a text, and the keys that it had in older releases.
type spot struct {
	subject diff.Subject
	id      string
	path    issue.Path
	former  []string
}

// maxFormer limits how many combinations of former ids are followed.
const maxFormer = 16

func newSpot(s diff.Subject, id string, from ...string) spot {
	former := []string{string(s) + "/" + id}
	for _, old := range from {
		former = append(former, string(s)+"/"+old)
	}
	return spot{s, id, issue.Root, former}
}

// key returns the place of a field, or of an item of a list that had other ids.
func (s spot) key(name string, from ...string) spot {
	next := spot{s.subject, s.id, s.path.Key(name), nil}
	for _, id := range append([]string{name}, from...) {
		for _, f := range s.former {
			if len(next.former) < maxFormer {
				next.former = append(next.former, f+"/"+id)
			}
		}
	}
	return next
}

// index returns the place of an item of a list without ids.
func (s spot) index(i int) spot {
	next := s
	next.path = s.path.Index(i)
	next.former = nil
	for _, f := range s.former {
		next.former = append(next.former, f+next.path[len(next.path)-1:].String())
	}
	return next
}

// walk adds the texts of a value by the struct tags of its type. Those for authors count
// only if one of them is translated.
func (w *walker) walk(at spot, v reflect.Value) {
	switch {
	case v.Type() == reflect.TypeFor[taxonomy.Localized]():
		l, _ := v.Interface().(taxonomy.Localized)
		if name := at.path[len(at.path)-1].Name(); name == "prompt" || name == "authoring_guidance" {
			if _, ok := l.Get(w.fallback); ok && len(l) == 1 {
				return
			}
		}
		if len(l) > 0 {
			w.texts = append(w.texts, Text{at.subject, at.id, at.path, l, at.former})
		}
	case v.Kind() == reflect.Struct:
		list, _ := fields.Of(v.Type())
		for _, f := range list {
			if k := f.Type.Kind(); k == reflect.Struct || k == reflect.Slice && f.Type.Elem().Kind() != reflect.String {
				w.walk(at.key(f.Name), v.FieldByIndex(f.Index))
			}
		}
	case v.Kind() == reflect.Slice:
		for i := range v.Len() {
			item, next := v.Index(i), at.index(i)
			if item.Kind() == reflect.Struct && item.FieldByName("ID").IsValid() {
				var from []string
				if f := item.FieldByName("RenamedFrom"); f.IsValid() {
					from, _ = f.Interface().([]string)
				}
				next = at.key(item.FieldByName("ID").String(), from...)
			}
			w.walk(next, item)
		}
	}
}
