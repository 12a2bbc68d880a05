package lsp

import (
	"context"

	"github.com/datachain-go/datachain/authoring/outline"
	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// definition goes from a reference in the source to what it means.
func (q *sourceQuery) definition(_ context.Context, p *positionParams) (any, error) {
	list := []location{}
	if d := q.target(p.Position); d != nil {
		list = append(list, q.files.location(d.File, d.IDRange, q.session.client.encoding))
	}
	return list, nil
}

// location returns the place of a definition. A symbol is a whole file.
func (f *files) location(file string, at document.Range, e encoding) location {
	return f.text(file, e).location(at)
}

// definition goes from an id in a document to where it is defined: in the document
// itself, or in the source of the version that it pins.
func (q *query) definition(_ context.Context, p *positionParams) (any, error) {
	list := []location{}
	at := q.text.tree().At(q.text.lines().offset(p.Position))
	if !at.Value.Exists() {
		return list, nil
	}
	path := at.Value.Path()
	id := atCursor(at)
	for _, n := range q.within(path, id) {
		list = append(list, q.text.location(n.Range()))
	}
	outline := q.outline()
	if outline == nil {
		return list, nil
	}
	for _, d := range q.defined(outline, path, id) {
		list = append(list, q.files.location(d.File, d.IDRange, q.session.client.encoding))
	}
	return list, nil
}

// within returns the places in the document that define an id.
func (q *query) within(path issue.Path, id string) []document.Value {
	var found []document.Value
	find := func(list string, keys ...string) {
		items, _ := q.document().Get(list)
		for item := range items.All() {
			for _, key := range keys {
				if n, ok := item.Get(key); ok && n.Text() == id && id != "" {
					found = append(found, n)
				}
			}
		}
	}
	switch placeOf(path) {
	case subchainInstancePlace:
		find("subchain_instances", "id")
	case headPlace:
		find("subchain_instances", "id")
		find("elements", "element_instance_id", "element_id")
	case provenancePlace:
		find("elements", "element_instance_id", "element_id")
	}
	return found
}

// defined returns the definitions of an id in the source.
func (q *query) defined(o *outline.Outline, path issue.Path, id string) []*outline.Definition {
	owned := func(kind source.Kind, owner string) []*outline.Definition {
		var list []*outline.Definition
		for _, d := range o.Find(kind, id) {
			if d.In != nil && d.In.ID == owner {
				list = append(list, d)
			}
		}
		return list
	}
	switch placeOf(path) {
	case elementPlace:
		return o.Find(source.KindElement, id)
	case provenancePlace, headPlace: // an element_instance_id, or else the element_id of a placement
		for _, n := range q.within(path, id) {
			if n.Key() != "element_id" {
				return nil
			}
		}
		return o.Find(source.KindElement, id)
	case rationalePlace:
		if e := q.provenanceOf(path[2].Name()); e != nil {
			if d := o.Variable(e.ID, id); d != nil {
				return []*outline.Definition{d}
			}
		}
	case categoryPlace:
		return o.Find(source.KindCategory, id)
	case subchainPlace:
		return o.Find(source.KindSubchain, id)
	case contextPlace:
		if e := q.placed(path); e != nil {
			return owned(source.KindContextValue, e.CategoryID)
		}
	case variablePlace:
		if e := q.placed(path); e != nil {
			if d := o.Variable(e.ID, id); d != nil {
				return []*outline.Definition{d}
			}
		}
	case optionPlace:
		if v := q.variable(path); v != nil {
			return owned(source.KindOption, v.ID)
		}
	}
	return nil
}
