package source

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// maxVariables is how many variables a category or an element may declare:
// far more than anybody would fill in.
const maxVariables = 200

// variables reads the variables that a category or an element declares.
func (f fields) variables() ([]taxonomy.Variable, []applier) {
	var variables []taxonomy.Variable
	var appliers []applier
	ids := newIDSet("variable")
	for item := range f.list("variables", maxVariables) {
		v, applies, ok := f.d.variable(item)
		if ok && ids.addNode(f.d, v.ID, item.get("id")) {
			variables = append(variables, v)
			appliers = append(appliers, applies...)
		}
	}
	return variables, appliers
}

func (d *decoder) variable(n *node) (v taxonomy.Variable, appliers []applier, ok bool) {
	f, ok := d.fields(n, thing("variable", n), "!id", "!label", "required", "type", "options")
	if !ok {
		return v, nil, false
	}
	v.ID = f.id(taxonomy.ValidID)
	v.Label = f.localized("label")
	v.Required = f.bool("required")
	v.Type = choice(f, "type", taxonomy.TextVariable, taxonomy.SelectVariable)
	if f.get("type") == nil {
		v.Type = taxonomy.TextVariable
	}
	ids := newIDSet("option")
	for item := range f.list("options", 0) {
		o, applies := d.option(item, f.what, ids)
		v.Options = append(v.Options, o)
		if len(applies.elements) > 0 && v.ID != "" {
			applies.variable = d.reference(v.ID, f.get("id"))
			appliers = append(appliers, applies)
		}
	}
	options := f.get("options")
	switch {
	case v.Type == taxonomy.SelectVariable && options == nil:
		d.add(issue.Issue{
			Code: issue.CodeFieldMissing, Severity: issue.SeverityError, Path: n.path().Key("options"), Position: d.at(n.place),
			Message: f.what + " is of type select, but has no options", FixHint: "add options, or make it of type text",
		})
	case v.Type == taxonomy.SelectVariable && options.kind == list && len(options.items) == 0:
		d.error(issue.CodeFieldValue, options, f.what+" is of type select, but its options are empty", "add options, or make it of type text")
	case v.Type == taxonomy.TextVariable && options != nil:
		d.error(issue.CodeFieldValue, options, f.what+" is of type text, which has no options", "write type: select, or remove the options")
	}
	return v, appliers, v.ID != ""
}

func (d *decoder) option(n *node, owner string, ids *idSet) (taxonomy.Option, applier) {
	var o taxonomy.Option
	f, ok := d.fields(n, owner+": "+thing("option", n), "!id", "!label", "description", "applies_to")
	if !ok {
		return o, applier{}
	}
	o.ID = f.id(taxonomy.ValidID)
	ids.addNode(d, o.ID, f.get("id"))
	o.Label = f.localized("label")
	o.Description = f.localized("description")
	applies := applier{owner: f.what, elements: f.references("applies_to", "element")}
	for _, ref := range applies.elements {
		o.AppliesTo = append(o.AppliesTo, ref.id)
	}
	return o, applies
}

// effective returns the variables that an element has: those of its category
// in their order, replaced by its own of the same id, then its other own.
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

// checkVariableCase finds an element's variable that differs from one of its
// category only in case: it would be meant to override, and does not.
func (f fields) checkVariableCase(own, inherited []taxonomy.Variable) {
	for _, v := range own {
		for _, w := range inherited {
			if v.ID == w.ID || !strings.EqualFold(v.ID, w.ID) {
				continue
			}
			f.d.error(issue.CodeIDCaseConflict, f.variable(v.ID),
				fmt.Sprintf("%s: the variable %s differs only in case from %s of its category", f.what, v.ID, w.ID),
				"write "+w.ID+" to override it, or rename it")
		}
	}
}

// variable returns the id of one of the declared variables.
func (f fields) variable(id string) *node {
	n := f.get("variables")
	for i := range n.items {
		if at := n.items[i].get("id"); at != nil && at.value == id {
			return at
		}
	}
	return n
}
