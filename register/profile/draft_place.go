package profile

import (
	"cmp"
	"fmt"
	"html"
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

// draftPlacement is a placement of a draft. Its element is "" as long as it is not known.
type draftPlacement struct {
	placeKey
	label     string
	variables []draftVariable
	actions   []taxonomy.Action
}

// draftVariable has lines of text, or options.
type draftVariable struct {
	id             string
	lines, options []string
}

func (p *draftPlacement) name() string {
	name := cmp.Or(p.element, p.category)
	if p.index > 0 {
		name += fmt.Sprintf(" (%d)", p.index+1)
	}
	return name
}

// turn puts a text where a source takes it from. It returns "" if the source can't be turned round.
func (d *drafter) turn(o *origin, v *value, text string) (place Place, where string) {
	each := cmp.Or(v.list, v.field).each
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
		return d.file(o.name, text)
	case fromItem:
		if each.places() {
			return d.setPlacement(each, v.index, o.text.only(), text)
		}
		return d.setItem(each, v.index, o.text.only(), v, text)
	case fromItems:
		return d.turnItems(o, v, text)
	}
	return "", ""
}

// turnItems is turn for a source that chooses placements or items: which one must be plain.
func (d *drafter) turnItems(o *origin, v *value, text string) (Place, string) {
	only := o.text.only()
	switch {
	case only == "":
		return "", ""
	case len(o.on.sources) > 0 && only != "url": // a title can be any text
		return "", ""
	case only == ".":
		join := o.join
		if !o.joined {
			join = "" // lines are those of a text
		}
		for _, part := range split(text, join) {
			if part != "" {
				d.append(o.on.list, d.localized(part))
			}
		}
		return Exact, o.on.list
	case !o.on.places():
		return d.setItem(o.on, 0, only, v, text)
	case only == "element" && o.table != nil:
		return d.setElement(text, v.index)
	case len(o.on.elements) > 0 || o.on.lead || len(o.on.contexts) == 1:
		return d.setPlacement(o.on, 0, only, text)
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

// localized returns a text in the language of the profile.
func (d *drafter) localized(text string) taxonomy.Localized {
	return taxonomy.Localized{{Locale: d.profile.Locale, Value: text}}
}

// itemLabels are fields of items that are localized.
var itemLabels = []string{"name", "summary", "reason", "what"}

// setItem writes a field of a source or of an item of a list, which is made if it is not there.
func (d *drafter) setItem(on *selector, index int, key string, v *value, text string) (Place, string) {
	if key == "" || on.places() {
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
func (d *drafter) setPlacement(of *selector, index int, placeholder, text string) (Place, string) {
	kind, id, _ := strings.Cut(placeholder, ".")
	if kind != "label" && kind != "var" && kind != "role" {
		return "", ""
	}
	on := d.at(of, index)
	if on == nil {
		return "", ""
	}
	if kind == "label" {
		if on.label != "" && on.label != text {
			return "", ""
		}
		on.label = text
		return Exact, on.name() + ".label"
	}
	declared := d.variable(on, kind, id)
	if !d.setVariable(on, declared, text) {
		return "", ""
	}
	if len(of.elements) == 0 && !of.lead && len(of.contexts) == 0 {
		return Drafted, on.name() + "." + declared.ID
	}
	return Exact, on.name() + "." + declared.ID
}

// variable returns the variable with an id or, if the kind is role, with a role, of the elements that a
// placement can be of. It returns nil if there is none.
func (d *drafter) variable(on *draftPlacement, kind, id string) *taxonomy.Variable {
	elements := d.release.ElementsOf(on.category)
	if e, ok := d.release.Element(on.element); ok {
		elements = []*taxonomy.Element{e}
	}
	for _, e := range elements {
		for i := range e.Variables {
			v := &e.Variables[i]
			if kind == "role" && string(cmp.Or(v.Role, d.roles.Variables[v.ID])) == id || kind == "var" && v.ID == id {
				return v
			}
		}
	}
	return nil
}

// setVariable writes the value of a variable. It is false if there is no such variable or option. A
// second text is added to the first.
func (d *drafter) setVariable(on *draftPlacement, declared *taxonomy.Variable, text string) bool {
	if declared == nil {
		return false
	}
	option := ""
	if declared.Type != taxonomy.TextVariable {
		i := slices.IndexFunc(declared.Options, func(o taxonomy.Option) bool {
			return o.ID == text || slices.ContainsFunc(o.Label, func(l taxonomy.Text) bool { return fold(l.Value) == fold(text) })
		})
		if i < 0 {
			return false
		}
		option = declared.Options[i].ID
	}
	k := slices.IndexFunc(on.variables, func(v draftVariable) bool { return v.id == declared.ID })
	if k < 0 {
		k = len(on.variables)
		on.variables = append(on.variables, draftVariable{id: declared.ID})
	}
	switch v := &on.variables[k]; {
	case option == "" && !(len(v.lines) == 1 && v.lines[0] == text):
		v.lines = append(v.lines, text)
	case option != "" && !slices.Contains(v.options, option):
		v.options = append(v.options, option)
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
	for _, v := range p.variables {
		if _, ok := e.Variable(v.id); !ok {
			return "", ""
		}
	}
	p.element = id
	return Exact, "elements[].element_id"
}

// split splits what is joined.
func split(text, join string) []string {
	separator := cmp.Or(strings.TrimSpace(join), join)
	if separator == "" {
		return []string{text}
	}
	parts := strings.Split(text, separator)
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return parts
}

// plainText returns a text without the tags of HTML, which become lines if they end a paragraph, and
// with the characters that its entities stand for.
func plainText(text string) string {
	if !strings.ContainsAny(text, "<&") {
		return text
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, "<")
		b.WriteString(before)
		if !found {
			return strings.TrimSpace(html.UnescapeString(b.String()))
		}
		text = after
		end := strings.IndexAny(text, "<>")
		if end < 0 || text[end] == '<' {
			b.WriteByte('<')
			continue
		}
		tag := strings.TrimSpace(strings.TrimSuffix(strings.ToLower(text[:end]), "/"))
		if !isTag(tag) {
			b.WriteByte('<')
			continue
		}
		if slices.Contains([]string{"br", "/p", "/li", "/div", "/h1", "/h2", "/h3", "/h4"}, tag) {
			b.WriteByte('\n')
		}
		text = text[end+1:]
	}
}

// isTag reports whether the text between < and > is a tag, and no comparison.
func isTag(text string) bool {
	name, attributes, _ := strings.Cut(strings.TrimPrefix(text, "/"), " ")
	return slices.Contains(htmlTags, name) && (attributes == "" || strings.Contains(attributes, "=")) || strings.HasPrefix(text, "!--")
}

// htmlTags are the names of tags that occur in texts.
var htmlTags = strings.Fields(`a abbr b big blockquote br center cite code dd del details div dl dt em figure font h1 h2 h3 h4 h5 h6 hr i iframe
	img ins kbd li mark ol p pre q s script section small span strike strong style sub summary sup table tbody td tfoot th thead tr tt u ul var`)
