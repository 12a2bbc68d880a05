package source

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/datachain-go/datachain/authoring/internal/folder"
	"github.com/datachain-go/datachain/authoring/internal/yaml"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// Limits on mappings.
const (
	maxSchemes    = 100
	maxMappings   = 200 // of a category or an element
	maxEntryRunes = 100 // of the id of an entry
)

// scheme is a scheme and where its id is.
type scheme struct {
	taxonomy.Scheme
	at folder.Location
}

// schemes reads the schemes that mappings refer to.
func (f fields) schemes() []scheme {
	var all []scheme
	ids := newIDSet("scheme id")
	for item := range f.list("schemes", maxSchemes) {
		o, ok := f.fields(item, objectName("Scheme", item), "!id", "!title", "url", "version")
		if !ok {
			continue
		}
		s := scheme{Scheme: taxonomy.Scheme{ID: o.id(ident.IsID), Title: o.localized("title"), URL: o.url("url"), Version: o.string("version")}}
		if ids.addID(o, s.ID) {
			s.at = o.At(o.get("id"))
			all = append(all, s)
		}
	}
	return all
}

// schemeReference is the scheme of a mapping, and where it is written.
type schemeReference struct {
	what string // of the object, for messages
	reference
}

// mappings reads the mappings of a category or an element. Two to the same entry are a
// duplicate, since the second contradicts or repeats the first.
func (f fields) mappings() (all []taxonomy.Mapping, schemes []schemeReference) {
	for item := range f.list("mappings", maxMappings) {
		o, ok := f.fields(item, f.what+": "+f.name(item), "!scheme", "!id", "!relation", "note")
		if !ok {
			continue
		}
		m := taxonomy.Mapping{Scheme: o.string("scheme"), ID: o.entry(), Relation: choice(o, "relation", relations()...), Note: o.localized("note")}
		if m.Scheme == "" || m.ID == "" {
			continue
		}
		if slices.ContainsFunc(all, func(other taxonomy.Mapping) bool {
			return other.Scheme == m.Scheme && strings.EqualFold(other.ID, m.ID)
		}) {
			o.wrong(codes.IDDuplicate, o.get("id"), "keep one of the two mappings", "%s of %s is mapped twice", wording.Quote(m.ID), wording.Plain(m.Scheme))
			continue
		}
		all = append(all, m)
		schemes = append(schemes, schemeReference{f.what, reference{m.Scheme, o.At(o.get("scheme"))}})
	}
	return all, schemes
}

// entry reads the id of an entry of a scheme, which is whatever the scheme calls it.
func (f fields) entry() string {
	n := f.get("id")
	id := f.string("id")
	switch {
	case id == "":
	case utf8.RuneCountInString(id) > maxEntryRunes:
		f.wrong(codes.FieldValue, n, "write the id of the entry only, such as Art. 13, and the rest in note", "id has more than %d characters", maxEntryRunes)
		return ""
	case id != strings.Join(strings.Fields(id), " ") || strings.ContainsFunc(id, unicode.IsControl):
		f.wrong(codes.FieldValue, n, "write "+wording.Quote(strings.Join(strings.Fields(id), " ")), "id must be on one line, with single spaces between words")
		return ""
	}
	return id
}

// checkMappings finds mappings to schemes that the schema file does not list, and
// schemes that nothing is mapped to.
func (c *compiler) checkMappings() {
	var known []string
	for _, s := range c.schema.schemes {
		known = append(known, s.ID)
	}
	used := make(map[string]bool)
	check := func(list []schemeReference) {
		for _, m := range list {
			used[m.id] = true
			if !slices.Contains(known, m.id) && !c.Incomplete[folder.Schema] {
				c.Misspelt(&c.hints, folder.NewError(codes.SchemeUnknown, m.Location, "add it to schemes in the schema file",
					"%s: there is no scheme %s.", m.what, wording.Plain(m.id)), m.id, slices.Values(known))
			}
		}
	}
	for _, cat := range c.categories {
		check(cat.mapped)
	}
	for i := range c.elements {
		check(c.elements[i].mapped)
	}
	if c.Incomplete[folder.Categories] || c.Incomplete[folder.Elements] {
		return
	}
	for _, s := range c.schema.schemes {
		if !used[s.ID] {
			c.Warnf(codes.SchemeUnused, s.at, "add mappings to it, or remove it", "Scheme %s: nothing is mapped to it.", s.ID)
		}
	}
}

