package impact

import (
	"encoding/json"
	"slices"

	"github.com/datachain-go/datachain/internal/diff"
	"github.com/datachain-go/datachain/taxonomy"
	"github.com/datachain-go/datachain/taxonomy/issue"
)

// elementsPath is the place of what is missing in a document.
var elementsPath = issue.Root.Key("elements")

// documentRules return the places of a document that a change concerns, by the rule of
// the change. A change can break documents in several ways, but has the rule of the
// first.
var documentRules = map[diff.RuleID]func(*subject, *diff.Change) []issue.Path{
	"type-changed":             func(*subject, *diff.Change) []issue.Path { return []issue.Path{issue.Root.Key("schema_version")} },
	"subchain-removed":         subchainRemoved,
	"category-minimum-raised":  categoryLimits,
	"category-maximum-lowered": categoryLimits,
	"element-moved-context":    elementMoved,
	"element-moved-needed":     elementMoved,
	"element-moved-full":       elementMoved,
	"element-maximum-lowered":  elementTooOften,
	"locale-removed":           localeRemoved,
}

// placementRules return the place in a placement that a change of its element, or of
// the category of that, concerns.
var placementRules = map[diff.RuleID]func(*subject, *diff.Change, *placement) (issue.Path, bool){
	"element-removed":    anyPlacement,
	"element-reworded":   anyPlacement,
	"element-deprecated": anyPlacement,

	"context-value-removed":  contextValue,
	"context-value-reworded": contextValue,
	"context-value-renamed": func(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
		return p.at.Key("context_type_id"), p.ContextTypeID == textOf(c.Old)
	},
	"context-required": func(_ *subject, _ *diff.Change, p *placement) (issue.Path, bool) {
		return p.at, p.ContextTypeID == ""
	},
	"context-reworded": func(_ *subject, _ *diff.Change, p *placement) (issue.Path, bool) {
		return p.at.Key("context_type_id"), p.ContextTypeID != ""
	},

	"variable-removed":      variableRemoved,
	"variable-renamed":      variableRenamed,
	"variable-required":     variableRequired,
	"variable-type-changed": variableType,
	"variable-reworded":     variableReworded,
	"option-removed":        optionRemoved,
	"option-renamed":        optionRenamed,
	"option-narrowed":       optionNarrowed,
	"option-reworded":       optionReworded,
}

func subchainRemoved(d *subject, c *diff.Change) (places []issue.Path) {
	for i, s := range d.instance.SubchainInstances {
		if s.SubchainID == c.Path[1].Name() {
			places = append(places, issue.Root.Key("subchain_instances").Index(i).Key("subchain_id"))
		}
	}
	return places
}

// tooFew returns a place if a category of the new release has too few placements.
func (d *subject) tooFew(category string) []issue.Path {
	c, ok := d.after.Category(category)
	if !ok {
		return nil
	}
	least := c.Cardinality.Min
	if c.Required {
		least = max(least, 1)
	}
	if d.categories[category] >= least {
		return nil
	}
	return []issue.Path{elementsPath}
}

// tooMany returns the placements of a category of the new release that are too many.
func (d *subject) tooMany(category string) []issue.Path {
	c, ok := d.after.Category(category)
	if !ok || c.Cardinality.Max == 0 {
		return nil
	}
	return d.beyond(c.Cardinality.Max, func(p *placement) bool { return p.after != nil && p.after.CategoryID == category })
}

// beyond returns the places of the placements after the first ones.
func (d *subject) beyond(most int, counts func(*placement) bool) (places []issue.Path) {
	n := 0
	for i := range d.placements {
		if p := &d.placements[i]; counts(p) {
			if n++; n > most {
				places = append(places, p.at)
			}
		}
	}
	return places
}

func categoryLimits(d *subject, c *diff.Change) []issue.Path {
	return append(d.tooFew(c.ID), d.tooMany(c.ID)...)
}

// elementMoved is for an element in another category: placements of it can have a
// context that the new category lacks, be missing in the old category, or be too many
// for the new one.
func elementMoved(d *subject, c *diff.Change) []issue.Path {
	now, ok := d.after.Element(c.ID)
	if !ok || d.elements[c.ID] == 0 {
		return nil
	}
	places := append(d.tooFew(d.left(c.ID)), d.tooMany(now.CategoryID)...)
	for i := range d.placements {
		if p := &d.placements[i]; p.ElementID == c.ID {
			if at, lost := d.contextLost(p); lost {
				places = append(places, at)
			}
		}
	}
	return places
}

