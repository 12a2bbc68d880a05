package explorer

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/datachain-go/datachain/internal/codes"
	"github.com/datachain-go/datachain/register"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// composePlacement is a placement with its fields.
type composePlacement struct {
	Index        int
	ID, Path     string
	Icon         template.HTML
	Title, About text
	Marks        []badge
	Guidance     text
	Examples     []text
	Fields, More []*composeGroup
	Lists        []*composeList
	Unknown      []*formChoice // variables that the element does not have
	Wrong        []*composeFinding
	// Before and After are the ids of its neighbours, or "".
	Before, After string
}

// placement returns a placement with its fields. The element or its category can be nil.
func (c *composer) placement(v document.Value, i int, e *taxonomy.Element, category *taxonomy.Category) *composePlacement {
	at := issue.Root.Key("elements").Index(i)
	w := &c.words.Compose
	p := &composePlacement{Index: i, ID: "p-" + strconv.Itoa(i), Path: at.String(), Title: c.raw(textAt(v, "element_id"))}
	if e != nil {
		p.Title, p.About, p.Guidance, p.Examples, p.Marks = c.titled(e, nil), c.blanks(e.Description, e.Variables, nil), c.text(e.AuthoringGuidance), c.examples(e.Examples), c.elementBadges(e, nil)
	}
	if p.Title.Empty() {
		p.Title = c.own(w.Unknown)
	}
	c.anchor(at, anchor{id: p.ID, name: p.Title, wrong: &p.Wrong})
	if v.Kind() != '{' {
		return p
	}
	chosen, _ := v.Get("context_type_id")
	if e != nil {
		variant := taxonomy.VariantDefault
		if category != nil {
			if value, ok := category.Context.Value(chosen.Text()); ok && value.Color != "" {
				variant = value.ID
			}
		}
		if _, published := c.release().Element(e.ID); !published {
			p.Icon = shape(taxonomy.Circle)
			if category != nil {
				p.Icon = shape(category.Shape)
			}
		} else if p.Icon = c.variant(c.schema, e, variant); variant == taxonomy.VariantDefault {
			p.Icon += c.variant(c.schema, e, taxonomy.VariantDark)
		}
	}
	if category != nil && len(category.Context.Values) > 0 || chosen.Kind() != 0 {
		p.Fields = append(p.Fields, c.contextOf(at, category))
	}
	variables, _ := v.Get("variables")
	var known []string
	if e != nil {
		for k := range e.Variables {
			variable := &e.Variables[k]
			known = append(known, variable.ID)
			p.Fields = append(p.Fields, c.variable(at, i, e, variable, variables))
		}
	}
	c.anchor(at.Key("variables"), anchor{id: p.ID, name: p.Title, wrong: &p.Wrong})
	for variable := range variables.All() {
		if id := textAt(variable, "id"); e != nil && id != "" && !slices.Contains(known, id) && len(p.Unknown) < maxFormItems {
			p.Unknown = append(p.Unknown, &formChoice{Value: id, Label: c.raw(id), About: c.raw(short(valueText(child(variable, "value")), maxAbout))})
		}
	}
	if slices.Contains(c.state.All, strconv.Itoa(i)) || slices.ContainsFunc(rareFields, func(key string) bool { _, ok := v.Get(key); return ok }) {
		c.moreOf(p, at)
	}
	return p
}

// valueText returns the texts of a value.
func valueText(v document.Value) string {
	if v.Kind() == '"' {
		return v.Text()
	}
	var list []string
	for item := range v.All() {
		if value, ok := item.Get("value"); ok {
			item = value
		}
		list = append(list, item.Text())
	}
	return strings.Join(list, ", ")
}

// contextOf returns the choice of the context of a placement.
func (c *composer) contextOf(at issue.Path, category *taxonomy.Category) *composeGroup {
	choices := []*formChoice{{Label: c.own(c.words.Compose.NotChosen)}}
	label, required := c.own(c.words.Element.Context), false
	if category != nil {
		if name := c.text(category.Context.Name); !name.Empty() {
			label = name
		}
		required = category.Context.Required
		for k := range category.Context.Values {
			value := &category.Context.Values[k]
			one := &formChoice{Value: value.ID, Label: c.name(value.Label, value.ID), About: c.text(value.Description)}
			if value.Color != "" {
				one.Swatch = swatch(category, value.ID)
			}
			choices = append(choices, one)
		}
	}
	g := c.choose(at.Key("context_type_id"), label, "radio", choices)
	if g.Required = required; category != nil {
		g.Note = c.text(category.Context.Description)
	}
	return g
}

