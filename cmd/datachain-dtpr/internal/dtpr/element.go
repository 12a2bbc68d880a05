package dtpr

import (
	"cmp"
	"slices"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/taxonomy"
)

// defineElements gives the elements their ids, in the order of the files.
func (v *version) defineElements(list []object) {
	for _, o := range list {
		if !o.get("id").Exists() {
			v.notes.at(Filled, o.main(), o.id(), "there is no id, so it is the name of the file")
		}
		v.content.Elements = append(v.content.Elements, taxonomy.Element{ID: v.elements.define(o.id(), locationOf(o.idAt()))})
	}
}

// addElements imports the elements, which already have their ids.
func (v *version) addElements(list []object) error {
	byID := make(map[string]*taxonomy.Category, len(v.content.Categories))
	for i := range v.content.Categories {
		byID[v.content.Categories[i].ID] = &v.content.Categories[i]
	}
	kept := v.content.Elements[:0]
	for i, o := range list {
		e := v.content.Elements[i]
		category := byID[v.categoryOf(o)]
		if category == nil {
			v.notes.at(Lost, o.main(), e.ID, "the element has no category that exists")
			continue
		}
		e.CategoryID = category.ID
		e.AuthoringGuidance = o.text("authoring_guidance")
		e.Variables = v.variables(o, "variables", &e.AuthoringGuidance)
		title := o.textOr(v.untranslated(o.id()), o.id(), "the element has no title, so that is its id", "title", "name")
		e.Title = v.braces(title, category.Variables, e.Variables)
		description := o.textOr(e.Title, e.ID, "the element has no description, so that is its title", "description")
		e.Description = v.braces(description, category.Variables, e.Variables)
		e.Keywords = o.text("keywords")
		e.Examples = v.examples(o)
		e.Sources = slices.Concat(v.sources(o), v.citation(o))
		v.noteProposals(o, e.ID, e.Sources)
		var err error
		if e.SymbolID, err = v.symbolOf(o, e.ID); err != nil {
			return err
		}
		e.Status, e.ReplacedBy = v.status(o), v.successors(o)
		v.noteContext(o, e.ID)
		v.reportUnknown(o, "id", "category_id", "category_ids", "category", "title", "status", "replaced_by", "name", "description", "authoring_guidance", "keywords", "examples", "sources",
			"citation", "symbol_id", "symbol", "variables", "context", "element_context", dated,
			"icon: icons are drawn from the symbol and the shape",
			"context_type_id: documents choose the context")
		kept = append(kept, e)
	}
	v.content.Elements = kept
	v.keepOrder()
	return nil
}

// noteContext reports the context of an element. It replaces that of the category in a document, so
// without it other documents are valid. One without values leaves no choice, which is lost, too.
func (v *version) noteContext(o object, id string) {
	for _, key := range []string{"context", "element_context"} {
		if at := o.get(key); at.Exists() {
			v.notes.at(Lost, at, id, "the element has a context of its own: in the result, documents choose from that of its category")
		}
	}
}

// categoryKey returns the field with the categories of an element.
func (o object) categoryKey() string {
	for _, key := range []string{"category_id", "category_ids"} {
		if o.get(key).Exists() {
			return key
		}
	}
	return "category"
}

// categoryOf returns the id of the category of an element. The older layout lists
// several, of all datachain types; those of others are not of this version.
func (v *version) categoryOf(o object) string {
	key := o.categoryKey()
	first := ""
	for _, item := range o.strings(key) {
		name, _ := item.Scalar()
		id, ok := v.categories.refer(name)
		switch {
		case !ok && key != "category":
			v.notes.at(Dropped, item, name, "the category does not exist")
		case !ok:
		case first == "":
			first = id
		default:
			v.notes.at(Dropped, item, name, "an element is in one category, the first one")
		}
	}
	return first
}

// status returns the status of an element; "" is that of an active one.
func (v *version) status(o object) taxonomy.ElementStatus {
	switch stated := o.string("status"); stated {
	case "", "active":
	case string(codes.StatusDeprecated):
		return codes.StatusDeprecated
	default:
		v.notes.at(Dropped, o.get("status"), stated, "the status is not active or deprecated")
	}
	return ""
}

// successors returns the elements that replace an element: an id, or a list of ids or of
// objects with an id and a note.
func (v *version) successors(o object) []taxonomy.Successor {
	var list []taxonomy.Successor
	add := func(at source.Value, note taxonomy.Localized) {
		name, _ := at.Scalar()
		if id, ok := v.elements.refer(name); ok {
			list = append(list, taxonomy.Successor{ID: id, Note: note})
		} else {
			v.notes.at(Dropped, at, name, "the element does not exist")
		}
	}
	stated := o.get("replaced_by")
	if _, one := stated.Scalar(); one {
		add(stated, nil)
	}
	for item := range stated.Items() {
		if !item.IsObject() {
			add(item, nil)
			continue
		}
		successor := object{v, []translation{{o.translations[0].locale, item}}}
		add(item.Get("id"), successor.text("note"))
		v.reportUnknown(successor, "id", "note")
	}
	return list
}

// examples returns the examples of an element or an option, with scenario and narrative as one text.
func (v *version) examples(o object) []taxonomy.Localized {
	var list []taxonomy.Localized
	for _, item := range o.items("examples") {
		scenario, narrative := item.text("scenario"), item.text("narrative")
		var l taxonomy.Localized
		for _, locale := range v.locales {
			s, hasScenario := scenario.Get(locale)
			n, hasNarrative := narrative.Get(locale)
			switch {
			case hasScenario && hasNarrative:
				l = append(l, taxonomy.Text{Locale: locale, Value: s + ": " + n})
			case hasScenario || hasNarrative:
				l = append(l, taxonomy.Text{Locale: locale, Value: cmp.Or(s, n)})
			}
		}
		v.reportUnknown(item, "scenario", "narrative")
		if len(l) == 0 {
			v.notes.at(Dropped, item.main(), "", "the example has no text")
			continue
		}
		if len(scenario) > 0 && len(narrative) > 0 {
			v.notes.at(Changed, item.main(), "", "scenario and narrative of an example are one text")
		}
		list = append(list, l)
	}
	return list
}

// keepOrder gives elements a position if their files are not in the order of their ids, which is the
// default.
func (v *version) keepOrder() {
	byCategory := make(map[string][]*taxonomy.Element)
	for i := range v.content.Elements {
		e := &v.content.Elements[i]
		byCategory[e.CategoryID] = append(byCategory[e.CategoryID], e)
	}
	for _, list := range byCategory {
		if slices.IsSortedFunc(list, func(a, b *taxonomy.Element) int { return cmp.Compare(a.ID, b.ID) }) {
			continue
		}
		for i, e := range list {
			e.Order = i + 1
		}
	}
}
