package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Check returns what sources of the profile name that a version does not have, as warnings: one
// profile can be for several taxonomies, so each can lack some of it. Categories without a role
// count as missing it.
func (p *Profile) Check(r *taxonomy.Release) (list issue.Issues) {
	if !p.Fits(r.Type().ID) {
		list = append(list, finding(issue.SeverityWarning, "add the type, or use another version", "The profile is for documents of the type %s, not %s.", strings.Join(p.Types, " or "), r.Type().ID))
	}
	if !slices.Contains(r.Locales(), p.Locale) {
		list = append(list, finding(issue.SeverityWarning, "translate the taxonomy", "%s has no texts in %s, so values with its titles are left out.", r.Version(), p.Locale))
	}
	seen := make(map[string]bool)
	for _, f := range p.all() {
		see := func(what string) {
			if what != "" && !seen[what] {
				seen[what] = true
				list = append(list, finding(issue.SeverityWarning, "check the id; if another taxonomy has it, nothing has to be done", "%s has no %s, which the field %s names.", r.Version(), what, f.name))
			}
		}
		checkSelector(r, f.each, see)
		for _, o := range f.from {
			checkOrigin(r, o, see)
		}
		for _, inner := range f.fields {
			for _, o := range inner.from {
				checkOrigin(r, o, see)
			}
		}
		if t := f.target; t.variable != "" && !hasVariable(r.ElementsOf(t.category), t.variable) {
			see(fmt.Sprintf("variable %s in the category %s", t.variable, t.category))
		}
	}
	return list
}

func checkOrigin(r *taxonomy.Release, o *origin, see func(string)) {
	for _, inner := range o.all {
		checkOrigin(r, inner, see)
	}
	checkSelector(r, o.on, see)
	if o.kind != fromItems || !o.on.places() {
		return
	}
	elements := chosen(r, o.on)
	if len(elements) == 0 {
		return // that was said
	}
	for name := range o.text.placeholders() {
		kind, id, _ := strings.Cut(name, ".")
		switch {
		case kind == "var" && !hasVariable(elements, id):
			see(fmt.Sprintf("variable %s in %s", id, o.on))
		case kind == "role" && !slices.ContainsFunc(elements, func(e *taxonomy.Element) bool {
			return slices.ContainsFunc(e.Variables, func(v taxonomy.Variable) bool { return string(v.Role) == id })
		}):
			see(fmt.Sprintf("variable with the role %s in %s", id, o.on))
		}
	}
	if o.text.only() == "element" {
		for _, m := range o.table {
			if !r.HasElement(m.from) {
				see("element " + m.from)
			}
		}
	}
}

func checkSelector(r *taxonomy.Release, on *selector, see func(string)) {
	if on == nil || !on.places() {
		return
	}
	if on.role != "" && !slices.ContainsFunc(r.Categories(), func(c *taxonomy.Category) bool { return c.Role == on.role }) {
		see("category with the role " + string(on.role))
	}
	known := func(id string) bool { _, ok := r.Category(id); return ok }
	if len(on.categories) > 0 && !slices.ContainsFunc(on.categories, known) {
		see("category " + wording.Or(on.categories))
	}
	if len(on.elements) > 0 && !slices.ContainsFunc(on.elements, r.HasElement) {
		see("element " + wording.Or(on.elements))
	}
	if len(on.contexts) > 0 && !slices.ContainsFunc(r.Categories(), func(c *taxonomy.Category) bool {
		return (on.role == "" || c.Role == on.role) && slices.ContainsFunc(c.Context.Values, func(v taxonomy.ContextValue) bool { return slices.Contains(on.contexts, v.ID) })
	}) {
		see("context value " + wording.Or(on.contexts) + " in " + cmp.Or(string(on.role), on.String()))
	}
}

// chosen returns the elements whose placements a selector can choose.
func chosen(r *taxonomy.Release, on *selector) (list []*taxonomy.Element) {
	for _, c := range r.Categories() {
		if on.role != "" && c.Role != on.role || len(on.categories) > 0 && !slices.Contains(on.categories, c.ID) {
			continue
		}
		for _, e := range r.ElementsOf(c.ID) {
			if len(on.elements) == 0 || slices.Contains(on.elements, e.ID) {
				list = append(list, e)
			}
		}
	}
	return list
}

func hasVariable(elements []*taxonomy.Element, id string) bool {
	return slices.ContainsFunc(elements, func(e *taxonomy.Element) bool { _, ok := e.Variable(id); return ok })
}
