package explorer

import (
	"github.com/datachain-go/datachain/documents"
	"github.com/datachain-go/datachain/taxonomy/document"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// rest adds what a document has besides placements.
func (c *composer) rest(f *composeForm, root document.Value) {
	w := &c.words.Compose
	top := issue.Root
	f.Lists = append(f.Lists, c.sources(top))
	if chains := c.release().Type().Subchains; len(chains) > 0 {
		f.Lists = append(f.Lists, c.list(top.Key("subchain_instances"), w.Subchains, func(at issue.Path) []*composeGroup {
			choices := []*composeChoice{{Label: c.own(w.NotChosen)}}
			for i := range chains {
				choices = append(choices, &composeChoice{Value: chains[i].ID, Label: c.name(chains[i].Name, chains[i].ID)})
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
	for _, key := range []string{"elements", "schema_version", "created_at", "authoring_provenance", "schema_snapshot"} {
		c.anchor(top.Key(key), "problems", text{}, &f.Rest)
	}
	_, f.Registered = root.Get("register")
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
		c.anchor(own, item.ID, c.own(item.Name), &item.Wrong)
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
	g := &composeGroup{ID: fieldID(at.String()), Name: "s:" + at.String(), Label: c.own(c.words.Compose.Heads), Kind: "check"}
	c.anchor(at, g.ID, g.Label, &g.Wrong)
	elements, _ := c.doc.Root().Get("elements")
	var choices []*composeChoice
	seen := make(map[string]bool)
	for p := range elements.All() {
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
		one := &composeChoice{Value: ref.Text(), Label: c.raw(ref.Text())}
		if e := c.elementOf(id.Text()); e != nil {
			one.Label = c.titled(e, nil)
			if ok {
				one.About = c.raw(ref.Text())
			}
		}
		choices = append(choices, one)
	}
	v, _ := c.doc.Find(at)
	var chosen []string
	for item := range v.All() {
		if item.Text() != "" {
			chosen = append(chosen, item.Text())
		}
	}
	g.Choices = withOther(c.request, choices, chosen)
	return g
}

// suggestions returns the elements that a document suggests.
func (c *composer) suggestions(at issue.Path) *composeList {
	w := &c.words.Compose
	list := c.list(at, w.Suggested, func(at issue.Path) []*composeGroup {
		choices := []*composeChoice{{Label: c.own(w.NotChosen)}}
		for _, category := range c.release().Categories() {
			choices = append(choices, &composeChoice{Value: category.ID, Label: c.name(category.Name, category.ID)})
		}
		return []*composeGroup{
			c.line(at.Key("id"), c.own(w.DocumentID), "line", true), c.choose(at.Key("category_id"), c.own(c.words.Element.Category), "select", choices),
			c.localized(at.Key("title"), c.own(w.DocumentTitle), false), c.localized(at.Key("description"), c.own(w.DocumentAbout), true),
			c.line(at.Key("symbol_id"), c.own(w.Symbol), "line", true),
		}
	})
	elements, _ := c.doc.Root().Get("elements")
	for i, item := range list.Items {
		id, _ := c.doc.Find(at.Index(i).Key("id"))
		item.Place = id.Text()
		for p := range elements.All() {
			if placed, _ := p.Get("element_id"); placed.Text() == id.Text() {
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
		choices := []*composeChoice{{Label: c.own(w.NotChosen)}}
		for i := range min(runs.Len(), maxFormItems) {
			run, _ := runs.At(i)
			if id, _ := run.Get("id"); id.Text() != "" {
				choices = append(choices, &composeChoice{Value: id.Text(), Label: c.raw(id.Text())})
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
		var choices []*composeChoice
		for _, kind := range []string{"email", "url", "phone", "form", "postal"} {
			choices = append(choices, &composeChoice{Value: kind, Label: c.own(w.ActionTypes[kind])})
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
	status := []*composeChoice{{Label: c.own(w.NotChosen)}}
	for _, s := range documents.Statuses() {
		status = append(status, &composeChoice{Value: string(s), Label: c.own(c.words.Register.Statuses[s])})
	}
	slug := c.line(at.Key("slug"), c.own(w.Slug), "line", false)
	slug.Note = c.own(w.SlugNote)
	organisation := at.Key("organisation")
	f.Register = []*composeGroup{
		c.choose(at.Key("status"), c.own(w.Status), "select", status),
		c.line(at.Key("since"), c.own(w.Since), "date", false), c.line(at.Key("until"), c.own(w.Until), "date", false), c.line(at.Key("review_by"), c.own(w.ReviewBy), "date", false),
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
	c.anchor(at, "register", c.own(w.Register), &f.Rest)
}
