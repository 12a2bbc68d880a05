package source

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxVariables limits the variables that a category or an element declares.
const maxVariables = 200

// applier is an option with applies_to. The elements are checked after all
// files have been read.
type applier struct {
	variable reference
	option   string // names it in messages
	elements []reference
}

// variables reads the variables that a category or an element declares.
func (f fields) variables() (variables []taxonomy.Variable, appliers []applier) {
	ids := newIDSet("variable id")
	var renames []renamed
	for item := range f.list("variables", maxVariables) {
		o, ok := f.fields(item, named("Variable", item), "!id", "!label", "required", "type", "options", "renamed_from", "sources")
		if !ok {
			continue
		}
		v, applies := o.variable()
		from := o.renamedFrom()
		v.RenamedFrom = idsOf(from)
		if ids.addID(o, v.ID) {
			variables = append(variables, v)
			appliers = append(appliers, applies...)
			renames = append(renames, renamed{v.ID, from})
		}
	}
	f.checkRenames("variable", renames)
	return variables, appliers
}

func (f fields) variable() (v taxonomy.Variable, appliers []applier) {
	v.ID = f.id(taxonomy.ValidID)
	v.Label = f.localized("label")
	v.Required = f.bool("required")
	v.Type = taxonomy.TextVariable
	if f.get("type") != nil {
		v.Type = choice(f, "type", taxonomy.TextVariable, taxonomy.SelectVariable)
	}
	v.Sources = f.sources()
	ids := newIDSet("option id")
	var renames []renamed
	for item := range f.list("options", 0) {
		o, elements, from := f.option(item, ids)
		renames = append(renames, renamed{o.ID, from})
		v.Options = append(v.Options, o)
		if len(elements) > 0 && v.ID != "" {
			appliers = append(appliers, applier{reference{v.ID, f.spot(f.get("id"))}, named("option", item), elements})
		}
	}
	f.checkRenames("option", renames)
	options := f.get("options")
	switch {
	case v.Type == taxonomy.SelectVariable && (options == nil || options.kind == list && len(options.items) == 0):
		f.noOptions(v.Required)
	case v.Type == taxonomy.TextVariable && options != nil:
		f.wrong(issue.CodeFieldValue, options, "write type: select, or remove the options", "type is text, which does not allow options")
	}
	return v, appliers
}

// noOptions reports a select variable without options. Documents can't fill it in,
// so it is an error if they must.
func (f fields) noOptions(required bool) {
	at, path := f.node.place, f.node.path().Key("options")
	if n := f.node.get("options"); n != nil {
		if n.blank && !required {
			return // the key without a value has been reported
		}
		at = n.place
	}
	report, consequence := f.warnf, "so documents can't fill it in"
	if required {
		report, consequence = f.errorf, "so no document could fill it in, although it is required"
	}
	report(issue.CodeOptionsMissing, spot{f.position(at), path}, "add options, or write type: text",
		"%s: type is select, but there are no options, %s.", f.what, consequence)
}

// option reads an option, the elements that it applies to, and its former ids.
func (f fields) option(n *node, ids *idSet) (o taxonomy.Option, elements, from []reference) {
	of, ok := f.fields(n, f.what+": "+named("option", n), "!id", "!label", "description", "applies_to", "renamed_from", "sources")
	if !ok {
		return o, nil, nil
	}
	o.ID = of.id(taxonomy.ValidID)
	ids.addID(of, o.ID)
	o.Label = of.localized("label")
	o.Description = of.localized("description")
	elements = of.references("applies_to")
	o.AppliesTo = idsOf(elements)
	from = of.renamedFrom()
	o.RenamedFrom = idsOf(from)
	o.Sources = of.sources()
	return o, elements, from
}

// effective returns the variables that an element has: those of its category,
// of which its own ones override those with the same id, then the rest of its
// own ones.
func effective(inherited, own []taxonomy.Variable) []taxonomy.Variable {
	if len(own) == 0 {
		return inherited
	}
	all := slices.Clone(inherited)
	for _, v := range own {
		if i := slices.IndexFunc(all, func(w taxonomy.Variable) bool { return w.ID == v.ID }); i >= 0 {
			all[i] = v
		} else {
			all = append(all, v)
		}
	}
	return all
}

// checkVariableCase finds variables of an element that differ from those of its
// category only in case, and so do not override them.
func (f fields) checkVariableCase(own, inherited []taxonomy.Variable) {
	for _, v := range own {
		for _, w := range inherited {
			if v.ID == w.ID || !strings.EqualFold(v.ID, w.ID) {
				continue
			}
			items := f.get("variables").items
			i := slices.IndexFunc(items, func(n node) bool { id := n.get("id"); return id != nil && id.value == v.ID })
			f.wrong(issue.CodeIDCaseConflict, items[i].get("id"), "write "+w.ID+" to override it, or rename it",
				"the variable %s differs only in case from %s of the category", v.ID, w.ID)
		}
	}
}
