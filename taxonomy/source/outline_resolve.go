package source

import (
	"slices"

	"github.com/datachain-go/datachain/taxonomy/document"
)

// outliner makes an outline of the parts of all files.
type outliner struct {
	*Outline
	parts []part
}

// place of an id, which identifies a definition: an alias of YAML can give two owners
// the same object.
type definedAt struct {
	kind Kind
	file string
	id   document.Range
}

func (b *outliner) add(d *Definition) { b.Definitions = append(b.Definitions, d) }

// resolve finds the definitions of all references.
func (b *outliner) resolve() {
	b.unite()
	first := make(map[Kind]map[string]*Definition)
	for _, d := range b.Definitions {
		if d.Kind != KindElement && d.Kind != KindCategory && d.Kind != KindSymbol {
			continue
		}
		if first[d.Kind] == nil {
			first[d.Kind] = make(map[string]*Definition)
		}
		if first[d.Kind][d.ID] == nil {
			first[d.Kind][d.ID] = d
		}
	}
	inherited := make(map[string][]*Definition) // variables by category
	for i := range b.parts {
		if d := b.parts[i].def; d != nil && d.Kind == KindCategory && d == first[KindCategory][d.ID] {
			inherited[d.ID] = b.parts[i].variables
		}
	}
	shared := make(map[definedAt]*Definition) // by reference
	for i := range b.parts {
		p := &b.parts[i]
		from := inherited[p.category]
		if _, taken := b.effective[p.id(KindElement)]; !taken {
			b.effective[p.id(KindElement)] = slices.Concat(p.variables, from)
		}
		for _, v := range p.variables {
			if over := variableOf(from, v.ID); over != nil {
				b.link(v, over)
			}
		}
		for _, r := range p.references {
			r.Definition = first[r.Kind][r.ID]
			if r.Kind == KindVariable {
				if r.Definition = variableOf(p.variables, r.ID); r.Definition == nil {
					r.Definition = variableOf(from, r.ID)
				}
			}
			b.refer(r, shared)
		}
	}
	slices.SortStableFunc(b.Definitions, compareDefinitions)
	slices.SortStableFunc(b.References, compareReferences)
}

// unite adds the definitions of all parts. Those at the same place are one.
func (b *outliner) unite() {
	seen := make(map[definedAt]*Definition)
	one := func(d *Definition) *Definition {
		if d == nil {
			return nil
		}
		at := definedAt{d.Kind, d.File, d.IDRange}
		if seen[at] == nil {
			b.add(d)
			seen[at] = d
		}
		return seen[at]
	}
	for i := range b.parts {
		p := &b.parts[i]
		p.def = one(p.def)
		for k := range p.variables {
			p.variables[k] = one(p.variables[k])
		}
		for k := range p.inside {
			p.inside[k] = one(p.inside[k])
		}
	}
}

// refer adds a reference. If another one at the same place means another definition,
// because two owners share a text, the two can only be renamed together.
func (b *outliner) refer(r *Reference, shared map[definedAt]*Definition) {
	at := definedAt{r.Kind, r.File, r.Range}
	if other, there := shared[at]; there {
		if other != nil && r.Definition != nil {
			b.link(other, r.Definition)
		}
		return
	}
	shared[at] = r.Definition
	b.References = append(b.References, r)
}

// id returns the id of a part of a kind, or "".
func (p *part) id(k Kind) string {
	if !p.def.kindIs(k) {
		return ""
	}
	return p.def.ID
}

// variableOf returns the variable with an id, or nil.
func variableOf(list []*Definition, id string) *Definition {
	if i := slices.IndexFunc(list, func(d *Definition) bool { return d.ID == id }); i >= 0 {
		return list[i]
	}
	return nil
}
