package translation

import (
	"reflect"
	"slices"

	"github.com/datachain-go/datachain/evolution/diff"
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
// manifest and the datachain type, then of the categories and the elements in order.
func Texts(r *taxonomy.Release) []Text {
	w := &walker{fallback: r.Locales()[0]}
	w.manifest(r.Manifest())
	w.datachainType(r.Type())
	for _, c := range r.Categories() {
		w.category(c)
	}
	for _, e := range r.Elements() {
		c, _ := r.Category(e.CategoryID)
		w.element(e, c)
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

func (w *walker) add(at spot, l taxonomy.Localized) {
	if len(l) > 0 {
		w.texts = append(w.texts, Text{at.subject, at.id, at.path, l, at.former})
	}
}

// addGuidance adds a text for authors if it has a translation.
func (w *walker) addGuidance(at spot, l taxonomy.Localized) {
	if _, ok := l.Get(w.fallback); !ok || len(l) > 1 {
		w.add(at, l)
	}
}

func (w *walker) manifest(m *taxonomy.Manifest) {
	at := newSpot(diff.Manifest, "")
	w.add(at.key("title"), m.Title)
	w.add(at.key("description"), m.Description)
	w.add(at.key("notes"), m.Notes)
	for _, gone := range m.Removed {
		item := at.key("removed").key(gone.ID)
		w.add(item.key("note"), gone.Note)
		w.successors(item, gone.ReplacedBy)
	}
}

func (w *walker) successors(at spot, list []taxonomy.Successor) {
	for _, s := range list {
		w.add(at.key("replaced_by").key(s.ID).key("note"), s.Note)
	}
}

func (w *walker) datachainType(t *taxonomy.Type) {
	at := newSpot(diff.DatachainType, "")
	w.add(at.key("name"), t.Name)
	w.add(at.key("description"), t.Description)
	for _, s := range t.Subchains {
		w.add(at.key("subchains").key(s.ID).key("name"), s.Name)
	}
}

func (w *walker) category(c *taxonomy.Category) {
	at := newSpot(diff.Category, c.ID, c.RenamedFrom...)
	w.add(at.key("name"), c.Name)
	w.add(at.key("description"), c.Description)
	w.addGuidance(at.key("prompt"), c.Prompt)
	w.addGuidance(at.key("authoring_guidance"), c.AuthoringGuidance)
	context := at.key("context")
	w.add(context.key("name"), c.Context.Name)
	w.add(context.key("description"), c.Context.Description)
	for _, v := range c.Context.Values {
		item := context.key("values").key(v.ID, v.RenamedFrom...)
		w.add(item.key("label"), v.Label)
		w.add(item.key("description"), v.Description)
	}
	w.variables(at, c.Variables)
}

func (w *walker) variables(at spot, list []taxonomy.Variable) {
	for _, v := range list {
		item := at.key("variables").key(v.ID, v.RenamedFrom...)
		w.add(item.key("label"), v.Label)
		for _, o := range v.Options {
			option := item.key("options").key(o.ID, o.RenamedFrom...)
			w.add(option.key("label"), o.Label)
			w.add(option.key("description"), o.Description)
		}
	}
}

// element adds the texts of an element, and of the variables that it does not inherit.
func (w *walker) element(e *taxonomy.Element, c *taxonomy.Category) {
	at := newSpot(diff.Element, e.ID)
	w.add(at.key("title"), e.Title)
	w.add(at.key("description"), e.Description)
	w.add(at.key("keywords"), e.Keywords)
	w.addGuidance(at.key("authoring_guidance"), e.AuthoringGuidance)
	for i, l := range e.Examples {
		w.add(at.key("examples").index(i), l)
	}
	w.successors(at, e.ReplacedBy)
	w.variables(at, slices.DeleteFunc(slices.Clone(e.Variables), func(v taxonomy.Variable) bool {
		return slices.ContainsFunc(c.Variables, func(inherited taxonomy.Variable) bool {
			return inherited.ID == v.ID && reflect.DeepEqual(inherited, v)
		})
	}))
}
