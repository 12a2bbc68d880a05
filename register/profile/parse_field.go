package profile

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/datachain-go/datachain/authoring/source"
	"github.com/datachain-go/datachain/internal/wording"
)

// fields reads a list of fields into a list and a table by name: those of the profile, or of the list
// outer.
func (p *parser) fields(v source.Value, byName map[string]*field, outer *field) (list []*field) {
	if v.Exists() && !v.IsList() {
		p.wrong(v, "write a list", "%s must be a list of fields.", v.Key())
	}
	for item := range v.Items() {
		if p.count++; p.count > maxFields {
			if p.count == maxFields+1 {
				p.wrong(item, "remove what the target does not ask for", "A profile can have at most %d fields.", maxFields)
			}
			return list
		}
		f := p.field(item, outer)
		switch {
		case f == nil:
		case byName[f.name] != nil:
			p.wrong(item.Get("name"), "give each field a name of its own", "There are two fields %s.", wording.Quote(f.name))
		default:
			byName[f.name] = f
			list = append(list, f)
		}
	}
	return list
}

func (p *parser) field(v source.Value, outer *field) *field {
	if !p.keys(v, "A field", "name", "title", "type", "required", "only", "max", "choices", "aliases", "suggested", "from", "list", "group", "each", "fields", "import", "confirm", "auto", "note") {
		return nil
	}
	f := &field{name: p.needed(v, "name"), title: p.text(v, "title"), list: p.flag(v, "list"), group: p.text(v, "group"), confirm: p.flag(v, "confirm"), auto: p.flag(v, "auto")}
	f.title = cmp.Or(f.title, f.name)
	f.typ = cmp.Or(oneOf(p, v, "type", fieldTypes...), typeText)
	p.text(v, "note")
	p.texts(v.Get("suggested"))
	if m := v.Get("max"); m.Exists() {
		text, _ := m.Scalar()
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			p.wrong(m, "write a number of characters", "max must be an integer from 1.")
		}
		f.max = n
	}
	p.choices(v, f)
	each := p.items(v, f, outer)
	from := v.Get("from")
	if from.Exists() && !from.IsList() {
		p.wrong(from, "write a list, such as [{path: title}]", "from must be a list of sources.")
	}
	for item := range from.Items() {
		if o := p.origin(item, each, 0); o != nil {
			p.checkTable(item, o, f)
			f.from = append(f.from, o)
		}
	}
	f.target = p.target(v.Get("import"))
	f.required, f.only = p.condition(v.Get("required"), f), p.condition(v.Get("only"), f)
	return f
}

// items reads what a field of a list has none of, and what makes a field a list. It returns what the
// sources of the field are about: items, or nil for the document.
func (p *parser) items(v source.Value, f, outer *field) *selector {
	if outer != nil {
		for _, key := range []string{"only", "group", "each", "fields", "import", "confirm", "auto"} {
			if m := v.Get(key); m.Exists() {
				p.wrong(m, "remove it, or make the field one of the profile", "A field of a list can't have %s.", key)
			}
		}
		if m := v.Get("required"); m.IsObject() {
			p.wrong(m, "write true, or remove it", "A field of a list is always required, or never.")
		}
		return outer.each
	}
	if m := v.Get("each"); m.Exists() && p.keys(m, "each", selectorKeys...) {
		f.each = p.selector(m)
	}
	if m := v.Get("fields"); m.Exists() {
		switch {
		case f.typ != typeList || f.each == nil:
			p.wrong(m, "add type: list and each", "A field with fields must have the type list, and each.")
		case f.confirm || f.group != "":
			p.wrong(m, "remove confirm and group", "A field with fields can't be confirmed, and is in no group.")
		default:
			f.fields = p.fields(m, make(map[string]*field), f)
		}
	}
	if f.group != "" && (f.each == nil || !f.list) {
		p.wrong(v.Get("group"), "add each and list: true", "A field of a group must have each and list: true.")
	}
	return f.each
}

// choices reads a list of words, or an object of words by id, with other spellings of each.
func (p *parser) choices(v source.Value, f *field) {
	defer f.spell()
	m, aliases := v.Get("choices"), v.Get("aliases")
	if (f.typ == typeChoice || f.typ == typeChoices) && !m.Exists() {
		p.wrong(v.Get("type"), "add choices", "A field of the type %s must have choices.", f.typ)
	}
	seen := make(map[string]int)
	for item := range m.Items() {
		word, ok := item.Scalar()
		id := cmp.Or(item.Key(), word)
		if _, twice := seen[id]; !ok || twice || id == "" {
			p.wrong(item, "write each word once", "choices must be a list of words, or words by id.")
			return
		}
		seen[id] = len(f.choices)
		f.choices = append(f.choices, choice{id: id, word: word})
	}
	if m.Exists() && len(f.choices) == 0 {
		p.wrong(m, "write a list of words", "choices must be a list of words, or words by id.")
	}
	if aliases.Exists() && !aliases.IsObject() {
		p.wrong(aliases, "write other spellings by choice", "aliases must be an object.")
	}
	for item := range aliases.Items() {
		i, ok := seen[item.Key()]
		if !ok {
			p.wrong(item, "use an id of choices", "There is no choice %s.", wording.Quote(item.Key()))
			continue
		}
		f.choices[i].aliases = p.texts(item)
	}
}

// target reads where import puts a text.
func (p *parser) target(v source.Value) (t target) {
	word, ok := v.Scalar()
	switch {
	case !v.Exists() || word == "answers":
	case word == "filing.url":
		t.filingURL = true
	case ok:
		p.wrong(v, "use answers, filing.url, {category, variable} or {role, lead, action}", "import can't be %s.", wording.Quote(word))
	case !p.keys(v, "import", "category", "variable", "role", "lead", "action"):
	case v.Get("role").Exists():
		t.on, t.placeholder = &selector{role: oneOf(p, v, "role", source.CategoryRoles()...), lead: true}, "action"
		p.flag(v, "lead")
		if !p.flag(v, "action") {
			p.wrong(v, "add action: true", "import with a role must have action: true.")
		}
	default:
		t.on, t.placeholder = &selector{categories: []string{p.needed(v, "category")}}, "var."+p.needed(v, "variable")
	}
	return t
}

// condition reads true, or values by field. The fields are checked later.
func (p *parser) condition(v source.Value, of *field) (c condition) {
	always, ok := v.Bool()
	if c.always = always; ok || !v.Exists() {
		return c
	}
	if !v.IsObject() {
		p.wrong(v, "write true, or {other_field: [values]}", "%s must be true, or values by field.", v.Key())
		return c
	}
	members := slices.Collect(v.Items())
	c.fields = make([]conditionField, len(members))
	for i, m := range members {
		c.fields[i] = conditionField{m.Key(), p.texts(m)}
		p.pending = append(p.pending, pending{of, &c.fields[i], m})
	}
	return c
}

// checkTable reports values of tables that are no choice of the field.
func (p *parser) checkTable(v source.Value, o *origin, f *field) {
	for _, inner := range o.all {
		p.checkTable(v, inner, f)
	}
	values := []string{o.then, o.otherwise}
	for _, m := range o.table {
		values = append(values, m.to)
	}
	if o.kind == fromConstant {
		values = append(values, o.name)
	}
	for _, value := range values {
		if _, ok := f.choice(value); !ok && value != "" && len(f.choices) > 0 {
			p.wrong(v, "use one of the choices of "+f.name, "%s is no choice of %s.", wording.Quote(value), f.name)
		}
	}
}