// variable returns the fields of a variable.
func (c *composer) variable(at issue.Path, i int, e *taxonomy.Element, variable *taxonomy.Variable, list document.Value) *composeGroup {
	j := variableAt(list, variable.ID)
	item, _ := list.At(j)
	value := child(item, "value")
	name := strconv.Itoa(i) + ":" + variable.ID
	g := &composeGroup{ID: fieldID("v-" + name), Label: c.name(variable.Label, variable.ID), Required: variable.Required}
	if j >= 0 {
		c.anchor(at.Key("variables").Index(j), anchor{id: g.ID, name: g.Label, wrong: &g.Wrong})
	} else { // where a finding about it has no place of its own
		c.anchor(at.Key("variables").Key(variable.ID), anchor{id: g.ID, name: g.Label, wrong: &g.Wrong})
	}
	if variable.Type != taxonomy.SelectVariable {
		g.Kind = "texts"
		g.Fields = c.texts(value, func(locale string) string { return "v:" + locale + ":" + name }, variable.Role == codes.RoleWords)
		return g
	}
	g.Kind, g.Name = "check", "o:"+name
	var choices []*formChoice
	for k := range variable.Options {
		if o := &variable.Options[k]; o.Applies(e.ID) {
			choices = append(choices, &formChoice{Value: o.ID, Label: c.name(o.Label, o.ID), About: c.text(o.Description)})
		}
	}
	g.Choices = c.chosen(choices, value)
	return g
}

// link tells placements about their neighbours.
func link(list []*composePlacement) {
	for i, p := range list {
		if i > 0 {
			p.Before, list[i-1].After = list[i-1].ID, p.ID
		}
	}
}

// rest adds what a document has besides placements.
func (c *composer) rest(f *composeForm) {
	w := &c.words.Compose
	top := issue.Root
	f.Lists = append(f.Lists, c.sources(top))
	if chains := c.release().Type().Subchains; len(chains) > 0 {
		f.Lists = append(f.Lists, c.list(top.Key("subchain_instances"), w.Subchains, func(at issue.Path) []*composeGroup {
			choices := []*formChoice{{Label: c.own(w.NotChosen)}}
			for i := range chains {
				choices = append(choices, &formChoice{Value: chains[i].ID, Label: c.name(chains[i].Name, chains[i].ID)})
			}
			return []*composeGroup{
				c.choose(at.Key("subchain_id"), c.own(w.Subchain), "select", choices),
				c.line(at.Key("id"), c.own(w.SubchainID), "line", true), c.heads(at.Key("head_refs")), c.number(at.Key("order"), w.Order),
			}
		}))
	}
	f.Lists = append(f.Lists, c.list(top.Key("linked_instance_ids"), w.Linked, func(at issue.Path) []*composeGroup {
		return []*composeGroup{c.line(at, c.own(w.DocumentID), "line", true)}
	}))
	if f.Resolved {
		list := c.suggestions(top.Key("suggested_elements"))
		f.Lists, f.Suggests = append(f.Lists, list), len(list.Items) > 0
	}
	f.About = append(f.About, c.line(top.Key("updated_at"), c.own(w.UpdatedAt), "line", false), c.line(top.Key("instance_version"), c.own(w.InstanceVersion), "line", false))
	c.register(f)
}

// list returns the items of a list with their fields.
func (c *composer) list(at issue.Path, name string, fields func(issue.Path) []*composeGroup) *composeList {
	v, _ := c.doc.Find(at)
	l := &composeList{Name: name, ID: fieldID(at.String()), Add: "new " + at.String()}
	for i := range min(v.Len(), maxFormItems) {
		if v.Kind() != '[' {
			break
		}
		own := at.Index(i)
		item := &composeItem{ID: fieldID(own.String()), Path: own.String(), Name: name + " " + c.words.Number(i+1)}
		item.Fields = fields(own)
		c.anchor(own, anchor{id: item.ID, name: c.own(item.Name), wrong: &item.Wrong})
		l.Items = append(l.Items, item)
	}
	return l
}

// sources returns the sources of a document or a placement.
func (c *composer) sources(at issue.Path) *composeList {
	w := &c.words.Compose
	return c.list(at.Key("sources"), w.Sources, func(at issue.Path) []*composeGroup {
		return []*composeGroup{
			c.line(at.Key("title"), c.own(w.SourceTitle), "line", true), c.line(at.Key("type"), c.own(w.SourceType), "line", true),
			c.line(at.Key("url"), c.own(w.SourceURL), "line", false), c.line(at.Key("citation"), c.own(w.Citation), "line", false),
		}
	})
}

// heads returns the choice of the placements that a subchain begins with.
func (c *composer) heads(at issue.Path) *composeGroup {
	g, v := c.group("s:", at, c.own(c.words.Compose.Heads), "check")
	var choices []*formChoice
	seen := make(map[string]bool)
	for p := range child(c.doc.Root(), "elements").All() {
		ref, ok := p.Get("element_instance_id")
		id, _ := p.Get("element_id")
		if !ok {
			ref = id
		}
		if len(choices) == maxFormItems {
			break
		}
		if ref.Text() == "" || seen[ref.Text()] {
			continue
		}
		seen[ref.Text()] = true
		one := &formChoice{Value: ref.Text(), Label: c.raw(ref.Text())}
		if e := c.elementOf(id.Text()); e != nil {
			one.Label = c.titled(e, nil)
			if ok {
				one.About = c.raw(ref.Text())
			}
		}
		choices = append(choices, one)
	}
	g.Choices = c.chosen(choices, v)
	return g
}

