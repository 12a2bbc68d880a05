package profile

import (
	"slices"
	"strings"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/internal/wording"
	"github.com/datachain-go/datachain/taxonomy"
)

// selectorKeys are the keys of a selector.
var selectorKeys = []string{"role", "category", "element", "context", "lead", "sources", "list", "where"}

// origin reads a source of values. Below each, a text alone is one of the item.
func (d *parser) origin(v source.Value, each *selector, depth int) *origin {
	known := append([]string{"is", "path", "page", "publisher", "filing", "text", "has", "then", "else", "all", "map", "join", "first"}, selectorKeys...)
	if !d.keys(v, "A source", known...) {
		return nil
	}
	o := &origin{join: "\n", first: d.flag(v, "first")}
	if v.Get("join").Exists() {
		o.join, o.joined = d.text(v, "join"), true
	}
	if m := v.Get("map"); m.Exists() {
		o.table = d.table(m, "map")
	}
	if m := v.Get("text"); m.Exists() {
		text, ok := m.Scalar()
		t, err := parseTemplate(text)
		if err != nil || !ok {
			d.wrong(m, "write a template such as {title}", "The template can't be used: %s.", wording.Clip(reason(err, "it is not a text")))
			return nil
		}
		o.text = t
	}
	var kinds []string
	for _, key := range []string{"is", "path", "page", "publisher", "filing", "has", "all"} {
		if v.Get(key).Exists() {
			kinds = append(kinds, key)
		}
	}
	if slices.ContainsFunc(selectorKeys, func(key string) bool { return v.Get(key).Exists() }) {
		kinds = append(kinds, "selector")
	}
	switch {
	case len(kinds) == 0 && o.text != nil && each != nil:
		o.kind = fromItem
		d.placeholders(v, o, each)
		return o
	case len(kinds) != 1:
		d.wrong(v, "use one of is, path, page, publisher, filing, role, category, element, sources, list, has and all", "A source must say one place that values come from.")
		return nil
	}
	return d.kind(v, o, kinds[0], each, depth)
}

// kind reads what is particular to a kind of source.
func (d *parser) kind(v source.Value, o *origin, kind string, each *selector, depth int) *origin {
	if o.text != nil && kind != "selector" {
		d.wrong(v.Get("text"), "remove text, or choose placements or items", "A source with %s can't have a text.", kind)
	}
	switch o.name = d.scalar(v, kind); kind {
	case "is":
		o.kind = fromConstant
	case "path":
		o.kind = fromPath
		if root, _, _ := strings.Cut(o.name, "."); each == nil && !slices.Contains(documentFields, root) {
			d.wrong(v.Get(kind), "use title, description, id, a field of register, …", "A document has no field %s.", wording.Quote(root))
		}
	case "page":
		o.kind = fromPage
		o.name = d.oneOf(v, kind, "url")
	case "publisher":
		o.kind = fromPublisher
		o.name = d.oneOf(v, kind, "name", "id", "contact.email", "contact.phone", "contact.url", "contact.address")
	case "filing":
		o.kind = fromFiling
		o.name = d.oneOf(v, kind, "id", "url", "filed")
	case "has":
		o.kind = fromHas
		o.on, o.then, o.els = d.selector(v.Get(kind), kind), d.needed(v, "then"), d.text(v, "else")
		if o.on != nil && !o.on.places() {
			d.wrong(v.Get(kind), "use a role, a category or an element", "has must choose placements.")
			return nil
		}
	case "all":
		o.kind = fromAll
		if depth == maxDepth {
			d.wrong(v.Get(kind), "put the sources into one list", "all is nested too deeply.")
			return nil
		}
		for item := range v.Get(kind).Items() {
			if inner := d.origin(item, each, depth+1); inner != nil {
				o.all = append(o.all, inner)
			}
		}
	default:
		o.kind = fromItems
		o.on = d.chooses(v)
		if o.text == nil {
			d.wrong(v, "add a text such as {title}", "A source with placements or items must have a text.")
			return nil
		}
		d.placeholders(v, o, o.on)
	}
	if (kind == "has" || kind == "selector") && o.on == nil {
		return nil
	}
	return o
}

