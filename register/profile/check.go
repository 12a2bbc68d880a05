package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/pages/summary"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// Check returns what sources of the profile name that a version does not have, as warnings: one
// profile can be for several taxonomies, so each can lack some of it. Categories without a role
// count as missing it.
func (p *Profile) Check(r *taxonomy.Release) issue.Issues {
	c := &checker{Release: r, seen: make(map[string]bool)}
	if !p.Fits(r.Type().ID) {
		c.warn("add the type, or use another version", "The profile is for documents of the type %s, not %s.", strings.Join(p.Types, " or "), r.Type().ID)
	}
	if !slices.Contains(r.Locales(), p.Locale) {
		c.warn("translate the taxonomy", "%s has no texts in %s, so values with its titles are left out.", r.Version(), p.Locale)
	}
	for _, c.field = range p.all() {
		c.selector(c.field.each)
		c.origins(c.field.from, c.field.each)
		for _, inner := range c.field.fields {
			c.origins(inner.from, c.field.each)
		}
		if t := c.field.target; t.on != nil {
			c.selector(t.on)
			c.placeholder(t.on, t.placeholder)
		}
	}
	return c.issues
}

// checker collects what a version does not have, each once.
type checker struct {
	*taxonomy.Release
	field  *field // the present one
	seen   map[string]bool
	issues issue.Issues
}

func (c *checker) warn(hint, format string, args ...any) {
	c.issues = append(c.issues, finding(issue.SeverityWarning, hint, format, args...))
}

func (c *checker) lacks(what string) {
	if !c.seen[what] {
		c.seen[what] = true
		c.warn("check the id; if another taxonomy has it, nothing has to be done", "%s has no %s, which the field %s names.", c.Version(), what, c.field.name)
	}
}

func (c *checker) origins(from []*origin, each *selector) {
	for _, o := range from {
		c.origins(o.all, each)
		c.selector(o.on)
		if on := cmp.Or(o.on, each); on != nil && on.places() {
			for name := range o.text.placeholders() {
				c.placeholder(on, name)
			}
		}
		if o.text.only() == "element" {
			for _, m := range o.table {
				if !c.HasElement(m.from) {
					c.lacks("element " + m.from)
				}
			}
		}
	}
}

// selector reports what a selector of placements names.
func (c *checker) selector(on *selector) {
	if on == nil || !on.places() {
		return
	}
	if on.role != "" && !slices.ContainsFunc(c.Categories(), func(c *taxonomy.Category) bool { return c.Role == on.role }) {
		c.lacks("category with the role " + string(on.role))
	}
	known := func(id string) bool { _, ok := c.Category(id); return ok }
	if len(on.categories) > 0 && !slices.ContainsFunc(on.categories, known) {
		c.lacks("category " + wording.Or(on.categories))
	}
	if len(on.elements) > 0 && !slices.ContainsFunc(on.elements, c.HasElement) {
		c.lacks("element " + wording.Or(on.elements))
	}
	if len(on.contexts) > 0 && !slices.ContainsFunc(c.Categories(), func(c *taxonomy.Category) bool {
		return (on.role == "" || c.Role == on.role) && on.hasContext(c)
	}) {
		c.lacks("context value " + wording.Or(on.contexts) + " in " + cmp.Or(string(on.role), on.String()))
	}
}

// placeholder reports a variable that no element that a selector can choose has. If there is no such
// element, that was reported.
func (c *checker) placeholder(on *selector, name string) {
	kind, id, _ := strings.Cut(name, ".")
	if kind != "var" && kind != "role" {
		return
	}
	var elements []*taxonomy.Element
	for _, category := range c.Categories() {
		if on.in(category.ID, category.Role) {
			elements = append(elements, c.ElementsOf(category.ID)...)
		}
	}
	elements = slices.DeleteFunc(elements, func(e *taxonomy.Element) bool { return !includes(on.elements, e.ID) })
	if len(elements) == 0 || variable(elements, new(summary.Roles), name) != nil {
		return
	}
	if kind == "role" {
		c.lacks(fmt.Sprintf("variable with the role %s in %s", id, on))
	} else {
		c.lacks(fmt.Sprintf("variable %s in %s", id, on))
	}
}

// variable returns the variable of elements that the placeholder {var.ID} or {role.ROLE} is for, or nil.
func variable(elements []*taxonomy.Element, roles *summary.Roles, placeholder string) *taxonomy.Variable {
	kind, id, _ := strings.Cut(placeholder, ".")
	for _, e := range elements {
		for i := range e.Variables {
			v := &e.Variables[i]
			if kind == "var" && v.ID == id || kind == "role" && string(cmp.Or(v.Role, roles.Variables[v.ID])) == id {
				return v
			}
		}
	}
	return nil
}
