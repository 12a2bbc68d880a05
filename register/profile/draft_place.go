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

// eachItem is an item that fields have in common.
type eachItem struct {
	on    *selector
	index int
}

// placeKey identifies a placement of a draft.
type placeKey struct {
	category, element, context string
	index                      int
}

// draftPlacement is a placement of a draft. Its element is "" as long as it is not known.
type draftPlacement struct {
	category, element, context string
	index                      int
	label                      string
	variables                  []draftVariable
	actions                    []map[string]any
}

type draftVariable struct {
	id      string
	text    string
	options []string
}

func (p *draftPlacement) name() string {
	name := cmp.Or(p.element, p.category)
	if p.index > 0 {
		name += fmt.Sprintf(" (%d)", p.index+1)
	}
	return name
}

// listKey identifies an item of a list of the object register.
type listKey struct {
	list, where string
	index       int
}

// turn puts a text where a source takes it from. It returns "" if the source can't be turned round.
func (d *drafter) turn(o *origin, v *value, text string, each *eachItem) (place Place, where string) {
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
			return d.setItem(each, o.name, v, text)
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
		if i := slices.Index([]string{"id", "url", "filed"}, o.name); i >= 0 && d.file(i, text) {
			return Filed, "register.filings[0]." + o.name
		}
	case fromItem:
		if each == nil {
			return "", ""
		}
		if each.on.places() {
			return d.setPlacement(each, o.text.only(), text)
		}
		return d.setItem(each, o.text.only(), v, text)
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
	case only == "." && o.join != "\n":
		for part := range strings.SplitSeq(text, cmp.Or(strings.TrimSpace(o.join), o.join)) {
			d.appendTexts(o.on.list, strings.TrimSpace(part))
		}
		return Exact, o.on.list
	case only == ".":
		d.appendTexts(o.on.list, text)
		return Exact, o.on.list
	case !o.on.places():
		return d.setItem(&eachItem{o.on, 0}, only, v, text)
	case only == "element" && o.table != nil:
		return d.setElement(text, v.index)
	case len(o.on.elements) > 0 || o.on.lead || len(o.on.contexts) == 1:
		return d.setPlacement(&eachItem{o.on, 0}, only, text)
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
	if old, ok := d.taken[path]; ok {
		return old == text
	}
	root, rest, _ := strings.Cut(path, ".")
	if i := slices.Index([]string{"id", "title", "description"}, path); i >= 0 {
		d.top[i] = text
	} else if root != "register" || rest == "" {
		return false
	} else {
		object, keys := d.register, strings.Split(rest, ".")
		for _, key := range keys[:len(keys)-1] {
			inner, ok := object[key].(map[string]any)
			if !ok {
				inner = make(map[string]any)
				object[key] = inner
			}
			object = inner
		}
		key := keys[len(keys)-1]
		object[key] = text
		if len(keys) == 2 && keys[0] == "organisation" && key != "id" {
			object[key] = d.localized(text)
		}
	}
	d.taken[path] = text
	return true
}

// localized returns a text in the language of the profile.
func (d *drafter) localized(text string) any {
	return []any{map[string]any{"locale": d.profile.Locale, "value": text}}
}

// appendTexts appends a text to a list of the object register.
func (d *drafter) appendTexts(list, text string) {
	key := strings.TrimPrefix(list, "register.")
	texts, _ := d.register[key].([]any)
	if text != "" {
		d.register[key] = append(texts, d.localized(text))
	}
}

// itemLabels are fields of items that are localized.
var itemLabels = []string{"name", "summary", "reason", "what"}

// setItem writes a field of a source or of an item of a list, which is made if it is not there.
func (d *drafter) setItem(each *eachItem, key string, v *value, text string) (Place, string) {
	if key == "" || each.on.places() {
		return "", ""
	}
	k := listKey{each.on.list, fmt.Sprint(each.on.where), each.index}
	if len(each.on.sources) > 0 {
		k = listKey{"sources", each.on.sources[0], each.index}
	}
	item := d.lists[k]
	if item == nil {
		item = make(map[string]any)
		d.lists[k] = item
		if k.list == "sources" {
			item["type"] = each.on.sources[0]
			d.sources = append(d.sources, item)
		} else {
			name := strings.TrimPrefix(k.list, "register.")
			for _, w := range each.on.where {
				item[w.from] = w.to
			}
			items, _ := d.register[name].([]any)
			d.register[name] = append(items, item)
		}
		item["title"], item["name"] = nil, nil // completed later
	}
	var written any = text
	if k.list != "sources" && slices.Contains(itemLabels, key) {
		written = d.localized(text)
	}
	path := fmt.Sprint(k, key)
	if old, ok := d.taken[path]; ok && old != text {
		return "", ""
	}
	d.taken[path], item[key] = text, written
	if k.list == "register.assessments" && item["name"] == nil && d.taken[fmt.Sprint(k, "fallback")] == "" {
		d.taken[fmt.Sprint(k, "fallback")] = v.field.title
		item["name"] = d.localized(v.field.title)
	}
	return Exact, k.list + "[]." + key
}