// documentFields are what a path can begin with.
var documentFields = []string{"id", "title", "description", "schema_version", "created_at", "updated_at", "instance_version", "register"}

// scalar is text for kinds that are one.
func (d *parser) scalar(v source.Value, kind string) string {
	if kind == "has" || kind == "all" || kind == "selector" {
		return ""
	}
	return d.needed(v, kind)
}

func reason(err error, other string) string {
	if err == nil {
		return other
	}
	return err.Error()
}

// selector reads an object that is only a selector.
func (d *parser) selector(v source.Value, what string) *selector {
	if !d.keys(v, what, selectorKeys...) {
		return nil
	}
	return d.chooses(v)
}

func (d *parser) chooses(v source.Value) *selector {
	s := &selector{
		role: d.role(v, "role"), categories: d.texts(v, "category"), elements: d.texts(v, "element"), contexts: d.texts(v, "context"),
		lead: d.flag(v, "lead"), sources: d.texts(v, "sources"), list: d.text(v, "list"),
	}
	if m := v.Get("where"); m.Exists() {
		s.where = d.table(m, "where")
	}
	kinds := 0
	for _, given := range []bool{s.places(), len(s.sources) > 0, s.list != ""} {
		if given {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		d.wrong(v, "use role, category or element, or sources, or list", "A selector must choose placements, sources or the items of a list.")
	case !s.places() && (len(s.contexts) > 0 || s.lead):
		d.wrong(v, "remove context and lead", "Only placements have a context and lead.")
	case s.list == "" && len(s.where) > 0:
		d.wrong(v.Get("where"), "remove where", "Only a list has where.")
	case s.list != "" && !strings.HasPrefix(s.list, "register."):
		d.wrong(v.Get("list"), "use a list of the object register, such as register.assessments", "%s is not a list of the object register.", wording.Quote(s.list))
	default:
		return s
	}
	return nil
}

// table reads an object of texts, in order.
func (d *parser) table(v source.Value, what string) []mapping {
	if !v.IsObject() {
		d.wrong(v, "write values by key", "%s must be an object of texts.", what)
		return nil
	}
	var list []mapping
	for m := range v.Items() {
		to, ok := m.Scalar()
		if !ok {
			d.wrong(m, "write a text", "%s must be an object of texts.", what)
			return nil
		}
		list = append(list, mapping{m.Key(), to})
	}
	return list
}

// variableRoles are what {role.ROLE} can name.
var variableRoles = []taxonomy.Role{
	taxonomy.RoleName, taxonomy.RoleWords, taxonomy.RoleContact, taxonomy.RoleLink, taxonomy.RoleSafeguard, taxonomy.RoleLegalBasis, taxonomy.RolePeriod,
}

// placeholders reports placeholders that placements do not have. Those of other items are names of
// their fields, which are not known.
func (d *parser) placeholders(v source.Value, o *origin, of *selector) {
	if of == nil || !of.places() {
		return
	}
	o.text.placeholders(func(name string) {
		first, more, _ := strings.Cut(name, ".")
		ok := false
		switch first {
		case "title", "description", "element", "context", "context_id", "label", "citation", "rest":
			ok = more == ""
		case "var", "action":
			ok = ident.IsID(more)
		case "role":
			ok = slices.Contains(variableRoles, taxonomy.Role(more))
		case "source":
			typ, property, _ := strings.Cut(more, ".")
			ok = typ != "" && (property == "url" || property == "title")
		}
		if !ok {
			d.wrong(v.Get("text"), "use {title}, {description}, {element}, {context}, {context_id}, {label}, {citation}, {rest}, {var.ID}, {role.ROLE}, {action.TYPE} or {source.TYPE.url}",
				"A placement has no %s.", wording.Quote("{"+name+"}"))
		}
	})
}
