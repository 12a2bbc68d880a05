package source

import "slices"

// resolve collects the definitions and finds those of all references. What has not
// changed since another outline is shared with it: an editor resolves a version with
// every key that is pressed.
func (o *Outline) resolve() {
	first := o.collect()
	references := 0
	for i := range o.files {
		references += len(o.files[i].references)
	}
	o.References = make([]*Reference, 0, references)
	o.same = make(map[*Definition][]*Definition)
	for i := range o.files {
		f := &o.files[i]
		if f.content == nil {
			continue
		}
		o.override(f.content)
		f.references = o.references(f, first)
		o.References = append(o.References, f.references...)
	}
}

// firsts are the definitions that references mean: the first ones of an id. Those of
// elements are in [Outline.elements].
type firsts map[Kind]map[string]*Definition

// collect collects the definitions, locales and unread files.
func (o *Outline) collect() firsts {
	first := firsts{KindCategory: {}, KindSymbol: {}}
	definitions, elements := 0, 0
	for i := range o.files {
		if content := o.files[i].content; content != nil {
			definitions, elements = definitions+len(content.definitions), elements+len(content.parts)
		}
	}
	o.Definitions = make([]*Definition, 0, definitions)
	o.elements, o.inherited = make(map[string]*part, elements), make(map[string][]*Definition)
	for i := range o.files {
		content := o.files[i].content
		if content == nil {
			o.Unread = append(o.Unread, o.files[i].name)
			continue
		}
		o.Definitions = append(o.Definitions, content.definitions...)
		o.Locales = append(o.Locales, content.locales...)
		for _, d := range content.definitions {
			if ids := first[d.Kind]; ids != nil && ids[d.ID] == nil {
				ids[d.ID] = d
			}
		}
		for k := range content.parts {
			p := &content.parts[k]
			switch {
			case p.def.kindIs(KindElement) && o.elements[p.def.ID] == nil:
				o.elements[p.def.ID] = p
			case p.def.kindIs(KindCategory) && p.def == first[KindCategory][p.def.ID]:
				o.inherited[p.def.ID] = p.variables
			}
		}
	}
	return first
}

// variable returns the variable of a part with an id: its own one, or that of its
// category.
func (o *Outline) variable(p *part, id string) *Definition {
	if v := variableOf(p.variables, id); v != nil {
		return v
	}
	return variableOf(o.inherited[p.category], id)
}

// override links the variables of elements with those of their categories that they
// override.
func (o *Outline) override(content *fileOutline) {
	for i := range content.parts {
		p := &content.parts[i]
		for _, v := range p.variables {
			if over := variableOf(o.inherited[p.category], v.ID); over != nil {
				o.link(v, over)
			}
		}
	}
}

// references returns the references of a file with their definitions. If two at the
// same place mean different definitions, these can only be renamed together.
func (o *Outline) references(f *outlinedFile, first firsts) []*Reference {
	list, same := make([]*Reference, 0, len(f.content.references)), 0
	var last *Definition
	for _, r := range f.content.references {
		d := o.defined(r, first)
		if r.again {
			if last != nil && d != nil {
				o.link(last, d)
			}
			continue
		}
		last = d
		if i := len(list); i < len(f.references) && f.references[i].Definition == d {
			list = append(list, f.references[i])
			same++
			continue
		}
		resolved := *r.Reference
		resolved.Definition = d
		list = append(list, &resolved)
	}
	if same == len(f.references) && same == len(list) {
		return f.references
	}
	return list
}

// defined returns the definition of a reference, or nil.
func (o *Outline) defined(r placedReference, first firsts) *Definition {
	switch r.Kind {
	case KindVariable:
		return o.variable(r.part, r.ID)
	case KindElement:
		if p := o.elements[r.ID]; p != nil {
			return p.def
		}
		return nil
	}
	return first[r.Kind][r.ID]
}

// variableOf returns the variable with an id, or nil.
func variableOf(list []*Definition, id string) *Definition {
	if i := slices.IndexFunc(list, func(d *Definition) bool { return d.ID == id }); i >= 0 {
		return list[i]
	}
	return nil
}
