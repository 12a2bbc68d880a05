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
func (p *parser) origin(v source.Value, each *selector, depth int) *origin {
	known := append([]string{"is", "path", "page", "publisher", "filing", "text", "has", "then", "else", "all", "map", "join", "first"}, selectorKeys...)
	if !p.keys(v, "A source", known...) {
		return nil
	}
	o := &origin{join: "\n", first: p.flag(v, "first"), table: p.table(v.Get("map"))}
	if v.Get("join").Exists() {
		o.join, o.joined = p.text(v, "join"), true
	}
	var kinds []originKind
	for _, kind := range []originKind{fromConstant, fromPath, fromPage, fromPublisher, fromFiling, fromHas, fromAll} {
		if v.Get(string(kind)).Exists() {
			kinds = append(kinds, kind)
		}
	}
	text := v.Get("text")
	if slices.ContainsFunc(selectorKeys, func(key string) bool { return v.Get(key).Exists() }) {
		kinds = append(kinds, fromItems)
	} else if len(kinds) == 0 && each != nil && text.Exists() {
		kinds = append(kinds, fromItem)
	}
	if len(kinds) != 1 {
		p.wrong(v, "use one of is, path, page, publisher, filing, role, category, element, sources, list, has and all", "A source must say one place that values come from.")
		return nil
	}
	if o.kind = kinds[0]; o.kind == fromItems {
		if each = p.selector(v); each == nil {
			return nil
		}
		o.on = each
	}
	if o.kind == fromItems || o.kind == fromItem {
		var ok bool
		if o.text, ok = p.template(text, v, each); !ok {
			return nil
		}
	} else if text.Exists() {
		p.wrong(text, "remove text, or choose placements or items", "A source with %s can't have a text.", o.kind)
	}
	return p.kind(v, o, each, depth)
}

// kind reads what is particular to a kind of source.
func (p *parser) kind(v source.Value, o *origin, each *selector, depth int) *origin {
	m := v.Get(string(o.kind))
	switch o.kind {
	case fromConstant:
		o.name = p.needed(v, "is")
	case fromPath:
		o.name = p.needed(v, "path")
		if root, _, _ := strings.Cut(o.name, "."); each == nil && !slices.Contains(documentFields, root) {
			p.wrong(m, "use title, description, id, a field of register, …", "A document has no field %s.", wording.Quote(root))
		}
	case fromPage:
		oneOf(p, v, "page", "url")
	case fromPublisher:
		o.name = oneOf(p, v, "publisher", "name", "id", "contact.email", "contact.phone", "contact.url", "contact.address")
	case fromFiling:
		o.name = oneOf(p, v, "filing", "id", "url", "filed")
	case fromHas:
		o.then, o.otherwise = p.needed(v, "then"), p.text(v, "else")
		if !p.keys(m, "has", selectorKeys...) {
			return nil
		}
		if o.on = p.selector(m); o.on == nil {
			return nil
		}
		if !o.on.places() {
			p.wrong(m, "use a role, a category or an element", "has must choose placements.")
		}
	case fromAll:
		if depth == maxDepth {
			p.wrong(m, "put the sources into one list", "all is nested too deeply.")
			return nil
		}
		for item := range m.Items() {
			if inner := p.origin(item, each, depth+1); inner != nil {
				o.all = append(o.all, inner)
			}
		}
	}
	return o
}

// documentFields are what a path can begin with.
var documentFields = []string{"id", "title", "description", "schema_version", "created_at", "updated_at", "instance_version", "register"}

// selector reads the keys of a selector.
func (p *parser) selector(v source.Value) *selector {
	s := &selector{
		role: oneOf(p, v, "role", source.CategoryRoles()...), categories: p.texts(v.Get("category")), elements: p.texts(v.Get("element")),
		contexts: p.texts(v.Get("context")), lead: p.flag(v, "lead"), sources: p.texts(v.Get("sources")), list: p.text(v, "list"), where: p.table(v.Get("where")),
	}
	kinds := 0
	for _, given := range []bool{s.places(), len(s.sources) > 0, s.list != ""} {
		if given {
			kinds++
		}
	}
	switch {
	case kinds != 1:
		p.wrong(v, "use role, category or element, or sources, or list", "A selector must choose placements, sources or the items of a list.")
	case !s.places() && (len(s.contexts) > 0 || s.lead):
		p.wrong(v, "remove context and lead", "Only placements have a context and lead.")
	case s.list == "" && len(s.where) > 0:
		p.wrong(v.Get("where"), "remove where", "Only a list has where.")
	case s.list != "" && !strings.HasPrefix(s.list, "register."):
		p.wrong(v.Get("list"), "use a list of the object register, such as register.assessments", "%s is not a list of the object register.", wording.Quote(s.list))
	default:
		return s
	}
	return nil
}

// table reads an object of texts, in order, if it is there.
func (p *parser) table(v source.Value) (list []mapping) {
	if v.Exists() && !v.IsObject() {
		p.wrong(v, "write values by key", "%s must be an object of texts.", v.Key())
		return nil
	}
	for m := range v.Items() {
		to, ok := m.Scalar()
		if !ok {
			p.wrong(m, "write a text", "%s must be an object of texts.", v.Key())
			return nil
		}
		list = append(list, mapping{m.Key(), to})
	}
	return list
}

// template reads the text of a source that is about what a selector chooses. Items that are no
// placements have names of their fields as placeholders, which are not known.
func (p *parser) template(m, of source.Value, on *selector) (t template, ok bool) {
	if !m.Exists() {
		p.wrong(of, "add a text such as {title}", "A source with placements or items must have a text.")
		return nil, false
	}
	text, ok := m.Scalar()
	t, reason := parseTemplate(text)
	if !ok {
		reason = "it is not a text"
	}
	if reason != "" {
		p.wrong(m, "write a template such as {title}", "The template can't be used: %s.", reason)
		return nil, false
	}
	for name := range t.placeholders() {
		if on.places() && !ofPlacement(name) {
			p.wrong(m, "use {title}, {description}, {element}, {context}, {context_id}, {label}, {citation}, {rest}, {var.ID}, {role.ROLE}, {action.TYPE} or {source.TYPE.url}",
				"A placement has no %s.", wording.Quote("{"+name+"}"))
		}
	}
	return t, true
}

// ofPlacement reports whether placements have a placeholder.
func ofPlacement(name string) bool {
	kind, more, _ := strings.Cut(name, ".")
	switch kind {
	case "title", "description", "element", "context", "context_id", "label", "citation", "rest":
		return more == ""
	case "var", "action":
		return ident.IsID(more)
	case "role":
		return slices.Contains(source.VariableRoles(), taxonomy.Role(more))
	case "source":
		typ, property, _ := strings.Cut(more, ".")
		return typ != "" && (property == "url" || property == "title")
	}
	return false
}
