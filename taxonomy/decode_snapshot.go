package taxonomy

import "github.com/datachain-go/datachain/taxonomy/document"

// snapshot decodes the part of a schema version in a resolved document. Parts with the
// text of the live release are those of the release: most documents are checked while
// the version that they pin is published.
func (r *treeReader) snapshot(v document.Value, into *Snapshot) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "datachain_type":
			if t, ok := known[Type](v); ok {
				into.DatachainType = *t
			} else if r.live != nil && string(v.Raw()) == r.live.TypeJSON() {
				into.DatachainType = *r.live.Type()
			} else {
				r.typ(v, &into.DatachainType)
			}
		case "categories":
			each(r, v, &into.Categories, r.snapshotCategory)
		case "elements":
			each(r, v, &into.Elements, r.snapshotElement)
		}
		return true
	}, nil)
}

// known returns what a part that was recognized means; see [ResolvedParser].
func known[T any](v document.Value) (*T, bool) {
	part := v.Part()
	if part == nil {
		return nil, false
	}
	value, ok := part.Value().(*T)
	return value, ok
}

func (r *treeReader) snapshotCategory(v document.Value, into *Category) {
	if c, ok := known[Category](v); ok {
		*into = *c
		return
	}
	if r.live != nil {
		id, _ := v.Get("id")
		if c, ok := r.live.Category(id.Text()); ok && string(v.Raw()) == r.live.CategoryJSON(c.ID) {
			*into = *c
			return
		}
	}
	r.category(v, into)
}

func (r *treeReader) snapshotElement(v document.Value, into *Element) {
	if e, ok := known[Element](v); ok {
		*into = *e
		return
	}
	if r.live != nil {
		id, _ := v.Get("id")
		if e, ok := r.live.Element(id.Text()); ok && string(v.Raw()) == r.live.ElementJSON(e.ID) {
			*into = *e
			return
		}
	}
	r.element(v, into)
}

func (r *treeReader) typ(v document.Value, t *Type) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &t.ID)
		case "name":
			r.localized(v, &t.Name)
		case "description":
			r.localized(v, &t.Description)
		case "categories":
			r.stringList(v, &t.Categories)
		case "subchains":
			each(r, v, &t.Subchains, r.subchain)
		default:
			return false
		}
		return true
	}, &t.Extra)
}

func (r *treeReader) subchain(v document.Value, s *Subchain) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &s.ID)
		case "name":
			r.localized(v, &s.Name)
		case "categories":
			r.stringList(v, &s.Categories)
		}
		return true
	}, nil)
}

func (r *treeReader) category(v document.Value, c *Category) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &c.ID)
		case "name":
			r.localized(v, &c.Name)
		case "description":
			r.localized(v, &c.Description)
		case "shape":
			text(r, v, &c.Shape)
		case "required":
			r.bool(v, &c.Required)
		case "cardinality":
			r.cardinality(v, &c.Cardinality)
		case "variables":
			each(r, v, &c.Variables, r.variable)
		case "context":
			r.context(v, &c.Context)
		case "prompt":
			r.localized(v, &c.Prompt)
		case "authoring_guidance":
			r.localized(v, &c.AuthoringGuidance)
		case "renamed_from":
			r.stringList(v, &c.RenamedFrom)
		case "sources":
			each(r, v, &c.Sources, r.source)
		default:
			return false
		}
		return true
	}, &c.Extra)
}

func (r *treeReader) cardinality(v document.Value, c *Cardinality) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "min":
			r.int(v, &c.Min)
		case "max":
			r.int(v, &c.Max)
		}
		return true
	}, nil)
}

func (r *treeReader) context(v document.Value, c *Context) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &c.ID)
		case "name":
			r.localized(v, &c.Name)
		case "description":
			r.localized(v, &c.Description)
		case "required":
			r.bool(v, &c.Required)
		case "values":
			each(r, v, &c.Values, r.contextValue)
		}
		return true
	}, nil)
}

func (r *treeReader) contextValue(v document.Value, c *ContextValue) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &c.ID)
		case "label":
			r.localized(v, &c.Label)
		case "description":
			r.localized(v, &c.Description)
		case "color":
			r.string(v, &c.Color)
		case "renamed_from":
			r.stringList(v, &c.RenamedFrom)
		}
		return true
	}, nil)
}

func (r *treeReader) element(v document.Value, e *Element) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &e.ID)
		case "title":
			r.localized(v, &e.Title)
		case "description":
			r.localized(v, &e.Description)
		case "category_id":
			r.string(v, &e.CategoryID)
		case "symbol_id":
			r.string(v, &e.SymbolID)
		case "icon_variants":
			r.stringList(v, &e.IconVariants)
		case "variables":
			each(r, v, &e.Variables, r.variable)
		case "keywords":
			r.localized(v, &e.Keywords)
		case "max_placements":
			r.int(v, &e.MaxPlacements)
		case "order":
			r.int(v, &e.Order)
		case "authoring_guidance":
			r.localized(v, &e.AuthoringGuidance)
		case "sources":
			each(r, v, &e.Sources, r.source)
		case "status":
			text(r, v, &e.Status)
		case "replaced_by":
			each(r, v, &e.ReplacedBy, r.successor)
		case "examples":
			each(r, v, &e.Examples, r.localized)
		default:
			return false
		}
		return true
	}, &e.Extra)
}

func (r *treeReader) variable(v document.Value, into *Variable) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &into.ID)
		case "label":
			r.localized(v, &into.Label)
		case "required":
			r.bool(v, &into.Required)
		case "type":
			text(r, v, &into.Type)
		case "options":
			each(r, v, &into.Options, r.option)
		case "renamed_from":
			r.stringList(v, &into.RenamedFrom)
		case "sources":
			each(r, v, &into.Sources, r.source)
		}
		return true
	}, nil)
}

func (r *treeReader) option(v document.Value, o *Option) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &o.ID)
		case "label":
			r.localized(v, &o.Label)
		case "description":
			r.localized(v, &o.Description)
		case "applies_to":
			r.stringList(v, &o.AppliesTo)
		case "renamed_from":
			r.stringList(v, &o.RenamedFrom)
		case "sources":
			each(r, v, &o.Sources, r.source)
		}
		return true
	}, nil)
}

func (r *treeReader) successor(v document.Value, s *Successor) {
	r.object(v, func(key string, v document.Value) bool {
		switch key {
		case "id":
			r.string(v, &s.ID)
		case "note":
			r.localized(v, &s.Note)
		}
		return true
	}, nil)
}