// category returns the category that a selector chooses from, or nil.
func (d *drafter) category(on *selector) *taxonomy.Category {
	for _, id := range on.elements {
		if e, ok := d.release.Element(id); ok {
			c, _ := d.release.Category(e.CategoryID)
			return c
		}
	}
	if len(on.elements) > 0 {
		return nil
	}
	for _, c := range d.release.Categories() {
		if on.role != "" && cmp.Or(c.Role, d.roles.Categories[c.ID]) == on.role || slices.Contains(on.categories, c.ID) {
			return c
		}
	}
	return nil
}

// at returns the placement that a selector chooses, or nil if the taxonomy does not have what it names.
func (d *drafter) at(on *selector, index int) *draftPlacement {
	c := d.category(on)
	if c == nil {
		return nil
	}
	k := placeKey{category: c.ID, index: index}
	for _, id := range on.elements {
		if d.release.HasElement(id) {
			k.element = id
			break
		}
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
		p = &draftPlacement{category: c.ID, element: k.element, context: k.context, index: index}
		d.placed[k] = p
		d.order = append(d.order, p)
	}
	return p
}

// setPlacement writes what a placeholder stands for in a placement.
func (d *drafter) setPlacement(each *eachItem, placeholder, text string) (Place, string) {
	kind, id, _ := strings.Cut(placeholder, ".")
	switch kind {
	case "var", "role":
	case "label":
		on := d.at(each.on, each.index)
		if on == nil || on.label != "" && on.label != text {
			return "", ""
		}
		on.label = text
		return Exact, on.name() + ".label"
	default:
		return "", ""
	}
	c := d.category(each.on)
	if c == nil {
		return "", ""
	}
	on := d.at(each.on, each.index)
	if on == nil {
		return "", ""
	}
	if kind == "role" {
		id = d.withRole(on, taxonomy.Role(id))
	}
	if id == "" || !d.setVariable(on, id, text) {
		return "", ""
	}
	if len(each.on.elements) == 0 && !each.on.lead && len(each.on.contexts) == 0 {
		return Drafted, on.name() + "." + id
	}
	return Exact, on.name() + "." + id
}

// declared returns the elements that a placement can be of.
func (d *drafter) elements(on *draftPlacement) []*taxonomy.Element {
	if e, ok := d.release.Element(on.element); ok {
		return []*taxonomy.Element{e}
	}
	return d.release.ElementsOf(on.category)
}

// withRole returns the variable with a role, or "".
func (d *drafter) withRole(on *draftPlacement, role taxonomy.Role) string {
	for _, e := range d.elements(on) {
		for i := range e.Variables {
			if v := &e.Variables[i]; cmp.Or(v.Role, d.roles.Variables[v.ID]) == role {
				return v.ID
			}
		}
	}
	return ""
}

// setVariable writes the value of a variable. It is false if the taxonomy has no such variable, or
// not this option. A second text is added to the first.
func (d *drafter) setVariable(on *draftPlacement, id, text string) bool {
	var declared *taxonomy.Variable
	for _, e := range d.elements(on) {
		if v, ok := e.Variable(id); ok {
			declared = v
			break
		}
	}
	if declared == nil {
		return false
	}
	k := slices.IndexFunc(on.variables, func(v draftVariable) bool { return v.id == id })
	if declared.Type == taxonomy.TextVariable {
		if k < 0 {
			on.variables = append(on.variables, draftVariable{id: id, text: text})
		} else if on.variables[k].text != text {
			on.variables[k].text += "\n" + text
		}
		return true
	}
	i := slices.IndexFunc(declared.Options, func(o taxonomy.Option) bool {
		return o.ID == text || slices.ContainsFunc(o.Label, func(l taxonomy.Text) bool { return fold(l.Value) == fold(text) })
	})
	if i < 0 {
		return false
	}
	if k < 0 {
		on.variables = append(on.variables, draftVariable{id: id})
		k = len(on.variables) - 1
	}
	if option := declared.Options[i].ID; !slices.Contains(on.variables[k].options, option) {
		on.variables[k].options = append(on.variables[k].options, option)
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

// unescape removes tags, which become lines if they end a paragraph, and reads entities.
func unescape(text string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			break
		}
		b.WriteString(text[:i])
		text = text[i+1:]
		end := strings.IndexAny(text, "<>")
		if end < 0 || text[end] == '<' || !isTag(strings.ToLower(text[:end])) {
			b.WriteByte('<')
			continue
		}
		if tag := strings.ToLower(text[:end]); slices.Contains([]string{"br", "br/", "br /", "/p", "/li", "/div", "/h1", "/h2", "/h3", "/h4"}, tag) {
			b.WriteByte('\n')
		}
		text = text[end+1:]
	}
	b.WriteString(text)
	return strings.TrimSpace(html.UnescapeString(b.String()))
}

// isTag reports whether the text between < and > is a tag, and no comparison.
func isTag(text string) bool {
	text = strings.TrimPrefix(text, "/")
	return text != "" && ('a' <= text[0] && text[0] <= 'z' || text[0] == '!')
}
