package dtpr

import (
	"fmt"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// addCategories imports categories. Elements must have their ids, since options refer to them.
func (v *version) addCategories(list []object) {
	for _, o := range list {
		c := taxonomy.Category{
			ID:                v.categories.define(o.id(), locationOf(o.idAt())),
			Prompt:            o.text("prompt"),
			AuthoringGuidance: o.text("authoring_guidance"),
			Required:          o.bool("required"),
			Sources:           v.sources(o),
		}
		v.noteProposals(o, c.ID, c.Sources)
		c.Name = o.textOr(v.untranslated(c.ID), c.ID, "the category has no name, so that is its id", "name")
		c.Shape = v.shape(o)
		c.Role = categoryRoles[plainID(o.id())]
		c.Variables = v.variables(o, "element_variables", &c.AuthoringGuidance)
		c.Context = v.context(o)
		// The oldest files call the description headline.
		description := o.textOr(c.Name, o.id(), "the category has no description, so that is its name", "description", "headline")
		c.Description = v.braces(description, c.Variables)
		if typ := o.string("datachain_type"); typ != "" && typ != v.id.Type() {
			v.notes.at(Dropped, o.get("datachain_type"), typ, "datachain_type differs from that of the version, which counts")
		}
		v.reportUnknown(o, "id", "name", "description", "headline", "prompt", "authoring_guidance", "required", "shape", "sources",
			"element_variables", "context", "element_context", "datachain_type", "order", dated,
			"examples: only elements have examples")
		if o.get("order").Exists() {
			v.positions[c.ID] = o.order()
		}
		v.content.Categories = append(v.content.Categories, c)
	}
}

// shape returns the shape of a category. The older layout does not state it: its renderers know it by
// the name of the category.
func (v *version) shape(o object) taxonomy.Shape {
	stated := taxonomy.Shape(o.string("shape"))
	if slices.Contains(taxonomy.Shapes(), stated) {
		return stated
	}
	known := knownShape(o.id())
	if stated == "" {
		v.notes.at(Filled, o.main(), o.id()+": "+string(known), "the category has no shape, so it has the usual one")
	} else {
		v.notes.at(Changed, o.get("shape"), string(stated)+" -> "+string(known), "the shape does not exist, so it is the usual one")
	}
	return known
}

// knownShape returns the shape in which DTPR draws a category.
func knownShape(category string) taxonomy.Shape {
	switch plainID(category) {
	case "data", "input_dataset", "output_dataset":
		return taxonomy.Circle
	case "access", "storage", "retention", "accountable":
		return taxonomy.RoundedSquare
	case "rights", "risks_mitigation":
		return taxonomy.Octagon
	}
	return taxonomy.Hexagon
}

// plainID returns the id of a category without the prefix of its datachain type.
func plainID(category string) string {
	if _, name, ok := strings.Cut(category, "__"); ok {
		return name
	}
	return category
}

// The roles of ids that all taxonomies of DTPR use.
var (
	categoryRoles = map[string]taxonomy.Role{
		"purpose": codes.RolePurpose, "accountable": codes.RoleAccountable, "affected": codes.RolePeople,
		"decision": codes.RoleDecision, "functional_modes": codes.RoleDecision, "data": codes.RoleData, "input_dataset": codes.RoleData,
		"output_dataset": codes.RoleOutput, "access": codes.RoleAccess, "storage": codes.RoleStorage, "retention": codes.RoleRetention,
		"risks_mitigation": codes.RoleRisk, "rights": codes.RoleRights,
	}
	variableRoles = map[string]taxonomy.Role{
		"title": codes.RoleName, "description": codes.RoleWords, "additional_description": codes.RoleWords, "rights": codes.RoleWords,
		"risk": codes.RoleWords, "mitigation": codes.RoleSafeguard, "duration": codes.RolePeriod,
	}
	// risingContexts begin with their lowest value.
	risingContexts = map[string]string{"pii": "de_identified", "autonomy": "human_decides"}
)

// leadValue is the context value of the organisation that uses a system, beside its vendor.
const leadValue = "deployer"

// context returns the context of a category.
func (v *version) context(o object) taxonomy.Context {
	key := "element_context"
	if !o.get(key).Exists() {
		key = "context"
	}
	n := o.nested(key)
	context := taxonomy.Context{Name: n.text("name"), Description: n.text("description")}
	if id := n.string("id"); id != "" {
		context.ID = newNamer(&v.notes, "context", ident.IsID).define(id, locationOf(n.get("id")))
	}
	ids := newNamer(&v.notes, "value", ident.IsID, taxonomy.VariantDefault, taxonomy.VariantDark)
	for _, item := range n.items("values") {
		value := taxonomy.ContextValue{
			ID: item.newID(ids), Label: item.label(), Description: item.text("description"),
			Lead: item.string("id") == leadValue,
		}
		if color := item.get("color"); color.Exists() {
			value.Color = v.color(item)
		}
		v.reportUnknown(item, "id", "name", "label", "description", "color")
		context.Values = append(context.Values, value)
	}
	v.reportUnknown(n, "id", "name", "description", "values")
	if len(context.Values) == 0 {
		return taxonomy.Context{} // without values there is nothing to choose
	}
	if lowest := risingContexts[context.ID]; lowest == context.Values[0].ID && len(context.Values) > 1 {
		context.Order = codes.Rising
	}
	return context
}

// order returns the position of a category; those without one come last.
func (o object) order() int {
	s, _ := o.get("order").Scalar()
	n := 0
	if _, err := fmt.Sscanf(s, "%d", &n); err != nil {
		return 1 << 30
	}
	return n
}

// color returns the colour of a context value.
func (v *version) color(o object) string {
	stated := o.string("color")
	if c, ok := icons.ParseColor(stated); ok {
		return c.String()
	}
	v.notes.at(Dropped, o.get("color"), stated, "the colour is not #RRGGBB")
	return ""
}