// suggestions returns the elements that a document suggests.
func (c *composer) suggestions(at issue.Path) *composeList {
	w := &c.words.Compose
	list := c.list(at, w.Suggested, func(at issue.Path) []*composeGroup {
		choices := []*formChoice{{Label: c.own(w.NotChosen)}}
		for _, category := range c.release().Categories() {
			choices = append(choices, &formChoice{Value: category.ID, Label: c.name(category.Name, category.ID)})
		}
		return []*composeGroup{
			c.line(at.Key("id"), c.own(w.DocumentID), "line", true), c.choose(at.Key("category_id"), c.own(c.words.Element.Category), "select", choices),
			c.localized(at.Key("title"), c.own(w.DocumentTitle), false), c.localized(at.Key("description"), c.own(w.DocumentAbout), true),
			c.line(at.Key("symbol_id"), c.own(w.Symbol), "line", true),
		}
	})
	for i, item := range list.Items {
		id, _ := c.doc.Find(at.Index(i).Key("id"))
		item.Place = id.Text()
		for p := range child(c.doc.Root(), "elements").All() {
			if textAt(p, "element_id") == id.Text() {
				item.Place = ""
			}
		}
	}
	return list
}

// rareFields are the fields of a placement that few need. They are shown if it has one of them,
// or on request.
var rareFields = []string{"label", "element_instance_id", "subchain_instance_id", "citation", "priority", "actions", "sources"}

// moreOf adds the fields of a placement that few need.
func (c *composer) moreOf(p *composePlacement, at issue.Path) {
	w := &c.words.Compose
	p.More = []*composeGroup{c.localized(at.Key("label"), c.own(w.Label), false), c.line(at.Key("element_instance_id"), c.own(w.InstanceID), "line", false)}
	if runs, _ := c.doc.Root().Get("subchain_instances"); runs.Len() > 0 {
		choices := []*formChoice{{Label: c.own(w.NotChosen)}}
		for i := range min(runs.Len(), maxFormItems) {
			run, _ := runs.At(i)
			if id := textAt(run, "id"); id != "" {
				choices = append(choices, &formChoice{Value: id, Label: c.raw(id)})
			}
		}
		p.More = append(p.More, c.choose(at.Key("subchain_instance_id"), c.own(w.InSubchain), "select", choices))
	}
	p.More = append(p.More, c.line(at.Key("citation"), c.own(w.Citation), "line", false), c.number(at.Key("priority"), w.Priority))
	p.Lists = []*composeList{c.actions(at), c.sources(at)}
}

// actions returns what readers of a placement can do.
func (c *composer) actions(at issue.Path) *composeList {
	w := &c.words.Compose
	return c.list(at.Key("actions"), w.Actions, func(at issue.Path) []*composeGroup {
		var choices []*formChoice
		for _, kind := range []string{"email", "url", "phone", "form", "postal"} {
			choices = append(choices, &formChoice{Value: kind, Label: c.own(w.ActionTypes[kind])})
		}
		return []*composeGroup{
			c.choose(at.Key("type"), c.own(w.ActionType), "select", choices), c.localized(at.Key("label"), c.own(w.ActionLabel), false),
			c.line(at.Key("target"), c.own(w.ActionTarget), "line", true),
		}
	})
}

// register adds what a register of documents shows.
func (c *composer) register(f *composeForm) {
	w := &c.words.Compose
	at := issue.Root.Key("register")
	status := []*formChoice{{Label: c.own(w.NotChosen)}}
	for _, s := range register.Statuses() {
		status = append(status, &formChoice{Value: string(s), Label: c.own(c.words.Register.Statuses[s])})
	}
	slug := c.line(at.Key("slug"), c.own(w.Slug), "line", false)
	slug.Note = c.own(w.SlugNote)
	organisation := at.Key("organisation")
	f.Register = []*composeGroup{
		c.choose(at.Key("status"), c.own(w.Status), "select", status),
		c.date(at.Key("since"), w.Since), c.date(at.Key("until"), w.Until), c.date(at.Key("review_by"), w.ReviewBy),
		c.localized(organisation.Key("name"), c.own(w.Organisation), false), c.localized(organisation.Key("unit"), c.own(w.Unit), false),
		c.line(organisation.Key("id"), c.own(w.OrganisationID), "line", false), slug,
	}
	f.RegisterLists = []*composeList{
		c.list(at.Key("places"), w.Places, func(at issue.Path) []*composeGroup {
			return []*composeGroup{
				c.localized(at.Key("name"), c.own(w.PlaceName), false), c.localized(at.Key("address"), c.own(w.Address), false),
				c.point(at.Key("geometry")), c.tick(at.Key("mobile"), w.Mobile),
			}
		}),
		c.list(at.Key("themes"), w.Themes, func(at issue.Path) []*composeGroup {
			return []*composeGroup{c.localized(at, c.own(w.Theme), false)}
		}),
		c.list(at.Key("withheld"), w.Withheld, func(at issue.Path) []*composeGroup {
			return []*composeGroup{c.localized(at.Key("what"), c.own(w.What), false), c.localized(at.Key("reason"), c.own(w.Reason), true)}
		}),
	}
	c.anchor(at, anchor{id: "register", name: c.own(w.Register), wrong: &f.Rest})
}
