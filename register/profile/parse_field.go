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
func (d *parser) fields(v source.Value, byName map[string]*field, outer *field) (list []*field) {
	if v.Exists() && !v.IsList() {
		d.wrong(v, "write a list", "%s must be a list of fields.", v.Key())
	}
	for item := range v.Items() {
		if d.count++; d.count > maxFields {
			if d.count == maxFields+1 {
				d.wrong(item, "remove what the target does not ask for", "A profile can have at most %d fields.", maxFields)
			}
			return list
		}
		f := d.field(item, outer)
		switch {
		case f == nil:
		case byName[f.name] != nil:
			d.wrong(item.Get("name"), "give each field a name of its own", "There are two fields %s.", wording.Quote(f.name))
		default:
			byName[f.name] = f
			list = append(list, f)
		}
	}
	return list
}

func (d *parser) field(v source.Value, outer *field) *field {
	if !d.keys(v, "A field", "name", "title", "type", "required", "only", "max", "choices", "aliases", "suggested", "from", "list", "group", "each", "fields", "import", "confirm", "auto", "note") {
		return nil
	}
	f := &field{name: d.needed(v, "name"), title: d.text(v, "title"), list: d.flag(v, "list"), group: d.text(v, "group"), confirm: d.flag(v, "confirm"), auto: d.flag(v, "auto")}
	f.title = cmp.Or(f.title, f.name)
	f.typ = cmp.Or(oneOf(d, v, "type", fieldTypes...), typeText)
	d.text(v, "note")
	d.texts(v.Get("suggested"))
	if m := v.Get("max"); m.Exists() {
		text, _ := m.Scalar()
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			d.wrong(m, "write a number of characters", "max must be an integer from 1.")
		}
		f.max = n
	}
	d.choices(v, f)
	each := d.items(v, f, outer)
	from := v.Get("from")
	if from.Exists() && !from.IsList() {
		d.wrong(from, "write a list, such as [{path: title}]", "from must be a list of sources.")
	}
	for item := range from.Items() {
		if o := d.origin(item, each, 0); o != nil {
			d.checkTable(item, o, f)
			f.from = append(f.from, o)
		}
	}
	f.target = d.target(v.Get("import"))
	f.required, f.only = d.condition(v.Get("required"), f), d.condition(v.Get("only"), f)
	return f
}

// items reads what a field of a list has none of, and what makes a field a list. It returns what the
// sources of the field are about: items, or nil for the document.
func (d *parser) items(v source.Value, f, outer *field) *selector {
	if outer != nil {
		for _, key := range []string{"only", "group", "each", "fields", "import", "confirm", "auto"} {
			if m := v.Get(key); m.Exists() {
				d.wrong(m, "remove it, or make the field one of the profile", "A field of a list can't have %s.", key)
			}
		}
		if m := v.Get("required"); m.IsObject() {
			d.wrong(m, "write true, or remove it", "A field of a list is always required, or never.")
		}
		return outer.each
	}
	if m := v.Get("each"); m.Exists() && d.keys(m, "each", selectorKeys...) {
		f.each = d.selector(m)
	}
	if m := v.Get("fields"); m.Exists() {
		switch {
		case f.typ != typeList || f.each == nil:
			d.wrong(m, "add type: list and each", "A field with fields must have the type list, and each.")
		case f.confirm || f.group != "":
			d.wrong(m, "remove confirm and group", "A field with fields can't be confirmed, and is in no group.")
		default:
			f.fields = d.fields(m, make(map[string]*field), f)
		}
	}
	if f.group != "" && (f.each == nil || !f.list) {
		d.wrong(v.Get("group"), "add each and list: true", "A field of a group must have each and list: true.")
	}
	return f.each
}

// choices reads a list of words, or an object of words by id, with other spellings of each.
func (d *parser) choices(v source.Value, f *field) {
	defer f.spell()
	m, aliases := v.Get("choices"), v.Get("aliases")
	if (f.typ == typeChoice || f.typ == typeChoices) && !m.Exists() {
		d.wrong(v.Get("type"), "add choices", "A field of the type %s must have choices.", f.typ)
	}
	seen := make(map[string]int)
	for item := range m.Items() {
		word, ok := item.Scalar()
		id := cmp.Or(item.Key(), word)
		if _, twice := seen[id]; !ok || twice || id == "" {
			d.wrong(item, "write each word once", "choices must be a list of words, or words by id.")
			return
		}
		seen[id] = len(f.choices)
		f.choices = append(f.choices, choice{id: id, word: word})
	}
	if m.Exists() && len(f.choices) == 0 {
		d.wrong(m, "write a list of words", "choices must be a list of words, or words by id.")
	}
	if aliases.Exists() && !aliases.IsObject() {
		d.wrong(aliases, "write other spellings by choice", "aliases must be an object.")
	}
	for item := range aliases.Items() {
		i, ok := seen[item.Key()]
		if !ok {
			d.wrong(item, "use an id of choices", "There is no choice %s.", wording.Quote(item.Key()))
			continue
		}
		f.choices[i].aliases = d.texts(item)
	}
}

// target reads where import puts a text.
func (d *parser) target(v source.Value) (t target) {
	word, ok := v.Scalar()
	switch {
	case !v.Exists() || word == "answers":
	case word == "filing.url":
		t.filingURL = true
	case ok:
		d.wrong(v, "use answers, filing.url, {category, variable} or {role, lead, action}", "import can't be %s.", wording.Quote(word))
	case !d.keys(v, "import", "category", "variable", "role", "lead", "action"):
	case v.Get("role").Exists():
		t.on, t.placeholder = &selector{role: oneOf(d, v, "role", source.CategoryRoles()...), lead: true}, "action"
		d.flag(v, "lead")
		if !d.flag(v, "action") {
			d.wrong(v, "add action: true", "import with a role must have action: true.")
		}
	default:
		t.on, t.placeholder = &selector{categories: []string{d.needed(v, "category")}}, "var."+d.needed(v, "variable")
	}
	return t
}

// condition reads true, or values by field. The fields are checked later.
func (d *parser) condition(v source.Value, of *field) (c condition) {
	always, ok := v.Bool()
	if c.always = always; ok || !v.Exists() {
		return c
	}
	if !v.IsObject() {
		d.wrong(v, "write true, or {other_field: [values]}", "%s must be true, or values by field.", v.Key())
		return c
	}
	members := slices.Collect(v.Items())
	c.fields = make([]conditionField, len(members))
	for i, m := range members {
		c.fields[i] = conditionField{m.Key(), d.texts(m)}
		d.tests = append(d.tests, test{of, &c.fields[i], m})
	}
	return c
}

// checkTable reports values of tables that are no choice of the field.
func (d *parser) checkTable(v source.Value, o *origin, f *field) {
	for _, inner := range o.all {
		d.checkTable(v, inner, f)
	}
	values := []string{o.then, o.els}
	for _, m := range o.table {
		values = append(values, m.to)
	}
	if o.kind == fromConstant {
		values = append(values, o.name)
	}
	for _, value := range values {
		if _, ok := f.choice(value); !ok && value != "" && len(f.choices) > 0 {
			d.wrong(v, "use one of the choices of "+f.name, "%s is no choice of %s.", wording.Quote(value), f.name)
		}
	}
}
