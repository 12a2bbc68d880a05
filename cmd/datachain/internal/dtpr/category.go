package dtpr

import (
	"bytes"
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/datachain-go/datachain/icons"
	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// addManifest takes over what meta.yaml says about the version.
func (v *version) addManifest(meta object) {
	v.content.Notes = meta.text("notes")
	if created := meta.string("created_at"); created != "" {
		day, _, _ := strings.Cut(created, "T")
		if ident.IsDate(day) {
			v.content.Released = day
			v.notes.at(Changed, meta.get("created_at"), created+" -> "+day, "the date of created_at is released")
		} else {
			v.notes.at(Dropped, meta.get("created_at"), created, "created_at is not a date and time")
		}
	}
	v.reportUnknown(meta, "version", "status", "created_at", "notes", "locales",
		"content_hash: it is computed when the version is built, in another way")
}

// addType takes over the datachain type. The version has no title of its own, so it has
// the name and description of the type.
func (v *version) addType(o object) {
	typ := taxonomy.Type{ID: v.id.Type(), Name: o.text("name"), Description: o.text("description")}
	if stated := o.string("id"); stated != "" && stated != typ.ID {
		v.notes.at(Changed, o.get("id"), stated+" -> "+typ.ID, "the datachain type is that of the version id")
	}
	if len(typ.Name) == 0 {
		typ.Name = taxonomy.Localized{{Locale: v.locales[0], Value: typ.ID}}
		v.notes.at(Filled, o.main(), typ.ID, "the datachain type has no name, so that is its id")
	}
	typ.Categories = v.categoryList(o, "categories")
	for i := range v.content.Categories {
		if c := &v.content.Categories[i]; !slices.Contains(typ.Categories, c.ID) {
			typ.Categories = append(typ.Categories, c.ID)
			v.notes.at(Changed, o.get("categories"), c.ID, "a category that is not listed comes last")
		}
	}
	v.checkOrder(o, typ.Categories)
	ids := newNamer(v.notes, "subchain", ident.IsID)
	for _, s := range o.items("subchains") {
		sub := taxonomy.Subchain{ID: ids.define(s.string("id"), locationOf(s.get("id"))), Name: s.text("name"), Categories: v.categoryList(s, "categories")}
		v.reportUnknown(s, "id", "name", "categories")
		typ.Subchains = append(typ.Subchains, sub)
	}
	v.reportUnknown(o, "id", "name", "description", "categories", "subchains", "locales", dated)
	v.content.Type = typ
	v.content.Title, v.content.Description = typ.Name, typ.Description
	if len(typ.Description) == 0 {
		v.content.Description = typ.Name
		v.notes.at(Filled, o.main(), typ.ID, "the datachain type has no description, so that of the version is its name")
	}
	order := func(c taxonomy.Category) int { return slices.Index(typ.Categories, c.ID) }
	slices.SortStableFunc(v.content.Categories, func(a, b taxonomy.Category) int { return cmp.Compare(order(a), order(b)) })
}

// dated is why the dates of files are not imported.
const dated = "updated_at: only a version has a date"

// checkOrder reports that categories have other positions than the list has.
func (v *version) checkOrder(o object, list []string) {
	last := -1
	for _, id := range list {
		position, ok := v.positions[id]
		if ok && position < last {
			v.notes.at(Dropped, o.get("categories"), id, "the order of a category differs from that of the list, which counts")
			return
		}
		last = max(last, position)
	}
}

// categoryList returns the categories that a list names, each once.
func (v *version) categoryList(o object, key string) []string {
	var list []string
	for _, item := range o.strings(key) {
		name, _ := item.Scalar()
		id, ok := v.categories.refer(name)
		switch {
		case !ok:
			v.notes.at(Dropped, item, name, "the category does not exist")
		case slices.Contains(list, id):
			v.notes.at(Dropped, item, name, "the category is listed twice")
		default:
			list = append(list, id)
		}
	}
	return list
}

// addCategories takes over categories. The elements have their ids already, since
// options refer to them.
func (v *version) addCategories(list []object) {
	for _, o := range list {
		c := taxonomy.Category{
			ID:                v.categories.define(o.id(), locationOf(o.idAt())),
			Name:              o.text("name"),
			Prompt:            o.text("prompt"),
			AuthoringGuidance: o.text("authoring_guidance"),
			Required:          o.bool("required"),
			Sources:           v.sources(o),
		}
		v.noteProposals(o, c.ID, c.Sources)
		if len(c.Name) == 0 {
			c.Name = taxonomy.Localized{{Locale: v.locales[0], Value: c.ID}}
			v.notes.at(Filled, o.main(), c.ID, "the category has no name, so that is its id")
		}
		c.Shape = v.shape(o)
		c.Role = categoryRoles[plainID(o.id())]
		c.Variables = v.variables(o, "element_variables")
		c.Context = v.context(o)
		c.Description = v.braces(v.describe(o, c.Name), c.Variables)
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

// describe returns the description of a category, which the oldest files call headline,
// or its name if it has none.
func (v *version) describe(o object, name taxonomy.Localized) taxonomy.Localized {
	for _, key := range []string{"description", "headline"} {
		if l := o.text(key); len(l) > 0 {
			return l
		}
	}
	v.notes.at(Filled, o.main(), o.id(), "the category has no description, so that is its name")
	return name
}

// shape returns the shape of a category. The older layout does not state it: renderers
// of the family know it by the name of the category.
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

// knownShape returns the shape that the family draws a category with.
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

// plainID returns the id of a category without the datachain type before it.
func plainID(category string) string {
	if _, name, ok := strings.Cut(category, "__"); ok {
		return name
	}
	return category
}

// The roles of what the family calls by the same ids in all its taxonomies.
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
		context.ID = newNamer(v.notes, "context", ident.IsID).define(id, locationOf(n.get("id")))
	}
	ids := newNamer(v.notes, "value", ident.IsID, taxonomy.VariantDefault, taxonomy.VariantDark)
	for _, item := range n.items("values") {
		value := taxonomy.ContextValue{
			ID: ids.define(item.string("id"), locationOf(item.get("id"))), Label: v.label(item), Description: item.text("description"),
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

// label returns the name of a context value or an option, or its id if it has none.
func (v *version) label(o object) taxonomy.Localized {
	for _, key := range []string{"name", "label"} {
		if l := o.text(key); len(l) > 0 {
			return l
		}
	}
	v.notes.at(Filled, o.main(), o.string("id"), "there is no name, so that is the id")
	return taxonomy.Localized{{Locale: v.locales[0], Value: cmp.Or(o.string("id"), "?")}}
}

// blank is the symbol of elements that have none: a dot.
const blank = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 36 36"><circle cx="18" cy="18" r="3" fill="currentColor"/></svg>`

// noSymbol is the id of that symbol.
const noSymbol = "no_symbol"

// background is how symbols of the family paint with the fill of the icon.
var background = regexp.MustCompile(`var\(\s*--symbol-bg\s*(?:,[^()]*)?\)`)

// readSymbols reads the symbols of a directory.
func (v *version) readSymbols(dir string) error {
	for _, f := range v.in(dir) {
		if path.Ext(f) != ".svg" {
			v.notes.file(Lost, f, "the file is not part of the layout")
			continue
		}
		if _, err := v.addSymbol(f); err != nil {
			return err
		}
	}
	return nil
}

// addSymbol takes over the drawing of a file and returns its id.
func (v *version) addSymbol(file string) (string, error) {
	content, ok, err := v.read(file, symbolLimit, v.notes)
	if err != nil {
		return "", err
	}
	id := v.symbols.define(stem(file), location{position: issue.Position{File: file}})
	v.content.Symbols[id] = blank
	if !ok {
		return id, nil
	}
	painted := background.ReplaceAll(content, []byte("var(--icon-fill, #fff)"))
	if !bytes.Equal(painted, content) {
		v.notes.file(Changed, file, "the background of the symbol is the fill of the icon")
	}
	symbol, issues := icons.Sanitize(painted)
	for _, i := range issues {
		kind, what := Changed, "the drawing was simplified: "
		if i.Severity == issue.SeverityError {
			kind, what = Lost, "the drawing is not allowed, so the symbol is a dot: "
		}
		i.Position.File = file
		v.notes.add(Note{Kind: kind, Message: what + i.Message, Position: i.Position})
	}
	if symbol != nil {
		v.content.Symbols[id] = string(symbol.SVG())
	}
	return id, nil
}

// symbolOf returns the symbol of an element.
func (v *version) symbolOf(o object, element string) (string, error) {
	if name := o.string("symbol_id"); name != "" {
		if id, ok := v.symbols.refer(name); ok {
			return id, nil
		}
		v.notes.at(Filled, o.get("symbol_id"), name, "the symbol does not exist, so it is a dot")
		id := v.symbols.define(name, locationOf(o.get("symbol_id")))
		v.content.Symbols[id] = blank
		return id, nil
	}
	for _, name := range v.drawings(o) {
		if id, ok := v.symbols.refer(stem(name)); ok {
			return id, nil
		}
		if file := v.ending(name); file != "" {
			return v.addSymbol(file)
		}
	}
	v.notes.at(Filled, o.main(), element, "the element has no symbol, so it is a dot")
	id, ok := v.symbols.refer(noSymbol)
	if !ok {
		id = v.symbols.define(noSymbol, locationOf(o.main()))
		v.content.Symbols[id] = blank
	}
	return id, nil
}

// drawings returns the paths at which the drawing of an element may be: that of its
// symbol, or the symbol with the name of its icon, which has the shape as well.
func (v *version) drawings(o object) []string {
	var list []string
	if name := o.string("symbol"); name != "" {
		list = append(list, name)
	}
	if name := o.string("icon"); path.Ext(name) == ".svg" {
		list = append(list, path.Join(path.Dir(name), "symbols", path.Base(name)))
	}
	return list
}

// ending returns the file of the tree whose path ends with another one, which is from
// the root of a website. It returns the first of the shortest ones, or "".
func (v *version) ending(name string) string {
	name = "/" + strings.TrimLeft(path.Clean("/"+name), "/")
	best := ""
	for _, f := range v.drawn[path.Base(name)] {
		if strings.HasSuffix("/"+f, name) && (best == "" || len(f) < len(best)) {
			best = f
		}
	}
	return best
}