// left returns the id that the former category of an element has now.
func (d *subject) left(element string) string {
	old, _ := d.before.Element(element)
	for _, c := range d.after.Categories() {
		if slices.Contains(c.RenamedFrom, old.CategoryID) {
			return c.ID
		}
	}
	return old.CategoryID
}

func elementTooOften(d *subject, c *diff.Change) []issue.Path {
	now, ok := d.after.Element(c.ID)
	if !ok || now.MaxPlacements == 0 {
		return nil
	}
	return d.beyond(now.MaxPlacements, func(p *placement) bool { return p.ElementID == c.ID })
}

// localeRemoved looks where documents usually have texts; the findings have all.
func localeRemoved(d *subject, c *diff.Change) (places []issue.Path) {
	has := func(l taxonomy.Localized) bool { _, ok := l.Get(c.Path[1].Name()); return ok }
	for name, l := range map[string]taxonomy.Localized{"title": d.instance.Title, "description": d.instance.Description} {
		if has(l) {
			places = append(places, issue.Root.Key(name))
		}
	}
	slices.SortFunc(places, func(a, b issue.Path) int { return len(b.String()) - len(a.String()) })
	for i := range d.placements {
		p := &d.placements[i]
		for k, v := range p.Variables {
			if has(v.Text) {
				places = append(places, p.at.Key("variables").Index(k).Key("value"))
			}
		}
	}
	return places
}

func anyPlacement(_ *subject, _ *diff.Change, p *placement) (issue.Path, bool) {
	return p.at.Key("element_id"), true
}

// contextLost returns the place of a context that is missing or unknown.
func (d *subject) contextLost(p *placement) (issue.Path, bool) {
	c, _ := d.after.Category(p.after.CategoryID)
	if p.ContextTypeID == "" {
		return p.at, c.Context.Required && len(c.Context.Values) > 0
	}
	_, known := c.Context.Value(p.ContextTypeID)
	return p.at.Key("context_type_id"), !known
}

func contextValue(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
	return p.at.Key("context_type_id"), p.ContextTypeID == c.Path[2].Name()
}

func variableRemoved(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
	v, at := p.value(c.Path[1].Name())
	_, after := p.variables(c.Path[1].Name())
	return at, v != nil && after == nil
}

func variableRenamed(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
	v, at := p.value(textOf(c.Old))
	return at, v != nil
}

func variableRequired(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
	v, _ := p.value(c.Path[1].Name())
	_, after := p.variables(c.Path[1].Name())
	return p.at, v == nil && after != nil && after.Required
}

func variableType(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
	v, at := p.value(c.Path[1].Name())
	before, after := p.variables(c.Path[1].Name())
	return at, v != nil && before != nil && after != nil && before.Type != after.Type
}

// variableReworded is also asked for elements that override the variable of the
// category.
func variableReworded(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
	v, at := p.value(c.Path[1].Name())
	before, after := p.variables(c.Path[1].Name())
	return at, v != nil && before != nil && after != nil && !slices.Equal(before.Label, after.Label)
}

func optionRemoved(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
	at := p.option(c.Path[1].Name(), c.Path[3].Name())
	_, after := p.variables(c.Path[1].Name())
	return at, at != nil && option(after, c.Path[3].Name()) == nil
}

func optionRenamed(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
	at := p.option(c.Path[1].Name(), textOf(c.Old))
	return at, at != nil
}

func optionNarrowed(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
	at := p.option(c.Path[1].Name(), c.Path[3].Name())
	_, after := p.variables(c.Path[1].Name())
	o := option(after, c.Path[3].Name())
	return at, at != nil && o != nil && len(o.AppliesTo) > 0 && !slices.Contains(o.AppliesTo, p.ElementID)
}

func optionReworded(_ *subject, c *diff.Change, p *placement) (issue.Path, bool) {
	at := p.option(c.Path[1].Name(), c.Path[3].Name())
	v, w := p.variables(c.Path[1].Name())
	before, after := option(v, c.Path[3].Name()), option(w, c.Path[3].Name())
	return at, at != nil && before != nil && after != nil &&
		(!slices.Equal(before.Label, after.Label) || !slices.Equal(before.Description, after.Description))
}

// textOf returns a JSON string, such as the old id of something that was renamed.
func textOf(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}
