package diff

import (
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// elementsPath is the place of what is missing in a document.
var elementsPath = issue.Root.Key("elements")

// inPlacements returns the places in the placements of the element that a change is about, or of
// the elements of a category.
func (d *candidate) inPlacements(c *Change, at func(*placement) (issue.Path, bool)) (places []issue.Path) {
	list := d.members[c.ID]
	if c.Subject == Element {
		list = d.placed[c.ID]
	}
	for _, p := range list {
		if path, hit := at(p); hit {
			places = append(places, path)
		}
	}
	return places
}

func whereElement(d *candidate, c *Change) []issue.Path {
	return d.inPlacements(c, func(p *placement) (issue.Path, bool) { return p.at.Key("element_id"), true })
}

func whereContextValue(d *candidate, c *Change) []issue.Path {
	id := c.Path[2].Name()
	if c.Kind == Renamed {
		id = Text(c.Old)
	}
	return d.inPlacements(c, func(p *placement) (issue.Path, bool) { return p.at.Key("context_type_id"), p.ContextTypeID == id })
}

// whereValue is for placements with a value for the variable that a change names, if that was
// and is so in the element.
func whereValue(is func(before, after *taxonomy.Variable) bool) func(*candidate, *Change) []issue.Path {
	return func(d *candidate, c *Change) []issue.Path {
		return d.inPlacements(c, func(p *placement) (issue.Path, bool) {
			v, at := p.value(c.Path[1].Name())
			return at, v != nil && is(d.variables(p, c.Path[1].Name()))
		})
	}
}

// whereOption is for placements that choose the option that a change names, if that was and is
// so in the element.
func whereOption(is func(p *placement, before, after *taxonomy.Option) bool) func(*candidate, *Change) []issue.Path {
	return func(d *candidate, c *Change) []issue.Path {
		return d.inPlacements(c, func(p *placement) (issue.Path, bool) {
			id := c.Path[3].Name()
			at := p.option(c.Path[1].Name(), id)
			before, after := d.variables(p, c.Path[1].Name())
			return at, at != nil && is(p, option(before, id), option(after, id))
		})
	}
}

// tooFew returns a place if a category of the new release has too few placements.
func (d *candidate) tooFew(category string) []issue.Path {
	c, ok := d.after.Category(category)
	if !ok {
		return nil
	}
	if len(d.members[category]) >= minimum(c) {
		return nil
	}
	return []issue.Path{elementsPath}
}

// tooMany returns the placements of a category of the new release that are too many.
func (d *candidate) tooMany(category string) []issue.Path {
	c, ok := d.after.Category(category)
	if !ok || c.Cardinality.Max == 0 {
		return nil
	}
	return beyond(c.Cardinality.Max, d.members[category])
}

// beyond returns the places of placements after the first ones.
func beyond(most int, list []*placement) (places []issue.Path) {
	for _, p := range list[min(most, len(list)):] {
		places = append(places, p.at)
	}
	return places
}

func whereCategoryLimits(d *candidate, c *Change) []issue.Path {
	return append(d.tooFew(c.ID), d.tooMany(c.ID)...)
}

// whereElementMoved is for an element in another category: placements of it can have a
// context that the new category lacks, be missing in the old category, or be too many
// for the new one.
func whereElementMoved(d *candidate, c *Change) []issue.Path {
	now, ok := d.after.Element(c.ID)
	if !ok || len(d.placed[c.ID]) == 0 {
		return nil
	}
	places := d.tooMany(now.CategoryID)
	old, _ := d.before.Element(c.ID)
	if left := d.history.Category(old.CategoryID).Current(); left != nil {
		places = append(d.tooFew(left.ID), places...)
	}
	return append(places, d.inPlacements(c, d.contextLost)...)
}

// contextLost returns the place of a context that is missing or unknown.
func (d *candidate) contextLost(p *placement) (issue.Path, bool) {
	c, _ := d.after.Category(p.after.CategoryID)
	if p.ContextTypeID == "" {
		return p.at, needsContext(c)
	}
	_, known := c.Context.Value(p.ContextTypeID)
	return p.at.Key("context_type_id"), !known
}
