package profile

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/datachain-go/datachain/internal/ident"
	"github.com/datachain-go/datachain/taxonomy"
)

// placeKey identifies a placement of a draft.
type placeKey struct {
	category, element, context string
	index                      int
}

// draftPlacement is a placement of a draft. Its element is "" as long as it is not known, and its texts
// have a line for each value.
type draftPlacement struct {
	placeKey
	taxonomy.Placement
}

func (p *draftPlacement) name() string {
	name := cmp.Or(p.element, p.category)
	if p.index > 0 {
		name += fmt.Sprintf(" (%d)", p.index+1)
	}
	return name
}

// reverse puts a text where a source takes it from. It returns "" if that is not known.
func (d *drafter) reverse(o *origin, v *rowValue, text string) (place Place, where string) {
	each := cmp.Or(v.outer, v.field).each
	text, known := o.unmap(v.field, text)
	if !known {
		return "", ""
	}
	switch o.kind {
	case fromConstant:
		if same(v.field, o.name, text) {
			return Constant, ""
		}
	case fromPath:
		if each != nil {
			return d.setItem(each, v.index, o.name, v, text)
		}
		if d.setPath(o.name, text) {
			return Exact, o.name
		}
	case fromFiling:
		if o.name == "filed" && len(text) > len("2026-11-15") && !unicode.IsDigit(rune(text[len("2026-11-15")])) {
			text = text[:len("2026-11-15")]
		}
		if o.name == "filed" && !ident.IsDate(text) || o.name == "url" && !ident.IsURL(text) {
			return "", ""
		}
		return d.setFiling(o.name, text)
	case fromItem, fromItems:
		return d.reverseItems(o, v, text)
	}
	return "", ""
}

// reverseItems is reverse for a source of the item of each, or of several: then which one must be plain.
func (d *drafter) reverseItems(o *origin, v *rowValue, text string) (Place, string) {
	on, index, plain := o.on, 0, false
	if o.kind == fromItem {
		on, index, plain = cmp.Or(v.outer, v.field).each, v.index, true
	}
	switch only := o.text.only(); {
	case only == "":
	case only == ".":
		join := o.join
		if !o.joined {
			join = "" // lines are those of a text
		}
		for _, part := range split(text, join) {
			if part != "" {
				d.append(on.list, d.localized(part))
			}
		}
		return Exact, on.list
	case !on.places() && (plain || len(on.sources) == 0 || only == "url"): // a title can be any text
		return d.setItem(on, index, only, v, text)
	case only == "element" && o.table != nil && !plain:
		return d.setElement(text, v.index)
	case on.places() && (plain || len(on.elements) > 0 || on.lead || len(on.contexts) == 1):
		return d.setPlacement(on, index, only, v, text)
	}
	return "", ""
}

// same reports whether two texts are the same choice or, without choices, the same.
func same(f *field, a, b string) bool {
	one, ok := f.choice(a)
	other, too := f.choice(b)
	return ok && too && one == other || fold(a) == fold(b)
}

// unmap returns the first key of a value in the table of a source.
func (o *origin) unmap(f *field, text string) (string, bool) {
	if o.table == nil {
		return text, true
	}
	for _, m := range o.table {
		if same(f, m.to, text) {
			return m.from, true
		}
	}
	return "", false
}

// setPath writes a field of the document. It is false if the field can't be written, or has another
// value.
func (d *drafter) setPath(path, text string) bool {
	if old, ok := d.written[path]; ok {
		return old == text
	}
	switch keys := strings.Split(path, "."); {
	case path == "id" || path == "title" || path == "description": // see draft
	case keys[0] != "register" || len(keys) == 1:
		return false
	default:
		object, last := d.register, len(keys)-1
		for _, key := range keys[1:last] {
			if object[key] == nil {
				object[key] = make(map[string]any)
			}
			inner, ok := object[key].(map[string]any)
			if !ok {
				return false
			}
			object = inner
		}
		object[keys[last]] = text
		if len(keys) == 3 && keys[1] == "organisation" && keys[2] != "id" {
			object[keys[last]] = d.localized(text)
		}
	}
	d.written[path] = text
	return true
}

// localized returns a text in the language of the profile, or nothing.
func (d *drafter) localized(text string) taxonomy.Localized {
	if text == "" {
		return nil
	}
	return taxonomy.Localized{{Locale: d.profile.Locale, Value: text}}
}

// itemLabels are fields of items that are localized.
var itemLabels = []string{"name", "summary", "reason", "what"}

// setItem writes a field of a source or of an item of a list, which is made if it is not there.
func (d *drafter) setItem(on *selector, index int, key string, v *rowValue, text string) (Place, string) {
	if on.places() {
		return "", ""
	}
	list := cmp.Or(on.list, "sources")
	id := fmt.Sprint(list, on.sources, on.where, index)
	path := id + " " + key
	if old, ok := d.written[path]; ok && old != text {
		return "", ""
	}
	d.written[path] = text
	item := d.items[id]
	if item == nil {
		item = make(map[string]any)
		d.items[id] = item
		if len(on.sources) > 0 {
			item["type"] = on.sources[0]
			d.sources = append(d.sources, item)
		} else {
			for _, w := range on.where {
				item[w.from] = w.to
			}
			if list == "register.assessments" {
				item["name"] = d.localized(v.field.title)
			}
			d.append(list, item)
		}
	}
	if item[key] = any(text); on.list != "" && slices.Contains(itemLabels, key) {
		item[key] = d.localized(text)
	}
	return Exact, list + "[]." + key
}