// role reads the role of a category, a context or a variable.
func (f fields) role(allowed ...taxonomy.Role) taxonomy.Role {
	n := f.get("role")
	if n == nil {
		return ""
	}
	if n.Kind == yaml.String && !slices.Contains(allowed, taxonomy.Role(n.Value)) {
		for _, other := range []struct {
			owner string
			roles []taxonomy.Role
		}{
			{"a category", CategoryRoles()}, {"a variable", VariableRoles()}, {"a context", []taxonomy.Role{codes.RoleStage}},
		} {
			if slices.Contains(other.roles, taxonomy.Role(n.Value)) {
				f.wrong(codes.FieldValue, n, "move it to "+other.owner+", or remove it", "%s is a role of %s", n.Value, other.owner)
				return ""
			}
		}
	}
	return choice(f, "role", allowed...)
}

// checkContextRoles finds roles and leads of a context that have no effect or are
// ambiguous.
func (f fields) checkContextRoles(c *taxonomy.Context) {
	if len(c.Values) < 2 && f.get("order") != nil {
		f.unused("order", "add values, or remove order", "order needs at least two values")
	}
	if len(c.Values) == 0 && f.get("role") != nil {
		f.unused("role", "add values, or remove role", "role needs values")
	}
	first := ""
	for item := range f.get("values").All() {
		id, lead := item.Get("id"), item.Get("lead")
		switch {
		case id == nil || lead == nil || lead.Value != "true":
		case first == "":
			first = id.Value
		default:
			f.Warnf(codes.LeadAmbiguous, f.At(lead), "keep lead on the value that readers should see first",
				"%s: the values %s and %s are both leads.", f.what, wording.Plain(first), wording.Plain(id.Value))
		}
	}
}

// unused reports a key that has no effect.
func (f fields) unused(key, hint, message string) {
	f.Warnf(codes.RoleUnused, f.At(f.get(key)), hint, "%s: %s.", f.what, message)
}

// checkVariableRoles finds variables that share a role with another variable of the
// category or the element, and roles that the type of a variable makes useless.
func (f fields) checkVariableRoles(own, inherited []taxonomy.Variable) {
	all := effectiveVariables(inherited, own)
	for item := range f.get("variables").All() {
		role, id := item.Get("role"), item.Get("id")
		if role == nil || id == nil {
			continue
		}
		i := slices.IndexFunc(all, func(v taxonomy.Variable) bool { return v.ID == id.Value })
		if i < 0 || all[i].Role == "" {
			continue // reported
		}
		v := all[i]
		if v.Type == taxonomy.SelectVariable && (v.Role == codes.RoleContact || v.Role == codes.RoleLink) {
			f.Warnf(codes.RoleUnused, f.At(role), "write type: text, or remove the role", "%s: the variable %s has the role %s, but its type is select.", f.what, v.ID, v.Role)
		}
		if k := slices.IndexFunc(all, func(w taxonomy.Variable) bool { return w.ID != v.ID && w.Role == v.Role }); k >= 0 && (k < i || k < len(inherited)) {
			f.Warnf(codes.RoleDuplicate, f.At(role), "keep the role on the variable that readers should see",
				"%s: the variables %s and %s have the role %s, but only %s is used.", f.what, all[k].ID, v.ID, v.Role, all[min(i, k)].ID)
		}
	}
}

// checkLeads finds categories with several elements that are leads.
func (c *compiler) checkLeads() {
	first := make(map[string]*element)
	for i := range c.elements {
		e := &c.elements[i]
		switch {
		case !e.Lead:
		case first[e.CategoryID] == nil:
			first[e.CategoryID] = e
		default:
			c.Warnf(codes.LeadAmbiguous, folder.Location{At: e.lead.In(e.file), Path: e.path("lead")}, "keep lead on the element that readers should see first",
				"%s and element %s are both leads of the category %s.", e, first[e.CategoryID].ID, e.CategoryID)
		}
	}
}

// relations returns all relations, the closest first.
func relations() []taxonomy.Relation {
	return []taxonomy.Relation{codes.RelationExact, codes.RelationClose, codes.RelationBroad, codes.RelationNarrow, codes.RelationRelated}
}

// CategoryRoles returns the roles that a category can have.
func CategoryRoles() []taxonomy.Role {
	return []taxonomy.Role{
		codes.RolePurpose, codes.RoleAccountable, codes.RolePeople, codes.RoleDecision, codes.RoleData, codes.RoleOutput,
		codes.RoleAccess, codes.RoleStorage, codes.RoleRetention, codes.RoleRisk, codes.RoleRights,
	}
}

// VariableRoles returns the roles that a variable can have.
func VariableRoles() []taxonomy.Role {
	return []taxonomy.Role{
		codes.RoleName, codes.RoleWords, codes.RoleContact, codes.RoleLink, codes.RoleSafeguard, codes.RoleLegalBasis, codes.RolePeriod,
	}
}