// append appends an item to a list of the object register.
func (d *drafter) append(list string, item any) {
	key := strings.TrimPrefix(list, "register.")
	items, _ := d.register[key].([]any)
	d.register[key] = append(items, item)
}

// at returns the placement that a selector chooses, or nil if the taxonomy does not have what it names.
func (d *drafter) at(on *selector, index int) *draftPlacement {
	k := placeKey{index: index}
	for _, id := range on.elements {
		if e, ok := d.release.Element(id); ok && k.element == "" {
			k.category, k.element = e.CategoryID, id
		}
	}
	for _, c := range d.release.Categories() {
		if len(on.elements) == 0 && k.category == "" && on.in(c.ID, cmp.Or(c.Role, d.roles.Categories[c.ID])) {
			k.category = c.ID
		}
	}
	c, ok := d.release.Category(k.category)
	if !ok {
		return nil
	}
	if on.lead {
		for _, e := range d.release.ElementsOf(c.ID) {
			if e.Lead || slices.Contains(d.roles.Lead.Elements, e.ID) {
				k.element = e.ID
				break
			}
		}
	}
	if len(on.contexts) > 0 {
		i := slices.IndexFunc(c.Context.Values, func(v taxonomy.ContextValue) bool { return slices.Contains(on.contexts, v.ID) })
		if i < 0 {
			return nil
		}
		k.context = c.Context.Values[i].ID
	}
	p := d.placed[k]
	if p == nil {
		p = &draftPlacement{placeKey: k}
		d.placed[k] = p
		d.order = append(d.order, p)
	}
	return p
}

// setPlacement writes what a placeholder stands for in a placement.
func (d *drafter) setPlacement(of *selector, index int, placeholder string, v *rowValue, text string) (Place, string) {
	kind, _, _ := strings.Cut(placeholder, ".")
	action := placeholder == "action" && (isEmail(text) || ident.IsURL(text))
	if !action && kind != "label" && kind != "var" && kind != "role" {
		return "", ""
	}
	on := d.at(of, index)
	switch {
	case on == nil:
		return "", ""
	case action:
		kind := "url"
		if isEmail(text) {
			kind = "email"
		}
		on.Actions = append(on.Actions, taxonomy.Action{Type: kind, Label: taxonomy.Label{Plain: v.field.title}, Target: text})
		return Drafted, on.name() + ".actions"
	case kind == "label":
		if on.Label != nil && on.Label.Text[0].Value != text {
			return "", ""
		}
		on.Label = &taxonomy.Label{Text: d.localized(text)}
		return Exact, on.name() + ".label"
	}
	elements := d.release.ElementsOf(on.category)
	if e, ok := d.release.Element(on.element); ok {
		elements = []*taxonomy.Element{e}
	}
	declared := variable(elements, d.roles, placeholder)
	if declared == nil || !on.set(declared, d.localized(text)) {
		return "", ""
	}
	if len(of.elements) == 0 && !of.lead && len(of.contexts) == 0 {
		return Drafted, on.name() + "." + declared.ID
	}
	return Exact, on.name() + "." + declared.ID
}

// set writes the value of a variable. It is false if there is no such option. A second text is added to
// the first.
func (p *draftPlacement) set(declared *taxonomy.Variable, text taxonomy.Localized) bool {
	option := -1
	if declared.Type != taxonomy.TextVariable {
		option = slices.IndexFunc(declared.Options, func(o taxonomy.Option) bool {
			return o.ID == text[0].Value || slices.ContainsFunc(o.Label, func(l taxonomy.Text) bool { return fold(l.Value) == fold(text[0].Value) })
		})
		if option < 0 {
			return false
		}
	}
	k := slices.IndexFunc(p.Variables, func(v taxonomy.VariableValue) bool { return v.ID == declared.ID })
	if k < 0 {
		k = len(p.Variables)
		p.Variables = append(p.Variables, taxonomy.VariableValue{ID: declared.ID})
	}
	v := &p.Variables[k]
	if option < 0 {
		if !slices.Equal(v.Text, text) {
			v.Text = append(v.Text, text...)
		}
	} else if id := declared.Options[option].ID; !slices.Contains(v.Options, id) {
		v.Options = append(v.Options, id)
	}
	return true
}

// setElement makes a placement one of an element, if that has the variables that were written.
func (d *drafter) setElement(id string, index int) (Place, string) {
	e, ok := d.release.Element(id)
	if !ok {
		return "", ""
	}
	p := d.at(&selector{categories: []string{e.CategoryID}}, index)
	if p == nil || p.element != "" && p.element != id {
		return "", ""
	}
	for _, v := range p.Variables {
		if _, ok := e.Variable(v.ID); !ok {
			return "", ""
		}
	}
	p.element = id
	return Exact, "elements[].element_id"
}
